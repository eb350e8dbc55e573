"""A bench on which programs are killed, disks are full for a while, and agents hear everything again."""

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
    """The program ends here, whatever it was doing: no handler of errors may hold it up."""


class FaultyBench(Bench):
    """A bench whose session may be killed in the middle of anything, and goes on from the log's lines.

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
            raise Killed  # what a program still does while it is being killed reaches nobody
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
        """Tries something; if the program is killed over it, another one takes up the session."""
        self._depth += 1
        try:
            return super().attempt(act)
        except Killed:
            if self._depth > 1:
                raise  # the whole program goes, not only this call
        finally:
            self._depth -= 1
        self.recover()
        return Outcome.NOT_WRITTEN

    def recover(self, torn_bytes: int = 0) -> None:
        """Drops the session, reads its log again, and goes on with it.

        Nobody was told of anything that is lost: what was published is a beginning of what was read.
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
        restored = list(self.session.restore(events))
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
        """What was done to the session, and what it acknowledged and lost over it."""
        return {
            "acts": self.attempts,
            "kills": self.kills,
            "failed writes": self.failed_writes,
            "acknowledged": len(self.published),
            "lost": self.lost,
        }

    def heard_again(self, observer: Observer) -> State:
        """What an observer knows who has heard everything again from the beginning, as a restart does."""
        state = self._first_view(observer)
        for line in self.lines:
            shown = visible_event(decode_event(line, "log", "line")[0], observer)
            if shown is not None:
                state = apply(state, shown, self.mechanism)
        return state
