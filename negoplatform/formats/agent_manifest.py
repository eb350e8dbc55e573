"""The agent.json beside an agent.py: who made it, for which API, what it needs, what it can be set to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from negoplatform.agent_api.version import incompatibility_reason
from negoplatform.domain.errors import InputFileError
from negoplatform.formats.agent_options import Options
from negoplatform.formats.strict_json import LazyStrictModel, parse_json, preview, read_text, validate_json

MANIFEST_FILE = "agent.json"

JOINERS = "\u200c\u200d"
"""Marks between letters that some scripts cannot do without, although nothing is printed for them."""


def _line(text: str) -> str:
    if not all(c.isprintable() or c in JOINERS for c in text):
        raise ValueError("this is one line of text, without line breaks and control characters")
    return text.strip()


def _id(text: str) -> str:
    if not (text.isascii() and text[:1].islower() and text.isidentifier() and text == text.lower()):
        raise ValueError(
            "an id has small letters, digits and _, and begins with a letter, such as my_agent, "
            f"not {preview(text)}"
        )
    return text


def _api_version(text: str) -> str:
    if reason := incompatibility_reason(text):
        raise ValueError(reason)
    return text


def _requirement(text: str) -> str:
    """A package as ``pip`` is told of it, in its usual spelling: nothing in it means anything to a shell."""
    from packaging.requirements import InvalidRequirement, Requirement  # few agents need anything: 10 ms

    try:
        found = Requirement(text)
    except InvalidRequirement:
        raise ValueError(
            'this names no package; write it as pip reads it, such as "numpy" or "numpy>=1.26", '
            f"not {preview(text)}"
        ) from None
    if found.url is not None or any(part.operator == "===" for part in found.specifier):
        raise ValueError(f"name the package and its versions alone, not {preview(text)}")
    try:
        if found.marker is not None:
            found.marker.evaluate()
    except Exception:  # noqa: BLE001 - the library says not what comes of comparisons that mean nothing
        raise ValueError(
            "nobody can tell for which computers this package is meant; write what stands after the ; such "
            f"as \"python_version < '3.12'\", or leave it out, not {preview(text)}"
        ) from None
    return str(found)


Line = Annotated[str, Field(max_length=200), AfterValidator(_line)]


class Manifest(LazyStrictModel):
    """What an agent.json says; everything may be left out.

    Args:
        id: What lists and logs call the agent; empty: as its folder.
        version: The agent's own version, in its author's way of counting.
        api_version: The version of the agent API that it was made for.
        author: Who made it.
        licence: Under which licence it may be used.
        options: What it can be set to; None: its class says so, or it takes anything.
        needs: Packages that it imports, as pip reads them.
        debriefing: What a participant reads about it after the session; empty: what its class says.
    """

    id: Annotated[str, Field(max_length=40), AfterValidator(_id)] = ""
    version: Annotated[str, Field(max_length=40), AfterValidator(_line)] = ""
    api_version: Annotated[str, AfterValidator(_api_version)] = ""
    author: Line = ""
    licence: Line = ""
    options: Options | None = None
    debriefing: Annotated[str, Field(max_length=4000)] = ""
    needs: Annotated[
        tuple[Annotated[str, Field(max_length=200), AfterValidator(_requirement)], ...], Field(max_length=50)
    ] = ()


EMPTY_MANIFEST = Manifest.model_construct()
"""Of an agent without an agent.json; not checked, so that nothing is built for it."""


def manifest_path(agent_file: Path) -> Path | None:
    """Where the agent.json of an agent's file lies; None: it has none.

    Only an ``agent.py`` has one: many agents may lie in a folder, and only one has that name.
    """
    path = agent_file.parent / MANIFEST_FILE
    # What cannot be read, such as a link in a circle, is there all the same, and is told.
    return path if agent_file.name == "agent.py" and os.path.lexists(path) else None


def read_manifest(path: Path) -> Manifest:
    """An agent.json, read without running anything.

    Raises:
        FileProblem: With file, place and reason, if it cannot be used, or the agent not with this program.
    """
    text = read_text(path)
    if not isinstance(parse_json(text, path), dict):
        raise InputFileError(path, "", "an object in braces { } belongs into this file")
    return validate_json(Manifest, text, path)


def load_manifest(agent_file: Path) -> Manifest:
    """What is said beside an agent's file; nothing where nothing is.

    Raises:
        FileProblem: As :func:`read_manifest`.
    """
    path = manifest_path(agent_file)
    return EMPTY_MANIFEST if path is None else read_manifest(path)
