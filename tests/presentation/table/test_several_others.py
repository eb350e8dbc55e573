"""The window of a participant who meets several others, computed without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.core.events import Event, Expression, Message, MessageSubtype
from negoplatform.core.session import ActionOrigin
from negoplatform.core.visibility import Observer, view_of, visible_game
from negoplatform.domain.agreement_rules import Agreement, Turns
from negoplatform.domain.game import Acceptance
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingView
from negoplatform.presentation.bargaining.confirmation_texts import walk_away_question
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.plots.seat_styles import OTHERS_MARKS, OWN_MARK, seat_marks
from negoplatform.presentation.table.table_view import TableView
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry, entry_paragraph
from negoplatform.testing import TrialTable
from tests.presentation.bargaining_desk import BargainingDesk, help_page, rules_page
from tests.several_seats import others_of, shares, village

MILL, FARM, INN, SMITHY = "mill", "farm", "inn", "smithy"


def seen(
    table: TrialTable, now: float | None = None, seat: str = MILL, draft: Draft | None = None
) -> TableView[BargainingView]:
    """Return what a seat sees, now or at another time."""
    game, view = table.state.game, view_of(table.state, Observer(seat))
    presenter = BargainingDesk(seat, others_of(game, seat), ENGLISH)
    return presenter.table(view, table.state.t if now is None else now, draft or Draft(game))


def written(table: TrialTable, seat: str) -> list[TranscriptEntry]:
    """Return the transcript of a seat, without the start."""
    view = view_of(table.state, Observer(seat))
    presenter = BargainingDesk(seat, others_of(table.state.game, seat), ENGLISH)
    return presenter.transcript_entries(view.state, view.state.transcript_of(seat))[1:]


def doing(table: TrialTable, now: float) -> list[str]:
    """Return what the others are doing."""
    return [other.activity for other in seen(table, now).others]


def whispers(table: TrialTable, sender: str, text: str, *to: str) -> Event:
    """Let a seat send a message to some seats alone."""
    table.start()
    return table.session.send_message(sender, Message(text), ActionOrigin(to=to))


def even(table: TrialTable, sender: str, **terms: str) -> Event:
    """Let a seat offer two units of water and an hour to everyone."""
    seats = table.state.game.seats
    water, hours = dict.fromkeys(seats, 2), dict.fromkeys(seats, 1)
    return table.participant(sender).offers(water=water, hours=hours, **{"place": "Market"} | terms)


def test_each_other_has_a_name_a_role_looks_and_a_mark_of_its_own() -> None:
    table = TrialTable(village(4))
    table.participant(INN).shows(Expression.HAPPY)

    others = seen(table, 0.5).others

    assert [(other.seat, other.name, other.role) for other in others] == [
        (FARM, "Robin", "farm"),
        (INN, "Noa", "inn"),
        (SMITHY, "Jules", "smithy"),
    ]
    assert [other.expression for other in others] == [
        Expression.NEUTRAL,
        Expression.HAPPY,
        Expression.NEUTRAL,
    ]
    assert [other.mark for other in others] == [*OTHERS_MARKS[:3]]


def test_eight_seats_differ_in_shape_as_well_as_in_colour() -> None:
    marks = seat_marks(village(8).seats, MILL)

    assert marks[MILL] == OWN_MARK
    assert len({mark.shape for mark in marks.values()}) == 8
    assert len({mark.colour for mark in marks.values()}) == 8


def test_with_one_other_no_seat_is_marked(table: TrialTable) -> None:
    presenter = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)

    view = presenter.table(view_of(table.state, Observer("human")), 0.0, Draft(table.state.game))

    assert presenter.marks == {}
    assert view.others[0].mark is None


def test_those_who_have_not_answered_an_offer_yet_are_thinking_about_it() -> None:
    table = TrialTable(village(4))
    offer = even(table, MILL)
    table.wait(1)
    table.participant(FARM).says("Let me see.")

    thinking = "is thinking about your offer…"
    assert doing(table, offer.t + 2) == ["", thinking, thinking]
    assert doing(table, offer.t + 7) == ["", "", ""]


def test_nobody_is_thinking_about_an_offer_that_another_has_replaced() -> None:
    table = TrialTable(village(4))
    even(table, MILL)
    table.wait(1)

    even(table, FARM, place="Bridge")

    assert doing(table, table.state.t + 1) == ["", "", ""]


def test_only_those_who_got_a_message_are_thinking_about_it() -> None:
    table = TrialTable(village(4))

    whispers(table, MILL, "What do you want?", INN)

    assert doing(table, table.state.t + 1) == ["", "is thinking…", ""]


def test_several_may_do_something_at_a_time() -> None:
    table = TrialTable(village(4))
    table.participant(FARM).types()
    table.participant(SMITHY).drafts()

    assert doing(table, 0.5) == ["is typing…", "", "is building an offer…"]


def test_the_one_who_spoke_last_is_known_and_the_first_before_anyone_spoke() -> None:
    table = TrialTable(village(5))
    table.start()
    assert seen(table).last_speaker == FARM

    table.participant(SMITHY).says("Hello.")
    whispers(table, INN, "Psst.", FARM)
    table.participant(MILL).says("Hello!")

    assert seen(table).last_speaker == SMITHY
    assert seen(table, seat=FARM).last_speaker == MILL


def test_preferences_are_shown_of_those_whose_preferences_are_public() -> None:
    table = TrialTable(village(4, visible=(INN,)))
    table.start()

    assert [other.priorities is not None for other in seen(table).others] == [False, True, False]


# Acceptance


def test_below_the_button_it_says_who_has_accepted() -> None:
    table = TrialTable(village(4))
    even(table, FARM)
    nobody = seen(table)
    table.participant(INN).accepts()
    one = seen(table)
    table.participant(SMITHY).accepts()

    assert nobody.work.accept.text == "Accept Robin’s offer (5 points)"
    rest = "It’s a deal once {} it too."
    assert (
        nobody.work.accept.hint
        == f"Nobody has accepted it yet. {rest.format('Robin, Noa and Jules confirm')}"
    )
    assert one.work.accept.hint == f"1 of 4 has accepted: Noa. {rest.format('Robin and Jules confirm')}"
    hint = seen(table).work.accept.hint
    assert hint == f"2 of 4 have accepted: Noa and Jules. {rest.format('Robin confirms')}"
    assert [other.accepted for other in seen(table).others] == [False, True, True]


def test_the_last_acceptance_is_known_to_make_the_deal() -> None:
    table = TrialTable(village(3, acceptance=Acceptance.MAKER_ACCEPTS))
    even(table, FARM)
    assert not seen(table).work.accept.completes_deal

    table.participant(INN).accepts()

    accept = seen(table).work.accept
    assert accept.completes_deal
    assert accept.hint == "2 of 3 have accepted: Robin and Noa. Once you accept it, it’s a deal."


def test_having_accepted_one_sees_oneself_among_those_who_have() -> None:
    table = TrialTable(village(4))
    even(table, FARM)
    table.participant(MILL).accepts()
    table.participant(INN).accepts()

    view = seen(table)

    assert (view.work.accept.offer_id, view.work.accept.text) == (None, "You accepted this offer")
    counted = "2 of 4 have accepted: you and Noa."
    assert view.work.accept.hint == f"{counted} It’s a deal once Robin and Jules confirm it too."


def test_an_own_offer_waits_for_some_by_name_and_for_many_by_their_number() -> None:
    few, many = TrialTable(village(4)), TrialTable(village(8))
    even(few, MILL)
    few.participant(INN).accepts()
    even(many, MILL)

    assert seen(few).work.accept.text == "Waiting for Robin and Jules"
    assert seen(few).work.accept.hint == "1 of 4 has accepted: Noa."
    assert seen(many).work.accept.text == "Waiting for 7 others"


def test_the_card_counts_acceptances_and_names_those_who_declined() -> None:
    table = TrialTable(village(4))
    even(table, MILL)
    table.participant(FARM).says("No.", MessageSubtype.OFFER_REJECT)
    table.participant(INN).accepts()

    own = seen(table).work.card
    theirs = seen(table, seat=SMITHY).work.card

    assert own is not None
    assert (own.status, own.hint) == ("1 of 4 accepted", "Declined by Robin.")
    assert theirs is not None
    assert theirs.status == "1 of 4 accepted"
    assert theirs.hint == (
        "1 of 4 has accepted: Noa. It’s a deal once Kim and Robin confirm it too. Declined by Robin."
    )


def test_of_many_who_have_not_accepted_none_is_named() -> None:
    table = TrialTable(village(8))
    even(table, FARM)
    table.participant(INN).accepts()

    assert seen(table).work.accept.hint == "1 of 8 has accepted: Noa."


def test_where_a_majority_is_enough_it_says_how_many_are_needed() -> None:
    table = TrialTable(village(5, agreement=Agreement.MAJORITY))
    even(table, FARM)
    table.participant(INN).accepts()
    table.participant(SMITHY).accepts()

    view = seen(table)

    counted = "2 of 3 needed have accepted: Noa and Jules."
    assert view.work.accept.hint == f"{counted} It’s a deal once Robin confirms it too."
    assert not view.work.accept.completes_deal
    assert view.work.card is not None
    assert view.work.card.status == "2 of 3 needed accepted"


def test_the_button_that_copies_an_offer_names_its_maker() -> None:
    table = TrialTable(village(3))
    even(table, INN)

    assert seen(table).work.builder.copy_label == "Start from Noa’s offer"
    assert seen(table, seat=INN).work.builder.copy_label == "Start from another’s offer"


def test_in_turns_the_window_says_whose_turn_it_is_and_offers_wait_for_ones_own() -> None:
    table = TrialTable(village(3, turns=Turns.ALTERNATING))
    table.start()
    place = table.state.game.issue("place")
    assert isinstance(place, CategoricalIssue)
    draft = Draft(table.state.game).choose(place, "Market")
    first = seen(table, draft=draft)

    even(table, MILL)

    second = seen(table, draft=draft)
    assert first.work.builder.can_send
    assert first.work.builder.note.startswith("It’s your turn")
    assert second.work.builder.note.startswith("It’s Robin’s turn")
    assert not second.work.builder.can_send
    assert doing(table, table.state.t + 10)[:2] == ["has the turn", ""]


# The transcript


def test_lines_know_who_said_them() -> None:
    table = TrialTable(village(3))
    table.participant(FARM).says("Hello.")
    even(table, INN)
    table.participant(MILL).says("Hello!")

    lines = written(table, MILL)

    assert [(line.sender, line.who, line.mark) for line in lines] == [
        (FARM, "Robin", OTHERS_MARKS[0]),
        (INN, "Noa", OTHERS_MARKS[1]),
        (MILL, "You", None),
    ]


def test_a_message_to_one_is_marked_for_both_and_unknown_to_the_rest() -> None:
    table = TrialTable(village(4))

    whispers(table, MILL, "Between us.", FARM)

    assert [(line.text, line.address) for line in written(table, MILL)] == [("Between us.", "only to Robin")]
    assert [(line.text, line.address) for line in written(table, FARM)] == [("Between us.", "only to you")]
    assert written(table, INN) == []


def test_a_message_to_some_names_the_others_who_got_it() -> None:
    table = TrialTable(village(4))

    whispers(table, MILL, "Between us three.", FARM, SMITHY)

    (got,) = written(table, FARM)
    assert got.address == "only to you and Jules"
    assert entry_paragraph(got, ENGLISH) == "00:00  Kim (only to you and Jules): Between us three."


def test_with_one_other_an_addressed_message_looks_like_every_other(table: TrialTable) -> None:
    whispers(table, "agent", "Hello.", "human")

    view = view_of(table.state, Observer("human"))
    presenter = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)
    lines = presenter.transcript_entries(view.state, view.state.transcript_of("human"))

    assert [line.address for line in lines] == ["", ""]


def test_an_offer_marks_its_columns_by_seat() -> None:
    table = TrialTable(village(5))
    table.participant(FARM).offers(water=shares(table.state.game, 4, 6), place="Market")

    (line,) = written(table, MILL)

    assert line.columns == ("You", "Robin", "Noa", "Jules", "Sasha")
    assert line.column_marks == (OWN_MARK, *OTHERS_MARKS[:4])
    assert line.rows == (("Water", "4", "6", "0", "0", "0"), ("Place", "Market"))


# Sentences


def test_walking_away_ends_it_for_everyone_and_the_result_says_who_did() -> None:
    table = TrialTable(village(3))
    table.participant(INN).quits()

    end = seen(table).end
    assert end is not None
    assert end.heading == "Noa walked away: no deal"
    question = walk_away_question(5, ENGLISH, several=True)
    assert question.text == "This ends the negotiation for everyone. You’d get 5 points."


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        (3, "You’re the mill, negotiating with Robin (farm) and Noa (inn)"),
        (5, "You’re the mill, negotiating with 4 others"),
    ],
)
def test_the_rules_name_a_few_above_and_many_in_a_section(seats: int, told: str) -> None:
    game = village(seats, visible=(FARM,))

    page = rules_page(visible_game(game, Observer(MILL)), MILL, others_of(game), ENGLISH)

    sections = dict(page.sections)
    assert page.subtitle == told
    assert ("Who is negotiating" in sections) is (seats == 5)
    assert sections["Who sees what"][:2] == (
        "Only you can see what matters to you.",
        "You can see what matters to Robin.",
    )


def test_no_page_speaks_of_the_other_side_where_there_are_several() -> None:
    game = village(4)
    table = TrialTable(replace(game, rules=replace(game.rules, share_drafts=True)))
    even(table, MILL)

    told = [
        repr(help_page(ENGLISH, several=True)),
        repr(rules_page(table.state.game, MILL, others_of(game), ENGLISH)),
        repr(seen(table)),
    ]

    phrases = ("other side", "both of you", "both offers", "their offer")
    assert [(phrase, page[:40]) for page in told for phrase in phrases if phrase in page] == []


def test_the_newest_offer_of_a_third_seat_names_it_in_the_progress() -> None:
    table = TrialTable(village(5))
    even(table, MILL)
    table.participant(FARM).accepts()

    words = [row.words for row in seen(table).work.progress.rows]

    assert words == ["waiting for Noa, Jules and Sasha"] * 3
