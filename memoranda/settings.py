"""Every option, declared once with its sentence.

An option is looked up in the environment (`MEMORANDA_` and its name in capitals), then in the
home's `memoranda.toml`, then its default holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import tzinfo
from pathlib import Path
from typing import Any

from memoranda.errors import InvalidSettings
from memoranda.types import Fusion

FILE = "memoranda.toml"
ELSEWHERE = frozenset(("MEMORANDA_HOME", "MEMORANDA_EVAL", "MEMORANDA_PASSPHRASE", "MEMORANDA_KEY"))
"""Environment variables of ours that are no options of a home."""

MOST_RERANKED = 50
"""A reranker reads every text anew; what is further behind it seldom moves to the front."""


def option(
    default: Any,
    sentence: str,
    least: float = 0,
    most: float = 10_000,
    choices: Iterable[str] = (),
) -> Any:
    bounds = {"least": least, "most": most, "choices": tuple(choices)}
    return field(default=default, metadata={"sentence": sentence, **bounds})


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a home."""

    timezone: str = option(
        "",
        "Zone of dates given without one and of times shown, such as Europe/Berlin; empty is this "
        "machine's.",
    )
    recall_limit: int = option(8, "How many hits a recall gives when it is not told.", least=1)
    recall_budget: int = option(
        2000, "How many tokens the hits of a recall take at most; 0 is no bound.", most=1e9
    )
    files: bool = option(
        True, "Keep MEMORY.md, USER.md and a mirror of all memories in Markdown in the home."
    )
    file_characters: int = option(
        4000,
        "Characters of content that a MEMORY.md or USER.md has at most.",
        least=100,
        most=50_000,
    )
    context_budget: int = option(
        2000,
        "How many tokens a context takes at most when it is not told; never more than 15 % of the "
        "window.",
        least=100,
        most=1e9,
    )
    context_characters: int = option(
        10_000,
        "How many characters a context has at most: what clients such as Claude Code and Hermes "
        "take inline.",
        least=500,
        most=1e9,
    )
    context_window: int = option(
        128_000,
        "How many tokens fit into the window of the model that gets a context, when it is not "
        "told.",
        least=1000,
        most=1e9,
    )
    fusion: str = option(
        Fusion.CALIBRATED.value,
        "How the lists of a search become one: calibrated, rrf60, lexical or dense.",
        choices=Fusion,
    )
    links: bool = option(False, "Search for what hangs together with the names in a question, too.")
    embedding_model: str = option(
        "all-minilm-l6-v2",
        "What makes the vectors: a known model, a folder with an ONNX model, the name of a model "
        "at embedding_url, or none.",
    )
    embedding_url: str = option(
        "",
        "Address of an embeddings endpoint like OpenAI's, such as http://nas:11434/v1; it "
        "receives the text of every memory and turn.",
    )
    embedding_key: str = option(
        "", "Key for that endpoint; better kept in MEMORANDA_EMBEDDING_KEY than in this file."
    )
    embedding_timeout: float = option(
        30.0,
        "Seconds to wait for that endpoint's answer; a question waits for five at most.",
        least=0.1,
        most=3600,
    )
    embedding_threads: int = option(
        0, "Processors that run models at the same time; 0 is all of them.", most=1024
    )
    embed_on_write: bool = option(
        True, "Make vectors right after writing; when off, `memoranda embed` makes them."
    )
    reranker: str = option(
        "none",
        "What puts the best hits in a better order: none; maxsim, by the vectors that an ONNX "
        "embedding_model has of words; a folder with an ONNX cross-encoder; the name of a model at "
        "reranking_url.",
    )
    reranking_url: str = option(
        "",
        "Address of a reranking endpoint like Jina's, such as http://nas:8080/v1; it receives "
        "every question and the texts of its best hits.",
    )
    reranking_key: str = option(
        "", "Key for that endpoint; better kept in MEMORANDA_RERANKING_KEY than in this file."
    )
    reranking_timeout: float = option(
        2.0,
        "Seconds a reranker may take for a question; the answer then goes without it.",
        least=0.01,
        most=3600,
    )
    reranking_depth: int = option(
        20, "How many of the best hits are reranked.", least=2, most=MOST_RERANKED
    )
    language_model: str = option(
        "",
        "Name of the language model at language_url; empty is none.",
    )
    language_url: str = option(
        "",
        "Address of an endpoint like OpenAI's or Anthropic's, such as http://nas:11434/v1; it "
        "receives all that the model is asked about.",
    )
    language_key: str = option(
        "", "Key for that endpoint; better kept in MEMORANDA_LANGUAGE_KEY than in this file."
    )
    language_wire: str = option(
        "auto",
        "How that endpoint is spoken to: openai, anthropic, or auto, by what its address tells.",
        choices=("auto", "openai", "anthropic"),
    )
    language_timeout: float = option(
        120.0,
        "Seconds to wait for one answer of that endpoint; with all its attempts a question takes "
        "three times that at most.",
        least=0.1,
        most=3600,
    )
    language_reasoning: int = option(
        0, "Tokens that a model which thinks before it answers has for that, besides.", most=1e6
    )
    language_price_in: float = option(
        0.0, "What a million tokens cost that the language model is told; 0 is not known.", most=1e6
    )
    language_price_cached: float = option(
        0.0,
        "What a million of these cost that the endpoint remembers; 0 is as much as the others.",
        most=1e6,
    )
    language_price_out: float = option(
        0.0, "What a million tokens cost that it answers, thoughts included.", most=1e6
    )
    pass_tokens: int = option(
        1_000_000, "Tokens that one pass of consolidation takes at most; 0 is no bound.", most=1e12
    )
    pass_money: float = option(
        0.0, "What one pass costs at most, by the prices above; 0 is no bound.", most=1e9
    )
    pass_minutes: float = option(
        120.0, "Minutes that one pass takes at most; 0 is no bound.", most=1e6
    )
    day_tokens: int = option(
        2_000_000, "Tokens that all passes of a day take at most; 0 is no bound.", most=1e12
    )
    day_money: float = option(
        0.0, "What all passes of a day cost at most; 0 is no bound.", most=1e9
    )
    month_tokens: int = option(
        20_000_000, "Tokens that all passes of a month take at most; 0 is no bound.", most=1e12
    )
    month_money: float = option(
        0.0, "What all passes of a month cost at most; 0 is no bound.", most=1e9
    )
    retire_share: float = option(
        0.1,
        "The share of a scope's memories that one pass may supersede or retire, though five it may "
        "always; what goes beyond waits for review.",
        most=1,
    )
    conflicts: str = option(
        "newer",
        "What becomes of a memory that something newer contradicts: newer lets that win; ask has a "
        "person decide; wait lets it win once it was said a second time.",
        choices=("newer", "ask", "wait"),
    )
    review: bool = option(
        False, "Have every candidate for a memory wait until a person accepts it."
    )
    schedule_hours: float = option(
        24.0,
        "Hours between two passes, for `consolidate --due`, and for the warning when none succeeds "
        "in twice the time.",
        least=0.1,
        most=10_000,
    )
    schedule_turns: int = option(
        0, "So many new turns make a pass due earlier; 0 is no number.", most=1e9
    )
    notify: str = option(
        "",
        "Whom warnings are told: a command, which reads them from its standard input, or an "
        "address beginning with http, to which they are posted as JSON.",
    )
    conversation_days: int = option(
        365,
        "Days after which a conversation that was read expires, counted from when it came in; what "
        "was taken from it keeps the words it rests on. 0 keeps it for good.",
        most=100_000,
    )
    review_days: int = option(
        7,
        "Days after which what waits for a review is sent to whom `notify` names; 0 is never.",
        most=10_000,
    )
    review_again_days: int = option(
        90,
        "Days for which what somebody kept in a review does not come up again.",
        least=1,
        most=100_000,
    )
    log_use: bool = option(
        True, "Write down which memories were served and which of them an answer used."
    )
    half_life_fact: float = option(
        365.0,
        "Days after which half is left of how sure and how present a fact is that nobody confirms "
        "or uses.",
        least=0.1,
        most=1e6,
    )
    half_life_preference: float = option(730.0, "The same for a preference.", least=0.1, most=1e6)
    half_life_decision: float = option(730.0, "The same for a decision.", least=0.1, most=1e6)
    half_life_constraint: float = option(
        1460.0, "The same for a constraint, which never expires.", least=0.1, most=1e6
    )
    half_life_environment: float = option(
        180.0, "The same for what is known of the environment.", least=0.1, most=1e6
    )
    half_life_lesson: float = option(730.0, "The same for a lesson.", least=0.1, most=1e6)
    half_life_episode: float = option(
        45.0, "The same for an episode, which stays as sure as it was.", least=0.1, most=1e6
    )
    half_life_unreviewed: float = option(
        45.0, "The same for what nobody reviewed yet, if that is shorter.", least=0.1, most=1e6
    )
    use_slows: float = option(
        0.5,
        "The share by which a half-life grows each time that the uses of a memory double.",
        most=100,
    )
    expires_below: float = option(
        0.25,
        "How present a memory must be for `sweep` to keep it; 0 keeps all, 0.25 is two half-lives.",
        most=0.99,
    )
    passage_size: int = option(
        1000,
        "Characters after which a long turn is split into passages for search.",
        least=100,
        most=1e6,
    )
    backup_to: str = option(
        "",
        "Folder for backups, on another disk than the home; empty is none, and `status` says so.",
    )
    backup_hourly: int = option(
        24, "Of so many hours that have a backup the last one is kept.", most=10_000
    )
    backup_daily: int = option(7, "Of so many days the same.", most=10_000)
    backup_weekly: int = option(4, "Of so many weeks the same.", most=10_000)
    unsafe_place: str = option(
        "refuse",
        "Whether a home may be on a network share, in a folder that is synchronised, or where it "
        "vanishes: refuse or allow.",
        choices=("refuse", "allow"),
    )
    lock_timeout: float = option(
        30.0, "Seconds to wait for another process to finish writing.", most=86_400
    )

    def __post_init__(self) -> None:
        _ = self.zone

    @property
    def reranks(self) -> bool:
        """Whether hits are reranked when a recall is not told."""
        return self.reranker != "none"

    @property
    def zone(self) -> tzinfo | None:
        """The zone of dates without one; None is this machine's."""
        if not self.timezone:
            return None
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            return ZoneInfo(self.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise InvalidSettings(
                f"timezone {self.timezone!r} is unknown; write it like Europe/Berlin"
            ) from None


def load(home: Path | None, environ: Mapping[str, str]) -> Settings:
    """The settings of a home, or without one those of the environment.

    Raises InvalidSettings, naming the place and what is wrong with it.
    """
    values = {} if home is None else _from_file(home / FILE)
    values.update(_from_environment(environ))
    return Settings(**values)


def template() -> str:
    """A settings file that changes nothing, with every option, its sentence and its default."""
    lines = ["# Settings of this Memoranda home. Take the # off a line to change it.", ""]
    for each in fields(Settings):
        lines += [f"# {each.metadata['sentence']}", f"# {each.name} = {_toml(each.default)}", ""]
    return "\n".join(lines)


def without_keys(text: str) -> tuple[str, tuple[str, ...]]:
    """A settings file without the keys of endpoints, and the names of those that were in it.

    One that cannot be read so simply becomes one that changes nothing, and every name is told.
    """
    import tomllib

    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return template(), (FILE,)
    keys = {name: "" for name, value in before.items() if name.endswith("_key") and value}
    after = text
    for name in keys:
        after = _with(after, name, "", comment=False)
    try:
        right = tomllib.loads(after) == before | keys
    except tomllib.TOMLDecodeError:
        right = False
    return (after, tuple(keys)) if right else (template(), (*before,))


def change(home: Path, **options: object) -> None:
    """Set options in the settings file of a home; every other line stays as it is.

    Raises InvalidSettings, with the file as it was, when that cannot be done so simply.
    """
    import shutil
    import tomllib

    path = (home / FILE).resolve()
    before = path.read_bytes().decode("utf-8") if path.is_file() else template()
    after = before
    for name, value in options.items():
        after = _with(after, name, value)
    try:
        right = tomllib.loads(after) == tomllib.loads(before) | options
    except tomllib.TOMLDecodeError:
        right = False
    if not right:
        wanted = " and ".join(f"{name} = {_toml(value)}" for name, value in options.items())
        raise InvalidSettings(f"{path} is not as we write it; set {wanted} in it by hand")
    made = path.with_name(f"{path.name}.new")
    made.write_bytes(after.encode("utf-8"))
    if path.is_file():
        shutil.copymode(path, made)
    made.replace(path)


def _with(text: str, name: str, value: object, *, comment: bool = True) -> str:
    """A settings file with one option set where it stands, where it is suggested, or on top."""
    line = f"{name} = {_toml(value)}"
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)  # not at what else Unicode calls a line's end
    for pattern in (rf"[ \t]*{name}[ \t]*=[^\r\n]*", rf"[ \t]*#[ \t]*{name}[ \t]*=[^\r\n]*"):
        for at, each in enumerate(lines):
            if re.match(pattern, each):
                kept = comment and "#" not in pattern
                told = re.search(r"\s+#[^\"']*$", each.rstrip()) if kept else None
                end = each[len(each.rstrip("\r\n")) :]
                lines[at] = line + (told.group() if told else "") + end
                return "".join(lines)
    return "".join([f"{line}\n", *lines])


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _from_file(path: Path) -> dict[str, Any]:
    import tomllib  # what a program without a home need not load

    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidSettings(f"{path} cannot be read: {error}") from error
    return {name: _checked(name, value, str(path)) for name, value in given.items()}


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    values = {}
    for variable, text in environ.items():
        if variable.startswith("MEMORANDA_") and variable not in ELSEWHERE:
            name = variable.removeprefix("MEMORANDA_").lower()
            values[name] = _checked(name, _parsed(name, text), f"the environment ({variable})")
    return values


