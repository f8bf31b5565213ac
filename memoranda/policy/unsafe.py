"""Where a store must not be: by the mount table of a machine, and by what lies in the folders.

SQLite trusts its file to be on this machine, to be changed by nobody else, and to stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath, PurePosixPath


class Hazard(StrEnum):
    """What is wrong with a place."""

    NETWORK = "network"
    SYNCED = "synced"
    VANISHING = "vanishing"


@dataclass(frozen=True, slots=True)
class Unsafe:
    """Why a store must not be somewhere: `what` the place is, and what would become of it there."""

    hazard: Hazard
    what: str

    @property
    def why(self) -> str:
        return _WHY[self.hazard]


_WHY = {
    Hazard.NETWORK: "locks and the shared memory of SQLite do not reach over it, and two programs "
    "would damage the file",
    Hazard.SYNCED: "it copies the file while that is being written, and puts older ones in its "
    "place",
    Hazard.VANISHING: "all that is there is gone once that ends",
}

_SHARES = {
    "nfs": "NFS", "nfs4": "NFS", "cifs": "SMB", "smb": "SMB", "smb2": "SMB", "smb3": "SMB",
    "smbfs": "SMB", "ncpfs": "NetWare", "afpfs": "AFP", "webdav": "WebDAV", "davfs": "WebDAV",
    "9p": "9P", "afs": "AFS", "coda": "Coda", "ceph": "Ceph", "glusterfs": "GlusterFS",
    "lustre": "Lustre", "beegfs": "BeeGFS", "orangefs": "OrangeFS", "pvfs2": "PVFS",
    "vboxsf": "VirtualBox", "vmhgfs": "VMware", "prl_fs": "Parallels",
    "macfuse": "FUSE", "osxfuse": "FUSE",
}  # fmt: skip
"""File systems that other machines write to as well, and what people call them."""

_SHARED_BY_FUSE = (
    "sshfs rclone s3fs gcsfuse goofys davfs davfs2 curlftpfs smbnetfs gvfsd-fuse glusterfs ceph "
    "juicefs mountpoint-s3 google-drive-ocamlfuse onedriver jmtpfs vmhgfs-fuse grpcfuse"
).split()
"""The same, by what FUSE mounts; others, such as ntfs-3g, are on this machine."""

_PASSING = {"tmpfs", "ramfs"}
_LAYERS = {"overlay", "overlayfs", "aufs", "fuse.fuse-overlayfs", "fuse-overlayfs"}
"""What the root of a container is made of, which goes with the container."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A file system, by its kind, and where it is seen."""

    point: PurePosixPath
    kind: str
    source: str = ""


def mounts_of_linux(table: str) -> list[Mount]:
    """The lines of /proc/self/mountinfo, see proc(5); what is no such line is passed over."""
    found = []
    for line in table.split("\n"):
        before, dash, after = line.partition(" - ")
        fields, rest = before.split(" "), after.split(" ")
        if dash and len(fields) >= 6 and rest[0]:
            source = _plain(rest[1]) if len(rest) > 1 else ""
            found.append(Mount(PurePosixPath(_plain(fields[4])), rest[0], source))
    return found


_OCTAL = re.compile(r"\\([0-7]{3})")


def _plain(name: str) -> str:
    r"""A name of that table, in which `\040` is a space."""
    return _OCTAL.sub(lambda found: chr(int(found.group(1), 8)), name)


_BSD = re.compile(r"(?P<source>.*?) on (?P<point>/.*) \((?P<kind>[^,)]+)[^()]*\)")


def mounts_of_bsd(told: str) -> list[Mount]:
    """The lines that the command `mount` of macOS and the BSDs answers with."""
    found = map(_BSD.fullmatch, told.split("\n"))
    return [Mount(PurePosixPath(one["point"]), one["kind"], one["source"]) for one in found if one]


def mount_of(path: PurePosixPath, mounts: Iterable[Mount]) -> Mount | None:
    """The file system that a path without links is on; of two at one point the later hides one."""
    best: Mount | None = None
    for each in mounts:
        deeper = best is None or len(each.point.parts) >= len(best.point.parts)
        if deeper and path.is_relative_to(each.point):
            best = each
    return best


def of_mount(mount: Mount, *, in_container: bool) -> Unsafe | None:
    """What is wrong with a file system, if anything is."""
    kind, at = mount.kind.lower(), f"mounted at {mount.point}"
    if kind in _LAYERS:
        if in_container and mount.point == PurePosixPath("/"):
            return Unsafe(Hazard.VANISHING, "the layer of a container, not on a volume of its own")
        return None
    if kind in _PASSING:
        return Unsafe(Hazard.VANISHING, f"a file system in memory ({kind}), {at}")
    name = _SHARES.get(kind)
    fuse, _, mounted = kind.partition(".")
    if name is None and fuse == "fuse" and mounted in _SHARED_BY_FUSE:
        name = mounted
    if name is None and kind == "fuse" and mount.source.startswith(("http://", "https://")):
        name = "WebDAV"
    return (name and Unsafe(Hazard.NETWORK, f"a network share ({name}), {at}")) or None


_SYNCED_BY = {
    ".stfolder": "Syncthing",
    ".stignore": "Syncthing",
    ".dropbox": "Dropbox",
    ".dropbox.cache": "Dropbox",
    ".owncloudsync.log": "Nextcloud",
    ".nextcloudsync.log": "Nextcloud",
    ".tmp.drivedownload": "Google Drive",
    ".tmp.driveupload": "Google Drive",
    ".grive": "Google Drive",
    ".sync": "Resilio Sync",
}
_NEXTCLOUD = re.compile(r"\._?sync_.*\.db")

_NAMED = re.compile(
    r"(?P<OneDrive>OneDrive(?: ?- ?.+)?)|(?P<Google_Drive>Google ?Drive(?:-.+)?|My Drive)"
    r"|(?P<iCloud>Mobile Documents)"
)
"""Folders that are synchronised under their own names."""


def synced_by(names: Iterable[str]) -> str | None:
    """Whose folder it is that holds such names."""
    for name in names:
        if name in _SYNCED_BY:
            return _SYNCED_BY[name]
        if _NEXTCLOUD.fullmatch(name):
            return "Nextcloud"
    return None


def synced_by_name(path: PurePath) -> tuple[PurePath, str] | None:
    """The folder on a path that is synchronised, by what it and those before it are called."""
    parts = path.parts
    for at, part in enumerate(parts):
        here = type(path)(*parts[: at + 1])
        if found := _NAMED.fullmatch(part):
            return here, str(found.lastgroup).replace("_", " ")
        if part == "CloudStorage" and at and parts[at - 1] == "Library" and at + 1 < len(parts):
            return here / parts[at + 1], parts[at + 1].partition("-")[0]
    return None


def of_folders(path: PurePath, listed: Sequence[tuple[PurePath, Iterable[str]]]) -> Unsafe | None:
    """Whether a path is synchronised, by the names in it and in the folders that it is in."""
    named = synced_by_name(path)
    if named is None:
        named = next(((at, who) for at, names in listed if (who := synced_by(names))), None)
    return (named and Unsafe(Hazard.SYNCED, f"{named[0]}, which {named[1]} synchronises")) or None


_ENGINES = re.compile(r"/(?:docker|kubepods|containerd|libpod|lxc|garden|buildkit)[/.\-]")


def is_of_container(groups: str) -> bool:
    """Whether a process with these control groups (/proc/1/cgroup) is in a container."""
    return _ENGINES.search(groups) is not None
