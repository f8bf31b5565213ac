"""Where a home must not be: told from a mount table and folders' names, and refused."""

from __future__ import annotations

from pathlib import Path, PurePath, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import HomeError
from memoranda.policy import unsafe
from memoranda.policy.unsafe import Hazard, Mount
from memoranda.settings import Settings
from memoranda.upkeep import place

LAPTOP = r"""
22 27 0:21 / /proc rw,relatime shared:5 - proc proc rw
24 27 0:6 / /dev rw,nosuid - devtmpfs udev rw,size=8124k
27 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
30 27 0:26 / /run/user/1000 rw,nosuid,nodev - tmpfs tmpfs rw,size=1600k,mode=700
40 27 0:44 / /mnt/nas rw,relatime shared:9 - nfs4 nas:/volume1 rw,vers=4.2
41 27 0:45 / /mnt/My\040Share rw,relatime - cifs //nas/share rw,vers=3.1.1
42 40 259:3 / /mnt/nas/local rw,relatime - ext4 /dev/sdb1 rw
43 27 0:46 / /home/anna/far rw,nosuid - fuse.sshfs anna@far:/ rw,user_id=1000
44 27 0:47 / /home/anna/disk rw,nosuid - fuseblk /dev/sdc1 rw,user_id=0
45 27 0:48 / /media/auto rw - autofs systemd-1 rw
46 45 0:49 / /media/auto rw - nfs nas:/media rw
47 27 0:50 / /mnt/c rw - 9p drvfs rw,dirsync
48 27 259:2 /home/anna/notes /srv/bound rw,relatime - ext4 /dev/nvme0n1p2 rw
49 27 0:51 / /var/lib/docker/overlay2/a/merged rw - overlay overlay rw,lowerdir=/l
50 27 0:52 / /mnt/dav rw - fuse https://cloud.example.org/dav rw
51 27 0:53 / /mnt/tabbed\011name rw - nfs nas:/tab rw
"""

CONTAINER = r"""
600 500 0:60 / / rw,relatime master:200 - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w
601 600 0:61 / /proc rw - proc proc rw
602 600 0:62 / /dev rw - tmpfs tmpfs rw,size=65536k
603 600 259:2 /volumes/memory/_data /data rw - ext4 /dev/nvme0n1p2 rw
604 600 0:63 / /host rw - virtiofs mount0 rw
"""


def told(table: str, path: str, *, in_container: bool = False) -> tuple[Hazard, str] | None:
    mount = unsafe.mount_of(PurePosixPath(path), unsafe.mounts_of_linux(table))
    assert mount is not None
    found = unsafe.of_mount(mount, in_container=in_container)
    return None if found is None else (found.hazard, found.what)


@pytest.mark.parametrize(
    ("path", "share"),
    [
        ("/mnt/nas/anna/.memoranda", "NFS"),
        ("/mnt/My Share/memory", "SMB"),
        ("/mnt/tabbed\tname", "NFS"),
        ("/home/anna/far", "sshfs"),
        ("/media/auto/x", "NFS"),
        ("/mnt/c/Users", "9P"),
        ("/mnt/dav", "WebDAV"),
    ],
)
def test_a_network_share_is_told(path: str, share: str) -> None:
    found = told(LAPTOP, path)
    assert found is not None
    assert found[0] == Hazard.NETWORK
    assert f"({share})" in found[1]


@pytest.mark.parametrize(
    "path",
    [
        "/home/anna/.memoranda",
        "/mnt/nas/local/memory",  # a disk within a share
        "/mnt/nasty",  # no share, but for the beginning of its name
        "/home/anna/disk/memory",  # NTFS
        "/srv/bound/memory",
        "/var/lib/docker/overlay2/a/merged/root",
    ],
)
def test_a_disk_of_this_machine_is_safe(path: str) -> None:
    assert told(LAPTOP, path) is None


def test_what_vanishes_with_a_container_is_told() -> None:
    assert told(CONTAINER, "/root/.memoranda") is None  # a live system has such a root, too
    layer = told(CONTAINER, "/root/.memoranda", in_container=True)
    assert layer is not None
    assert layer[0] == Hazard.VANISHING
    assert told(CONTAINER, "/data/memory", in_container=True) is None  # a volume
    assert told(CONTAINER, "/host/memory", in_container=True) is None
    assert told(LAPTOP, "/run/user/1000/memory") is not None


MAC = """
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)
//anna@nas._smb._tcp.local/home on /Volumes/home (1) (smbfs, nodev, nosuid, mounted by anna)
nas:/volume on /Volumes/nfs (nfs, nodev, nosuid)
"""


def test_the_mounts_of_a_mac_are_read() -> None:
    mounts = unsafe.mounts_of_bsd(MAC)
    assert [(str(each.point), each.kind) for each in mounts] == [
        ("/", "apfs"),
        ("/System/Volumes/Data", "apfs"),
        ("/Volumes/home (1)", "smbfs"),
        ("/Volumes/nfs", "nfs"),
    ]


@pytest.mark.parametrize(
    ("groups", "inside"),
    [
        ("0::/\n", False),
        ("0::/user.slice/user-1000.slice/session-2.scope\n", False),
        ("12:pids:/docker/0f1e2d\n", True),
        ("0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-0f.scope\n", True),
        ("1:name=systemd:/lxc/box\n", True),
        ("0::/machine.slice/libpod-0f.scope\n", True),
    ],
)
def test_a_container_is_told_by_its_groups(groups: str, inside: bool) -> None:
    assert unsafe.is_of_container(groups) is inside


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12
).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, max_size=5).map(lambda parts: PurePosixPath("/", *parts))


