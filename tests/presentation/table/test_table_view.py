"""Contents of the window, computed without a window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace

import pytest

from negoplatform.agent_api.actions import SendExpression, SendMessage, ShowTyping
from negoplatform.core.events import NOTHING, Announced, Event, EventType, Expression
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, TimeCost, Visibility
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingView
from negoplatform.presentation.bargaining.confirmation_texts import binding_question
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_builder_rows import ChoiceRow, NumberRow, QuantityRow
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.offers.issue_valuation_texts import IssueValuation
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.table.table_view import TableView
from negoplatform.presentation.time_and_points_text import clock_text, points_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from negoplatform.testing import Scripted, TrialTable
from tests.games import with_rules
from tests.presentation.bargaining_desk import BargainingDesk
from tests.presentation.rent_game import CAR, NOTICE, PRICE, rent, rent_with_profiles

DESK = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)


def seen(
    table: TrialTable, now: float = 0.0, draft: Draft | None = None, *, finished: bool = False
) -> TableView[BargainingView]:
    """Return the participant's view of a table."""
    view = view_of(table.state, Observer("human"))
    return DESK.table(view, now, draft or Draft(table.state.game), finished=finished)


def written(table: TrialTable) -> list[TranscriptEntry]:
    """Return the participant's transcript."""
    view = view_of(table.state, Observer("human"))
    return DESK.transcript_entries(view.state, view.state.transcript_of("human"))


def test_points_of_the_draft_and_of_the_offer_on_the_table_stand_apart(table: TrialTable) -> None:
    table.agent.offers(bananas=(1, 3), grain=(0, 5), wood=(0, 3), spices=(0, 3))
    bananas = table.state.game.issue("bananas")
    assert isinstance(bananas, QuantityIssue)
    draft = Draft(table.state.game).give(bananas, "human").give(bananas, "human")

    view = seen(table, draft=draft)

    assert (view.header.points, view.header.points_words) == ("4", "points if accepted")
    assert view.work.builder.worth == "8 to 40 points"
    assert view.header.compared == "8 points worse than no deal (12)"
    assert view.header.versus is NoDealComparison.WORSE


def test_nothing_that_the_participant_sees_names_the_agents_points_or_type(table: TrialTable) -> None:
    table.agent.offers(bananas=(0, 4), grain=(0, 5), wood=(0, 3), spices=(0, 3))

    shown = [*leaves(seen(table)), *leaves(written(table))]

    assert "Rowan" in shown
    assert not [leaf for leaf in shown if leaf == 35 or (isinstance(leaf, str) and "35" in leaf)]
    assert not [leaf for leaf in shown if isinstance(leaf, str) and "fair" in leaf.split()]


def leaves(value: object) -> Iterator[object]:
    """Yield every word and number in a view, at any depth."""
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from leaves(getattr(value, each.name))
    elif isinstance(value, Mapping):
        yield from leaves([*value.items()])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from leaves(each)
    else:
        yield value


@pytest.mark.parametrize("public", [True, False])
def test_the_other_sides_points_are_told_at_the_end_only_where_the_game_shows_what_matters_to_them(
    game: GameSpec, public: bool
) -> None:
    shown = Visibility.PUBLIC if public else Visibility.OWNER
    table = TrialTable(replace(game, visibility=game.visibility.with_value("agent", shown)))
    offer = table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.accepts(offer)
    table.human.accepts(offer)

    end = seen(table, table.state.t).end

    assert end is not None
    facts = dict(end.facts)
    assert facts["Without a deal"] == "12 points"
    assert facts["The most you could get"] == "40 points"
    assert facts.get("Rowan gets") == ("25 points" if public else None)
    assert (end.share, end.no_deal_share) == (25 / 40, 12 / 40)


