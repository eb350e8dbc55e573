"""The land market in words: what decides, what plots cost, and of what the gain is made."""

from __future__ import annotations

import re

import pytest

from negoplatform.agent_api.mechanism_actions import Decide
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.visibility import Observer, view_of, visible_game
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.market_draft import MarketDraft, empty_draft
from negoplatform.presentation.market.market_presenter import MarketPanelsView, MarketPresenter
from negoplatform.presentation.market.market_rules import market_rules
from tests.mechanisms.economies.land import (
    DEVELOPER,
    OWNER_1,
    OWNER_2,
    SPECULATOR_1,
    SPECULATOR_2,
    Land,
    land,
    land_market,
    played_out,
)

NAMES = {OWNER_1: "Robin", OWNER_2: "Sam", DEVELOPER: "Ariel", SPECULATOR_1: "Jules", SPECULATOR_2: "Kim"}


def presenter(seat: Seat) -> MarketPresenter:
    return MarketPresenter(seat, {other: NAMES[other] for other in NAMES if other != seat}, ENGLISH)


def seen(table: Land, seat: Seat, draft: MarketDraft | None = None) -> MarketPanelsView:
    """Return what a seat's window shows."""
    state = view_of(table.state, Observer(seat)).state
    return presenter(seat).view(state, 0.0, draft or empty_draft(state.game, seat))


@pytest.fixture
def declared() -> Land:
    """Table at which the project holds, and the speculators decide."""
    table = land()
    for seat, project in ((OWNER_1, 300), (OWNER_2, 500), (DEVELOPER, 800)):
        table.declares(seat, 200, project)
    return table


def test_the_briefing_says_what_decides_and_what_counts() -> None:
    def told(seat: Seat) -> str:
        rules = market_rules(visible_game(land_market(), Observer(seat)), seat, {}, ENGLISH)
        return " ".join((*rules.how, *rules.without))

    assert "that for which they add up to the most" in told(OWNER_1)
    assert "Your plot is not part of what you begin with" in told(OWNER_1)
    assert "Your plot" not in told(SPECULATOR_1)
    assert "One of these will hold: no project / project." in told(SPECULATOR_1)


def test_a_speculator_reads_what_each_plot_costs_and_can_be_worth(declared: Land) -> None:
    form = seen(declared, SPECULATOR_1).decision
    assert form is not None

    notes = {option.label: option.note for option in form.fields[0].options}

    assert notes["Robin (owner 1)"] == "declared €300, worth €200 to €500"
    assert notes["Ariel (developer)"] == "declared €800, worth €500 to €1,000"
    assert form.button == "Choose none and decide"


def test_the_final_declaration_asks_only_for_what_holds(declared: Land) -> None:
    for seat in (SPECULATOR_1, SPECULATOR_2):
        declared.buys_plots(seat)
    declared.wait(181)
    state = view_of(declared.state, Observer(OWNER_1)).state
    phase = next(each for each in market_terms(declared.state.game).phases if each.name == "final_declare")
    draft = empty_draft(state.game, OWNER_1).with_entry(phase, phase.decide[1], "300")

    form = seen(declared, OWNER_1, draft).decision

    assert form is not None
    assert [field.title for field in form.fields] == ["Worth with the project"]
    assert form.fields[0].hint == "€0 to €1,000 in steps of €10"
    assert form.action == Decide({"no_project": 200, "project": 300})


def test_the_transcript_repeats_what_was_asked_at_that_time() -> None:
    state = view_of(played_out().state, Observer(OWNER_1)).state
    events = state.transcript_of(OWNER_1)

    lines = [line.text for event in events for line in presenter(OWNER_1).transcript_entries(state, event)]

    assert [line for line in lines if line.startswith("You decided")] == [
        "You decided – Worth without the project: 400; Worth with the project: 300.",
        "You decided – Worth with the project: 210.",
    ]


def test_money_for_shares_is_no_loss_before_they_are_paid(declared: Land) -> None:
    before = seen(declared, OWNER_1).account
    after = seen(played_out(), OWNER_1).account

    assert (before.gained, before.gained_words) == ("", "gained so far")
    assert after.gained


@pytest.mark.parametrize("seat", [OWNER_1, OWNER_2, DEVELOPER, SPECULATOR_1, SPECULATOR_2])
def test_the_parts_of_the_result_add_up_to_the_gain(seat: Seat) -> None:
    state = view_of(played_out().state, Observer(seat)).state

    result = presenter(seat).result(state, None)

    def number(text: str) -> float:
        found = re.sub("[€+,]", "", text)
        return float(found)

    gain = number(re.search(r"€[\d,.]*\d", result.points).group().strip("."))  # type: ignore[union-attr]
    parts = {name: number(amount) for name, amount, _ in result.rows}
    assert sum(parts.values()) == pytest.approx(-gain if "lost" in result.points else gain)
    assert ("Worth of your plot" in parts) is (seat in (OWNER_1, OWNER_2, DEVELOPER))
    assert "Paid to your shares" in parts
    for _, amount, each in result.rows:
        if each:
            units, price = each.split(" at ")
            assert int(units) * number(price) == pytest.approx(number(amount))
