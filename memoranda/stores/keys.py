"""The key of an encrypted store, wrapped by each secret that opens it.

`memory.keys` stands beside the store, travels with every copy of it, and tells nobody anything
without one of the secrets: a passphrase, the recovery key, or a secret that the environment, a file
or the keyring of the system holds. A passphrase is made a key by Argon2id with the second set of
parameters that RFC 9106 recommends; the other secrets have 240 random bits or more and need only
HKDF (RFC 5869). What wraps is ChaCha20-Poly1305 (RFC 8439), so that a wrong secret is told as one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from memoranda.errors import HomeError, InvalidInput, Locked

FILE = "memory.keys"
NEXT = f"{FILE}.next"
"""The keys of what is about to take the place of a store."""

FORMAT = 1
BYTES = 32
"""Of a key."""

BEGINS = 16
"""Bytes at the beginning of a store, random in an encrypted one, by which keys know theirs."""

SHORTEST_PASSPHRASE = 8
SHORTEST_SECRET = 32
"""Characters of a secret that a file or the environment holds."""

PASSPHRASE, KEY = "MEMORANDA_PASSPHRASE", "MEMORANDA_KEY"
"""The variables of the environment in which secrets are looked for."""

RING = "memoranda"
"""The service under which a keyring holds our secrets."""


class Holder(StrEnum):
    """Who has a secret that opens a store."""

    PASSPHRASE = "passphrase"
    RECOVERY = "recovery"
    ENVIRONMENT = "environment"
    FILE = "file"
    KEYRING = "keyring"


@dataclass(frozen=True, slots=True)
class Wrap:
    """A key wrapped by a secret; `place` is the file that has it, or its name in a keyring."""

    by: Holder
    salt: bytes
    nonce: bytes
    wrapped: bytes
    place: str = ""

    @classmethod
    def made(cls, by: Holder, key: bytes, secret: str, place: str = "") -> Self:
        salt, nonce = os.urandom(16), os.urandom(12)
        return cls(by, salt, nonce, _box(by, secret, salt).encrypt(nonce, key, by.encode()), place)

    def opened(self, secret: str) -> bytes | None:
        """The key; None when the secret is another one."""
        from cryptography.exceptions import InvalidTag

        try:
            box = _box(self.by, secret, self.salt)
            key: bytes = box.decrypt(self.nonce, self.wrapped, self.by.encode())
        except InvalidTag:
            return None
        return key


@dataclass(frozen=True, slots=True)
class Keys:
    """By which cipher a store is encrypted, and who can open it.

    The store is the one that `begins` with these bytes. One that is plain has no cipher.
    """

    cipher: str
    begins: bytes
    wraps: tuple[Wrap, ...] = ()

    def written(self) -> bytes:
        told = {
            "format": FORMAT,
            "cipher": self.cipher,
            "begins": self.begins.hex(),
            "opened by": [
                {
                    "by": each.by.value,
                    "salt": each.salt.hex(),
                    "nonce": each.nonce.hex(),
                    "wrapped": each.wrapped.hex(),
                    "place": each.place,
                }
                for each in self.wraps
            ],
        }
        return (json.dumps(told, indent=1) + "\n").encode()


@dataclass(frozen=True, slots=True)
class Held:
    """A secret that shall open a store, and who has it."""

    by: Holder
    secret: str
    place: str = ""


_known: dict[bytes, bytes] = {}
"""Keys that were opened in this process, by the digest of their file: derived once."""


def read(path: Path) -> Keys | None:
    """The keys in a file, None when there is none. Raises HomeError for a damaged one."""
    content = _content(path)
    return None if content is None else _parsed(content, path)


def key_for(path: Path, keys_in: Path | None = None) -> tuple[Keys, bytes] | None:
    """The keys of a store, in a file beside it or another, opened; None for a plain one.

    Raises Locked when no secret that can be had here opens them, HomeError for damaged ones.
    """
    file = keys_in or path.with_name(FILE)
    content = _content(file)
    if content is None:
        return None
    keys = _parsed(content, file)
    digest = _digest(content)
    if digest not in _known:
        _known[digest] = _opened(keys, path, dict(_at_hand(keys)))
    return keys, _known[digest]


def unlock(path: Path, passphrase: str) -> None:
    """Open the keys of a store for as long as this process lives. Raises Locked, HomeError."""
    file = path.with_name(FILE)
    content = _content(file)
    if content is not None:
        keys = _parsed(content, file)
        given = {Holder.PASSPHRASE: passphrase, Holder.RECOVERY: passphrase}
        _known[_digest(content)] = _opened(keys, path, given)


def new(cipher: str, held: Iterable[Held]) -> tuple[Keys, bytes]:
    """A new key, wrapped by these secrets, for a store that is yet to be made."""
    refuse_without_library()
    key = os.urandom(BYTES)
    wraps = tuple(Wrap.made(each.by, key, each.secret, each.place) for each in held)
    return Keys(cipher, b"", wraps), key


def write(path: Path, keys: Keys, key: bytes | None = None) -> None:
    """Put keys in a file, whole or not at all; with their `key` they are known from now on."""
    content = keys.written()
    _put(path, content)
    if key is not None:
        _known[_digest(content)] = key


def recovery() -> str:
    """A new recovery key, in groups that can be read out."""
    from base64 import b32encode

    text = b32encode(os.urandom(30)).decode()
    return "-".join(text[place : place + 6] for place in range(0, len(text), 6))


def new_secret() -> str:
    """A secret for who need not remember it."""
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(os.urandom(BYTES)).decode().rstrip("=")


def refuse_without_library() -> None:
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise InvalidInput(
            "encryption needs a library: install it with `pip install 'memoranda[encryption]'`"
        ) from None


# Within -------------------------------------------------------------------------------------------


def _opened(keys: Keys, path: Path, given: Mapping[Holder, str]) -> bytes:
    refuse_without_library()
    wrong = []
    for each in keys.wraps:
        if (secret := given.get(each.by)) is not None:
            key = each.opened(_as_typed(each.by, secret))
            if key is not None:
                return key
            wrong.append(each.by)
    if wrong:
        raise Locked(f"{path}: the {_named(wrong)} is wrong")
    ways = [_WAYS[each.by].format(place=each.place) for each in keys.wraps]
    raise Locked(f"{path} is encrypted; it is opened by {', or '.join(ways)}")


_WAYS = {
    Holder.PASSPHRASE: f"its passphrase, asked for on a terminal or taken from {PASSPHRASE}",
    Holder.RECOVERY: f"its recovery key in {KEY}",
    Holder.ENVIRONMENT: f"the secret in {KEY}",
    Holder.FILE: "the secret in {place}",
    Holder.KEYRING: "the secret {place} of the system's keyring",
}


_WORDS = {
    Holder.PASSPHRASE: "passphrase",
    Holder.RECOVERY: "recovery key",
    Holder.ENVIRONMENT: f"secret in {KEY}",
    Holder.FILE: "secret in its file",
    Holder.KEYRING: "secret in the keyring",
}


def _named(wrong: list[Holder]) -> str:
    return " or ".join(dict.fromkeys(_WORDS[each] for each in wrong))


def _as_typed(by: Holder, secret: str) -> str:
    """A secret without what differs when it is typed: a recovery key has no 0, 1 and 8."""
    if by != Holder.RECOVERY:
        return secret
    letters = secret.upper().translate(str.maketrans("018", "OIB"))
    return "".join(each for each in letters if each.isalnum())


def _at_hand(keys: Keys) -> Iterator[tuple[Holder, str]]:
    """The secrets that this machine has for some keys."""
    if PASSPHRASE in os.environ:
        yield Holder.PASSPHRASE, os.environ[PASSPHRASE]
    if KEY in os.environ:
        yield Holder.RECOVERY, os.environ[KEY]
        yield Holder.ENVIRONMENT, os.environ[KEY]
    for each in keys.wraps:
        if each.by == Holder.FILE and (secret := in_file(Path(each.place))) is not None:
            yield Holder.FILE, secret
        if each.by == Holder.KEYRING and (secret := in_keyring(each.place)) is not None:
            yield Holder.KEYRING, secret


def in_file(path: Path) -> str | None:
    """The secret in a file, if there is one. Raises HomeError."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise HomeError(f"the secret in {path} cannot be read: {error}") from error


