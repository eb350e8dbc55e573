"""The start window's texts about the chosen game and agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, list_agents, list_games
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.start.plugin_cards import (
    agent_card,
    can_play,
    game_card,
    games_by_kind,
    usual_agent_key,
)
from negoplatform.presentation.start.start_choice import choice_summary, named_agent
from negoplatform.presentation.transcript.text_metrics import visual_order
from tests.games import shipped_games

NOWHERE = Path("no such folder")


def test_game_and_agent_are_named_in_a_line() -> None:
    alex, mine = named_agent("negochat", "Alex", ENGLISH), named_agent("my agent", "", ENGLISH)

    assert choice_summary("Campsite", alex, ENGLISH) == "Campsite with Alex (negochat)"
    assert choice_summary("Campsite", mine, ENGLISH) == "Campsite with my agent"


def test_nothing_is_named_while_something_is_missing() -> None:
    assert choice_summary("", "Alex (negochat)", ENGLISH) == ""
    assert choice_summary("Campsite", "", ENGLISH) == ""


@pytest.mark.parametrize(
    ("language", "agent", "told"),
    [("he", "fair", True), ("he", "micro", False), ("de", "fair", False), ("en", "fair", False)],
)
def test_an_agent_that_talks_is_not_offered_as_one_where_typed_words_are_not_read(
    language: str, agent: str, told: bool
) -> None:
    translate = Language.load(language)
    row = CatalogueEntry(agent, NOWHERE, find_agent(agent, NOWHERE))

    text = agent_card(agent, row, translate).text

    note = translate("Its messages are in English, and it can’t read what’s typed in this language.")
    assert (note in text) == told


def test_an_author_and_a_licence_in_latin_letters_keep_their_order_in_hebrew() -> None:
    plugin = find_agent("fair", NOWHERE)
    plugin = replace(
        plugin, manifest=plugin.manifest.model_copy(update={"author": "Jo Doe", "licence": "MIT"})
    )

    footer = agent_card("fair", CatalogueEntry("fair", NOWHERE, plugin), Language.load("he")).footer

    drawn = visual_order(footer, rtl=True)
    assert drawn.index("MIT") < drawn.index("Jo Doe"), "read from the right"
    last = footer[footer.index("Doe") :]
    assert visual_order(last, rtl=True).split() == ["MIT", "·", "Doe"], "a line that is Latin"


@pytest.mark.parametrize("language", ["en", "de", "he"])
def test_the_cards_of_the_shipped_games_and_agents_have_their_whole_descriptions(language: str) -> None:
    translate = Language.load(language)

    cards = [game_card(row.name, row, translate) for row in list_games(NOWHERE)]
    cards += [agent_card(row.name, row, translate) for row in list_agents(NOWHERE)]

    assert [card.title for card in cards if "…" in card.text] == []


def test_the_card_of_a_game_of_several_says_for_how_many_seats_it_is() -> None:
    footers = {row.name: game_card(row.name, row, ENGLISH).footer for row in list_games(NOWHERE)}

    assert "3 seats" in footers["three_way"].split("  ·  ")
    assert "seat" not in footers["practice"]


def test_the_card_of_a_game_of_goods_says_how_many_goods_there_are() -> None:
    footers = {row.name: game_card(row.name, row, ENGLISH).footer for row in list_games(NOWHERE)}

    assert footers["tac_market"].split("  ·  ")[0] == "5 goods"


def test_an_agent_of_another_kind_of_game_cannot_be_chosen_and_says_why(tmp_path: Path) -> None:
    file = tmp_path / "auctioneer.py"
    file.write_text(
        "from negoplatform.agent_api import NegotiationAgent\n\n\n"
        "class Auctioneer(NegotiationAgent):\n    mechanisms = ('sealed_bid',)\n",
        encoding="utf-8",
    )
    row = CatalogueEntry("auctioneer", file, find_agent(str(file), tmp_path))
    game = next(row.item for row in list_games(NOWHERE) if row.name == "practice")
    fair = CatalogueEntry("fair", NOWHERE, find_agent("fair", NOWHERE))

    card = agent_card("auctioneer", row, ENGLISH, game)

    assert not card.selectable
    assert card.warning == "It can’t play the chosen game, only other kinds of game: sealed bid."
    assert agent_card("fair", fair, ENGLISH, game).selectable
    assert agent_card("auctioneer", row, ENGLISH).selectable


def test_an_agent_for_other_markets_cannot_be_chosen_and_says_why() -> None:
    games = {game.name: game for game in shipped_games()}
    row = next(row for row in list_agents(NOWHERE) if row.name == "land_trader")

    card = agent_card(row.name, row, ENGLISH, games["grain_market"])

    assert not card.selectable
    assert card.warning == "It can’t play the chosen game, only markets with these rules: harberger."
    assert agent_card(row.name, row, ENGLISH, games["land_market"]).selectable


def test_a_market_says_how_long_it_takes_and_how_many_take_part() -> None:
    games = {game.name: game for game in shipped_games()}

    market, trading = (
        game_card(name, CatalogueEntry(name, NOWHERE, games[name]), ENGLISH)
        for name in ("grain_market", "tac_market")
    )

    assert market.footer == "1 good  ·  6 seats  ·  6.3 minutes"
    assert trading.footer == "5 goods  ·  3 to 8 seats  ·  10 minutes"


def test_every_game_of_goods_has_a_usual_agent_that_plays_it() -> None:
    agents = {row.name: row for row in list_agents(NOWHERE)}

    for game in shipped_games():
        playing = {key: row for key, row in agents.items() if can_play(row, game)}
        assert usual_agent_key(game, playing), game.name


def test_games_of_bargaining_come_first_in_the_start_window(tmp_path: Path) -> None:
    kinds = [row.item.mechanism for row in games_by_kind(list_games(tmp_path)) if row.item is not None]

    assert kinds == sorted(kinds, key=["bargaining", "trading", "market"].index)
    assert set(kinds) == {"bargaining", "trading", "market"}
