"""Encrypting a home, and what opens it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from memoranda import given, settings, wiring
from memoranda.errors import HomeError, InvalidInput
from memoranda.memoranda import Memoranda
from memoranda.policy.access import Access
from memoranda.saved import Saved
from memoranda.stores import cipher, keys, rekeying
from memoranda.stores.keys import Held, Holder, Keys
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Scope
from memoranda.wiring import STORE_FILE

Tell = Callable[[str, str | None], None]
"""Who is told a recovery key, and the secret that the environment must hold, if one was made."""

HOLDERS = ("passphrase", "keyring", "environment", "file:PATH")


@dataclass(frozen=True, slots=True)
class Sealed:
    """How a home was encrypted. The `recovery_key` is told here and nowhere else, ever.

    `secret` is what `held_by` says must hold from now on, when that is the environment and it held
    none. `removed` are files that were plain, `left` those that are. Backups were `renewed`, which
    took the place of all before; in the folders that are `pending` they are as they were.
    """

    cipher: str
    held_by: str
    recovery_key: str
    secret: str | None = None
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    renewed: tuple[Saved, ...] = ()
    pending: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unsealed:
    """A home that is plain again; `removed` are copies that nothing would open any more.

    Its backups are as `Sealed` tells.
    """

    removed: tuple[str, ...] = ()
    renewed: tuple[Saved, ...] = ()
    pending: tuple[str, ...] = ()


def encrypt(
    home: str | Path | None = None,
    *,
    passphrase: str | None = None,
    held_by: str = "passphrase",
    keep_files: bool = False,
    tell: Tell = lambda recovery, secret: None,
) -> Sealed:
    """Encrypt a home that is plain; returns how, with the recovery key.

    It is opened by a `passphrase`, else by a secret that the keyring of the system, the environment
    or a file holds (`held_by`: keyring, environment, file:PATH). Since Markdown is plain, the files
    MEMORY.md and USER.md and the mirror are removed, and not written any more, unless told to keep
    them. The store is whole at every moment, plain or encrypted. Who shows the recovery key, and
    the secret if one was made, can `tell` them just before the change, so that nothing is lost were
    this to end in the middle. Raises InvalidInput, HomeError while somebody has the home open,
    StoreError.
    """
    given.function("tell", tell)
    path, timeout = _store(home)
    if cipher.is_encrypted(path):
        raise InvalidInput(f"{path.parent} is encrypted already; `memoranda rekey` changes its key")
    held, recovery, secret = _held(path.parent, passphrase, held_by)
    with _writing_no_files(path, keep=given.flag("keep_files", keep_files)) as (removed, left):
        rekeying.refuse_in_use(path, timeout)
        tell(recovery, secret)
        removed = (*removed, *_change(path, held, timeout))
    return Sealed(
        _cipher(path), held_by, recovery, secret, removed, left, *_with_backups(path, "encrypt")
    )


@contextmanager
def _writing_no_files(
    path: Path, *, keep: bool
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Remove the Markdown files of a plain home and write none, unless it is plain afterwards too.

    Told are those removed and those left.
    """
    if keep:
        yield (), ()
        return
    wrote = settings.load(path.parent, {}).files
    settings.change(path.parent, files=False)  # first, or what is written meanwhile would stay
    try:
        yield _withdrawn(path)
    except BaseException:
        if not cipher.keys_of(path).exists():
            settings.change(path.parent, files=wrote)
        raise


