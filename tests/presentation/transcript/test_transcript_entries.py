"""The lines of a transcript, and the text that is copied from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.agent_api.actions import SendExpression, SendMessage
from negoplatform.core.events import Announced, Event, Expression
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, Preferences, TimeCost
from negoplatform.presentation.face_mood import ShownFace
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.transcript.transcript_entries import (
    TranscriptEntry,
    entry_paragraph,
    entry_text,
    transcript_entries,
)
from negoplatform.testing import Scripted, TrialTable
from tests.presentation.rent_game import rent

NAMES = {"agent": "Rowan"}


def written(table: TrialTable, after: int = 0) -> list[TranscriptEntry]:
    """Return the human's transcript, from some event on."""
    state = view_of(table.state, Observer("human")).state
    return transcript_entries(state, state.transcript_of("human", after=after), "human", NAMES, ENGLISH)


def of_kind(table: TrialTable, kind: str) -> list[TranscriptEntry]:
    return [line for line in written(table) if line.kind == kind]


def test_words_stand_on_the_side_of_who_said_them(table: TrialTable) -> None:
    table.agent.says("Hello!")
    table.human.says("Good day.")

    start, hello, answer = written(table)

    assert (start.kind, start.text) == ("note", "The negotiation starts")
    assert (hello.kind, hello.who, hello.text, hello.is_theirs) == ("theirs", "Rowan", "Hello!", True)
    assert (answer.kind, answer.who, answer.text, answer.is_mine) == ("mine", "You", "Good day.", True)


def test_an_offer_says_in_columns_who_gets_how_many(table: TrialTable) -> None:
    table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))

    (offer,) = of_kind(table, "offer_theirs")

    assert offer.text == "Rowan’s offer"
    assert offer.columns == ("You", "Rowan")
    assert offer.rows == (
        ("Bananas", "4", "0"),
        ("Grain", "3", "2"),
        ("Wood", "0", "3"),
        ("Spices", "0", "3"),
    )
    assert offer.footer == "25 points for you"


def test_what_is_undecided_has_a_column_only_where_there_is_any(table: TrialTable) -> None:
    table.human.offers(bananas=(2, 1), grain=(3, 2))

    (offer,) = of_kind(table, "offer_mine")

    assert offer.text == "Your offer"
    assert offer.columns == ("You", "Rowan", "Undecided")
    assert offer.rows == (("Bananas", "2", "1", "1"), ("Grain", "3", "2", "0"))
    assert offer.footer == "17 to 30 points for you  ·  depending on the rest"


def test_values_and_numbers_take_one_cell_and_no_columns_are_there_without_units() -> None:
    table = TrialTable(rent())
    table.human.offers(price=120, car="with")
    table.human.offers(price=120, keys=(2, 2))

    alone, beside = of_kind(table, "offer_mine")

    assert (alone.columns, alone.rows) == ((), (("Price", "€120"), ("Car", "with")))
    assert beside.columns == ("You", "Rowan")
    assert beside.rows == (("Price", "€120"), ("Keys", "2", "2"))


def test_points_are_said_before_time_costs_where_there_are_any(game: GameSpec) -> None:
    mine = game.preferences["human"]
    costly = Preferences(mine.utility, 12, None, TimeCost(2, 60))
    table = TrialTable(replace(game, preferences=game.preferences.with_value("human", costly)))
    table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))

    assert of_kind(table, "offer_theirs")[0].footer == "25 points for you before time costs"


