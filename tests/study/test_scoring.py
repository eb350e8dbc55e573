"""Instruments: the shipped ones, their scores, and answers that items accept."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.study.study_folder import load_study, shipped_instruments
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.answers import answer_fault
from negoplatform.study.instrument import InstrumentModel, ItemModel, item_texts, load_instrument
from negoplatform.study.local_text import missing_languages
from negoplatform.study.scoring import ranking_agreement, scores, svo_angle, svo_category
from negoplatform.study.study_text import parse_text
from tests.study.studies import stage, write_study


def shipped(name: str) -> InstrumentModel:
    return load_instrument(bundled("instruments") / f"{name}.json")


def score(instrument: InstrumentModel, answers: dict[str, Any], name: str) -> Any:
    return next(one.value for one in scores(instrument, answers) if one.name == name)


@pytest.mark.parametrize("name", shipped_instruments())
def test_every_shipped_instrument_is_complete_in_three_languages(name: str) -> None:
    instrument = shipped(name)

    assert instrument.name == name
    for item in instrument.items:
        for text in item_texts(item):
            assert list(missing_languages(text, ("en", "de", "he"))) == []
    assert instrument.wording
    assert instrument.source


def test_the_best_possible_experience_scores_seven_on_every_factor_of_subjective_value() -> None:
    instrument = shipped("subjective_value")
    best = {item.id: 1 if item.reverse else 7 for item in instrument.items}

    assert {one.name: one.value for one in scores(instrument, best)} == dict.fromkeys(
        ("instrumental", "self", "process", "relationship", "rapport", "global"), 7.0
    )


def test_each_factor_of_subjective_value_has_its_four_items() -> None:
    instrument = shipped("subjective_value")

    for n, factor in enumerate(("instrumental", "self", "process", "relationship")):
        answers: dict[str, Any] = {item.id: 7 if item.reverse else 1 for item in instrument.items}
        for i in range(4 * n + 1, 4 * n + 5):
            item = next(one for one in instrument.items if one.id == f"i{i}")
            answers[item.id] = 1 if item.reverse else 7
        assert score(instrument, answers, factor) == 7.0
        assert (
            sum(
                score(instrument, answers, other) == 1.0
                for other in {"instrumental", "self", "process", "relationship"} - {factor}
            )
            == 3
        )


def test_a_scale_with_a_missing_answer_has_no_score() -> None:
    instrument = shipped("subjective_value")
    answers = {item.id: 4 for item in instrument.items if item.id != "i6"}

    assert score(instrument, answers, "self") is None
    assert score(instrument, answers, "process") == 4.0


@pytest.mark.parametrize(
    ("positions", "angle", "category"),
    [
        # The most for oneself, and then the most for the other.
        ([1, 9, 9, 9, 1, 1], 7.82, "individualistic"),
        # The most for both together, and then equal shares.
        ([1, 9, 9, 1, 5, 9], 45.0, "prosocial"),
        # The largest lead over the other, and the most for the other.
        ([9, 1, 9, 9, 1, 1], -16.26, "competitive"),
        ([1, 9, 1, 1, 9, 9], 61.39, "altruistic"),
    ],
)
def test_the_svo_slider_has_the_published_angles(positions: list[int], angle: float, category: str) -> None:
    instrument = shipped("svo_slider")
    answers = {item.id: position for item, position in zip(instrument.items, positions, strict=True)}

    assert score(instrument, answers, "angle") == pytest.approx(angle, abs=0.01)
    assert score(instrument, answers, "category") == category


def test_the_limits_of_the_svo_categories() -> None:
    limits = {57.16: "altruistic", 57.15: "prosocial", 22.45: "individualistic", -12.04: "competitive"}

    assert {angle: svo_category(angle) for angle in limits} == limits
    assert svo_angle([(100, 50)]) == 0


def test_a_guess_of_the_partners_ranking_is_scored_by_tau_b() -> None:
    truth: dict[int, Any] = {1: 9, 2: 5, 3: 5, 4: 1}

    assert ranking_agreement([1, 2, 3, 4], truth) == pytest.approx(5 / (6 * 5) ** 0.5)
    assert ranking_agreement([4, 3, 2, 1], truth) == pytest.approx(-5 / (6 * 5) ** 0.5)
    assert ranking_agreement([1, 2], {1: Decimal(3), 2: Decimal(3)}) is None


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ({"likert": {"points": 7, "from": "a", "to": "b"}}, [1, 7], [0, 8, 1.5, True, "1", None]),
        ({"choices": ["a", "b"]}, [1, 2], [0, 3, [1]]),
        ({"many": ["a", "b"]}, [[1], [1, 2]], [[3], [1, 1], 1]),
        ({"number": {"least": 16, "most": 99}}, [16, 99], [15, 100, 16.5, "16"]),
        ({"number": {"whole": False}}, [1, 1.5], ["x", True]),
        ({"slider": {"from": "a", "to": "b"}}, [0, 100], [-1, 101, "5"]),
        ({"text": {"longest": 3}}, ["abc"], ["abcd", 5, ""]),
        ({"rank": {"things": ["a", "b", "c"]}}, [[2, 1, 3]], [[1, 2], [1, 1, 2], 3]),
        ({"allocation": {"divisions": [[85, 15], [50, 50]]}}, [1, 2], [0, 3]),
    ],
)
def test_items_accept_answers_that_fit_alone(kind: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    item = ItemModel.model_validate_json(json.dumps({"id": "a", "ask": "?", **kind}))

    assert [answer_fault(item, value) for value in good] == [""] * len(good)
    assert all(answer_fault(item, value) for value in bad)


def test_a_text_is_divided_into_blocks() -> None:
    text = "# Title\n\nOne **two**\n\n1. a\n2. b\n\n- [ ] age: I am 18.\n\n![Boat](boat.png)\n"

    blocks = parse_text(text)

    assert [(block.kind, block.plain, block.marker) for block in blocks] == [
        ("heading", "Title", ""),
        ("paragraph", "One two", ""),
        ("item", "a", "1."),
        ("item", "b", "2."),
        ("tick", "I am 18.", "age"),
        ("picture", "Boat", "boat.png"),
    ]


def other_words(value: Any) -> Any:
    """Return a part of an instrument with other texts in one language, as a laboratory would paste them."""
    if isinstance(value, dict):
        if set(value) == {"en", "de", "he"}:
            return f"Wording of the authors: {value['en']}"
        return {key: other_words(part) for key, part in value.items()}
    return [other_words(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", shipped_instruments())
def test_the_authors_wording_is_one_edited_file_that_is_scored_alike(name: str, tmp_path: Path) -> None:
    root = write_study(tmp_path / "small", lambda study: stage(study, "svi").update(instrument=name))
    document = json.loads((bundled("instruments") / f"{name}.json").read_text(encoding="utf-8"))
    document = other_words(document) | {"languages": ["en"], "licence": "by permission of the authors"}
    (root / "instruments").mkdir()
    (root / "instruments" / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")

    own, before = load_study(root, tmp_path).study.instruments[name], shipped(name)

    answers: dict[str, Any] = {item.id: n % 5 + 1 for n, item in enumerate(before.items)}
    assert str(own.items[0].ask).startswith("Wording of the authors")
    assert scores(own, answers) == scores(before, answers)


def test_own_wording_in_the_study_wins_over_the_shipped_one(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")
    (root / "instruments").mkdir()
    source = (bundled("instruments") / "subjective_value.json").read_text(encoding="utf-8")
    (root / "instruments" / "subjective_value.json").write_text(
        source.replace("pleased", "content"), encoding="utf-8"
    )

    study = load_study(root, tmp_path).study

    assert "content" in str(study.instruments["subjective_value"].items[0].ask)
