"""Commands for log files: log verify, log repair, log export-clean."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from negoplatform.app.session.log_proofs import (
    OLD_PROOFS_FILE,
    PROOFS_FILE,
    LogProofs,
    ProofEntry,
    proof_files,
    read_proofs,
)
from negoplatform.cli.run_context import RunContext
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
    "--proofs",
    "--receipts",  # the earlier name
    "proofs",
    metavar="PATH",
    default=None,
    type=click.Path(path_type=Path),
    help="A copy of a data folder's proofs.txt, or a folder with such copies in it: the log of each line "
    "must be among these logs, unchanged.",
)
@click.pass_context
def verify_command(ctx: click.Context, logs: tuple[Path, ...], last: str | None, proofs: Path | None) -> int:
    """Check the hash of each line, replay the log by the rules, and compare it with its proof.

    The proofs in the log's data folder and in your own are used, and the output says whether there is one.
    The exit code is 1 if any log is damaged, or is not as its proof says. A person who can write both can
    change both: only a copy that was kept elsewhere, with --proofs, or a hash, with --last, reveals that.
    For a folder of sessions, every log in it is checked, and every proof of a log in it.

    Example: negoplatform log verify sessions/20250131-120000-practice-P01-0123456789ab
    """
    meant = list(_expand_folders(logs))
    if last is not None and len(meant) > 1:
        raise click.UsageError("--last is the hash of one log; name that log alone.")
    if last is not None and not HASH.fullmatch(last.strip()):
        raise click.UsageError("--last is no hash: it has 64 digits, 0 to 9 and a to f.")
    verification = _Verification()
    data_dir = ctx.ensure_object(RunContext).data_dir_or_none
    below = [file for path in logs if path.is_dir() for file in sorted(path.rglob(PROOFS_FILE))]
    verification.load([*below, *(file for path in meant for file in proof_files(path, data_dir))])
    if proofs is not None:
        verification.load_given(proofs)
    for path in meant:
        verification.verify(path, last)
    verification.check_logs_are_here([path for path in logs if path.is_dir()])
    if proofs is not None:
        verification.check_given(proofs)
    return 1 if verification.failed else 0


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


class _Verification:
    """Verification of some logs, by themselves and by their proofs."""

    def __init__(self) -> None:
        self.failed = False
        self._given: dict[Path, list[ProofEntry]] = {}
        self._found: list[ProofEntry] = []
        self._proofs = LogProofs()
        self._hashes: set[str] = set()
        self._failed_places: set[Path] = set()
        self._named: set[ProofEntry] = set()

    def load(self, files: Iterable[Path]) -> None:
        """Read the proofs that belong to the logs."""
        for file in {os.path.realpath(file): file for file in files}.values():
            try:
                self._found += read_proofs(file)
            except InputFileError as problem:
                self._fail(problem)
        self._proofs = LogProofs(self._found)

    def load_given(self, place: Path) -> None:
        """Read the proofs in a file, or in one or more files in a folder.

        Raises:
            InputFileError: If they cannot be read.
        """
        files = [place]
        if place.is_dir():
            files = sorted(file for name in (PROOFS_FILE, OLD_PROOFS_FILE) for file in place.rglob(name))
        self._given = {file: list(read_proofs(file)) for file in files} or {place: []}
        given = [entry for entries in self._given.values() for entry in entries]
        self._proofs = LogProofs([*given, *self._found])

    def verify(self, path: Path, last: str | None) -> None:
        """Print the verdict on a log."""
        try:
            part = read_whole_part(path)
            verdict = _verdict(part, last)
            self._hashes.add(part.last_hash)
            # One that is reported here is not reported as missing as well.
            self._named.update(self._proofs.naming(part))
            entry = self._proofs.check(part)
        except NegoError as found:
            log = path / LOG_NAME if path.is_dir() else path
            self._failed_places.add(Path(os.path.realpath(log)))
            problem = _with_salvage_hint(found) if isinstance(found, InputFileError) else found
            self._fail(f"{str(problem).rstrip('.')}{_continuation_text(log)}.")
            return
        proof = "no proof found" if entry is None else f"as its proof says ({entry})"
        echo_line(f"{verdict}, {proof}{_continuation_text(part.path)}")

    def check_logs_are_here(self, folders: Iterable[Path]) -> None:
        """Print the proofs in the data folder of which the log was in one of these folders, and is not."""
        places = [Path(os.path.realpath(folder)) for folder in folders]
        for entry in self._found:
            if entry.place is None or entry.last_hash in self._hashes or entry in self._named:
                continue
            there = Path(os.path.realpath(entry.place))
            if there not in self._failed_places and any(there.is_relative_to(place) for place in places):
                self._report_missing(entry)

    def check_given(self, place: Path) -> None:
        """Print whether the log of each given proof is among the valid ones.

        An empty file is the wrong one, or an incomplete copy.
        """
        count, sound = 0, True
        for file, noted in self._given.items():
            count += len(noted)
            missing = [entry for entry in noted if entry.last_hash not in self._hashes]
            sound = sound and bool(noted) and not missing
            for entry in missing:
                if entry not in self._named:
                    self._report_missing(entry)
            if not noted:
                self._fail(
                    f"{file} holds no proof, so nothing was compared: name a copy of a data folder's "
                    f"{PROOFS_FILE}."
                )
        if sound:
            echo_line(f"{place}: {_counted(count, 'proof')}, and the logs are here as they were then")

    def _report_missing(self, entry: ProofEntry) -> None:
        self._fail(
            f"{entry}: no sound log here ends with the hash that was noted, so that log was changed, or it "
            f"is not here: {' '.join(entry.text.split())}"
        )

    def _fail(self, problem: object) -> None:
        self.failed = True
        echo_line(f"negoplatform: {problem}", err=True)


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
    return (
        f"{part.path}: sound; {_counted(part.lines, 'line')}, {_counted(len(part.events), 'event')}, "
        f"{finished}, last hash {part.last_hash}"
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
