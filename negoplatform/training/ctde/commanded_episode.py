"""Episode in which learners also take the places of principals: commands first, then the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.principal import Instruction
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.core.broker import GET_OBS_RESPONSE
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import DecidedBy, EndedBy, Event, EventType
from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.session import ActionOrigin
from negoplatform.core.session_features import feature_states
from negoplatform.core.state import State
from negoplatform.core.visibility import View, ViewProjector, observer_of, visible_event, visible_game
from negoplatform.core.visibility_rule import SEAT_LEVEL, is_visible
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat_map import PLATFORM, SYSTEM, Seat, SeatMap
from negoplatform.formats.sent_commands import check_given, command_actions, dump_instruction
from negoplatform.hosting.command.chain import Upstream, is_turn, note_taken
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training.ctde.proxy_agent import OwnResult
from negoplatform.training.episode import Episode, EpisodeSettings, TrainingPlan
from negoplatform.training.rewards import Reward, final_points


def in_steps(settings: EpisodeSettings) -> EpisodeSettings:
    """Return the settings of episodes in steps: principals have a tick each step, and no message takes time.

    The clock ticks at least once a step, so that each seat has a turn in which it takes a command.
    """
    game, step = settings.game, settings.step_seconds
    if not game.principals:
        return settings
    timing = PrincipalTiming(tick_interval=step)
    principals = SeatMap((name, replace(spec, timing=timing)) for name, spec in game.principals.items())
    ticks = min(game.rules.time_tick_seconds, step)
    rules = replace(game.rules, time_tick_seconds=ticks)
    return replace(settings, game=replace(game, principals=principals, rules=rules))


class ObservedEpisode(Episode):
    """Episode whose seats, principals and system are observed as features, each as its level allows.

    Args:
        settings: The settings.
        seed: The seed of everything random in it.
        reward: The reward of a seat, from its own view before and after.
    """

    def __init__(self, settings: EpisodeSettings, seed: int, reward: Reward = final_points) -> None:
        self._reward = reward
        self._viewers: dict[str, ViewProjector] = {}
        self._starts: dict[Seat, AgentContext] = {}
        self._rewarded: dict[tuple[str, Seat], AgentContext] = {}
        self._moment: tuple[State | None, float] = (None, 0.0)
        self._features: Mapping[str, FeatureState] = {}
        self._contexts: dict[Seat, AgentContext] = {}
        super().__init__(settings, seed)

    def _assign_learners(self) -> None:
        self._starts = {seat: self._own_context(seat) for seat in self.game.seats}

    def features(self) -> Mapping[str, FeatureState]:
        """Return the features of all owners now."""
        self._forget_other_moments()
        if not self._features:
            self._features = feature_states(self.session.state, now=self.now)
        return self._features

    def view(self, name: str) -> View:
        """Return the view of a seat, a principal or the system now."""
        return self.viewer(name).view(self.session.state._replace(t=self.now))

    def viewer(self, name: str) -> ViewProjector:
        """Return the projector of the view of a seat, a principal or the system."""
        if name not in self._viewers:
            observer = observer_of(self.game, name)
            self._viewers[name] = ViewProjector(observer, visible_game(self.game, observer))
        return self._viewers[name]

    def result(self, agent_id: str) -> OwnResult:
        """Return the result of a seat, or the sums of those below a principal whose points it may see."""
        ending = self.ending
        found = [self._points_and_reward(agent_id, seat) for seat in self._rewarding_seats(agent_id)]
        return OwnResult(
            points=sum(points for points, _ in found),
            reward=sum(reward for _, reward in found),
            active=self.is_active(agent_id) if agent_id in self.game.seats else ending is None,
            ended=ending is not None,
            timed_out=ending is not None and ending.ended_by is EndedBy.TIMEOUT,
        )

    def begin_reward(self, agent_id: str) -> None:
        """Begin the next step of an agent: its next reward is for what happens from now on."""
        for seat in self._rewarding_seats(agent_id):
            self._rewarded[agent_id, seat] = self._own_context(seat)

    def _points_and_reward(self, agent_id: str, seat: Seat) -> tuple[float, float]:
        """Return a seat's points and its reward, from its own view alone."""
        after = self._own_context(seat)
        before = self._rewarded.get((agent_id, seat), self._starts[seat])
        points = after.standing if after.ending is None else after.final_points
        return float(points or 0.0), float(self._reward(before, after))

    def _own_context(self, seat: Seat) -> AgentContext:
        self._forget_other_moments()
        if seat not in self._contexts:
            self._contexts[seat] = AgentContext(self.view(seat), self.now, Random(0))
        return self._contexts[seat]

    def _forget_other_moments(self) -> None:
        """Drop what was computed of another moment: all agents of a step ask for the same."""
        state, now = self.session.state, self.now
        if self._moment[0] is not state or self._moment[1] != now:
            self._moment, self._features, self._contexts = (state, now), {}, {}

    def _rewarding_seats(self, agent_id: str) -> Sequence[Seat]:
        """Return the seat itself, or those below a principal whose points it may see."""
        if agent_id in self.game.seats:
            return (agent_id,)
        return [seat for seat in self._seats_below(agent_id) if self._shows(seat, agent_id)]

    def _seats_below(self, name: str) -> Sequence[Seat]:
        return self.game.seats if name == SYSTEM else self.game.seats_below(name)

    def _shows(self, seat: Seat, name: str) -> bool:
        """Return whether a seat's preferences, and with them its points, are visible to a principal."""
        game = self.game
        declared = game.visibility.get(seat, Visibility.OWNER)
        above = game.upstream_of(seat) or ""
        level = observer_of(game, name).level
        return is_visible(declared, name, level, seat, SEAT_LEVEL, upstream=above)


