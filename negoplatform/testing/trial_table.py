"""Table on a virtual clock, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from negoplatform.agent_api.actions import Action, MechanismAct, MechanismAction
from negoplatform.agent_api.assistant import Assistant
from negoplatform.agent_api.base import NegotiationAgent, check_agent_plays
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.mechanism_actions import (
    AcceptProposal,
    CallForProposals,
    CancelOrder,
    Decide,
    DeclineProposal,
    PlaceOrder,
    Propose,
    SubmitTransaction,
)
from negoplatform.agent_api.offer_from_values import TermSpec
from negoplatform.agent_api.principal import PrincipalAgent
from negoplatform.app.session.session_runner import SessionRunner, seat_rng
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, EventType, Expression, Message, MessageSubtype
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, carried_sections, parse_template
from negoplatform.core.rounds import EarlierRound, Round
from negoplatform.core.rules_faults import final_points
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import observer_of, view_of, visible_game
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.writer import EventSink
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.hosting.responder_executors import ExecutorFactory, InlineExecutor


class AgentFailed(NegoError):
    """Failure of an agent at a table for tests; the agent's own error, where there is one, is its cause."""


class Scripted(NegotiationAgent):
    """Agent that performs one script when the game starts, records its events, and does nothing else.

    Args:
        script: The actions.
    """

    def __init__(self, *script: Action) -> None:
        super().__init__("scripted")
        self.script = list(script)
        self.received_events: list[Event] = []

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Record the event; answer the first with the script."""
        self.received_events.append(event)
        return self.script if event.type == EventType.GAME_START else []

    @property
    def heard(self) -> list[Event]:
        """Name of ``received_events`` in version 1.0 of the agent API."""
        return self.received_events


class ScriptedParticipant:
    """Participant whose actions a test performs.

    Args:
        seat: The participant's seat.
        table: The table.
    """

    def __init__(self, seat: Seat, table: TrialTable) -> None:
        self.seat = seat
        self._table = table

    def says(self, text: str, subtype: MessageSubtype = MessageSubtype.GENERIC) -> Event:
        """Send a message."""
        return self._session().send_message(self.seat, Message(text, subtype))

    def offers(self, offer: Offer | Mapping[str, TermSpec] | None = None, /, **terms: TermSpec) -> Event:
        """Send an offer: a given one, or one made from terms as in ``ctx.make_offer``."""
        ready = offer if isinstance(offer, Offer) else self.context().make_offer({**(offer or {}), **terms})
        return self._session().send_offer(self.seat, ready)

    def shows(self, expression: Expression) -> Event:
        """Show an emotion."""
        return self._session().send_expression(self.seat, expression)

    def drafts(self, draft: Offer | None = None) -> Event:
        """Work on an offer."""
        return self._session().offer_in_progress(self.seat, draft)

    def types(self) -> Event:
        """Show the typing sign."""
        return self._session().show_typing(self.seat)

    def accepts(self, offer: Event | int | None = None) -> Event:
        """Formally accept an offer, by its event or its id; the one on the table unless given."""
        if offer is None:
            offer = self.context().current_offer_id or 0
        return self._session().formal_accept(self.seat, offer.seq if isinstance(offer, Event) else offer)

    def quits(self) -> Event:
        """Walk away."""
        return self._session().formal_quit(self.seat)

    # Acts of other kinds of game

    def performs(self, action: MechanismAction | MechanismAct) -> Event:
        """Perform an action of a kind of game that is no bargaining, now: its delay does not count.

        Raises:
            Refused: If the rules refuse it; a sentence.
        """
        act = action.as_act() if isinstance(action, MechanismAction) else action
        return self._session().act(self.seat, act.type, act.payload, ActionOrigin(to=act.to))

    # In a trading game

    def calls_for_proposals(self, to: Seat, *, buyer: bool, goods: Sequence[str] = ()) -> Event:
        """Ask another seat for proposals."""
        return self.performs(CallForProposals(to, buyer, tuple(goods)))

    def proposes(
        self,
        to: Seat,
        *,
        buyer: bool,
        amount: float,
        quantities: Mapping[str, int],
        answers: Event | int | None = None,
    ) -> Event:
        """Propose a transaction to another seat; ``answers`` is the call or the proposal that it answers."""
        answered = answers.seq if isinstance(answers, Event) else answers
        return self.performs(Propose(to, buyer, amount, quantities, answered))

    def accepts_proposal(self, proposal: Event | int) -> Event:
        """Accept a proposal, by its event or its id, or confirm one's own that was accepted."""
        return self.performs(AcceptProposal(_number_of(proposal)))

    def declines(self, proposal: Event | int) -> Event:
        """Decline a proposal, by its event or its id, or withdraw one's own."""
        return self.performs(DeclineProposal(_number_of(proposal)))

    def submits(
        self,
        proposal: Event | int,
        *,
        amount: float | None = None,
        quantities: Mapping[str, int] | None = None,
    ) -> Event:
        """Request the transaction of an open proposal, by its event or its id.

        Args:
            proposal: The proposal.
            amount: Another price than that of the proposal, for a request that does not match.
            quantities: Other units than those of the proposal.

        Raises:
            Refused: If the proposal is no longer open, or the rules refuse the request.
        """
        trading = self.context().trading
        found = trading.proposal(_number_of(proposal))
        if found is None:
            raise Refused("That proposal is no longer open.")
        asked = trading.submit(found)
        return self.performs(
            SubmitTransaction(
                asked.transaction_id,
                asked.buyer,
                asked.counterparty,
                asked.amount if amount is None else amount,
                asked.quantities if quantities is None else quantities,
            )
        )

    # In a market game

    def places_order(
        self,
        side: str,
        price: float,
        quantity: int = 1,
        *,
        good: str | None = None,
        condition: str | None = None,
        now: bool = False,
    ) -> Event:
        """Place an order: a ``bid``, to buy, or an ``ask``, to sell."""
        return self.performs(PlaceOrder(side, price, quantity, good=good, condition=condition, now=now))

    def cancels(self, order: Event | int) -> Event:
        """Take an order of one's own out of the book, by its event or its id."""
        return self.performs(CancelOrder(_number_of(order)))

    def decides(self, **values: Any) -> Event:
        """Decide what the phase asks: a value for each of its fields."""
        return self.performs(Decide(values))

    def context(self) -> AgentContext:
        """Return the context of an agent in this seat."""
        return self._table.context(self.seat)

    def _session(self) -> Session:
        self._table.start()
        return self._table.session


