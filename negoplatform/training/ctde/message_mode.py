"""Message mode: the agents of a chain of command in an ordinary session, with delays of messages and effects.

The session asks them as it asks any agent, on its own scheduler. A decision is made with the observation
that was sent; its effect comes ``act_delay`` later. Then the agent asks for its local state, and sends the
result of the tick; each of these messages takes ``msg_delay``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.principal import Instruction, PrincipalAgent, PrincipalContext
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.session_runner import seat_rng, seat_seed
from negoplatform.core.broker import AddressedMessage, MessageType
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import GAME_END, GAME_START, Event, EventType, Note
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.command.event_scheduler import (
    EventScheduler,
    ScheduledEntry,
    ScheduledKind,
    drawn_delays,
)
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.training.ctde.chain_agents import ChainAgent, CoordinatorAgent, FieldAgent
from negoplatform.training.ctde.commanded_episode import ObservedEpisode
from negoplatform.training.ctde.proxy_agent import ProxyAgent, local_state_of
from negoplatform.training.episode import EpisodeSettings, TrainingPlan
from negoplatform.training.rewards import Reward

TICKS = (GAME_START, EventType.TIME)
"""Types of events at which the agent of a seat decides; of all others it is told."""


class MessageEpisode(ObservedEpisode):
    """Episode in which the session asks the agents of a chain of command, as it asks any other agents.

    Args:
        settings: The settings.
        seed: The seed of everything random in it.
        reward: The reward of a seat, from its own view before and after.
        agents: The agents of seats and principals, by id.
        timings: The timing of each learner's seat that has one.
        proxy: The proxy, at which all agents are registered.
        begin: Called once the session is there, before it starts.
    """

    def __init__(
        self,
        settings: EpisodeSettings,
        seed: int,
        reward: Reward,
        *,
        agents: Mapping[str, ChainAgent],
        timings: Mapping[Seat, AgentTiming],
        proxy: ProxyAgent,
        begin: Callable[[MessageEpisode], object],
    ) -> None:
        self._agents = agents
        self._seed = seed
        self._timings = {seat: one.seeded(seat_seed(seed, seat)) for seat, one in timings.items()}
        self._proxy = proxy
        self._begin = begin
        super().__init__(settings, seed, reward)

    def _plan(self, agents: SeatMap[PreparedAgent], seed: int) -> TrainingPlan:
        timings = {seat: _timing_values(timing) for seat, timing in self._timings.items()}
        commanding = tuple(self.game.principals)
        return replace(super()._plan(agents, seed), commanding=commanding, timings=timings)

    def _assign_learners(self) -> None:
        super()._assign_learners()
        self._begin(self)
        self._messages = TickMessages(self, self._agents, self._proxy, self._delay_of)
        runner = self._runner
        budget = replace(self.game.rules.agents, restarts=0)
        for name, agent in self._agents.items():
            if isinstance(agent, FieldAgent) and name in self.learners:
                timing = self._timings.get(name)
                runner.assign(name, self._assignment(agent, _Field(agent, self._messages), budget), timing)
            elif isinstance(agent, CoordinatorAgent):
                principal = _Coordinator(agent, self._messages)
                runner.assign_principal(name, self._assignment(agent, principal, budget))
        runner.subscribe(self._messages.on_event)

    def _assignment(self, agent: Any, plugin: NegotiationAgent, budget: AgentBudget) -> SeatAssignment:
        rng = seat_rng(self._seed, agent.agent_id)
        return SeatAssignment(lambda: _HearingRunner(plugin, rng, agent), budget)

    def play(self) -> None:
        """Play to the end of the session."""
        self._runner.run_on(self._clock)

    @property
    def scheduler(self) -> EventScheduler:
        """A scheduler of entries in the session's own."""
        return EventScheduler(self._runner.scheduler, self.session.now)

    def _delay_of(self, name: str, number: int) -> tuple[float, float]:
        """Return the seconds of a message, and those between a decision and its effect."""
        spec = self.game.principals.get(name)
        if spec is not None:
            timing = spec.timing
            source = f"{self._seed}/{name}/jitter/{number}"
            drawn = drawn_delays(timing.msg_delay, timing.act_delay, timing.jitter, source)
            return timing.msg_delay, drawn.effect
        own = self._timings.get(name, AgentTiming())
        return own.msg_delay, own.delays_of(number, self.game.rules.counterpart.pace).effect


