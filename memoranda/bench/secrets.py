"""Are secrets found in any text, and is everything else left alone?

The texts are ours, thirty shapes of secrets and thirty of what looks like one, ten of each; half of
the shapes is what the patterns were made with, the other half was written before there were any.
What is planted is drawn from a seed, so that nothing that looks like a key stands in a file.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields

from memoranda.text import secrets as text_secrets

SETS = ("tuning", "held_out")
EACH = 10
"""Texts of each shape."""

LEAK = 6
"""So many characters of a secret in a row are a leak; of a shorter one, all of it."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A text of a shape, and the secrets in it; an innocent text has none."""

    set: str
    shape: str
    text: str
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Of the texts of a set: those whose secrets were cut out whole, and innocents cut."""

    set: str
    secrets: int
    caught: int
    innocents: int
    touched: int


COLUMNS = tuple(each.name for each in fields(Row))


def run(
    seed: int = 1, told: Callable[[Planted, str], None] = lambda planted, redacted: None
) -> list[Row]:
    """A row for each set; `told` hears of each text that should have come out otherwise."""
    return [_row(set, seed, told) for set in SETS]


def _row(set: str, seed: int, told: Callable[[Planted, str], None]) -> Row:
    secrets = caught = innocents = touched = 0
    for each in planted(set, seed):
        redacted, _ = text_secrets.redacted(each.text)
        if each.secrets:
            whole = not any(leaks(secret, redacted) for secret in each.secrets)
            secrets, caught = secrets + 1, caught + whole
            right = whole
        else:
            right = redacted == each.text
            innocents, touched = innocents + 1, touched + (not right)
        if not right:
            told(each, redacted)
    return Row(set, secrets, caught, innocents, touched)


def leaks(secret: str, text: str) -> bool:
    """Whether a telling part of `secret` is still in `text`."""
    size = min(LEAK, len(secret))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))


def planted(set: str, seed: int) -> Iterator[Planted]:
    """The texts of a set, the same for the same seed."""
    draw = random.Random(f"{set} {seed}")
    for shape, templates in _shapes(set):
        for n in range(EACH):
            text, filled = _fill(templates[n % len(templates)], draw)
            secret = shape.startswith("secret")
            yield Planted(set, shape, text, tuple(filled.values()) if secret else ())


def _shapes(set: str) -> Iterator[tuple[str, list[str]]]:
    from importlib.resources import files  # which the other commands need not load

    text = files("memoranda.bench").joinpath("planted", f"{set}.txt").read_text("utf-8")
    for section in re.split(r"^# (?=secret:|innocent:)", text, flags=re.MULTILINE)[1:]:
        shape, *templates = section.strip().splitlines()
        yield shape, templates


_PLACE = re.compile("‹([a-z0-9_]+)›")


def _fill(template: str, draw: random.Random) -> tuple[str, dict[str, str]]:
    """A place that stands twice is filled with the same twice."""
    filled: dict[str, str] = {}

    def fill(place: re.Match[str]) -> str:
        name = place[1]
        if name not in filled:
            filled[name] = _drawn(name, draw)
        return filled[name]

    lines = re.sub(r"(?<!\\)\\n", "\n", template).replace("\\\\", "\\")
    return _PLACE.sub(fill, lines), filled


_ALNUM = string.ascii_letters + string.digits
_URLSAFE = _ALNUM + "_-"
_BASE64 = _ALNUM + "+/"
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + string.digits
_BASE32 = string.ascii_uppercase + "234567"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_DIGITS = string.digits
_SYMBOLS = "!#$%*+-_=?^~"

_RUNS: Mapping[str, tuple[str, str, int]] = {
    "openai": ("sk-proj-", _URLSAFE, 64),
    "anthropic": ("sk-ant-api03-", _URLSAFE, 95),
    "github": ("ghp_", _ALNUM, 36),
    "github_fine": ("github_pat_", _ALNUM + "_", 82),
    "gitlab": ("glpat-", _URLSAFE, 20),
    "aws_id": ("AKIA", _BASE32, 16),
    "aws_secret": ("", _BASE64, 40),
    "stripe": ("sk_live_", _ALNUM, 24),
    "npm": ("npm_", _ALNUM, 36),
    "pypi": ("pypi-AgEIcHlwaS5vcmc", _URLSAFE, 120),
    "huggingface": ("hf_", string.ascii_letters, 34),
    "google": ("AIza", _URLSAFE, 35),
    "digitalocean": ("dop_v1_", _HEX, 64),
    "age": ("AGE-SECRET-KEY-1", _BECH32.upper(), 58),
    "bech58": ("", _BECH32, 58),
    "base32": ("", _BASE32, 32),
    "otp": ("", _DIGITS, 6),
    "pin": ("", _DIGITS, 4),
    "alnum11": ("", _ALNUM, 11),
    "alnum24": ("", _ALNUM, 24),
    "upper8": ("", _UPPER, 8),
    "sha1": ("", _HEX, 40),
    "sha1_short": ("", _HEX, 8),
    "base64": ("iVBORw0KGgo", _BASE64, 240),
    "base64_43": ("", _BASE64, 43),
    "base64_44": ("", _BASE64, 44),
    "base64_64": ("MCowBQYDK2VwAyEA", _BASE64, 48),
    "base64_86": ("", _BASE64, 86),
    "base64_88": ("", _BASE64, 88),
    "ssh_public": ("AAAAC3NzaC1lZDI1NTE5AAAAI", _BASE64, 43),
    "digits4": ("", _DIGITS, 4),
    "digits8": ("", _DIGITS, 8),
    "digits9": ("", _DIGITS, 9),
    "digits10": ("", _DIGITS, 10),
    "digits12": ("", _DIGITS, 12),
    **{f"hex{length}": ("", _HEX, length) for length in (4, 8, 12, 16, 32, 64)},
}

_WORDS = """
anchor apple autumn bamboo basket beach bridge butter candle canyon carbon castle cedar cherry
cloud copper coral cotton desert dolphin dragon eagle ember falcon feather forest garden ginger
glacier hammer harbor honey island jungle kettle ladder lantern lemon lizard magnet maple
marble meadow mirror monkey nectar needle ocean olive orange otter panther pebble pepper pigeon
planet pocket quartz rabbit ribbon river rocket saddle salmon shadow silver spider summer
sunset tiger timber tulip tunnel turtle velvet violin walnut whale willow winter wizard yellow
zebra
""".split()


def _drawn(name: str, draw: random.Random) -> str:
    if name in _RUNS:
        prefix, alphabet, length = _RUNS[name]
        return prefix + _run(alphabet, length, draw)
    return _MADE[name](draw)


def _run(alphabet: str, length: int, draw: random.Random) -> str:
    """So many letters; with a digit and, where there are any, small and capital ones."""
    while True:
        run = "".join(draw.choices(alphabet, k=length))
        if length < 10 or alphabet.isalpha() or any(each.isdigit() for each in run):
            return run


def _strong(draw: random.Random) -> str:
    run = _run(_ALNUM + _SYMBOLS, draw.randint(10, 20), draw)
    return draw.choice(_ALNUM) + run + draw.choice(_ALNUM)


def _password(draw: random.Random) -> str:
    """As people choose them."""
    word, other = draw.sample(_WORDS, 2)
    return draw.choice(
        [
            f"{word}{draw.randint(2, 999)}",
            f"{word.title()}{draw.choice('!#$*?')}{draw.randint(10, 99)}",
            f"{word}-{other}-{draw.randint(2, 99)}",
            word.replace("e", "3").replace("a", "4").replace("o", "0").title() + "!7",
            _strong(draw),
        ]
    )


def _plain(draw: random.Random) -> str:
    word, other = draw.sample(_WORDS, 2)
    return draw.choice(
        [word + other, word.title() + other.title(), f"{word}_{other}", f"{word}1987"]
    )


def _jwt(draw: random.Random) -> str:
    return f"eyJ{_run(_URLSAFE, 33, draw)}.eyJ{_run(_URLSAFE, 90, draw)}.{_run(_URLSAFE, 43, draw)}"


def _pem(draw: random.Random, name: str = "RSA PRIVATE KEY", between: str = "\n") -> str:
    lines = [_run(_BASE64, 64, draw) for _ in range(8)]
    return between.join([f"-----BEGIN {name}-----", *lines, f"-----END {name}-----"])


def _card(draw: random.Random, between: str = "") -> str:
    """Sixteen digits whose last makes the sum right (Luhn)."""
    digits = draw.choice(["4", "51", "55"])
    digits += _run(_DIGITS, 15 - len(digits), draw)
    doubled = sum(sum(divmod(2 * int(each), 10)) for each in digits[::2])
    digits += str(-(doubled + sum(map(int, digits[1::2]))) % 10)
    return between.join(digits[at : at + 4] for at in range(0, 16, 4))


def _grouped(alphabet: str, size: int, groups: int, between: str, draw: random.Random) -> str:
    return between.join(_run(alphabet, size, draw) for _ in range(groups))


def _codes(between: str, draw: random.Random) -> str:
    return between.join(
        f"{_run(_HEX, 4, draw)}{draw.randint(0, 9)}-{_run(_HEX, 4, draw)}{draw.randint(0, 9)}"
        for _ in range(8)
    )


def _mac(draw: random.Random) -> str:
    return _grouped(_HEX, 2, 6, ":", draw)


def _uuid(draw: random.Random) -> str:
    return "-".join(_run(_HEX, size, draw) for size in (8, 4, 4, 4, 12))


def _seed(draw: random.Random, words: int) -> str:
    return " ".join(draw.sample(_WORDS, words))


_MADE: Mapping[str, Callable[[random.Random], str]] = {
    "password": _password,
    "plain": _plain,
    "strong": _strong,
    "url_password": lambda draw: _strong(draw).translate({ord(c): f"%{ord(c):02X}" for c in "#%?"}),
    "passphrase": lambda draw: _seed(draw, 5),
    "random": lambda draw: _run(draw.choice([_ALNUM, _HEX, _URLSAFE]), draw.randint(32, 48), draw),
    "jwt": _jwt,
    "pem": _pem,
    "openssh": lambda draw: _pem(draw, "OPENSSH PRIVATE KEY"),
    "pem_escaped": lambda draw: _pem(draw, "PRIVATE KEY", "\\n"),
    "pem_indented": lambda draw: _pem(draw, "EC PRIVATE KEY", "\n  "),
    "card_plain": _card,
    "card_spaced": lambda draw: _card(draw, " "),
    "card_dashed": lambda draw: _card(draw, "-"),
    "base32_spaced": lambda draw: _grouped(_BASE32.lower(), 4, 8, " ", draw),
    "basic": lambda draw: "bWFyYTp" + _run(_ALNUM, 20, draw) + "=",
    "wg": lambda draw: _run(_BASE64, 43, draw) + "=",
    "slack": lambda draw: (
        f"xoxb-{_run(_DIGITS, 12, draw)}-{_run(_DIGITS, 13, draw)}-" + _run(_ALNUM, 24, draw)
    ),
    "discord": lambda draw: (
        f"MT{_run(_ALNUM, 24, draw)}.G{_run(_ALNUM, 5, draw)}." + _run(_URLSAFE, 38, draw)
    ),
    "telegram": lambda draw: f"{_run(_DIGITS[1:], 10, draw)}:AA{_run(_URLSAFE, 33, draw)}",
    "sendgrid": lambda draw: f"SG.{_run(_URLSAFE, 22, draw)}.{_run(_URLSAFE, 43, draw)}",
    "tailscale": lambda draw: f"tskey-auth-{_run(_ALNUM, 12, draw)}CNTRL-{_run(_ALNUM, 32, draw)}",
    "grafana": lambda draw: f"glsa_{_run(_ALNUM, 32, draw)}_{_run(_HEX, 8, draw)}",
    "seed12": lambda draw: _seed(draw, 12),
    "seed24": lambda draw: _seed(draw, 24),
    "seed_numbered": lambda draw: "\n".join(
        f"{n}. {word}" for n, word in enumerate(draw.sample(_WORDS, 12), start=1)
    ),
    "codes_lines": lambda draw: _codes("\n", draw),
    "codes_comma": lambda draw: _codes(", ", draw),
    "codes_digits": lambda draw: "\n".join(_grouped(_DIGITS, 4, 2, " ", draw) for _ in range(10)),
    "ulid": lambda draw: "01J" + _run("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 23, draw),
    "uuid": _uuid,
    "mac": _mac,
    "phone": lambda draw: draw.choice(
        [
            f"+49 30 {_run(_DIGITS, 8, draw)}",
            f"+1 (415) 555-{_run(_DIGITS, 4, draw)}",
            f"138{_run(_DIGITS, 8, draw)}",
            f"0151 {_run(_DIGITS, 8, draw)}",
        ]
    ),
}