def test_the_debrief_of_a_deal_tells_what_time_cost_and_one_figure_for_no_deal(game: GameSpec) -> None:
    mine = replace(game.preferences["human"], opt_out=13, time_cost=TimeCost(2, 10))
    table = TrialTable(replace(game, preferences=game.preferences.with_value("human", mine)))
    table.wait(25)
    offer = table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.accepts(offer)
    table.human.accepts(offer)

    shown = seen(table, table.state.t)

    assert shown.end is not None
    facts = dict(shown.end.facts)
    assert facts["Time costs"] == "-4 points"
    assert facts["Without a deal"] == "9 points"
    assert shown.header.compared == "12 points better than no deal (9 now, -108 at the end)"


def test_what_matters_to_the_other_side_is_shown_only_where_the_game_shows_it(game: GameSpec) -> None:
    hidden = TrialTable(game)
    shown = TrialTable(replace(game, visibility=game.visibility.with_value("agent", Visibility.PUBLIC)))

    assert seen(hidden).others[0].priorities is None
    theirs = seen(shown).others[0].priorities
    assert theirs is not None
    assert theirs != seen(shown).work.priorities
    assert len(theirs.issues) == 4


def test_accepting_is_possible_only_for_an_offer_that_binds(table: TrialTable) -> None:
    assert seen(table).work.accept.offer_id is None

    table.agent.offers(bananas=(2, 2))
    assert seen(table).work.accept.offer_id is None
    assert seen(table).work.accept.hint == "This offer isn’t complete, so you can’t accept it yet."

    offer = table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    assert seen(table).work.accept.offer_id == offer.seq
    assert seen(table).work.accept.text == "Accept Rowan’s offer (25 points)"


def test_once_the_other_side_has_accepted_the_button_confirms_the_deal(table: TrialTable) -> None:
    offer = table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.accepts(offer)

    accept = seen(table).work.accept

    assert accept.text == "Finalise the deal (25 points)"
    assert accept.hint == "Rowan accepted it. Once you finalise it, it’s a deal."


def test_an_offer_below_the_value_of_no_deal_is_marked_as_worse(table: TrialTable) -> None:
    table.agent.offers(bananas=(0, 4), grain=(3, 2), wood=(1, 2), spices=(0, 3))
    assert seen(table).work.accept.worse_than_no_deal

    table.agent.offers(bananas=(0, 4), grain=(4, 1), wood=(0, 3), spices=(0, 3))
    assert not seen(table).work.accept.worse_than_no_deal


def test_time_costs_lower_every_figure_and_no_deal_is_what_can_still_be_had(game: GameSpec) -> None:
    mine = game.preferences["human"]
    costly = Preferences(mine.utility, 12, None, TimeCost(2, 60))
    table = TrialTable(replace(game, preferences=game.preferences.with_value("human", costly)))
    table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))

    view = seen(table, now=130.0)

    assert view.header.points == "21"
    assert view.header.compared == "13 points better than no deal (8 now, -8 at the end)"
    assert view.work.accept.points == 21
    assert not view.work.accept.worse_than_no_deal


