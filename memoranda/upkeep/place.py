"""What kind of place a home is in, looked up on this machine: one table, and its folders' names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memoranda.errors import HomeError
from memoranda.policy import unsafe
from memoranda.policy.unsafe import Hazard, Mount, Unsafe
from memoranda.settings import Settings

ALLOWED = "allow"


def refuse(store: Path, settings: Settings) -> None:
    """Raise HomeError when a store must not be in that place, and nobody said that it may."""
    if settings.unsafe_place == ALLOWED:
        return
    found = of(store)
    if found is None or (found.hazard == Hazard.VANISHING and is_temporary(store)):
        return
    raise HomeError(
        f"{store.parent} is in {found.what}: {found.why}; keep it on a disk of this machine"
        f"{_WAY_OUT[found.hazard]}, or, if you know what you do, set MEMORANDA_UNSAFE_PLACE=allow "
        'or unsafe_place = "allow" in its memoranda.toml'
    )


_WAY_OUT = {
    Hazard.NETWORK: "",
    Hazard.SYNCED: ", and synchronise copies of it only",
    Hazard.VANISHING: " or on a volume",
}


def of(store: Path) -> Unsafe | None:
    """What is wrong with the place of a store, which need not be there yet; None if nothing is."""
    try:
        folder = Path(os.path.realpath(store)).parent
    except ValueError:  # no file can be called that, as whoever opens it will say
        return None
    return _by_mount(folder) or unsafe.of_folders(folder, list(_listed(folder)))


def is_temporary(store: Path) -> bool:
    """Whether it is where everybody expects things to vanish, as what is only tried does."""
    from tempfile import gettempdir  # dear to load, and seldom needed

    return Path(os.path.realpath(store)).is_relative_to(os.path.realpath(gettempdir()))


def _by_mount(folder: Path) -> Unsafe | None:
    mount = unsafe.mount_of(PurePosixPath(folder), _mounts(folder))
    if mount is None:
        return None
    found = unsafe.of_mount(mount, in_container=True)
    return unsafe.of_mount(mount, in_container=_in_container()) if found else None


def _mounts(folder: Path) -> list[Mount]:
    """The mount table, where this system has one that we can read."""
    system: str = sys.platform
    if system == "linux":
        try:
            with open("/proc/self/mountinfo", "rb") as table:
                return unsafe.mounts_of_linux(os.fsdecode(table.read()))
        except OSError:  # as where /proc is not mounted
            return []
    if system == "darwin" and not _on_own_disk(folder):
        import subprocess

        done = subprocess.run(["/sbin/mount"], capture_output=True, timeout=10, check=False)
        return unsafe.mounts_of_bsd(os.fsdecode(done.stdout))
    return []


def _on_own_disk(folder: Path) -> bool:
    """Whether a folder is on the disk that a Mac starts from, so that nothing has to be asked."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    own = [os.stat(each).st_dev for each in ("/", "/System/Volumes/Data") if os.path.exists(each)]
    return there.stat().st_dev in own


def _listed(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """What is in a folder and in those that it is in, as far as that may be looked at.

    A `.dropbox` that is a folder is left out: in it that program keeps its own things, in the
    folder of everybody who uses it.
    """
    for each in (folder, *folder.parents):
        try:
            names = os.listdir(each)
        except OSError:
            continue
        if ".dropbox" in names and (each / ".dropbox").is_dir():
            names.remove(".dropbox")
        yield each, names


def _in_container() -> bool:
    if os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"):
        return True
    if "KUBERNETES_SERVICE_HOST" in os.environ or "container" in os.environ:
        return True
    try:
        with open("/proc/1/cgroup", encoding="utf-8", errors="replace") as groups:
            return unsafe.is_of_container(groups.read())
    except OSError:
        return False