def _number_of(event: Event | int) -> int:
    """Return the id of a proposal or an order: the seq of its event."""
    return event.seq if isinstance(event, Event) else event


def _with_assistants(game: GameSpec, assistants: Mapping[str, Assistant]) -> GameSpec:
    """Return a game with the kinds and the seats of assistants."""
    specs = dict(game.assistants)
    for name, one in assistants.items():
        spec = specs.get(name, AssistantSpec(name))
        kind = AssistantKind(one.role)
        first = spec.coach or kind is AssistantKind.DEBRIEF
        usual, other = ("human", game.seats[0]) if first else ("agent", game.seats[-1])
        seat = spec.seat or (usual if usual in game.seats else other)
        specs[name] = replace(spec, seat=seat, kind=kind)
    return replace(game, assistants=SeatMap(specs))


def _with_principals(game: GameSpec, names: Iterable[str]) -> GameSpec:
    """Return a game with principals; one that it does not name is above all seats."""
    found = {name: game.principals.get(name) or PrincipalSpec(name, game.seats) for name in names}
    return replace(game, principals=SeatMap({**dict(game.principals), **found}))


def _assignment(plugin: NegotiationAgent, name: str, game: GameSpec, seed: int) -> SeatAssignment:
    """Return the assignment of a plug-in without a seat, in this process; it is not restarted."""
    plugin.agent_id = name
    if not getattr(plugin, "configured", False):
        plugin.configure({})
    rng = seat_rng(seed, name)
    return SeatAssignment(lambda: AgentRunner(plugin, rng), replace(game.rules.agents, restarts=0))


