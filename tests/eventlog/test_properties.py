"""Properties of every session, whatever the seats try: the log determines the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from negoplatform.core.events import (
    EndedBy,
    Event,
    EventType,
    Expression,
    Message,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.core.fold import fold, initial_state
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import Observer, view_of, visible_event, visible_game
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, Rules, Visibility
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.eventlog.observer_export import encode_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT, SESSION_ID, header_for

Act = Callable[[Session, Seat], object]

Move = tuple[Seat, Act] | float
"""Action of a seat, or seconds that pass."""


def small_game(seats: tuple[Seat, ...], rules: Rules) -> GameSpec:
    """Return a game with few outcomes, so that random seats sometimes agree; the first seat is open."""
    tables: dict[str, Any] = {"crates": {0: 0, 1: 3, 2: 4}, "day": {"Friday": -1, "Sunday": 2}}
    return GameSpec(
        name="small",
        issues=(QuantityIssue("crates", 2), CategoricalIssue("day", ("Friday", "Sunday"))),
        seats=seats,
        preferences=SeatMap((seat, Preferences(AdditiveUtility(seat, tables), 1)) for seat in seats),
        visibility=SeatMap(
            (seat, Visibility.OWNER if i else Visibility.PUBLIC) for i, seat in enumerate(seats)
        ),
        rules=rules,
        title="Small",
        stories=SeatMap((seat, f"the story of {seat}") for seat in seats),
    )


@dataclass(frozen=True)
class Play:
    """Game and the moves tried in it: an action of a seat, or time that passes."""

    game: GameSpec
    moves: list[Move]


SUNDAY, HALF = Offer({"day": "Sunday"}), Offer({"crates": Allocation({}, undecided=2), "day": "Friday"})


def accept_newest(session: Session, seat: Seat) -> Event:
    """Accept the offer on the table."""
    offers = [event for event in session.state.transcript_of(seat) if event.type == EventType.SEND_OFFER]
    return session.formal_accept(seat, offers[-1].seq if offers else 0)


MESSAGES = [
    *(4 * [Message("Hello"), Message("two\nlines \ud800", MessageSubtype.GREETING)]),
    Message("", MessageSubtype.GENERIC_POS),
    Message("x" * 5000),
    Message("Sunday!", MessageSubtype.PREF_INFO, Preference("day", Relation.BEST)),
    Message("Is that so?", MessageSubtype.PREF_REQUEST, Preference("a", Relation.LESS, "\ud800", True)),
    Message("I need 3.", MessageSubtype.BATNA_INFO, batna=2.5),
    Message("I need a lot.", MessageSubtype.BATNA_INFO, batna=float("nan")),
    Message("I need more.", MessageSubtype.BATNA_INFO, batna=float("inf")),
]
KINDS = [
    *(3 * ["message", "newest"]),
    *(2 * ["offer", "accept", "typing", "draft"]),
    "expression",
    "platform",
    "rare",
]
"""Kinds of moves, the common ones more often."""


def give_up(session: Session, seat: str) -> object:
    """Let an agent fail once too often."""
    session.record_agent_failure(seat, "It raised ValueError.")
    return session.end(EndedBy.AGENT_FAILURE, "The other side can’t continue.", by=seat)


PLATFORMS_ACTS: list[Act] = [
    lambda session, seat: session.tick() if session.state.ending is None else None,
    lambda session, seat: session.note(NoteKind.WARNING_SHOWN, seat=seat, points=1.5),
    lambda session, seat: session.record_agent_failure(seat, "It raised \ud800."),
]
RARE_ACTS: list[Act] = [
    lambda session, seat: session.formal_quit(seat),
    lambda session, seat: session.end(EndedBy.ABORTED, "Stopped \ud800.", by=seat),
    lambda session, seat: session.send_message("cook", Message("Dinner!")),
    lambda session, seat: give_up(session, seat),
]


def deals(seats: tuple[Seat, ...]) -> list[Offer]:
    """Return two complete offers."""
    return [
        Offer({"crates": Allocation({seats[0]: 1, seats[-1]: 1}), "day": "Sunday"}),
        Offer({"crates": Allocation({seats[1]: 2}), "day": "Friday"}),
    ]


def propose(offer: Offer) -> Act:
    """Return an act that makes an offer."""
    return lambda session, seat: session.send_offer(seat, offer)


@st.composite
def acts(draw: DrawFn, seats: tuple[Seat, ...]) -> Act:
    """Draw an action that a seat tries, allowed or not."""
    good = deals(seats)
    offers = st.sampled_from(
        [*good, *good, SUNDAY, HALF, Offer(), Offer({"gold": "x"}), Offer({"day": "Monday"})]
    )
    ms = st.sampled_from([1, 700, 2000, 60_000, 0, -5, 10**7])
    to = draw(st.sampled_from([(), (), (seats[-1],), (seats[0],), seats[:2], ("cook",)]))
    kind = draw(st.sampled_from(KINDS))
    match kind:
        case "message":
            message = draw(st.sampled_from(MESSAGES))
            return lambda session, seat: session.send_message(seat, message, ActionOrigin(to=to))
        case "offer":
            offer = draw(offers)
            behind = draw(st.sampled_from([(), (), (), (), to]))
            return lambda session, seat: session.send_offer(seat, offer, ActionOrigin(to=behind))
        case "expression":
            face, shown = draw(st.sampled_from(Expression)), draw(ms)
            return lambda session, seat: session.send_expression(seat, face, shown)
        case "draft":
            draft = draw(st.none() | offers)
            return lambda session, seat: session.offer_in_progress(seat, draft)
        case "typing":
            shown = draw(ms)
            return lambda session, seat: session.show_typing(seat, shown)
        case "accept":
            offer_id = draw(st.integers(0, 12))
            return lambda session, seat: session.formal_accept(seat, offer_id)
        case "newest":
            return accept_newest
        case "platform":
            return draw(st.sampled_from(PLATFORMS_ACTS))
        case _:
            return draw(st.sampled_from(RARE_ACTS))


@st.composite
def plays(draw: DrawFn) -> Play:
    """Draw a game with two or three seats under any rules, and up to sixty moves."""
    seats = draw(st.sampled_from([("human", "agent"), ("buyer", "seller", "broker")]))
    rules = Rules(
        acceptance=draw(st.sampled_from(Acceptance)),
        allow_partial=draw(st.booleans()),
        deadline_seconds=draw(st.sampled_from([None, 20.0, 7.5])),
        time_tick_seconds=draw(st.sampled_from([5.0, 0.7])),
        share_drafts=draw(st.booleans()),
        reads_talk=draw(st.booleans()),
        agreement=draw(st.just(Quota(2)) | st.sampled_from(Agreement)),
        outvoted=draw(st.sampled_from(Outvoted)),
        turns=draw(st.sampled_from([Turns.FREE, Turns.FREE, Turns.ALTERNATING])),
    )
    turn = st.tuples(st.sampled_from(seats), acts(seats))
    wait = st.sampled_from([0.0, 0.001, 0.4, 1.0, 3.3])
    # By default hypothesis makes lists of about five.
    at_least = draw(st.sampled_from([0, 8, 30]))
    moves: list[Move] = draw(st.lists(st.one_of(turn, turn, turn, wait), min_size=at_least, max_size=60))
    if draw(st.booleans()):
        # Chance alone hardly ever agrees: here the seats accept an offer, except perhaps one.
        deal, place = draw(st.sampled_from(deals(seats))), draw(st.integers(0, len(moves)))
        maker, *rest = draw(st.permutations([*seats, *seats]))
        moves[place:place] = [(maker, propose(deal)), *((seat, accept_newest) for seat in rest)]
    return Play(small_game(seats, rules), moves)


def played(play: Play) -> TrialTable:
    """Return the table after every move was tried; a refusal stops only its own move."""
    table = TrialTable(play.game, agents_may_fail=True)
    table.start()
    for move in play.moves:
        if isinstance(move, float):
            table.wait(move)
            continue
        seat, act = move
        before = table.state
        count = len(table.events)
        try:
            act(table.session, seat)
        except Refused:
            # Refused: nothing but the ledger of intentions may have changed.
            told = table.state._replace(private=before.private, version=before.version, t=before.t)
            assert told == before
            assert [event.type for event in table.events[count:]] in (["ACTION_REFUSED"], [])
    assert table.errors == []
    return table


def folded(game: GameSpec, events: list[Event]) -> State:
    mechanism = mechanism_of(game.mechanism)
    return fold(events, initial_state(game, mechanism), mechanism)


@given(plays())
def test_the_state_follows_from_the_log(play: Play) -> None:
    table = played(play)

    assert folded(play.game, table.events) == table.state


@given(plays())
def test_the_state_follows_from_the_bytes_of_the_log(play: Play) -> None:
    table = played(play)

    lines = [encode_event(event, AT) for event in table.events]
    events = [decode_event(line, "log", "line")[0] for line in lines]

    assert events == table.events
    assert folded(play.game, events) == table.state


@given(plays())
def test_what_a_seat_sees_follows_from_what_it_may_hear(play: Play) -> None:
    table = played(play)

    for seat in (*play.game.seats, None):
        observer = Observer(seat)
        mechanism = mechanism_of(play.game.mechanism)
        start = initial_state(visible_game(play.game, observer), mechanism)
        own = [seat] if seat else []
        start = start._replace(private=start.private.restricted_to(own), typed=start.typed.restricted_to(own))
        heard = [seen for event in table.events if (seen := visible_event(event, observer)) is not None]

        view = view_of(table.state, observer).state

        own_time = fold(heard, start, mechanism)
        assert own_time._replace(version=view.version, t=view.t) == view


@given(plays())
def test_events_are_numbered_without_gaps_and_time_never_goes_back(play: Play) -> None:
    table = played(play)

    assert [event.seq for event in table.events] == list(range(1, len(table.events) + 1))
    assert all(one.t <= next_.t for one, next_ in pairwise(table.events))
    assert all(event.t == round(event.t, 3) for event in table.events)


@given(plays())
def test_a_game_ends_at_most_once_and_then_only_last_words_come(play: Play) -> None:
    table = played(play)
    kinds = [event.type for event in table.events]

    assert kinds.count(EventType.GAME_START) == 1
    assert kinds.count(EventType.GAME_END) == (table.state.phase is Phase.CLOSING)
    if EventType.GAME_END in kinds:
        after = table.events[kinds.index(EventType.GAME_END) + 1 :]
        said = [(event.sender, event.type) for event in after if event.type.startswith("SEND")]
        assert len(said) == len(set(said))
        assert {kind for _, kind in said} <= {EventType.SEND_MESSAGE, EventType.SEND_EXPRESSION}


@given(plays())
def test_a_deal_binds_only_what_enough_seats_stood_for(play: Play) -> None:
    table = played(play)
    ending = table.state.ending

    if ending is not None and ending.ended_by is EndedBy.AGREEMENT:
        sent = table.events[(ending.deal_id or 0) - 1]
        accepted = {
            event.sender
            for event in table.events
            if event.type == EventType.FORMAL_ACCEPT and event.payload.offer_id == ending.deal_id
        }
        maker = {sent.sender} if play.game.rules.acceptance is Acceptance.MAKER_ACCEPTS else set()
        assert sent.get_offer() == ending.deal
        unanimous = play.game.rules.agreement is Agreement.UNANIMOUS
        assert sent.sender in accepted | maker
        assert len(accepted | maker) >= (len(play.game.seats) if unanimous else 2)
        assert {seat for seat in play.game.seats if ending.is_signed_by(seat)} == accepted | maker
        assert play.game.rules.allow_partial or play.game.is_complete(sent.get_offer())


@given(plays())
def test_every_session_is_a_log_that_replay_finds_sound(play: Play) -> None:
    table = played(play)
    log = SessionLog(Path("log"), header_for(play.game), tuple(table.events), (AT,) * len(table.events))

    assert replay(log).state == table.state._replace(session_id=SESSION_ID)


def seen_typing(table: TrialTable, whose: Seat, by: Seat) -> bool:
    presence = view_of(table.state, Observer(by)).state.presence[whose]
    return presence.typing_until > table.session.now()


def test_a_whisper_does_not_show_on_the_face_that_the_others_see() -> None:
    table = TrialTable(small_game(("buyer", "seller", "broker"), Rules()))
    table.participant("buyer").types()

    table.session.send_message("buyer", Message("Psst."), ActionOrigin(to=("seller",)))

    assert seen_typing(table, "buyer", by="broker")
    table.participant("buyer").says("Good morning, all.")
    assert not seen_typing(table, "buyer", by="broker")


def test_a_whisper_reaches_only_the_one_it_is_for() -> None:
    table = TrialTable(small_game(("buyer", "seller", "broker"), Rules()))
    table.start()

    table.session.send_message("buyer", Message("Psst."), ActionOrigin(to=("seller",)))

    heard = {seat: len(table.context(seat).get_message_history()) for seat in table.state.game.seats}
    assert heard == {"buyer": 1, "seller": 1, "broker": 0}


def test_a_last_word_is_for_everyone() -> None:
    table = TrialTable(small_game(("buyer", "seller", "broker"), Rules()))
    table.participant("broker").quits()

    with pytest.raises(Refused, match="a last word is for everyone at the table"):
        table.session.send_message("buyer", Message("Psst."), ActionOrigin(to=("seller",)))

    table.participant("buyer").says("Goodbye.")


def test_a_shared_draft_has_to_fit_the_game_like_an_offer() -> None:
    table = TrialTable(small_game(("buyer", "seller"), Rules(share_drafts=True)))

    with pytest.raises(Refused, match="no issue 'gold'"):
        table.participant("buyer").drafts(Offer({"gold": "all"}))

    assert table.participant("buyer").drafts(SUNDAY).get_offer() == SUNDAY
    assert table.participant("buyer").drafts(Offer()).get_offer() == Offer()


@pytest.mark.parametrize("batna", [float("nan"), float("inf"), 10**400, True, "4"])
def test_a_stated_value_of_no_deal_is_a_number_that_a_log_can_hold(batna: Any) -> None:
    table = TrialTable(small_game(("buyer", "seller"), Rules()))
    table.start()

    with pytest.raises(Refused, match="no finite number"):
        table.session.send_message("buyer", Message("I need much.", batna=batna))


@pytest.mark.parametrize(
    "preference", [Preference("gold", Relation.BEST), Preference("day", Relation.LESS, "\ud800"), "day"]
)
def test_a_stated_preference_is_about_issues_of_the_game(preference: Any) -> None:
    table = TrialTable(small_game(("buyer", "seller"), Rules()))
    table.start()

    with pytest.raises(Refused, match="preference"):
        table.session.send_message("buyer", Message("So it is.", preference=preference))


def test_a_session_that_was_read_from_its_file_is_the_one_that_was_played(tmp_path: Path) -> None:
    game = small_game(("buyer", "seller", "broker"), Rules())
    table = TrialTable(game, session_id=SESSION_ID)
    deal = Offer({"crates": Allocation({"buyer": 1, "broker": 1}), "day": "Sunday"})
    offer = table.participant("broker").offers(deal)
    for seat in ("buyer", "broker", "seller"):
        table.participant(seat).accepts(offer)
    path = tmp_path / "events.jsonl"
    log = SessionLog(path, header_for(game), tuple(table.events), (AT,) * len(table.events))
    path.write_bytes(encode_log(log))

    found = replay(read_log(path))

    assert found.state == table.state
    assert dict(found.points) == {"buyer": 5, "seller": 2, "broker": 5}
