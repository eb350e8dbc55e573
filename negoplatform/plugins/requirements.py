"""Packages that agents need: which are missing, and how to install them."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from negoplatform.agent_api.version import format_version
from negoplatform.domain.errors import InputFileError, text_of
from negoplatform.formats.agent_manifest import MANIFEST_FILE, Manifest, load_manifest
from negoplatform.formats.strict_json import single_line

ONE_FILE = "An agent is one file, and only that file is looked at, trusted and run: put what it needs"
"""Beginning of a sentence about a module next to an agent's file."""

if TYPE_CHECKING:
    from packaging.requirements import Requirement


def load_usable_manifest(agent_file: Path) -> Manifest:
    """Return the manifest of an agent's file, checked before any code of the agent is run.

    Raises:
        InputFileError: If it cannot be read, does not fit this program, or needs a package that is missing.
    """
    manifest = load_manifest(agent_file)
    if reason := missing_packages(manifest.needs):
        raise InputFileError(agent_file.with_name(MANIFEST_FILE), "needs", reason)
    return manifest


def missing_packages(needs: Sequence[str]) -> str:
    """Return which packages are missing and how to install them, as the end of a sentence; empty if none is.

    Args:
        needs: Requirements for pip, such as "numpy>=1.26", or modules of the standard library.
    """
    if not needs:
        return ""
    from packaging.requirements import Requirement  # takes 10 ms, and few agents need anything

    wanted = [Requirement(need) for need in needs]
    faults = {
        f"{need.name}{need.specifier}": fault
        for need in wanted
        if (need.marker is None or need.marker.evaluate()) and (fault := _fault(need))
    }
    return f"{', '.join(faults.values())}; {install_hint(faults)}" if faults else ""


def _fault(need: Requirement) -> str:
    """Return the fault of a package; empty if there is none."""
    from packaging.version import InvalidVersion, Version

    try:
        version = metadata.version(need.name)
    except metadata.PackageNotFoundError:
        if not _is_module(need.name.replace("-", "_")):
            return f"{need.name}{need.specifier} is not installed"
        # A part of Python, or of the packaged program.
        return f"it is not known which version of {need.name} this is" if need.specifier else ""
    if not need.specifier:
        return ""
    try:
        if need.specifier.contains(Version(version), prereleases=True):
            return ""
    except (InvalidVersion, TypeError):  # the package has no version, or an invalid one
        return f"it is not known which version of {need.name} this is"
    return f"{need.name}{need.specifier} is needed, and {single_line(version, 40)} is installed"


def _is_module(name: str) -> bool:
    try:
        # A plain name: for a module in a package, the package would be run.
        return name.isidentifier() and find_spec(name) is not None
    except ValueError:  # a module without a spec
        return True


def install_hint(packages: Sequence[str] | dict[str, str]) -> str:
    """Return how to install packages, as the end of a sentence."""
    quoted = " ".join(f'"{package}"' for package in packages)
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    if getattr(sys, "frozen", False):
        return (
            f"the packaged program holds {python} with its standard library and can be given nothing more; "
            f"use an agent that does without, or install NegoPlatform with pip and then: pip install {quoted}"
        )
    program = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"get it for {python}: {program} -m pip install {quoted}"


def is_next_to(module: str, agent_file: Path) -> bool:
    """Return whether a module could be imported from a file or folder next to an agent's file."""
    return any(path.exists() for path in (agent_file.with_name(f"{module}.py"), agent_file.with_name(module)))


def import_error_hint(error: BaseException, agent_file: Path) -> str:
    """Return a hint on an import that failed while an agent's file was run.

    Args:
        error: The exception that the file raised.
        agent_file: The file.

    Returns:
        A sentence after a space; empty if it was no import, or the error itself is enough.
    """
    if isinstance(error, ImportError) and text_of(error).startswith("attempted relative import"):
        return f" {ONE_FILE} into {agent_file.name}."
    name = error.name if isinstance(error, ImportError) else None
    top = name.partition(".")[0] if isinstance(name, str) else ""
    if not top.isidentifier() or len(top) > 100:
        return ""
    if top == "negoplatform":
        if meant := _closest_name(error):
            return f" Perhaps {meant} is meant."
        return (
            f" The agent may have been made for another version of NegoPlatform; this one has the agent API "
            f"{format_version()}."
        )
    if not isinstance(error, ModuleNotFoundError) or name != top:
        return ""
    if is_next_to(top, agent_file):
        return f" {ONE_FILE} of {top} into {agent_file.name}."
    advice = install_hint([top])
    return f" {advice[:1].upper()}{advice[1:]}"


def _closest_name(error: BaseException) -> str:
    """Return the name in this program that is closest to one that could not be imported; empty if none is."""
    module, wanted = str(getattr(error, "name", "")), ""
    if isinstance(error, ModuleNotFoundError):
        while module and module not in sys.modules:
            module, _, wanted = module.rpartition(".")
        there = [
            found.name for found in iter_modules(getattr(sys.modules.get(module), "__path__", None) or [])
        ]
    else:
        # In Python 3.11 the name is only in the message.
        match = re.match(r"cannot import name '(\w+)'", text_of(error))
        wanted = match.group(1) if match else wanted
        there = [name for name in dir(sys.modules.get(module)) if not name.startswith("_")]
    near = get_close_matches(wanted, there, n=1, cutoff=0.7)
    return near[0] if near else ""
