"""Contents of the packaged program beyond those that PyInstaller finds by itself."""

from __future__ import annotations

import os
import pkgutil
import re
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path, PurePath

from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent

NOT_FOR_PLUGINS = {
    *("antigravity", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "test", "this", "turtledemo", "venv"),
    *("nis", "readline", "curses", "_curses", "_curses_panel"),
}
"""Modules of the standard library to leave out: tests, toys, tools that make other Pythons, and three more.

An agent has no terminal, which ``curses`` draws on. ``nis`` would bring Kerberos along, and ``readline`` a
library whose terms, those of the GNU General Public License, would hold for the whole program; only a Python
prompt uses it.
"""

LEFT_OUT = [
    *(
        "numpy",
        "pandas",
        "dateutil",
        "matplotlib",
        "fontTools",
        "setuptools",
        "pip",
        "wheel",
        "pkg_resources",
    ),
    *("pytest", "_pytest", "hypothesis", "mypy", "IPython", "ttkbootstrap", "babel", "xllamacpp", "yaml"),
    *("PIL._avif", "PIL.AvifImagePlugin", "PIL._webp", "PIL.WebPImagePlugin", "PIL._imagingcms"),
    # Extras of the command line: tournaments, clusters, NegMAS' negotiators, training. scipy alone has 70 MB.
    *("joblib", "threadpoolctl", "scipy", "dask", "distributed", "negmas"),
    *("gymnasium", "pettingzoo", "cloudpickle", "farama_notifications"),
    "readline",  # which cmd, code and pdb import where it is there
    *("curses", "_curses", "_curses_panel"),  # no agent has a terminal; it would bring ncurses along
    # Terminal output of the client of language models.
    *("rich", "pygments", "requests", "urllib3", "attr", "attrs"),
    # On Linux a key ring would bring 12 MB of cryptography along; keys come from the environment there.
    *(("keyring", "secretstorage", "jeepney", "cryptography") if sys.platform == "linux" else ()),
]
"""Modules that are installed where the program is built, but that it works without."""

NOT_OURS = re.compile(
    r"(?i)(api-ms-win-.*|ucrtbase)\.dll|_tcl_data/(tzdata|msgs)/.*|_tcl_data/tcl8/(http|tcltest)-.*"
)
"""Files to leave out, by their paths in the program.

Windows 10 has the C library itself, and prefers its own to any other. Tcl would need its time zones and the
names of months to convert times, which Python does here, and two modules for the web and for its own tests.
"""

EAST_ASIAN_ENCODINGS = re.compile(
    r"_tcl_data/encoding/(big5|cns|cp9|euc-|gb|iso2022|jis|ksc|macjapan|shiftjis).*\.enc", re.IGNORECASE
)
"""Files to leave out on Linux, where Tcl would need them in a locale that is not UTF-8: 1.7 MB."""

WHOLE = ("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection")
"""Packages of which a game's typed state or an agent may need any part."""


def standard_library() -> list[str]:
    """Return every module of the standard library found here; plugins may need any of them."""
    names = set(sys.stdlib_module_names) - NOT_FOR_PLUGINS
    folder = Path(os.__file__).parent
    for name in sorted(names):
        inside = folder / name
        if inside.is_dir():
            names |= {module.name for module in _modules_below(inside, f"{name}.")}
    return sorted(name for name in names if _is_wanted(name) and _is_here(name))


def own_modules() -> list[str]:
    """Return all our modules: commands are loaded by name, and agents import some that nothing else uses."""
    package = ROOT / "negoplatform"
    return ["negoplatform", *sorted(module.name for module in _modules_below(package, "negoplatform."))]


def own_data() -> list[tuple[str, str]]:
    """Return our files other than modules, with their folders inside the program.

    They are those of the wheel without the sources of translations: only compiled ones are read.
    """
    package = ROOT / "negoplatform"
    found = [(path, path.parent.relative_to(ROOT)) for path in _files_below(package) if not _is_module(path)]
    for kind in ("agents", "games", "instruments", "studies", "assets"):
        inside = Path("negoplatform", "_bundled")
        found += [(path, inside / path.parent.relative_to(ROOT)) for path in _files_below(ROOT / kind)]
    found = [(path, folder) for path, folder in found if path.suffix != ".po"]
    return [(str(path), str(folder)) for path, folder in found]


def is_left_out(path: str) -> bool:
    """Return whether a file that PyInstaller has found is left out, by its path in the program."""
    name = PurePath(path).as_posix()
    left_out = NOT_OURS.fullmatch(name)
    if sys.platform == "linux":
        left_out = left_out or EAST_ASIAN_ENCODINGS.fullmatch(name)
    return left_out is not None


def folder_size(folder: Path) -> int:
    """Return the bytes of everything in a folder, as ``du -sb`` counts them."""
    return folder.lstat().st_size + sum(path.lstat().st_size for path in folder.rglob("*"))


def version() -> str:
    """Return the program's version from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def numbers_of(version: str) -> tuple[int, int, int, int]:
    """Return a version as four numbers, as Windows requires: 0.2.0rc1 is 0.2.0.0 there."""
    first, second, third = (*Version(version).release, 0, 0)[:3]
    return first, second, third, 0


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def _is_module(path: Path) -> bool:
    """Return whether a file is a Python module in a package; elsewhere, as in a template, it is data."""
    return path.suffix == ".py" and (path.parent / "__init__.py").is_file()


def _modules_below(folder: Path, prefix: str) -> list[pkgutil.ModuleInfo]:
    """Return the modules in a folder and its packages, found without importing any."""
    found = []
    for module in pkgutil.iter_modules([str(folder)], prefix):
        found.append(module)
        if module.ispkg:
            found += _modules_below(folder / module.name.rpartition(".")[2], f"{module.name}.")
    return found


def _is_wanted(name: str) -> bool:
    parts = name.split(".")
    return not {"test", "tests", "__main__", "idlelib", "lib2to3"} & set(parts)


def _is_here(name: str) -> bool:
    """Return whether this Python has a module: some exist on other systems only."""
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
