"""Hint for authors whose agent failed because its sandbox refused something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from negoplatform.domain.errors import text_of
from negoplatform.formats.agent_manifest import AGENT_FILE, MANIFEST_FILE
from negoplatform.formats.agent_permissions import NO_SANDBOX, SandboxLevel

LONGEST_CHAIN = 10
"""Number of errors behind an error that are looked at."""

_NO_NAMES = "gaierror"
"""Class of the error if no name of a host can be looked up; its module is not loaded for its sake."""

_NO_TEMPORARY_FOLDER = "No usable temporary directory"


def refusal_hint(error: BaseException, agent_file: Path, sandbox: SandboxLevel) -> str:
    """Return a hint on an error that the sandbox of this process has caused.

    Args:
        error: What the agent's code raised; what it was raised from counts too, as libraries replace errors.
        agent_file: The agent's file.
        sandbox: The level of this process.

    Returns:
        A sentence after a space; empty if it was another error, or there is no sandbox.
    """
    if sandbox == NO_SANDBOX or not any(map(_is_refusal, _chain(error))):
        return ""
    place = (
        f"under permissions in {MANIFEST_FILE}"
        if agent_file.name == AGENT_FILE
        else f"under permissions in {MANIFEST_FILE}, which only an {AGENT_FILE} in a folder of its own has"
    )
    return f" Its sandbox refused that; files, folders and services that it needs are declared {place}."


def _is_refusal(error: BaseException) -> bool:
    if isinstance(error, PermissionError) or type(error).__name__ == _NO_NAMES:
        return True
    return isinstance(error, FileNotFoundError) and _NO_TEMPORARY_FOLDER in text_of(error)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it was raised from."""
    for _ in range(LONGEST_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
