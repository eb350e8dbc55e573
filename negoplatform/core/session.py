"""The session: the only writer of state. All others propose."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from negoplatform.core.action_rules import (
    EVENTS_PER_INSTANT,
    closing_deadline,
    phase_at,
    tick_at,
    validate_action,
)
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import (
    GAME_END,
    GAME_START,
    NOTHING,
    SEND_OFFER,
    Accepted,
    DecidedBy,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Failure,
    FailureKind,
    Message,
    Note,
    OfferMade,
    Payload,
    Refusal,
    Resumed,
    Typing,
    announced,
    clean_text,
    new_tuple,
    shared_data,
)
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.intention_ledger import intentions
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.base import ActAudience, ActRule, Mechanism, game_end
from negoplatform.core.mechanisms.registry import is_event_type
from negoplatform.core.notes_and_tasks_derivation import (
    completed_updates,
    proposed_sections_diff,
    record_sections,
)
from negoplatform.core.pending_facts import PendingFacts
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record, Task
from negoplatform.core.record.notes_and_tasks_proposals import (
    Proposer,
    ProposerIssuer,
    ProposerKind,
    review_proposal,
    task_origins_of,
)
from negoplatform.core.record.notes_and_tasks_update_merge import StateDiff
from negoplatform.core.rules_faults import END_BY_FAULT, NOTHING_CHANGED, find_fault, is_end_by_fault
from negoplatform.core.state import NEGOTIATING, Phase, State
from negoplatform.core.typed_state.typed_game_state import EventRefused
from negoplatform.core.virtual_clock import Clock
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM, Seat


class ActionOrigin(NamedTuple):
    """Origin of a proposal.

    Args:
        decided_by: The decision maker.
        cause: The seq of the event that it answers.
        decided_at: The session time of an agent's decision.
        to: The recipients; none means everyone who sees such an act.
    """

    decided_by: DecidedBy | None = DecidedBy.HUMAN
    cause: int | None = None
    decided_at: float | None = None
    to: tuple[Seat, ...] = ()


BY_HUMAN = ActionOrigin()


class Session:
    """A session of one game.

    Every action either records an event and returns it, or is refused: then nothing changes, an
    ACTION_REFUSED is recorded for the proposer, and :class:`Refused` is raised with the reason.

    Args:
        game: The game, with all preferences.
        mechanism: Its rules.
        clock: Session time in seconds.
        log: Writes one event; if it raises, the event did not happen.
        publish: Publishes an event and the state after it.
        report: Receives an unexpected error of the rules, for the crash file.
        session_id: The session's id; empty where it has none.
        record_template: The initial content of the record.
        record: Further sections of the record, from an earlier session.
        proposers: The issuer of those who may propose changes of the record, which only the code that makes
            the session holds; None: no one may.
    """

    def __init__(
        self,
        game: GameSpec,
        *,
        mechanism: Mechanism,
        clock: Clock,
        log: Callable[[Event], None],
        publish: Callable[[PublishedEvent], None],
        report: Callable[[BaseException], object],
        session_id: str = "",
        record_template: Record = EMPTY_RECORD,
        record: Record = EMPTY_RECORD,
        proposers: ProposerIssuer | None = None,
    ) -> None:
        self._mechanism = mechanism
        self._acts = mechanism.all_acts
        self._keeps_time = mechanism.keeps_time(game)
        self._clock = clock
        self._log = log
        self._publish = publish
        self._report = report
        self._state = initial_state(game, mechanism, session_id, record)
        self._record_template = record_template
        self._events: list[Event] = []
        self._seq = 0
        self._t = 0.0
        self._read_and_rounded = (0.0, 0.0)
        self._events_at_instant = 0
        self._strikes: dict[Seat, int] = {}
        self._unpublished: deque[PublishedEvent] = deque()
        self._pending = PendingFacts(mechanism, report)
        facts = mechanism.fact_types(game)
        self._uncounted = frozenset([EventType.RESUMED, *facts])
        self._followed = frozenset([GAME_START, GAME_END, *facts])
        acts = self._acts.items()
        self._unfollowed = frozenset(kind for kind, rule in acts if not rule.has_consequences)
        addressed = (ActAudience.SENDER, ActAudience.ONE_SEAT)
        self._addressed = frozenset(kind for kind, rule in acts if rule.audience in addressed)
        self._proposers = ProposerIssuer(game.seats) if proposers is None else proposers
        self._closed = False

    @property
    def state(self) -> State:
        """Current state, a frozen value."""
        return self._state

    @property
    def phase(self) -> Phase:
        """Phase of the session now: that of its state, and DONE once nothing is recorded any more."""
        return Phase.DONE if self._closed else phase_at(self._state, self.now())

    def now(self) -> float:
        """Return the session time with which the next event would be stamped."""
        read, rounded = self._read_and_rounded
        if (now := self._clock()) != read:
            # A virtual clock is read several times at one instant, and rounding takes longer than reading.
            rounded = round(now, 3)
            self._read_and_rounded = (now, rounded)
        return rounded if rounded > self._t else self._t

    @property
    def event_limit_exceeded(self) -> bool:
        """Whether so much has happened at this instant that time no longer moves."""
        return self._events_at_instant > EVENTS_PER_INSTANT

    # Actions of seats

    def send_message(self, seat: Seat, message: Message, origin: ActionOrigin = BY_HUMAN) -> Event:
        """Send a message; lone surrogates and control characters are replaced first."""
        clean = Message(clean_text(message.text), message.subtype, message.preference, message.batna)
        return self.act(seat, EventType.SEND_MESSAGE, clean, origin)

    def send_offer(self, seat: Seat, offer: Offer, origin: ActionOrigin = BY_HUMAN) -> Event:
        """Put an offer on the table."""
        return self.act(seat, SEND_OFFER, OfferMade(offer), origin)

    def send_expression(
        self, seat: Seat, expression: Expression, duration_ms: int = 2000, origin: ActionOrigin = BY_HUMAN
    ) -> Event:
        """Show an emotion."""
        return self.act(seat, EventType.SEND_EXPRESSION, ExpressionShown(expression, duration_ms), origin)

    def offer_in_progress(
        self, seat: Seat, draft: Offer | None = None, origin: ActionOrigin = BY_HUMAN
    ) -> Event:
        """Signal that an offer is being built; the draft is included only where the game shares drafts."""
        shared = draft if self._state.game.rules.share_drafts else None
        return self.act(seat, EventType.OFFER_IN_PROGRESS, Drafting(shared), origin)

    def show_typing(self, seat: Seat, duration_ms: int = 1000, origin: ActionOrigin = BY_HUMAN) -> Event:
        """Signal that a message is being typed."""
        return self.act(seat, EventType.TYPING, Typing(duration_ms), origin)

    def formal_accept(self, seat: Seat, offer_id: int, origin: ActionOrigin = BY_HUMAN) -> Event:
        """Accept the offer of that id, and no other."""
        return self.act(seat, EventType.FORMAL_ACCEPT, Accepted(offer_id), origin)

    def formal_quit(self, seat: Seat, origin: ActionOrigin = BY_HUMAN) -> Event:
        """Walk away; whether that ends the game is up to the mechanism."""
        return self.act(seat, EventType.FORMAL_QUIT, NOTHING, origin)

    def propose_change(
        self,
        proposer: Proposer,
        updates: Mapping[str, Any],
        base_version: int,
        origin: ActionOrigin = BY_HUMAN,
    ) -> Event:
        """Propose a change of the record; verdict and reason are logged either way.

        Args:
            proposer: The proposer, as the session's :class:`ProposerIssuer` has issued it.
            updates: The changes, by section.
            base_version: The version of the record that the proposer knew.
            origin: The origin of the proposal.

        Raises:
            Refused: With the reason, after it was logged.
        """
        if not self._proposers.has_issued(proposer):
            raise Refused("This proposer was not issued by this session.")
        # No version lies in the future: one that did would get round every check.
        known = min(base_version, self._seq) if isinstance(base_version, int) else base_version
        tasks = partial(self._tasks_known_to, proposer)
        complete = completed_updates(self._state.record, updates, tasks)
        stated = replace(proposer)  # events are read by many, who must not find the issued one in them
        origins = task_origins_of(self._state.game, stated)
        verdict = review_proposal(self._state.record, stated, known, complete, tasks, origins)
        is_seat = proposer.kind is ProposerKind.SEAT
        sender = proposer.name if is_seat else PLATFORM
        # The audience follows from the changes.
        whose = origin._replace(to=(), decided_by=origin.decided_by if is_seat else None)
        stated_origin = whose if is_seat or origin.cause is not None else None
        event = self._record_and_publish(
            EventType.STATE_PROPOSED, sender, verdict.proposal, stated_origin, self.now()
        )
        if not verdict.accepted:
            if is_seat:
                addressed = origin._replace(to=(proposer.name,))
                refusal = Refusal(EventType.STATE_PROPOSED, verdict.reason)
                self._record_and_publish(EventType.ACTION_REFUSED, PLATFORM, refusal, addressed, self.now())
            raise Refused(verdict.reason)
        return event

    def get_state(self) -> dict[str, Any]:
        """Return the record's sections, a copy that its reader may change without any effect.

        What follows from the events is computed here; see ``notes_and_tasks_derivation``. The experimenter's
        part of the events (``decided_by``) is in the log alone.
        """
        return record_sections(self._state, self._events, self._record_template)

    def get_proposed_state_diff(self, proposed_updates: Mapping[str, Any]) -> StateDiff:
        """Return the changes that some updates would make, without proposing them."""
        return proposed_sections_diff(self._state, self._events, proposed_updates, self._record_template)

    def _tasks_known_to(self, proposer: Proposer) -> list[Task]:
        """Return the tasks of the events that a proposer sees: its proposal comes back to it completed."""
        if proposer.kind is ProposerKind.SEAT:
            return intentions(self._state.transcript_of(proposer.name))
        assistant = self._state.game.assistants.get(proposer.name)
        if proposer.kind is ProposerKind.ASSISTANT and assistant is not None:
            return intentions(self._state.transcript_of(assistant.seat))
        return [*self._record_template.tasks, *intentions(self._events)]

    # Actions of the platform

    def start(self) -> Event:
        """Start the game, once."""
        return self._record_platform_event(GAME_START, NOTHING)

    def tick(self) -> Event:
        """Record a tick while the game runs."""
        self._record_pending_facts()
        if self._state.phase is not NEGOTIATING:
            raise Refused("No game is running.")
        now = self.now()
        return self._record_platform_event(EventType.TIME, tick_at(now, self._state.game), now)

    def end(self, ended_by: EndedBy, reason: str = "", by: Seat | None = None) -> Event | None:
        """End the game if it still runs, after everything that the time has made happen."""
        self.fall_due()
        if self._state.phase is not NEGOTIATING:
            return None
        ending = Ending(ended_by, by=by, reason=clean_text(reason))
        try:
            return self._record_platform_event(GAME_END, ending)
        except Refused:
            if self._state.ending is None:
                raise
            return None  # the rules fail at this end, so the session has ended because of that

    def next_due(self) -> float | None:
        """Return the session time (s) at which time alone makes something happen; None: at no time.

        Raises:
            Exception: Whatever the rules raise.
        """
        return self._pending.next_due(self._state)

    def fall_due(self) -> None:
        """Record everything that the time has made happen, if the game still runs."""
        self._record_pending_facts()
        if self._state.phase is NEGOTIATING and not self._closed:
            self._pending.add_due(self._state, self.now())
            self._record_pending_facts()

    def end_if_rules_fail(self) -> bool:
        """End a running game if the rules cannot say what its seats may see and do; return whether so."""
        self.fall_due()
        error = find_fault(self._mechanism, self._state) if self._state.phase is NEGOTIATING else None
        if error is None:
            return False
        self._report(error)
        self._record_platform_event(GAME_END, END_BY_FAULT.payload)
        return True

    def note(self, kind: NoteKind, cause: int | None = None, /, **data: Any) -> Event:
        """Record a note, which is not part of the state; the data are JSON values."""
        return self._record_and_publish(
            EventType.NOTE, PLATFORM, Note(kind, data), _caused_by(cause), self.now()
        )

    def record_agent_failure(
        self, seat: Seat, reason: str, kind: FailureKind = FailureKind.FAILED, *, cause: int | None = None
    ) -> int:
        """Record that an agent broke its side of the contract; return the number of its failures so far."""
        failure = Failure(seat, clean_text(reason), self._strikes.get(seat, 0) + 1, kind)
        self._record_and_publish(EventType.AGENT_FAILED, PLATFORM, failure, _caused_by(cause), self.now())
        return failure.strikes

    # Resumption of an interrupted session

    def restore(self, events: Iterable[Event]) -> list[PublishedEvent]:
        """Restore a new session from a log: each event once more, neither recorded nor published.

        All at once: no event of a log can come behind one that was recorded here. A session that does not
        fit the log is closed.

        Returns:
            Every event with the state after it, as it was published then.

        Raises:
            Refused: If this session has events already or is closed, or an event does not fit the state.
        """
        if self._seq or self._closed:
            raise Refused("Only a session without any event can be restored from a log.")
        restored = []
        try:
            for event in events:
                seen = event.redacted()
                self._commit(event, seen, apply(self._state, seen, self._mechanism))
                restored.append(PublishedEvent(event, seen, self._state))
        except BaseException:
            self._closed = True
            raise
        return restored

    def resume(self, torn_bytes: int = 0) -> Event:
        """Record that a restored session goes on; an end that is still missing in its log comes first."""
        return self._record_platform_event(EventType.RESUMED, Resumed(torn_bytes))

    def announce(self, announcement: Announcement) -> Event | None:
        """Send an announcement; note one that does not fit the game's typed state, and return None."""
        made = announced(shared_data(announcement.json), announcement.text)
        try:
            return self._record_and_publish(
                announcement.type,
                PLATFORM,
                made,
                ActionOrigin(to=announcement.to, decided_by=None),
                self.now(),
            )
        except EventRefused as refusal:
            self._report(refusal)
            refused = {"type": announcement.type, "to": list(announcement.to), "data": announcement.data}
            self.note(NoteKind.ANNOUNCEMENT_REFUSED, **refused, reason=str(refusal))
            return None

    def close(self) -> None:
        """Close the session: nothing is recorded from now on."""
        self._closed = True

    # Single entry point

    def act(
        self, seat: Seat, kind: str, payload: Any, origin: ActionOrigin = BY_HUMAN, seen: State | None = None
    ) -> Event:
        """Check and record an act: the only way in which a seat can do anything but propose a change.

        The clock is read once for the check and the stamp, so that the checked event is the logged one.

        Args:
            seat: The acting seat.
            kind: A common type of act, or one of the mechanism's.
            payload: The payload of that type.
            origin: The origin, with the recipients of an act that is addressed.
            seen: The state in which it was decided, if the payload refers to something there.

        Raises:
            Refused: With the reason, after it was logged; a type that does not exist is not logged. Also if
                the rules fail at it: then the crash file has the error.
        """
        rule = self._acts.get(kind)
        if rule is None and not is_event_type(kind):
            raise Refused(f"{kind!r} is no type of event.")  # a log could not hold it either
        if self._keeps_time:
            self.fall_due()  # its timer may be late
        now = self.now()
        if self._closed or self._pending.facts or self._state.phase is not NEGOTIATING:
            self._check_open(now)
        try:
            try:
                if rule is None:
                    raise Refused(f"{kind} is nothing that a seat can do in this kind of game.")
                if kind in self._addressed and not origin.to:
                    origin = origin._replace(to=self._recipients(rule, seat, payload))
                validate_action(self._state, rule, seat, kind, payload, origin.to, now)
                try:
                    if seen is not None:
                        payload = self._resolved(payload, seen)
                    self._mechanism.check(self._state, seat, payload, origin.to)
                except Refused:
                    raise
                except Exception as error:
                    self._report(error)
                    raise Refused(NOTHING_CHANGED) from error
                return self._record(kind, seat, payload, origin, now)
            except Refused as refusal:
                addressed = origin._replace(to=(seat,))
                refused = Refusal(kind, clean_text(str(refusal)))
                self._record(EventType.ACTION_REFUSED, PLATFORM, refused, addressed, now)
                raise
        finally:
            # As in _publish_all.
            waiting = self._unpublished
            while waiting:
                self._publish(waiting.popleft())

    def _recipients(self, rule: ActRule, seat: Seat, payload: Any) -> tuple[Seat, ...]:
        """Return the seats that an act is addressed to, whose sender has not said so."""
        if rule.audience is ActAudience.SENDER:
            return (seat,)
        if type(payload) is not rule.payload_class or self._state.phase is not NEGOTIATING:
            return ()  # refused in a moment, with the reason
        try:
            return self._mechanism.recipients(self._state, seat, payload)
        except Refused:
            raise
        except Exception as error:
            self._report(error)
            raise Refused(NOTHING_CHANGED) from error

    def _resolved(self, payload: Any, seen: State) -> Any:
        """Return the payload of an act, naming what it refers to in the state in which it was decided."""
        named = self._mechanism.resolve(payload, seen)
        if type(named) is not type(payload):
            raise TypeError(f"resolve returned {type(named).__name__}, not {type(payload).__name__}")
        return named

    def _record_platform_event(self, kind: EventType, payload: Payload, now: float | None = None) -> Event:
        return self._record_and_publish(kind, PLATFORM, payload, None, self.now() if now is None else now)

    def _record_and_publish(
        self, kind: str, sender: Seat, payload: Payload, origin: ActionOrigin | None, now: float
    ) -> Event:
        self._check_open(now, starting=kind == GAME_START)
        try:
            return self._record(kind, sender, payload, origin, now)
        finally:
            self._publish_all()

    def _check_open(self, now: float, *, starting: bool = False) -> None:
        """Raise Refused unless the log is open, from the start to the end of the closing.

        Outside of these, not even a refusal is recorded.
        """
        if self._pending.facts:
            self._record_pending_facts()
        state = self._state
        if self._closed or (state.ended_at is not None and now > closing_deadline(state)):
            raise Refused("The session is over.")
        if (state.phase is Phase.SETUP) is not starting:
            raise Refused(f"The game has {'started already' if starting else 'not started yet'}.")

    def _record(
        self, kind: str, sender: Seat, payload: Payload, origin: ActionOrigin | None, t: float
    ) -> Event:
        """Record an event, and everything that follows from it at once, before it is published."""
        seq = self._seq + 1
        if origin is None:
            event = seen = new_tuple(Event, (seq, t, kind, sender, payload, (), None, None, None))
        else:
            decided_by, cause, decided_at, to = origin
            event = new_tuple(Event, (seq, t, kind, sender, payload, to, cause, decided_by, decided_at))
            seen = new_tuple(Event, (seq, t, kind, sender, payload, to, None, None, None))
        try:
            following = apply(self._state, seen, self._mechanism)
        except Refused:
            raise
        except Exception as error:
            if sender == PLATFORM and not self.end_if_rules_fail():
                raise
            if sender != PLATFORM:
                self._report(error)
            raise Refused(NOTHING_CHANGED) from error
        self._log(event)
        self._unpublished.append(new_tuple(PublishedEvent, (event, seen, following)))
        if kind in self._unfollowed and t != self._t and not self._pending.facts:
            # As in _commit, of the first event at an instant, from which nothing follows.
            self._events.append(seen)
            self._seq, self._t, self._state, self._events_at_instant = seq, t, following, 1
            return event
        self._commit(event, seen, following)
        if self._pending.facts:
            self._write_pending_facts()
        return event

    def _write_pending_facts(self) -> None:
        """Record the facts that follow from the events so far."""
        pending = self._pending
        while pending.facts:
            fact = pending.next
            event = Event(self._seq + 1, pending.t, fact.type, PLATFORM, fact.payload, fact.to)
            try:
                following = apply(self._state, event, self._mechanism)
            except Exception as error:
                if is_end_by_fault(fact.payload):
                    raise
                self._report(error)
                pending.replace_by_abortion()
                continue
            try:
                self._log(event)
            except Refused as error:  # no line can hold it
                self._report(error)
                pending.replace_by_abortion()
                continue
            self._commit(event, event, following)
            self._unpublished.append(PublishedEvent(event, event, following))

    def _commit(self, event: Event, seen: Event, following: State) -> None:
        """Adopt the state after an event: an event that is in the log has happened."""
        seq, t, kind, sender, payload = event[:5]
        if t != self._t:
            self._events_at_instant = 0
        if kind not in self._uncounted:
            # However often a session is resumed, and whatever follows from an act, must not add up.
            self._events_at_instant += 1
        if kind == GAME_END:
            self._events_at_instant = 0  # the closing has a count of its own
        before = self._state
        self._events.append(seen)  # mostly the very object that the transcript holds
        self._seq, self._t, self._state = seq, t, following
        if type(payload) is Failure:
            # Only now: an event that could not be written did not happen.
            self._strikes[payload.seat] = payload.strikes
        followed = kind in self._followed if sender == PLATFORM else kind not in self._unfollowed
        if followed or self._pending.facts:
            self._pending.follow(before, event, following)
        crowded = self._events_at_instant > EVENTS_PER_INSTANT and following.phase is NEGOTIATING
        if crowded and not self._pending.facts:
            self._pending.add([game_end(_too_many_events(event.t))], event.t)

    def _record_pending_facts(self) -> None:
        """Record the facts whose lines could not be written, before any other event."""
        if self._pending.facts and not self._closed:
            try:
                self._write_pending_facts()
            finally:
                self._publish_all()

    def _publish_all(self) -> None:
        # One at a time from the shared queue: a subscriber that answers an accept at once must not come
        # before the end that was recorded right after that accept.
        while self._unpublished:
            self._publish(self._unpublished.popleft())


def _caused_by(cause: int | None) -> ActionOrigin | None:
    """Return the origin of an event that the platform records because of another."""
    return None if cause is None else ActionOrigin(decided_by=None, cause=cause)


def _too_many_events(t: float) -> Ending:
    reason = (
        f"More than {EVENTS_PER_INSTANT:,} events happened at one instant ({t:g} s), "
        "so the session was stopped."
    )
    return Ending(EndedBy.ABORTED, reason=reason)
