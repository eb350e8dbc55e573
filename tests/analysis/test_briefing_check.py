"""Findings about backgrounds, reasons and spoken forms that a game lacks."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.analysis.games.game_check import FindingKind, check_game
from negoplatform.domain.briefing import Briefing
from negoplatform.domain.game import GameSpec, Profile
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat_map import SeatMap
from tests.games import make_game

WHOLE = Briefing(
    ("I collect coins.",),
    (("coins", ("They shine.", "I’m short of money.")), ("stamps", ("I write letters.", "They’re rare."))),
)


def collection(**seats: Briefing) -> GameSpec:
    """Return a game about coins and stamps, with briefings."""
    tables = {seat: {"coins": [0, 1], "stamps": [0, 2]} for seat in ("human", "agent")}
    issues = (
        QuantityIssue("coins", 1, "Coins", spoken=("coin", "coins")),
        QuantityIssue("stamps", 1, "Stamps", spoken=("stamp", "stamps")),
    )
    return replace(make_game(tables, issues=issues, deadline_seconds=60.0), briefings=SeatMap(seats))


def missing(game: GameSpec) -> list[str]:
    """Return the findings about texts, with their places."""
    keys = (".background", ".reasons", ".spoken")
    found = [finding for finding in check_game(game) if finding.place.endswith(keys)]
    assert {finding.kind for finding in found} <= {FindingKind.NOTE}
    return [f"{finding.place}: {finding.text}" for finding in found]


def test_a_game_with_all_texts_lacks_nothing() -> None:
    assert missing(collection(human=WHOLE, agent=WHOLE)) == []


def test_a_seat_without_a_briefing_lacks_background_and_all_reasons() -> None:
    assert missing(collection(human=WHOLE)) == [
        "seats.agent.background: There is no background, so agent has nothing to say of itself.",
        "seats.agent.reasons: Asked why, agent has no reasons for any issue.",
    ]


def test_issues_without_a_reason_or_with_a_single_one_are_named() -> None:
    partly = replace(WHOLE, reasons=(("coins", ("They shine.",)),))

    assert missing(collection(human=WHOLE, agent=partly)) == [
        "seats.agent.reasons: Asked why, agent has no reasons for Stamps.",
        "seats.agent.reasons: Asked why twice, agent repeats itself: there is a single reason for Coins.",
    ]


def test_each_profile_is_checked_together_with_its_seat() -> None:
    game = collection(human=WHOLE, agent=replace(WHOLE, reasons=WHOLE.reasons[:1]))
    mine = game.preferences["agent"]
    rich = Profile("rich", mine, briefing=Briefing(reasons=WHOLE.reasons[1:]))
    profiles = SeatMap({"agent": (rich, Profile("poor", mine))})

    found = missing(replace(game, profiles=profiles, chosen=SeatMap({"agent": "rich"})))

    assert found == ["seats.agent.profiles.poor.reasons: Asked why, agent (poor) has no reasons for Stamps."]


def test_an_issue_without_spoken_forms_is_named() -> None:
    game = collection(human=WHOLE, agent=WHOLE)
    silent = replace(game, issues=(game.issues[0], QuantityIssue("stamps", 1, "Stamps")))

    assert missing(silent) == [
        "issues.stamps.spoken: Stamps has no spoken forms, so agents say its title and values as they are."
    ]