class CommandedEpisode(ObservedEpisode):
    """Episode in steps, in which learners give the commands of principals and take those for their seats.

    A command takes the place of what its seat would do itself at its next turn, and the seat does nothing
    else before that.

    Args:
        settings: The settings, as of :func:`in_steps`.
        seed: The seed of everything random in it.
        reward: The reward of a seat, from its own view before and after.
    """

    def __init__(self, settings: EpisodeSettings, seed: int, reward: Reward = final_points) -> None:
        self._turns: dict[Seat, Event] = {}
        self._decided: dict[Seat, VectorAction] = {}
        self._seen_by: dict[str, Any] = {}
        self.commanded: set[str] = set()
        """The names that have performed or passed on a command in the last step."""
        super().__init__(settings, seed, reward)
        runner = self._runner
        names = (*settings.learners, *self.game.principals)
        self._upstreams: dict[str, Upstream] = {
            name: upstream for name in names if (upstream := runner.upstream_of(name)) is not None
        }
        self._proposers = {name: runner.principal_proposer(name) for name in self.game.principals}
        self._given = dict.fromkeys(self.game.principals, 0)
        self._ticks = dict.fromkeys(self.game.principals, 0)
        self._asked: dict[str, Event] = {}

    def _plan(self, agents: SeatMap[PreparedAgent], seed: int) -> TrainingPlan:
        return replace(super()._plan(agents, seed), commanding=tuple(self.game.principals))

    def listen(self, name: str, hear: Any) -> None:
        """Call a function with every event from now on that a principal sees."""
        self._seen_by[name] = hear

    def _hear(self, published: PublishedEvent) -> None:
        super()._hear(published)
        event, state = published.public, published.state
        for seat in self.learners:
            is_told = event.sender != seat and (not event.to or seat in event.to)
            if is_told and event.type != EventType.NOTE and is_turn(event.type, state, seat):
                self._turns[seat] = event
        for name, hear in self._seen_by.items():
            seen = visible_event(event, observer_of(self.game, name))
            if seen is not None:
                hear(seen)

    def begin_step(self) -> None:
        """Forget what was decided and refused in the last step."""
        self.refused.clear()
        self.commanded.clear()
        self._decided.clear()
        self._asked.clear()

    def is_commanded(self, name: str) -> bool:
        """Return whether a command waits for a seat or a principal, in place of its own decision."""
        upstream = self._upstreams.get(name)
        return upstream is not None and bool(upstream.receive_upstream_actions())

    def decide(self, seat: Seat, action: VectorAction) -> None:
        """Set what a learner's seat does in this step, unless a command waits for it.

        Raises:
            NegoError: If an agent of the session has the seat.
        """
        if seat not in self.learners:
            raise NegoError(f"An agent plays the seat {seat!r}, so no action can be given to it.")
        self._decided[seat] = action.copy()

    def give(self, principal: str, instructions: Sequence[Instruction]) -> None:
        """Give instructions of a principal, as proposals; a refused one changes nothing.

        Raises:
            NegoError: If it cannot give one of them; a sentence. Nothing is given then.
        """
        forms = [dump_instruction(one) for one in instructions]
        for form in forms:
            check_given(form, principal, self.game)
        if forms:
            self._propose(principal, forms, self._tick(principal).seq)

    def pass_on(self, principal: str) -> bool:
        """Give the commands that the oldest command from above holds; return whether there was one."""
        if not self.is_commanded(principal):
            return False
        tick = self._tick(principal)
        command = self._upstreams[principal].take()
        if command is None:
            return False
        note_taken(self.session, principal, tick.seq, command)
        self.commanded.add(principal)
        self._propose(principal, command.forms, command.seq)
        return True

    def perform(self) -> None:
        """Perform the commands and the decisions of this step, in the game's order of seats.

        All were decided in the same state, as those of agents that answer the same event.
        """
        state, now = self.session.state, self.now
        scripts = [(seat, None if self.is_commanded(seat) else self._script(seat)) for seat in self.learners]
        cause = None if self._last_seen is None else self._last_seen.seq
        own = ActionOrigin(decided_by=DecidedBy.AGENT, cause=cause, decided_at=now)
        for seat, script in scripts:
            if script is None:
                self._perform_command(seat)
            elif script:
                self._perform(seat, script, own, state)

    def finish_if_over(self) -> None:
        """Finish the session if its game has ended: last words come after the last observation."""
        if self.ending is not None:
            self.finish()

    def _script(self, seat: Seat) -> Sequence[Any]:
        action = self._decided.get(seat)
        if action is None or not self.is_active(seat):
            return ()
        return self.learners[seat].codec.decode(action, self.context(seat))

    def _perform_command(self, seat: Seat) -> None:
        """Perform the oldest command, if the seat has a turn; else it waits, and nothing is done."""
        state, turn = self.session.state, self._turns.get(seat)
        if turn is None or not self.is_active(seat) or not is_turn(turn.type, state, seat):
            return
        command = self._upstreams[seat].take()
        if command is None:
            return
        del self._turns[seat]
        note_taken(self.session, seat, turn.seq, command)
        self.commanded.add(seat)
        origin = ActionOrigin(DecidedBy.PRINCIPAL, command.seq, self.now)
        self._perform(seat, command_actions(command.forms), origin, self.session.state)

    def _tick(self, principal: str) -> Event:
        """Note that a principal is asked in this step, once; the log says in answer to what it commands."""
        if principal not in self._asked:
            self._ticks[principal] += 1
            self._asked[principal] = self.session.note(
                NoteKind.MESSAGE_DELIVERED,
                None,
                message=GET_OBS_RESPONSE,
                sender=PLATFORM,
                recipient=principal,
                number=self._ticks[principal],
            )
        return self._asked[principal]

    def _propose(self, principal: str, forms: Sequence[Mapping[str, Any]], cause: int) -> None:
        origin = ActionOrigin(decided_by=None, cause=cause, decided_at=self.now)
        for form in forms:
            self._given[principal] += 1
            body = {"commands": {principal: {str(self._given[principal]): dict(form)}}}
            version = self.session.state.record.version
            try:
                self.session.propose_change(self._proposers[principal], body, version, origin)
            except Refused as refusal:
                self.refused[principal] = str(refusal)


def member_context(view: View, seat: Seat, now: float) -> AgentContext:
    """Return the context of a seat as far as a principal above it knows it: with nothing else in it.

    Args:
        view: The principal's view.
        seat: The seat.
        now: Session time, in seconds.
    """
    game: GameSpec = view.state.game
    own = game.redacted_for((seat,))
    seen = View(observer_of(game, seat), view.state, own, game.preferences.get(seat))
    return AgentContext(seen, now, Random(0))
