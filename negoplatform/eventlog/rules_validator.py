"""Validator of logs: whether each event could have happened at its place."""

from __future__ import annotations

from negoplatform.core.action_rules import (
    EVENTS_PER_INSTANT,
    closing_deadline,
    tick_at,
    validate_action,
)
from negoplatform.core.agent_lifecycle import AgentLifecycle, logged_failure, transition
from negoplatform.core.events import (
    Announced,
    DecidedBy,
    EndedBy,
    Ending,
    Event,
    EventType,
    Failure,
    FailureKind,
    Refusal,
)
from negoplatform.core.fold import apply
from negoplatform.core.intention_ledger import intentions
from negoplatform.core.mechanisms.base import Fact, Mechanism
from negoplatform.core.mechanisms.registry import is_event_type
from negoplatform.core.pending_facts import PendingFacts
from negoplatform.core.record.notes_and_tasks_proposals import (
    MISSING_VERSION_REASON,
    ProposerKind,
    StateProposal,
    review_proposal,
    task_origins_of,
)
from negoplatform.core.rules_faults import describe_fault, find_fault, is_end_by_fault
from negoplatform.core.state import Phase, State
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.eventlog.command_validator import CommandValidator
from negoplatform.eventlog.plugin_validator import PluginValidator
from negoplatform.eventlog.reader import fits_a_line
from negoplatform.formats.log_header import Header

NO_FAULT = (
    "it says that the rules failed here, but the present rules do not fail here, so the log does not follow "
    "from them"
)


