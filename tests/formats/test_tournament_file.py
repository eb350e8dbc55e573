"""Tournament files: defaults, round trip, and one sentence for each fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.tournament_file import dump_tournament, read_tournament, tournament_of

EXAMPLE: dict[str, Any] = {
    "schema": "negoplatform.tournament/1",
    "agents": ["negochat", {"agent": "mine/bayes.py", "name": "bayes", "settings": {}}],
    "games": ["campsite", "job_candidate", "domains/Laptop"],
    "seeds": {"from": 1, "n": 100},
    "seatings": "both",
    "self_play": True,
    "deadline": {"offers": 100},
    "keep_logs": "failed",
    "measures": True,
    "models": {"at": [0.1, 0.25, 0.5, 0.75, 1.0]},
    "score": "advantage",
}
SMALL: dict[str, Any] = {"schema": "negoplatform.tournament/1", "agents": ["fair"], "games": ["campsite"]}


def test_a_file_with_everything_is_read_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "tour.json"
    file.write_text(json.dumps(EXAMPLE), encoding="utf-8")

    model = read_tournament(file)

    assert dump_tournament(model) == {**EXAMPLE, "talk": False}


def test_what_a_file_leaves_out_has_defaults() -> None:
    model = tournament_of({"agents": ["fair"], "games": ["campsite"]}, "test")

    assert (model.seeds.from_, model.seeds.n, model.seatings, model.self_play) == (1, 100, "both", True)
    assert (model.talk, model.measures, model.keep_logs, model.score) == (False, True, "failed", "advantage")
    assert model.deadline is None
    assert model.models is None


@pytest.mark.parametrize(
    ("changes", "place", "sentence"),
    [
        ({"agents": []}, "agents", "at least 1"),
        ({"agents": [3]}, "agents[0]", "a text in quotes belongs here"),
        ({"agents": [{"agent": "fair", "nmae": "x"}]}, "agents[0].nmae", "not known here"),
        ({"agents": [{"agent": "fair", "name": "../x"}]}, "agents[0].name", "begins with a letter or digit"),
        ({"agents": [{"agent": "fair", "name": "a--b"}]}, "agents[0].name", "two hyphens"),
        ({"games": ["campsite", "campsite"]}, "", "the game 'campsite' appears twice"),
        ({"self_play": False}, "", "one agent alone has no opponent"),
        ({"seeds": {"n": 0}}, "seeds.n", "at least 1"),
        ({"seedz": {"n": 1}}, "seedz", "not known here"),
        ({"deadline": {}}, "deadline", "a number of offers or of seconds"),
        ({"deadline": {"seconds": 0.5}}, "deadline.seconds", "at least 1"),
        ({"models": {"at": [0.5, 0.25]}}, "models", "increasing order"),
        ({"models": {"at": [0]}}, "models.at[0]", "above 0"),
        ({"models": {"at": [1.5]}}, "models.at[0]", "at most 1"),
        ({"score": "welfare", "measures": False}, "", "write measures: true"),
        ({"score": "best"}, "score", "is not known here"),
        ({"schema": "negoplatform.game/1"}, "schema", "negoplatform.tournament/1"),
    ],
)
def test_every_fault_is_one_sentence_with_its_place(
    tmp_path: Path, changes: dict[str, Any], place: str, sentence: str
) -> None:
    file = tmp_path / "tour.json"
    file.write_text(json.dumps({**SMALL, **changes}), encoding="utf-8")

    with pytest.raises(InputFileError) as caught:
        read_tournament(file)

    assert caught.value.where == place
    assert sentence in str(caught.value)
    assert str(file) in str(caught.value)
