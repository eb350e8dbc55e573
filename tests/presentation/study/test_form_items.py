"""Items as they are shown, and what is wrong with answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.study.form_items import (
    FAULTS,
    FormItem,
    fault_text,
    form_item,
    number_from,
    quiz_item,
    visible_items,
)
from negoplatform.study import answers
from negoplatform.study.instrument import ItemModel
from negoplatform.study.stages import QuestionModel


def shown(translate: Language = ENGLISH, **document: Any) -> FormItem:
    model = ItemModel.model_validate({"id": "a", "ask": "?", **document})
    return form_item(model, values={"partner": "Sam"}, translate=translate)


def test_texts_are_those_of_the_participants_language_with_placeholders_filled_in() -> None:
    ask = {"en": "Did you like {partner}?", "de": "Mochten Sie {partner}?"}

    assert shown(ask=ask, text={}).ask == "Did you like Sam?"
    assert shown(Language.load("de"), ask=ask, text={}).ask == "Mochten Sie Sam?"
    assert shown(Language.load("he"), ask=ask, text={}).ask == "Did you like Sam?"


def test_a_matrix_has_an_answer_for_each_statement() -> None:
    rows = [{"id": "x", "ask": "First"}, {"id": "y", "ask": "Second"}]
    item = shown(matrix={"rows": rows, "likert": {"points": 5, "from": "no", "to": "yes"}})

    assert item.fields == ("a_x", "a_y")
    assert item.options == ("First", "Second")
    assert (item.points, item.ends) == (5, ("no", "", "yes"))


def test_every_sentence_about_an_answer_without_a_number_can_be_translated() -> None:
    found = {value for name, value in vars(answers).items() if name.isupper() and isinstance(value, str)}

    assert found == set(FAULTS)


@pytest.mark.parametrize(
    ("document", "value", "sentence"),
    [
        ({"likert": {"points": 5, "from": "a", "to": "b"}}, None, "Please answer this question."),
        ({"likert": {"points": 5, "from": "a", "to": "b"}}, 6, "Please answer this question."),
        ({"likert": {"points": 5, "from": "a", "to": "b"}}, 5, ""),
        ({"text": {}, "may_skip": True}, None, ""),
        ({"text": {"longest": 3}}, "four", "Please shorten your answer."),
        ({"number": {"least": 1, "most": 9}}, "x", "Please type a whole number."),
        ({"number": {"most": 9000}}, "1,000", "Please type the number without a thousands separator."),
        ({"number": {"least": 1, "most": 9}}, 0, "Please type at least 1."),
        ({"number": {"least": 1, "most": 9}}, 10, "Please type at most 9."),
        ({"number": {"whole": False, "most": 2.5}}, 2.75, "Please type at most 2.5."),
    ],
)
def test_a_fault_is_a_sentence(document: dict[str, Any], value: Any, sentence: str) -> None:
    assert fault_text(shown(**document), value, ENGLISH) == sentence


def test_limits_have_the_decimal_comma_of_the_language() -> None:
    german = Language.load("de")
    item = shown(german, number={"whole": False, "most": 2.5})

    assert "2,5" in fault_text(item, 3, german)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("", None),
        ("  ", None),
        ("12", 12),
        (" 12 ", 12),
        ("-3", -3),
        ("2.5", 2.5),
        ("2,5", 2.5),
        ("2,0", 2),
        ("1.000,5", "1.000,5"),
        ("twelve", "twelve"),
        ("inf", "inf"),
        ("nan", "nan"),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("1e300", "1e300"),
        ("1,000", "1,000"),
        ("-1.000", "-1.000"),
        ("12,345,678", "12,345,678"),
        ("0,125", 0.125),
        ("1000", 1000),
    ],
)
def test_a_typed_number_is_read_or_kept_as_text(typed: str, number: Any) -> None:
    assert number_from(typed) == number
    assert type(number_from(typed)) is type(number)


def test_items_are_shown_as_far_as_their_conditions_hold() -> None:
    first = shown(choices=["yes", "no"])
    second = shown(id="b", text={}, when={"form.a": 2})
    third = shown(id="c", text={}, when={"emotion": "angry"})
    items = (first, second, third)

    assert visible_items(items, {"emotion": "happy"}, {"a": 1}, "form") == [first]
    assert visible_items(items, {"emotion": "happy"}, {"a": 2}, "form") == [first, second]
    assert visible_items(items, {"emotion": "angry"}, {}, "form") == [first, third]


def question(**document: Any) -> QuestionModel:
    return QuestionModel.model_validate({"id": "q", "ask": "?", **document})


def test_a_question_about_an_offer_shows_its_terms() -> None:
    game = find_game("campsite", Path("nowhere")).resolve_profiles(1)
    asked = question(
        number=True,
        offer={"game": "campsite", "you_get": {"food": 2}},
        correct={"from_game": "campsite", "is": "worth_of_offer"},
    )

    item = quiz_item(asked, values={}, game=game, seat=game.seats[0], translate=ENGLISH)

    assert item.kind == "number"
    assert item.details[0] == ("Food", "you 2, the other side 1")
    assert [label for label, _text in item.details] == ["Food", "Water", "Firewood"]


def test_a_question_about_the_best_issue_has_the_issues_as_its_choices() -> None:
    game = find_game("campsite", Path("nowhere")).resolve_profiles(1)
    asked = question(correct={"from_game": "campsite", "is": "best_issue"})

    item = quiz_item(asked, values={}, game=game, seat=game.seats[0], translate=ENGLISH)

    assert (item.kind, item.options) == ("choices", ("Food", "Water", "Firewood"))
    assert fault_text(item, None, ENGLISH) == "Please answer this question."
    assert fault_text(item, 2, ENGLISH) == ""
