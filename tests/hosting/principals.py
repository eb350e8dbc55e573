"""Sessions of agents and principals in this process, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.principal import Instruction, PrincipalAgent, PrincipalContext
from negoplatform.app.session.session_runner import SessionRunner, seat_rng
from negoplatform.core.events import Event, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.command_settings import PrincipalSpec, PrincipalTiming
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.logged_step_matching import Divergence
from negoplatform.hosting.principals.principal_replay import PrincipalReplay
from negoplatform.hosting.responder import SeatAssignment
from tests.games import coins_only, with_rules

Decide = Callable[[PrincipalContext], Sequence[Instruction] | None]


class Scripted(PrincipalAgent):
    """Principal that returns what a function does."""

    def __init__(self, decide: Decide) -> None:
        super().__init__("head")
        self.decided = decide

    def on_tick(self, ctx: PrincipalContext) -> Sequence[Instruction] | None:
        return self.decided(ctx)


def commanded(
    game: GameSpec | None = None,
    *,
    over: Mapping[str, tuple[str, ...]] | None = None,
    timing: PrincipalTiming | None = None,
    **rules: Any,
) -> GameSpec:
    """Return a game with principals; by default ``head`` is over the agent's seat."""
    spec = with_rules(game or coins_only(), **{"deadline_seconds": 30.0, **rules})
    chain = over or {"head": ("agent",)}
    return replace(
        spec,
        principals=SeatMap(
            (name, PrincipalSpec(name, below, timing=timing or PrincipalTiming(tick_interval=10)))
            for name, below in chain.items()
        ),
    )


@dataclass
class Commanded:
    """Session with principals.

    Args:
        game: The game.
        agents: Makes each agent, by seat.
        principals: The decisions of each principal, by name.
        timings: The timing of each agent that has one.
        past: The events after which it goes on.
    """

    game: GameSpec
    agents: Mapping[str, Callable[[], NegotiationAgent]]
    principals: Mapping[str, Callable[[], Decide]]
    timings: Mapping[str, AgentTiming] = field(default_factory=dict)
    past: Sequence[Event] = ()
    budget: AgentBudget = AgentBudget()  # noqa: RUF009 - frozen

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.events: list[Event] = list(self.past)
        self.errors: list[BaseException] = []
        self.runner = SessionRunner(
            self.game, seed=7, clock=self.clock, log=NoLog(), report=self.errors.append
        )
        self.runner.subscribe(lambda published: self.events.append(published.event))
        for seat in self.agents:
            self.runner.assign(seat, self.assignment(seat), self.timings.get(seat))
        for name in self.principals:
            self.runner.assign_principal(name, self.principal_assignment(name))

    def assignment(self, seat: str) -> SeatAssignment:
        make = self.agents[seat]
        return SeatAssignment(lambda: AgentRunner(make(), seat_rng(7, seat)), self.budget)

    def principal_assignment(self, name: str) -> SeatAssignment:
        decide = self.principals[name]
        return SeatAssignment(lambda: AgentRunner(Scripted(decide()), Random(1)), self.budget)

    def play(self) -> list[Event]:
        """Play to the end, from the start or from the past events; return all events."""
        if self.past:
            self.clock.advance_to(self.past[-1].t)
            self.runner.resume(self.past)
        else:
            self.runner.start()
        self.runner.run_on(self.clock)
        return self.events

    def again(self, past: Sequence[Event]) -> Commanded:
        """Return the same session, to be resumed after some events."""
        return replace(self, past=past)

    def reruns(self, events: Sequence[Event] | None = None) -> list[Divergence]:
        """Return the differences of all agents and principals from a log."""
        table = SessionRunner(self.game, seed=7, clock=VirtualClock(), log=NoLog(), report=self.errors.append)
        published = table.session.restore(self.events if events is None else events)
        found: list[Divergence] = []
        for seat in self.agents:
            timing = self.timings.get(seat, AgentTiming()).seeded(f"7/{seat}")
            replayed = AgentReplay(seat, self.assignment(seat), self.viewer(seat), timing)
            for one in published:
                replayed.apply_event(one)
            found += replayed.divergences + replayed.unlogged_actions(published[-1].state.ended_at)
        for name in self.principals:
            principal = PrincipalReplay(name, self.game, self.principal_assignment(name), self.viewer(name))
            for one in published:
                principal.apply_event(one)
            found += [*principal.divergences, *principal.unlogged_commands(published[-1].state.ended_at, 4)]
        return found

    def viewer(self, name: str) -> ViewProjector:
        observer = observer_of(self.game, name)
        return ViewProjector(observer, deepcopy(visible_game(self.game, observer)))


def notes(events: Sequence[Event], kind: NoteKind) -> list[tuple[float, dict[str, Any]]]:
    """Return the notes of a kind, with their times."""
    return [
        (event.t, dict(event.payload.data))
        for event in events
        if isinstance(event.payload, Note) and event.payload.kind is kind
    ]


def given(events: Sequence[Event]) -> list[Event]:
    """Return the proposals of commands."""
    return [event for event in events if isinstance(event.payload, StateProposal)]
