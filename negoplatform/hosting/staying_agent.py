"""Agents that play several games in a row: kept between the games, or created again by a replay of them.

An agent is used again after a game if it is still running and has received everything that its seat saw.
Otherwise (its process or the program was lost, or a fallback agent took its seat), a new agent of the same
class receives the inputs of the earlier games in order, from their logs, and its acts are compared with the
logs. An agent that a fallback agent replaced remembers the game up to that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from negoplatform.core.agent_lifecycle import AgentPhase
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record, parse_template
from negoplatform.core.session import Session
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentGame
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.kept_responder import KeptResponder
from negoplatform.hosting.logged_step_matching import Divergence
from negoplatform.hosting.responder import (
    LastingResponder,
    LostResponder,
    Responder,
    SeatAssignment,
    replayed_responder,
)

DRAIN_MARGIN = 1.0
"""Seconds beyond its budget in which an agent may still receive the rest of a game that is over."""

R = TypeVar("R", bound=LastingResponder)


@dataclass(frozen=True, slots=True)
class ReplayableGame:
    """Game that an agent has played, with everything that a replay of it needs.

    Args:
        game: The game; its ``config`` has all settings of the agent in it.
        events: The events of its log.
        timing: Timing of the agent's scripts in it.
        budget: The agent's budget in it.
    """

    game: AgentGame
    events: tuple[Event, ...]
    timing: AgentTiming
    budget: AgentBudget


@dataclass(frozen=True, slots=True)
class MemoryDifference:
    """Departure of an agent from the log of an earlier game that it replayed.

    Args:
        session_id: The id of that session.
        divergence: The departure.
    """

    session_id: str
    divergence: Divergence


class EarlierGames(Generic[R]):
    """Earlier games of an agent, which another agent of the same class can replay.

    Args:
        games: The games, oldest first.
        spawn: Starts a fresh agent in its first game, or raises NegoError.
    """

    def __init__(self, games: Sequence[ReplayableGame], spawn: Callable[[AgentGame], R]) -> None:
        self.differences: list[MemoryDifference] = []
        """Departures from the logs, in the order of the games."""
        self._games = tuple(games)
        self._spawn = spawn

    def replay_into(self, game: AgentGame) -> R:
        """Return a fresh agent at the beginning of a game that follows all of these.

        Raises:
            NegoError: If the agent cannot be started or is lost on the way.
        """
        self.differences.clear()
        return self._before(len(self._games), game)

    def replay_all(self) -> None:
        """Replay all games with a fresh agent, and stop it.

        Raises:
            NegoError: If the agent cannot be started or is lost on the way.
        """
        self.differences.clear()
        self._after(len(self._games) - 1).stop()

    def _before(self, n: int, game: AgentGame) -> R:
        """Return a fresh agent at the beginning of a game, after a replay of the first n games."""
        if n == 0:
            return self._spawn(game)
        responder = self._after(n - 1)
        try:
            # Settings are given again only where they differ: the recorded responses of a language model.
            same = self._games[n - 1].game.config == game.config
            responder.begin_next(game.without_config() if same else game)
        except BaseException:
            responder.stop()
            raise
        return responder

    def _after(self, n: int) -> R:
        """Return a fresh agent at the end of a game, after a replay of it and all games before it."""
        played = self._games[n]
        made: list[R] = []

        def make() -> Responder:
            made.append(self._before(n, played.game))
            return made[-1]

        replay, whole = _replay(played, SeatAssignment(make, played.budget))
        found = replay.differences(_ended_at(played) if whole else None)
        session = played.game.session_id
        self.differences += [MemoryDifference(session, one) for one in sorted(found, key=lambda one: one.seq)]
        supervisor, responder = replay.supervisor, replay.responder
        if supervisor.lifecycle.phase is AgentPhase.LOST or not made or responder is not made[-1]:
            responder.stop()
            past, rest = supervisor.history.split_for_restart()
            responder = replayed_responder(make, [*past, *rest])
        if isinstance(responder, LostResponder):
            raise NegoError(
                f"The agent at {played.game.seat!r} could not replay its earlier games: {responder.reason}"
            )
        return made[-1]


class StayingAgent(Generic[R]):
    """Agent of a seat that has played earlier games, or will play further ones.

    Args:
        game: The game that it plays now.
        spawn: Starts a fresh agent in its first game, or raises NegoError.
        played: The games that it has played, oldest first.
        living: Its responder in the last of them, if that may still be running.
    """

    def __init__(
        self,
        game: AgentGame,
        spawn: Callable[[AgentGame], R],
        *,
        played: Sequence[ReplayableGame] = (),
        living: KeptResponder[R] | None = None,
    ) -> None:
        self.game = game
        self._earlier = EarlierGames(played, spawn)
        self._kept: KeptResponder[R] | None = None
        self._stopped = False
        self._ready = [self._continued(living, played) or self._earlier.replay_into(game)]

    @property
    def differences(self) -> Sequence[MemoryDifference]:
        """Departures from the logs of the earlier games, if it replayed them."""
        return self._earlier.differences

    @property
    def responder(self) -> R:
        """The responder that is ready for the game; valid before :meth:`make` is called."""
        return self._ready[0]

    @property
    def output(self) -> Path | None:
        """The file for the output of its process in this game; None: output is dropped."""
        return self.game.output

    @output.setter
    def output(self, path: Path) -> None:
        self.game = replace(self.game, output=path)

    @property
    def kept(self) -> KeptResponder[R] | None:
        """The responder that was made last; None before any."""
        return self._kept

    def make(self) -> Responder:
        """Return the agent's responder: the one that is ready, later a new one with the same memory.

        Raises:
            NegoError: If it cannot be made.
        """
        if self._kept is not None:
            self._kept.end()
        responder = self._ready.pop() if self._ready else self._earlier.replay_into(self.game)
        self._kept = KeptResponder(responder)
        if self._stopped:
            self._kept.end()  # it was stopped while the responder was being made
        return self._kept

    def stop(self) -> None:
        """Stop the agent permanently; from any thread."""
        self._stopped = True
        for responder in self._ready:
            responder.stop()
        if self._kept is not None:
            self._kept.end()

    def _continued(self, living: KeptResponder[R] | None, played: Sequence[ReplayableGame]) -> R | None:
        """Return the running agent in its next game; None: it has ended, or has not received everything."""
        if living is None or not played:
            return None
        last = played[-1]
        within = last.budget.hard_seconds + DRAIN_MARGIN
        try:
            if living.has_seen(last.events, observer_of(last.game.game, last.game.seat), within=within):
                living.inner.begin_next(self.game.without_config())
                return living.inner
        except NegoError:
            pass  # a new one replays the earlier games
        living.end()
        return None


def _replay(played: ReplayableGame, assignment: SeatAssignment) -> tuple[AgentReplay, bool]:
    """Return the replay of an agent up to where a fallback took its seat, and whether none did."""
    game = played.game
    observer = observer_of(game.game, game.seat)
    viewer = ViewProjector(observer, deepcopy(visible_game(game.game, observer)))
    replay = AgentReplay(game.seat, assignment, viewer, played.timing)
    record = parse_template(game.record) if game.record else EMPTY_RECORD
    for published in restored_events(game.game, played.events, session_id=game.session_id, record=record):
        note = published.event.payload
        if (
            isinstance(note, Note)
            and note.kind is NoteKind.FALLBACK_SEATED
            and note.data.get("seat") == game.seat
        ):
            return replay, False
        replay.apply_event(published)
    return replay, True


def _ended_at(played: ReplayableGame) -> float | None:
    return next((event.t for event in played.events if event.type == EventType.GAME_END), None)


def restored_events(
    game: GameSpec, events: Sequence[Event], *, session_id: str = "", record: Record = EMPTY_RECORD
) -> list[PublishedEvent]:
    """Return the events of a log, each with the state after it.

    Args:
        game: The game, ready to be played.
        events: The events.
        session_id: The session's id.
        record: The record before the first event.

    Raises:
        NegoError: If they do not fit the rules.
    """
    session = Session(
        game,
        mechanism=mechanism_of(game.mechanism),
        clock=lambda: 0.0,
        log=lambda _event: None,
        publish=lambda _published: None,
        report=lambda _error: None,
        session_id=session_id,
        record=record,
    )
    return session.restore(events)
