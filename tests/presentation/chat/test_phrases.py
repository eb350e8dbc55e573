"""Phrases that a participant can choose."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from negoplatform.core.action_rules import MAX_STATED_POINTS
from negoplatform.core.events import EventType, Message, MessageSubtype, Preference, Relation
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.presentation.chat.phrases import (
    NO_DEAL_GROUP,
    Phrase,
    phrase_groups,
    phrases_view,
)
from negoplatform.presentation.chat.preference_and_batna_statements import (
    COMPARISONS,
    ParsedPoints,
    PreferenceStatement,
    batna_message,
    parse_points,
    points_entry_text,
    preference_message,
    relation_words,
    relations_for,
)
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.testing import TrialTable
from tests.games import COINS, make_game

M = MessageSubtype
LONG = "Bundesausbildungsförderungsgesetzliche Anspruchsberechtigungsdauer {in Jahren}"


def phrases(*, their_offer: bool = True) -> list[Phrase]:
    return [phrase for group in phrase_groups(ENGLISH, their_offer=their_offer) for phrase in group.phrases]


def all_preferences(names: tuple[str, ...]) -> list[Preference]:
    """Return all preferences that the builder can express about some issues."""
    start = PreferenceStatement.default_for(names)
    return [
        start.with_first(name).with_relation(relation).preference(is_question=asks)
        for name, relation, asks in product(names, relations_for(len(names)), (False, True))
    ]


def test_every_kind_of_message_can_be_chosen_built_or_typed() -> None:
    chosen = {phrase.subtype for phrase in phrases()}

    elsewhere = {M.GENERIC, M.PREF_INFO, M.PREF_SPECIFIC_REQUEST, M.BATNA_INFO}
    assert chosen | elsewhere == set(M)
    assert not chosen & elsewhere


def test_every_phrase_passes_the_session_s_checks(table: TrialTable) -> None:
    for phrase in phrases():
        table.human.says(phrase.message.text, phrase.message.subtype)

    said = [event.payload for event in table.events if event.type == EventType.SEND_MESSAGE]
    assert said == [phrase.message for phrase in phrases()]


def test_no_phrase_stands_in_the_menu_twice() -> None:
    texts = [phrase.text for phrase in phrases()]

    assert len(set(texts)) == len(texts)


def test_friendly_words_have_a_firm_counterpart_of_the_opposite_kind() -> None:
    groups = {group.name: group for group in phrase_groups(ENGLISH, their_offer=True)}
    firm_of = {
        M.GENERIC_POS: M.GENERIC_NEG,
        M.OFFER_REQUEST_POS: M.OFFER_REQUEST_NEG,
        M.THREAT_POS: M.THREAT_NEG,
    }

    friendly = [firm_of[phrase.subtype] for phrase in groups["friendly"].phrases]
    assert [phrase.subtype for phrase in groups["firm"].phrases] == [*friendly, M.THREAT]


def test_only_an_answer_to_an_offer_needs_an_offer() -> None:
    closed = {phrase.subtype for phrase in phrases(their_offer=False) if phrase.unavailable_reason}

    assert closed == {M.OFFER_ACCEPT, M.OFFER_REJECT}
    assert not any(phrase.unavailable_reason for phrase in phrases(their_offer=True))


def test_the_menu_has_the_same_places_whatever_is_on_the_table() -> None:
    with_offer, without = phrases(their_offer=True), phrases(their_offer=False)

    assert [replace(phrase, unavailable_reason="") for phrase in without] == with_offer


def test_a_yes_in_words_says_that_it_is_not_the_last_one() -> None:
    (yes,) = [phrase for phrase in phrases() if phrase.subtype is M.OFFER_ACCEPT]

    assert "not ready to commit" in yes.text


@pytest.mark.parametrize(
    ("relation", "told", "asked"),
    [
        (
            Relation.GREATER,
            "I care more about bananas than about salary.",
            "Do you care more about bananas than about salary?",
        ),
        (
            Relation.LESS,
            "I care less about bananas than about salary.",
            "Do you care less about bananas than about salary?",
        ),
        (
            Relation.EQUAL,
            "I care as much about bananas as about salary.",
            "Do you care as much about bananas as about salary?",
        ),
        (Relation.BEST, "I care most about bananas.", "Do you care most about bananas?"),
        (Relation.WORST, "I care least about bananas.", "Do you care least about bananas?"),
    ],
)
def test_a_preference_can_be_told_and_asked(relation: Relation, told: str, asked: str) -> None:
    titles = {"bananas": "Bananas", "salary": "Salary"}
    second = "salary" if relation in COMPARISONS else None
    statement = Preference("bananas", relation, second)
    question = Preference("bananas", relation, second, is_question=True)

    assert preference_message(statement, titles, ENGLISH) == Message(told, M.PREF_INFO, statement)
    assert preference_message(question, titles, ENGLISH) == Message(asked, M.PREF_SPECIFIC_REQUEST, question)


def test_every_preference_of_the_builder_passes_the_session_s_checks(
    game: GameSpec, table: TrialTable
) -> None:
    titles = {issue.name: issue.title for issue in game.issues}
    table.start()

    for preference in all_preferences(tuple(titles)):
        message = preference_message(preference, titles, ENGLISH)
        event = table.session.send_message("human", message)
        assert event.get_preference() == preference


def test_long_titles_and_braces_in_them_stay_as_they_are() -> None:
    titles = {"years": LONG * 10, "pay": "{first}"}

    said = preference_message(Preference("pay", Relation.LESS, "years"), titles, ENGLISH)

    assert said.text == f"I care less about {{first}} than about {LONG[0].lower()}{(LONG * 10)[1:]}."


@pytest.mark.parametrize("second", [None, "bananas"])
def test_an_issue_is_not_compared_with_nothing_or_with_itself(second: str | None) -> None:
    with pytest.raises(Refused, match="two different things"):
        preference_message(
            Preference("bananas", Relation.EQUAL, second), {"bananas": "Bananas", "wood": "Wood"}, ENGLISH
        )


def test_a_preference_is_about_issues_of_the_game() -> None:
    with pytest.raises(Refused, match="negotiated in this game"):
        preference_message(Preference("gold", Relation.BEST), {"bananas": "Bananas"}, ENGLISH)


def test_a_single_issue_is_compared_with_nothing() -> None:
    only = PreferenceStatement.default_for(("price",))

    assert relations_for(1) == (Relation.BEST, Relation.WORST)
    assert only.preference(is_question=False) == Preference("price", Relation.BEST)
    assert {preference.issue2 for preference in all_preferences(("price",))} == {None}


def test_an_issue_that_is_chosen_twice_changes_places_with_the_other() -> None:
    start = PreferenceStatement.default_for(("bananas", "grain", "wood"))

    assert (start.first, start.second) == ("bananas", "grain")
    first_changed, second_changed = start.with_first("grain"), start.with_second("bananas")
    assert (first_changed.first, first_changed.second) == ("grain", "bananas")
    assert (second_changed.first, second_changed.second) == ("grain", "bananas")
    assert start.with_first("wood").second == "grain"


def test_a_second_issue_is_remembered_while_it_is_not_needed() -> None:
    start = PreferenceStatement.default_for(("bananas", "grain", "wood")).with_second("wood")

    best = start.with_relation(Relation.BEST)

    assert best.preference(is_question=True) == Preference("bananas", Relation.BEST, None, True)
    assert best.with_relation(Relation.LESS).preference(is_question=False).issue2 == "wood"


def test_relations_have_words_of_their_own() -> None:
    assert len({relation_words(relation, ENGLISH) for relation in Relation}) == len(Relation)


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (12, "Without a deal I get 12 points."),
        (1, "Without a deal I get 1 point."),
        (-2.5, "Without a deal I get -2.5 points."),
        (0.1 + 0.2, "Without a deal I get 0.3 points."),
        (1e9, "Without a deal I get 1000000000 points."),
    ],
)
def test_the_value_of_no_deal_is_stated_in_words_and_as_a_number(
    table: TrialTable, points: float, text: str
) -> None:
    table.start()

    said = batna_message(points, ENGLISH)

    assert said == Message(text, M.BATNA_INFO, batna=points)
    assert table.session.send_message("human", said).payload == said


@pytest.mark.parametrize("points", [float("nan"), float("inf"), -MAX_STATED_POINTS - 1])
def test_what_the_session_would_refuse_is_not_stated(points: float) -> None:
    with pytest.raises(Refused, match="points can be from"):
        batna_message(points, ENGLISH)


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("12", 12),
        (" 7,5 ", 7.5),
        ("7.25", 7.25),
        ("\N{MINUS SIGN}3", -3),
        ("+4", 4),
        ("1 000", 1000),
        ("", None),
    ],
)
def test_points_are_read_as_people_write_them(typed: str, points: float | None) -> None:
    assert parse_points(typed, None, ENGLISH) == ParsedPoints(points)


@pytest.mark.parametrize(
    "typed", ["many", "1.000", "1,000,000", "1e3", "٣", "-", "nan", "9" * 10, "{n}", "3.141"]
)
def test_what_is_no_number_of_points_is_told_in_a_sentence(typed: str) -> None:
    read = parse_points(typed, None, ENGLISH)

    assert read.points is None
    assert read.problem.endswith(".")


def test_the_own_value_left_as_it_was_shown_is_exactly_the_own_value() -> None:
    own = 100 / 3

    assert points_entry_text(own) == "33.33"
    assert parse_points("33.33", own, ENGLISH) == ParsedPoints(own)
    assert parse_points("33.33", 40, ENGLISH) == ParsedPoints(33.33)


def test_the_menu_of_a_game_names_its_issues_as_people_read_them() -> None:
    silver = QuantityIssue("silver", 2, label="Silver bars")
    tables = {seat: {"coins": [0] * 5, "silver": [0, 1, 2]} for seat in ("a", "b")}
    game = make_game(tables, issues=(COINS, silver))

    view = phrases_view(game, ENGLISH, their_offer=False, no_deal=3, can_talk=True)

    assert view.issues == (("coins", "coins"), ("silver", "Silver bars"))
    assert view.groups == phrase_groups(ENGLISH, their_offer=False)
    assert NO_DEAL_GROUP in [group.name for group in view.groups]
