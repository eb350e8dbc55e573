"""Typed state of each seat, which follows from the events visible to that seat."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, PrivateAttr

from negoplatform.core.typed_state.typed_game_state import (
    EventField,
    EventHandler,
    EventMessage,
    EventRefused,
    GameState,
    PublicInformation,
    can_handle,
    initial_game_states,
    new_game_state,
    update_game_states,
)
from negoplatform.domain.seat_map import PLATFORM, SeatMap
from tests.core.typed_game_state.game_states import ORDER, Doubling, Handling, assert_refused, told
from tests.core.typed_game_state.harberger import (
    MARKET_EVENTS,
    SEATS,
    HarbergerGameState,
    HarbergerPublicInformation,
)

# Addressed events, and one projection per seat


def test_an_addressed_event_never_fills_the_public_part(state: HarbergerGameState) -> None:
    state.update(told("set", taxRate=0.5, signals=[1.0], phase=2), addressed=True)

    assert (state.public_information, state.private_information.value_signals, state.meta.phase) == (
        HarbergerPublicInformation(),
        [1.0],
        2,
    )


def test_an_addressed_event_is_not_even_checked_against_public_fields(state: HarbergerGameState) -> None:
    state.update(told("set", taxRate="high", signals=[1.0]), addressed=True)

    assert state.private_information.value_signals == [1.0]


def test_a_handler_that_publishes_an_addressed_event_is_refused() -> None:
    states = initial_game_states(Handling, game_id=1, seats=("a", "b"))

    assert_refused(states["a"], told("publishes"), "'publishes'", "some seats only", addressed=True)
    with pytest.raises(EventRefused, match="public_information"):
        update_game_states(states, told("publishes"), ("a", "b"), PLATFORM)
    assert update_game_states(states, told("publishes"), (), PLATFORM)["b"].public_information.events == 1


@pytest.mark.parametrize(
    ("to", "sender", "reached"),
    [
        ((), PLATFORM, {"developer", "owner", "speculator"}),
        ((), "owner", {"developer", "owner", "speculator"}),
        (("developer",), PLATFORM, {"developer"}),
        (("developer",), "owner", {"developer", "owner"}),
        (("developer", "owner"), "owner", {"developer", "owner"}),
    ],
)
def test_an_event_changes_the_states_of_those_that_it_reaches(
    states: SeatMap[HarbergerGameState], to: tuple[str, ...], sender: str, reached: set[str]
) -> None:
    after = update_game_states(states, told("set", signals=[1.0]), to, sender)

    assert {seat for seat, own in after.items() if own.private_information.value_signals} == reached
    assert all(after[seat] is states[seat] for seat in set(SEATS) - reached)


def test_applying_an_event_leaves_the_states_before_it_alone(states: SeatMap[HarbergerGameState]) -> None:
    first = update_game_states(states, told("add-order", order=ORDER), (), PLATFORM)
    kept = copy.deepcopy(first)

    update_game_states(first, told("update-order", order={"id": 7, "quantity": 1}), (), PLATFORM)
    update_game_states(first, told("set", taxRate=1), (), PLATFORM)
    with pytest.raises(EventRefused):
        update_game_states(first, told("delete-order", order={"id": 9}), (), PLATFORM)

    assert first == kept
    assert states == initial_game_states(HarbergerGameState, game_id=12, seats=SEATS)


def test_what_two_fields_of_a_state_share_they_share_after_an_event_too() -> None:
    class Shared(PublicInformation):
        newest: list[int] = EventField(default_factory=list, exclude_from_mapping=True)
        all: dict[str, list[int]] = EventField(default_factory=dict, exclude_from_mapping=True)
        pair: tuple[list[int], set[int]] = EventField(default=([], set()), exclude_from_mapping=True)

    class State(GameState):
        public_information: Shared = Field(default_factory=Shared)
        _bids: list[int] = PrivateAttr(default_factory=list)

        def get_custom_handlers(self) -> dict[str, EventHandler]:
            return {"begin": self._begin, "bid": self._bid}

        def _begin(self, event_type: str, data: dict[str, Any]) -> None:
            public = self.public_information
            public.newest = public.all["a"] = self._bids
            public.pair = (self._bids, set())

        def _bid(self, event_type: str, data: dict[str, Any]) -> None:
            self._bids.append(data["price"])
            self.public_information.pair[1].add(data["price"])

    begun = update_game_states(
        initial_game_states(State, game_id=1, seats=("a",)), told("begin"), (), PLATFORM
    )

    after = update_game_states(begun, told("bid", price=3), (), PLATFORM)["a"].public_information

    assert (after.newest, after.all, after.pair) == ([3], {"a": [3]}, ([3], {3}))
    before = begun["a"].public_information
    assert (before.newest, before.all, before.pair) == ([], {"a": []}, ([], set()))


def test_the_seats_share_no_book(states: SeatMap[HarbergerGameState]) -> None:
    after = update_game_states(states, told("add-order", order=ORDER), (), PLATFORM)

    after["owner"].public_information.market_state.orders.clear()

    assert 7 in after["developer"].public_information.market_state.orders


def test_a_handler_that_publishes_what_one_seat_knows_is_refused() -> None:
    states = initial_game_states(Handling, game_id=1, seats=("a", "b"))
    states = update_game_states(states, told("dealt", number=4), ("a",), PLATFORM)

    with pytest.raises(EventRefused, match=r"'leaks' .*different public parts"):
        update_game_states(states, told("leaks"), (), PLATFORM)


def test_an_event_that_nobody_claims_gives_the_very_same_states(states: SeatMap[HarbergerGameState]) -> None:
    assert update_game_states(states, told("weather", rain=True), (), PLATFORM) is states
    assert update_game_states(states, told("set", signals=[1.0]), ("nobody",), PLATFORM) is states


ROUND = {"id": 1, "sender": 1, "price": 3, "quantity": 2, "type": "bid", "condition": 0}
numbers = st.integers(0, 9)
deliveries = st.one_of(
    st.just(()), st.lists(st.sampled_from(SEATS), min_size=1, max_size=2, unique=True).map(tuple)
)
happenings = st.tuples(
    st.one_of(
        st.builds(lambda n: told("tax", taxRate=n, phase=n, signals=[n]), numbers),
        st.builds(lambda n: told("signal", signals=[n], publicSignal=[n]), numbers),
        st.builds(lambda n: told("profit", property={"v": n}, wallet=[{"balance": n}]), numbers),
        st.builds(lambda n: told("dealt", property={"v": n}, wallet=[{"balance": n}]), numbers),
        st.builds(lambda n: told("asset-movement", balance=n, shares=n), numbers),
        st.builds(lambda n: told("add-order", order={**ROUND, "id": n}), numbers),
        st.builds(lambda n: told("delete-order", order={"id": n}), numbers),
        st.builds(lambda n: told("tax", taxRate=str(n), signals=[n]), numbers),
        st.builds(lambda n: told("weather", rain=n), numbers),
    ),
    deliveries,
    st.sampled_from((*SEATS, PLATFORM)),
)


@given(st.lists(happenings, max_size=25))
def test_a_seat_s_state_follows_from_the_events_that_it_may_see(
    plan: list[tuple[EventMessage, tuple[str, ...], str]],
) -> None:
    whole = initial_game_states(HarbergerGameState, game_id=12, seats=SEATS)
    happened = []
    for message, to, sender in plan:
        try:
            whole = update_game_states(whole, message, to, sender)
        except EventRefused:
            continue
        happened.append((message, to, sender))

    for seat in SEATS:
        alone = new_game_state(HarbergerGameState, game_id=12, seat=seat, seats=SEATS)
        projection = initial_game_states(HarbergerGameState, game_id=12, seats=SEATS).restricted_to([seat])
        for message, to, sender in happened:
            if not to or seat in to or seat == sender:
                alone.update(message, addressed=bool(to))
                projection = update_game_states(projection, message, to, sender)
        assert whole[seat] == alone == projection[seat]
    assert len({str(own.public_information) for own in whole.values()}) == 1


# Claims of event types and fields


@pytest.mark.parametrize("what", [HarbergerGameState, HarbergerGameState(1)], ids=["class", "state"])
def test_only_what_a_handler_or_a_field_could_want_is_claimed(
    what: HarbergerGameState | type[HarbergerGameState],
) -> None:
    assert all(can_handle(what, event, ()) for event in MARKET_EVENTS)
    assert can_handle(what, "tax", {"rain", "taxRate"})
    assert can_handle(what, "dealt", ["property"])
    assert not can_handle(what, "profit", ["property"])
    assert not can_handle(what, "tax", ["tax_rate", "game_id", "seat"])
    assert not can_handle(what, "TIME", ())


def test_a_state_with_an_update_of_its_own_claims_everything() -> None:
    assert can_handle(Doubling, "weather", ())
    assert can_handle(Doubling(), "weather", ())


def test_a_state_whose_handlers_cannot_be_asked_refuses_the_event() -> None:
    class Torn(GameState):
        def get_custom_handlers(self) -> dict[str, EventHandler]:
            raise LookupError("gone")

    with pytest.raises(EventRefused, match=r"get_custom_handlers of Torn .*LookupError: gone"):
        update_game_states(initial_game_states(Torn, game_id=1, seats=("a",)), told("bid"), (), PLATFORM)


def test_asking_who_claims_an_event_copies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    states = initial_game_states(HarbergerGameState, game_id=1, seats=SEATS)

    def no_copy(self: GameState, memo: dict[int, Any] | None = None) -> GameState:
        raise AssertionError("copied")

    monkeypatch.setattr(HarbergerGameState, "__deepcopy__", no_copy)

    assert update_game_states(states, told("TIME", elapsed=5.0, remaining=None), (), PLATFORM) is states


def test_handlers_may_change_with_the_state() -> None:
    class Phased(PublicInformation):
        open: bool = EventField(default=False)
        bids: int = EventField(default=0, exclude_from_mapping=True)

    class State(GameState):
        public_information: Phased = Field(default_factory=Phased)

        def get_custom_handlers(self) -> dict[str, EventHandler]:
            return {"bid": self._bid} if self.public_information.open else {}

        def _bid(self, event_type: str, data: dict[str, Any]) -> None:
            self.public_information.bids += 1

    closed = initial_game_states(State, game_id=1, seats=("a", "b"))
    opened = update_game_states(closed, told("open", open=True), (), PLATFORM)

    assert update_game_states(closed, told("bid"), (), "a") is closed
    assert update_game_states(opened, told("bid"), (), "a")["b"].public_information.bids == 1


def test_a_subclass_of_a_part_has_a_mapping_of_its_own() -> None:
    class Taxed(HarbergerPublicInformation):
        tax_rate: float = EventField(default=0, event_key="rate")

    class State(GameState):
        public_information: Taxed = Field(default_factory=Taxed)

    assert can_handle(State, "tax", ["rate"])
    assert not can_handle(State, "tax", ["taxRate"])
    assert can_handle(State, "tax", ["initialTaxRate"])
    assert can_handle(HarbergerGameState, "tax", ["taxRate"])


def test_a_handler_that_leaves_the_program_is_a_refusal() -> None:
    class Leaving(GameState):
        def get_custom_handlers(self) -> dict[str, EventHandler]:
            return {"leave": self._leave}

        def _leave(self, event_type: str, data: dict[str, Any]) -> None:
            raise SystemExit(9)

    states = initial_game_states(Leaving, game_id=1, seats=("a", "b"))

    with pytest.raises(EventRefused, match="SystemExit"):
        update_game_states(states, told("leave"), (), PLATFORM)
