"""The measure of understanding, on small negotiations of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import understanding
from benchmarks.understanding import (
    HELD_OUT,
    in_order_of_hash,
    is_right,
    listen,
    main,
    read_labels,
    report,
    share,
    wilson,
)
from negoplatform.app.folders import bundled
from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game


@pytest.fixture(scope="module")
def campsite() -> GameSpec:
    """The game that the negotiations are about."""
    return load_game(bundled("games") / "campsite.json")


def words(who: str, text: str) -> dict[str, Any]:
    """Something that is said."""
    return {"text": text, "id": who, "task_data": {}}


def deal(who: str, mine: dict[str, int]) -> dict[str, Any]:
    """A deal that somebody submits."""
    return {
        "text": "Submit-Deal",
        "id": who,
        "task_data": {
            "issue2youget": {kind: str(n) for kind, n in mine.items()},
            "issue2theyget": {kind: str(3 - n) for kind, n in mine.items()},
        },
    }


def dialogue(number: int, *moves: dict[str, Any], annotated: bool = False) -> dict[str, Any]:
    """A negotiation of two made-up people."""
    said = [move["text"] for move in moves if not move["text"].endswith("-Deal")]
    return {
        "dialogue_id": number,
        "chat_logs": list(moves),
        "participant_info": {"one": {}, "two": {}},
        "annotations": [[text, "small-talk" if "Hello" in text else "non-strategic"] for text in said]
        if annotated
        else [],
    }


TALK = dialogue(
    1,
    words("one", "Hello, how are you?"),
    words("two", "I take 2 food and 2 water, you get all the firewood."),
    words("one", "I need 2 water, you can have all the food."),
    deal("two", {"Food": 3, "Water": 1, "Firewood": 1}),
    words("one", "No! You get 0 firewood."),
    deal("two", {"Food": 3, "Water": 1, "Firewood": 0}),
    {"text": "Accept-Deal", "id": "one", "task_data": {}},
    annotated=True,
)
LABELS: list[dict[str, Any]] = [
    {"dialogue": 1, "message": 0, "label": "none"},
    {
        "dialogue": 1,
        "message": 1,
        "label": "offer",
        "offer": {"food": [2, 1], "water": [2, 1], "firewood": [0, 3]},
    },
    {"dialogue": 1, "message": 2, "label": "offer", "offer": {"food": [0, 3], "water": [1, 2]}},
    {"dialogue": 1, "message": 4, "label": "vague", "unsure": True},
]


def test_the_last_words_on_each_kind_are_held_against_the_deal(campsite: GameSpec) -> None:
    part = listen([TALK], campsite)

    said = [{name: term.of("agent") for name, term in words.terms} for _, words in part.deals]  # type: ignore[union-attr]  # units only

    assert said == [{"food": 3, "water": 1, "firewood": 0}, {"food": 3, "water": 1, "firewood": 0}]
    assert [words == submitted for submitted, words in part.deals] == [False, True]


def test_formal_moves_are_not_read_and_annotations_follow_the_words(campsite: GameSpec) -> None:
    part = listen([TALK], campsite)

    assert [heard.index for heard in part.heard] == [0, 1, 2, 4]
    assert [heard.strategies == frozenset({"small-talk"}) for heard in part.heard] == [
        True,
        False,
        False,
        False,
    ]


def test_a_sure_reading_is_right_only_if_it_says_all_of_the_label_and_no_more(
    campsite: GameSpec, tmp_path: Path
) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps({"convention": 1, "labels": LABELS}), encoding="utf-8")
    labels = read_labels(file)
    heard = {h.index: h for h in listen([TALK], campsite).heard}

    assert is_right(heard[1], labels[1, 1], campsite)
    assert not is_right(heard[2], labels[1, 2], campsite)
    assert not is_right(heard[4], labels[1, 4], campsite)
    part_of_it = {**LABELS[1], "offer": {"food": [2, 1], "water": [2, 1]}}
    assert not is_right(heard[1], part_of_it, campsite)


def test_the_report_names_every_figure(campsite: GameSpec) -> None:
    labels = {(label["dialogue"], label["message"]): label for label in LABELS}

    text = "\n".join(report("ours", listen([TALK], campsite), labels, campsite))

    assert "the last words are the deal exactly: 1/2 = 0.500" in text
    assert "kinds: right 5, wrong 1, unsaid 0" in text
    assert "precision of sure readings: 1/3 = 0.333" in text
    assert "where the labeller was sure: 1/2 = 0.500" in text
    assert "coverage of offers: 2/2 = 1.000" in text
    assert "offer messages alone: precision 1/2 = 0.500" in text
    assert "coverage 2/2 = 1.000 [0.342, 1.000], exactly right 1/2 = 0.500" in text
    assert "wrong by label: offer 1, vague 1" in text
    assert "small-talk   precision" in text
    assert "times a bare cut into words" in text
    assert report("empty", listen([], campsite), labels, campsite) == ["empty: nothing was said"]


def test_a_yes_to_words_is_held_against_the_last_labelled_offer(campsite: GameSpec) -> None:
    talk = dialogue(1, words("one", "How about I get 2 food?"), words("two", "Yes."), words("two", "Yes."))
    labels: dict[tuple[int, int], dict[str, Any]] = {
        (1, 0): {"label": "offer", "offer": {"food": [2, 1]}},
        (1, 1): {"label": "accept"},
    }
    other = {**labels, (1, 0): {"label": "offer", "offer": {"food": [1, 2]}}}

    for given, told in ((labels, "the last ones 1/1"), (other, "the last ones 0/1")):
        lines = "\n".join(understanding.label_lines(listen([talk], campsite), given, campsite))
        assert told in lines
        assert "precision of sure readings: " + ("1/1" if given is labels else "0/1") in lines


def test_the_interval_is_wilson_s() -> None:
    assert wilson(95, 100) == pytest.approx((0.8882, 0.9785), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    assert share(95, 100) == "95/100 = 0.950 [0.888, 0.978]"


def test_what_is_held_out_follows_from_the_numbers_alone() -> None:
    numbers = [{"dialogue_id": n} for n in range(500)]

    first = in_order_of_hash(numbers)[:HELD_OUT]

    assert first == in_order_of_hash(reversed(numbers))[:HELD_OUT]
    assert {entry["dialogue_id"] for entry in first} != set(range(HELD_OUT))


def test_both_parts_are_printed_and_development_alone_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(understanding, "HELD_OUT", 1)
    train = [{**TALK, "dialogue_id": n} for n in (1, 2, 3)]
    (tmp_path / "casino_train.json").write_text(json.dumps(train), encoding="utf-8")
    (tmp_path / "casino_valid.json").write_text(json.dumps([{**TALK, "dialogue_id": 4}]), encoding="utf-8")

    codes = main([str(tmp_path)]), main([str(tmp_path), "--development"])

    out = capsys.readouterr().out
    assert codes == (0, 0)
    assert "validation: 1 negotiations" in out
    assert "held out: 1 negotiations" in out
    assert "development: 2 negotiations" in out


def test_a_folder_without_the_data_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([str(tmp_path)])

    assert code == 1
    assert "casino_train.json" in capsys.readouterr().err


def test_readings_that_are_doubted_are_counted_by_reason(campsite: GameSpec) -> None:
    part = listen([dialogue(1, words("one", "I take 2 food, then split the rest"))], campsite)
    labels = {(1, 0): {"label": "offer", "offer": {"food": [2, 1]}}}

    lines = list(understanding.reason_lines(part, labels, campsite))

    assert part.heard[0].reading.offer is None
    assert [line for line in lines if "1/1" in line] == [line for line in lines if line.startswith("  rest ")]
