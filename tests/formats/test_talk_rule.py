"""Rule that the seats can talk: in files, sessions, agents' scripts and the window's view."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, SendExpression, SendMessage, SendOffer, ShowTyping
from negoplatform.core.events import Expression
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import dump_game, load_game
from negoplatform.hosting.seat_actions import SeatAction, perform_action
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.market.market_presenter import MarketPresenter
from negoplatform.presentation.table.help_text import help_view
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.testing import Scripted, TrialTable


def written(folder: Path, name: str, **rules: Any) -> Path:
    """Return a copy of a shipped game's file with these rules in addition to its own."""
    document = json.loads((bundled("games") / f"{name}.json").read_text(encoding="utf-8"))
    document["rules"] |= rules
    path = folder / "game.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def silent(game: GameSpec) -> GameSpec:
    """Return a game without talk."""
    return replace(game, rules=replace(game.rules, talk=False))


@pytest.fixture
def market() -> GameSpec:
    return load_game(bundled("games") / "grain_market.json")


@pytest.mark.parametrize("name", ["grain_market", "tac_trading", "practice"])
def test_the_seats_talk_unless_the_file_says_otherwise(tmp_path: Path, name: str) -> None:
    assert load_game(written(tmp_path, name)).rules.talk is True
    assert load_game(written(tmp_path, name, talk=False)).rules.talk is False


def test_the_rule_is_written_only_where_talk_is_off(market: GameSpec, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(dump_game(silent(market))), encoding="utf-8")

    assert "talk" not in dump_game(market)["rules"]
    assert load_game(path).rules == silent(market).rules


def test_anything_but_true_and_false_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"rules\.talk: true or false belongs here"):
        load_game(written(tmp_path, "grain_market", talk="no"))


@pytest.mark.parametrize("action", [SendMessage("Hello"), SendExpression(Expression.HAPPY), ShowTyping()])
def test_without_talk_nothing_is_said_or_shown_also_after_the_end(
    market: GameSpec, action: SeatAction
) -> None:
    table, seat = TrialTable(silent(market)), market.seats[0]
    table.start()
    with pytest.raises(Refused, match=r"^There is no talk in this game\.$"):
        perform_action(table.session, seat, action)
    table.wait(market_terms(market).total_seconds)

    assert table.state.ending is not None
    with pytest.raises(Refused, match=r"^There is no talk in this game\.$"):
        perform_action(table.session, seat, action)


def test_the_window_has_nothing_to_talk_with_in_a_game_without_talk(market: GameSpec) -> None:
    game, seat = silent(market), market.seats[0]
    table, names = TrialTable(game), {other: other.title() for other in game.others(seat)}
    presenter = TablePresenter(seat, names, ENGLISH, MarketPresenter)
    table.start()
    view = view_of(table.state, Observer(seat))

    shown = presenter.view(view, 1.0, presenter.work)  # type: ignore[type-var]  # passed on as it is

    assert (shown.can_talk, shown.can_express, shown.address) == (False, False, None)
    told = " ".join(text for _, texts in presenter.rules(game).sections for text in texts)
    assert "message" not in told.lower()
    page = help_view(
        ENGLISH, MarketPresenter.help(ENGLISH, several=True, rules=game.rules), several=True, talks=False
    )
    assert "How you talk" not in [heading for heading, _ in page.sections]
    assert "messages" not in " ".join(text for _, texts in page.sections for text in texts)


def test_agents_say_and_show_nothing_in_a_game_without_talk_and_offer_at_the_same_times(
    game: GameSpec,
) -> None:
    offer = next(game.outcomes())
    script: list[Action] = [
        SendMessage("Well …", delay_ms=700),
        SendExpression(Expression.SAD),
        SendOffer(offer, 300),
    ]
    talking, without_talk = TrialTable(game), TrialTable(silent(game))

    for table in (talking, without_talk):
        table.seat(Scripted(*script))
        table.start()
        table.wait(4)

    assert talking.kinds() == ["GAME_START", "SEND_MESSAGE", "SEND_EXPRESSION", "SEND_OFFER"]
    assert without_talk.kinds() == ["GAME_START", "SEND_OFFER"]
    assert without_talk.events[-1].t == talking.events[-1].t
