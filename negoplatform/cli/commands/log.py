"""Commands for log files: log verify, log repair, log export-clean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

import click

from negoplatform.app.session.log_proofs import PROOFS_FILE, read_proofs
from negoplatform.cli.terminal_output import echo_line
from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.damaged_log_salvage import salvage
from negoplatform.eventlog.disk_calls import LOG_NAME, MOVED_NAME
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.log_file_io import read_redirect
from negoplatform.eventlog.reader import ValidPrefix, read_whole_part
from negoplatform.eventlog.replay import steps
from negoplatform.eventlog.writer import LogWriter

HASH = re.compile("[0-9a-fA-F]{64}")
"""Form of a last hash on the command line."""

LOG = click.Path(path_type=Path)


@click.group(name="log", no_args_is_help=False)
def log_group() -> None:
    """Verify and repair logs. LOG is a log file or a session's folder."""


@log_group.command(name="verify")
@click.argument("logs", metavar="LOG…", nargs=-1, required=True, type=LOG)
@click.option(
    "--last",
    metavar="HASH",
    default=None,
    help="The last hash, noted when the session ended: finds lines missing at the end too.",
)
@click.option(
    "--receipts",
    metavar="PATH",
    default=None,
    type=click.Path(path_type=Path),
    help="A copy of a data folder's receipts.txt, or a folder with such copies in it: the log of each line "
    "must be among these logs, unchanged.",
)
def verify_command(logs: tuple[Path, ...], last: str | None, receipts: Path | None) -> int:
    """Check the hash of each line and replay the log by the rules.

    The exit code is 1 if any log is damaged. Lines missing at the very end can only be detected with --last
    or --receipts. For a folder of sessions, every log in it is checked.

    Example: negoplatform log verify sessions/20250131-120000-practice-P01-0123456789ab
    """
    meant = list(_expand_folders(logs))
    if last is not None and len(meant) > 1:
        raise click.UsageError("--last is the hash of one log; name that log alone.")
    if last is not None and not HASH.fullmatch(last.strip()):
        raise click.UsageError("--last is no hash: it has 64 digits, 0 to 9 and a to f.")
    failed = False
    hashes = set()
    for path in meant:
        try:
            part = read_whole_part(path)
            echo_line(_verdict(part, last))
            hashes.add(part.last_hash)
        except NegoError as found:
            problem = _with_salvage_hint(found) if isinstance(found, InputFileError) else found
            failed = True
            echo_line(f"negoplatform: {problem}", err=True)
    if receipts is not None and not _check_proofs(receipts, hashes):
        failed = True
    return 1 if failed else 0


@log_group.command(name="repair")
@click.argument("log", metavar="LOG", type=LOG)
def repair_command(log: Path) -> None:
    """Remove a cut-off last line and keep it in a separate file next to the log.

    A log that is damaged elsewhere is not changed: use export-clean.
    """
    try:
        found = LogWriter.reopen(log)
    except InputFileError as problem:
        raise _with_salvage_hint(problem) from None
    found.writer.close()
    events = _counted(len(found.log.events), "event")
    if found.torn_file is None:
        echo_line(f"{found.log.path} is whole, with {events}; nothing was changed.")
    else:
        echo_line(
            f"{found.log.path} is whole again, with {events}; its cut-off end "
            f"({_counted(found.torn_bytes, 'byte')}) is in {found.torn_file}."
        )


@log_group.command(name="export-clean")
@click.argument("log", metavar="LOG", type=LOG)
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path, dir_okay=False))
def export_clean_command(log: Path, out: Path) -> None:
    """Write the valid part of a damaged log to a new file. The log itself is not changed."""
    clean = salvage(log)
    atomic_write(out, clean.data, private=True)
    said = f"{out} holds lines 1 to {clean.lines} of {clean.path} ({_counted(clean.lines - 1, 'event')})"
    if not clean.bytes_left_out:
        echo_line(f"{said}, which is all of it.")
        return
    problem = clean.problem
    why = f"{problem.where}: {problem.reason}" if problem else "the last line is cut off"
    echo_line(f"{said}; left out: {_counted(clean.bytes_left_out, 'byte')} ({why}).")