def test_what_the_other_side_shows_passes_with_its_time(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(Scripted(SendExpression(Expression.HAPPY, duration_ms=2000), ShowTyping(1500)))
    table.wait(1)

    assert (seen(table, 1.1).others[0].expression_text, seen(table, 1.1).others[0].activity) == (
        "Looks pleased",
        "is typing…",
    )
    assert (seen(table, 2.6).others[0].expression_text, seen(table, 2.6).others[0].activity) == (
        "Looks pleased",
        "",
    )
    assert [seen(table, now).others[0].typing for now in (0.9, 1.1, 2.6)] == [True, True, False]
    left = [seen(table, now).others[0] for now in (3.1, 200.0)]
    assert [(face.expression_text, face.intensity) for face in left] == [
        ("Looks a little pleased", 0.4),
        ("Looks calm", 1.0),
    ]


def test_the_other_sides_eyes_are_on_the_line_while_the_participant_types(game: GameSpec) -> None:
    table = TrialTable(game)
    table.wait(1)
    table.human.types()

    gazes = [seen(table, now).others[0].gaze for now in (1.2, 2.5, 2.7)]

    assert gazes == ["line", "line", "ahead"]
    table.human.says("Hello?")
    assert seen(table, 1.3).others[0].gaze == "ahead"


def test_the_other_sides_eyes_are_on_a_new_offer_of_the_participant_for_a_moment(game: GameSpec) -> None:
    table = TrialTable(game)
    table.wait(1)
    table.agent.offers(grain=(2, 3))
    assert seen(table, 1.1).others[0].gaze == "ahead"

    table.human.offers(grain=(3, 2))

    assert [seen(table, now).others[0].gaze for now in (1.1, 3.4, 3.6)] == ["card", "card", "ahead"]


def test_the_view_is_computed_again_when_the_mood_fades_and_not_at_every_moment(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, deadline_seconds=None))  # no clock, which changes every second
    table.seat(Scripted(SendExpression(Expression.ANGRY, duration_ms=1000)))
    table.wait(1)
    view = view_of(table.state, Observer("human"))

    keys = [DESK.time_key(view, now) for now in (3.0, 3.2, 30.0, 30.2, 200.0)]

    assert keys[0] == keys[1]
    assert keys[2] == keys[3]
    assert len(set(keys)) == 3


def test_the_view_is_computed_again_when_the_eyes_turn_back_from_an_offer(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, deadline_seconds=None))
    table.human.offers(grain=(3, 2))
    view = view_of(table.state, Observer("human"))

    keys = [DESK.time_key(view, now) for now in (1.0, 2.4, 2.6)]

    assert keys[0] == keys[1] != keys[2]


