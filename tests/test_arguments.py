"""Whatever is given to a public verb, a wrong argument is refused by its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest

import memoranda
from memoranda import InvalidInput, Memoranda, Scope, Turn
from memoranda.testing import MARCH

TEXTS: tuple[object, ...] = (5, b"plum", ["plum"], object())
LISTS: tuple[object, ...] = ("plum", 5, object(), [None], [5], [""], [b"plum"])
FLAGS: tuple[object, ...] = ("maxsim", 1, 0.0, [], object())
COUNTS: tuple[object, ...] = (True, 1.5, "3", -1, float("nan"), object())
TIMES: tuple[object, ...] = ("2026-03-01", 0, "", datetime(2026, 3, 1), object())  # noqa: DTZ001
CHOICES: tuple[object, ...] = ("fact", 5, object(), ["rumour"], [None], [[]])
STAGES: tuple[object, ...] = ("applied", 5, object(), ["plum"], [None], [[]])
SKILLS: tuple[object, ...] = (*TEXTS, None, "")
SCOPES: tuple[object, ...] = ("everyone", 5, [], object())
FUNCTIONS: tuple[object, ...] = (5, "plum", object())
NEVER_NONE = {"content", "id", "ids", "keep", "other", "entity", "old", "new", "query", "claim"}
MAY_BE_NONE = {
    ("forget", "entity"),
    ("forget", "query"),
    ("accept", "content"),
    ("context", "query"),
    ("decide", "content"),
    ("verify_backups", "id"),
}
NAMED = {"ids": "id", "kinds": "kind", "statuses": "status", "stages": "stage", "of": "id"}
"""How an argument is called in what refuses it, when otherwise."""

WRONG: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "enable": {"scope": SCOPES},
    "disable": {"scope": SCOPES},
    "status": {},
    "what_do_you_know": {"turns": (*FLAGS, None)},
    "backup": {"to": (5, object(), []), "due": (*FLAGS, None)},
    "backups": {"at": (5, object(), []), "drop": (5, object(), [])},
    "verify_backups": {"id": TEXTS, "at": (5, object(), [])},
    "close": {},
    "observe": {
        "turns": ("plum", 5, None, [None], ["plum"], [{}]),
        "embed": FLAGS,
        "keep_secrets": (*FLAGS, None),
        "scheduled": (*FLAGS, None),
    },
    "import_": {
        "path": (5, None, object()),
        "format": ("chatgpt", None, 5, []),
        "dry_run": FLAGS,
        "place": TEXTS,
        "advance": FUNCTIONS,
        "embed": FLAGS,
        "keep_secrets": (*FLAGS, None),
    },
    "export": {"path": (5, None, object()), "force": (*FLAGS, None), "advance": FUNCTIONS},
    "import_home": {
        "path": (5, None, object()),
        "dry_run": (*FLAGS, None),
        "advance": FUNCTIONS,
    },
    "remember": {
        "content": (*TEXTS, "", " "),
        "kind": ("rumour", None, 5, []),
        "scope": ("everyone", 5, [], object()),
        "detail": TEXTS,
        "topics": LISTS,
        "entities": LISTS,
        "valid_from": TIMES,
        "valid_to": TIMES,
        "pin": (*FLAGS, None),
        "source": TEXTS,
        "conversation": TEXTS,
        "keep_secrets": (*FLAGS, None),
    },
    "revise": {
        "id": TEXTS,
        "content": (*TEXTS, ""),
        "valid_from": TIMES,
        "correction": (*FLAGS, None),
        "reason": TEXTS,
        "keep_secrets": (*FLAGS, None),
    },
    "confirm": {"id": TEXTS},
    "retire": {"id": TEXTS, "reason": TEXTS},
    "pin": {"id": TEXTS, "on": (*FLAGS, None)},
    "forget": {
        "ids": TEXTS,
        "conversation": TEXTS,
        "source": TEXTS,
        "entity": TEXTS,
        "query": TEXTS,
        "project": (*TEXTS, ""),
        "profile": (*TEXTS, ""),
        "person": (*TEXTS, ""),
        "since": TIMES,
        "until": TIMES,
        "everything": (*FLAGS, None),
        "dry_run": (*FLAGS, None),
        "verify": (*FLAGS, None),
    },
    "incognito": {
        "conversation": (*TEXTS, None),
        "on": (*FLAGS, None),
        "from_start": (*FLAGS, None),
    },
    "quarantine": {"limit": (*COUNTS, 0, None)},
    "release": {"id": TEXTS},
    "show": {"id": TEXTS, "as_of": TIMES, "known": TIMES},
    "list": {
        "kinds": CHOICES,
        "statuses": CHOICES,
        "as_of": TIMES,
        "known": TIMES,
        "before": TEXTS,
        "limit": (*COUNTS, 0, None),
    },
    "history": {"id": TEXTS},
    "entities": {"name": (*TEXTS, ""), "limit": (*COUNTS, 0, None)},
    "merge": {"keep": TEXTS, "other": TEXTS},
    "split": {"entity": TEXTS, "name": (*TEXTS, None, ""), "aliases": LISTS, "mentions": LISTS},
    "topics": {"once": (*FLAGS, None)},
    "merge_topics": {"old": TEXTS, "new": TEXTS},
    "consolidate": {
        "dry_run": (*FLAGS, None),
        "model": (*TEXTS, ""),
        "review": FLAGS,
        "again": (*FLAGS, None),
        "advance": FUNCTIONS,
    },
    "estimate": {},
    "waiting": {},
    "is_due": {},
    "passes": {"before": TEXTS, "limit": (*COUNTS, 0, None)},
    "pass_": {"id": TEXTS},
    "ledger": {"of": TEXTS, "stages": STAGES, "after": TEXTS, "limit": (*COUNTS, 0, None)},
    "calls": {"of": (*TEXTS, None)},
    "distances": {"of": TEXTS},
    "undo": {"id": TEXTS, "keep_read": (*FLAGS, None)},
    "contradictions": {"limit": (*COUNTS, 0, None)},
    "settle": {"id": TEXTS, "keep": (*TEXTS, None, "", "neither")},
    "health": {"weeks": (*COUNTS, 0, None)},
    "sweep": {"dry_run": (*FLAGS, None), "everyone": (*FLAGS, None), "advance": FUNCTIONS},
    "replay": {"id": TEXTS, "model": (*TEXTS, "")},
    "candidates": {"limit": (*COUNTS, 0, None)},
    "review": {"limit": (*COUNTS, 0, None)},
    "decide": {
        "key": (*TEXTS, None, "", "plum", "plum:1"),
        "action": (*TEXTS, None, "", "plum"),
        "content": TEXTS,
    },
    "review_summary": {},
    "send_review": {},
    "accept": {"id": TEXTS, "content": (*TEXTS, "", " ")},
    "reject": {"id": TEXTS},
    "recall": {
        "query": TEXTS,
        "limit": (*COUNTS, 0),
        "budget": COUNTS,
        "kinds": CHOICES,
        "as_of": TIMES,
        "known": TIMES,
        "since": TIMES,
        "until": TIMES,
        "memories": (*FLAGS, None),
        "turns": (*FLAGS, None),
        "links": FLAGS,
        "rerank": FLAGS,
        "conversation": TEXTS,
        "incognito": (*FLAGS, None),
        "quarantined": (*FLAGS, None),
    },
    "context": {
        "query": TEXTS,
        "budget": (*COUNTS, 0),
        "window": (*COUNTS, 0),
        "conversation": TEXTS,
        "as_of": TIMES,
        "known": TIMES,
    },
    "compact": {
        "messages": ("plum", 5, None, object(), [None], ["plum"], [{}], {"role": "user"}),
        "budget": (*COUNTS, 0, None),
        "conversation": (*TEXTS, ""),
        "summarise": (*FLAGS, None),
        "keep_secrets": (*FLAGS, None),
    },
    "expand": {
        "ref": (*TEXTS, None, "", "plum!"),
        "budget": (*COUNTS, 0),
        "conversation": TEXTS,
    },
    "verify": {"claim": TEXTS},
    "skills": {},
    "skill": {"name": SKILLS, "version": (*COUNTS, 0), "scope": SCOPES},
    "skill_history": {"name": SKILLS, "scope": SCOPES},
    "use_skill": {"name": SKILLS, "scope": SCOPES},
    "write_skill": {
        "text": (*TEXTS, None),
        "name": (*TEXTS, "", "Deploy"),
        "description": TEXTS,
        "scope": SCOPES,
        "license": TEXTS,
        "compatibility": (*TEXTS, "x" * 501),
        "allowed_tools": TEXTS,
        "keep_secrets": (*FLAGS, None),
    },
    "remove_skill": {"name": SKILLS, "scope": SCOPES},
    "embed": {"again": (*FLAGS, None), "advance": FUNCTIONS},
    "projects": {},
    "add_project": {"name": (*TEXTS, "", ".../x"), "root": (5, object()), "vault": (5, object())},
    "drop_project": {"name": (*TEXTS, "")},
    "assign": {
        "project": (*TEXTS, ""),
        "profile": (*TEXTS, ""),
        "part": ("boss", 5, [], object()),
    },
    "vault": {},
    "files_changed": {},
    "take_in": {},
    "task": {"id": (*TEXTS, "")},
    "add_task": {"title": (*TEXTS, ""), "body": (*TEXTS, ""), "profile": (*TEXTS, "")},
    "set_task": {"id": (*TEXTS, ""), "state": ("perhaps", 5, None, [])},
    "report": {"text": (*TEXTS, ""), "task": TEXTS},
    "people": {},
    "add_channel": {"identity": (*TEXTS, ""), "person": (*TEXTS, "")},
    "drop_channel": {"identity": (*TEXTS, "")},
    "sync": {
        "removals": (*FLAGS, None),
        "dry_run": (*FLAGS, None),
        "hermes": (5, object(), "nowhere"),
        "no_hermes": (5, object(), "nowhere"),
        "advance": FUNCTIONS,
    },
}

VERBS: Mapping[str, Callable[..., object]] = {
    name: verb
    for name, verb in inspect.getmembers(Memoranda, inspect.isfunction)
    if not name.startswith("_")
}
CASES = [
    pytest.param(verb, argument, value, id=f"{verb}-{argument}-{place}")
    for verb, arguments in WRONG.items()
    for argument, values in arguments.items()
    for place, value in enumerate(
        (*values, None)
        if argument in NEVER_NONE and (verb, argument) not in MAY_BE_NONE
        else values
    )
]


def test_every_argument_of_every_verb_stands_in_the_table() -> None:
    declared = {name: {*inspect.signature(verb).parameters} for name, verb in VERBS.items()}
    assert {name: {"self", *arguments} for name, arguments in WRONG.items()} == declared


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memoranda]:
    home = memoranda.init(tmp_path_factory.mktemp("arguments") / "home", enable=True)
    with memoranda.open(home) as m:
        m.remember("Mara met Tom in Bergen", topics=["trips"])
        yield m


@pytest.mark.parametrize(("verb", "argument", "value"), CASES)
def test_a_wrong_argument_is_refused_by_its_name(
    shared: Memoranda, verb: str, argument: str, value: object
) -> None:
    (memory,) = shared.list()
    right: dict[str, Any] = {
        "turns": [Turn("c", "user", "plum", time=MARCH)],
        "path": "no-such-file.jsonl",
        "content": "Mara met Tom in Oslo",
        "id": memory.id,
        "keep": "Mara",
        "other": "Tom",
        "entity": "Mara",
        "conversation": "c",
        "name": "Ada",
        "old": "trips",
        "new": "travel",
        "query": "Mara",
        "claim": "Mara met Tom",
        "of": memory.id,
        "key": f"duplicate:{memory.id}",
        "action": "keep",
        "project": "site",
        "profile": "coder",
        "part": "lead",
        "identity": "telegram:1",
        "title": "Log in",
        "body": "without a password",
        "state": "done",
        "person": "anna",
        "messages": [{"role": "user", "content": "plum"}],
        "ref": memory.id,
        "text": "---\nname: tea\ndescription: Makes tea\n---\nBoil water.",
    }
    needed = {
        name: right[name]
        for name, parameter in inspect.signature(VERBS[verb]).parameters.items()
        if parameter.default is parameter.empty and name not in ("self", "ids")
    }
    if verb == "forget":
        needed["since"] = MARCH
    if verb == "settle":
        needed["keep"] = "newer"
    call = getattr(shared, verb)
    before = shared.list(), shared.topics(), shared.entities(), shared.status().holdings
    with pytest.raises(InvalidInput) as refused:
        call(value) if argument == "ids" else call(**(needed | {argument: value}))
    named = NAMED.get(argument, argument)
    assert named in str(refused.value) or value in ("", " ", "everyone")
    assert before == (shared.list(), shared.topics(), shared.entities(), shared.status().holdings)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Scope("user", 5),  # type: ignore[arg-type]
        lambda: Scope("everyone"),  # type: ignore[arg-type]
        lambda: Scope([]),  # type: ignore[arg-type]
        lambda: memoranda.open(5),  # type: ignore[arg-type]
        lambda: memoranda.init(5),  # type: ignore[arg-type]
        lambda: memoranda.init("nowhere", enable="yes"),  # type: ignore[arg-type]
        lambda: memoranda.init("nowhere", language=None),  # type: ignore[arg-type]
        lambda: Turn([], "user", "plum"),  # type: ignore[arg-type]
        lambda: Turn("c", [], "plum"),  # type: ignore[arg-type]
        lambda: Turn("c", "user", None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_verb_refuses_too(call: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput):
        call()


@pytest.mark.parametrize("argument", ["profile", "project", "person"])
def test_an_opening_refuses_what_is_no_name(m: Memoranda, argument: str) -> None:
    with pytest.raises(InvalidInput):
        memoranda.open(m.status().place, **{argument: 5})  # type: ignore[arg-type]
