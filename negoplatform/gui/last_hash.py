"""Where a session's log is, and the hash that proves it, for those who started the program."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from negoplatform.app.resume import close_interrupted
from negoplatform.eventlog.guard import GuardedLog
from negoplatform.eventlog.reader import read_whole_part


def where_the_log_is(path: Path, last_hash: str, *, ended: bool) -> str:
    """What is said of a log when it is closed. Only that of a whole session is worth a note of its hash."""
    if not ended:
        return f"Log so far: {path} (not finished)"
    return f"Log: {path}, last hash {last_hash}" if last_hash else f"Log: {path}"


def tell_log(log: GuardedLog) -> None:
    """Prints it at once: a program may be killed long after its session was over."""
    _say(where_the_log_is(log.path, log.last_hash, ended=log.ended))


def close_and_tell(path: Path) -> None:
    """Ends an interrupted session, and prints the same of its log.

    Raises:
        NegoError: If it cannot be closed.
    """
    close_interrupted(path)
    closed = read_whole_part(path)
    _say(where_the_log_is(closed.path, closed.last_hash, ended=True))


def _say(sentence: str) -> None:
    # Whoever listened may be gone, and what they read may lack a letter: no reason to stop a session.
    with suppress(OSError, ValueError):
        # In one piece with its line break, as other threads print too.
        print(f"{sentence}\n", end="", flush=True)