def as_told(point: PurePosixPath) -> str:
    """As the kernel writes it: a space, a tab, a new line and a backslash in octal."""
    written = str(point).replace("\\", r"\134")
    for each in " \t\n":
        written = written.replace(each, f"\\{ord(each):03o}")
    return written


@given(st.lists(st.tuples(PATHS, st.sampled_from(["ext4", "nfs", "tmpfs"])), max_size=8))
def test_what_the_kernel_writes_is_read_as_it_is(points: list[tuple[PurePosixPath, str]]) -> None:
    lines = [
        f"{n} 1 0:{n} / {as_told(point)} rw shared:1 - {kind} some\\040thing rw"
        for n, (point, kind) in enumerate(points)
    ]
    found = unsafe.mounts_of_linux("\n".join(lines))
    assert found == [Mount(point, kind, "some thing") for point, kind in points]


@given(PATHS, st.lists(PATHS, max_size=8))
def test_the_deepest_and_latest_mount_is_the_one(
    path: PurePosixPath, points: list[PurePosixPath]
) -> None:
    mounts = [Mount(point, str(n)) for n, point in enumerate(points)]
    found = unsafe.mount_of(path, mounts)
    above = [each for each in mounts if each.point == path or each.point in path.parents]
    assert (found is None) is (not above)
    if found is not None:
        assert found in above
        assert all(len(each.point.parts) <= len(found.point.parts) for each in above)
        same = [each for each in above if each.point == found.point]
        assert found == same[-1]


@given(st.text())
def test_no_table_is_too_strange(text: str) -> None:
    unsafe.mounts_of_linux(text)
    unsafe.mounts_of_bsd(text)
    assert unsafe.is_of_container(text) in (True, False)


@pytest.mark.parametrize(
    ("name", "who"),
    [
        (".stfolder", "Syncthing"),
        (".stignore", "Syncthing"),
        (".dropbox.cache", "Dropbox"),
        (".sync_0a1b2c.db", "Nextcloud"),
        ("._sync_0a1b2c.db", "Nextcloud"),
        (".owncloudsync.log", "Nextcloud"),
        (".tmp.drivedownload", "Google Drive"),
        (".sync", "Resilio Sync"),
    ],
)
@pytest.mark.parametrize("within", [".", "a", "a/b"])
def test_a_synchronised_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, who: str, within: str
) -> None:
    (tmp_path / within).mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("")
    home = tmp_path / within / "home"
    with pytest.raises(HomeError, match=f"which {who} synchronises.*MEMORANDA_UNSAFE_PLACE=allow"):
        memoranda.init(home)
    assert not home.exists()
    monkeypatch.setenv("MEMORANDA_UNSAFE_PLACE", "allow")
    memoranda.init(home)
    monkeypatch.delenv("MEMORANDA_UNSAFE_PLACE")
    with pytest.raises(HomeError, match="synchronises"):
        memoranda.open(home)
    (place_found,) = [each for each in memoranda.doctor(home).symptoms if each.check == "place"]
    assert who in place_found.what
    settings = home / "memoranda.toml"
    settings.write_text('unsafe_place = "allow"\n' + settings.read_text())
    memoranda.open(home).close()


def test_the_folder_of_the_dropbox_program_is_no_dropbox(tmp_path: Path) -> None:
    (tmp_path / ".dropbox").mkdir()
    assert memoranda.init(tmp_path / "home")
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / ".dropbox").write_text("{}")
    with pytest.raises(HomeError, match="Dropbox"):
        memoranda.init(tmp_path / "box" / "home")


@pytest.mark.parametrize(
    ("path", "who"),
    [
        ("/Users/anna/OneDrive/memory", "OneDrive"),
        ("/Users/anna/OneDrive - Acme Ltd/memory", "OneDrive"),
        ("/Users/anna/Library/Mobile Documents/com~apple~CloudDocs/memory", "iCloud"),
        ("/Users/anna/Library/CloudStorage/GoogleDrive-anna@example.org/My Drive", "GoogleDrive"),
        ("/home/anna/Google Drive/memory", "Google Drive"),
        ("/home/anna/OneDriven/memory", None),
        ("/home/anna/CloudStorage/memory", None),
    ],
)
def test_a_folder_is_told_by_its_name(path: str, who: str | None) -> None:
    found = unsafe.of_folders(PurePath(path), [])
    assert (found is None) is (who is None)
    if found is not None:
        assert f"which {who} synchronises" in found.what


def test_a_link_does_not_hide_where_a_home_is(tmp_path: Path) -> None:
    (tmp_path / "synced").mkdir()
    (tmp_path / "synced" / ".stfolder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "synced")
    with pytest.raises(HomeError, match="Syncthing"):
        memoranda.init(tmp_path / "link" / "home")


def test_what_vanishes_is_refused_but_where_all_vanishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_memory = [Mount(PurePosixPath("/"), "tmpfs")]
    monkeypatch.setattr(place, "_mounts", lambda folder: in_memory)
    place.refuse(tmp_path / "memory.db", Settings())  # in the folder for what is only tried
    with pytest.raises(HomeError, match=r"in memory.*on a volume"):
        place.refuse(Path("/srv/agent/memory.db"), Settings())
    place.refuse(Path("/srv/agent/memory.db"), Settings(unsafe_place="allow"))
