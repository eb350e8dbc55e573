"""Phases with decisions: the form, what was decided, and whom is waited for; and drafts that survive."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.agent_api.mechanism_actions import Decide
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market_terms import (
    DecisionField,
    DecisionKind,
    MarketPeriods,
    MarketPhase,
)
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.visibility import Observer, view_of
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.market_draft import (
    dump_market_draft,
    empty_draft,
    load_market_draft,
)
from negoplatform.presentation.market.market_presenter import MarketPresenter
from negoplatform.presentation.market.phase_view import DecisionView
from tests.mechanisms.economies.land import SPECULATOR_1, declared
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER
from tests.presentation.market.seen_market import SeenMarket

DECIDE = MarketPhase(
    "declare",
    30,
    label="Declaration",
    text="Say what it is worth.",
    decide=(
        DecisionField("worth", label="Worth", low=0, high=1000, step=10),
        DecisionField("plots", DecisionKind.SOME_OF, label="Plots", values=(SELLER, OTHER), most=1),
        DecisionField("mood", DecisionKind.ONE_OF, label="Mood", values=("good", "bad")),
    ),
    by=(BUYER, SELLER),
)
TRADE = MarketPhase("market", 60, trade=True)


def deciding(seat: str = BUYER) -> SeenMarket:
    """Return a market that begins with a decision."""
    return SeenMarket(seat, phases=(DECIDE, TRADE), periods=MarketPeriods())


def form(seen: SeenMarket) -> DecisionView:
    """Return the form that is shown."""
    decision = seen.view.decision
    assert decision is not None
    return decision


def test_a_form_says_what_is_still_to_decide() -> None:
    seen = deciding()

    first = form(seen)
    seen.draft = seen.draft.with_entry(DECIDE, DECIDE.decide[0], "300")
    second = form(seen)
    seen.draft = seen.draft.with_entry(DECIDE, DECIDE.decide[2], "good")
    complete = form(seen)

    assert (first.heading, first.missing) == ("Decide now", "Still to decide: Worth and Mood.")
    assert second.missing == "Still to decide: Mood."
    assert complete.action == Decide({"worth": 300, "plots": [], "mood": "good"})


def test_an_entry_that_does_not_fit_is_explained_at_its_field() -> None:
    seen = deciding()
    seen.draft = seen.draft.with_entry(DECIDE, DECIDE.decide[0], "305")
    seen.draft = seen.draft.with_entry(DECIDE, DECIDE.decide[1], (SELLER, OTHER))

    worth, plots, _ = form(seen).fields

    assert worth.problem == "Must be €0 to €1,000 in steps of €10."
    assert plots.problem == "Choose up to 1, or none."
    assert form(seen).action is None


def test_seats_among_the_values_have_the_names_of_those_who_hold_them() -> None:
    plots = form(deciding()).fields[1]

    assert [option.label for option in plots.options] == ["Kim (seller)", "Noa (other)"]


def test_what_was_decided_stays_and_the_others_are_waited_for() -> None:
    seen = deciding()

    seen.table.decide(BUYER, worth=300, plots=[OTHER], mood="bad")

    decision = form(seen)
    assert decision.heading == "You’ve decided"
    assert decision.decided == (("Worth", "300"), ("Plots", "Noa (other)"), ("Mood", "bad"))
    assert decision.waiting == "Waiting for the others."
    assert decision.action is None
    (line,) = seen.presenter.transcript_entries(
        seen.state, next(event for event in seen.table.events if event.type == "DECIDE")
    )
    assert line.text == "You decided – Worth: 300; Plots: Noa (other); Mood: bad."


def test_a_seat_that_does_not_decide_is_told_who_does() -> None:
    decision = form(deciding(OTHER))

    assert decision.heading == "The others decide now"
    assert decision.waiting == "Now decide: Robin and Kim."
    assert not decision.fields


def test_the_market_takes_the_place_of_the_form_when_all_have_decided() -> None:
    seen = deciding()
    for seat in (BUYER, SELLER):
        seen.table.decide(seat, worth=0, plots=[], mood="good")

    view = seen.view

    assert view.decision is None
    assert view.ticket.can_edit
    assert (view.phase.title, view.phase.clock) == ("market (2 of 2)", "01:00")


def test_who_has_left_is_told_when_the_result_comes() -> None:
    seen = SeenMarket()
    seen.table.session.formal_quit(BUYER)

    decision = form(seen)

    assert decision.heading == "You’ve left the market"
    assert not seen.view.ticket.can_edit


def test_a_draft_is_the_same_after_it_was_stored() -> None:
    seen = deciding()
    game = seen.table.state.game
    draft = seen.draft.with_side(OrderSide.ASK).with_price("4x").with_quantity("2")
    draft = draft.with_entry(DECIDE, DECIDE.decide[0], "30").with_entry(DECIDE, DECIDE.decide[1], (OTHER,))

    again = load_market_draft(dump_market_draft(draft), game, BUYER)

    assert again == draft


def test_parts_of_a_stored_draft_that_do_not_fit_are_dropped() -> None:
    game = deciding().table.state.game
    kept = {
        "book": 7,
        "tickets": [{"side": "up", "price": 3, "quantity": "2"}],
        "decisions": {"declare": {"worth": 4, "mood": "sad", "plots": ["nobody"]}, "gone": 3},
    }

    draft = load_market_draft(kept, game, BUYER)

    assert draft.book == 0
    assert (draft.ticket.side, draft.ticket.price, draft.ticket.quantity) == (OrderSide.BID, "", "2")
    assert draft.entries_of(market_terms(game).phases[0]) == {"plots": ()}
    assert load_market_draft(None, game, BUYER) == empty_draft(game, BUYER)
    assert load_market_draft({"tickets": 3, "book": "x"}, game, BUYER) == empty_draft(game, BUYER)


def test_in_a_phase_with_decisions_the_account_has_what_is_held_under_every_condition() -> None:
    seen = SeenMarket(
        conditions=("dry", "wet", "cold"), phases=(TRADE, replace(DECIDE, by=())), periods=MarketPeriods()
    )
    seen.table.ask(80, condition="wet")
    seen.table.bid(80, condition="wet")
    trading = seen.view.account
    seen.table.wait(TRADE.seconds + 1)
    deciding = seen.view.account

    assert trading.rows == (("If this holds", "dry"), ("Money", "€500"), ("Grain", "0"))
    assert deciding.rows == (
        *(("If this holds", "dry"), ("Money", "€500"), ("Grain", "0")),
        *(("If this holds", "wet"), ("Money", "€420"), ("Grain", "1")),
        *(("If this holds", "cold"), ("Money", "€500"), ("Grain", "0")),
    )
    # They are those of one condition.
    assert trading.ladder
    assert not deciding.ladder
    assert not deciding.next_unit


def test_the_money_in_the_header_is_left_out_where_it_depends_on_the_condition() -> None:
    seen = SeenMarket(conditions=("dry", "wet"), phases=(TRADE, DECIDE), periods=MarketPeriods())
    seen.table.ask(80, condition="wet")
    before = seen.presenter.header(seen.state, seen.now).words
    seen.table.bid(80, condition="wet")

    assert before == "Money: €500"
    assert seen.presenter.header(seen.state, seen.now).words == ""


def test_the_account_has_only_the_condition_that_holds_once_it_is_known() -> None:
    table = declared()
    state = view_of(table.state, Observer(SPECULATOR_1)).state
    presenter = MarketPresenter(SPECULATOR_1, {}, ENGLISH)

    rows = presenter.view(state, 1.0, empty_draft(state.game, SPECULATOR_1)).account.rows

    assert rows == (("Holds", "project"), ("Money", "€1,000"), ("Shares of the tax", "5"))
