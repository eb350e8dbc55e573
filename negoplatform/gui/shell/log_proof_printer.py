"""The location of a session's log and the hash that proves it, printed and added to the proofs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from negoplatform.app.session.log_proofs import PROOFS_FILE, LogProof, append_proof
from negoplatform.app.session.resume import close_interrupted
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.reader import read_whole_part


def log_location_text(path: Path, last_hash: str, *, ended: bool) -> str:
    """Return the line printed for a closed log; only a finished session's line contains the hash."""
    if not ended:
        return f"Log so far: {path} (not finished)"
    return f"Log: {path}, last hash {last_hash}" if last_hash else f"Log: {path}"


class LogProofPrinter:
    """Printer of log locations; its errors never stop a session.

    Args:
        data_dir: The folder of the file of proofs.
        report: Called with an error that contains the proof if it cannot be saved.
    """

    def __init__(self, data_dir: Path, report: Callable[[BaseException], object]) -> None:
        self._data_dir = data_dir
        self._report = report

    def print_proof(self, log: FailoverLog, participant: str) -> None:
        """Print the log's location at once: the program may be killed long after its session is over."""
        print_line(log_location_text(log.path, log.last_hash, ended=log.ended))
        if log.ended:
            self._append_proof(LogProof(log.path, participant, log.events, log.last_hash))

    def close_and_print(self, path: Path) -> None:
        """Close an interrupted session and print its log's location.

        Raises:
            NegoError: If it cannot be closed.
        """
        close_interrupted(path, self._data_dir)
        closed = read_whole_part(path)
        print_line(log_location_text(closed.path, closed.last_hash, ended=True))
        codes = [seat.participant for seat in closed.header.seats.values() if seat.participant]
        self._append_proof(LogProof(closed.path, ", ".join(codes), len(closed.events), closed.last_hash))

    def _append_proof(self, proof: LogProof) -> None:
        if not proof.last_hash:
            return
        try:
            append_proof(self._data_dir, proof)
        except OSError as error:
            self._report(
                NegoError(
                    f"{self._data_dir / PROOFS_FILE} cannot be written ({error.strerror or error}); "
                    f"the last hash of {proof.log} is {proof.last_hash}."
                )
            )


def print_line(sentence: str) -> None:
    """Print a sentence of the window to the terminal, if there is one."""
    # The reader of the pipe may be gone, and the encoding may lack a character: no reason to stop a session.
    with suppress(OSError, ValueError):
        # In one piece with its line break: other threads print too.
        print(f"{sentence}\n", end="", flush=True)
