"""Mapping of events to fields, refusal of events that do not fit, and no sharing of mutable values."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from negoplatform.core.typed_state.typed_game_state import (
    EventField,
    EventMessage,
    EventRefused,
    GameState,
    PrivateInformation,
    PublicInformation,
)
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import SeatMap
from tests.core.typed_game_state.game_states import CONDITIONS, ORDER, WALLET, assert_refused, told
from tests.core.typed_game_state.harberger import HarbergerGameState, MarketState, Order

# Mapping of events to fields


def test_meta_fields_are_filled_from_their_keys(state: HarbergerGameState) -> None:
    state.update(told("seated", name="Ann", number=4, players=[{"number": 4}], phase=2))

    meta = state.meta
    assert (meta.player_name, meta.player_number, meta.players, meta.phase) == ("Ann", 4, [{"number": 4}], 2)


def test_private_fields_are_filled_by_name_or_by_key(state: HarbergerGameState) -> None:
    state.update(told("dealt", wallet=WALLET, signals=[1.5, 2], declarations=[{"d": 1}], property={"v": 9}))

    own = state.private_information
    assert (own.wallet, own.value_signals, own.declarations, own.property) == (
        WALLET,
        [1.5, 2.0],
        [{"d": 1}],
        {"v": 9},
    )


def test_public_fields_are_filled_from_camel_case_keys(state: HarbergerGameState) -> None:
    state.update(
        told("tax", taxRate=0.3, initialTaxRate=1, finalTaxRate=0.5, publicSignal=[4], winningCondition=1)
    )

    public = state.public_information
    assert (public.tax_rate, public.initial_tax_rate, public.final_tax_rate) == (0.3, 1.0, 0.5)
    assert (public.public_signal, public.winning_condition) == ([4.0], 1)


def test_a_key_that_has_another_name_does_not_fill_by_the_field_s_name(state: HarbergerGameState) -> None:
    state.update(told("tax", tax_rate=0.3))

    assert state.public_information.tax_rate == 0


def test_an_excluded_event_leaves_its_field_alone_and_fills_the_others(state: HarbergerGameState) -> None:
    state.update(told("dealt", property={"v": 9}))

    state.update(told("profit", property={"v": 0}, wallet=WALLET))

    assert (state.private_information.property, state.private_information.wallet) == ({"v": 9}, WALLET)


def test_only_the_events_that_a_field_names_fill_it() -> None:
    class Rates(PublicInformation):
        rate: float = EventField(default=0.0, events=["opened", "closed"])

    class State(GameState):
        public_information: Rates = Field(default_factory=Rates)

    state = State()
    rates = []
    for number, event in enumerate(["opened", "changed", "closed"], start=1):
        state.update(told(event, rate=number))
        rates.append(state.public_information.rate)

    assert rates == [1.0, 1.0, 3.0]


def test_a_field_that_is_excluded_from_mapping_is_never_filled(state: HarbergerGameState) -> None:
    state.update(told("seated", game_id=99, seat="speculator", seat_number=1, seats=["x"]))

    assert (state.meta.game_id, state.meta.seat, state.meta.seat_number) == (12, "owner", 2)


def test_a_field_declared_without_event_field_is_filled_by_its_name() -> None:
    class Said(PublicInformation):
        words: str = ""

    class State(GameState):
        public_information: Said = Field(default_factory=Said)

    state = State()
    state.update(told("spoken", words="Hello"))

    assert state.public_information.words == "Hello"


def test_keys_that_no_field_wants_are_left(state: HarbergerGameState) -> None:
    before = copy.deepcopy(state)

    state.update(told("weather", rain=True))

    assert state == before


def test_fields_of_one_name_in_two_parts_are_filled_apart(state: HarbergerGameState) -> None:
    state.update(told("signals", signals=[1.0], value_signals=[2.0]))

    assert state.private_information.value_signals == [1.0]
    assert state.public_information.value_signals == [2.0]


def test_a_nested_model_is_a_field_like_any_other(state: HarbergerGameState) -> None:
    state.update(told("book", market_state={"orders": {"7": ORDER}, "trades": []}))

    assert state.public_information.market_state == MarketState(orders={7: Order.model_validate(ORDER)})


def test_a_nested_model_may_be_strict_and_frozen_itself() -> None:
    class Suit(StrEnum):
        HEARTS = "hearts"

    class Card(BaseModel):
        model_config = ConfigDict(strict=True, frozen=True)
        suit: Suit
        marks: tuple[int, ...] = ()

    class Hand(PrivateInformation):
        cards: tuple[Card, ...] = EventField(default=())

    class State(GameState):
        private_information: Hand = Field(default_factory=Hand)

    state = State()
    state.update(told("dealt", cards=[{"suit": "hearts", "marks": [1, 2]}]))

    assert state.private_information.cards == (Card(suit=Suit.HEARTS, marks=(1, 2)),)


def test_the_winning_condition_is_described_and_empty_before_it_is_known(state: HarbergerGameState) -> None:
    before = state.public_information.winning_condition_description()

    state.update(told("conditions", conditions=CONDITIONS, winningCondition=1))

    assert before == {}
    assert state.public_information.winning_condition_description() == {"name": "project"}


# Events that do not fit are refused, and nothing changes


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"taxRate": "0.3"}, ("'tax'", "'taxRate'", "tax_rate", "valid number", "'0.3'")),
        ({"taxRate": True}, ("'taxRate'", "valid number", "True")),
        ({"taxRate": None}, ("'taxRate'", "valid number", "None")),
        ({"winningCondition": 1.5}, ("winning_condition", "valid integer", "1.5")),
        ({"winningCondition": "1"}, ("winning_condition", "valid integer", "'1'")),
        ({"winningCondition": True}, ("winning_condition", "valid integer")),
        ({"signals": [1, "2"]}, ("'signals'", "value_signals", "at 1", "valid number")),
        ({"wallet": {"balance": 1}}, ("'wallet'", "valid array")),
        ({"property": []}, ("'property'", "object")),
        ({"phase": "closing"}, ("'phase'", "HarbergerMetaInformation", "valid integer")),
        ({"market_state": {"orders": {"7": {**ORDER, "price": "30"}}}}, ("orders.7.price", "valid number")),
        ({"market_state": {"orders": {"7": {"id": 7}}}}, ("orders.7.sender", "is missing")),
        ({"publicSignal": [float("nan")]}, ("publicSignal", "no log can keep", "not finite", "JSON")),
        ({"boundaries": {"max": float("inf")}}, ("boundaries", "no log can keep")),
        ({"boundaries": {"max": object()}}, ("boundaries", "no log can keep", "object")),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_with_what_belongs_there(
    state: HarbergerGameState, data: dict[str, Any], words: tuple[str, ...]
) -> None:
    assert_refused(state, EventMessage("tax", data), *words)


@pytest.mark.parametrize("good", [{"phase": 3}, {"signals": [1.0]}, {"finalTaxRate": 0.9}])
def test_one_bad_value_keeps_the_good_ones_of_its_event_out_of_every_part(
    state: HarbergerGameState, good: dict[str, Any]
) -> None:
    state.update(told("tax", taxRate=0.1, phase=1))

    assert_refused(state, EventMessage("tax", {**good, "winningCondition": "1"}), "winningCondition")
    assert_refused(state, EventMessage("tax", {**good, "phase": "1"}), "phase")


def test_a_refused_event_is_the_player_s_error() -> None:
    assert issubclass(EventRefused, Refused)


def rounded(value: float) -> float:
    return value + 1


class Careful(PublicInformation):
    low: int = EventField(default=0)
    high: int = EventField(default=10, ge=1)
    euros: float = EventField(default=0.0)
    counted: Annotated[float, AfterValidator(rounded)] = EventField(default=0.0)
    notes: list[str] = EventField(default_factory=list, exclude_from_mapping=True)

    @field_validator("euros", mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        return float(value.removesuffix(" EUR")) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _ordered(self) -> Careful:
        self.notes.append("checked")
        if self.low > self.high:
            raise ValueError("Low is above high.")
        return self


class CarefulState(GameState):
    public_information: Careful = Field(default_factory=Careful)


def test_a_constraint_of_a_field_holds_for_events_too() -> None:
    assert_refused(CarefulState(), told("set", high=0), "'high'", "greater than or equal to 1")


def test_a_validator_of_the_whole_model_refuses_the_event_and_sees_all_of_it_at_once() -> None:
    state = CarefulState()

    assert_refused(state, told("set", low=11), "'set'", "Careful", "low is above high")
    state.update(told("set", low=20, high=30))

    assert (state.public_information.low, state.public_information.high) == (20, 30)


def test_mapping_that_is_refused_leaves_no_trace_of_its_validators() -> None:
    state = CarefulState()
    notes = list(state.public_information.notes)

    with pytest.raises(EventRefused):
        state.map_event(told("set", low=11))

    assert state.public_information.notes == notes


def test_a_field_whose_validator_converts_takes_what_it_converts() -> None:
    state = CarefulState()

    state.update(told("paid", euros="12.5 EUR"))

    assert state.public_information.euros == 12.5


def test_a_validator_that_changes_a_value_runs_once() -> None:
    state = CarefulState()

    state.update(told("counted", counted=1))

    assert state.public_information.counted == 2.0


# No sharing of mutable values


@pytest.mark.parametrize("event_type", ["set", "add-order"])
def test_changing_the_event_s_data_afterwards_does_not_change_the_state(event_type: str) -> None:
    order = dict(ORDER)
    data: dict[str, Any] = {"boundaries": {"low": [1]}, "wallet": copy.deepcopy(WALLET), "order": order}
    state = HarbergerGameState(1)
    state.update(EventMessage(event_type, data))
    before = copy.deepcopy(state)

    data["boundaries"]["low"].append(2)
    data["wallet"][0]["balance"] = 0
    order["price"] = 0

    assert state == before


def test_changing_the_state_does_not_change_the_event_s_data(state: HarbergerGameState) -> None:
    message = told("set", wallet=copy.deepcopy(WALLET))
    state.update(message)

    state.private_information.wallet[0]["balance"] = 0

    assert message.data == {"wallet": WALLET}


def test_two_fields_that_one_key_fills_share_nothing() -> None:
    class Twice(PrivateInformation):
        first: dict[str, Any] = EventField(default_factory=dict, event_key="terms")
        second: dict[str, Any] = EventField(default_factory=dict, event_key="terms")

    class State(GameState):
        private_information: Twice = Field(default_factory=Twice)

    state = State()
    state.update(told("set", terms={"a": []}))
    state.private_information.first["a"].append(1)

    assert state.private_information.second == {"a": []}


def test_frozen_data_is_taken_as_the_log_would_give_it_back(state: HarbergerGameState) -> None:
    @dataclass(frozen=True, slots=True)
    class Value:
        top: int = 9

    frozen: Mapping[str, Any] = MappingProxyType(
        {
            "boundaries": MappingProxyType(
                {"low": (1, 2), "high": range(2), "seats": SeatMap({"owner": Value()})}
            )
        }
    )

    state.update(EventMessage("set", frozen))

    assert state.public_information.boundaries == {
        "low": [1, 2],
        "high": [0, 1],
        "seats": {"owner": {"top": 9}},
    }


def test_a_message_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        told("set").event_type = "other"  # type: ignore[misc]  # what the test is about


def test_states_are_equal_by_value_and_survive_pickle_and_copy(state: HarbergerGameState) -> None:
    state.update(told("add-order", order=ORDER))

    for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert twin == state
        twin.update(told("delete-order", order={"id": 7}))
        assert twin != state
        assert 7 in state.public_information.market_state.orders
