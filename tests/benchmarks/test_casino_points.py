"""Points in the campsite game, compared with people's scores in the recorded negotiations.

The recordings are not part of this repository: set NEGOPLATFORM_CASINO to their folder to play all of them.
"""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.casino_points import compare, main, read_dialogues

FOLDER = os.environ.get("NEGOPLATFORM_CASINO", "")


def deal(who: str, mine: tuple[int, int, int], theirs: tuple[int, int, int]) -> dict[str, Any]:
    """Return a deal that a participant submits, in the format of the data."""
    kinds = ("Food", "Water", "Firewood")
    return {
        "text": "Submit-Deal",
        "id": who,
        "task_data": {
            "issue2youget": {kind: str(n) for kind, n in zip(kinds, mine, strict=True)},
            "issue2theyget": {kind: str(n) for kind, n in zip(kinds, theirs, strict=True)},
        },
    }


def person(high: str, medium: str, low: str, points: int) -> dict[str, Any]:
    """Return a participant in the format of the data."""
    return {
        "value2issue": {"Low": low, "High": high, "Medium": medium},
        "outcomes": {"points_scored": points},
    }


def dialogue(*moves: dict[str, Any], points: tuple[int, int]) -> dict[str, Any]:
    """Return a negotiation of two made-up people."""
    return {
        "dialogue_id": 1,
        "chat_logs": [{"text": "Hello!", "id": "two", "task_data": {}}, *moves],
        "participant_info": {
            "two": person("Water", "Firewood", "Food", points[1]),
            "one": person("Food", "Water", "Firewood", points[0]),
        },
    }


def move(text: str, who: str) -> dict[str, Any]:
    """Return a move without a deal."""
    return {"text": text, "id": who, "task_data": {}}


AGREED = dialogue(
    deal("two", (0, 3, 3), (3, 0, 0)),
    move("Reject-Deal", "one"),
    deal("one", (3, 1, 0), (0, 2, 3)),
    move("Accept-Deal", "two"),
    points=(3 * 5 + 4, 2 * 5 + 3 * 4),
)
LEFT = dialogue(deal("one", (3, 3, 3), (0, 0, 0)), move("Walk-Away", "two"), points=(5, 5))


def test_the_last_deal_counts_and_a_walk_away_pays_five_points() -> None:
    sides = compare([AGREED, LEFT])

    assert [(side.participant, side.end, side.played) for side in sides] == [
        ("one", "agreement", 19),
        ("two", "agreement", 22),
        ("one", "quit", 5),
        ("two", "quit", 5),
    ]
    assert all(side.same for side in sides)


def test_points_that_differ_are_told_and_fail_the_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = copy.deepcopy(AGREED)
    wrong["participant_info"]["two"]["outcomes"]["points_scored"] = 21
    write(tmp_path, [LEFT], [wrong])

    code = main([str(tmp_path)])

    assert code == 1
    assert "negotiation 1, two: 21 recorded, 22 played" in capsys.readouterr().out


def test_a_negotiation_without_an_end_is_not_taken_for_one(tmp_path: Path) -> None:
    open_end = copy.deepcopy(AGREED)
    open_end["chat_logs"].pop()

    assert [(side.end, side.played) for side in compare([open_end])] == [("none", None), ("none", None)]


def test_a_folder_without_the_data_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([str(tmp_path)])

    assert code == 1
    assert "casino_train.json" in capsys.readouterr().err


@pytest.mark.skipif(not FOLDER, reason="NEGOPLATFORM_CASINO names no folder with the recordings")
def test_every_recorded_negotiation_gives_the_points_that_people_scored(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main([FOLDER])

    assert code == 0, capsys.readouterr().out
    assert len(read_dialogues(Path(FOLDER))) == 930


def write(folder: Path, train: list[Any], valid: list[Any]) -> None:
    """Write two parts of the data."""
    (folder / "casino_train.json").write_text(json.dumps(train), encoding="utf-8")
    (folder / "casino_valid.json").write_text(json.dumps(valid), encoding="utf-8")