class TrialTable:
    """Table on a virtual clock. The game starts with the first action or the first wait.

    Args:
        game: The game.
        seed: Seed for everything random.
        log: Further sink of events besides ``events``.
        agents_may_fail: Whether a test expects an agent to fail, and looks at ``events`` and ``errors``
            itself. Else ``wait`` and ``play_out`` raise :class:`AgentFailed` at an agent's failure:
            the session goes on without its answer, so a test would fail for a reason that it does not name.
        session_id: The session's id, which agents find in ``ctx.state.meta``.
        rounds: The number of rounds that are planned.
        after: The table of the round before, whose game is over: the same agents have these seats, and
            remember it. The record also keeps what an agent has noted under ``notes``,
            its seat and ``memory``.
        assistants: Assistants by name. One that the game does not name serves the seat ``human`` if it is a
            debriefing, and else the seat ``agent``, or the first and last seat.
        principals: Principals by name. One that the game does not name is above all seats.

    Raises:
        NegoError: If the round before is not over, or its agents cannot play this game.
    """

    def __init__(
        self,
        game: GameSpec,
        *,
        seed: int = 1,
        log: EventSink | None = None,
        agents_may_fail: bool = False,
        session_id: str = "",
        rounds: int = 1,
        after: TrialTable | None = None,
        assistants: Mapping[str, Assistant] | None = None,
        principals: Mapping[str, PrincipalAgent] | None = None,
    ) -> None:
        game = _with_principals(_with_assistants(game, assistants or {}), principals or {})
        record = EMPTY_RECORD
        self._round = Round(of=rounds)
        self._earlier: dict[Seat, tuple[EarlierRound, ...]] = {}
        if after is not None:
            number = after._round.number + 1
            self._round = Round(number, max(after._round.of, number))
            self._earlier = after._results()
            same = {seat: seat for seat in game.seats}
            record = parse_template(carried_sections(after.state.record, same))
        if game.economy is not None and game.economy.drawn is not None:
            game = game.resolve_profiles(seed)  # without endowments no seat could act
        self.events: list[Event] = []
        self.errors: list[BaseException] = []
        self._clock = VirtualClock()
        self._log = log
        self._agents_may_fail = agents_may_fail
        self._reported = 0
        self._failures: list[tuple[Event, BaseException | None]] = []
        self._table = SessionRunner(
            game,
            seed=seed,
            clock=self._clock,
            log=self,
            report=self.errors.append,
            session_id=session_id,
            record=record,
        )
        self._table.assign_assistants(
            {name: _assignment(one, name, game, seed) for name, one in (assistants or {}).items()}
        )
        for name, principal in (principals or {}).items():
            self._table.assign_principal(name, _assignment(principal, name, game, seed))
        self._seed = seed
        self._started = False
        self._seated: dict[Seat, tuple[NegotiationAgent, AgentTiming | None, ExecutorFactory]] = {}
        for seat, (agent, timing, executor_factory) in after._seated.items() if after is not None else ():
            check_agent_plays(agent, visible_game(self.state.game, observer_of(self.state.game, seat)))
            self.seat(agent, seat, timing, executor_factory)

    def _results(self) -> dict[Seat, tuple[EarlierRound, ...]]:
        """Return the results of this round and those before it, by the seats of agents."""
        state, ending = self.state, self.state.ending
        if ending is None:
            raise NegoError("The round before is not over; play_out() or an agreement ends it.")
        points = final_points(mechanism_of(state.game.mechanism), state, self._seated)
        return {
            seat: (
                *self._earlier.get(seat, ()),
                EarlierRound(self._round.number, state.game.name, ending.ended_by, ending.deal, points[seat]),
            )
            for seat in self._seated
        }

    @property
    def session(self) -> Session:
        """Session of the table."""
        return self._table.session

    @property
    def state(self) -> State:
        """Current state."""
        return self._table.session.state

    @property
    def human(self) -> ScriptedParticipant:
        """The seat ``human``."""
        return ScriptedParticipant("human", self)

    @property
    def agent(self) -> ScriptedParticipant:
        """The seat ``agent``."""
        return ScriptedParticipant("agent", self)

    def participant(self, seat: Seat) -> ScriptedParticipant:
        """Return the participant in a seat."""
        return ScriptedParticipant(seat, self)

    party = participant
    """Name of the same method in version 1.0 of the agent API."""

    def seat(
        self,
        agent: NegotiationAgent,
        at: Seat = "agent",
        timing: AgentTiming | None = None,
        executor_factory: ExecutorFactory = InlineExecutor,
    ) -> None:
        """Seat an agent, before the game starts. One that is not configured yet gets no settings.

        ``executor_factory`` makes the executor in which it runs.
        """
        if not getattr(agent, "configured", False):
            agent.configure({})
        self._seated[at] = (agent, timing, executor_factory)
        place = replace(self._round, earlier=self._earlier.get(at, ()))
        self._table.assign_agent(at, agent, timing, executor_factory, place)

    def subscribe(self, subscriber: Callable[[PublishedEvent], None]) -> None:
        """Call a subscriber for every event from now on, after the agents that are seated."""
        self._table.subscribe(subscriber)

    @property
    def closed(self) -> bool:
        """Whether the session is over and its log closed."""
        return self._table.finished

    def start(self) -> None:
        """Start the game, once."""
        if not self._started:
            self._started = True
            self._table.start()

    def wait(self, seconds: float) -> None:
        """Let session time pass, and run everything that becomes due.

        Raises:
            AgentFailed: When the time has passed, if an agent has failed by then; each failure is raised
                once.
        """
        self.start()
        until = round(self._clock() + seconds, 3)
        while (due := self._table.next_due()) is not None and due <= until:
            self._clock.advance_to(due)
            self._table.run_one_due()
        self._clock.advance_to(until)
        self._raise_failure()

    def play_out(self, longest: float = 86_400) -> None:
        """Let time pass until the session is closed, or for a day."""
        self.wait(longest)

    def _raise_failure(self) -> None:
        failures, self._failures = self._failures, []
        if failures and not self._agents_may_fail:
            event, error = failures[0]
            failure = event.payload
            game = self.state.game
            seatless = (("assistant", game.assistants), ("principal", game.principals))
            who = next((who for who, names in seatless if failure.seat in names), "agent in the seat")
            raise AgentFailed(
                f"The {who} {failure.seat!r} failed at {event.t:g} s: {failure.reason}"
            ) from error

    def context(self, seat: Seat) -> AgentContext:
        """Return the context of an agent in a seat."""
        return AgentContext(
            view_of(self.state, observer_of(self.state.game, seat)), now=self._clock(), rng=Random(self._seed)
        )

    def kinds(self, *, without: frozenset[str] = frozenset({EventType.TIME})) -> list[str]:
        """Return the types of the events so far; ticks are left out unless wanted."""
        return [str(event.type) for event in self.events if event.type not in without]

    # The table's own log: collects every event here, and passes it on.

    def write(self, event: Event) -> None:
        """Append an event."""
        if self._log is not None:
            self._log.write(event)
        self.events.append(event)
        if event.type == EventType.AGENT_FAILED:
            # Its error, if there is one, has just been reported.
            error = self.errors[-1] if len(self.errors) > self._reported else None
            self._failures.append((event, error))
            self._reported = len(self.errors)

    def close(self) -> None:
        """Close the log."""
        if self._log is not None:
            self._log.close()
