"""Estimates of tokens, against what a tokeniser counted."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.tokens import beginning, estimate


class Counted(NamedTuple):
    """A text, and how many tokens of Qwen 2.5 and 3 it is."""

    tokens: int
    text: str


COUNTED = {
    "English": Counted(
        34,
        (
            "The backup job on the old server failed twice last week, so we moved it to Sunday "
            "night and gave it two more hours. Nobody has complained about it since then."
        ),
    ),
    "English again": Counted(
        33,
        (
            "Anna prefers short answers in the morning. She reads them on her phone on the way to "
            "work, and asks for the details later when she sits at her desk."
        ),
    ),
    "Python": Counted(
        62,
        (
            "def total(prices: list[float], tax: float = 0.19) -> float:\n"
            '    """The sum of all prices with the tax on top."""\n'
            "    net = sum(price for price in prices if price > 0)\n"
            "    return round(net * (1 + tax), 2)\n"
        ),
    ),
    "JavaScript": Counted(
        52,
        (
            "export async function loadUsers(url) {\n"
            "  const response = await fetch(`${url}/users?limit=50`);\n"
            "  if (!response.ok) {\n"
            "    throw new Error(`cannot load users: ${response.status}`);\n"
            "  }\n"
            "  return response.json();\n"
            "}\n"
        ),
    ),
    "SQL": Counted(
        74,
        (
            "SELECT c.name, count(*) AS orders, sum(o.amount) AS total\n"
            "FROM customer c JOIN orders o ON o.customer_id = c.id\n"
            "WHERE o.created_at >= '2026-01-01' AND o.status <> 'cancelled'\n"
            "GROUP BY c.name HAVING count(*) > 3 ORDER BY total DESC LIMIT 20;\n"
        ),
    ),
    "shell": Counted(
        71,
        (
            "#!/bin/sh\n"
            "set -eu\n"
            "for file in /var/backups/*.tar.gz; do\n"
            '  if [ "$(stat -c %s "$file")" -gt 1048576 ]; then\n'
            '    rsync -a --delete "$file" backup@nas.local:/tank/backups/\n'
            "  fi\n"
            "done\n"
        ),
    ),
    "JSON": Counted(
        83,
        (
            '{"id": 4711, "name": "portal-release", "enabled": true, "tags": ["web", "eu-west-1"], '
            '"limits": {"cpu": 2, "memory_mb": 4096}, "owner": null, "updated_at": '
            '"2026-03-19T20:25:00Z"}'
        ),
    ),
    "log": Counted(
        132,
        (
            "2026-03-19 20:25:07,113 - worker.http - ERROR - GET /export returned status 504 after "
            "30012 ms\n"
            "2026-03-19 20:25:09,870 - worker.http - INFO - retrying in 2000 ms (attempt 2 of 5)\n"
            "2026-03-19 20:25:12,004 - worker.db - WARNING - slow query: 1873 ms\n"
        ),
    ),
    "stack trace": Counted(
        78,
        (
            "Traceback (most recent call last):\n"
            '  File "/srv/app/export.py", line 142, in write_rows\n'
            "    writer.send(encode(row), timeout=self.timeout)\n"
            '  File "/srv/app/net.py", line 58, in send\n'
            '    raise TimeoutError(f"no answer after {timeout} s")\n'
            "TimeoutError: no answer after 30 s\n"
        ),
    ),
    "Markdown": Counted(
        70,
        (
            "## Deploying\n"
            "\n"
            "1. Run `make release` and wait for the tests.\n"
            "2. Open the [dashboard](https://status.example.org) and check that **all** hosts are "
            "green.\n"
            "3. Tag the commit, for example `v2.1.0`.\n"
            "\n"
            "- Never deploy on a Friday.\n"
            "- Tell the support team first.\n"
        ),
    ),
    "Chinese": Counted(
        46,
        (
            "我们决定每周二和周四部署，因为周五出问题的话周末没有人值班。数据库备份每天凌晨三点自动运"
            "行，保留三十天。如果磁盘空间不足，先删除旧的日志文件，再通知管理员。"
        ),
    ),
    "Japanese": Counted(
        56,
        (
            "毎週火曜日と木曜日にデプロイすることに決めました。金曜日に問題が起きると、週末は担当者が"
            "いないからです。バックアップは毎日午前三時に自動で実行され、三十日間保存されます。"
        ),
    ),
    "Korean": Counted(
        68,
        (
            "우리는 매주 화요일과 목요일에 배포하기로 했습니다. 금요일에 문제가 생기면 "
            "주말에는 담당자가 없기 때문입니다. 백업은 매일 새벽 세 시에 자동으로 "
            "실행되고 삼십 일 동안 보관됩니다."
        ),
    ),
    "German": Counted(
        53,
        (
            "Wir haben beschlossen, dienstags und "
            "donnerstags zu veröffentlichen, weil am "
            "Wochenende niemand Bereitschaft hat. Die "
            "Sicherung der Datenbank läuft jede Nacht um "
            "drei Uhr und wird dreißig Tage lang "
            "aufbewahrt."
        ),
    ),
    "French": Counted(
        51,
        (
            "Nous avons décidé de déployer le mardi et "
            "le jeudi, car personne n'est de garde "
            "pendant le week-end. La sauvegarde de la "
            "base de données démarre chaque nuit à trois "
            "heures et reste trente jours."
        ),
    ),
    "Russian": Counted(
        63,
        (
            "Мы решили выкладывать новые версии по "
            "вторникам и четвергам, потому что в "
            "выходные никто не дежурит. Резервная копия "
            "базы данных создаётся каждую ночь в три "
            "часа и хранится тридцать дней."
        ),
    ),
    "Thai": Counted(
        58,
        ("เราตัดสินใจว่าจะติดตั้งรุ่นใหม่ทุกวันอังคารและวันพฤหัสบดี เพราะวันหยุดสุดสัปดาห์ไม่มีใครอยู่เวร"),
    ),
    "emoji": Counted(
        23,
        ("Shipped it! 🚀🎉 Thanks everyone 🙏 — see you at 5 pm 👋🏽"),
    ),
    "Chinese with names": Counted(
        35,
        (
            "用户喜欢用 Docker Compose 部署服务，配置文件放在 "
            "/srv/stacks/portal/docker-compose.yml，端口是 "
            "8443。"
        ),
    ),
}

GRAPHEMES = st.sampled_from(
    ["e\u0301", "👍🏽", "👨\u200d👩\u200d👧", "🇩🇪", "\r\n", "각", "क्षि", "中", "word ", "1", "----"]
)
TEXTS = st.text() | st.lists(GRAPHEMES, max_size=60).map("".join)


@pytest.mark.parametrize("name", COUNTED)
def test_a_text_is_estimated_to_an_eighth(name: str) -> None:
    assert estimate(COUNTED[name].text) == pytest.approx(COUNTED[name].tokens, rel=0.125)


def test_texts_of_all_sorts_together_are_estimated_to_a_twentieth() -> None:
    counted = sum(each.tokens for each in COUNTED.values())
    assert counted <= sum(estimate(each.text) for each in COUNTED.values()) <= 1.05 * counted


def test_nothing_is_no_token_and_anything_is_one() -> None:
    assert estimate("") == 0
    assert estimate(" ") == estimate("\n") == estimate("用") == 1


@given(TEXTS, TEXTS)
def test_more_text_is_not_less(text: str, more: str) -> None:
    assert estimate(text + more) >= estimate(text) - 1


@given(TEXTS, TEXTS)
def test_a_text_takes_what_its_parts_take(text: str, more: str) -> None:
    assert abs(estimate(text) + estimate(more) - estimate(text + more)) <= 4


@pytest.mark.parametrize(
    "text", ["a", "z", " ", "\n", "-", "(", "\0", "\ud800", "中", "😀", "f ", "🇩🇪"]
)
def test_a_megabyte_of_anything_is_neither_free_nor_slow(text: str) -> None:
    much = text * 1_000_000
    assert estimate(much) > 5_000
    assert len(beginning(much, 1000)) < len(much)
    assert 900 < estimate(beginning(much, 1000)) <= 1000


def test_a_letter_with_a_million_accents_is_there_or_not() -> None:
    assert beginning("ab" + "\u0301" * 1_000_000, 1000) == "a…"


@given(TEXTS, st.integers(-1, 30))
def test_a_beginning_takes_no_more_tokens_than_it_may(text: str, most: int) -> None:
    cut = beginning(text, most)
    assert estimate(cut) <= max(most, 0)
    assert cut == text or text.startswith(cut.removesuffix("…"))


@given(TEXTS, st.integers(1, 30))
def test_no_grapheme_is_cut_in_two(text: str, most: int) -> None:
    cut = beginning(text, most)
    if cut != text:
        ends = {0, *(each.end() for each in regex.finditer(r"\X", text))}
        assert len(cut.removesuffix("…")) in ends


@given(st.lists(st.sampled_from("so what we said , and then".split()), min_size=1).map(" ".join))
def test_what_is_cut_has_no_room_for_much_more(text: str) -> None:
    most = estimate(text) // 2
    assert most < 3 or estimate(beginning(text, most)) >= most - 1