def _withdrawn(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove the Markdown files of a plain home, whose edits are taken in; tells those left."""
    options = settings.load(path.parent, os.environ)
    store = SqliteStore(path, lock_timeout=options.lock_timeout)
    with Memoranda(store, options, Access(), path=path.parent, door="encrypt") as memoranda:
        gone, left = memoranda._withdraw_files()
    return tuple(map(str, gone)), tuple(map(str, left))


def rekey(
    home: str | Path | None = None,
    *,
    passphrase: str | None = None,
    held_by: str = "passphrase",
    tell: Tell = lambda recovery, secret: None,
) -> Sealed:
    """Encrypt a home anew, by another key which other secrets open; the old ones open it no more.

    It tells and raises as `encrypt` does, and Locked.
    """
    given.function("tell", tell)
    path, timeout = _store(home)
    if not cipher.is_encrypted(path):
        raise InvalidInput(f"{path.parent} is not encrypted; `memoranda encrypt` does that")
    was = keys.key_for(path)
    held, recovery, secret = _held(path.parent, passphrase, held_by)
    rekeying.refuse_in_use(path, timeout)
    tell(recovery, secret)
    removed = _change(path, held, timeout)
    renewed, pending = _with_backups(path, "rekey")
    _let_go(was, pending)
    return Sealed(_cipher(path), held_by, recovery, secret, removed, (), renewed, pending)


def decrypt(home: str | Path | None = None) -> Unsealed:
    """Make an encrypted home plain. Raises InvalidInput for a plain one, Locked, HomeError."""
    path, timeout = _store(home)
    if not cipher.is_encrypted(path):
        raise InvalidInput(f"{path.parent} is not encrypted")
    was = keys.key_for(path)
    removed = tuple(rekeying.change(path, None, None, timeout=timeout))
    renewed, pending = _with_backups(path, "decrypt")
    _let_go(was, pending)
    return Unsealed(removed, renewed, pending)


def unlock(passphrase: str, home: str | Path | None = None) -> None:
    """Open an encrypted home for this process, by its passphrase or its recovery key.

    Where the environment, a file or the keyring has a secret for it, nobody needs to. A plain home
    needs nothing. Raises Locked when that is the wrong one, HomeError.
    """
    keys.unlock(_store(home)[0], given.text("passphrase", passphrase))


def refuse_locked(home: str | Path | None = None) -> None:
    """Raises Locked unless a home can be opened here: it is plain, or something opens it."""
    keys.key_for(_store(home)[0])


def _with_backups(path: Path, door: str) -> tuple[tuple[Saved, ...], tuple[str, ...]]:
    """Have the backups be as the store is now, instead of those under other keys or none."""
    options = settings.load(path.parent, os.environ)
    store = SqliteStore(path, lock_timeout=options.lock_timeout)
    owner = Access(person=Scope("user"))
    with Memoranda(store, options, owner, path=path.parent, door=door) as memoranda:
        try:
            return memoranda._renew_backups()
        except KeyboardInterrupt:  # the home is changed already, which must be told
            return (), tuple(each.place for each in store.copies.noted())


def _let_go(was: tuple[Keys, bytes] | None, pending: tuple[str, ...]) -> None:
    """Have the system's keyring hold nothing of keys that open nothing any more."""
    if was is None or pending:  # which is under them yet
        return
    for each in was[0].wraps:
        if each.by == Holder.KEYRING:
            keys.out_of_keyring(each.place)


def _store(home: str | Path | None) -> tuple[Path, float]:
    """The store of a home, and for how many seconds to wait for who has it open."""
    folder, options = wiring.found(home)
    path = folder / STORE_FILE
    if not path.is_file():
        raise HomeError(f"there is no store at {path}; make a home with `memoranda init`")
    rekeying.finish(path, options.lock_timeout)
    return path, options.lock_timeout


def _cipher(path: Path) -> str:
    told = keys.read(path.with_name(keys.FILE))
    assert told is not None
    return told.cipher


def _change(path: Path, held: list[Held], timeout: float) -> tuple[str, ...]:
    """Put the store under a new key which these secrets open."""
    told, key = keys.new(cipher.best(), held)
    return tuple(rekeying.change(path, told, key, timeout=timeout))


def _held(folder: Path, passphrase: str | None, held_by: str) -> tuple[list[Held], str, str | None]:
    """The secrets that shall open a home, the recovery key, and what must yet be kept."""
    keys.refuse_without_library()
    recovery = keys.recovery()
    told: str | None = None
    match given.text("held_by", held_by).partition(":"):
        case "passphrase", "", "":
            held = Held(Holder.PASSPHRASE, _passphrase(passphrase))
        case "keyring", "", "":
            name = f"{folder.resolve()} {token_hex(4)}"  # that of the key there is stays as it was
            held = Held(Holder.KEYRING, keys.new_secret(), name)
            keys.into_keyring(held.place, held.secret)
        case "environment", "", "":
            secret = os.environ.get(keys.KEY)
            told = None if secret else keys.new_secret()
            held = Held(Holder.ENVIRONMENT, _long(secret or told or "", keys.KEY))
        case "file", ":", name if name:
            held = _held_by_file(folder, Path(name).expanduser().resolve())
        case _:
            raise InvalidInput(f"held_by: {held_by[:40]!r} is none of {', '.join(HOLDERS)}")
    recovering = Held(Holder.RECOVERY, recovery.replace("-", ""))
    return [held, recovering], recovery, told


def _passphrase(passphrase: str | None) -> str:
    passphrase = passphrase or os.environ.get(keys.PASSPHRASE)
    if passphrase is None:
        raise InvalidInput(f"a passphrase is needed: give one, or set {keys.PASSPHRASE}")
    if len(given.text("passphrase", passphrase)) < keys.SHORTEST_PASSPHRASE:
        raise InvalidInput(f"the passphrase has less than {keys.SHORTEST_PASSPHRASE} characters")
    return passphrase


def _held_by_file(folder: Path, path: Path) -> Held:
    """The secret in a file, which is made if it is not there."""
    if path.is_relative_to(folder.resolve()):
        raise InvalidInput(f"held_by: {path} is within the home, and who takes that has both")
    secret = keys.in_file(path)
    if secret is None:
        secret = keys.new_secret()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(f"{secret}\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InvalidInput(f"held_by: {path} cannot be written: {error.strerror}") from error
    return Held(Holder.FILE, _long(secret, str(path)), str(path))


def _long(secret: str, place: str) -> str:
    if len(secret) < keys.SHORTEST_SECRET:
        raise InvalidInput(
            f"held_by: the secret in {place} has less than {keys.SHORTEST_SECRET} characters; who "
            "would type one takes a passphrase"
        )
    return secret
