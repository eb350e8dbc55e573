"""Manifest of an agent, ``agent.json`` next to ``agent.py``: author, requirements, options, permissions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from negoplatform.agent_api.version import incompatibility_reason
from negoplatform.domain.errors import InputFileError
from negoplatform.formats.agent_options import Options
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, AgentPermissions
from negoplatform.formats.strict_json import LazyStrictModel, parse_json, preview, read_text, validate_json

AGENT_FILE = "agent.py"
"""Name of the agent's file in a folder with an agent, the only one that has a manifest."""

MANIFEST_FILE = "agent.json"

JOINERS = "\u200c\u200d"
"""Zero-width joiner and non-joiner, which some scripts need although they are not printable."""


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


def _mechanism(text: str) -> str:
    if not (text.isascii() and text.isidentifier() and text == text.lower()):
        raise ValueError(
            f"a kind of game has small letters, digits and _, such as bargaining, not {preview(text)}"
        )
    return text


def _requirement(text: str) -> str:
    """Return a requirement for ``pip`` in its normal form, without anything that a shell would interpret."""
    from packaging.requirements import (
        InvalidRequirement,
        Requirement,
    )  # takes 10 ms, and few agents need anything

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
    except Exception:  # noqa: BLE001 - the library does not document its errors for invalid comparisons
        raise ValueError(
            "the condition after the ; is not valid; write one such "
            f"as \"python_version < '3.12'\", or leave it out, not {preview(text)}"
        ) from None
    return str(found)


MechanismName = Annotated[str, Field(max_length=60), AfterValidator(_mechanism)]
"""Name of a kind of game, of this version of the program or another."""

Line = Annotated[str, Field(max_length=200), AfterValidator(_line)]


class Manifest(LazyStrictModel):
    """Content of an ``agent.json``; every key is optional.

    Args:
        id: The agent's id in lists and logs; empty: the name of its folder.
        version: The agent's own version, in its author's numbering.
        api_version: Version of the agent API that it was written for.
        author: Its author.
        licence: Its licence.
        options: Its settings; None: its class declares them, or it accepts any.
        needs: Packages that it imports, as requirements for pip.
        mechanisms: The kinds of game that it plays; None: those that its class names.
        debriefing: Text that a participant reads after the session; empty: that of its class.
        permissions: What its process may reach beyond its seat and its own files.
    """

    id: Annotated[str, Field(max_length=40), AfterValidator(_id)] = ""
    version: Annotated[str, Field(max_length=40), AfterValidator(_line)] = ""
    api_version: Annotated[str, AfterValidator(_api_version)] = ""
    author: Line = ""
    licence: Line = ""
    options: Options | None = None
    mechanisms: Annotated[tuple[MechanismName, ...], Field(min_length=1, max_length=20)] | None = None
    debriefing: Annotated[str, Field(max_length=4000)] = ""
    needs: Annotated[
        tuple[Annotated[str, Field(max_length=200), AfterValidator(_requirement)], ...], Field(max_length=50)
    ] = ()
    permissions: AgentPermissions = NO_PERMISSIONS


EMPTY_MANIFEST = Manifest.model_construct()
"""Manifest of an agent without an ``agent.json``; not validated, which would build the model."""


def manifest_path(agent_file: Path) -> Path | None:
    """Return the path of the manifest of an agent's file; None if it has none.

    Only an ``agent.py`` has one: a folder may hold many agents, and only one has that name.
    """
    path = agent_file.parent / MANIFEST_FILE
    # lexists: an unreadable file, such as a circular link, must be reported.
    return path if agent_file.name == AGENT_FILE and os.path.lexists(path) else None


def read_manifest(path: Path) -> Manifest:
    """Return a manifest, without running any code.

    Raises:
        InputFileError: If it is invalid, or the agent does not fit this program; with file, place and reason.
    """
    text = read_text(path)
    if not isinstance(parse_json(text, path), dict):
        raise InputFileError(path, "", "an object in braces { } belongs into this file")
    return validate_json(Manifest, text, path)


def load_manifest(agent_file: Path) -> Manifest:
    """Return the manifest of an agent's file, an empty one if it has none.

    Raises:
        InputFileError: As :func:`read_manifest`.
    """
    path = manifest_path(agent_file)
    return EMPTY_MANIFEST if path is None else read_manifest(path)
