"""Session under test with killed programs, full disks, and agents that receive all events again."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.core.bus import EventBus
from negoplatform.core.events import Event
from negoplatform.core.fold import apply
from negoplatform.core.session import Session
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.errors import LogWriteError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.formats.events import decode_event
from tests.core.session_builder import Bench, Outcome


class Killed(BaseException):
    """End of the program, whatever it is doing: no error handler may delay it."""


class FaultyBench(Bench):
    """Bench whose session may be killed at any point, and is resumed from the log's lines.

    Args:
        game: The game.
    """

    def __init__(self, game: GameSpec) -> None:
        super().__init__(game)
        self.is_full = False
        self.kill_at_write: tuple[int, bool] | None = None
        self.kills = 0
        self.lost = 0
        self._dead = False
        self._depth = 0

    def _write(self, event: Event) -> None:
        if self._dead:
            raise Killed  # a program that is being killed writes nothing more
        if self.is_full:
            raise self._no_room()
        if self.kill_at_write is None:
            super()._write(event)
            return
        left, written = self.kill_at_write
        self.kill_at_write = (left - 1, written) if left else None
        if left or written:
            super()._write(event)
        if not left:
            self._dead = True
            raise Killed

    def attempt(self, act: Callable[[], object]) -> Outcome:
        """Try an action; if the program is killed during it, another program resumes the session."""
        self._depth += 1
        try:
            return super().attempt(act)
        except Killed:
            if self._depth > 1:
                raise  # the whole program ends, not only this call
        finally:
            self._depth -= 1
        self.recover()
        return Outcome.NOT_WRITTEN

    def recover(self, torn_bytes: int = 0) -> None:
        """Drop the session, read its log again, and continue it.

        No lost event has been published: the published events are a beginning of those read.
        """
        self.kills += 1
        events = [decode_event(line, "log", "line")[0] for line in self.lines]
        bus = EventBus()
        bus.subscribe(self.published.append)
        bus.subscribe(self._react)
        self.session = Session(
            self.game,
            mechanism=self.mechanism,
            clock=lambda: self.clock,
            log=self._write,
            publish=bus.publish,
            report=self.errors.append,
        )
        restored = self.session.restore(events)
        same = sum(one == other for one, other in zip(restored, self.published, strict=False))
        self.lost += len(self.published) - same
        assert not self.lost, "an acknowledged event is lost"
        self.published[:] = restored
        self._dead = False
        self.kill_at_write = self.reaction = None
        self._follow()
        assert self.session.state == self.folded
        if self.session.state.phase is not Phase.SETUP:
            self._go_on(torn_bytes)

    def _go_on(self, torn_bytes: int) -> None:
        self.unsure = False
        try:
            self.session.resume(torn_bytes)
        except Refused:
            assert self.is_over
        except LogWriteError:
            self.unsure = True
        self._follow()

    def counts(self) -> dict[str, int]:
        """Return the numbers of attempts and faults, and of the events that were acknowledged and lost."""
        return {
            "acts": self.attempts,
            "kills": self.kills,
            "failed writes": self.failed_writes,
            "acknowledged": len(self.published),
            "lost": self.lost,
        }

    def heard_again(self, observer: Observer) -> State:
        """Return the state of an observer who receives every event again, as after a restart."""
        state = self._first_view(observer)
        for line in self.lines:
            shown = visible_event(decode_event(line, "log", "line")[0], observer)
            if shown is not None:
                state = apply(state, shown, self.mechanism)
        return state