class LogValidator:
    """Validator of a complete log, event by event, by the rules of the session itself.

    Args:
        mechanism: The rules of the game.
        header: The header, which names those who act; None: who acts is not checked.
    """

    def __init__(self, mechanism: Mechanism, header: Header | None = None) -> None:
        self._mechanism = mechanism
        self._fault: BaseException | None = None
        self._pending = PendingFacts(mechanism, self._keep_fault)
        self._agents: dict[Seat, AgentLifecycle] = {}
        self._commands = CommandValidator()
        self._plugins = None if header is None else PluginValidator(header)
        self._announced: set[int | None] = set()
        self._last_tick = -1.0
        # A session may end when a person quits, whatever its rules.
        self._people_who_quit: set[Seat | None] = set()
        self._instant = (-1.0, 0)

    def find_violation(self, state: State, event: Event) -> str:
        """Return why an event could not have happened in this state; empty if it could."""
        try:
            return (
                (self._pending_violation(state, event) if self._pending.facts else "")
                or self._action_violation(state, event)
                or self._time_violation(state, event)
                or self._commands.find_violation(state.game, event)
                or _provenance_violation(event)
                or ("" if self._plugins is None else self._plugins.find_violation(state, event))
            )
        except Exception as error:  # noqa: BLE001 - whatever the rules raise
            return describe_failure(error)

    def _pending_violation(self, state: State, event: Event) -> str:
        """Return why an event could not have happened while a fact was pending."""
        fact = self._pending.next
        # Who records it, and for whom, has a reason of its own.
        recorded = event._replace(sender=PLATFORM, to=fact.to)
        if not fact.matches(recorded) and not self._has_failed_at(fact, state, event):
            if is_end_by_fault(event.payload):
                return NO_FAULT
            return f"{self._describe_fact(fact)} must follow here, but does not"
        if event.t != self._pending.t:
            return f"this follows from the event above it, so its time is {self._pending.t:g} s too"
        return ""

    def advance(self, before: State, event: Event, state: State) -> None:
        """Take an event as valid, with the states before and after it."""
        self._pending.follow(before, event, state)
        self._commands.advance(state.game, event)
        if self._plugins is not None:
            self._plugins.advance(event, state)
        count = self._instant[1] if event.t == self._instant[0] else 0
        facts = self._mechanism.fact_types(state.game)
        if event.type != EventType.RESUMED and event.type not in facts:
            count += 1  # neither a resume, however often it happens, nor what follows from an act
        self._instant = (event.t, 0 if event.type == EventType.GAME_END else count)
        if event.type == EventType.TIME:
            self._last_tick = event.t
        if event.type == EventType.FORMAL_QUIT and event.decided_by is DecidedBy.HUMAN:
            self._people_who_quit.add(event.sender)
        if isinstance(event.payload, Announced) and event.type not in facts:
            self._announced.add(self._announcement_index(state, event))
        if isinstance(event.payload, Failure):
            failure = event.payload
            # The events do not hold the agent's budget, so no phase is read here, only the count.
            earlier = self._agents.get(failure.seat, AgentLifecycle())
            after = transition(earlier, logged_failure(lost=failure.kind is FailureKind.LOST))
            self._agents[failure.seat] = after

    def _time_violation(self, state: State, event: Event) -> str:
        if event.t != round(event.t, 3):
            return f"its time, {event.t} s, is no whole millisecond"
        if state.phase is Phase.SETUP and event.type != EventType.GAME_START:
            return "the game had not started"
        crowded = self._is_crowded(event) and state.phase is Phase.NEGOTIATING
        uncounted = {EventType.GAME_END, EventType.RESUMED, *self._mechanism.fact_types(state.game)}
        if crowded and event.type not in uncounted:
            return "too many events happened at one instant"
        if event.t > closing_deadline(state):
            return f"it happened more than {state.game.rules.closing:g} s after the end"
        return ""

    def _is_crowded(self, event: Event) -> bool:
        """Return whether so much has happened at the instant of an event that the session is ended."""
        return event.t == self._instant[0] and self._instant[1] > EVENTS_PER_INSTANT

    def _action_violation(self, state: State, event: Event) -> str:
        if isinstance(event.payload, StateProposal):
            return _proposal_violation(state, event, event.payload)
        if event.sender == PLATFORM:
            return self._platform_violation(state, event)
        rule = self._mechanism.all_acts.get(event.type)
        if rule is None:
            return f"only the platform records {event.type}"
        if self._mechanism.keeps_time(state.game) and (due := self._facts_due(state, event.t)):
            return f"{self._describe_fact(due[0])} was due before it"
        try:
            validate_action(state, rule, event.sender, event.type, event.payload, event.to, event.t)
            self._mechanism.check(state, event.sender, event.payload, event.to)
        except Refused as refusal:
            return f"{event.sender} could not do this: {str(refusal).rstrip('.')}"
        return ""

    def _platform_violation(self, state: State, event: Event) -> str:
        match event.payload:
            case Refusal(action=action):
                if len(event.to) != 1 or not is_event_type(action):
                    return "a refusal is for the one seat that asked"
                return ""
            case Failure(seat=seat, strikes=strikes):
                plugins = (*state.game.seats, *state.game.principals, *state.game.assistants)
                if seat not in plugins or strikes != self._failures(seat) + 1:
                    return "the strikes do not count up"
                return ""
            case Announced() if event.type in self._mechanism.fact_types(state.game):
                return self._fact_violation(state, event)
            case Announced():
                return self._announcement_violation(state, event)
            case _ if event.type in self._mechanism.all_acts:
                return "the platform takes no part in a negotiation"
            case _ if event.to:
                return "this is for everyone"
            case Ending():
                return self._ending_violation(state, event)
            case _:
                return self._clock_violation(state, event)

    def _fact_violation(self, state: State, event: Event) -> str:
        """Return why a fact of the mechanism could not have been recorded here."""
        if self._pending.facts:
            return "" if self._pending.next.matches(event) else "it was recorded for other seats"
        return "" if self._falls_due(state, event) else "nothing has made this happen"

    def _falls_due(self, state: State, event: Event) -> bool:
        due = self._facts_due(state, event.t)
        return bool(due) and due[0].matches(event)

    def _facts_due(self, state: State, t: float) -> tuple[Fact, ...]:
        return self._pending.due(state, t) if state.phase is Phase.NEGOTIATING else ()

    def _has_failed_at(self, fact: Fact, state: State, event: Event) -> bool:
        """Return whether an event ends the session because the rules fail at a fact."""
        if not is_end_by_fault(event.payload):
            return False
        missing = event._replace(type=fact.type, payload=fact.payload, to=fact.to)
        try:
            apply(state, missing, self._mechanism)
        except Exception:  # noqa: BLE001 - whatever the rules raise
            return True
        return not fits_a_line(missing)

    def _keep_fault(self, error: BaseException) -> None:
        self._fault = error

    def _describe_fact(self, fact: Fact) -> str:
        if is_end_by_fault(fact.payload) and self._fault is not None:
            return f"the end because the present rules fail here ({describe_fault(self._fault)})"
        return _describe_fact(fact)

    def _failures(self, seat: Seat | None) -> int:
        return self._agents[seat].failures if seat in self._agents else 0

    def _announcement_violation(self, state: State, event: Event) -> str:
        if self._announcement_index(state, event) is None:
            return "the game announces no such thing, or not yet, or not again"
        return ""

    def _announcement_index(self, state: State, event: Event) -> int | None:
        """Return the number of the announcement that an event makes; None if the game has none such left."""
        made = (event.type, event.payload.data, event.payload.text, event.to)
        for i, a in enumerate(state.game.announcements):
            due = i not in self._announced and event.t >= round(a.at_seconds, 3)
            if due and made == (a.type, a.data, a.text, a.to):
                return i
        return None

    def _clock_violation(self, state: State, event: Event) -> str:
        deadline = state.game.rules.deadline_seconds
        match event.type:
            case EventType.GAME_START if state.phase is not Phase.SETUP:
                return "the game had started already"
            case EventType.TIME if state.phase is not Phase.NEGOTIATING:
                return "no game was running"
            case EventType.TIME if event.payload != tick_at(event.t, state.game):
                return "what it says about the time is not so"
            case EventType.TIME if deadline is not None and self._last_tick >= round(deadline, 3):
                return "the time was up"
            case _:
                return ""

    def _ending_violation(self, state: State, event: Event) -> str:
        if state.phase is not Phase.NEGOTIATING:
            return "no game was running that could end"
        if self._pending.facts or self._falls_due(state, event):
            return ""
        due = self._facts_due(state, event.t)
        if is_end_by_fault(event.payload):
            return NO_FAULT if due or find_fault(self._mechanism, state) is None else ""
        if due and not self._is_crowded(event):
            return f"{self._describe_fact(due[0])} was due before it"
        deadline = state.game.rules.deadline_seconds
        match event.payload:
            case Ending(ended_by=EndedBy.AGREEMENT) | Ending(deal=Offer()):
                return "not enough seats had accepted this deal"
            case Ending(ended_by=EndedBy.QUIT, by=by) if by not in self._people_who_quit:
                return "nobody had walked away"
            case Ending(ended_by=EndedBy.COMPLETED):
                return "the game had not run its course"
            case Ending(ended_by=EndedBy.TIMEOUT, by=by) if (
                by is not None or deadline is None or event.t < round(deadline, 3)
            ):
                return "the time was not up"
            case Ending(ended_by=EndedBy.AGENT_FAILURE, by=by) if not self._failures(by):
                return "no agent had failed there"
            case Ending(by=by) if by is not None and by not in state.game.seats:
                return f"there is no seat {by!r}"
            case _:
                return ""


