"""The rules shown to a participant before the clock starts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.briefing import Briefing
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, TimeCost, Visibility
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.table_view import RulesView
from negoplatform.testing import TrialTable
from tests.games import three_seats, with_rules
from tests.presentation.bargaining_desk import rules_page
from tests.presentation.rent_game import rent, rent_with_profiles


def read(game: GameSpec, seat: str = "human") -> RulesView:
    """Return the rules as shown to a seat, with Rowan as the name of all others."""
    seen = view_of(TrialTable(game).state, Observer(seat)).state.game
    return rules_page(seen, seat, dict.fromkeys(game.others(seat), "Rowan"), ENGLISH)


def section(view: RulesView, heading: str) -> tuple[str, ...]:
    return dict(view.sections).get(heading, ())


def test_a_participant_reads_what_it_is_about_how_to_negotiate_and_how_it_ends(game: GameSpec) -> None:
    view = read(game)

    assert view.title == game.title
    assert [heading for heading, _ in view.sections] == [
        *("What it is about", "About you, in your own words", "What matters to you, and why"),
        *("How you negotiate", "How it ends", "Who sees what"),
    ]
    assert section(view, "What it is about")[0] == game.description
    assert section(view, "How you negotiate")[0].startswith("Chat with Rowan")
    assert section(view, "How it ends")[1:3] == (
        "You have 10 minutes; the clock is at the top.",
        "If there’s no deal, you get 12 points.",
    )


def test_nobody_reads_the_other_sides_story(game: GameSpec) -> None:
    told = replace(game, stories=SeatMap([("human", "You like bananas."), ("agent", "You like grain.")]))

    mine, theirs = repr(read(told, "human")), repr(read(told, "agent"))

    assert "You like bananas." in mine
    assert "You like grain." not in mine
    assert "You like grain." in theirs
    assert "You like bananas." not in theirs


def test_a_game_about_which_nothing_is_told_has_no_empty_section() -> None:
    assert section(read(rent()), "What it is about") == ()
    assert all(paragraphs for _, paragraphs in read(rent()).sections)


@pytest.mark.parametrize(
    ("acceptance", "sentence"),
    [
        (
            Acceptance.BOTH_CONFIRM,
            "You have a deal when everyone accepts the same offer – including the person who made it.",
        ),
        (
            Acceptance.MAKER_ACCEPTS,
            "A complete offer commits whoever makes it. You have a deal when everyone else",
        ),
    ],
)
def test_the_rules_say_when_a_deal_binds(game: GameSpec, acceptance: Acceptance, sentence: str) -> None:
    assert section(read(with_rules(game, acceptance=acceptance)), "How it ends")[0].startswith(sentence)


@pytest.mark.parametrize(
    ("rules", "sentences"),
    [
        (
            {"agreement": Agreement.MAJORITY},
            (
                "There’s a deal when 2 of the 3 of you accept the same offer – including the person who made "
                "it.",
                "The deal then counts for everyone, also for those who haven’t accepted it.",
            ),
        ),
        (
            {"agreement": Quota(2), "acceptance": Acceptance.MAKER_ACCEPTS, "outvoted": Outvoted.LEFT_OUT},
            (
                "A complete offer commits whoever makes it. There’s a deal when one of the others "
                "accepts it.",
                "Whoever hasn’t accepted the deal gets nothing of it, only the points for no deal.",
            ),
        ),
        (
            {"agreement": Quota(3), "turns": Turns.ALTERNATING},
            (
                "You have a deal when everyone accepts the same offer – including the person who made it.",
                "You take turns: Rowan, you, Rowan. You can make or accept an offer only when it’s your "
                "turn. You can send messages, or walk away, at any time.",
            ),
        ),
    ],
)
def test_the_rules_say_how_many_make_a_deal_and_what_it_means_for_the_others(
    rules: dict[str, Any], sentences: tuple[str, ...]
) -> None:
    assert section(read(three_seats(**rules), "green"), "How it ends")[:2] == sentences


def test_a_game_without_a_limit_says_so(game: GameSpec) -> None:
    assert "There’s no time limit." in section(read(with_rules(game, deadline_seconds=None)), "How it ends")


def test_what_time_costs_and_what_walking_away_pays_is_said_where_it_is_so(game: GameSpec) -> None:
    mine = game.preferences["human"]
    costly = Preferences(mine.utility, 12, 3, TimeCost(2, 60))

    ends = section(
        read(replace(game, preferences=game.preferences.with_value("human", costly))), "How it ends"
    )

    assert ends[2:] == (
        "If time runs out without a deal, you get -8 points.",
        "If anybody walks away, you get 3 points, minus what time has cost by then.",
        "You lose 2 points every minute, deal or no deal.",
    )
    assert len(section(read(game), "How it ends")) == 3


def test_a_discount_is_said_with_what_it_leaves_at_the_end(game: GameSpec) -> None:
    mine = game.preferences["human"]
    discounted = Preferences(mine.utility, 12, 3, discount_factor=0.5)

    ends = section(
        read(replace(game, preferences=game.preferences.with_value("human", discounted))), "How it ends"
    )

    assert ends[2:] == (
        "If time runs out without a deal, you get 6 points.",
        "If anybody walks away, you get 3 points, and less the later it is.",
        "All points lose value while time passes: at the end 50 % of them are left.",
    )


def test_who_sees_what_is_said_from_each_side(game: GameSpec) -> None:
    one_sided = replace(game, visibility=SeatMap([("human", Visibility.PUBLIC), ("agent", Visibility.OWNER)]))

    assert section(read(one_sided, "human"), "Who sees what") == (
        "The other side can see what matters to you.",
    )
    assert section(read(one_sided, "agent"), "Who sees what") == (
        "Only you can see what matters to you.",
        "You can see what matters to the other side.",
    )


def test_someone_in_a_role_reads_it_and_others_do_not() -> None:
    game = rent_with_profiles("quick").resolve_profiles(1)

    assert read(game, "tenant").subtitle == "You’re the tenant, negotiating with Rowan (landlord)"
    assert read(rent()).subtitle == "You’re negotiating with Rowan"


# Background and reasons


def briefed() -> RulesView:
    """Return the rules of the practice game, which has a briefing for every seat."""
    return read(load_game(bundled("games") / "practice.json"))


def test_the_background_is_read_below_the_story(practice: GameSpec) -> None:
    view = briefed()

    assert [heading for heading, _ in view.sections] == [
        *("What it is about", "About you, in your own words", "What matters to you, and why"),
        *("How you negotiate", "How it ends", "Who sees what"),
    ]
    assert section(view, "About you, in your own words") == (
        " ".join(practice.briefings["human"].background),
    )


def test_each_issue_has_its_worth_and_its_reasons(practice: GameSpec) -> None:
    view, mine = briefed(), practice.briefings["human"]

    assert view.sections[view.issues_section][0] == "What matters to you, and why"
    assert [(issue.title, issue.points, issue.picture) for issue in view.issues] == [
        ("Apples", "2 points each", "apple"),
        ("Day", "-2 to 5 points", "calendar"),
    ]
    assert [issue.reasons for issue in view.issues] == [
        " ".join(mine.reasons_of(name)) for name in ("apples", "day")
    ]


def test_in_two_columns_the_reasons_open_the_second_one() -> None:
    view = briefed()

    second = [view.sections[index][0] for index in view.second_column]

    assert second == ["What matters to you, and why", "How it ends"]


def test_nobody_reads_the_reasons_of_the_other_side(practice: GameSpec) -> None:
    theirs = list(practice.briefings["agent"].shown_texts())

    shown = repr(briefed())

    assert theirs
    assert [text for text in theirs if text in shown] == []


def test_a_background_without_reasons_has_no_section_about_issues(game: GameSpec) -> None:
    view = read(replace(game, briefings=SeatMap({"human": Briefing(("I trade bananas.",))})))

    assert section(view, "About you, in your own words") == ("I trade bananas.",)
    assert "What matters to you, and why" not in dict(view.sections)
    assert not view.issues
    assert not view.second_column
