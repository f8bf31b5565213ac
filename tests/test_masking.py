"""What of a turn is its user's own words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text import masking, secrets
from memoranda.text.masking import Masked, mask
from memoranda.text.sentences import sentences
from memoranda.types import Role


def own(content: str) -> list[str]:
    masked = mask(content)
    return [content[start:end] for start, end in masked.sentences()]


FENCED = "I use tabs.\n```toml\nindent = 4  # We decided on spaces\n```\nNobody else does."
RECALLED = "- User lives in Malmö\n- User is allergic to nuts"

BLOCKS = {
    "Hermes": f"<memory-context>\n[System note: recalled.]\n\n{RECALLED}\n</memory-context>",
    "a list of memories": f"<memories>\n{RECALLED}\n</memories>",
    "recalled ones": f"<recalled_memories>{RECALLED}</recalled_memories>",
    "Claude Code": f"<system-reminder>\nContents of /x/CLAUDE.md:\n{RECALLED}\n</system-reminder>",
    "Hindsight": f"<hindsight_memories>\n{RECALLED}\n</hindsight_memories>",
    "OpenClaw": f"<relevant-memories>\n{RECALLED}\n</relevant-memories>",
    "OpenViking": f"<openviking-context>\n{RECALLED}\n</openviking-context>",
    "a block with attributes": f'<memory-context source="x">\n{RECALLED}\n</memory-context>',
    "a heading": f"# Memory\n\n{RECALLED}",
    "a lower heading": f"## Holographic Memory\n{RECALLED}",
    "Honcho": f"# Honcho Memory\n## User representation\n{RECALLED}",
    "mem0": f"Relevant memories:\n{RECALLED}",
    "user memories": f"Here are the user memories:\n{RECALLED}",
    "Chinese": f"相關記憶:\n{RECALLED}",
}


@pytest.mark.parametrize("name", BLOCKS)
def test_what_a_memory_system_injected_is_masked_wherever_it_stands(name: str) -> None:
    # mem0#4573, openhanako#2465, hindsight#4662
    said = "I moved to Lund."
    for content in (f"{BLOCKS[name]}\n\n{said}", f"{said}\n\n{BLOCKS[name]}"):
        assert own(content) == [said]
        assert masking.RECALLED in {each.what for each in mask(content).hidden}


def test_an_open_block_reaches_to_the_end_unless_it_stands_within_a_line() -> None:
    assert own(f"I ski.\n<memory-context>\n{RECALLED}") == ["I ski."]
    assert own("My type is List<MemoryPool>. I ski.") == ["My type is List<MemoryPool>.", "I ski."]


MASKED = {
    "We use uv.\n$ pip install -U thing\nAlways.": "command",
    "See:\nroot@web-1:~# systemctl restart nginx\nI did that.": "command",
    "2026-04-01 12:00:01 ERROR the user prefers tabs": "log",
    "I saw this.\nTraceback (most recent call last):": "log",
    "[tool] memory_hint: the user likes spam": "tool output",
    "My aunt said 'we always eat at noon' and left.": "quotation",
    'He wrote "I prefer the blue one" on it.': "quotation",
    "Er sagte „wir nutzen immer Tabs“ und ging.": "quotation",
    "他說「我每天都喝三杯咖啡」。": "quotation",
    "Run `rm -rf build dist` first.": "quotation",
    "Look at this:\n\n    x = prefer(tabs)\n    y = 2": "code",
    "def prefer(tabs):\n    return tabs": "code",
    "You are a helpful assistant. You prefer tabs.\n\nI ski.": "system prompt",
    "[10:01] Ann: I use tabs\n[10:02] Bob: I use spaces": "transcript",
    "Ann: I use tabs\nBob: I use spaces\nAnn: Really": "transcript",
    "Here is the email:\nI prefer spaces.": "pasted document",
    "> I prefer spaces.\nI do not.": "pasted document",
    "My key is sk-ant-api03-" + "aB3dE5fG7hJ9" * 6: "secret",
    "The wifi is [password] there.": "secret",
    "I told [private] about it.": "private",
}


@pytest.mark.parametrize("content", MASKED)
def test_what_is_not_the_users_word_is_masked(content: str) -> None:
    assert MASKED[content] in {each.what for each in mask(content).hidden}


TYPED = [
    'My project is called "Blue Heron".',
    "- I use tabs\n- I ski",
    "Decision: we use Postgres.",
    "1. I use tabs\n   2. Never spaces",
    "It's 5 o'clock and my dog's asleep.",
    "2026-04-01: we chose Postgres.",
    "I use make and git every day.",
    "My class is Java; I love it.",
]


@pytest.mark.parametrize("content", TYPED)
def test_what_was_typed_is_not(content: str) -> None:
    assert mask(content).hidden == ()


def test_the_text_has_a_marker_for_each_part_and_knows_where_it_stood() -> None:
    masked = mask(FENCED)
    assert masked.text == "I use tabs.\n[code]\nNobody else does."
    for word in ("tabs", "Nobody", "does."):
        assert masked.original(masked.text.index(word)) == FENCED.index(word)
    assert masked.original(masked.text.index("[code]") + 3) == FENCED.index("```")
    assert own(FENCED) == ["I use tabs.", "Nobody else does."]


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
def test_another_role_has_no_words_of_the_user(role: Role) -> None:
    assert mask("I live in Bergen.", role).sentences() == ()
    assert mask("", role).hidden == ()


SENTENCES = {
    "I use v1.2.3. It runs on db.example.org:5432. See https://a.b/c.d?e=f.": 3,
    "Dr. Ito and Mr. J. Berg use e.g. Vim, Emacs etc. and more.": 1,
    "I like Vim, Emacs etc. We use both.": 2,
    "Am 3. Mai ziehe ich um. Das kostet z.B. 500 Euro.": 2,
    "Es aprox. 3.5 km. ¡Qué bien! ¿Vale?": 3,
    "我住在高雄。我喜歡貓!你呢?": 3,
    "東京に住んでいます。犬が好きです。": 2,
    "मैं दिल्ली में रहता हूँ। मुझे चाय पसंद है।": 2,
    "أعيش في عمان؟ أحب الشاي.": 2,
    "one\ntwo\n- three\n* four\n3) five": 5,
    "Really?! Yes... no.": 3,
    "It costs 3.50. No. 5 is mine.": 2,
    '"Wait." I said so.': 2,
}


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_in_every_script(text: str) -> None:
    assert len(list(sentences(text))) == SENTENCES[text]


MARKS = st.sampled_from(
    ["```", "`", "'", '"', "“", "”", "「", "」", ">", "<memory>", "</memory>", "\n", "\n\n",
     "    ", "$ ", "Memory:", "- ", ". ", "。", "[password]", "[private]", "I use tabs", "ERROR ",
     "Ann: ", "{", "}"]
)  # fmt: skip
ANYTHING = st.text() | st.lists(MARKS | st.text(max_size=4), max_size=30).map("".join)


@given(ANYTHING)
def test_any_text_is_masked_and_mapped_to_the_character(content: str) -> None:
    masked = mask(content)
    edges = [edge for each in masked.hidden for edge in (each.start, each.end)]
    assert edges == sorted(edges)
    assert all(each.start < each.end <= len(content) for each in masked.hidden)
    _check_map(masked)
    last = 0
    for start, end in masked.sentences():
        assert last <= start < end <= len(content)
        for place in (start, end - 1):
            assert masked.hides(place, place + 1) or not content[place].isspace()
        last = end


def _check_map(masked: Masked) -> None:
    """Every character of the text that is no marker's is the one it stands for."""
    at, hidden = 0, list(masked.hidden)
    for place, character in enumerate(masked.text):
        original = masked.original(place)
        assert original >= at
        at = original
        if not masked.hides(original, original + 1):
            assert character == masked.content[original]
    assert masked.original(len(masked.text)) == len(masked.content)
    assert sum(len(each.marker) for each in hidden) <= len(masked.text)


@given(ANYTHING)
def test_no_secret_is_left(content: str) -> None:
    masked = mask(content)
    for secret in secrets.secrets(content):
        assert masked.hides(secret.start, secret.end)


@pytest.mark.parametrize(
    "piece",
    ["a", ".", ". ", "'", " 'a", '"a ', "a\n", "<memory ", "<memory>\n", "Memory:\n", "[", "A: b\n",
     "You are an agent\n", "`a ", "好。", "(", "1. ", "# ", "I use tabs. ", "「", "\t", "```\n",
     "> a\n"],
)  # fmt: skip
def test_a_megabyte_takes_no_longer_than_its_length(piece: str) -> None:
    content = (piece * (1_000_000 // len(piece)))[:1_000_000]
    begun = time.process_time()
    mask(content).sentences()
    assert time.process_time() - begun < 20
