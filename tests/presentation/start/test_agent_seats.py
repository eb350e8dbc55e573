"""Agents for several seats: one is chosen at a time, or one for all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.agent_seats import AgentSeats, entered_for, settings_key
from negoplatform.presentation.start.plugin_cards import ChoiceCard
from negoplatform.presentation.start.start_choice import SeatAgent
from tests.games import COINS, coins_only, make_game, three_seats

NOWHERE = Path("no such folder")
FAIR, BOULWARE = SeatAgent("fair"), SeatAgent("boulware")
ROWS = {
    name: CatalogueEntry(name, NOWHERE / f"{name}.py", find_agent(name, NOWHERE))
    for name in ("fair", "boulware")
}


def seats(game: GameSpec | None = None, participant: str = "red", **remembered: SeatAgent) -> AgentSeats:
    found = AgentSeats(SeatMap(remembered))
    found.set_game(game or three_seats(), participant, FAIR)
    return found


def texts(found: AgentSeats) -> list[tuple[str, str]]:
    return [(card.title, card.text or card.warning) for card in found.cards(ROWS, ENGLISH)]


def test_each_seat_has_the_usual_agent_until_another_is_chosen_for_it() -> None:
    found = seats()

    found.select("blue")
    found.assign(BOULWARE)

    assert texts(found) == [
        ("red", "Participant"),
        ("green", "Rowan (fair)"),
        ("blue", "Jules (boulware)"),
    ]


def test_the_seats_tell_under_which_names_equal_agents_appear() -> None:
    cards = seats().cards(ROWS, ENGLISH)

    assert [card.text for card in cards] == ["Participant", "Rowan (fair)", "Ariel (fair)"]
    assert [card.portrait_name for card in cards] == ["", "rowan", "ariel"]
    assert [card.selectable for card in cards] == [False, True, True]


def test_one_agent_can_be_put_into_all_seats() -> None:
    found = seats(green=BOULWARE)

    others = found.assign_to_all()

    assert others == ("blue",)
    assert found.names(ROWS, ENGLISH) == ["Jules (boulware)", "Ariel (boulware)"]


def test_the_participants_seat_cannot_be_selected() -> None:
    found = seats()

    found.select("red")

    assert found.selected == "green"


def test_an_agent_whose_seat_the_participant_takes_moves_to_the_participants() -> None:
    found = seats(blue=BOULWARE)
    found.select("blue")

    found.set_game(three_seats(), "blue", FAIR)
    moved, selected = texts(found), found.selected
    found.set_game(three_seats(), "red", FAIR)

    assert selected == "red"
    assert moved == [("red", "Jules (boulware)"), ("green", "Rowan (fair)"), ("blue", "Participant")]
    assert texts(found)[1:] == [("green", "Rowan (fair)"), ("blue", "Jules (boulware)")]


def nine_seats() -> GameSpec:
    return make_game({f"s{number}": {"coins": [0, 1, 2, 3, 4]} for number in range(9)}, issues=(COINS,))


@pytest.mark.parametrize(("game", "participant"), [(coins_only(), "human"), (nine_seats(), "s0")])
def test_a_game_for_one_agent_or_for_too_many_has_no_list_of_seats(game: GameSpec, participant: str) -> None:
    found = seats(game, participant)

    assert found.seats == ()
    assert found.cards(ROWS, ENGLISH) == []
    assert found.names(ROWS, ENGLISH) == []


def test_the_agents_of_another_game_are_remembered() -> None:
    found = seats(coins_only(), "human", green=BOULWARE)

    assert found.remembered == SeatMap({"green": BOULWARE})


def test_an_agent_that_is_gone_is_not_replaced_by_another() -> None:
    found = seats(blue=SeatAgent("gone"))

    assert found.without_agent(ROWS) == "blue"
    assert texts(found)[2] == ("blue", "Please choose an agent.")


def test_nothing_is_told_of_an_agent_whose_code_is_not_trusted() -> None:
    code = CodeFile(NOWHERE / "mine.py", "0" * 64)
    entry: CatalogueEntry[AgentPlugin] = CatalogueEntry("mine", code.path, None, untrusted=code)
    rows = {**ROWS, "mine (not yet trusted)": entry}

    cards = seats(green=SeatAgent("mine", code.path)).cards(rows, ENGLISH)

    assert cards[1] == ChoiceCard("green", "green", "mine")


def test_every_seat_is_read_with_its_own_settings() -> None:
    entered = {"fair": {"share": "0.6"}, settings_key("blue", "fair"): {"share": "0.4"}}

    found, faulty = seats().read(ROWS, entered, ENGLISH)

    assert faulty == ""
    assert found == SeatMap(
        {
            "green": replace(FAIR, settings={"share": 0.6}),
            "blue": replace(FAIR, settings={"share": 0.4}),
        }
    )


def test_the_seat_with_a_faulty_setting_is_named() -> None:
    entered = {settings_key("blue", "fair"): {"share": "40"}}

    assert seats().read(ROWS, entered, ENGLISH) == (SeatMap(), "blue")


def test_a_form_of_a_seat_begins_with_what_was_entered_for_any_seat() -> None:
    entered = {"fair": {"share": "0.6"}, "green=fair": {"share": "0.4"}}

    assert entered_for(entered, "green", "fair") == {"share": "0.4"}
    assert entered_for(entered, "blue", "fair") == {"share": "0.6"}
    assert entered_for(entered, None, "fair") == {"share": "0.6"}
    assert entered_for(entered, "blue", "boulware") == {}


def test_an_agent_of_another_kind_of_game_leaves_its_seat_to_the_usual_one() -> None:
    found = AgentSeats(SeatMap({"green": BOULWARE}))

    found.set_game(three_seats(), "red", FAIR, lambda agent: agent == BOULWARE)

    assert found.agent_at("green") == FAIR
