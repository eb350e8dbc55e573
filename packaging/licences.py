"""Licence texts of everything included in the packaged program, as one file."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent
ROOT = PACKAGING.parent

NAME = "LICENCES.txt"
"""Name of the file in the program's folder ``_internal``."""

TEXT = re.compile(r"(?i)licen[cs]e|copying|notice|authors")

COMMON = re.compile(r"/usr/share/common-licenses/([A-Za-z]+(?:-[\d.]*\d)?)")
"""Debian's reference to a text that its own file leaves out."""

RULE = "=" * 100

HEAD = """\
Licences of NegoPlatform and of everything included in this program. The page docs/licences.md of the source
says which licence each has. Every text is below once, under its number.

"""


@dataclass(frozen=True, slots=True)
class LicenceText:
    """Text of a licence.

    Args:
        component: What it is the licence of: a Python package, a library, a font.
        name: Name of its file.
        text: The text itself.
    """

    component: str
    name: str
    text: str


def licence_texts(modules: Iterable[str], libraries: Iterable[str]) -> list[LicenceText]:
    """Return the licence texts of what is included.

    Args:
        modules: Names of the Python modules that are included.
        libraries: File names of compiled libraries; on Linux those of the system are looked up.
    """
    owners = packages_distributions()
    names = {owner for module in {name.split(".")[0] for name in modules} for owner in owners.get(module, ())}
    texts = [
        _read("NegoPlatform", ROOT / "LICENSE"),
        _read("Inter, the font", ROOT / "assets" / "fonts" / "OFL.txt"),
    ]
    for name in sorted(names - {"negoplatform"}):
        texts += _of_distribution(name)
    with suppress(PackageNotFoundError):
        texts += _of_distribution("pyinstaller")  # its loader is in every program that it builds
    for place in (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix)):
        texts += [_read("Python", path) for path in sorted(place.glob("LICENSE*"))]
    if sys.platform == "win32":
        texts.append(_read("Libraries of Python for Windows", PACKAGING / "windows" / "libraries.txt"))
    return texts + _of_debian_packages(debian_packages(libraries))


def as_one_file(texts: Iterable[LicenceText]) -> str:
    """Return a list of the components and each different text once."""
    numbers: dict[str, int] = {}
    contents: dict[str, list[str]] = {}
    parts: list[str] = []
    for each in texts:
        key = " ".join(each.text.split())
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            parts.append(
                f"{RULE}\n{numbers[key]}: {each.name} of {each.component}\n{RULE}\n\n{each.text.strip()}\n"
            )
        contents.setdefault(each.component, []).append(str(numbers[key]))
    lines = [f"{component}: {', '.join(dict.fromkeys(found))}" for component, found in contents.items()]
    return "\n".join([HEAD + "\n".join(lines) + "\n", *parts])


def debian_packages(libraries: Iterable[str]) -> set[str]:
    """Return the Debian or Ubuntu packages that have these libraries; none on another system."""
    patterns = [f"*/{name}" for name in sorted(set(libraries))]
    if not patterns or sys.platform != "linux":
        return set()
    try:
        told = subprocess.run(["dpkg", "-S", *patterns], capture_output=True, text=True, check=False).stdout
    except OSError:
        return set()
    return {line.split(":")[0] for line in told.splitlines() if "cross" not in line}


def _of_distribution(name: str) -> list[LicenceText]:
    files = [file for file in distribution(name).files or () if file.parts[0].endswith(".dist-info")]
    paths = [Path(str(file.locate())) for file in files if TEXT.match(file.name)]
    return [_read(name, path) for path in paths]


def _of_debian_packages(names: Iterable[str]) -> list[LicenceText]:
    """Return what Debian says about packages, and the common licences to which it refers."""
    files = [(name, Path("/usr/share/doc", name, "copyright")) for name in sorted(names)]
    texts = [_read(name, path) for name, path in files if path.is_file()]
    common = sorted({name for each in texts for name in COMMON.findall(each.text)})
    paths = [Path("/usr/share/common-licenses", name).resolve() for name in common]
    known = sorted({path for path in paths if path.is_file()})
    return texts + [_read(f"Common licence {path.name}", path) for path in known]


def _read(component: str, path: Path) -> LicenceText:
    return LicenceText(component, path.name, path.read_text(encoding="utf-8", errors="replace"))