def test_a_face_is_the_one_that_was_shown_at_that_time(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(
        Scripted(
            SendMessage("So."),
            SendExpression(Expression.ANGRY, duration_ms=2000, delay_ms=500),
            SendMessage("No!", delay_ms=500),
            SendMessage("Well.", delay_ms=3000),
        )
    )
    table.wait(6)

    assert [line.face for line in of_kind(table, "theirs")] == [
        ShownFace(Expression.NEUTRAL),
        ShownFace(Expression.ANGRY),
        ShownFace(Expression.ANGRY, 0.4),  # the mood that is left
    ]


def test_the_participants_own_entries_have_the_face_that_they_show(table: TrialTable) -> None:
    table.human.says("Hello.")
    table.human.shows(Expression.SAD)
    table.human.says("That’s a pity.")
    table.wait(3)
    table.human.says("Well.")

    assert [line.expression for line in of_kind(table, "mine")] == [None, Expression.SAD, None]


def test_a_face_that_was_shown_before_the_first_of_some_events_still_counts(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(
        Scripted(SendExpression(Expression.HAPPY, duration_ms=5000), SendMessage("Yes!", delay_ms=1000))
    )
    table.wait(3)
    before = next(i for i, line in enumerate(written(table)) if line.text == "Yes!")

    (line,) = written(table, after=before)

    assert line.expression is Expression.HAPPY


def emotions(lines: list[TranscriptEntry]) -> list[str]:
    return [line.text for line in lines if line.is_emotion]


def test_a_face_leaves_one_line_per_change_whether_told_at_once_or_one_by_one(table: TrialTable) -> None:
    shows = (
        (Expression.SAD, 0.0),
        (Expression.SAD, 1.0),  # still shown
        (Expression.SAD, 5.0),  # shown again, and nothing between
        (Expression.NEUTRAL, 5.0),  # the other one is long over
        (Expression.HAPPY, 0.5),
        (Expression.NEUTRAL, 0.5),
    )
    told: list[str] = []
    for expression, wait in shows:
        table.wait(wait)
        count = len(table.state.transcript_of("human"))
        table.session.send_expression("human", expression, 2000)
        told += emotions(written(table, after=count))

    assert told == ["You look sad", "You look happy", "You look neutral"]
    assert emotions(written(table)) == told


def test_a_face_that_is_shown_again_after_words_is_told_again(table: TrialTable) -> None:
    table.start()
    for _ in range(2):
        table.session.send_expression("human", Expression.SAD, 2000)
        table.wait(3)
        table.human.says("Please.")

    first, last = (line for line in written(table) if line.is_emotion)

    assert (first.kind, first.who, first.expression) == ("emotion_mine", "You", Expression.SAD)
    assert (first.is_mine, last.text) == (True, first.text)


def test_a_refusal_and_an_announcement_are_lines_of_their_own_kind(table: TrialTable) -> None:
    offer = table.agent.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.agent.offers(bananas=(0, 4), grain=(0, 5), wood=(0, 3), spices=(3, 0))
    with pytest.raises(Refused):
        table.human.accepts(offer)
    tax = Event(9, 3.0, "tax-announced", "platform", Announced("{}", "A tax of 10 %."))

    (refusal,) = of_kind(table, "refusal")
    announced = transcript_entries(table.state, [tax], "human", NAMES, ENGLISH)

    assert refusal.text == "That offer is no longer on the table."
    assert announced == [TranscriptEntry("announcement", "", "A tax of 10 %.", seq=9, t=3.0)]


def test_every_line_knows_its_event_and_its_time(table: TrialTable) -> None:
    event = table.human.says("Hello?")

    line = written(table)[-1]

    assert (line.seq, line.t) == (event.seq, event.t)
    assert replace(line, t=401.9).time_text == "06:41"
    assert replace(line, t=6000).time_text == "100:00"


OFFER = TranscriptEntry(
    "offer_theirs",
    "Rowan",
    "Rowan’s offer",
    ("You", "Rowan"),
    (("Bananas", "4", "0"), ("Day", "Sunday")),
    "27 points for you",
    t=61,
)


def test_an_offer_is_copied_with_its_terms() -> None:
    assert entry_text(OFFER) == "Rowan’s offer\nBananas: You 4, Rowan 0\nDay: Sunday\n27 points for you"
    assert (
        entry_text(replace(OFFER, columns=(), rows=(("Day", "Sunday"),), footer=""))
        == "Rowan’s offer\nDay: Sunday"
    )


def test_a_transcript_is_told_as_text_with_times_and_names() -> None:
    lines = [
        TranscriptEntry("note", "", "The negotiation starts"),
        TranscriptEntry("mine", "You", "Two lines:\nthis one", t=59.9),
        OFFER,
        TranscriptEntry("refusal", "", "That is no longer on the table.", t=62),
    ]

    assert "\n".join(entry_paragraph(line, ENGLISH) for line in lines) == (
        "00:00  The negotiation starts\n"
        "00:59  You: Two lines:\n       this one\n"
        "01:01  Rowan’s offer\n       Bananas: You 4, Rowan 0\n       Day: Sunday\n       27 points for you\n"
        "01:02  Not possible: That is no longer on the table."
    )


def test_an_acceptance_says_whose_offer_it_is_of(table: TrialTable) -> None:
    whole = {"bananas": (4, 0), "grain": (3, 2), "wood": (0, 3), "spices": (0, 3)}
    theirs = table.agent.offers(whole)
    table.agent.accepts(theirs)
    table.human.offers(whole)
    table.human.accepts()
    mine = table.human.offers(whole)
    table.agent.accepts(mine)
    first = written(table)

    theirs = table.agent.offers(whole)
    table.human.accepts(theirs)

    said = [line.text for line in first if line.kind == "note"]
    assert said[1:] == [
        "Rowan confirmed their own offer",
        "You confirmed your offer",
        "Rowan accepted your offer",
    ]
    assert written(table)[-1].text == "You accepted Rowan’s offer"
