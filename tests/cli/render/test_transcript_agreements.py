"""Ends in the printed transcript: deals that not all seats have signed, a last offer without answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.cli.render.transcript import ending_text, replay_lines
from negoplatform.domain.agreement_rules import Outvoted, Quota
from negoplatform.domain.game import LAST_ANSWER_SECONDS, GameSpec
from negoplatform.eventlog.reader import read_log
from negoplatform.testing import TrialTable
from tests.eventlog.logs import recorded
from tests.games import coins_only, make_game, three_seats


@pytest.mark.parametrize(
    ("outvoted", "fate", "points", "quality"),
    [
        (
            Outvoted.BOUND,
            "blue is bound by it",
            "2 points",
            "joint points 11 of at most 11; Pareto efficient",
        ),
        (Outvoted.LEFT_OUT, "blue is left out", "1 point", "joint points 10 of at most 11; not Pareto"),
    ],
)
def test_the_transcript_says_who_agreed_and_what_that_means_for_the_others(
    tmp_path: Path, outvoted: Outvoted, fate: str, points: str, quality: str
) -> None:
    def play(table: TrialTable) -> None:
        offer = table.participant("red").offers(coins=(2, 1, 1), colour="red")
        table.participant("green").accepts(offer)
        table.participant("red").accepts(offer)

    log = recorded(tmp_path, three_seats(agreement=Quota(2), outvoted=outvoted), play)

    lines = list(replay_lines(read_log(log), step=True))

    terms = "coins 2 red, 1 green, 1 blue; colour red"
    assert f"Outcome: agreement by red and green after 0 s on {terms}; {fate}." in lines
    assert any(line.endswith(f"THE GAME ENDS: agreement by red and green; {fate}") for line in lines)
    assert f"  blue: Robin (agent secret_boulware): {points}" in lines
    assert any(line.startswith(f"Measures: {quality}") for line in lines)
    assert any(line.endswith("accepted by green (2 of 3 needed)") for line in lines)


def test_several_that_are_outvoted_are_listed(tmp_path: Path) -> None:
    def play(table: TrialTable) -> None:
        offer = table.participant("a").offers(colour="red")
        for seat in ("a", "b", "c"):
            table.participant(seat).accepts(offer)

    log = recorded(tmp_path, five(), play)

    lines = list(replay_lines(read_log(log), step=False))

    assert "Outcome: agreement by a, b and c after 0 s on colour red; d and e are bound by it." in lines


def five() -> GameSpec:
    """Return a game in which three of five seats choose a colour."""
    tables = {seat: {"colour": {"red": 1, "green": 0, "blue": 0}} for seat in "abcde"}
    return make_game(tables, issues=(three_seats().issue("colour"),), agreement=Quota(3))


def test_the_outcome_says_that_the_last_offer_was_not_accepted() -> None:
    table = TrialTable(coins_only(deadline_offers=1))
    table.start()
    table.agent.offers(coins=(2, 2))
    table.wait(LAST_ANSWER_SECONDS + 1)

    assert ending_text(table.state) == "no agreement; the last offer was not accepted by 60 s."
