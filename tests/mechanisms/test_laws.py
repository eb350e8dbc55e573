"""Laws of every mechanism: whatever the seats try, these hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from negoplatform.core.events import EndedBy, Event, EventType
from negoplatform.core.fold import apply, fold, initial_state
from negoplatform.core.mechanisms import MECHANISMS, Mechanism, mechanism_of
from negoplatform.core.session_features import observation_of
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import (
    Observer,
    can_see_preferences,
    observer_of,
    restricted_start,
    view_of,
    visible_event,
    visible_game,
)
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.eventlog.rules_validator import LogValidator
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import validate_json
from tests.eventlog.logs import AT
from tests.mechanisms.bench import Bench, played, resumed
from tests.mechanisms.cases import CASES, plays
from tests.mechanisms.moves import MechanismCase, Play, TriedAct
from tests.resumed_events import without_the_break
from tests.sweeps import EXAMPLES

law = settings(
    max_examples=EXAMPLES // 2,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)

every_mechanism = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def drawn(data: st.DataObject, case: MechanismCase) -> tuple[Play, Bench]:
    """Draw a play, and return it with the session in which it was performed."""
    play: Play = data.draw(plays(case))
    return play, played(play)


def start_of(game: GameSpec, observer: Observer) -> State:
    """Return the state from which an observer folds what it sees."""
    start = initial_state(visible_game(game, observer), mechanism_of(game.mechanism))
    return restricted_start(start, observer)


def observers(game: GameSpec) -> list[Observer]:
    """Return every seat, the public, a principal over two seats, and the system."""
    seats = [Observer(seat) for seat in (*game.seats, None)]
    return [*seats, Observer("head", level=2, over=game.seats[:2]), observer_of(game, SYSTEM)]


def test_every_registered_mechanism_is_tried_here() -> None:
    assert set(CASES) == set(MECHANISMS)


@every_mechanism
@law
@given(data=st.data())
def test_the_state_follows_from_the_bytes_of_the_log(case: MechanismCase, data: st.DataObject) -> None:
    play, bench = drawn(data, case)
    mechanism = mechanism_of(play.game.mechanism)

    events = [decode_event(encode_event(event, AT), "log", "line")[0] for event in bench.events]

    assert events == bench.events
    assert fold(events, initial_state(bench.state.game, mechanism), mechanism) == bench.state


@every_mechanism
@law
@given(data=st.data())
def test_a_view_is_the_fold_of_the_visible_events(case: MechanismCase, data: st.DataObject) -> None:
    play, bench = drawn(data, case)
    mechanism = mechanism_of(play.game.mechanism)

    for observer in observers(play.game):
        visible = [seen for event in bench.events if (seen := visible_event(event, observer)) is not None]
        view = view_of(bench.state, observer).state

        folded = fold(visible, start_of(play.game, observer), mechanism)
        assert folded._replace(version=view.version, t=view.t) == view


@every_mechanism
@law
@given(data=st.data())
def test_a_visible_game_begins_as_the_view_of_the_whole_game(
    case: MechanismCase, data: st.DataObject
) -> None:
    game = data.draw(case.games())
    mechanism = mechanism_of(game.mechanism)
    whole = mechanism.initial_state(game)

    for observer in observers(game):
        seen = visible_game(game, observer)
        assert mechanism.initial_state(seen) == mechanism.view(whole, observer.represented)


@every_mechanism
@law
@given(data=st.data())
def test_a_log_cut_off_anywhere_goes_on_as_if_it_had_not_been(
    case: MechanismCase, data: st.DataObject
) -> None:
    play, whole = drawn(data, case)
    ends = [i for i, event in enumerate(whole.events) if event.type == EventType.GAME_END]
    cut = data.draw(st.integers(1, ends[0] if ends else len(whole.events)))

    again = resumed(play, whole, cut)

    assert without_the_break(again.events) == whole.events


@every_mechanism
@law
@given(data=st.data())
def test_what_is_legal_agrees_with_what_is_refused(case: MechanismCase, data: st.DataObject) -> None:
    play, bench = drawn(data, case)
    mechanism = mechanism_of(play.game.mechanism)
    kinds = {*mechanism.acts, EventType.FORMAL_QUIT}
    state = initial_state(play.game, mechanism)

    for event in bench.events:
        if event.type in kinds:
            assert event.type in mechanism.legal(state, event.sender)
        state = apply(state, event, mechanism)
        if state.phase is not Phase.NEGOTIATING:
            continue
        for seat in play.game.seats:
            legal = mechanism.legal(state, seat)
            assert legal == mechanism.legal(view_of(state, Observer(seat)).state, seat)
            assert legal <= kinds
            for kind in kinds:
                act = case.valid_act(state, seat, kind)
                assert is_accepted(mechanism, state, act) is (kind in legal)


def is_accepted(mechanism: Mechanism, state: State, act: TriedAct) -> bool:
    """Return whether a mechanism refuses no part of an act."""
    try:
        mechanism.check(state, act.seat, act.payload, act.to)
    except Refused:
        return False
    return True


@every_mechanism
@law
@given(data=st.data())
def test_the_validator_accepts_every_session_and_misses_no_fact(
    case: MechanismCase, data: st.DataObject
) -> None:
    play, bench = drawn(data, case)
    mechanism = mechanism_of(play.game.mechanism)
    # That a session was not ended at its deadline, a log of what followed cannot show.
    facts = [
        i
        for i, event in enumerate(bench.events)
        if event.type in mechanism.facts
        or (event.type == EventType.GAME_END and event.payload.ended_by is not EndedBy.TIMEOUT)
    ]

    assert violation(bench.state.game, bench.events) == ""
    if facts and facts[-1] < len(bench.events) - 1:
        gone = data.draw(st.sampled_from(facts[:-1] or facts))
        left = [*bench.events[:gone], *bench.events[gone + 1 :]]
        renumbered = [event._replace(seq=i) for i, event in enumerate(left, start=1)]
        assert violation(bench.state.game, renumbered) != ""


def violation(game: GameSpec, events: list[Event]) -> str:
    """Return what the validator says about the first event that could not have happened."""
    mechanism = mechanism_of(game.mechanism)
    validator, state = LogValidator(mechanism), initial_state(game, mechanism)
    for event in events:
        reason = validator.find_violation(state, event)
        if reason:
            return reason
        before, state = state, apply(state, event, mechanism)
        validator.advance(before, event, state)
    return ""


@every_mechanism
@law
@given(data=st.data())
def test_a_view_shows_points_only_where_they_are_visible(case: MechanismCase, data: st.DataObject) -> None:
    play, bench = drawn(data, case)
    mechanism = mechanism_of(play.game.mechanism)

    for observer in observers(play.game):
        view = view_of(bench.state, observer).state
        for seat in play.game.seats:
            points, standing = mechanism.points(view, seat), mechanism.standing(view, seat)
            if seat in observer.represented and can_see_preferences(play.game, seat, observer):
                assert points == mechanism.points(bench.state, seat)
                assert standing == mechanism.standing(bench.state, seat)
            elif seat in observer.represented or seat not in view.game.preferences:
                assert (points, standing) == (None, None)


@every_mechanism
@law
@given(data=st.data())
def test_all_vectors_of_a_seat_have_one_length(case: MechanismCase, data: st.DataObject) -> None:
    play, bench = drawn(data, case)
    mechanism = mechanism_of(play.game.mechanism)
    start = initial_state(play.game, mechanism)

    for seat in play.game.seats:
        whole = observation_of(bench.state, seat, 1, bench.state.t)
        assert len(whole.vector()) == len(observation_of(start, seat, 1, 0.0).vector())
        assert whole == observation_of(view_of(bench.state, Observer(seat)).state, seat, 1, bench.state.t)


@every_mechanism
@law
@given(data=st.data())
def test_a_game_comes_back_from_its_file_and_hides_what_it_must(
    case: MechanismCase, data: st.DataObject
) -> None:
    game = data.draw(case.games())

    for shown in (game, *(visible_game(game, observer) for observer in observers(game))):
        text = json.dumps(dump_game(shown), ensure_ascii=False)
        assert build_game(validate_json(GameModel, text, "game"), "game") == shown


@law
@given(data=st.data())
def test_money_is_neither_made_nor_lost(data: st.DataObject) -> None:
    play, bench = drawn(data, CASES["sealed_bid"])
    economy = play.game.economy
    assert economy is not None
    paid = sum(event.data["price"] for event in bench.events if event.type == "round-closed")

    accounts: dict[Seat, Any] = dict(bench.state.mechanism_state.accounts)  # type: ignore[attr-defined]  # the auction's

    before = sum(endowment.money for endowment in economy.endowments.values())
    assert sum(account.money for account in accounts.values()) == before - paid
    assert all(account.money >= 0 for account in accounts.values())
