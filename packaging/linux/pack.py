"""Packages for Linux: an archive that runs where it is unpacked, and a package for Debian and Ubuntu."""

from __future__ import annotations

import gzip
import os
import platform
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from contents import ROOT, version
from icon import SIZES
from licences import debian_packages

HERE = Path(__file__).resolve().parent
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
"""Debian's names of architectures."""

CONTROL = """\
Package: negoplatform
Version: {version}
Section: science
Priority: optional
Architecture: {architecture}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: shared-mime-info, xdg-utils, fontconfig-config
Maintainer: The NegoPlatform authors
Description: negotiation between people and agents, for laboratories
 A desktop program in which a person negotiates with an agent through chat,
 an offer builder and an emotion bar. Every event is kept in a log that can be
 replayed. It brings its own Python along.
"""


def write_archive(program: Path, dist: Path) -> Path:
    """Write ``NegoPlatform-VERSION-linux-MACHINE.tar.xz``: the same bytes from the same folder."""
    name = f"NegoPlatform-{version()}-linux-{platform.machine()}"
    readme = (HERE / "README.txt").read_text(encoding="utf-8")
    readme = readme.format(version=version(), machine=platform.machine(), glibc=_newest_glibc(program))
    (program / "README.txt").write_text(readme, encoding="utf-8")
    for path in (HERE / "register.sh", HERE / "negoplatform.desktop", HERE / "negoplatform.xml"):
        shutil.copyfile(path, program / path.name)
    shutil.copyfile(ROOT / "LICENSE", program / "LICENSE")
    archive = dist / f"{name}.tar.xz"
    with tarfile.open(archive, "w:xz", format=tarfile.GNU_FORMAT) as tar:
        for path in (program, *sorted(program.rglob("*"))):
            tar.add(path, f"{name}/{path.relative_to(program)}", recursive=False, filter=_nobodys)
    return archive


def write_package(program: Path, dist: Path, stage: Path) -> Path | None:
    """Write ``negoplatform_VERSION_ARCHITECTURE.deb``, or return None if there is no dpkg-deb to make it."""
    architecture = ARCHITECTURES.get(platform.machine())
    if shutil.which("dpkg-deb") is None or architecture is None:
        print("No dpkg-deb here, so no .deb was made.")
        return None
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(program, stage / "opt" / "negoplatform", symlinks=True)
    for name in ("register.sh", "negoplatform.desktop", "negoplatform.xml", "README.txt", "LICENSE"):
        (stage / "opt" / "negoplatform" / name).unlink()
    share = stage / "usr" / "share"
    for source, place in (
        (HERE / "negoplatform.desktop", share / "applications" / "negoplatform.desktop"),
        (HERE / "negoplatform.xml", share / "mime" / "packages" / "negoplatform.xml"),
        (ROOT / "LICENSE", share / "doc" / "negoplatform" / "copyright"),
        *((_icon(size), share / f"icons/hicolor/{size}x{size}/apps/negoplatform.png") for size in SIZES),
    ):
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
    changes = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), 9, mtime=0)
    (share / "doc" / "negoplatform" / "changelog.gz").write_bytes(changes)
    (stage / "usr" / "bin").mkdir()
    (stage / "usr" / "bin" / "negoplatform").symlink_to("/opt/negoplatform/NegoPlatform")
    control = CONTROL.format(
        version=version(),
        architecture=architecture,
        kilobytes=sum(path.lstat().st_size for path in stage.rglob("*")) // 1024,
        depends=", ".join(_packages(program)),
    )
    (stage / "DEBIAN").mkdir()
    (stage / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    for path in (stage, *stage.rglob("*")):
        if not path.is_symlink():
            path.chmod(_mode(path.name, path.stat().st_mode, folder=path.is_dir()))
    made = dist / f"negoplatform_{version()}_{architecture}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", stage, made]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return made


def _icon(size: int) -> Path:
    return ROOT / "assets" / "icon" / f"{size}.png"


def _nobodys(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an archive entry without the builder's name and the time of the build."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = int(os.environ["SOURCE_DATE_EPOCH"])
    entry.mode = _mode(entry.name, entry.mode, folder=entry.isdir())
    return entry


def _mode(name: str, before: int, *, folder: bool) -> int:
    """Return a mode that lets everyone read, whatever the builder's umask."""
    return 0o755 if folder or before & 0o100 or name.endswith(".sh") else 0o644


def _packages(program: Path) -> list[str]:
    """Return the Debian packages of the libraries that the program needs and does not include."""
    ours = {path.name for path in program.rglob("*")}
    needed: set[str] = set()
    for path in _libraries(program):
        told = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
        needed |= set(re.findall(r"NEEDED\s+(\S+)", told))
    packages = debian_packages(needed - ours) - {"libc6"}
    return [f"libc6 (>= {_newest_glibc(program)})", *sorted(packages)]


def _newest_glibc(program: Path) -> str:
    """Return the oldest version of the C library with which the whole program runs."""
    found = [(2, 17)]
    for path in _libraries(program):
        told = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=False).stdout
        found += [(int(major), int(minor)) for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", told)]
    return "{}.{}".format(*max(found))


def _libraries(program: Path) -> list[Path]:
    files = [path for path in program.rglob("*") if path.is_file() and not path.is_symlink()]
    return sorted(path for path in files if _beginning(path) == b"\x7fELF")


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)
