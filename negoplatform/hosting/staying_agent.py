"""Agents that play several games in a row: alive between them, or led through the earlier games again.

An agent is alive after a game if it has been given all that its seat saw of it. Else, because its process or
the program was lost, or because a fallback agent had taken its seat, a new agent of the same class is given
the inputs of the earlier games in their order, as the logs hold them, and what it does is compared with them.
An agent that a fallback agent replaced remembers the game up to that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from negoplatform.core.agent_lifecycle import AgentPhase
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.notes_and_tasks import EMPTY_RECORD, parse_template
from negoplatform.core.session import Session
from negoplatform.core.visibility import Observer, ViewProjector, visible_game
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_replay import AgentReplay, Divergence
from negoplatform.hosting.agent_runner import AgentGame, AgentRequest, AgentResponse
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import (
    LastingResponder,
    LostResponder,
    Responder,
    SeatAssignment,
    event_for_agent,
    replayed_responder,
)

InputKey = tuple[str, object]
"""Input of an agent, so that two lists of inputs can be compared: an event, or the call of a callback."""

R = TypeVar("R", bound=LastingResponder)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """Game that an agent has played, with what is needed to lead another one through it.

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
    """Departure of an agent from the log of an earlier game through which it was led.

    Args:
        session_id: The id of that session.
        divergence: The departure.
    """

    session_id: str
    divergence: Divergence


class KeptResponder(Generic[R]):
    """Responder of an agent that stays after the game: stopping it ends no agent unless it is lost.

    Args:
        inner: The responder of the agent.
    """

    def __init__(self, inner: R) -> None:
        self.inner = inner
        self.inputs: list[InputKey] = []
        self._lost = False
        self._lock = Lock()

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response."""
        with self._lock:
            self.inputs.append(
                ("event", request.stimulus.seq) if request.call is None else ("call", request.call)
            )
            response = self.inner.respond(request)
            self._lost = self._lost or response.lost
            return response

    def notify(self, event: Event) -> None:
        """Pass on an event that needs no response."""
        with self._lock:
            self.inputs.append(("event", event.seq))
            self.inner.notify(event)

    def stop(self) -> None:
        """Stop a lost agent; any other one stays."""
        if self._lost:
            self.inner.stop()

    def end(self) -> None:
        """Stop the agent."""
        self.inner.stop()

    def has_seen(self, events: Iterable[Event], seat: Seat) -> bool:
        """Return whether the agent lives, and was given all that a log says it was.

        A response that is under way is waited for.
        """
        with self._lock:
            return not self._lost and self.inputs == list(logged_inputs(events, seat))


def logged_inputs(events: Iterable[Event], seat: Seat) -> Iterator[InputKey]:
    """Yield what the agent of a seat was given in a session."""
    observer = Observer(seat)
    for event in events:
        note = event.payload
        if isinstance(note, Note):
            if note.kind is NoteKind.SCHEDULED_CALL and note.data.get("seat") == seat:
                yield ("call", note.data.get("number"))
        elif event_for_agent(observer, event) is not None:
            yield ("event", event.seq)


class StayingAgent(Generic[R]):
    """Agent of a seat that has played earlier games, or will play further ones.

    Args:
        game: The game that it plays now.
        spawn: Starts a fresh agent in its first game, or raises NegoError.
        played: The games that it has played, oldest first.
        living: Its responder in the last of them, if it may be alive.
    """

    def __init__(
        self,
        game: AgentGame,
        spawn: Callable[[AgentGame], R],
        *,
        played: Sequence[PlayedGame] = (),
        living: KeptResponder[R] | None = None,
    ) -> None:
        self.differences: list[MemoryDifference] = []
        """Departures from the logs of the earlier games, if it was led through them."""
        self.game = game
        self._spawn = spawn
        self._played = tuple(played)
        self._kept: KeptResponder[R] | None = None
        self._stopped = False
        self._ready = [self._continued(living) or self._rebuilt()]

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
        self._kept = KeptResponder(self._ready.pop() if self._ready else self._rebuilt())
        if self._stopped:
            self._kept.end()  # it was stopped while the responder was being made
        return self._kept

    def stop(self) -> None:
        """Stop the agent for good; from any thread."""
        self._stopped = True
        for responder in self._ready:
            responder.stop()
        if self._kept is not None:
            self._kept.end()

    def _continued(self, living: KeptResponder[R] | None) -> R | None:
        """Return the living agent in its next game; None: it is not alive, or has not seen everything."""
        if living is None or not self._played:
            return None
        last = self._played[-1]
        try:
            if living.has_seen(last.events, last.game.seat):
                living.inner.begin_next(self.game.without_config())
                return living.inner
        except NegoError:
            pass  # a new one is led through the earlier games
        living.end()
        return None

    def _rebuilt(self) -> R:
        self.differences.clear()
        return self._before(len(self._played))

    def _game(self, n: int) -> AgentGame:
        return self._played[n].game if n < len(self._played) else self.game

    def _following(self, n: int) -> AgentGame:
        """Return a game for an agent that has played the one before it, with settings only if they differ."""
        game = self._game(n)
        same = n > 0 and self._game(n - 1).config == game.config
        return game.without_config() if same else game

    def _before(self, n: int) -> R:
        """Return a fresh agent at the beginning of a game, led through all games before it."""
        if n == 0:
            return self._spawn(self._game(0))
        responder = self._after(n - 1)
        try:
            responder.begin_next(self._following(n))
        except BaseException:
            responder.stop()
            raise
        return responder

    def _after(self, n: int) -> R:
        """Return a fresh agent at the end of a game, led through it and all games before it."""
        played = self._played[n]
        made: list[R] = []

        def make() -> Responder:
            made.append(self._before(n))
            return made[-1]

        replay = replay_agent(played, SeatAssignment(make, played.budget))
        self.differences += [MemoryDifference(played.game.session_id, found) for found in replay.divergences]
        supervisor = replay.supervisor
        responder = replay.responder
        if supervisor.lifecycle.phase is AgentPhase.LOST or responder is not (made[-1] if made else None):
            responder.stop()
            past, rest = supervisor.history.split_for_restart()
            responder = replayed_responder(make, [*past, *rest])
        if isinstance(responder, LostResponder):
            raise NegoError(
                f"The agent at {played.game.seat!r} could not be led through its earlier games: "
                f"{responder.reason}"
            )
        return made[-1]


def replay_agent(played: PlayedGame, assignment: SeatAssignment) -> AgentReplay:
    """Return the replay of an agent over a game, up to where a fallback agent took its seat."""
    game = played.game
    observer = Observer(game.seat)
    viewer = ViewProjector(observer, deepcopy(visible_game(game.game, observer)))
    replay = AgentReplay(game.seat, assignment, viewer, played.timing)
    for published in published_events(game, played.events):
        note = published.event.payload
        if (
            isinstance(note, Note)
            and note.kind is NoteKind.FALLBACK_SEATED
            and note.data.get("seat") == game.seat
            and assignment.fallback is None
        ):
            break
        replay.apply_event(published)
    return replay


def published_events(game: AgentGame, events: Sequence[Event]) -> list[PublishedEvent]:
    """Return the events of a log, each with the state after it.

    Raises:
        NegoError: If they do not fit the rules.
    """
    session = Session(
        game.game,
        mechanism=mechanism_of(game.game.mechanism),
        clock=lambda: 0.0,
        log=lambda _event: None,
        publish=lambda _published: None,
        report=lambda _error: None,
        session_id=game.session_id,
        record=parse_template(game.record) if game.record else EMPTY_RECORD,
    )
    return list(session.restore(events))
