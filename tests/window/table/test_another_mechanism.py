"""The table with another mechanism than bargaining: only its presenter and its workbench are its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from negoplatform.app.session.agent_placement import SHOWN_KINDS
from negoplatform.core.events import EventType
from negoplatform.domain.errors import NegoError
from negoplatform.gui.workbenches import WORKBENCHES, make_workbench
from negoplatform.presentation.work_presenters import WORK_PRESENTERS
from tests.mechanisms.auction_games import AUCTION, build
from tests.mechanisms.cases import sealed_bid_registered
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced, SealedBid
from tests.window.table.auction_workbench import AuctionPresenter, AuctionWorkbench
from tests.window.table.several_window import SeveralWindow
from tests.x_server import Screen

pytestmark = pytest.mark.window

OPEN = Callable[..., SeveralWindow]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the auction, and its presenter."""
    with sealed_bid_registered():
        monkeypatch.setitem(WORK_PRESENTERS, SealedBid.name, lambda: AuctionPresenter)
        yield


@pytest.fixture
def open_window(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[OPEN]:
    """Function that opens a window of the auction."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    opened: list[SeveralWindow] = []

    def begin(**options: Any) -> SeveralWindow:
        opened.append(SeveralWindow(build(AUCTION), workbench=AuctionWorkbench(), **options))
        opened[-1].table.wait(1)
        opened[-1].run()
        return opened[-1]

    yield begin
    for window in opened:
        window.close()


def bench(window: SeveralWindow) -> AuctionWorkbench:
    """Return the window's workbench."""
    assert isinstance(window.workbench, AuctionWorkbench)
    return window.workbench


def bid(window: SeveralWindow, amount: str) -> None:
    """Type a bid."""
    bench(window).write(amount)
    window.run()


def test_the_table_shows_what_the_mechanism_s_presenter_says(open_window: OPEN) -> None:
    window = open_window()

    assert window.screen._view().header.points == "3050"
    assert "3050 and 0" in window.all_texts
    assert "Sold so far: nothing" in window.all_texts
    assert str(bench(window).send.cget("state")) == "disabled"


def test_acts_and_facts_of_the_mechanism_have_one_line_each_in_the_chat(open_window: OPEN) -> None:
    window = open_window()

    window.table.session.act("ben", PLACE_BID, BidPlaced(100))
    window.table.session.act("ann", PLACE_BID, BidPlaced(250))
    window.table.wait(13)
    window.run()

    told = [line.text for line in bench(window).lines]
    assert told == ["The game starts", "You bid 250", "ann pays 100."]


def test_an_act_of_the_mechanism_goes_from_the_column_to_the_session(open_window: OPEN) -> None:
    window = open_window()

    bid(window, "250")
    bench(window).send.invoke()

    act = window.table.events[-1]
    assert (act.type, act.sender, act.payload.price) == (PLACE_BID, "ann", 250)


def test_a_refused_act_is_explained_in_the_chat(open_window: OPEN) -> None:
    window = open_window()

    bid(window, "999999")
    bench(window).send.invoke()
    window.run()

    assert window.table.events[-1].type == EventType.ACTION_REFUSED
    assert bench(window).lines[-1].kind == "refusal"


def test_typed_words_are_sent_as_they_are(open_window: OPEN) -> None:
    window = open_window()

    window.screen._panels.chat.restore_text("I offer 3 vases for 2")
    window.screen._talk.submit_text("I offer 3 vases for 2")

    assert window.table.events[-1].get_text() == "I offer 3 vases for 2"
    assert window.screen._panels.chat.text == ""


def test_what_is_prepared_outlasts_another_appearance_and_is_saved(open_window: OPEN) -> None:
    window = open_window()
    bid(window, "77")

    window.screen.rebuild()
    window.run(0.4)

    assert bench(window).field.get() == "77"
    assert window.session.drafts[-1]["work"] == {"bid": "77"}


def test_what_was_prepared_comes_back_in_a_resumed_session(open_window: OPEN) -> None:
    kept = {"words": "Half a sent", "work": {"bid": "88"}}

    window = open_window(saved_draft=kept)

    assert bench(window).field.get() == "88"
    assert window.screen._panels.chat.text == "Half a sent"


def test_the_result_replaces_the_mechanism_s_column(open_window: OPEN) -> None:
    window = open_window()

    window.table.wait(130)
    window.run()

    assert bench(window).closed
    assert not bench(window).field.winfo_viewable()
    assert "Rounds" in window.all_texts
    assert any(text.startswith("You have ") for text in window.all_texts)


def test_rules_and_help_have_the_mechanism_s_sentences(open_window: OPEN) -> None:
    window = open_window()

    window.screen._show_rules()
    window.run()
    rules = window.all_texts
    window.screen.show_help()
    window.run()

    assert {"Bid in every round.", "You collect 3 things."} <= set(rules)
    assert not any("offer" in text for text in rules)
    assert "Type an amount." in window.all_texts


def test_a_game_without_a_workbench_is_refused_in_a_sentence() -> None:
    with pytest.raises(NegoError) as refused:
        make_workbench(build(AUCTION))

    assert str(refused.value) == (
        "vases is a game of the kind sealed_bid, which the window does not show; "
        "'negoplatform simulate' plays it among agents."
    )


def test_the_window_accepts_the_kinds_of_game_that_it_has_everything_for() -> None:
    assert set(SHOWN_KINDS) == set(WORKBENCHES) == set(WORK_PRESENTERS) - {SealedBid.name}
