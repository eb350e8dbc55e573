"""Licence texts of everything included in the packaged program."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

FOLDER = "licenses"
"""Folder of the texts in the program, with a folder for each package."""

TEXT = re.compile(r"(?i)licen[cs]e|copying|notice|authors")


def licences(modules: Iterable[str], libraries: Iterable[str]) -> list[tuple[str, str]]:
    """Return each text's path in the program and its source.

    Args:
        modules: Names of the Python modules that are included.
        libraries: File names of compiled libraries; on Linux those of the system are looked up.
    """
    owners = packages_distributions()
    names = {owner for module in {name.split(".")[0] for name in modules} for owner in owners.get(module, ())}
    texts = [text for name in sorted(names - {"negoplatform"}) for text in _of_distribution(name)]
    for place in (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix)):
        texts += [(f"{FOLDER}/Python/{path.name}", str(path)) for path in sorted(place.glob("LICENSE*"))]
    if sys.platform == "linux":
        for name in sorted(debian_packages(libraries)):
            path = Path("/usr/share/doc", name, "copyright")
            texts += [(f"{FOLDER}/{name}/copyright", str(path))] if path.is_file() else []
    return texts


def debian_packages(libraries: Iterable[str]) -> set[str]:
    """Return the Debian or Ubuntu packages that have these libraries; none on another system."""
    patterns = [f"*/{name}" for name in sorted(set(libraries))]
    if not patterns:
        return set()
    try:
        told = subprocess.run(["dpkg", "-S", *patterns], capture_output=True, text=True, check=False).stdout
    except OSError:
        return set()
    return {line.split(":")[0] for line in told.splitlines() if "cross" not in line}


def _of_distribution(name: str) -> list[tuple[str, str]]:
    files = [file for file in distribution(name).files or () if file.parts[0].endswith(".dist-info")]
    texts = [file for file in files if TEXT.match(file.name)]
    within = [Path(*(part for part in file.parts[1:] if part != "licenses")).as_posix() for file in texts]
    return [
        (f"{FOLDER}/{name}/{place}", str(file.locate())) for place, file in zip(within, texts, strict=True)
    ]
