"""Hint for authors whose agent failed because its sandbox refused something."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb

from negoplatform.domain.errors import text_of
from negoplatform.formats.agent_manifest import AGENT_FILE, MANIFEST_FILE
from negoplatform.formats.agent_permissions import NO_SANDBOX, SandboxLevel

LONGEST_CHAIN = 10
"""Number of errors behind an error that are looked at."""

_NO_NAMES = "gaierror"
"""Class of the error if no name of a host can be looked up; its module is not loaded for its sake."""

_NO_TEMPORARY_FOLDER = "No usable temporary directory"

_STARTS_PROGRAMS = ("subprocess", "multiprocessing", "pty")
"""Modules of the standard library in which an error is that of a program that was to be started."""


def refusal_hint(
    error: BaseException, agent_file: Path, sandbox: SandboxLevel, *, without_permissions: bool = False
) -> str:
    """Return a hint on an error that the sandbox of this process has caused.

    Args:
        error: What the agent's code raised; what it was raised from counts too, as libraries replace errors.
        agent_file: The agent's file.
        sandbox: The level of this process.
        without_permissions: Whether the process has none of the agent's permissions, as it is to find the
            agents in the file.

    Returns:
        A sentence after a space; empty if it was another error, or there is no sandbox.
    """
    if sandbox == NO_SANDBOX:
        return ""
    try:
        refused = next(filter(_is_refusal, _chain(error)), None)
        what, remedy = ("", "") if refused is None else _refusal(refused, agent_file)
    except BaseException:  # noqa: BLE001 - a foreign class, whose attributes may be code that fails
        return ""
    if not what:
        return ""
    if remedy and agent_file.name != AGENT_FILE:
        remedy += f", which only an {AGENT_FILE} in a folder of its own has"
    elif remedy and without_permissions:
        remedy += ", which hold from configure on, and not yet while the file is loaded"
    return f" {what}{remedy}."


def _refusal(error: BaseException, agent_file: Path) -> tuple[str, str]:
    """Return what was refused, and what to declare in the manifest; the latter is empty if that is no use."""
    declare = f"under permissions in {MANIFEST_FILE}"
    if _starts_program(error):
        return "Its sandbox lets it start no other program or process", ""
    if type(error).__name__ == _NO_NAMES or _is_connection(error):
        reason = "Its sandbox refused the connection"
        return reason, f"; to connect, and not to listen, declare its HOST:PORT as network {declare}"
    if isinstance(error, FileNotFoundError):
        reason = "Its sandbox has no folder for temporary files"
        return reason, f"; give tempfile a folder (dir=) that is declared as write {declare}"
    place = _place_of(error)
    if place is None:
        return "Its sandbox refused that, and no permission allows it", ""
    if not place.is_relative_to(agent_file.parent):
        return f"Its sandbox refused that file: {_outside(error)}", ""
    if isinstance(error, OSError) and error.errno == errno.EPERM:
        # Landlock, which decides about folders, refuses with EACCES.
        reason = "Its sandbox changes no permissions, owners, times or links, not even in a declared folder"
        return f"{reason}; use shutil.copyfile in place of shutil.copy", ""
    reason = "Its sandbox refused that"
    return reason, f"; files that it reads and folders that it writes are declared {declare}"


def _outside(error: BaseException) -> str:
    """Return what to do about a file that is not in the agent's folder."""
    name = error.filename if isinstance(error, OSError) else None
    if isinstance(name, str) and not Path(name).is_absolute() and os.pardir not in Path(name).parts:
        return (
            "a relative name is not looked for in the agent's folder; put Path(__file__).parent / before it"
        )
    return "an agent reads and writes nothing outside of its folder; keep the file there"


def _is_refusal(error: BaseException) -> bool:
    if isinstance(error, PermissionError):
        return error.errno is not None  # the system's, and not one that the agent's code raises itself
    if type(error).__name__ == _NO_NAMES:
        return True
    return isinstance(error, FileNotFoundError) and _NO_TEMPORARY_FOLDER in text_of(error)


def _is_connection(error: BaseException) -> bool:
    """Return whether it is the error of a socket: Landlock refuses a port like a file, but without a name.

    The same error may be that of a file that is mapped to be written, but was opened to be read.
    """
    if not isinstance(error, OSError) or error.filename is not None:
        return False
    names = [name for frame, _ in walk_tb(error.__traceback__) for name in frame.f_code.co_names]
    connects = any("connect" in name for name in names)
    return (connects and error.errno == errno.EACCES) or "socket" in _last_module(error)


def _starts_program(error: BaseException) -> bool:
    return any(name in Path(_last_module(error)).parts for name in _STARTS_PROGRAMS)


def _last_module(error: BaseException) -> str:
    """Return the path of the module that raised an error, without its ending."""
    names = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    return names[-1].removesuffix(".py") if names else ""


def _place_of(error: BaseException) -> Path | None:
    """Return the file that an error names, as far as links can be followed."""
    name = error.filename if isinstance(error, OSError) else None
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    return Path(os.path.realpath(name)) if isinstance(name, str) and "\0" not in name else None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it was raised from."""
    for _ in range(LONGEST_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
