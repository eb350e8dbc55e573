"""Episode: one session of a game in which programs that learn take seats, in steps of session time.

It is an ordinary session on a virtual clock. What a learner does is proposed through ``Session.act``, as an
agent's acts are; the agents in the other seats act on the way. So its log is an ordinary log.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from negoplatform.agent_api.actions import Action, normalize_actions
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process
from negoplatform.app.session.session_plan import SessionPlan, with_usual_limit
from negoplatform.app.session.session_runner import SessionRunner, seat_rng
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import DecidedBy, EndedBy, Ending, Event
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.immutable.frozen_json import MAX_EXACT_INTEGER
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import ViewProjector, observer_of, visible_event, visible_game
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.writer import EventSink, NoLog
from negoplatform.formats.log_header import LEARNER, Header, Occupant
from negoplatform.hosting.seat_actions import perform_action
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.codec_choice import codec_of
from negoplatform.strategies.learned.vector_action import VectorAction

STEP_SECONDS = 5.0
"""Usual session time of a step, in seconds."""

SHORTEST_STEP, LONGEST_STEP = 0.1, 3600.0
"""Limits of the session time of a step, in seconds."""

LARGEST_SEED = MAX_EXACT_INTEGER
"""Largest seed of an episode, the largest whole number that JSON has exactly everywhere."""

CUT_OFF = "The environment ended this episode before the game was over."
"""Reason in the log of an episode that was closed or reset in its course."""


def warn_of_failure(error: BaseException) -> None:
    """Warn that an agent has failed; the episode goes on, and its log has the failure."""
    sentence = f"An agent failed, and the episode goes on: {type(error).__name__}: {error}"
    warnings.warn(sentence, RuntimeWarning, stacklevel=2)


@dataclass(frozen=True, slots=True)
class EpisodeSettings:
    """Settings of the episodes of an environment.

    Args:
        game: The game; profiles that it leaves to the seed are drawn for each episode.
        opponents: The agents of the seats that no learner takes.
        step_seconds: Session time of a step, in seconds.
        codec: The name of the learners' codec; None: the usual one of this kind of game.
        log: The folder for a log of every episode; None: no logs.
        report: Called with errors of opponents; by default, it warns of them. Agents run in this process, so
            one that never returns stops the episode.

    Raises:
        NegoError: If an agent is for no seat of the game or cannot play it, no seat is left, the codec is no
            name, or a step is too short or too long.
    """

    game: GameSpec
    opponents: Mapping[Seat, AgentPlugin] = field(default_factory=dict)
    step_seconds: float = STEP_SECONDS
    codec: str | None = None
    log: Path | None = None
    report: Callable[[BaseException], object] = warn_of_failure

    def __post_init__(self) -> None:
        if self.codec is not None and not isinstance(self.codec, str):
            raise NegoError(f"A codec is named by a text, not {self.codec!r}.")
        object.__setattr__(self, "game", with_usual_limit(self.game))
        if strange := [seat for seat in self.opponents if seat not in self.game.seats]:
            seats = ", ".join(self.game.seats)
            raise NegoError(f"{self.game.name} has no seat {strange[0]!r}; its seats are {seats}.")
        if not self.learners:
            raise NegoError(f"All seats of {self.game.name} have an agent, so none is left for a learner.")
        step: object = self.step_seconds
        seconds = step if isinstance(step, int | float) and not isinstance(step, bool) else -1
        if not SHORTEST_STEP <= seconds <= LONGEST_STEP:
            raise NegoError(f"A step takes {SHORTEST_STEP:g} to {LONGEST_STEP:,g} seconds, not {step!r}.")
        for agent in self.opponents.values():
            agent.check_plays(self.game)

    @property
    def learners(self) -> tuple[Seat, ...]:
        """The seats of the learners, in the game's order."""
        return tuple(seat for seat in self.game.seats if seat not in self.opponents)


class LearnerSeat:
    """Seat of a learner in one episode: its view of the session, and the codec of its actions.

    Args:
        game: The game, with resolved profiles.
        seat: The seat.
        rng: The seat's random numbers, as an agent in it has them.
        codec: The name of its codec; None: the usual one.
    """

    def __init__(self, game: GameSpec, seat: Seat, rng: Random, codec: str | None) -> None:
        self.seat = seat
        self._observer = observer_of(game, seat)
        seen = visible_game(game, self._observer)
        self._projector = ViewProjector(self._observer, seen)
        self._rng = rng
        self.codec: ActionCodec = codec_of(seen, seat, codec)

    def context(self, state: State, now: float) -> AgentContext:
        """Return the context of an agent in the seat, in a state at a session time (s)."""
        return AgentContext(self._projector.view(state), now, self._rng)

    def hear(self, event: Event) -> None:
        """Let the codec observe an event, if the seat sees it."""
        visible = visible_event(event, self._observer)
        if visible is not None:
            self.codec.hear(visible)


