"""Briefings: reasons by issue and level, and what a profile takes over from its seat."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.core.visibility import PUBLIC, Observer, visible_game
from negoplatform.domain.briefing import NO_BRIEFING, Briefing
from negoplatform.domain.game import GameSpec, Profile, Visibility
from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import SeatMap
from negoplatform.testing import TrialTable
from tests.games import coins_only

COLLECTOR = Briefing(
    ("I’ve collected coins since I was a child.",),
    (("coins", ("They’re the last ones that I’m missing.",)),),
    (("coins", ((4, ("Only the whole set can be framed.",)),)),),
)


def briefed(**seats: Briefing) -> GameSpec:
    """Return a game in which two seats divide coins, with briefings."""
    return replace(coins_only(), briefings=SeatMap(seats))


def test_the_reasons_for_a_level_come_before_those_for_its_issue() -> None:
    whole, half = Allocation({"human": 4}), Allocation({"human": 2, "agent": 2})

    assert COLLECTOR.reasons_for("coins", whole, "human") == (
        "Only the whole set can be framed.",
        "They’re the last ones that I’m missing.",
    )
    assert COLLECTOR.reasons_for("coins", half, "human") == ("They’re the last ones that I’m missing.",)


def test_own_units_count_and_not_those_of_another_seat() -> None:
    theirs = Allocation({"agent": 4})

    assert COLLECTOR.reasons_for("coins", theirs, "human") == ("They’re the last ones that I’m missing.",)
    assert len(COLLECTOR.reasons_for("coins", theirs, "agent")) == 2


def test_values_and_numbers_have_reasons_and_an_unknown_issue_has_none() -> None:
    about = Briefing(
        value_reasons=(("day", (("Sunday", ("I’m free then.",)),)), ("rent", ((400, ("I can pay that.",)),)))
    )

    assert about.reasons_for("day", "Sunday") == ("I’m free then.",)
    assert about.reasons_for("rent", 400) == ("I can pay that.",)
    assert about.reasons_for("day") == about.reasons_for("rent", 450) == about.reasons_for("car", "red") == ()


def test_an_empty_briefing_is_false_and_one_with_any_text_is_true() -> None:
    assert not NO_BRIEFING
    assert all([COLLECTOR, Briefing(("I’m Ada.",)), Briefing(value_reasons=COLLECTOR.value_reasons)])
    assert len(list(COLLECTOR.shown_texts())) == 2


def test_a_profile_overrides_the_reasons_of_its_seat_issue_by_issue() -> None:
    seat = Briefing(("I’m Ada.",), (("coins", ("They shine.",)), ("day", ("I work on Fridays.",))))
    profile = Briefing(reasons=(("coins", ("I owe them to my brother.",)),))

    merged = profile.over(seat)

    assert merged.background == ("I’m Ada.",)
    assert merged.reasons_of("coins") == ("I owe them to my brother.",)
    assert merged.reasons_of("day") == ("I work on Fridays.",)
    assert Briefing(("I’m Ben.",)).over(seat).background == ("I’m Ben.",)


def test_settling_profiles_merges_their_briefings_with_those_of_the_seats() -> None:
    game = briefed(human=COLLECTOR)
    poor = Profile("poor", game.preferences["human"], briefing=Briefing(("I’ve got nothing.",)))
    unsettled = replace(game, profiles=SeatMap({"human": (poor, replace(poor, name="same"))}))

    settled = unsettled.resolve_profiles(1)

    assert settled.briefings["human"].background == ("I’ve got nothing.",)
    assert settled.briefings["human"].reasons == COLLECTOR.reasons
    assert replace(unsettled, briefings=SeatMap()).resolve_profiles(1).briefings["human"] == poor.briefing
    assert "agent" not in settled.briefings


def test_a_briefing_is_seen_by_its_own_seat_alone_even_where_preferences_are_public() -> None:
    game = replace(
        briefed(human=COLLECTOR, agent=Briefing(("I’m Rowan.",))),
        visibility=SeatMap(dict.fromkeys(("human", "agent"), Visibility.PUBLIC)),
    )

    assert list(visible_game(game, Observer("human")).briefings) == ["human"]
    assert not visible_game(game, PUBLIC).briefings
    assert list(game.redacted_for(["agent"]).briefings) == ["agent"]


def test_an_agent_reads_its_own_briefing_in_its_context() -> None:
    table = TrialTable(briefed(human=COLLECTOR))

    assert table.human.context().briefing == COLLECTOR
    assert table.agent.context().briefing is NO_BRIEFING
