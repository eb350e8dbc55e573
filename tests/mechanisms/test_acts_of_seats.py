"""Acts of a seat in each kind of game: talk, quitting, and those of its mechanism."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from negoplatform.core.events import NOTHING, EndedBy, Ending, EventType
from negoplatform.core.mechanisms import MECHANISMS, mechanism_of
from negoplatform.core.mechanisms.base import COMMON_ACTS
from negoplatform.core.state import Phase
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT
from tests.mechanisms.auction_games import AUCTION, build

GAMES: dict[str, Callable[[], GameSpec]] = {
    "bargaining": lambda: load_game(bundled("games") / "resource_exchange.json"),
    "trading": lambda: load_game(bundled("games") / "tac_trading.json"),
    "market": lambda: load_game(bundled("games") / "grain_market.json"),
    "sealed_bid": lambda: build(AUCTION),
}


def types_of_all_kinds() -> list[str]:
    """Return every type of event that the program knows, those of all mechanisms included."""
    own = [kind for mechanism in MECHANISMS.values() for kind in (*mechanism.acts, *mechanism.facts)]
    return sorted({*EventType.__members__, *own})


def played_game(name: str) -> GameSpec:
    game = GAMES[name]()
    assert game.mechanism == name
    return game


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_cannot_do_the_acts_of_other_mechanisms_or_record_facts(name: str) -> None:
    table = TrialTable(played_game(name))
    table.start()
    seat = table.state.game.seats[0]
    own = {*COMMON_ACTS, *mechanism_of(name).acts}
    foreign = [kind for kind in types_of_all_kinds() if kind not in own]
    assert len(foreign) > 15
    count = len(table.events)

    for kind in foreign:
        payload = Ending(EndedBy.QUIT, by=seat) if kind == EventType.GAME_END else NOTHING
        with pytest.raises(Refused, match=r"nothing that a seat can do|is no type of event"):
            table.session.act(seat, kind, payload)

    assert table.state.phase is Phase.NEGOTIATING
    assert {event.type for event in table.events[count:]} <= {EventType.ACTION_REFUSED}
    # Whatever was recorded can be read again.
    for event in table.events:
        assert decode_event(encode_event(event, AT), "log", "line")[0] == event


@pytest.mark.parametrize("name", GAMES)
def test_nobody_acts_as_the_platform(name: str) -> None:
    table = TrialTable(played_game(name))
    table.start()

    with pytest.raises(Refused, match="Nobody sits at 'platform'"):
        table.session.act("platform", EventType.FORMAL_QUIT, NOTHING)

    assert table.state.phase is Phase.NEGOTIATING


def test_every_registered_mechanism_is_tried_here() -> None:
    assert set(GAMES) == set(MECHANISMS)