def _expand_folders(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the given logs and session folders, and for any other folder the logs in it."""
    for path in paths:
        has_none = path.is_dir() and not (path / LOG_NAME).exists()
        yield from (sorted(path.rglob(LOG_NAME)) if has_none else []) or [path]


def _check_proofs(place: Path, hashes: Set[str]) -> bool:
    """Return whether every receipt's log is present and unchanged; print those that are not.

    Args:
        place: The receipts, or a folder with one or more files of them; an empty file is the wrong one, or an
            incomplete copy.
        hashes: The last hashes of the valid logs.
    """
    files = sorted(place.rglob(PROOFS_FILE)) if place.is_dir() else [place]
    count, sound = 0, True
    for file, noted in ({file: list(read_proofs(file)) for file in files} or {place: []}).items():
        count += len(noted)
        missing = [entry for entry in noted if entry.last_hash not in hashes]
        sound = sound and bool(noted) and not missing
        for entry in missing:
            echo_line(
                f"negoplatform: {file} at line {entry.line}: no sound log here ends with the hash that was "
                f"noted, so that log was changed, or it is not here: {' '.join(entry.text.split())}",
                err=True,
            )
        if not noted:
            echo_line(
                f"negoplatform: {file} holds no receipt, so nothing was compared: name a copy of a data "
                f"folder's {PROOFS_FILE}.",
                err=True,
            )
    if sound:
        echo_line(f"{place}: {_counted(count, 'receipt')}, and the logs are here as they were then")
    return sound


def _verdict(part: ValidPrefix, last: str | None) -> str:
    """Return the verdict on a valid log.

    Raises:
        NegoError: If the log is not valid.
    """
    end: Event | None = None
    for step in steps(part):
        end = step.event if step.event.type == EventType.GAME_END else end
    if part.torn_bytes:
        _raise_torn(part)
    if last is not None:
        _check_last(part, last)
    finished = f"finished ({end.payload.ended_by.value})" if end else "not finished"
    proof = f"last hash {part.last_hash}" if part.last_hash else "no hashes, as it is of the first format"
    return (
        f"{part.path}: sound; {_counted(part.lines, 'line')}, {_counted(len(part.events), 'event')}, "
        f"{finished}, {proof}{_continuation_text(part.path)}"
    )


def _continuation_text(path: Path) -> str:
    """Return a sentence that the session continues in another log; empty if it does not."""
    note = read_redirect(path)
    if note is None:
        return ""
    return f"; the session's log goes on elsewhere: {note.target or f'{MOVED_NAME} does not say where'}"


def _raise_torn(part: ValidPrefix) -> None:
    reason = (
        f"this last line is cut off after {_counted(part.torn_bytes, 'byte')}; the "
        f"{_counted(part.lines, 'line')} before it are sound"
    )
    if is_being_written(part.path):
        reason += ", and the log is being written: look again when the session is over"
    else:
        reason += ", and negoplatform log repair sets the rest aside"
    raise NegoError(f"{part.path} at line {part.lines + 1}: {reason}.")


def _check_last(part: ValidPrefix, last: str) -> None:
    last = last.strip().lower()
    if not part.last_hash:
        raise NegoError(f"{part.path} is of the first format, which has no hashes.")
    if last == part.last_hash:
        return
    data = part.path.read_bytes()[: part.length]
    before, found, _ = data.partition(f'"hash":"{last}"}}\n'.encode())
    if found:
        number = before.count(b"\n") + 1
        raise NegoError(
            f"{part.path} goes on after the hash that was noted: that is in line {number} of {part.lines}."
        )
    raise NegoError(
        f"{part.path} does not hold the hash that was noted: lines are missing at its end, or it is another "
        "log."
    )


def _with_salvage_hint(problem: InputFileError) -> InputFileError:
    if not problem.where.startswith("line ") or problem.where.split(",")[0] == "line 1":
        return problem
    return InputFileError(
        problem.path,
        problem.where,
        f"{problem.reason}; the log was left as it is, and negoplatform log export-clean writes the lines "
        "before to a new file",
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