class Episode:
    """Session of one episode.

    Args:
        settings: The settings.
        seed: The seed of everything random in it.

    Raises:
        NegoError: If an agent cannot be prepared, or the log cannot be written.
    """

    def __init__(self, settings: EpisodeSettings, seed: int) -> None:
        self.settings = settings
        self.game = game = settings.game.resolve_profiles(seed)
        self.refused: dict[Seat, str] = {}
        """The sentence of the last refusal of each learner in the last step."""
        agents = SeatMap(
            (seat, prepare_in_process(plugin, seat, plugin.settings, game=game, seed=seed))
            for seat, plugin in settings.opponents.items()
        )
        plan = self._plan(agents, seed)
        log: EventSink = NoLog()
        self.log: Path | None = None
        """The folder of its log; None: it has none."""
        if settings.log is not None:
            log = writer = plan.create_log(settings.log, durable=False)
            self.log = writer.path.parent
        self._clock = VirtualClock()
        self._runner = SessionRunner(
            game,
            seed=seed,
            clock=self._clock,
            log=log,
            report=settings.report,
            session_id=plan.session_id,
        )
        self.session = self._runner.session
        self.learners = {
            seat: LearnerSeat(game, seat, seat_rng(seed, seat), settings.codec) for seat in settings.learners
        }
        self._runner.subscribe(self._hear)
        for seat, prepared in agents.items():
            self._runner.assign(seat, prepared.assignment, prepared.timing)
        self._assign_learners()
        self._last_seen: Event | None = None
        self._runner.start()
        self._run_until(0.0)

    def _plan(self, agents: SeatMap[PreparedAgent], seed: int) -> TrainingPlan:
        """Return the plan of the session, for the header of its log."""
        return TrainingPlan(
            game=self.game,
            seed=seed,
            human_seat=None,
            participant="",
            agents=agents,
            learners=self.settings.learners,
        )

    def _assign_learners(self) -> None:
        """Assign the seats of learners that the session itself asks; here none, their acts are given."""

    def _hear(self, published: PublishedEvent) -> None:
        self._last_seen = published.public
        for learner in self.learners.values():
            learner.hear(published.public)

    @property
    def now(self) -> float:
        """Session time, in seconds; that of the end once the game is over."""
        ended_at = self.session.state.ended_at
        return self.session.now() if ended_at is None else ended_at

    @property
    def ending(self) -> Ending | None:
        """End of the game; None while it runs."""
        return self.session.state.ending

    def is_active(self, seat: Seat) -> bool:
        """Return whether a seat still plays: the game runs, and the seat has not left it."""
        state = self.session.state
        return state.ending is None and seat not in getattr(state.mechanism_state, "left", ())

    def end_of(self, seat: Seat) -> tuple[bool, bool]:
        """Return whether the episode is terminated and whether it is truncated for a seat.

        It is truncated by the deadline, and terminated where the seat plays no more for another reason.
        """
        is_over, ending = not self.is_active(seat), self.ending
        out_of_time = ending is not None and ending.ended_by is EndedBy.TIMEOUT
        return is_over and not out_of_time, is_over and out_of_time

    def context(self, seat: Seat) -> AgentContext:
        """Return the view of a learner's seat, as its agent would have it now."""
        return self.learners[seat].context(self.session.state, self.now)

    def observation(self, seat: Seat) -> Observation:
        """Return a learner's observation."""
        return self.context(seat).observation

    def act(self, actions: Mapping[Seat, VectorAction]) -> None:
        """Perform the actions of learners now, in the game's order of seats; time does not move.

        Each is decided before any of them is performed, as those of agents that answer the same event.
        A refused action changes nothing, and :attr:`refused` has the reason.
        """
        state, now = self.session.state, self.now
        self.refused.clear()
        decided = [
            (seat, learner.codec.decode(actions[seat], learner.context(state, now)))
            for seat, learner in self.learners.items()
            if seat in actions and self.is_active(seat)
        ]
        cause = None if self._last_seen is None else self._last_seen.seq
        origin = ActionOrigin(decided_by=DecidedBy.AGENT, cause=cause, decided_at=now)
        for seat, script in decided:
            self._perform(seat, script, origin, state)

    def _perform(self, seat: Seat, script: Sequence[Action], origin: ActionOrigin, decided_in: State) -> None:
        for action in normalize_actions(list(script), "an action"):
            if not self.is_active(seat):
                return
            try:
                perform_action(self.session, seat, action, origin, seen=decided_in)
            except Refused as refusal:
                self.refused[seat] = str(refusal)
                return

    def advance(self) -> None:
        """Move session time by one step, or to the end of the game."""
        if self.ending is None:
            self._run_until(self.now + self.settings.step_seconds)

    def finish(self) -> None:
        """Play what is left after the end of the game, such as last words, and close the log.

        A game that still runs is aborted at this moment, and the log says so.
        """
        if self._runner.finished:
            return
        if self.ending is None:
            self.session.end(EndedBy.ABORTED, CUT_OFF)
        self._runner.run_on(self._clock)

    def _run_until(self, when: float) -> None:
        """Run everything that is due by a session time (s), and move the time there."""
        when = round(when, 3)
        runner, clock = self._runner, self._clock
        while self.ending is None and (due := runner.next_due()) is not None and due <= when:
            clock.advance_to(due)
            runner.run_one_due()
        if self.ending is None:
            clock.advance_to(when)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan(SessionPlan):
    """Plan of a session in which learners take seats.

    Args:
        learners: Their seats.
        commanding: The principals whose places they take.
        timings: The timing of each of them that has one, as in an agent's settings, by seat.
    """

    learners: Sequence[Seat] = ()
    commanding: Sequence[str] = ()
    timings: Mapping[Seat, Mapping[str, float]] = field(default_factory=dict)

    def header(self) -> Header:
        """Return the first line of the session's log, with the learners in it."""
        learning = {name: _learner() for name in self.commanding}
        found = super(TrainingPlan, self).header()
        return replace(found, principals={**found.principals, **learning})

    def _occupants(self) -> dict[Seat, Occupant]:
        found = super(TrainingPlan, self)._occupants()
        return found | {seat: _learner(self.timings.get(seat)) for seat in self.learners}


def _learner(timing: Mapping[str, float] | None = None) -> Occupant:
    """Return the entry of a learner in the header of a log."""
    config = {} if timing is None else {"timing": dict(timing)}
    return Occupant("agent", "Learner", agent=LEARNER, config=config)
