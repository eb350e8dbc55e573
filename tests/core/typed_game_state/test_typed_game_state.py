"""Typed state of a game: the structure of its classes, its handlers, and updates of its own."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ConfigDict, Field

from negoplatform.core.typed_state.typed_game_state import (
    EventField,
    EventMessage,
    EventRefused,
    GameState,
    MetaInformation,
    PrivateInformation,
    PublicInformation,
    SharedKeyWarning,
    StateClassError,
    game_number,
    initial_game_states,
    new_game_state,
    update_game_states,
)
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import PLATFORM
from tests.core.typed_game_state.game_states import ORDER, WALLET, Doubling, Handling, assert_refused, told
from tests.core.typed_game_state.harberger import SEATS, HarbergerGameState, MarketState, Order, Trade

# Parts and their structure


def test_the_base_classes_are_usable_as_they_are() -> None:
    states = initial_game_states(GameState, game_id="g", seats=("human", "agent"))

    assert states["agent"].meta == MetaInformation(
        game_id="g", seat="agent", seat_number=2, seats=("human", "agent")
    )
    assert (states["agent"].private_information, states["agent"].public_information) == (
        PrivateInformation(),
        PublicInformation(),
    )


def test_a_new_state_knows_its_game_and_its_seat(state: HarbergerGameState) -> None:
    meta = state.meta

    assert (meta.game_id, meta.seat, meta.seat_number, meta.seats) == (12, "owner", 2, SEATS)


def test_a_constructor_that_takes_the_game_id_sets_it() -> None:
    assert HarbergerGameState(5).meta.game_id == 5


def test_a_state_without_a_constructor_of_its_own_gets_the_game_id_too() -> None:
    class Plain(GameState):
        pass

    assert new_game_state(Plain, game_id=3, seat="a", seats=("a", "b")).meta.game_id == 3


def test_a_constructor_with_an_argument_that_nobody_gives_is_named() -> None:
    class Wanting(GameState):
        def __init__(self, lucky_number: int) -> None:
            super().__init__()

    with pytest.raises(StateClassError, match=r"Wanting cannot be built .*lucky_number.*game_id"):
        new_game_state(Wanting, game_id=3, seat="a", seats=("a",))


def test_a_constructor_that_forgets_its_base_is_named() -> None:
    class Hasty(GameState):
        def __init__(self) -> None:
            pass

    with pytest.raises(StateClassError, match=r"Hasty .*super\(\)"):
        new_game_state(Hasty, game_id=3, seat="a", seats=("a",))


class Numbered(MetaInformation):
    game_id: int = EventField(default=0, exclude_from_mapping=True)


class PerhapsNumbered(MetaInformation):
    game_id: int | None = EventField(default=None, exclude_from_mapping=True)  # type: ignore[assignment]  # as authors may write it


class ByMeta(GameState):
    meta: Numbered = Field(default_factory=Numbered)


class ByMetaOrNone(GameState):
    meta: PerhapsNumbered = Field(default_factory=PerhapsNumbered)


class ByConstructor(GameState):
    def __init__(self, game_id: int) -> None:
        super().__init__()
        self.meta.game_id = game_id + 0


@pytest.mark.parametrize("cls", [ByMeta, ByMetaOrNone, ByConstructor, HarbergerGameState])
def test_a_class_that_takes_only_numbers_gets_the_number_of_the_game(cls: type[GameState]) -> None:
    state = new_game_state(cls, game_id="land_sale", seat="a", seats=("a",))

    assert state.meta.game_id == game_number("land_sale")


def test_a_class_that_takes_texts_gets_the_name_of_the_game() -> None:
    class Named(GameState):
        def __init__(self, game_id: str) -> None:
            super().__init__()

    assert new_game_state(Named, game_id="land_sale", seat="a", seats=("a",)).meta.game_id == "land_sale"
    assert new_game_state(GameState, game_id="land_sale", seat="a", seats=("a",)).meta.game_id == "land_sale"


def test_the_number_of_a_game_follows_from_its_name_alone() -> None:
    # The check value of the CRC-32: the same everywhere, whatever a process hashes texts with.
    assert game_number("123456789") == 0xCBF43926
    assert game_number("") == 0
    assert game_number("שלום") != game_number("practice")


def test_a_game_id_of_another_type_than_declared_is_refused() -> None:
    class Listed(MetaInformation):
        game_id: list[str] = EventField(default_factory=list, exclude_from_mapping=True)  # type: ignore[assignment]  # the mistake

    class State(GameState):
        meta: Listed = Field(default_factory=Listed)

    with pytest.raises(StateClassError, match=r"Listed .*game_id.*valid array, not 'g'"):
        new_game_state(State, game_id="g", seat="a", seats=("a",))


def test_a_new_state_knows_its_session() -> None:
    states = initial_game_states(HarbergerGameState, game_id="g", seats=("a", "b"), session_id="s1")

    assert [state.meta.session_id for state in states.values()] == ["s1", "s1"]


def test_a_class_that_is_no_state_is_refused() -> None:
    with pytest.raises(StateClassError, match="derive it from GameState"):
        new_game_state(dict, game_id=1, seat="a", seats=("a",))  # type: ignore[type-var]  # what an author may do


def test_a_part_of_the_wrong_kind_is_refused_when_the_class_is_defined() -> None:
    class Open(PublicInformation):
        pass

    with pytest.raises(StateClassError, match="private_information of Mixed is no PrivateInformation"):

        class Mixed(GameState):
            private_information: Open = Field(default_factory=Open)  # type: ignore[assignment]  # the mistake


def test_a_state_that_does_not_equal_its_copy_is_refused() -> None:
    class Thing:
        pass

    class Things(PublicInformation):
        model_config = ConfigDict(arbitrary_types_allowed=True)
        thing: Thing = EventField(default_factory=Thing, exclude_from_mapping=True)

    class State(GameState):
        public_information: Things = Field(default_factory=Things)

    with pytest.raises(StateClassError, match="does not equal its own copy"):
        new_game_state(State, game_id=1, seat="a", seats=("a",))


def test_seats_that_would_begin_with_different_public_parts_are_refused() -> None:
    numbers = iter(range(10))

    class Drawn(PublicInformation):
        number: int = EventField(default_factory=lambda: next(numbers))

    class State(GameState):
        public_information: Drawn = Field(default_factory=Drawn)

    with pytest.raises(StateClassError, match="differ in their public parts"):
        initial_game_states(State, game_id=1, seats=("a", "b"))


def test_two_new_states_share_no_list() -> None:
    first, second = HarbergerGameState(1), HarbergerGameState(1)

    first.private_information.wallet.append({})

    assert second.private_information.wallet == []


# Declarations that a class may not make


def test_a_field_with_both_lists_is_refused_when_its_class_is_defined() -> None:
    with pytest.raises(StateClassError, match="field rate of Confused gives both events and exclude_events"):

        class Confused(PublicInformation):
            rate: float = EventField(default=0.0, events=["a"], exclude_events=["b"])


def test_both_lists_are_refused_even_where_they_are_empty_or_the_field_is_excluded() -> None:
    with pytest.raises(StateClassError, match="field rate of Confused"):

        class Confused(PublicInformation):
            rate: float = EventField(default=0.0, events=[], exclude_events=[], exclude_from_mapping=True)


def test_event_types_in_one_text_are_refused_when_the_class_is_defined() -> None:
    with pytest.raises(StateClassError, match="put them into a list"):

        class Confused(PublicInformation):
            rate: float = EventField(default=0.0, exclude_events="profit")


def test_an_alias_beside_the_event_key_is_refused_when_the_class_is_defined() -> None:
    with pytest.raises(StateClassError, match="say by event_key"):

        class Confused(PublicInformation):
            rate: float = EventField(default=0.0, alias="taxRate")


def test_what_an_author_adds_to_the_json_schema_stays_in_it() -> None:
    class Rates(PublicInformation):
        rate: float = EventField(default=0.0, json_schema_extra={"unit": "percent"}, description="The rate.")

    assert {"unit": "percent", "description": "The rate."}.items() <= Rates.model_json_schema()["properties"][
        "rate"
    ].items()


class Guess(PrivateInformation):
    signal: float = EventField(default=0.0)


class Announcement(PublicInformation):
    shown: float = EventField(default=0.0, event_key="signal")


def test_a_key_that_fills_a_private_and_a_public_field_is_warned_of_and_works() -> None:
    with pytest.warns(
        SharedKeyWarning, match=r"'signal' .*private_information.signal .*shown of Both"
    ) as told_of:

        class Both(GameState):
            private_information: Guess = Field(default_factory=Guess)
            public_information: Announcement = Field(default_factory=Announcement)

    state = Both()
    state.update(told("signalled", signal=2))

    assert told_of[0].filename == __file__
    assert (state.private_information.signal, state.public_information.shown) == (2.0, 2.0)


def test_a_subclass_that_keeps_the_parts_is_not_warned_of_again() -> None:
    with pytest.warns(SharedKeyWarning):

        class Both(GameState):
            private_information: Guess = Field(default_factory=Guess)
            public_information: Announcement = Field(default_factory=Announcement)

    class Further(Both):
        pass

    assert Further().private_information.signal == 0.0


def test_one_key_in_two_parts_is_not_warned_of_where_no_event_can_fill_both() -> None:
    class Later(PublicInformation):
        shown: float = EventField(default=0.0, event_key="signal", events=["revealed"])

    class Earlier(PrivateInformation):
        signal: float = EventField(default=0.0, exclude_events=["revealed"])

    class State(GameState):
        private_information: Earlier = Field(default_factory=Earlier)
        public_information: Later = Field(default_factory=Later)

    assert State().private_information.signal == 0.0


# Handlers


def test_one_handler_keeps_the_book(state: HarbergerGameState) -> None:
    state.update(told("add-order", order=ORDER))
    state.update(told("add-order", order={**ORDER, "id": 8}))
    state.update(told("update-order", order={"id": 7, "quantity": 1}))
    state.update(told("delete-order", order={"id": 8}))
    terms = {"price": 30, "quantity": 1, "condition": 0}
    state.update(EventMessage("contract-fulfilled", {"from": 1, "to": 2, "terms": terms}))

    assert state.public_information.market_state == MarketState(
        orders={7: Order.model_validate({**ORDER, "quantity": 1})},
        trades=[Trade(from_id=1, to_id=2, price=30, quantity=1, condition=0)],
    )


def test_an_asset_movement_reaches_the_wallet_of_the_winning_condition(state: HarbergerGameState) -> None:
    state.update(told("dealt", wallet=WALLET, winningCondition=1))

    state.update(told("asset-movement", balance=20, shares=2), addressed=True)

    assert state.private_information.wallet == [WALLET[0], {"balance": 20, "shares": 2}]


def test_a_handled_event_is_not_mapped_as_well(state: HarbergerGameState) -> None:
    state.update(told("add-order", order=ORDER, taxRate=0.9))

    assert 7 in state.public_information.market_state.orders
    assert state.public_information.tax_rate == 0


def test_a_handler_may_map_the_event_too() -> None:
    state = Handling()

    state.update(told("both", total=3))

    assert (state.private_information.number, state.public_information.total) == (-1, 3)


def test_what_a_handler_maps_of_an_addressed_event_leaves_the_public_part_alone() -> None:
    states = initial_game_states(Handling, game_id=1, seats=("a", "b"))

    after = update_game_states(states, told("both", total=3, number=5), ("a",), PLATFORM)

    assert (after["a"].private_information.number, after["a"].public_information.total) == (5, 0)


def test_a_handler_that_fails_half_way_leaves_the_state_as_it_was() -> None:
    state = Handling()
    state.update(told("set", number=4, total=2))

    assert_refused(state, told("fails"), "Handling", "'fails'", "KeyError", "nowhere")
    state.update(told("set", number=5))

    assert state.private_information.number == 5


def test_the_sentence_of_a_handler_that_refuses_is_kept_and_the_state_too() -> None:
    state = Handling()

    with pytest.raises(Refused, match=r"^Not on a Sunday\.$"):
        state.update(told("objects"))

    assert state == Handling()


def test_an_interrupted_handler_leaves_the_state_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: MarketState, event_type: str, data: dict[str, Any]) -> None:
        self.orders[1] = Order.model_validate(ORDER)
        raise KeyboardInterrupt

    monkeypatch.setattr(MarketState, "process_event", interrupted)
    state = HarbergerGameState(1)

    with pytest.raises(KeyboardInterrupt):
        state.update(told("add-order", order=ORDER))

    assert state == HarbergerGameState(1)


def test_a_handler_cannot_change_the_event() -> None:
    message = told("keeps", list=["theirs"])

    Handling().update(message)

    assert message.data == {"list": ["theirs"]}


# An update by the author


def test_an_update_of_the_author_s_own_takes_every_event() -> None:
    states = initial_game_states(Doubling, game_id=1, seats=("a", "b"))

    after = update_game_states(states, told("set", total=2, number=3), (), PLATFORM)

    assert [(s.public_information.total, s.private_information.number) for s in after.values()] == [
        (4, 6)
    ] * 2


def test_an_update_of_the_author_s_own_cannot_forget_that_an_event_is_addressed() -> None:
    states = initial_game_states(Doubling, game_id=1, seats=("a", "b"))

    after = update_game_states(states, told("set", total=2, number=3), ("a",), PLATFORM)
    assert (after["a"].public_information.total, after["a"].private_information.number) == (0, 6)

    after["a"].update(told("set", total=1))
    assert after["a"].public_information.total == 2


def test_an_update_of_the_author_s_own_that_fails_refuses_the_event() -> None:
    states = initial_game_states(Doubling, game_id=1, seats=("a", "b"))

    with pytest.raises(EventRefused, match=r"update of Doubling failed .*'breaks' .*LookupError"):
        update_game_states(states, told("breaks"), (), PLATFORM)
