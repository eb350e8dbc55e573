"""Packages that somebody else's agents import: which are not here, and how to get them."""

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

if TYPE_CHECKING:
    from packaging.requirements import Requirement


def load_usable_manifest(agent_file: Path) -> Manifest:
    """What is said beside an agent's file, looked at before anything of the agent is run.

    Raises:
        FileProblem: If it cannot be read, was made for another program, or needs a package that is not here.
    """
    manifest = load_manifest(agent_file)
    if reason := missing_packages(manifest.needs):
        raise InputFileError(agent_file.with_name(MANIFEST_FILE), "needs", reason)
    return manifest


def missing_packages(needs: Sequence[str]) -> str:
    """Which of these packages are not here, and how to get them: the end of a sentence; empty: all are.

    Args:
        needs: Packages as pip reads them, such as "numpy>=1.26"; modules of the standard library too.
    """
    if not needs:
        return ""
    from packaging.requirements import Requirement  # few agents need anything: 10 ms

    wanted = [Requirement(need) for need in needs]
    faults = {
        f"{need.name}{need.specifier}": fault
        for need in wanted
        if (need.marker is None or need.marker.evaluate()) and (fault := _fault(need))
    }
    return f"{', '.join(faults.values())}; {install_hint(faults)}" if faults else ""


def _fault(need: Requirement) -> str:
    """What is wrong with a package; empty if nothing is."""
    from packaging.version import InvalidVersion, Version

    try:
        version = metadata.version(need.name)
    except metadata.PackageNotFoundError:
        if not _is_module(need.name.replace("-", "_")):
            return f"{need.name}{need.specifier} is not installed"
        # A part of Python, or of the packaged program.
        return f"nobody can tell which version of {need.name} this is" if need.specifier else ""
    if not need.specifier:
        return ""
    try:
        if need.specifier.contains(Version(version), prereleases=True):
            return ""
    except (InvalidVersion, TypeError):  # whoever packed it said nothing, or something else
        return f"nobody can tell which version of {need.name} this is"
    return f"{need.name}{need.specifier} is needed, and {single_line(version, 40)} is installed"


def _is_module(name: str) -> bool:
    try:
        # Of a module in a package the package would be run.
        return name.isidentifier() and find_spec(name) is not None
    except ValueError:  # one that was made by hand
        return True


def install_hint(packages: Sequence[str] | dict[str, str]) -> str:
    """What to do for packages that are not here: the end of a sentence."""
    quoted = " ".join(f'"{package}"' for package in packages)
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    if getattr(sys, "frozen", False):
        return (
            f"the packaged program holds {python} with its standard library and can be given nothing more; "
            f"use an agent that does without, or install NegoPlatform with pip and then: pip install {quoted}"
        )
    program = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"get it for {python}: {program} -m pip install {quoted}"


def import_error_hint(error: BaseException, agent_file: Path) -> str:
    """What to do about an import that failed while an agent's file was run: a sentence after a space.

    Args:
        error: What the file raised.
        agent_file: The file.

    Returns:
        Nothing if it was no import, or there is no more to say than the error says itself.
    """
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
    beside = (agent_file.with_name(f"{top}.py"), agent_file.with_name(top))
    if any(path.exists() for path in beside):
        return (
            f" An agent is one file, and only that file is looked at, trusted and run: put what it needs of "
            f"{top} into {agent_file.name}."
        )
    advice = install_hint([top])
    return f" {advice[:1].upper()}{advice[1:]}"


def _closest_name(error: BaseException) -> str:
    """The name of ours that comes nearest to one that could not be imported; empty if none is near."""
    module, wanted = str(getattr(error, "name", "")), ""
    if isinstance(error, ModuleNotFoundError):
        while module and module not in sys.modules:
            module, _, wanted = module.rpartition(".")
        there = [
            found.name for found in iter_modules(getattr(sys.modules.get(module), "__path__", None) or [])
        ]
    else:
        # Python 3.11 does not say which name it was but in the sentence.
        said = re.match(r"cannot import name '(\w+)'", text_of(error))
        wanted = said.group(1) if said else wanted
        there = [name for name in dir(sys.modules.get(module)) if not name.startswith("_")]
    near = get_close_matches(wanted, there, n=1, cutoff=0.7)
    return near[0] if near else ""
