"""A log in memory, for live tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from negoplatform.core.events import Event
from negoplatform.domain.errors import LogWriteError
from negoplatform.eventlog.failover import LogRelocation


def _give_up(error: LogWriteError) -> bool:
    return False


@dataclass
class Ledger:
    """A log in memory, whose disk is full for some types of event."""

    full_for: frozenset[str] = frozenset()
    closes: bool = True
    events: list[Event] = field(default_factory=list)
    closed: int = 0
    sync_due: float | None = None

    def __post_init__(self) -> None:
        self.on_unwritable: Callable[[LogWriteError], bool] = _give_up

    def write(self, event: Event) -> None:
        assert not self.closed, "nothing is written once the log is closed"
        if event.type in self.full_for:
            raise LogWriteError("The disk is full; everything before is kept.")
        self.events.append(event)

    def sync(self) -> None:
        """Do nothing: memory needs no sync."""

    def take_relocations(self) -> list[LogRelocation]:
        return []

    def close(self) -> None:
        self.closed += 1
        if not self.closes:
            raise LogWriteError("The log cannot be closed.")
