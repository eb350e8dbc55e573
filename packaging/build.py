"""Build script of the packaged program, which goes to ``dist``: ``make app``.

It builds the folder on every system, and on Linux also an archive and a package. The installer for Windows is
made by ``packaging/windows_installer.py``, as the programs may be signed in between.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent
ROOT = PACKAGING.parent
sys.path.insert(0, str(PACKAGING))

LARGEST = 65_000_000
"""Largest size of the program on a disk, in bytes."""

NAME = "NegoPlatform.app" if sys.platform == "darwin" else "NegoPlatform"


def main() -> None:
    """Build everything, or exit with a sentence about what is missing."""
    parser = argparse.ArgumentParser(description="Build the packaged program.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="the folder for what is built")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "app", help="the folder for its parts")
    options = parser.parse_args()
    dist, work = options.dist.resolve(), options.work.resolve()
    _check_python()
    os.environ.setdefault("SOURCE_DATE_EPOCH", _time_of_commit())
    built = work / "new" / NAME
    _freeze(work)
    from contents import folder_size

    size = folder_size(built)
    print(f"{NAME}: {size:,} bytes, at most {LARGEST:,}")
    if size > LARGEST:
        sys.exit(
            f"The program is larger than it may be; {built} has it, and packaging/contents.py leaves out."
        )
    program = _put(built, dist, work / "old")
    if sys.platform == "linux":
        from linux.pack import write_archive, write_package

        for path in (write_archive(program, dist), write_package(program, dist, work / "deb")):
            if path is not None:
                print(f"{path.name}: {path.stat().st_size:,} bytes")


def _check_python() -> None:
    python = f"Python {sys.version_info.major}.{sys.version_info.minor} at {sys.base_prefix}"
    for name, remedy in (
        ("_tkinter", "on Debian and Ubuntu: apt install python3-tk"),
        ("PyInstaller", "make app installs it, or: pip install '.[app]'"),
    ):
        if find_spec(name) is None:
            sys.exit(f"{python} has no {name}, which the program is built with ({remedy}).")
    from PyInstaller.depend.bindepend import get_python_library_path
    from PyInstaller.exceptions import PythonLibraryNotFoundError

    try:
        found = get_python_library_path()
    except PythonLibraryNotFoundError:
        found = None
    if not found:
        sys.exit(
            f"{python} has no shared library, which the program has to bring along; on Debian and Ubuntu: "
            "apt install libpython3-dev, with pyenv: PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install."
        )
    if sys.platform == "linux" and shutil.which("objdump") is None:
        sys.exit(
            "objdump is missing, by which libraries are found; on Debian and Ubuntu: apt install binutils"
        )


def _time_of_commit() -> str:
    """Return the commit's time in seconds, so that two builds of a commit are the same."""
    try:
        asked = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):  # no git here, or a source without its history
        return "1700000000"
    return asked.stdout.strip()


def _freeze(work: Path) -> None:
    from icon import write_for_systems

    work.mkdir(parents=True, exist_ok=True)
    write_for_systems(work)
    command = [sys.executable, "-m", "PyInstaller", str(PACKAGING / "negoplatform.spec"), "--noconfirm"]
    command += ["--distpath", str(work / "new"), "--workpath", str(work / "parts"), "--log-level", "ERROR"]
    # Sets have the same order each time, and so have the files written from them.
    if subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "1"}, check=False).returncode:
        sys.exit("PyInstaller could not build the program; the lines above say why.")


def _put(built: Path, dist: Path, old: Path) -> Path:
    """Replace the program with the new build; a running program keeps its open files."""
    place = dist / built.name
    dist.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(old, ignore_errors=True)
    try:
        if place.exists():
            place.rename(old)
        built.rename(place)
    except OSError as error:  # Windows does not rename a folder as long as anything in it is open
        sys.exit(
            f"{place} cannot be replaced ({error.strerror}): close NegoPlatform and whatever shows that "
            "folder, and build again."
        )
    shutil.rmtree(old, ignore_errors=True)
    return place


if __name__ == "__main__":
    main()