def _parsed(name: str, text: str) -> object:
    default = _defaults().get(name)
    if isinstance(default, bool):
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    try:
        return type(default)(text) if isinstance(default, int | float) else text
    except ValueError:
        return text


def _checked(name: str, value: object, place: str) -> object:
    defaults = _defaults()
    if name not in defaults:
        import difflib

        close = difflib.get_close_matches(name, defaults, 1)
        hint = f"; did you mean {close[0]}?" if close else f"; known are {', '.join(defaults)}"
        raise InvalidSettings(f"{name!r} in {place} is no option{hint}")
    default = defaults[name]
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        wanted = {
            str: "text",
            int: "a whole number",
            float: "a number",
            bool: "true or false",
        }[type(default)]
        raise InvalidSettings(f"{name} in {place} must be {wanted}, not {value!r}")
    bounds = next(each.metadata for each in fields(Settings) if each.name == name)
    least, most = bounds["least"], bounds["most"]
    if choices := bounds["choices"]:
        if value not in choices:
            raise InvalidSettings(f"{name} in {place} must be {' or '.join(choices)}")
    elif isinstance(value, int | float) and not least <= value <= most:
        raise InvalidSettings(
            f"{name} in {place} must be between {least:,g} and {most:,g}, not {value!r}"
        )
    return value


def _defaults() -> dict[str, Any]:
    return {each.name: each.default for each in fields(Settings)}
