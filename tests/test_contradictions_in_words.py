"""Which statements cannot both hold, by their words alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.claims.contradiction import contradiction

BEFORE = datetime(2026, 3, 1, 12, tzinfo=UTC)
AT = BEFORE + timedelta(days=60)


def found(newer: str, older: str) -> str | None:
    """What differs, as "slot: older, newer"; None when both may hold."""
    differs = contradiction(newer, older, at=AT, before=BEFORE)
    return None if differs is None else f"{differs.slot}: {differs.claimed}, {differs.recorded}"


CONTRADICTORY = {
    # numbers, versions, hosts, days
    "The VPS has 16 GB of RAM": ("The VPS has 8 GB of RAM", "number: 8, 16"),
    "The API uses Python 3.13": ("The API uses Python 3.12", "number: 3.12, 3.13"),
    "Grafana listens on port 3001": ("Grafana listens on port 3000", "number: 3000, 3001"),
    "Host egret runs Debian 13 since April 2026": ("Host egret runs Debian 12", "number: 12, 13"),
    "The server is at 10.0.0.9": ("The server is at 10.0.0.5", "name: 10.0.0.5, 10.0.0.9"),
    "The wiki runs on web-02": ("The wiki runs on web-01", "value: web-01, web-02"),
    "The NAS is at nas-02.lan": ("The NAS is at nas-01.lan", "name: nas-01.lan, nas-02.lan"),
    "The backup runs at 04:00": ("The backup runs at 03:15", "value: 03:15, 04:00"),
    "Der Mailserver läuft mit Debian 13": ("Der Mailserver läuft mit Debian 12", "number: 12, 13"),
    # negation
    "User does not drink coffee": ("User drinks coffee", "negation: so, not so"),
    "User is no longer vegetarian": ("User is vegetarian", "negation: so, not so"),
    "User deploys on Fridays": ("Never deploy on Fridays", "negation: not so, so"),
    "User uses tabs": ("Never use tabs", "negation: not so, so"),
    "Deploys go out on Fridays": ("No deploys on Fridays", "negation: not so, so"),
    "用户不喜欢喝咖啡": ("用户喜欢喝咖啡", "opposite: likes, hates"),
    "用户住在上海": ("用户住在北京", "name: 北 京, 上 海"),
    "Nutzer wohnt in Hamburg": ("Nutzer wohnt in Berlin", "name: Berlin, Hamburg"),
    "Usuario ya no usa Docker": ("Usuario usa Docker", "negation: so, not so"),
    "User used to live in Berlin": ("User lives in Berlin", "negation: so, not so"),
    "The firewall is disabled": ("The firewall is enabled", "opposite: enabled, disabled"),
    "User is divorced": ("User is married", "opposite: married, divorced"),
    "The linter is Ruff": ("The linter is flake8", "name: flake8, Ruff"),
    "User prefers spaces": ("User prefers tabs", "opposite: tabs, spaces"),
    "User reports to Lisa": ("User reports to Tom", "name: Tom, Lisa"),
    "Nutzer trinkt keinen Kaffee": ("Nutzer trinkt Kaffee", "negation: so, not so"),
    # opposites
    "User hates Chinese food": ("User likes Chinese food", "opposite: likes, hates"),
    "User does not like coffee": ("User likes coffee", "opposite: likes, dislikes"),
    "User can't stand cilantro": ("User loves cilantro", "opposite: loves, hates"),
    "User asks to always deploy on Fridays": ("Never deploy on Fridays", "negation: not so, so"),
    "Calendar says: the user's team deploys to production on Fridays": (
        "Never deploy on Fridays",
        "negation: not so, so",
    ),
    "User's team deploys on Fridays": ("Never deploy on Fridays", "negation: not so, so"),
    "User uses flake8": ("User switched from flake8 to Ruff", "ended: flake8 Ruff, flake8"),
    "User relocated to Bergen": ("User lives in Oslo", "name: Oslo, Bergen"),
    "User dislikes tea": ("User likes tea", "opposite: likes, dislikes"),
    "User forbids analytics": ("User allows analytics", "opposite: allows, forbids"),
    "Alerts are off": ("Alerts are on", "opposite: on, off"),
    "User wants long answers": ("User wants short answers", "opposite: short, long"),
    "User prefers spaces over tabs": (
        "User prefers tabs over spaces",
        "opposite: tabs, spaces",
    ),
    # what ended
    "User switched from flake8 to Ruff": ("User uses flake8", "ended: flake8, flake8 Ruff"),
    "User dropped flake8": ("User uses flake8 for linting", "ended: flake8, flake8"),
    "Dropped flake8": ("User uses flake8", "ended: flake8, flake8"),
    "User replaced flake8 with Ruff": ("User uses flake8", "ended: flake8, flake8 Ruff"),
    "User stopped using flake8": ("User uses flake8", "ended: flake8, flake8"),
    "User gave up coffee": ("User drinks coffee", "ended: coffee, up coffee"),
    "User moved from Oslo to Bergen": ("User lives in Oslo", "ended: Oslo, Oslo Bergen"),
    # one at a time
    "User lives in Bergen": ("User lives in Oslo", "name: Oslo, Bergen"),
    "User moved to Bergen": ("User lives in Oslo", "name: Oslo, Bergen"),
    "User works at Globex": ("User works at Acme", "name: Acme, Globex"),
    "User's name is Bob": ("User's name is Alice", "name: Alice, Bob"),
    "User's favourite editor is Helix": ("User's favourite editor is Vim", "name: Vim, Helix"),
    "User's favourite colour is blue; they dislike green": (
        "User's favourite colour is green",
        "name: green, blue",
    ),
    "Traefik is the reverse proxy": ("Caddy is the reverse proxy", "name: Caddy, Traefik"),
    "User's sister Niamh lives in Cork": (
        "User's sister Niamh lives in Boston",
        "name: Boston, Cork",
    ),
}


@pytest.mark.parametrize("newer", CONTRADICTORY)
def test_both_cannot_hold(newer: str) -> None:
    older, told = CONTRADICTORY[newer]
    assert found(newer, older) == told


BOTH_HOLD = [
    ("User likes coffee", "User likes tea"),
    ("User prefers spaces", "User prefers dark roast"),
    ("Room 102 is the lab", "Room 101 is the lab"),
    ("User bought 12 eggs", "User bought 8 eggs"),
    ("Plum tree number 4", "Plum tree number 3"),
    ("User works on ticket 318", "User works on ticket 317"),
    ("User's cat is called Milo", "User's dog is called Rex"),
    ("User has a dog called Milo", "User has a dog called Rex"),
    ("The production server runs Debian 12", "The staging server runs Debian 11"),
    ("User hates green tea", "User likes tea"),
    ("User hates Ben", "User likes Anna"),
    ("User works from home", "User works at Acme"),
    ("User's wife is a doctor", "User's wife is Anna"),
    ("User's favourite food is pasta", "User's favourite colour is blue"),
    ("User visited Paris in June", "User visited Rome in May"),
    ("The shop runs on web-02", "The wiki runs on web-01"),
    ("User speaks French", "User speaks German"),
    ("User's sister is Lea", "User's sister is Mia"),
    ("User may move to Bergen", "User lives in Oslo"),
    ("User thinks about dropping flake8", "User uses flake8"),
    ("Does User drop flake8?", "User uses flake8"),
    ("User dropped the phone", "User uses flake8"),
    ("User switched to Ruff", "User uses flake8"),  # which only a model can tell
    ("User goes to the gym on Thursdays", "User goes to the gym on Mondays"),
    ("Reports go out on Fridays", "Reports go out on Mondays"),
    ("User has a meeting at 14:00", "User has a meeting at 10:00"),
    ("The train to Ghent leaves at 9:10", "The train to Ghent leaves at 8:10"),
    ("User takes a pill at 20:00", "User takes a pill at 8:00"),
    ("User ran 10 km", "User ran 5 km"),
    ("The library supports Python 3.12", "The library supports Python 3.11"),
    ("User lives in Norway", "User lives in Oslo"),
    ("User's sister is called Maria", "User's sister is called Anna"),
    ("The backup goes to the NAS", "The backup goes to Backblaze"),
    ("The database runs on db-01", "The database runs on Postgres"),
    ("The site runs on Caddy", "The site runs on Hetzner"),
    ("User works at home on Fridays", "User works at Siemens"),
    ("The linter is strict", "The linter is fast"),
    ("User's boss is strict", "User's boss is Tom"),
    ("The standup is at 10:00 on Fridays", "The standup is at 9:00 on Mondays"),
    ("User's friend lives in Bergen", "User's friend lives in Oslo"),
    ("The backup server is offline", "The server is online"),
    ("User lives in Bergen", "User lived in Oslo as a child"),
    ("User dropped Python 2", "User uses Python"),
    ("User dropped VS Code Insiders", "User uses VS Code"),
    ("User dropped flake8 at home", "User uses flake8 at work"),
    ("User stopped the Docker container", "User uses Docker"),
    ("User sold the old bike", "User owns a bike"),
    ("User stopped drinking coffee after 4pm", "User drinks coffee"),
    ("Anna dropped flake8", "User uses flake8"),
    ("User switched from Vim to Helix", "User uses flake8"),
]


@pytest.mark.parametrize(("newer", "older"), BOTH_HOLD)
def test_both_may_hold(newer: str, older: str) -> None:
    assert found(newer, older) is None


@pytest.mark.parametrize("text", [*CONTRADICTORY, *(newer for newer, _ in BOTH_HOLD)])
def test_nothing_contradicts_itself(text: str) -> None:
    assert found(text, text) is None


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_may_be_compared(newer: str, older: str) -> None:
    contradiction(newer, older, at=AT, before=BEFORE)


_WORDS = st.lists(
    st.sampled_from(
        """User user I the a is are was not never no longer uses use used dropped stopped using
        switched moved from to in on at with flake8 Ruff Oslo Bergen tabs spaces 3.11 3.12 10.0.0.5
        and but because ; , over prefers likes hates coffee lives works name 's""".split()
    ),
    max_size=25,
).map(" ".join)


@given(_WORDS, _WORDS)
def test_any_words_may_be_compared_and_nothing_contradicts_itself(newer: str, older: str) -> None:
    contradiction(newer, older, at=AT, before=BEFORE)
    assert found(older, older) is None