def test_the_typing_sign_goes_when_the_message_comes(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(Scripted(ShowTyping(5000), SendMessage("Hello!", delay_ms=500)))

    table.wait(1.5)

    assert seen(table, 1.6).others[0].activity == ""


def test_the_builder_shows_both_kinds_of_issue_and_what_is_undecided(practice: GameSpec) -> None:
    table = TrialTable(practice)
    table.start()

    apples, day = seen(table).work.builder.rows

    assert isinstance(apples, QuantityRow)
    assert apples.units == (("human", "You", 0), ("agent", "Rowan", 0))
    assert apples.undecided == 6
    assert isinstance(day, ChoiceRow)
    assert day.choices == ("Friday (-2 points)", "Saturday (5 points)", "Sunday (3 points)")
    assert (day.values, day.worths) == (
        ("Friday", "Saturday", "Sunday"),
        ("-2", "+5", "+3"),
    )
    assert day.chosen is None


def test_a_refusal_is_read_by_the_one_who_asked_alone(table: TrialTable) -> None:
    offer = table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.offers(bananas=(0, 4), grain=(0, 5), wood=(0, 3), spices=(3, 0))

    with pytest.raises(Refused):
        table.human.accepts(offer)
    with pytest.raises(Refused):
        table.agent.accepts(offer)

    assert [line.text for line in written(table) if line.kind == "refusal"] == [
        "That offer is no longer on the table."
    ]


def test_the_end_shows_the_deal_and_own_points_and_one_last_word(table: TrialTable) -> None:
    offer = table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.accepts(offer)
    table.human.accepts(offer)

    end = seen(table).end
    assert end is not None
    assert end.heading == "You have a deal"
    assert end.points == "You get 25 points."
    assert end.rows[0] == ("Bananas", "you 4, Rowan 0", "16 points")
    assert seen(table).can_talk

    table.human.says("Thank you!")
    assert not seen(table).can_talk
    assert not seen(table, finished=True).can_express


@pytest.mark.parametrize(
    ("by", "heading", "points"),
    [
        ("human", "You walked away: no deal", "You get 12 points."),
        ("agent", "The other side walked away: no deal", "You get 12 points."),
    ],
)
def test_the_end_says_who_walked_away(table: TrialTable, by: str, heading: str, points: str) -> None:
    table.participant(by).quits()

    end = seen(table).end

    assert end is not None
    assert (end.heading, end.points) == (heading, points)


def test_a_clock_shows_a_begun_second_whole_and_zero_means_over() -> None:
    assert clock_text(600.0, ENGLISH) == "10:00"
    assert clock_text(59.2, ENGLISH) == "01:00"
    assert clock_text(0.1, ENGLISH) == "00:01"
    assert clock_text(0.0, ENGLISH) == "00:00"
    assert clock_text(None, ENGLISH) == "no limit"


def test_points_read_as_people_say_them() -> None:
    assert [points_text(p, ENGLISH) for p in (0, 1, 1.0, 2.5, -3, 12.25)] == [
        "0 points",
        "1 point",
        "1 point",
        "2.5 points",
        "-3 points",
        "12.25 points",
    ]


def test_a_picture_sign_is_shown_by_its_name_and_letters_stay() -> None:
    assert displayable("café שלום \N{GRINNING FACE}") == "café שלום [grinning face]"


@pytest.fixture
def flat() -> TrialTable:
    """Started table at a game with numbers and joint points."""
    table = TrialTable(rent())
    table.start()
    return table


def number_row(view: TableView[BargainingView]) -> NumberRow:
    row = view.work.builder.rows[0]
    assert isinstance(row, NumberRow)
    return row


def test_a_number_is_shown_with_its_unit_and_its_points(flat: TrialTable) -> None:
    row = number_row(seen(flat, draft=Draft(rent()).write(PRICE, "120")))

    assert (row.number, row.text, row.unit, row.worth) == (120, "120", "€", "16 points")
    assert row.head.detail == "€100 to €200 in steps of €5 · also counts together with car"
    assert row.head.problem == ""


def test_an_undecided_number_shows_nothing_and_counts_nothing(flat: TrialTable) -> None:
    view = seen(flat)

    row = number_row(view)
    assert (row.number, row.text, row.worth, row.head.problem) == (None, "", "", "")
    assert view.work.builder.note == "Nothing chosen yet."


def test_what_does_not_fit_is_said_in_a_sentence_and_cannot_be_sent(flat: TrialTable) -> None:
    draft = Draft(rent()).write(NOTICE, "1").write(PRICE, "123")

    view = seen(flat, draft=draft)

    row = number_row(view)
    assert row.text == "123"
    assert row.head.problem == "Must be €100 to €200 in steps of €5."
    assert view.work.builder.note == "Please check price before you send your offer."
    assert not view.work.builder.can_send
    assert view.work.builder.can_clear


def test_the_worth_of_a_draft_counts_what_goes_together(flat: TrialTable) -> None:
    by_itself = Draft(rent()).choose(CAR, "with")
    together = by_itself.write(PRICE, "120")

    assert seen(flat, draft=by_itself).work.builder.worth == "6 to 42 points"
    assert seen(flat, draft=together).work.builder.worth == "27 to 38 points"
    assert seen(flat, draft=together).work.builder.note.endswith("including +5 for combinations")
    assert "combinations" not in seen(flat, draft=together.write(PRICE, "125")).work.builder.note


def test_what_matters_says_what_goes_together(flat: TrialTable) -> None:
    priorities = seen(flat).work.priorities

    assert priorities.issues[2] == IssueValuation("Car", "", (("with", "6"), ("without", "0")), weight=0.3)
    assert priorities.interactions[0] == "Bonus for car with and price at most €120: +5"


def test_an_offer_and_a_deal_say_numbers_with_their_units(flat: TrialTable) -> None:
    offer = flat.human.offers(price=120, notice=1.5, car="with", keys=(2, 2))
    flat.agent.accepts(offer)
    flat.human.accepts(offer)

    card = next(line for line in written(flat) if line.kind == "offer_mine")
    end = seen(flat).end
    values = (("Price", "€120"), ("Notice", "1.5 months"), ("Car", "with"))
    assert card.rows == (*values, ("Keys", "2", "2"))
    assert card.columns == ("You", "Rowan")
    assert end is not None
    assert [row[:2] for row in end.rows] == [*values, ("Keys", "you 2, Rowan 2")]
    assert [row[2] for row in end.rows] == ["16 points", "5 points", "6 points", "4 points"]
    assert end.points == "You get 36 points."


def test_an_announcement_is_read_where_it_has_words(flat: TrialTable) -> None:
    spoken = Event(9, 3.0, "tax-announced", "platform", Announced("{}", "A tax of 10 %."))
    silent = Event(10, 3.0, "tax-announced", "platform", Announced('{"rate": 0.1}', ""))

    lines = DESK.transcript_entries(flat.state, [spoken, silent])

    assert lines == [TranscriptEntry("announcement", "", "A tax of 10 %.", seq=9, t=3.0)]


def test_someone_in_a_role_reads_which_one() -> None:
    table = TrialTable(rent_with_profiles("quick").resolve_profiles(1))
    table.start()
    desk = BargainingDesk("tenant", {"landlord": "Rowan"}, ENGLISH)

    view = desk.table(view_of(table.state, Observer("tenant")), 0.0, Draft(table.state.game))

    assert view.header.subtitle == "You’re the tenant, negotiating with Rowan (landlord)"
    assert seen(TrialTable(rent())).header.subtitle == "You’re negotiating with Rowan"


def test_a_complete_draft_is_compared_with_no_deal(flat: TrialTable) -> None:
    offer = flat.agent.offers(price=125, notice=1.5, car="without", keys=(0, 4)).get_offer()

    note = seen(flat, draft=Draft(rent(), offer)).work.builder.note

    assert note == "10 points better than no deal"


def test_nobody_is_warned_of_a_no_deal_that_cannot_be_had_any_more(game: GameSpec) -> None:
    """Set 5 points for walking away, and a timeout value that time will use up: an offer of 7 is the best."""
    mine = game.preferences["human"]
    table = TrialTable(
        replace(
            game,
            preferences=game.preferences.with_value(
                "human", Preferences(mine.utility, 12, 5, TimeCost(2, 60))
            ),
        )
    )
    table.agent.offers(bananas=(0, 4), grain=(2, 3), wood=(0, 3), spices=(1, 2))

    view = seen(table, now=1.0)

    assert view.work.accept.points == 7
    assert view.work.accept.no_deal == 5
    assert not view.work.accept.worse_than_no_deal


def test_an_offer_that_binds_its_maker_is_asked_about_and_no_other(game: GameSpec) -> None:
    strict = replace(game, rules=replace(game.rules, acceptance=Acceptance.MAKER_ACCEPTS))
    offer = Offer(
        {
            issue.name: Allocation({"human": 0, "agent": issue.quantity})
            for issue in game.issues
            if isinstance(issue, QuantityIssue)
        }
    )

    free = DESK.bargaining.binding(view_of(TrialTable(game).state, Observer("human")).state, 0.0, offer)
    binds = DESK.bargaining.binding(view_of(TrialTable(strict).state, Observer("human")).state, 0.0, offer)
    partial = DESK.bargaining.binding(
        view_of(TrialTable(strict).state, Observer("human")).state, 0.0, Offer(offer.terms[:1])
    )

    assert free is None
    assert partial is None
    assert binds is not None
    question = binding_question(binds, ENGLISH)
    assert "it’s a deal as soon as Rowan accepts it" in question.text
    assert "worse for you than no deal" in question.warning
    assert question.yes_label == "Send offer"


def test_a_session_that_went_on_says_so_where_it_did(table: TrialTable) -> None:
    table.human.says("Before")
    # Its number stands between those of the words around it.
    table.wait(6)
    went_on = Event(table.state.version, table.state.t, EventType.RESUMED, "platform", NOTHING)
    table.human.says("After")

    lines = DESK.transcript_entries(table.state, table.state.transcript_of("human"), [went_on])

    said = [line.text for line in lines]
    resumed = game_words("bargaining").resumed
    assert said.index("Before") < said.index(resumed) < said.index("After")
