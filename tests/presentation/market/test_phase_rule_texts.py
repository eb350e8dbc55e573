"""Facts of the rules of phases in words, for a seat and for an observer, in every language of the window."""

from __future__ import annotations

import re

import pytest

from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import LANGUAGES, Language
from negoplatform.presentation.market.market_draft import empty_draft
from negoplatform.presentation.market.market_presenter import MarketPresenter
from negoplatform.presentation.replay.act_words import act_words
from tests.mechanisms.economies.land import OWNER_1, OWNER_2, SPECULATOR_1, Land, played_out

NAMES = {
    "owner_1": "דנה",
    "owner_2": "נועה",
    "developer": "יעל",
    "speculator_1": "רון",
    "speculator_2": "גיל",
}
TOLD_IN_ENGLISH = re.compile("[A-Za-z]{2,}")


@pytest.fixture(scope="module")
def land_game() -> Land:
    return played_out()


def lines(table: Land, seat: Seat, language: str) -> list[str]:
    """Return the lines of a seat's transcript."""
    state = view_of(table.state, Observer(seat)).state
    names = {other: name for other, name in NAMES.items() if other != seat}
    translate = Language.load(language).for_game("land_market")
    presenter = MarketPresenter(seat, names, translate)
    events = state.transcript_of(seat)
    return [line.text for event in events for line in presenter.transcript_entries(state, event)]


def test_an_owner_reads_declarations_signals_and_the_trade_of_the_plot(land_game: Land) -> None:
    told = "\n".join(lines(land_game, OWNER_2, "en"))

    assert re.search(r"Your plot is worth €\d+ \(no project\), €\d+ \(project\)\.", told)
    assert (
        "Declared worth of the plots – דנה: €400 (no project), €300 (project); You: €300 (no project), "
        "€500 (project); יעל: €200 (no project), €800 (project)." in told
    )
    assert "project holds: its declarations add up to €1,600." in told
    assert re.search(r"Public signal: a share may pay about €[\d.]+\.", told)
    assert re.search(r"Your private signal: a share may pay about €[\d.]+\.", told)
    assert re.search(r"You lost €[\d.]+ in the speculation\.", told)


def test_a_speculator_reads_what_the_speculation_gave(land_game: Land) -> None:
    (profit,) = land_game.facts("profit", SPECULATOR_1)

    assert f"You gained €{profit.data['profit']:.2f} in the speculation." in lines(
        land_game, SPECULATOR_1, "en"
    )


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
@pytest.mark.parametrize("seat", [OWNER_1, SPECULATOR_1])
def test_no_fact_stays_in_english_in_another_language(land_game: Land, language: str, seat: Seat) -> None:
    english, translated = lines(land_game, seat, "en"), lines(land_game, seat, language)

    assert len(translated) == len(english)
    assert not set(translated) & set(english)
    if language == "he":
        assert [line for line in translated if TOLD_IN_ENGLISH.search(line)] == []


def test_what_a_seat_alone_was_told_is_translated_at_its_account_too(land_game: Land) -> None:
    state = view_of(land_game.state, Observer(OWNER_1)).state
    presenter = MarketPresenter(OWNER_1, NAMES, Language.load("he").for_game("land_market"))

    told = presenter.view(state, 500.0, empty_draft(state.game, OWNER_1)).account.announcements

    assert len(told) == 2
    assert [text for text in told if TOLD_IN_ENGLISH.search(text)] == []


def test_an_observer_reads_whose_plot_and_whose_signal_it_is(land_game: Land) -> None:
    words = act_words(land_game.events, land_game.state.game, NAMES, Language.load("en"))

    told = [words.text(event) for event in land_game.events if event.type in ("signals", "profit")]

    assert told[0].startswith("Private signal for דנה: a share may pay about €")
    assert any(re.fullmatch(r"נועה lost €[\d.]+ in the speculation\.", text) for text in told)
