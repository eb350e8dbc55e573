"""Reports of an agent's failures to its author while the file is edited; participants never see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue

from negoplatform.core.events import Ending, Event, Failure, FailureKind, Note, Refusal
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.strict_json import single_line
from negoplatform.hosting.agent_process_proxy import output_name
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable

PRINTED_REFUSALS = 3
"""Number of refused actions of an agent in a session that are printed with their reasons."""

MAX_PRINTED_LENGTH = 2000
"""Maximum number of characters printed in a terminal."""


@dataclass(frozen=True, slots=True)
class _AgentFault:
    """Failure of an agent: seat, reason, file with details, and whether it was restarted afterwards."""

    seat: Seat
    reason: str
    details_file: Path | None
    restarted: bool = False


@dataclass(frozen=True, slots=True)
class _RefusedAction:
    """Action of an agent that the rules refused, with the reason."""

    seat: Seat
    action: str
    reason: str


class AuthorFaultReporter:
    """Reporter of failures: collects them on the table's thread, and words them on the window's.

    Refused actions are printed in the terminal alone: the first of each agent with the reason, and their
    number once the game is over.

    Args:
        names: Display name of each agent's file by seat.
        folder: Returns the log's current folder, which also has the agent's output file.
        write_crash_file: Writes an error to a crash file and returns its path; None if there is none.
    """

    def __init__(
        self,
        names: Mapping[Seat, str],
        folder: Callable[[], Path],
        write_crash_file: Callable[[BaseException], Path | None],
    ) -> None:
        self._names = names
        self._folder = folder
        self._write_crash_file = write_crash_file
        self._crash_file: Path | None = None
        self._queue: SimpleQueue[_AgentFault | _RefusedAction | Ending | Seat] = SimpleQueue()
        self._refused: Counter[Seat] = Counter()
        self._newest: _AgentFault | None = None
        self.last_message = ""
        """Latest failure in words; empty if there was none."""

    def record_error(self, error: BaseException) -> None:
        """Write an error to a crash file; the failure that it caused is reported right after."""
        self._crash_file = self._write_crash_file(error)

    def on_event(self, event: Event) -> None:
        """Collect a failure or a restart from an event, visible or not."""
        match event.payload:
            case Failure(seat=seat, reason=reason, kind=kind):
                kept, self._crash_file = self._crash_file, None
                output = self._folder() / output_name(seat)
                if kind is FailureKind.LOST and output.exists() and output.stat().st_size:
                    kept = output
                self._queue.put(_AgentFault(seat, reason, kept))
            case Refusal(action=action, reason=reason) if event.to and event.to[0] in self._names:
                self._queue.put(_RefusedAction(event.to[0], action, reason))
            case Ending() as ending:
                self._queue.put(ending)
            case Note(kind=NoteKind.AGENT_RESTARTED, data=data):
                self._queue.put(str(data["seat"]))

    def poll_message(self, translate: Language) -> str:
        """Return the latest failure since the last call in words; empty if there was none."""
        before = self._newest
        with suppress(Empty):
            while True:
                heard = self._queue.get_nowait()
                if isinstance(heard, _AgentFault):
                    self._newest = heard
                elif isinstance(heard, _RefusedAction):
                    self._print_refusal(heard)
                elif isinstance(heard, Ending):
                    self._print_refusal_counts()
                elif self._newest is not None and self._newest.seat == heard:
                    self._newest = replace(self._newest, restarted=True)
        if self._newest is None or self._newest is before:
            return ""
        self.last_message = self._message_text(self._newest, translate)
        _print(self.last_message)
        return self.last_message

    def _print_refusal(self, refused: _RefusedAction) -> None:
        self._refused[refused.seat] += 1
        if self._refused[refused.seat] <= PRINTED_REFUSALS:
            _print(
                f"{self._names[refused.seat]}: {refused.action} was refused: {displayable(refused.reason)}"
            )

    def _print_refusal_counts(self) -> None:
        for seat, count in self._refused.items():
            if count > PRINTED_REFUSALS:
                _print(f"{self._names[seat]}: {count} actions were refused in this session.")
        self._refused.clear()

    def _message_text(self, fault: _AgentFault, translate: Language) -> str:
        # Assistants and principals fail too; they have no seat.
        name = self._names.get(fault.seat) or displayable(fault.seat)
        parts = [f"{name}: {displayable(fault.reason)}"]
        if fault.restarted:
            parts.append(translate("It was restarted."))
        if fault.details_file is not None:
            parts.append(translate("Details are in {file}", file=displayable(str(fault.details_file))))
        return " ".join(parts)


def _print(message: str) -> None:
    # A terminal that was closed meanwhile must not cause a failure.
    with suppress(OSError, ValueError):
        print(single_line(message, MAX_PRINTED_LENGTH), flush=True)
