"""Guarantees of the contract, whatever is tried at a session, by any seat and in any order."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from negoplatform.core.events import (
    EndedBy,
    Event,
    EventType,
    Expression,
    Message,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.notes_and_tasks_derivation import record_sections
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import Phase
from negoplatform.core.visibility import view_of, visible_event
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM, Seat
from tests.core.session_acts import (
    CHANGES,
    MAY_CHANGE,
    MESSAGES,
    NOW_AND_THEN,
    ORIGINS,
    PROPOSERS,
    SEATS,
    TERMS,
    any_of,
)
from tests.core.session_builder import Outcome, games, holds_secret_of, is_refused, may_hold_secret
from tests.core.session_faults import FaultyBench
from tests.proposers import issued

IN_TORTURE = bool(os.environ.get("NEGOPLATFORM_TORTURE"))

# The long trial takes as long as it takes, on a busy machine too.
pytestmark = pytest.mark.timeout(0 if IN_TORTURE else 900)

QUICK = settings(
    max_examples=25, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
"""Settings for the ordinary test suite: about 20 seconds, several times that on a busy machine."""

TORTURE = settings(QUICK, max_examples=1200, stateful_step_count=100)
"""Settings with NEGOPLATFORM_TORTURE set, to 1 or another number of sessions: for a machine that has time."""

COUNTS = "NEGOPLATFORM_TORTURE_COUNTS"
"""Variable with a file to which every session appends a line about itself: JSON, see FaultyBench.counts."""

SMALL_INSTANT = 12
"""Stand-in for the 1,000 events allowed at an instant, which random acts can reach."""

RECORD_EVERY = 6
"""Events between two looks at the record."""

LAST_WORDS = frozenset({EventType.SEND_MESSAGE, EventType.SEND_EXPRESSION})

AFTER_THE_END = frozenset(
    {
        EventType.TYPING,
        EventType.ACTION_REFUSED,
        EventType.STATE_PROPOSED,
        EventType.NOTE,
        EventType.AGENT_FAILED,
        EventType.RESUMED,
    }
)


class SessionMachine(RuleBasedStateMachine):
    """State machine with the whole of a session's interface, used and misused."""

    @initialize(game=games(), crowding=st.booleans(), start=NOW_AND_THEN.map(lambda late: not late))
    def sit_down(self, game: GameSpec, *, crowding: bool, start: bool) -> None:
        limit = SMALL_INSTANT if crowding else 1000
        self.patches = [
            patch(f"negoplatform.{module}.EVENTS_PER_INSTANT", limit)
            for module in ("core.session", "eventlog.rules_validator")
        ]
        for each in self.patches:
            each.start()
        self.bench = FaultyBench(game)
        self.announced: set[int] = set()
        if start:
            self.starts()

    def teardown(self) -> None:
        for each in getattr(self, "patches", ()):
            each.stop()
        if COUNTS in os.environ and hasattr(self, "bench"):
            with Path(os.environ[COUNTS]).open("a", encoding="utf-8") as file:
                file.write(json.dumps(self.bench.counts()) + "\n")

    @property
    def session(self) -> Session:
        return self.bench.session

    def seat(self, number: int) -> Seat:
        seats = self.bench.game.seats
        return seats[number % len(seats)] if number < 7 else {7: "cook", 8: PLATFORM}[number]

    def attempt(self, act: Callable[[], object], *, allowed: bool) -> None:
        """Try an action that should be done or refused."""
        unsure = self.bench.unsure  # whether an end is due whose line could not be written
        outcome = self.bench.attempt(act)
        assert unsure or outcome in ((Outcome.DONE if allowed else Outcome.REFUSED), Outcome.NOT_WRITTEN), (
            outcome
        )

    # Actions of seats

    @rule(who=SEATS, chosen=any_of(MESSAGES), to=st.sampled_from([(), (), (), (0,), (1,), (0, 2), (7,)]))
    def says(self, who: int, chosen: int, to: tuple[int, ...]) -> None:
        seat, (message, sound) = self.seat(who), MESSAGES[chosen]
        origin = ActionOrigin(to=tuple(map(self.seat, to)))
        allowed = sound and self.bench.may(seat, EventType.SEND_MESSAGE, origin.to)
        self.attempt(lambda: self.session.send_message(seat, message, origin), allowed=allowed)

    @rule(who=SEATS, chosen=any_of(TERMS), origin=ORIGINS, to=st.sampled_from([None, None, None, 0]))
    def offers(self, who: int, chosen: int, origin: ActionOrigin, to: int | None) -> None:
        seat, (terms, sound) = self.seat(who), TERMS[chosen]
        behind = origin if to is None else origin._replace(to=(self.seat(to),))
        allowed = (
            sound and self.bench.may(seat, EventType.SEND_OFFER, behind.to) and self.bench.has_turn(seat)
        )
        self.attempt(lambda: self.session.send_offer(seat, self.offer(terms), behind), allowed=allowed)

    def offer(self, terms: dict[str, Any]) -> Offer:
        seats = self.bench.game.seats
        return Offer({name: term(seats) if callable(term) else term for name, term in terms.items()})

    @rule(who=SEATS, face=st.sampled_from(Expression), ms=st.sampled_from([1, 700, 600_000, 0, -5, 600_001]))
    def shows(self, who: int, face: Expression, ms: int) -> None:
        seat = self.seat(who)
        allowed = 0 < ms <= 600_000 and self.bench.may(seat, EventType.SEND_EXPRESSION)
        self.attempt(lambda: self.session.send_expression(seat, face, ms), allowed=allowed)

    @rule(who=SEATS, ms=st.sampled_from([1000, 1, 0]))
    def types(self, who: int, ms: int) -> None:
        seat = self.seat(who)
        allowed = ms > 0 and self.bench.may(seat, EventType.TYPING)
        self.attempt(lambda: self.session.show_typing(seat, ms), allowed=allowed)

    @rule(who=SEATS, chosen=st.none() | any_of(TERMS))
    def drafts(self, who: int, chosen: int | None) -> None:
        seat = self.seat(who)
        terms, sound = (None, True) if chosen is None else TERMS[chosen]
        draft = None if terms is None else self.offer(terms)
        sound = sound or not terms or not self.bench.game.rules.share_drafts
        allowed = sound and self.bench.may(seat, EventType.OFFER_IN_PROGRESS)
        self.attempt(lambda: self.session.offer_in_progress(seat, draft), allowed=allowed)

    @rule(who=SEATS)
    def accepts(self, who: int) -> None:
        seat, offered = self.seat(who), self.bench.offered
        offer_id = offered.seq if offered else 0
        allowed = self.bench.may_accept(seat, offer_id)
        if seat in self.bench.game.seats and self.bench.closed_with is None and not self.bench.unsure:
            assert self.bench.context(seat).can_formally_accept() is allowed
        self.attempt(lambda: self.session.formal_accept(seat, offer_id), allowed=allowed)

    @rule(
        maker=st.integers(0, 2),
        chosen=st.sampled_from([0, 0, 1, 2, 3, 4]),
        order=st.permutations([0, 1, 2]),
        parting=st.integers(0, 3),
    )
    def they_nearly_agree(self, maker: int, chosen: int, order: list[int], parting: int) -> None:
        """Let seats accept an offer one after another, which chance alone hardly ever brings about."""
        self.offers(maker, chosen, ActionOrigin(), None)
        for who in order[:parting]:
            self.accepts(who)

    @rule(who=SEATS, offer_id=st.integers(-1, 30))
    def accepts_some_number(self, who: int, offer_id: int) -> None:
        seat = self.seat(who)
        allowed = self.bench.may_accept(seat, offer_id)
        self.attempt(lambda: self.session.formal_accept(seat, offer_id), allowed=allowed)

    @rule(who=SEATS, really=NOW_AND_THEN)
    def quits(self, who: int, *, really: bool) -> None:
        seat = self.seat(who)
        if really or seat not in self.bench.game.seats:
            allowed = self.bench.may(seat, EventType.FORMAL_QUIT)
            self.attempt(lambda: self.session.formal_quit(seat), allowed=allowed)

    @rule(
        who=SEATS,
        whose=SEATS,
        proposer=any_of(PROPOSERS),
        change=any_of(CHANGES),
        behind=st.sampled_from([0, 0, 0, 5, -1, "x"]),
        origin=ORIGINS,
    )
    def proposes(
        self, who: int, whose: int, proposer: int, change: int, behind: Any, origin: ActionOrigin
    ) -> None:
        by, updates = PROPOSERS[proposer](self.seat(who)), CHANGES[change](self.seat(whose))
        version = self.session.state.record.version
        base = version - behind if isinstance(behind, int) else behind
        outcome = self.bench.attempt(
            lambda: self.session.propose_change(issued(self.session, by), updates, base, origin)
        )
        if outcome is Outcome.DONE:
            assert by.kind is ProposerKind.PLATFORM or set(updates) <= MAY_CHANGE[by.kind]
            assert by.kind is not ProposerKind.SEAT or self.owner_of(updates, whose) == by.name

    def owner_of(self, updates: Mapping[str, Any], whose: int) -> Seat:
        """Return the seat that changes are about: that of an event or refusal, or the named one."""
        task_ids = [str(task["task_id"]) for task in updates.get("tasks", ())]
        seqs = [int(name.removeprefix("event-")) for name in task_ids if name.startswith("event-")]
        if not seqs:
            return self.seat(whose)
        event = self.bench.events[seqs[0] - 1]
        return event.to[0] if event.type == EventType.ACTION_REFUSED else event.sender

    # Actions of the platform

    @rule()
    def starts(self) -> None:
        allowed = self.session.state.phase is Phase.SETUP and not self.bench.is_over
        self.attempt(self.session.start, allowed=allowed)

    @rule()
    def tells_the_time(self) -> None:
        running = self.session.state.phase is Phase.NEGOTIATING and self.bench.closed_with is None
        if not (running and self.bench.time_is_up):  # then a tick comes once, just before the end
            self.attempt(self.session.tick, allowed=running)

    @rule(kind=st.sampled_from([kind for kind in NoteKind if kind is not NoteKind.COMMAND_TAKEN]))
    def notes(self, kind: NoteKind) -> None:
        # Without a number, log verify refuses notes of suggestions and of advice.
        self.attempt(lambda: self.session.note(kind, seat="x", number=1, points=1.5), allowed=self.is_open)

    @rule(who=st.integers(0, 2))
    def agent_fails(self, who: int) -> None:
        seat = self.seat(who)
        strikes = 1 + sum(
            event.type == EventType.AGENT_FAILED and event.payload.seat == seat for event in self.bench.events
        )
        counted: list[int] = []
        self.attempt(
            lambda: counted.append(self.session.record_agent_failure(seat, "It raised \ud800.")),
            allowed=self.is_open,
        )
        assert counted in ([], [strikes])

    @property
    def is_open(self) -> bool:
        return self.session.state.phase is not Phase.SETUP and not self.bench.is_over

    @property
    def is_running(self) -> bool:
        return self.session.state.phase is Phase.NEGOTIATING and self.bench.closed_with is None

    @rule(number=st.integers(0, 2))
    def announces(self, number: int) -> None:
        announcement = self.bench.game.announcements[number]
        due = self.session.now() >= announcement.at_seconds and number not in self.announced
        if due and self.session.state.phase is Phase.NEGOTIATING:
            before = len(self.bench.events)
            self.attempt(lambda: self.session.announce(announcement), allowed=self.bench.closed_with is None)
            if any(event.type == announcement.type for event in self.bench.events[before:]):
                self.announced.add(number)

    @rule(
        how=st.sampled_from([EndedBy.ABORTED, EndedBy.AGENT_FAILURE]),
        who=st.sampled_from([None, 0, 1]),
        really=NOW_AND_THEN,
    )
    def ends(self, how: EndedBy, who: int | None, *, really: bool) -> None:
        seat = None if who is None else self.seat(who)
        failed = any(e.type == EventType.AGENT_FAILED and e.payload.seat == seat for e in self.bench.events)
        if really and (how is EndedBy.ABORTED or failed):
            self.end(how, seat)

    @precondition(lambda self: self.bench.time_is_up and self.session.state.phase is Phase.NEGOTIATING)
    @rule()
    def time_runs_out(self) -> None:
        self.bench.attempt(self.session.tick)
        self.end(EndedBy.TIMEOUT, None)

    def end(self, how: EndedBy, by: Seat | None) -> None:
        running = self.session.state.phase is Phase.NEGOTIATING
        ended: list[Event | None] = []
        self.attempt(
            lambda: ended.append(self.session.end(how, "So be it \ud800.", by)),
            allowed=not running or self.bench.closed_with is None,
        )
        assert ended in ([], [None]) or running

    @rule(really=st.sampled_from([False, False, False, True]))
    def closes(self, *, really: bool) -> None:
        if really and self.bench.closed_with is None:
            self.session.close()
            self.bench.closed_with = len(self.bench.lines)

    # Faults and surroundings

    @rule(seconds=st.sampled_from([0.4, 0.4, 1.0, 1.0, 0.0004, 3.3, 5.0, -0.7]))
    def time_passes(self, seconds: float) -> None:
        self.bench.clock = max(0.0, self.bench.clock + seconds)

    @rule(writes=st.integers(0, 2))
    def the_disk_is_about_to_fail(self, writes: int) -> None:
        self.bench.writes_until_failure = writes

    @rule(full=st.booleans())
    def the_disk_is_full_for_a_while(self, *, full: bool) -> None:
        self.bench.is_full = full

    @precondition(lambda self: self.bench.closed_with is None)
    @rule(torn_bytes=st.sampled_from([0, 0, 17]))
    def the_program_is_killed(self, torn_bytes: int) -> None:
        self.bench.recover(torn_bytes)

    @precondition(lambda self: self.bench.closed_with is None)
    @rule(writes=st.integers(0, 2), written=st.booleans())
    def the_program_is_about_to_be_killed(self, writes: int, *, written: bool) -> None:
        self.bench.kill_at_write = (writes, written)

    @precondition(lambda self: self.is_running)
    @rule(maker=st.integers(0, 2), order=st.permutations([0, 1, 2]), writes=st.integers(1, 4))
    def the_program_is_killed_over_an_agreement(self, maker: int, order: list[int], writes: int) -> None:
        """Kill the program, mostly between the last acceptance and the end that follows from it."""
        self.bench.kill_at_write = (writes, False)
        self.they_nearly_agree(maker, 0, order, 3)

    @precondition(lambda self: self.is_open)
    @rule(who=st.integers(0, 2))
    def an_agent_is_restarted(self, who: int) -> None:
        seat = self.seat(who)
        note = partial(self.session.note, NoteKind.AGENT_RESTARTED, seat=seat, times=1)
        self.attempt(note, allowed=True)
        for observer in self.bench.observers:
            assert self.bench.heard_again(observer) == self.bench.folded_view(observer)

    @rule(who=SEATS, how=st.integers(0, 2))
    def somebody_will_answer_at_once(self, who: int, how: int) -> None:
        seat = self.seat(who)
        self.bench.reaction = [
            lambda: self.session.send_message(seat, Message("At once!")),
            lambda: self.session.send_offer(seat, self.offer(TERMS[0][0])),
            lambda: self.session.formal_accept(seat, self.bench.events[-1].seq),
        ][how]

    # Invariants

    @invariant()
    def the_state_follows_from_the_bytes_of_the_log(self) -> None:
        assert self.bench.folded == self.session.state
        assert [step.event for step in self.bench.steps] == self.bench.events

    @invariant()
    def what_is_read_of_the_record_follows_from_the_log(self) -> None:
        if len(self.bench.steps) % RECORD_EVERY:
            return  # it is computed from all events, so not after each of them
        events = [step.event.redacted() for step in self.bench.steps]
        assert self.session.get_state() == record_sections(self.bench.folded, events)
        for observer in self.bench.observers:
            seen = view_of(self.session.state, observer).state
            visible = [shown for event in events if (shown := visible_event(event, observer))]
            told = [event for event in visible if event.type != EventType.STATE_PROPOSED]
            folded = self.bench.folded_view(observer)
            assert record_sections(seen, seen.transcript_of(observer.seat)) == record_sections(folded, told)

    @invariant()
    def events_are_numbered_without_gaps_and_time_never_goes_back(self) -> None:
        events = self.bench.events
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert all(one.t <= after.t for one, after in pairwise(events))
        assert all(event.t == round(event.t, 3) for event in events)

    @invariant()
    def what_was_published_is_what_was_logged(self) -> None:
        published = self.bench.published
        assert [happening.event for happening in published] == self.bench.events
        assert all(h.public == h.event.redacted() for h in published)
        assert all(
            h.state == step.after for h, step in zip(published[-3:], self.bench.steps[-3:], strict=True)
        )

    @invariant()
    def a_refusal_and_a_note_change_nothing(self) -> None:
        for before, event, after in self.bench.steps[-4:]:
            if event.type in (EventType.NOTE, EventType.AGENT_FAILED):
                assert after is before
            if is_refused(event):
                assert after._replace(version=before.version, t=before.t) == before
            if event.type == EventType.ACTION_REFUSED:
                assert after._replace(private=before.private, version=before.version, t=before.t) == before
                for seat in before.game.seats:
                    grown = after.transcript_length(seat) - before.transcript_length(seat)
                    assert grown == (event.to == (seat,))

    @invariant()
    def a_deal_is_what_enough_seats_stood_for(self) -> None:
        ending, offered, game = self.session.state.ending, self.bench.offered, self.bench.game
        if ending is not None and ending.ended_by is EndedBy.AGREEMENT:
            assert self.bench.is_agreed
            assert offered is not None
            assert (ending.deal, ending.deal_id) == (offered.get_offer(), offered.seq)
            signed = {seat for seat in game.seats if ending.is_signed_by(seat)}
            assert signed == self.bench.accepted
            assert set(ending.signed_by) in (signed, set())
        elif self.bench.is_agreed:
            assert self.bench.unsure, "enough seats stand for one offer, and the game goes on"

    @invariant()
    def a_seat_may_move_exactly_when_no_other_has_the_turn(self) -> None:
        running = self.session.state.phase is Phase.NEGOTIATING and not self.bench.time_is_up
        for seat in self.bench.game.seats:
            assert self.bench.context(seat).may_move() is (running and self.bench.has_turn(seat))

    @invariant()
    def a_game_ends_once_and_then_only_last_words_come(self) -> None:
        kinds = [str(event.type) for event in self.bench.events]
        assert kinds.count("GAME_START") <= 1
        assert kinds.count("GAME_END") == (self.session.state.ending is not None)
        if "GAME_END" in kinds:
            after = self.bench.events[kinds.index("GAME_END") + 1 :]
            words = [(event.sender, event.type) for event in after if event.type in LAST_WORDS]
            assert len(words) == len(set(words))
            assert {event.type for event in after} <= {*LAST_WORDS, *AFTER_THE_END}

    @invariant()
    def nothing_happens_after_the_close(self) -> None:
        assert self.bench.closed_with in (None, len(self.bench.lines))

    @invariant()
    def what_a_seat_sees_follows_from_what_it_heard(self) -> None:
        state = self.session.state
        for observer in self.bench.observers:
            seen = view_of(state, observer).state
            folded = self.bench.folded_view(observer)
            assert folded._replace(version=state.version, t=state.t) == seen

    @invariant()
    def nobody_sees_what_belongs_to_another(self) -> None:
        for observer in self.bench.observers:
            view = view_of(self.session.state, observer)
            for seat in self.bench.game.seats:
                if observer.seat == seat:
                    continue
                assert holds_secret_of(view, seat) is may_hold_secret(self.bench.game, seat, observer)
                assert f"the note of {seat}" not in repr(view)

    @invariant()
    def the_points_follow_from_how_it_ended(self) -> None:
        state = self.session.state
        for seat in state.game.seats:
            points = self.bench.mechanism.points(state, seat)
            if state.ending is None or state.ended_at is None:
                assert points is None
            else:
                assert points == self.bench.points_due(seat, state.ending, state.ended_at)


def _settings() -> settings:
    wanted = int(os.environ.get("NEGOPLATFORM_TORTURE") or 0)
    if not wanted:
        return QUICK
    return TORTURE if wanted == 1 else settings(TORTURE, max_examples=wanted)


TestSession = SessionMachine.TestCase
TestSession.settings = _settings()
