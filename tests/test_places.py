"""Every scope has a folder of its own, on every file system."""

from __future__ import annotations

import unicodedata
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.files.places import LONGEST, RESERVED, folder
from memoranda.types import SCOPE_NAME, Scope

ODD = st.sampled_from("Aa .@+-_ßſsSıIİiKkΩΩÅÅéÉ가각각cCoOnNuUlL1¹２ⅷﬁ豈豈ςσµμ项目ﾊﾞバ𐐀𐐨ǅǆ")
NAMES = st.one_of(
    st.from_regex(SCOPE_NAME, fullmatch=True),
    st.text(ODD, min_size=1, max_size=12).filter(SCOPE_NAME.fullmatch),
    st.sampled_from(["con", "CON", "con.txt", "con .x", "nul", "lpt1", "..", ".", "...", ".git"]),
    st.tuples(st.text(ODD, max_size=5), st.integers(90, 300))
    .map(lambda each: each[0] + "ü" * each[1])
    .filter(SCOPE_NAME.fullmatch),
)
SCOPES = st.one_of(
    st.just(Scope("user")),
    st.builds(Scope, st.sampled_from(["user", "profile", "project"]), NAMES),
)


def seen_by(path: PurePosixPath) -> set[str]:
    """What a path is to file systems that ignore case and how accents are written, all of them."""
    text = str(path)
    return {
        unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold()),
        unicodedata.normalize("NFKC", text.upper()),
        unicodedata.normalize("NFKC", text.lower()),
    }


@given(SCOPES, SCOPES)
def test_distinct_scopes_never_share_a_folder(one: Scope, other: Scope) -> None:
    assert (one == other) == (folder(one) == folder(other))
    assert (one == other) == bool(seen_by(folder(one)) & seen_by(folder(other)))


@given(NAMES, st.sampled_from(["user", "profile", "project"]))
def test_the_case_and_the_form_of_a_name_make_two_scopes(name: str, kind: str) -> None:
    forms = {
        name,
        name.upper(),
        name.lower(),
        name.title(),
        name.swapcase(),
        f"{name}.",
        f"{name} ",
    }
    forms |= {unicodedata.normalize(form, each) for form in ("NFC", "NFKD") for each in set(forms)}
    scopes = [Scope(kind, each) for each in forms if SCOPE_NAME.fullmatch(each)]  # type: ignore[arg-type]
    seen: set[str] = set()
    for scope in scopes:
        assert not seen & seen_by(folder(scope))
        seen |= seen_by(folder(scope))


@given(SCOPES)
def test_no_folder_leaves_the_home_or_is_what_a_system_reserves(scope: Scope) -> None:
    path = folder(scope)
    assert not path.is_absolute()
    assert len(path.parts) == (0 if scope.name is None else 2)
    for part in path.parts:
        assert part not in (".", "..")
        assert not part.startswith(".")
        assert not part.endswith((".", " "))
        assert not set(part) & set('<>:"/\\|?*\0')
        assert not RESERVED.fullmatch(part.casefold())
        assert len(part.encode()) <= LONGEST


@given(NAMES)
def test_such_a_folder_can_be_made(name: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        place = Path(home) / folder(Scope("user", name))
        place.mkdir(parents=True)
        assert [each.name for each in place.parent.iterdir()] == [place.name]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("user", "."),
        ("user:anna", "people/anna"),
        ("user:liam@example.org", "people/liam@example.org"),
        ("profile:work agent", "profiles/work agent"),
        ("project:site-2.0", "projects/site-2.0"),
        ("project:项目", "projects/项目"),
        ("user:jörg", "people/jörg"),
        ("user:Anna", "people/%41nna"),
        ("user:Ärger", "people/%C3%84rger"),
        ("project:..", "projects/%2E%2E"),
        ("project:.git", "projects/%2Egit"),
        ("project:v1.", "projects/v1%2E"),
        ("project:a ", "projects/a%20"),
        ("profile:con", "profiles/%63on"),
        ("profile:nul.txt", "profiles/%6Eul.txt"),
    ],
)
def test_names_stay_readable(scope: str, expected: str) -> None:
    assert str(folder(Scope.parse(scope))) == expected


def test_a_long_name_is_cut_and_stays_its_own() -> None:
    one, other = (folder(Scope("project", "a" * 300 + end)).name for end in "xy")
    assert one != other
    assert one.startswith("aaaaaaaa")
    assert len(one) == len(other) == LONGEST


def test_no_two_characters_of_a_name_that_are_kept_join_to_a_third() -> None:
    for code in range(0x110000):
        parts = unicodedata.normalize("NFD", chr(code))
        if len(parts) > 1 and all(SCOPE_NAME.fullmatch(each) for each in parts):
            assert "%" in folder(Scope("user", parts)).name
