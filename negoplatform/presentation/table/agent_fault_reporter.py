"""What an agent does wrong, told at once to the author who is writing it; participants are told nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue

from negoplatform.core.events import Event, Failure, FailureKind, Note
from negoplatform.core.notes import NoteKind
from negoplatform.formats.strict_json import in_one_line
from negoplatform.hosting.agent_process_proxy import output_name
from negoplatform.presentation.formatting import drawable
from negoplatform.presentation.i18n import Language

LONGEST = 2000
"""Characters that are printed in a terminal."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """What was wrong, where more is kept, and whether the agent was started anew after it."""

    reason: str
    kept: Path | None
    anew: bool = False


class Faults:
    """Hears of failures on the table's thread, and puts them into words on the window's.

    Args:
        name: The agent's file, as people know it.
        folder: Says where the session's log is now; what hangs says beside it where it stood.
        keep: Keeps an error in a crash file, and says in which; None: in none.
    """

    def __init__(
        self, name: str, folder: Callable[[], Path], keep: Callable[[BaseException], Path | None]
    ) -> None:
        self._name = name
        self._folder = folder
        self._keep = keep
        self._kept: Path | None = None
        self._heard: SimpleQueue[_Fault | None] = SimpleQueue()
        self._newest: _Fault | None = None
        self.last = ""
        """The newest failure in words; empty if there was none."""

    def report(self, error: BaseException) -> None:
        """Keeps an error; the failure that it is behind is heard of right after."""
        self._kept = self._keep(error)

    def hear(self, event: Event) -> None:
        """Something happened at the table, be it for anybody's eyes or not."""
        match event.payload:
            case Failure(seat=seat, reason=reason, kind=kind):
                kept, self._kept = self._kept, None
                output = self._folder() / output_name(seat)
                if kind is FailureKind.LOST and output.exists() and output.stat().st_size:
                    kept = output
                self._heard.put(_Fault(reason, kept))
            case Note(kind=NoteKind.AGENT_RESTARTED):
                self._heard.put(None)

    def told(self, say: Language) -> str:
        """What was heard of since the last time, in words; empty if nothing was."""
        before = self._newest
        with suppress(Empty):
            while True:
                heard = self._heard.get_nowait()
                if heard is not None:
                    self._newest = heard
                elif self._newest is not None:
                    self._newest = replace(self._newest, anew=True)
        if self._newest is None or self._newest is before:
            return ""
        self.last = self._in_words(self._newest, say)
        # A terminal that was closed since then is no reason to fail.
        with suppress(OSError, ValueError):
            print(in_one_line(self.last, LONGEST), flush=True)
        return self.last

    def _in_words(self, fault: _Fault, say: Language) -> str:
        parts = [f"{self._name}: {drawable(fault.reason)}"]
        if fault.anew:
            parts.append(say("It was restarted."))
        if fault.kept is not None:
            parts.append(say("Details are in {file}", file=drawable(str(fault.kept))))
        return " ".join(parts)