class TickMessages:
    """Messages about the results of ticks, in the session's scheduler.

    Args:
        episode: The episode.
        agents: The agents, by id.
        proxy: The proxy.
        delay_of: Returns the seconds of a message of an agent, and those until the effect of its decision at
            the tick, or about the event, with a number.
    """

    def __init__(
        self,
        episode: MessageEpisode,
        agents: Mapping[str, ChainAgent],
        proxy: ProxyAgent,
        delay_of: Callable[[str, int], tuple[float, float]],
    ) -> None:
        self._episode = episode
        self._agents = agents
        self._proxy = proxy
        self._delay_of = delay_of
        self._msg_delay: dict[str, float] = {}
        self._under_way: dict[str, list[Mapping[str, Any]]] = {}
        """Local states and results that have been sent and have not arrived, by agent."""
        self._entries = episode.scheduler
        self._entries.attach(PLATFORM, self._at_platform)
        for name in agents:
            self._entries.attach(name, self._at_agent)

    def decided(self, name: str, number: int) -> None:
        """Schedule what follows the effect of a decision at the tick, or about the event, with a number."""
        self._msg_delay[name], effect = self._delay_of(name, number)
        self._entries.schedule_action_effect(name, effect)

    def on_event(self, published: PublishedEvent) -> None:
        """Give each agent its last result at the end of the game; what is on its way arrives at once.

        A decision that has had no effect yet gets no result. A command that a seat takes is its decision.
        """
        event = published.event
        match event.payload:
            case Note(NoteKind.COMMAND_TAKEN, {"seat": seat}) if event.cause is not None:
                if isinstance(self._agents.get(seat), FieldAgent):
                    self.decided(seat, event.cause)
        if event.type != GAME_END:
            return
        self._entries.reset()
        for name in self._agents:
            for message in self._under_way.pop(name, []):
                self._give_result(name, message)
            answer = self._proxy.message_delivery_handler(name, {"get_info": "local_state"})
            self._give_result(name, _sent(PLATFORM, name, answer or {}))

    def _give_result(self, name: str, message: Mapping[str, Any]) -> None:
        """Deliver an answer with a local state and the result that follows, or a result, at once."""
        if "get_local_state_response" in message:
            message = _sent(name, PLATFORM, self._result_of(name, message))
        self._proxy.message_delivery_handler(name, message)

    def _result_of(self, name: str, message: Mapping[str, Any]) -> dict[str, Any]:
        local_state = local_state_of(message["get_local_state_response"]["body"])
        return {"set_tick_result": "local", "body": self._agents[name].tick_result(local_state)}

    def _at_agent(self, entry: ScheduledEntry) -> None:
        name = entry.agent_id
        if entry.kind is ScheduledKind.ACTION_EFFECT:
            self._send(name, PLATFORM, {"get_info": "local_state"})
            return
        message = entry.payload["message"]
        self._under_way[name].remove(message)
        self._send(name, PLATFORM, self._result_of(name, message))

    def _at_platform(self, entry: ScheduledEntry) -> None:
        sender, message = entry.payload["sender"], entry.payload["message"]
        if message in self._under_way.get(sender, ()):
            self._under_way[sender].remove(message)
        answer = self._proxy.message_delivery_handler(sender, message)
        if answer is not None:
            self._episode.begin_reward(sender)
            self._send(PLATFORM, sender, answer)

    def _send(self, sender: str, recipient: str, payload: Mapping[str, Any]) -> None:
        name = recipient if sender == PLATFORM else sender
        message = _sent(sender, recipient, payload)
        if "get_info" not in message:
            self._under_way.setdefault(name, []).append(message)
        delay = self._msg_delay[name]
        self._entries.schedule_message_delivery(sender, recipient, message, delay)


def _sent(sender: str, recipient: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what arrives of a message: a copy of its payload, which is JSON."""
    return AddressedMessage(MessageType.INFO, sender, recipient, payload).payload


class _HearingRunner(AgentRunner):
    """Runner that passes each event on to the agent's codec when the agent is told it."""

    def __init__(self, plugin: NegotiationAgent, rng: Random, agent: FieldAgent | CoordinatorAgent) -> None:
        super().__init__(plugin, rng)
        self._hear = agent.codec.hear if isinstance(agent, FieldAgent) else agent.hear

    def notify(self, event: Event) -> None:
        """Observe an event about which the agent is not asked, or about which it is asked later."""
        self._hear(event)

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response; it observes the event first, unless it was told before."""
        if request.call is None and not request.is_told:
            self._hear(request.stimulus)
        if isinstance(self._agent, _Coordinator):
            self._agent.request = request
        return super().respond(request)


class _Field(NegotiationAgent):
    """Agent of a seat, as the session asks it."""

    def __init__(self, agent: FieldAgent, messages: TickMessages) -> None:
        super().__init__(agent.agent_id)
        self._own = agent
        self._messages = messages

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Decide at a tick."""
        if event.type not in TICKS or self._own.policy is None:
            return []
        self._own.timestep = ctx.elapsed_time
        self._own.compute_action(Observation.from_dict(ctx.observation.to_dict()))
        self._messages.decided(self.agent_id, event.seq)
        return self._own.script(ctx)


class _Coordinator(PrincipalAgent):
    """Principal, as the session asks it."""

    request: AgentRequest
    """The request that it answers."""

    def __init__(self, agent: CoordinatorAgent, messages: TickMessages) -> None:
        super().__init__(agent.agent_id)
        self._own = agent
        self._messages = messages

    def on_tick(self, ctx: PrincipalContext) -> Sequence[Instruction]:
        """Decide."""
        if self._own.policy is None:
            return []
        self._own.timestep = ctx.elapsed_time
        self._own.compute_action(Observation.from_dict(ctx.observation.to_dict()))
        self._messages.decided(self.agent_id, self.request.stimulus.payload.data["number"])
        return self._own.instructions(self.request.view, ctx.elapsed_time)


def _timing_values(timing: AgentTiming) -> dict[str, float]:
    """Return a timing as in an agent's settings, without what is as usual and without its seed."""
    usual = asdict(AgentTiming())
    values = {name: value for name, value in asdict(timing).items() if value != usual[name]}
    values.pop("jitter_seed", None)
    return values
