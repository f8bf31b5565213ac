"""Secrets are found in any text, whole and alone, and nothing else is touched."""

from __future__ import annotations

import re
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


NAMED = """
PIN der Alarmanlage: <7391>|PIN der Karte ist <7391>|Die PIN meiner Karte lautet <7391>.
PIN de la carte : <7391>|PIN Alarm: <7391>|the PIN was changed to <7391>|Geheimzahl: <7391>
PINコードは<4821>|PIN番号は<4821>です|暗証番号 <4821>|验证码 <482913>|我的门禁码是 <482913>
門禁碼：<482913>|动态码：<482913>|门锁密码 <482913>|我的门锁密码是<482913>
пин-код карты: <4821>|код доступа <482913>|я сменил пароль на <Zima2024!>
пароль от роутера: <Zima2024!>|пароль для почты: <Zima2024!>
mot de passe wifi : <Zima2024!>|mot de passe de la box : <Zima2024!>
密码改成 <Zima2024!> 了|我把密码设为<Zima2024!>|密码已改为<Zima2024!>|密码设置成 <Zima2024!>
パスワードを<Zima2024!>に変更しました|パスワードを<abc123!>に設定した
비밀번호를 <Zima2024!>로 바꿨어
password changed to <Zima2024!>|the password was reset to <Zima2024!> today
Passwort wurde auf <Zima2024!> geändert|la contraseña ha sido cambiada a <Zima2024!>
password (NAS): <Zima2024!>|password [nas]: <Zima2024!>|password[nas]=<Zima2024!>
password（NAS）：<Zima2024!>|password router: <Zima2024!>|API key (prod): <x7Kq9Zt2Lm4Vb8Nc1Rw6>
the admin pw's <Gr1ffin_door>|my password's <Zima2024> now
wifi key: <Zima2024!>|WIFI_KEY=<Zima2024!>|WPA2 key is <Zima2024!>|network key = <Zima2024!>
safe combination is <34-18-27>|combination of the locker: <12 34 08>|padlock combo <34-18-27>
Kombination des Tresors: <34-18-27>|vault combination: <341827>
snmp community string is <pr1vat3Comm>|rocommunity <pr1vat3Comm>
smtp_pass: <abcd efgh ijkl mnop>|GMAIL_APP_PASSWORD="<abcd efgh ijkl mnop>"
"""

COMMANDS = r"""
ssh-keygen -N '<MyPhr4se!>'
ssh-keygen -p -P <OldPw1!> -N <NewPw1!> -f key
echo 'root:<n3wR00tpw!>' | chpasswd
echo bob:<Larch_77x> | sudo /usr/sbin/chpasswd
chpasswd <<< "root:<Larch77!>"
echo '<sud0M3now!>' | sudo -S
echo <Larch77> | sudo -S -k apt update
sudo -S ls <<< <Larch77>
htpasswd -b f bob <Larch_77x>
htpasswd -c -b f bob <Larch_77x>
htpasswd -nbB bob <Larch_77x>
net use Z: \\srv\share /user:bob <Cedar!Bark8>
NET USE Z: \\srv\share <Cedar!Bark8> /user:bob
net user bob <Cedar!Bark8> /add
"""

ALONE = (
    "password\t<Zima2024!>",
    "Password\n<Zima2024!>",
    "User\r\nbob\r\nWiFi password\r\n<Zima2024!>\r\n",
)


@pytest.mark.parametrize(
    "marked", [*re.split(r"[|\n]", NAMED.strip()), *COMMANDS.strip().split("\n"), *ALONE]
)
def test_what_tells_of_a_secret(marked: str) -> None:
    hidden = re.sub(r"(?<!<)<([^<>]+)>", "[]", marked)
    clean, found = redacted(re.sub(r"(?<!<)<([^<>]+)>", r"\1", marked))
    assert re.sub(r"\[[a-z ]+\](?!=|:)", "[]", clean) == re.sub(r"\[[a-z ]+\](?!=|:)", "[]", hidden)
    assert len(found) == hidden.count("[]")


TALK = """
boarding pass A12B34|my ski pass: A12B34|PIN 1234 header|pin header: 1234|pin count: 1024
pin (GPIO): 17
密码 2024 年更新|验证码 5 分钟|密码已经改了|パスワードを変更しました|비밀번호를 바꿨어
the password was changed to something else|my password's the same|password policy: Min8Chars!
password manager: KeePassXC2!|password (at least 8 characters): required|password (optional): string
check_password(user): True|the key combination is Ctrl-Alt-Del|a combination of 3-4 things
community string: public|ssh-keygen -t rsa -f key -N ""|echo "bob:$PW" | sudo chpasswd
echo $PW | sudo -S ls|echo hello | sudo tee /etc/x|printf 'root:%s' "$PW" | chpasswd
htpasswd -c f bob
password expiry: 90days!|pass rate: 98.5%ok|password auth: TLSv1.2|password updated: 2024/05/01!
PASS	github.com/a/b2	0.3s|net use Z: /user:bob *|password: they have been seen
"""


@pytest.mark.parametrize(
    "text",
    [
        *re.split(r"\n|(?<! )\|(?! )", TALK.strip()),
        "Login\nPassword\nOAuth2.0\nSAML2",
        "We spoke long about the user, and of a password\nZima2024!",
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert redacted(text) == (text, ())


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
