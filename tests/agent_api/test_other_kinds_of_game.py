"""The context in every kind of game: what does not exist there raises a sentence that names what does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api import (
    EMPTY_OFFER,
    AcceptProposal,
    AgentContext,
    AgentError,
    CallForProposals,
    CancelOrder,
    Decide,
    DeclineProposal,
    NotInThisGame,
    PlaceOrder,
    Propose,
    SubmitTransaction,
)
from negoplatform.agent_api.actions import MechanismAction
from negoplatform.agent_api.bids import Bids
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.testing import TrialTable, market_trial_games, trading_trial_games

OF_OFFERS: dict[str, Callable[[AgentContext], Any]] = {
    "current_offer": lambda ctx: ctx.current_offer,
    "current_offer_id": lambda ctx: ctx.current_offer_id,
    "current_offer_sender": lambda ctx: ctx.current_offer_sender,
    "current_offer_is_bindable": lambda ctx: ctx.current_offer_is_bindable,
    "accepted_by": lambda ctx: ctx.accepted_by,
    "next_to_answer": lambda ctx: ctx.next_to_answer,
    "board": lambda ctx: ctx.board,
    "can_formally_accept": lambda ctx: ctx.can_formally_accept(),
    "turn": lambda ctx: ctx.turn,
    "may_move": lambda ctx: ctx.may_move(),
    "utility": lambda ctx: ctx.utility(EMPTY_OFFER),
    "reservation_value": lambda ctx: ctx.reservation_value,
    "least_points": lambda ctx: ctx.least_points,
    "time_cost": lambda ctx: ctx.time_cost,
    "discount_factor": lambda ctx: ctx.discount_factor,
    "get_agent_utility": lambda ctx: ctx.get_agent_utility(),
    "get_agent_utility_percent": lambda ctx: ctx.get_agent_utility_percent(),
    "opponent_preferences_visible": lambda ctx: ctx.opponent_preferences_visible,
    "are_preferences_visible": lambda ctx: ctx.are_preferences_visible(ctx.seat),
    "get_opponent_utility": lambda ctx: ctx.get_opponent_utility(seat=ctx.seat),
    "estimate_opponent_utility": lambda ctx: ctx.estimate_opponent_utility(Indifferent()),
    "outcomes": lambda ctx: ctx.outcomes(),
    "make_offer": lambda ctx: ctx.make_offer(),
    "get_offer_history": lambda ctx: ctx.get_offer_history(),
    "get_last_offer": lambda ctx: ctx.get_last_offer(),
    "own_offer_id": lambda ctx: ctx.own_offer_id,
}
OF_ONE_KIND = {"trading": lambda ctx: ctx.trading, "market": lambda ctx: ctx.market}

EVERYWHERE: dict[str, Callable[[AgentContext], Any]] = {
    "game": lambda ctx: ctx.game,
    "issues": lambda ctx: ctx.issues,
    "seat": lambda ctx: ctx.seat,
    "seats": lambda ctx: ctx.seats,
    "briefing": lambda ctx: ctx.briefing,
    "round": lambda ctx: ctx.round,
    "elapsed_time": lambda ctx: ctx.elapsed_time,
    "elapsed_seconds": lambda ctx: ctx.elapsed_seconds,
    "remaining_time": lambda ctx: ctx.remaining_time,
    "remaining_seconds": lambda ctx: ctx.remaining_seconds,
    "remaining_offers": lambda ctx: ctx.remaining_offers,
    "progress": lambda ctx: ctx.progress,
    "rng": lambda ctx: ctx.rng,
    "reading": lambda ctx: ctx.reading,
    "topics": lambda ctx: ctx.topics,
    "address": lambda ctx: ctx.address,
    "addressed_by": lambda ctx: ctx.addressed_by("Hello!", ctx.seats[0]),
    "legal": lambda ctx: ctx.legal,
    "standing": lambda ctx: ctx.standing,
    "ending": lambda ctx: ctx.ending,
    "final_points": lambda ctx: ctx.final_points,
    "recorded_tasks": lambda ctx: ctx.recorded_tasks,
    "mandate": lambda ctx: ctx.mandate,
    "information": lambda ctx: ctx.information,
    "mechanism_state": lambda ctx: ctx.mechanism_state,
    "state": lambda ctx: ctx.state,
    "observation": lambda ctx: ctx.observation.vector(),
    "get_state": lambda ctx: ctx.get_state(),
    "get_proposed_state_diff": lambda ctx: ctx.get_proposed_state_diff({}),
    "get_message_history": lambda ctx: ctx.get_message_history(),
}

GAMES = {"bargaining": "practice", "trading": "tac_trading", "market": "grain_market"}
OF_A_BOOK = ("add-order", "contract-fulfilled", "asset-movement")
INSTEAD = {"bargaining": "ctx.current_offer", "trading": "ctx.trading", "market": "ctx.market"}


class Indifferent:
    """Model of a seat to which every offer is worth the same."""

    def estimate_utility(self, offer: object) -> float:
        return 0.5


@cache
def context(kind: str) -> AgentContext:
    """Return the context of the first seat of a game of a kind that has begun, after a message; cached."""
    game = find_game(GAMES[kind], Path("nowhere"))
    table = TrialTable(game)
    table.participant(game.seats[1]).says("Good morning!")
    return table.context(game.seats[0])


def refused(uses: Mapping[str, Callable[[AgentContext], object]], ctx: AgentContext) -> list[str]:
    """Return the names that this kind of game does not have."""
    missing = []
    for name, use in uses.items():
        try:
            use(ctx)
        except NotInThisGame:
            missing.append(name)
    return missing


def test_every_name_of_the_context_is_tried_here() -> None:
    public = {name for name in dir(AgentContext) if not name.startswith("_")}

    assert public == {*OF_OFFERS, *OF_ONE_KIND, *EVERYWHERE}


@pytest.mark.parametrize("kind", ["trading", "market"])
@pytest.mark.parametrize("name", OF_OFFERS)
def test_what_is_about_offers_names_what_there_is_instead(kind: str, name: str) -> None:
    with pytest.raises(NotInThisGame) as raised:
        OF_OFFERS[name](context(kind))

    assert f"a game of the kind {kind!r}, which has no " in str(raised.value)
    assert str(raised.value).endswith(f"see {INSTEAD[kind]}.")


def test_all_of_it_is_there_in_bargaining() -> None:
    assert refused(OF_OFFERS, context("bargaining")) == []
    assert refused(OF_OFFERS, context("market")) == [*OF_OFFERS]


@pytest.mark.parametrize("kind", INSTEAD)
@pytest.mark.parametrize("name", OF_ONE_KIND)
def test_trading_and_market_are_there_in_their_own_kind_and_name_the_others_elsewhere(
    kind: str, name: str
) -> None:
    ctx = context(kind)

    if kind == name:
        assert OF_ONE_KIND[name](ctx).goods == ctx.game.economy.good_names  # type: ignore[union-attr]
    else:
        with pytest.raises(NotInThisGame, match=rf"{kind}.*see {INSTEAD[kind]}"):
            OF_ONE_KIND[name](ctx)


@pytest.mark.parametrize("kind", INSTEAD)
def test_the_rest_is_there_in_every_kind_of_game(kind: str) -> None:
    assert refused(EVERYWHERE, context(kind)) == []


def test_bids_name_what_there_is_instead_of_offers() -> None:
    with pytest.raises(NotInThisGame, match=r"see ctx\.market"):
        Bids(context("market"))


# What the views of trading and markets compute


def test_a_market_is_about_the_condition_that_holds_once_it_is_known() -> None:
    table = TrialTable(find_game("land_market", Path("nowhere")))
    before = table.context("owner_1").market
    table.participant("owner_1").decides(no_project=0, project=900)
    table.participant("owner_2").decides(no_project=0, project=900)
    table.participant("developer").decides(no_project=0, project=900)

    market = table.context("owner_1").market
    assert (before.realised, before.condition) == (None, "no_project")
    assert (market.realised, market.condition, market.book().condition) == ("project", "project", "project")


def test_an_event_of_a_market_leads_to_its_book() -> None:
    table = TrialTable(next(game for game in market_trial_games() if game.name == "bazaar"))
    table.participant("amber").places_order("ask", 9, 2, good="cloth")
    table.participant("cobalt").places_order("bid", 9, good="cloth")
    market = table.context("amber").market

    books = {event.type: market.book_of(event).good for event in table.events if event.type in OF_A_BOOK}
    assert books == dict.fromkeys(OF_A_BOOK, "cloth")


@pytest.mark.parametrize(
    "make",
    [
        partial(CallForProposals, "miller", True, ("flour",)),
        partial(Propose, "miller", True, 5, {"flour": 1}, 3),
        partial(AcceptProposal, 3),
        partial(DeclineProposal, 3),
        partial(SubmitTransaction, "t-3", True, "miller", 5, {"flour": 1}),
        partial(PlaceOrder, "bid", 5, 2),
        partial(CancelOrder, 3),
        partial(Decide, {"value": 1}),
    ],
)
def test_an_action_hands_its_delay_and_whether_it_is_flushable_to_its_act(
    make: Callable[..., MechanismAction],
) -> None:
    act, plain = make(delay_ms=700, flushable=True).as_act(), make().as_act()

    assert (act.delay_ms, act.flushable) == (700, True)
    assert (plain.delay_ms, plain.flushable) == (0, False)
    with pytest.raises(AgentError, match="delay_ms is a number of milliseconds"):
        make(delay_ms=-1)


def test_an_order_can_be_tried_before_it_is_returned() -> None:
    market = context("market").market

    assert market.order_fault(PlaceOrder("bid", 100)) == ""
    assert "from €1.00 to €200.00" in market.order_fault(PlaceOrder("bid", 500))
    assert "free units" in market.order_fault(PlaceOrder("ask", 100))


def test_trading_names_the_seats_that_have_not_left_and_what_a_seat_can_do() -> None:
    table = TrialTable(trading_trial_games()[1])
    proposals = [
        table.participant("miller").proposes("tinker", buyer=False, amount=amount, quantities={"flour": 1})
        for amount in (29.5, 30)
    ]
    trading = table.context("tinker").trading

    # It has 30, and its share of the fee is 0.50.
    able = [trading.can_do(found) for event in proposals if (found := trading.proposal(event.seq))]
    assert able == [True, False]
    assert trading.others == ("miller", "weaver")
    table.participant("weaver").quits()
    assert table.context("tinker").trading.others == ("miller",)
