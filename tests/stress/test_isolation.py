"""Whoever asks, whatever they do: no word of a scope comes out where that is not visible.

Every memory, turn, topic, entity, skill and task has a word that tells whose it is. Anybody does
anything, with words and ids of others too, and all that comes back is searched for such words: what
is returned, what an error says, what is logged, what is counted, and what stands in files.
"""

from __future__ import annotations

import json
import logging
import random
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from inspect import getmembers
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import memoranda
from memoranda import Memoranda, MemorandaError, Memory, Scope, Turn
from memoranda.files.layout import MIRROR
from memoranda.files.places import folder
from memoranda.people import Part
from memoranda.policy.access import Access
from memoranda.settings import Settings
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import DAY, MARCH, a_memory, add
from memoranda.types import Kind, plain

PROFILES = ["ada", "bob", "cyd", "dan", "eve"]
SCOPES: Mapping[str, Scope] = {
    "a": Scope("user"),
    "b": Scope("user", "anna"),
    **{letter: Scope("profile", name) for letter, name in zip("cdefg", PROFILES, strict=True)},
    "h": Scope("project", "site"),
    "i": Scope("project", "shop"),
}
MEMORIES = 1000
"""Of each scope."""

EXAMPLES, STEPS = 4, 500


@dataclass(frozen=True)
class Principal:
    """Who acts, and the letters of all that they may see, told apart from the code."""

    access: Access
    sees: str


def _profile(name: str, project: str | None = None, part: Part = Part.LEAD) -> Access:
    return Access(
        profile=Scope("profile", name),
        project=None if project is None else Scope("project", project),
        part=part,
    )


PRINCIPALS: Mapping[str, Principal] = {
    "owner": Principal(Access(), "a"),
    "owner on site": Principal(Access(project=SCOPES["h"]), "ah"),
    "anna": Principal(Access(person=SCOPES["b"]), "b"),
    "anna with ada": Principal(Access(person=SCOPES["b"], profile=SCOPES["c"]), "b"),
    "a stranger": Principal(Access(person=None, profile=SCOPES["c"]), ""),
    "ada": Principal(_profile("ada"), "ac"),
    "ada leads site": Principal(_profile("ada", "site"), "ach"),
    "bob works on site": Principal(_profile("bob", "site", Part.WORKER), "adh"),
    "bob works on a task": Principal(
        Access(profile=SCOPES["d"], project=SCOPES["h"], part=Part.WORKER, task="T001"), "h"
    ),
    "cyd reads site": Principal(_profile("cyd", "site", Part.READER), "aeh"),
    "dan leads shop": Principal(_profile("dan", "shop"), "afi"),
    "eve works on shop": Principal(_profile("eve", "shop", Part.WORKER), "agi"),
}

WORD = re.compile(r"lou([a-i])[a-z]{5}", re.IGNORECASE)
"""No id has such letters by chance."""


