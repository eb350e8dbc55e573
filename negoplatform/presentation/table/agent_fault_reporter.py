"""What an agent does wrong, told at once to the author who is writing it; participants are told nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue

from negoplatform.core.events import Event, Failure, FailureKind, Note
from negoplatform.core.notes import NoteKind
from negoplatform.formats.strict_json import single_line
from negoplatform.hosting.agent_process_proxy import output_name
from negoplatform.presentation.formatting import displayable
from negoplatform.presentation.i18n import Language

MAX_PRINTED_LENGTH = 2000
"""Characters that are printed in a terminal."""


@dataclass(frozen=True, slots=True)
class _AgentFault:
    """What was wrong, where more is kept, and whether the agent was started anew after it."""

    reason: str
    details_file: Path | None
    restarted: bool = False


class AgentFaultReporter:
    """Hears of failures on the table's thread, and puts them into words on the window's.

    Args:
        name: The agent's file, as people know it.
        folder: Says where the session's log is now; what hangs says beside it where it stood.
        keep: Keeps an error in a crash file, and says in which; None: in none.
    """

    def __init__(
        self, name: str, folder: Callable[[], Path], write_crash_file: Callable[[BaseException], Path | None]
    ) -> None:
        self._name = name
        self._folder = folder
        self._write_crash_file = write_crash_file
        self._crash_file: Path | None = None
        self._queue: SimpleQueue[_AgentFault | None] = SimpleQueue()
        self._newest: _AgentFault | None = None
        self.last_message = ""
        """The newest failure in words; empty if there was none."""

    def record_error(self, error: BaseException) -> None:
        """Keeps an error; the failure that it is behind is heard of right after."""
        self._crash_file = self._write_crash_file(error)

    def on_event(self, event: Event) -> None:
        """Something happened at the table, be it for anybody's eyes or not."""
        match event.payload:
            case Failure(seat=seat, reason=reason, kind=kind):
                kept, self._crash_file = self._crash_file, None
                output = self._folder() / output_name(seat)
                if kind is FailureKind.LOST and output.exists() and output.stat().st_size:
                    kept = output
                self._queue.put(_AgentFault(reason, kept))
            case Note(kind=NoteKind.AGENT_RESTARTED):
                self._queue.put(None)

    def poll_message(self, translate: Language) -> str:
        """What was heard of since the last time, in words; empty if nothing was."""
        before = self._newest
        with suppress(Empty):
            while True:
                heard = self._queue.get_nowait()
                if heard is not None:
                    self._newest = heard
                elif self._newest is not None:
                    self._newest = replace(self._newest, restarted=True)
        if self._newest is None or self._newest is before:
            return ""
        self.last_message = self._message_text(self._newest, translate)
        # A terminal that was closed since then is no reason to fail.
        with suppress(OSError, ValueError):
            print(single_line(self.last_message, MAX_PRINTED_LENGTH), flush=True)
        return self.last_message

    def _message_text(self, fault: _AgentFault, translate: Language) -> str:
        parts = [f"{self._name}: {displayable(fault.reason)}"]
        if fault.restarted:
            parts.append(translate("It was restarted."))
        if fault.details_file is not None:
            parts.append(translate("Details are in {file}", file=displayable(str(fault.details_file))))
        return " ".join(parts)
