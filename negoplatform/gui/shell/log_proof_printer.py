"""Where a session's log is, and the hash that proves it: printed, and kept among the receipts."""

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
    """What is said of a log when it is closed. Only that of a whole session is worth a note of its hash."""
    if not ended:
        return f"Log so far: {path} (not finished)"
    return f"Log: {path}, last hash {last_hash}" if last_hash else f"Log: {path}"


class LogProofPrinter:
    """Tells where logs are; no session stops for it.

    Args:
        data_dir: Where the receipts are kept.
        report: Is given what a proof would have said, if it cannot be kept.
    """

    def __init__(self, data_dir: Path, report: Callable[[BaseException], object]) -> None:
        self._data_dir = data_dir
        self._report = report

    def print_proof(self, log: FailoverLog, participant: str) -> None:
        """Prints it at once: a program may be killed long after its session was over."""
        _print_line(log_location_text(log.path, log.last_hash, ended=log.ended))
        if log.ended:
            self._append_proof(LogProof(log.path, participant, log.events, log.last_hash))

    def close_and_print(self, path: Path) -> None:
        """Ends an interrupted session, and tells the same of its log.

        Raises:
            NegoError: If it cannot be closed.
        """
        close_interrupted(path)
        closed = read_whole_part(path)
        _print_line(log_location_text(closed.path, closed.last_hash, ended=True))
        codes = [who.participant for who in closed.header.seats.values() if who.participant]
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


def _print_line(sentence: str) -> None:
    # Whoever listened may be gone, and what they read may lack a letter: no reason to stop a session.
    with suppress(OSError, ValueError):
        # In one piece with its line break, as other threads print too.
        print(f"{sentence}\n", end="", flush=True)