def word(letter: str, number: int) -> str:
    """A word of a scope."""
    letters = "".join(chr(ord("a") + number // 26**place % 26) for place in range(5))
    return f"lou{letter}{letters}"


def letters_in(text: str) -> set[str]:
    return {found.lower() for found in WORD.findall(text)}


# A home full of words -----------------------------------------------------------------------------


def fill(home: Path) -> None:
    rng, kinds = random.Random(1), list(Kind)
    with memoranda.open(home) as m:
        for project, parts in (
            ("site", {"ada": "lead", "bob": "worker", "cyd": "reader"}),
            ("shop", {"dan": "lead", "eve": "worker"}),
        ):
            m.add_project(project)
            for profile, part in parts.items():
                m.assign(project, profile, part)
    store = SqliteStore(home / "memory.db")
    for letter, scope in SCOPES.items():
        made = [
            a_memory(
                f"User keeps the {word(letter, n)} in shed {n}",
                kind=rng.choice(kinds),
                scope=scope,
                at=MARCH - rng.randint(0, 300) * DAY,
                topics=(word(letter, n % 7),),
                entities=(word(letter, n).capitalize(),),
                detail=f"as {word(letter, n)} says",
            )
            for n in range(MEMORIES)
        ]
        for start in range(0, MEMORIES, 100):
            add(store, *made[start : start + 100])
    store.close()
    for letter, scope in SCOPES.items():
        who = {"user": "person", "profile": "profile", "project": "project"}[scope.kind]
        named = {} if scope.name is None else {who: scope.name}
        with memoranda.open(home, **named) as m:
            if scope.kind != "project":
                m.observe(
                    [
                        Turn(
                            f"talk {word(letter, 1)}",
                            "user",
                            f"I prefer {word(letter, 2)}.",
                            speaker=word(letter, 3),
                            time=MARCH,
                        )
                    ],
                    embed=False,
                )
            else:
                m.add_task(f"Paint the {word(letter, 4)}", f"Paint {word(letter, 4)}")
                m.report(f"Painted the {word(letter, 5)}", task="T001")
            m.write_skill(
                f"Take the {word(letter, 6)}.",
                name=f"paint-{scope.kind}-{scope.name or 'owner'}",
                description=f"Paints the {word(letter, 6)}.",
                scope=scope,
            )


# What one can do: with a word, an id and a scope, which may be those of others -------------------


def _do_list(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.list(limit=500)


def _do_list_page(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.list(before=id, limit=20)


def _do_show(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.show(id)


def _do_show_beginning(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.show(id[:8])


def _do_history(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.history(id)


def _do_history_of_name(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.history(told)


def _do_recall(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.recall(f"where is the {told} kept, in which shed?", limit=30, links=True)


def _do_recall_past(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.recall(f"sheds of the user and {told}", as_of=MARCH, limit=30)


def _do_context(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.context(f"in which shed is the {told}?", conversation=f"talk {told}")


def _do_verify(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.verify(f"User keeps the {told} in shed 7")


def _do_entities(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.entities(limit=200), m.entities(told[:5])


def _do_topics(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.topics()


def _do_merge_topics(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.merge_topics(told, f"{told}-too")


def _do_merge(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.merge(told, "User")


def _do_split(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.split(told, f"{told} two", mentions=[id])


def _do_status(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    status = m.status()
    held = sum(status.holdings.memories.values())
    seen = sum(
        len(m._store.memories((each,), m._filter(), limit=5000)) for each in m.access.visible
    )
    assert held >= seen
    assert held <= MEMORIES * len(m.access.visible) * 1.5
    return status


def _do_what_do_you_know(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return plain(m.what_do_you_know(turns=True))


def _do_health(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.health(weeks=2)


def _do_review(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.review(limit=100)


def _do_decide(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    m.decide(f"unconfirmed:{id}", "confirm")
    return None


def _do_contradictions(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.contradictions()


def _do_settle(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.settle(id, "newer")


def _do_remember(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    own = m.access.visible[-1] if m.access.visible else scope
    letter = next(letter for letter, each in SCOPES.items() if each == own)
    return m.remember(f"User keeps {word(letter, 999)} and {told[4:]} in shed 12", scope=own)


def _do_remember_there(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.remember(f"User keeps the {told} in shed 77", scope=scope, topics=[told])


def _do_revise(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.revise(id, f"User keeps the {told} in shed 13")


def _do_confirm(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.confirm(id)


def _do_pin(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.pin(id)


def _do_retire(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.retire(id)


def _do_forget(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.forget(id)


def _do_forget_query(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.forget(query=f"where is the {told}?", dry_run=True)


def _do_forget_entity(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.forget(entity=told, dry_run=True)


def _do_observe(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    own = m.access.own
    letter = next(letter for letter, each in SCOPES.items() if each == own)
    said = f"I prefer {word(letter, 998)} now."
    return m.observe([Turn(f"talk {word(letter, 1)}", "user", said, time=MARCH)], embed=False)


def _do_consolidate(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.consolidate(model="rules")


def _do_passes(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.passes(), m.ledger(limit=200), m.candidates()


def _do_waiting(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    m.waiting()  # the owner learns whose conversations wait, and not what is in them
    return m.estimate()


def _do_distances(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.distances()


def _do_sweep(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.sweep(dry_run=True)


def _do_sync(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.sync()


def _do_quarantine(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.quarantine()


def _do_release(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.release(id)


def _do_incognito(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.incognito(f"talk of {told[4:]}")


def _do_skills(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.skills()


def _do_skill(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.use_skill(f"paint-{scope.kind}-{scope.name or 'owner'}")


def _do_skill_there(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.skill_history(f"paint-{scope.kind}-{scope.name or 'owner'}", scope=scope)


def _do_vault(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.vault(), m.task("T001")


def _do_report(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.report("Painted the door")


def _do_projects(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.projects()


def _do_people(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.people()


def _do_compact(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    messages = [{"role": "user", "content": f"Line {n} of it. " * 20} for n in range(20)]
    made = m.compact(messages, 400, conversation="a long talk")
    refs = [each.ref for each in made.dropped if each.ref]
    return made, [m.expand(ref) for ref in refs]


def _do_expand(m: Memoranda, told: str, id: str, scope: Scope) -> object:
    return m.expand(id, conversation=f"talk {told}")


ACTS: Mapping[str, Callable[[Memoranda, str, str, Scope], object]] = {
    name: act for name, act in list(globals().items()) if name.startswith("_do_")
}


# Anybody does anything ----------------------------------------------------------------------------


class Anybody(RuleBasedStateMachine):
    """Principals at one home, each with it open all the time."""

    full: Path

    def __init__(self) -> None:
        super().__init__()
        self.logged = _Kept()
        logging.getLogger("memoranda").addHandler(self.logged)

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.home = self.folder / "home"
        shutil.copytree(self.full, self.home)
        ticks = count()
        self.open_homes = {
            name: Memoranda(
                SqliteStore(self.home / "memory.db"),
                Settings(timezone="UTC", file_characters=4000),
                each.access,
                path=self.home,
                door="test",
                clock=lambda: MARCH + 60 * DAY + timedelta(seconds=next(ticks)),
            )
            for name, each in PRINCIPALS.items()
        }
        self.ids = {letter: [each.id for each in self._all(letter)] for letter in SCOPES}

    def _all(self, letter: str) -> tuple[Memory, ...]:
        reader = self.open_homes["owner"]
        return Memoranda.list(reader._of(SCOPES[letter]), limit=10_000)

    @rule(
        who=st.sampled_from(sorted(PRINCIPALS)),
        verb=st.sampled_from(sorted(ACTS)),
        letter=st.sampled_from(sorted(SCOPES)),
        number=st.integers(0, MEMORIES - 1),
    )
    def act(self, who: str, verb: str, letter: str, number: int) -> None:
        principal, m = PRINCIPALS[who], self.open_homes[who]
        told = word(letter, number)
        try:
            came = ACTS[verb](m, told, self.ids[letter][number], SCOPES[letter])
            said = json.dumps(plain(came), ensure_ascii=False, default=str) + repr(came)
        except MemorandaError as error:
            said = f"{error!r} {error}"
        said = said.replace(told, "").replace(told.capitalize(), "")  # what they said themselves
        strange = letters_in(said) - set(principal.sees)
        assert not strange, f"{who} learns of {strange} by {verb[4:]}: {said[:2000]}"
        logged = letters_in(self.logged.taken().replace(told, ""))
        assert not logged, f"{verb[4:]} logs words of {logged}"

    def teardown(self) -> None:
        for m in self.open_homes.values():
            m.close()
        logging.getLogger("memoranda").removeHandler(self.logged)
        _look_at_files(self.home)
        shutil.rmtree(self.folder)


def _look_at_files(home: Path) -> None:
    """Each Markdown file holds words of its scope only."""
    looked_at = 0
    for letter, scope in SCOPES.items():
        where = folder(scope)
        own = [home / where / name for name in ("MEMORY.md", "USER.md")]
        mirrored = home / MIRROR / (where if scope.name else "user")
        below = ["skills"] if scope.name is None else [""]
        files = [
            *(path for path in own if path.exists()),
            *mirrored.glob("*.md"),
            *(path for name in below for path in (home / where / name).rglob("*.md")),
        ]
        for path in files:
            strange = letters_in(path.read_text(encoding="utf-8")) - {letter}
            assert not strange, f"{path.relative_to(home)} tells of {strange}"
            looked_at += 1
    assert looked_at > MEMORIES


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(record.getMessage())

    def taken(self) -> str:
        told, self.told = "\n".join(self.told), []
        return told


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = memoranda.init(tmp_path_factory.mktemp("full") / "home", enable=True)
    fill(home)
    return home


@pytest.mark.slow
def test_no_word_of_a_scope_comes_out_where_it_is_not_visible(full: Path) -> None:
    Anybody.full = full
    run_state_machine_as_test(
        Anybody,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],  # to shrink so many steps takes too long
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_every_verb_is_among_what_anybody_does() -> None:
    done = {
        name
        for act in ACTS.values()
        for name in act.__code__.co_names
        if callable(getattr(Memoranda, name, None))
    }
    left_out = {
        *("enable", "disable", "close", "embed"),  # of the home, and told of nobody's memory
        *("import_", "is_due", "calls", "pass_", "undo", "replay"),  # of the own passes and files
        *("backup", "backups", "verify_backups"),  # of the whole home, and the owner's
        *("accept", "reject"),  # by ids of decisions
        *("export", "import_home"),  # the owner's, of all there is
        *("review_summary", "send_review"),  # what `review` and `health` tell
        *("add_project", "drop_project", "assign", "add_channel", "drop_channel"),  # the owner's
        *(
            *("files_changed", "take_in"),  # `sync`, when there is something to do
            "add_task",
            "set_task",
            "write_skill",
            "remove_skill",
            "skill",
        ),  # used above to fill
    }
    verbs = {name for name, _ in getmembers(Memoranda, callable) if not name.startswith("_")}
    assert verbs - done == left_out
    assert isinstance(MARCH, datetime)
