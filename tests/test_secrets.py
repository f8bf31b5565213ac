"""Secrets are found in any text, whole and alone, and nothing else is touched."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.bench import secrets as bench
from memoranda.text.secret_words import KINDS, LABELS
from memoranda.text.secrets import Secret, redacted, secrets

DRAWN = "x7Kq9Zt2Lm4Vb8Nc1Rw6"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_planted_secrets_are_caught_and_innocents_left_alone(seed: int) -> None:
    for row in bench.run(seed):
        assert row.secrets == row.innocents == 150
        assert row.caught >= 0.98 * row.secrets, row
        assert row.touched <= 0.02 * row.innocents, row


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("password: hunter2", "password: [password]"),
        ("postgres://me:hunter2@host/db", "postgres://me:[password]@host/db"),
        (f"Authorization: Bearer {DRAWN}", "Authorization: Bearer [token]"),
        ("my password is hunter2, and yours?", "my password is [password], and yours?"),
        ("我的密码是abc123，别说", "我的密码是[password]，别说"),
        ("パスワードはabc123です", "パスワードは[password]です"),
        ("비밀번호는 abc123입니다", "비밀번호는 [password]입니다"),
        ('{"password": "a b\'c9"}', '{"password": "[password]"}'),
        ("DB_PASSWORD=hunter2\nDB_HOST=db", "DB_PASSWORD=[password]\nDB_HOST=db"),
        ("dbPass = 'hunter2'", "dbPass = '[password]'"),
        ("compass: north42", "compass: north42"),
        ("The PIN is 4821.", "The PIN is [pin]."),
        ("4111 1111 1111 1111", "[card number]"),
        ("4111 1111 1111 1112", "4111 1111 1111 1112"),
        ("The password for the NAS is hunter2", "The password for the NAS is [password]"),
        ("La password del wifi è a=b+C9dd", "La password del wifi è [password]"),
        ("I changed my password to Zebra99", "I changed my password to [password]"),
        ("passphrase: otter lamp seven moss", "passphrase: [password]"),
        ("the passphrase is stored in the vault", "the passphrase is stored in the vault"),
        ("账号admin密码abc123", "账号admin密码[password]"),
        ("İ password: hunter2", "İ password: [password]"),
    ],
)
def test_only_the_secret_is_cut_out(text: str, expected: str) -> None:
    assert redacted(text)[0] == expected


def test_where_a_secret_stands() -> None:
    text = "the password is hunter2, yes hunter2"
    assert secrets(text) == (Secret("password", 16, 23), Secret("password", 29, 36))


def test_a_private_key_whose_end_was_cut_off() -> None:
    fence = "-----BEGIN RSA PRIVATE" + " KEY-----"
    assert redacted(f"see {fence}\n{DRAWN}\n{DRAWN}")[0] == "see [private key]"


def test_talk_of_a_private_key_is_none() -> None:
    assert redacted("Paste the PRIVATE" + " KEY here")[1] == ()


_PARTS = st.sampled_from(
    [
        *(word for _, within, alone in LABELS for word in f"{within} {alone}".split()),
        *(f"[{kind}]" for kind in KINDS),
        *(DRAWN, "hunter2", "sk-", "://", "@", ":", "=", '"', "'", "\\n", " ", "\n", " is ", "是"),
        *(
            "curl -u ",
            "a",
            "1",
            "4111",
            "-",
            "[",
            "]",
            "--",
            "-----BEGIN PRIVATE" + " KEY-----",
            "PRIVATE" + " KEY",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(_PARTS, max_size=20).map("".join)))
def test_any_text(text: str) -> None:
    clean, found = redacted(text)
    assert redacted(clean) == (clean, ())
    end = 0
    for each in found:
        assert end <= each.start < each.end <= len(text)
        assert each.kind in KINDS
        end = each.end


MEGABYTE = [
    *"a1A0:=- .\n\0\ud800\"'\\[(/@?_密",
    *(
        "a:",
        "password=",
        "password ",
        "://a:",
        "eyJ",
        "keyeyJ",
        "sk-",
        "token is ",
        "密码是",
        "?key=",
        "passphrase ab ",
    ),
]


@pytest.mark.parametrize("part", MEGABYTE, ids=ascii)
def test_a_megabyte_takes_as_long_as_its_length_says(part: str) -> None:
    text = (part * (1_000_000 // len(part) + 1))[:1_000_000]
    began = time.process_time()
    redacted(text)
    assert time.process_time() - began < 3  # about 0.5 on an idle machine


def test_an_ordinary_turn_costs_next_to_nothing() -> None:
    text = (
        "We moved the backup of the photos to the second pool on Sunday, and Ben will check "
        "on Tuesday whether all is there."
    )
    secrets(text)
    began = time.process_time()
    for _ in range(1000):
        secrets(text)
    assert time.process_time() - began < 0.1  # 0.015 on an idle machine
