"""Minutes that a visit takes at most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from negoplatform.app.study.study_duration import expected_minutes, stage_minutes
from tests.study.studies import small_study


def _short(document: dict[str, Any]) -> None:
    document["factors"] = {"time": ["little", "much"]}
    document["design"] = {"between": ["time"], "seed": 7}
    document["partners"] = {"sam": {"agent": "linear", "name": "Sam"}}
    document.pop("payment", None)
    minutes = {"by": "time", "little": 2, "much": 20}
    rows = [{"id": f"r{n}", "ask": "Yes?"} for n in range(12)]
    document["stages"] = [
        {"kind": "page", "id": "read", "text": "long.md"},
        {
            "kind": "block",
            "id": "twice",
            "repeat": 2,
            "stages": [{"kind": "wait", "id": "pause", "for": {"seconds": 90}}],
        },
        {
            "kind": "form",
            "id": "asked",
            "items": [
                {
                    "id": "m",
                    "ask": "And?",
                    "matrix": {"likert": {"points": 5, "from": "no", "to": "yes"}, "rows": rows},
                }
            ],
        },
        {"kind": "negotiation", "id": "game", "game": "practice", "partner": "sam", "minutes": minutes},
        {"kind": "rounds", "id": "more", "partner": "sam", "rounds": [{"game": "practice"}] * 2},
        {"kind": "end", "id": "end", "text": "thanks.md"},
    ]


def test_words_items_repeats_and_the_longest_cell_count(tmp_path: Path) -> None:
    folder = small_study(tmp_path, _short)
    (folder.root / "texts" / "en" / "long.md").write_text("word " * 600, encoding="utf-8")

    assert stage_minutes(folder) == {"read": 3, "pause": 3, "asked": 2, "game": 20, "more": 20, "end": 0.5}
    assert expected_minutes(folder) == 48.5
