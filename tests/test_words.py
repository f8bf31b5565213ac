"""Any text is a valid question, and a question made of words in a text finds it."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import Memoranda, Turn
from memoranda.text.words import MOST_ALTERNATIVES, alternatives, fold, terms

# What people reported of systems like this: hermes-agent#40541 (a colon silently finds nothing),
# basic-memory#178 and #180 (`no such column`, a hyphen taken for an operator), basic-memory#1294,
# mempalace#1338 and claude-mem#3801 (CJK not found, two-character words least of all).
FOUND = [
    ("TODO: fix the resolver", "TODO: fix"),
    ("it belongs to my-group now", "my-group"),
    ("either a AND b or neither", "a AND b"),
    ("well-known OR x", "well-known OR x"),
    ("the parser is written in C++", "C++"),
    ("she prefers F# over C#", "F#"),
    ("built on .NET", ".NET"),
    ("atlas-nas is 10.0.1.50 now", "10.0.1.50"),
    ("atlas-nas is 10.0.1.50 now", "10.0.1"),
    ("it fails at worker.py:142", "worker.py:142"),
    ("it fails at worker.py:142", "worker.py"),
    ("it fails at worker.py:142", "worker"),
    ("we ship v2.1.0", "v2.1.0"),
    ("we ship v2.1.0", "2.1.0"),
    ("we ship 2.1.0", "v2.1.0"),
    ("mail liam@example.org", "liam@example.org"),
    ("mail liam@example.org", "example.org"),
    ("see https://wiki.lan/a/b?c=d#e", "wiki.lan"),
    ("see https://wiki.lan/a/b?c=d#e", "https://wiki.lan/a/b?c=d#e"),
    ("it said ERR_EXPORT_TIMEOUT", "ERR_EXPORT_TIMEOUT"),
    ("it said ERR_EXPORT_TIMEOUT", "export timeout"),
    ("call getUserName first", "getUserName"),
    ("call getUserName first", "user name"),
    ("error 0x80070057 again", "0x80070057"),
    ("/dev/sdc is failing", "/dev/sdc"),
    ("/dev/sdc is failing", "sdc"),
    ("web01 is down", "web 01"),
    ("止損單記不住", "止损"),
    ("止损单记不住", "止損"),
    ("我有一隻貓", "貓"),
    ("我有一隻貓", "猫"),
    ("使用Docker部署", "docker"),
    ("使用Docker部署", "部署"),
    ("サーバーを再起動した", "再起動"),
    ("サーバーを再起動した", "サーバー"),
    ("ｱﾄﾗｽ", "アトラス"),
    ("서버를 다시 시작했다", "서버"),
    ("เซิร์ฟเวอร์ล่มเมื่อคืน", "เซิร์ฟเวอร์"),
    ("सर्वर कल रात बंद हो गया", "सर्वर"),
    ("Сервер упал ночью", "сервер"),
    ("el servidor se cayó", "cayo"),
    ("Ａ４サイズ", "A4"),
    ("done 🎉", "🎉"),
    ("it costs 5€", "€"),
    ("to be or not to be", "to be or not to be"),
    ("the IT department moved", "IT"),
    ('he said "never again"', '"never again"'),
    ("don't panic", "don't"),
    ("naïve café", "naive cafe"),
    ("Việt Nam", "viet"),
    ("Łukasz has the key", "lukasz"),
    ("Lukasz has the key", "Łukasz"),
    ("Đorđe plays chess", "Dorde"),
    ("GROSSMANN called", "Großmann"),
    ("Großmann called", "Grossmann"),
    ("she lives in Lange Straße", "strasse"),
    ("Jürgen drives", "Juergen"),
    ("Juergen drives", "Jürgen"),
    ("Müller's bakery", "mueller"),
    ("MÜLLER", "Mueller"),
    ("Mu\u0308ller", "Mueller"),
    ("Bjørn sails", "Bjorn"),
    ("BJØRN sails", "Bjoern"),
    ("Håkon skis", "haakon"),
    ("Þór hikes", "thor"),
    ("Ægir swims", "Aegir"),
    ("an œuvre", "oeuvre"),
    ("Işık paints", "isik"),
    ("Sigurðsson signs", "Sigurdsson"),
    ("ΟΔΟΣ ΑΘΗΝΑΣ", "οδός"),
    ("στην οδό μας", "οδο"),
    ("שָׁלוֹם עולם", "שלום"),
    ("كِتَابٌ جديد", "كتاب"),
    ("The NAS is a Synology DS920+", "which model is the nas"),
    ("The OS is Debian 12", "which os runs here"),
]


@pytest.mark.parametrize(("text", "question"), FOUND)
def test_found(m: Memoranda, text: str, question: str) -> None:
    memory = m.remember(text)
    for other in ("an entirely different matter", "倉庫は空です", "nothing here"):
        m.remember(other)
    assert [hit.id for hit in m.recall(question).hits][:1] == [memory.id]
    m.observe([Turn("c", "user", text, id=text)])
    assert m.recall(question, memories=False).hits[0].content == text


WEIRD = [
    "", " ", '"', '""', "'", "AND", "OR", "NOT", "NEAR(", "NEAR(a b, 3)", "a:b", "content:x", "*",
    "x*", "-x", "^x", "+x", "(", ")", "{content} : x", "\0", "a\0b", "\ud800", "🎉", "\u200b",
    "\u202e", "%", "_", ";--", "x" * 1_000_000, "word " * 200_000, '"' * 1001, "(" * 1001,
    "止" * 100_000, "a-" * 50_000, "' OR 1=1 --", "\\", "\n\t\r", "ﷺ", "e\u0301" * 1000,
]  # fmt: skip


@pytest.mark.parametrize("question", WEIRD, ids=lambda text: ascii(text[:20]))
def test_no_input_is_an_error(m: Memoranda, question: str) -> None:
    m.remember("something that is there")
    m.observe([Turn("c", "user", "something that was said")])
    m.recall(question)


@given(st.text())
def test_any_text_is_a_question(m: Memoranda, question: str) -> None:
    m.recall(question)


WORDS = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "M"))
    | st.sampled_from(string.ascii_letters),
    min_size=1,
    max_size=12,
).filter(lambda word: any(character.isalnum() for character in word))


@given(st.lists(WORDS, min_size=1, max_size=12), st.data())
def test_words_of_a_memory_find_it(m: Memoranda, words: list[str], data: st.DataObject) -> None:
    memory = m.remember(" ".join(words))
    try:
        chosen = data.draw(st.lists(st.sampled_from(words), min_size=1, unique=True))
        found = m.recall(" ".join(chosen), turns=False, limit=500, budget=0)
        assert memory.id in [hit.id for hit in found.hits]
    finally:
        m.forget(memory.id)


@given(st.text())
def test_what_is_added_to_a_text_is_words(text: str) -> None:
    for word in terms(text).split():
        assert '"' not in word


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(min_size=500, max_size=3000))
def test_a_question_has_no_more_than_so_many_words(text: str) -> None:
    phrases, prefixes = alternatives(text)
    assert len(phrases) <= MOST_ALTERNATIVES
    assert len(prefixes) <= MOST_ALTERNATIVES


def test_plain_text_needs_no_terms() -> None:
    assert terms("The server keeps running out of memory, she said.") == ""


@pytest.mark.parametrize(("filler", "word"), [("数", "止损"), ("ab/", "zirconium")])
def test_a_word_that_a_passage_ends_in_is_found(m: Memoranda, filler: str, word: str) -> None:
    before = filler * ((m.settings.passage_size - 1) // len(filler))
    m.observe([Turn("c", "user", before + word + "/据" * 100)])
    (hit,) = m.recall(word).hits
    assert word not in hit.content


def test_a_speaker_is_found_by_the_plain_spelling(m: Memoranda) -> None:
    m.observe([Turn("c", "user", "I sail on Sundays", speaker="Bjørn")])
    assert m.recall("Bjorn").hits
    assert m.recall("Bjoern").hits
