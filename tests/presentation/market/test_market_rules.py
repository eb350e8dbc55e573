"""Pages of rules and help of markets, and what the bar at the top says."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.core.mechanisms.market_terms import (
    CarryOver,
    DecisionField,
    Identities,
    MarketPeriods,
    MarketPhase,
)
from negoplatform.domain.game import Visibility
from negoplatform.domain.seat_map import SeatMap
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.market_presenter import MarketPresenter
from negoplatform.presentation.table.help_text import help_view
from negoplatform.presentation.table.table_presenter import TablePresenter
from tests.mechanisms.economies.land import land_market
from tests.mechanisms.grain_market import BUYER, OTHER, SELLER, grain_market
from tests.presentation.market.seen_market import SeenMarket

NAMES = {SELLER: "Kim", OTHER: "Noa"}


def rules_text(**terms: object) -> str:
    """Return the page of rules of a market as one text."""
    presenter = TablePresenter(BUYER, NAMES, ENGLISH, MarketPresenter)
    page = presenter.rules(grain_market(**terms))
    return "\n".join(
        [page.subtitle, *(line for heading, lines in page.sections for line in (heading, *lines))]
    )


def test_the_rules_speak_of_a_market_and_not_of_a_negotiation() -> None:
    text = rules_text(periods=MarketPeriods(count=3, seconds=120, carry=CarryOver.RESET))

    assert "You’re the buyer, in a market with 2 others" in text
    assert "How you trade" in text
    assert "There are 3 periods of 2 minutes each. Each period begins with the same money" in text
    assert "Grain, unit by unit: €110, €90, €70." in text
    assert "negotiat" not in text
    assert "no time limit" not in text


def test_the_rules_say_who_sees_whose_orders() -> None:
    shown, hidden = rules_text(), rules_text(identities=Identities.HIDDEN)

    assert "and whose they are." in shown
    assert "but not whose they are." in hidden


def test_the_rules_say_whether_others_see_what_units_are_worth_to_the_participant() -> None:
    presenter = TablePresenter(BUYER, NAMES, ENGLISH, MarketPresenter)

    def seen(visibility: Visibility) -> list[str]:
        game = replace(grain_market(), visibility=SeatMap({BUYER: visibility}))
        return [line for _, lines in presenter.rules(game).sections for line in lines]

    assert "Only you can see what goods are worth to you." in seen(Visibility.OWNER)
    assert "What goods are worth to you can be seen by everyone." in seen(Visibility.PUBLIC)
    assert "Only you can see what goods are worth to you." not in seen(Visibility.PUBLIC)


def test_the_rules_say_who_learns_what_the_participant_decides() -> None:
    decide = MarketPhase("guess", 30, decide=(DecisionField("price"),))
    phases = (decide, MarketPhase("go", 60, trade=True))
    land = TablePresenter("owner_1", {}, ENGLISH, MarketPresenter).rules(land_market())

    assert "decide" not in rules_text()
    assert "Only you see what you decide." in rules_text(phases=phases, periods=MarketPeriods())
    assert "Nobody sees what you decide before the phase is over." in [
        line for _, lines in land.sections for line in lines
    ]


def test_the_rules_list_the_phases() -> None:
    phases = (
        MarketPhase("look", 30, label="Look around", text="Nothing to do."),
        MarketPhase("go", 60, trade=True),
    )

    text = rules_text(phases=phases, periods=MarketPeriods())

    assert "1. Look around, up to 30 s. Nothing to do." in text
    assert "2. go, up to 1 minute." in text


def test_the_help_page_names_the_keys_of_the_ticket() -> None:
    page = help_view(ENGLISH, MarketPresenter.help(ENGLISH), several=True)

    keys = dict(page.sections)["Keys"]
    assert any("B to buy, S to sell" in line for line in keys)


def test_the_bar_at_the_top_has_the_clock_of_the_period_and_the_gain() -> None:
    seen = SeenMarket(periods=MarketPeriods(count=2, seconds=60))
    seen.table.ask(60)
    seen.table.bid(60)
    seen.table.wait(55)

    header = seen.presenter.header(seen.state, seen.now)

    assert (header.points, header.words, header.compared) == ("€50", "gained so far", "Money: €440")
    assert header.clock is not None
    assert (header.clock.clock, header.clock.words, header.clock.urgent) == ("00:05", "Period 1 of 2", True)
