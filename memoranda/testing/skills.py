"""What every Store promises of the uses of skills, as tests."""

from __future__ import annotations

from memoranda.protocols import Store
from memoranda.skills import Used
from memoranda.testing import ANNA, DAY, MARCH, OWNER, SITE
from memoranda.types import Choice


class SkillPromises:
    """For a `store` that is empty."""

    def test_uses_are_counted_by_scope_and_name(self, store: Store) -> None:
        assert store.skills.count("deploy", OWNER, at=MARCH) == Used(1, MARCH)
        assert store.skills.count("deploy", OWNER, at=MARCH + DAY) == Used(2, MARCH + DAY)
        assert store.skills.count("deploy", OWNER, at=MARCH) == Used(3, MARCH + DAY)
        store.skills.count("deploy", SITE, at=MARCH)
        store.skills.count("review", OWNER, at=MARCH)
        assert store.skills.counted((OWNER,)) == {
            (OWNER, "deploy"): Used(3, MARCH + DAY),
            (OWNER, "review"): Used(1, MARCH),
        }
        assert store.skills.counted((ANNA,)) == {}
        assert store.skills.counted(()) == {}
        assert SITE in store.scopes()

    def test_uses_go_with_the_skill(self, store: Store) -> None:
        for scope in (OWNER, SITE):
            store.skills.count("deploy", scope, at=MARCH)
        store.skills.drop("deploy", OWNER)
        store.skills.drop("deploy", ANNA)
        assert list(store.skills.counted((OWNER, SITE))) == [(SITE, "deploy")]

    def test_uses_go_with_their_scope(self, store: Store) -> None:
        for scope in (OWNER, SITE, ANNA):
            store.skills.count("deploy", scope, at=MARCH)
        store.forget(Choice(scope=SITE, since=MARCH), (OWNER, SITE), at=MARCH, by="test")
        assert len(store.skills.counted((OWNER, SITE, ANNA))) == 3
        whole = Choice(scope=SITE, everything=True)
        store.forget(whole, (OWNER, SITE), at=MARCH, by="test")
        assert {scope for scope, _ in store.skills.counted((OWNER, SITE, ANNA))} == {OWNER, ANNA}
        store.forget(Choice(everything=True), (OWNER,), at=MARCH, by="test")
        assert store.skills.counted((OWNER, SITE, ANNA)) == {}