def in_keyring(name: str) -> str | None:
    """The secret of a name in the keyring of the system. Raises HomeError."""
    keyring = _keyring()
    try:
        found: str | None = keyring.get_password(RING, name)
    except keyring.errors.KeyringError as error:
        raise HomeError(f"the system's keyring cannot be read: {error}") from error
    return found


def into_keyring(name: str, secret: str) -> None:
    """Have the keyring of the system hold a secret. Raises HomeError."""
    keyring = _keyring()
    try:
        keyring.set_password(RING, name, secret)
    except keyring.errors.KeyringError as error:
        raise HomeError(f"the system's keyring does not take a secret: {error}") from error


def out_of_keyring(name: str) -> None:
    """Have the keyring of the system hold a secret no more, if it does. Raises HomeError."""
    keyring = _keyring()
    try:
        keyring.delete_password(RING, name)
    except keyring.errors.PasswordDeleteError:
        return
    except keyring.errors.KeyringError as error:
        raise HomeError(f"the system's keyring cannot be written: {error}") from error


def _keyring() -> Any:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise InvalidInput(
            "the system's keyring needs a library: `pip install 'memoranda[encryption]'`"
        ) from None
    return keyring


def _digest(content: bytes) -> bytes:
    import hashlib  # as all that only an encrypted home needs

    return hashlib.sha256(content).digest()


def _box(by: Holder, secret: str, salt: bytes) -> Any:
    """What wraps keys by a secret."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    if by == Holder.PASSPHRASE:
        derived = Argon2id(
            salt=salt, length=BYTES, iterations=3, lanes=4, memory_cost=64 * 1024
        ).derive(secret.encode())
    else:
        derived = HKDF(hashes.SHA256(), BYTES, salt, b"memoranda").derive(secret.encode())
    return ChaCha20Poly1305(derived)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HomeError(f"{path} cannot be read: {error.strerror}") from error


def _put(path: Path, content: bytes) -> None:
    """Have a file hold this, whole or not at all."""
    made = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with made.open("wb") as file:
            made.chmod(0o600)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)


def _parsed(content: bytes, path: Path) -> Keys:
    try:
        told = json.loads(content)
        if told["format"] != FORMAT:
            raise HomeError(f"{path} is of a newer Memoranda; install that")
        wraps = tuple(
            Wrap(
                Holder(each["by"]),
                bytes.fromhex(each["salt"]),
                bytes.fromhex(each["nonce"]),
                bytes.fromhex(each["wrapped"]),
                str(each["place"]),
            )
            for each in told["opened by"]
        )
        return Keys(str(told["cipher"]), bytes.fromhex(told["begins"]), wraps)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise HomeError(
            f"{path} is damaged, and without it the store cannot be opened: bring it back from a "
            "backup, of which each has one"
        ) from error


def of_store(keys: Keys, begins: bytes) -> Keys:
    """The same keys, for a store that begins so."""
    return replace(keys, begins=begins)


def bring_along(path: Path, to: Path) -> None:
    """Have a copy of a store be opened as the store is. The names are those of both stores."""
    content = _content(path.with_name(FILE))
    if content is not None:
        _put(to.with_name(FILE), content)
