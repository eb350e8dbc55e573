"""Favours of the shipped agents in several rounds in a row: owed, returned, refused or betrayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.plugins.agent_loader import make_agent
from negoplatform.testing import TrialTable
from tests.agents.seating import of

NOWHERE = Path("no such folder")
ASKS, GRANTS = MessageSubtype.FAVOR_REQUEST, MessageSubtype.FAVOR_RETURN


class Series:
    """Rounds of a scripted person with one shipped agent.

    Args:
        agent: The name of the agent.
        game: The name of the game.
    """

    def __init__(self, agent: str, game: str = "resource_exchange") -> None:
        self.game = find_game(game, NOWHERE)
        self.agent = make_agent(find_agent(agent, NOWHERE), "agent", {}, self.game)
        self.table: TrialTable | None = None

    def play(self, *, says: MessageSubtype | None = None, takes: float | None = None) -> Round:
        """Play a round.

        Args:
            says: What the person says about favours after the greeting; None: nothing.
            takes: The points of the agent in the person's own offer, which the person makes when time is
                nearly up; None: the person accepts the agent's offer.
        """
        table = TrialTable(self.game, seed=3, rounds=5, after=self.table)
        if self.table is None:
            table.seat(self.agent)
        table.wait(5)
        if says is not None:
            table.human.says("About favours.", says)
        table.wait(20)
        if takes is None:
            if not of(table, EventType.SEND_OFFER, "agent"):
                table.human.says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
                table.wait(20)
            table.human.accepts()
        else:
            table.wait((self.game.rules.deadline_seconds or 0) - table.state.t - 20)
            worth = self.game.preferences["agent"].utility
            offer = min(table.human.context().outcomes(), key=lambda one: abs(worth(one) - takes))
            table.human.offers(offer)
            table.wait(8)
            table.human.accepts()
        table.play_out()
        self.table = table
        return Round(table)


class Round:
    """What happened in a round.

    Args:
        table: Its table.
    """

    def __init__(self, table: TrialTable) -> None:
        self._table = table
        assert table.state.ending is not None

    @property
    def words(self) -> list[str]:
        """The agent's acts of talk about favours."""
        return [
            str(event.payload.subtype)
            for event in of(self._table, EventType.SEND_MESSAGE, "agent")
            if event.payload.subtype.startswith("FAVOR")
        ]

    @property
    def deal(self) -> float:
        """The agent's points of the deal."""
        assert self._table.state.ending is not None
        deal = self._table.state.ending.deal
        assert isinstance(deal, Offer)
        return self._table.state.game.preferences["agent"].utility(deal)

    @property
    def lies(self) -> int:
        """The number of lies about favours."""
        return sum(
            "favour" in str(event.payload.updates)
            for event in of(self._table, EventType.STATE_PROPOSED, "agent")
            if "lie" in dict(event.payload.updates).get("notes", {}).get("agent", {})
        )


def test_the_fair_agent_does_a_favour_in_advance_and_then_waits_for_its_turn() -> None:
    series = Series("favours_fair")
    usual = Series("favours_fair").play()

    first = series.play(says=ASKS)
    second = series.play(says=ASKS)
    third = series.play(says=GRANTS)
    fourth = series.play(says=ASKS)

    assert (first.words[-1], first.deal < usual.deal) == ("FAVOR_ACCEPT", True)
    assert (second.words[-1], second.deal) == ("FAVOR_REJECT", usual.deal)
    assert third.deal > usual.deal
    assert (fourth.words[-1], fourth.deal < usual.deal) == ("FAVOR_ACCEPT", True)


def test_the_fair_agent_returns_a_favour_that_it_got() -> None:
    series = Series("favours_fair")
    usual = Series("favours_fair").play()

    first = series.play(says=GRANTS)
    second = series.play()
    third = series.play()

    assert first.deal > usual.deal
    assert (second.words, second.deal < usual.deal) == (["FAVOR_RETURN"], True)
    assert (third.words, third.deal) == ([], usual.deal)


def test_the_fair_agent_does_no_favour_for_one_who_broke_a_promise() -> None:
    series = Series("favours_fair")

    first = series.play(says=GRANTS, takes=14)
    second = series.play(says=ASKS)
    third = series.play(says=ASKS)

    assert first.deal == 14
    assert [second.words, third.words] == [["FAVOR_REJECT"], ["FAVOR_REJECT"]]


def test_the_limited_agent_does_a_favour_only_in_return() -> None:
    series = Series("favours_limited")
    usual = Series("favours_limited").play()

    first = series.play(says=ASKS)
    series.play(says=GRANTS)
    third = series.play(says=ASKS)
    fourth = series.play(says=ASKS)

    assert (first.words[-1], first.deal) == ("FAVOR_REJECT", usual.deal)
    assert (third.words[-1], third.deal < usual.deal) == ("FAVOR_RETURN", True)
    assert (fourth.words[-1], fourth.deal) == ("FAVOR_REJECT", usual.deal)


def test_the_betraying_agent_promises_every_favour_and_does_none() -> None:
    series = Series("favours_betraying")
    usual = Series("favours_betraying").play()

    rounds = [series.play(says=ASKS) for _ in range(3)]

    for one in rounds:
        assert "FAVOR_ACCEPT" in one.words
        assert "FAVOR_REQUEST" in one.words, "it asks for more"
        assert one.deal >= usual.deal
        assert one.lies >= 1


def test_the_betraying_agent_takes_favours_and_returns_none() -> None:
    series = Series("favours_betraying")
    usual = Series("favours_betraying").play()

    first = series.play(says=GRANTS)
    second = series.play()
    third = series.play(says=ASKS)

    assert first.deal > usual.deal
    assert second.deal >= usual.deal
    assert third.deal >= usual.deal
    assert "FAVOR_RETURN" in third.words, "it says that it returns the favour"


@pytest.mark.parametrize("name", ["favours_fair", "favours_limited", "favours_betraying"])
def test_a_round_without_a_deal_changes_no_debt(name: str) -> None:
    series, other = Series(name), Series(name)
    series.play(says=GRANTS)
    other.play(says=GRANTS)

    table = TrialTable(series.game, seed=3, after=series.table)
    table.wait(5)
    table.human.says("About favours.", ASKS)
    table.wait(10)
    table.human.quits()
    table.play_out()
    series.table = table

    later, straight = series.play(says=ASKS), other.play(says=ASKS)
    assert (later.words, later.deal) == (straight.words, straight.deal)