def describe_failure(error: Exception) -> str:
    """Return why an event does not follow where the present rules raise at it."""
    return f"the present rules fail at it ({describe_fault(error)})"


def _proposal_violation(state: State, event: Event, proposal: StateProposal) -> str:
    """Return why a change of the record could not have been proposed, or not with this verdict."""
    from_seat = proposal.proposer.kind is ProposerKind.SEAT
    if event.sender != (proposal.proposer.name if from_seat else PLATFORM) or event.to:
        return "it was proposed by somebody else"
    if from_seat and event.sender not in state.game.seats:
        return f"there is no seat {event.sender!r}"
    if proposal.base_version >= event.seq:
        return "it was proposed on a version that there was not yet"
    assistants = state.game.assistants
    if proposal.proposer.kind is ProposerKind.ASSISTANT and proposal.proposer.name in assistants:
        reader: Seat | None = assistants[proposal.proposer.name].seat
    else:
        reader = event.sender if from_seat else None
    verdict = review_proposal(
        state.record,
        proposal.proposer,
        proposal.base_version,
        proposal.updates,
        None if reader is None else lambda: intentions(state.transcript_of(reader)),
        task_origins_of(state.game, proposal.proposer),
    )
    if not proposal.accepted:
        if not proposal.reason:
            return "it was refused without a reason"
        # An invalid base_version is logged as 0, so the log has no proof of that refusal.
        is_false = verdict.accepted and proposal.reason != MISSING_VERSION_REASON
        return "it was refused, but the rules accept it" if is_false else ""
    return "" if verdict.proposal == proposal else f"it could not be accepted: {verdict.reason.rstrip('.')}"


def _provenance_violation(event: Event) -> str:
    """Return why the experimenter's part of an event is invalid."""
    by_seat = event.sender != PLATFORM
    if event.cause is not None and event.cause >= event.seq:
        return f"it answers event {event.cause}, which had not happened"
    if by_seat and event.decided_by is None:
        return "it does not say who decided it"
    if not by_seat and event.decided_by is not None and event.type != EventType.ACTION_REFUSED:
        return "nobody decides what the platform records"
    if event.decided_at is not None and event.decided_at > event.t:
        return "it was decided after it happened"
    return ""


def _describe_fact(fact: Fact) -> str:
    match fact.payload:
        case Ending(ended_by=EndedBy.AGREEMENT, deal_id=deal_id):
            return f"the end of the game by agreement on offer {deal_id}"
        case Ending(ended_by=ended_by, by=seat):
            return f"the end of the game ({ended_by.value} by {seat})"
        case _:
            return fact.type
