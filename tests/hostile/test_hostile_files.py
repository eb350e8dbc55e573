"""Every bad file is refused by the command that a user would run, in one sentence with the reason."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.recipes import RECIPES
from tests.hostile.refusals import (
    HERE,
    KINDS,
    MOST_MEGABYTES,
    PROMISED_SECONDS,
    REFUSED,
    Refusals,
    kept,
    run_all,
)
from tests.wine import RUNS_UNDER_WINE

EXPECTED: dict[str, str] = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
"""A part of the sentence that refuses each file of the corpus, by the file's place."""

LONGEST_SECONDS = 20.0
"""Seconds after which a command counts as hung. On a busy machine only processor time is due to the file."""

LONGEST_SENTENCE = 900

SPEAKS_TO_A_TERMINAL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

REASONS = EXPECTED | {f"{recipe.kind}/{recipe.name}": recipe.reason for recipe in RECIPES}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", KINDS)
def test_bad_files_are_refused_in_one_sentence_that_says_why_and_take_little_memory(
    kind: str, tmp_path: Path
) -> None:
    """Try all files of a kind in one test: the process in which they are tried takes seconds to start."""
    if RUNS_UNDER_WINE and kind == "agents":
        pytest.skip("two or three processes load each file, and each of them takes seconds under Wine")
    refusals = Refusals(kind, tmp_path)

    reasons = {place: reason for place, reason in REASONS.items() if place.split("/")[0] == kind}
    assert reasons.keys() <= refusals.answers.keys()
    for place, reason in reasons.items():
        assert refusals.answers[place], place
        for command, answer in refusals.answers[place]:
            check_refusal(place, reason, command, answer)
    assert refusals.report["most"] < MOST_MEGABYTES


def check_refusal(place: str, reason: str, command: str, answer: dict[str, Any]) -> None:
    """Check the answer of one command to one bad file."""
    said = answer["err"] if command != "check" else answer["out"]
    about = f"{place}: {command}: {answer}"

    assert answer["code"] in REFUSED, about
    assert "Traceback" not in answer["out"] + answer["err"], about
    assert not SPEAKS_TO_A_TERMINAL.search(said), about
    assert answer["seconds"] < LONGEST_SECONDS, about
    assert answer["processor_seconds"] < PROMISED_SECONDS, about
    if command == "check":  # which says all that is wrong with an agent, as its output
        assert said.startswith("error: "), about
    else:
        assert said.startswith("negoplatform: "), about
        assert said.count("\n") == 1, about
        assert len(said) <= LONGEST_SENTENCE, about
    assert reason in said, about
    assert place.split("/")[1] in said, about


def test_the_corpus_is_as_it_is_promised() -> None:
    files = [path for kind in KINDS for path in (HERE / kind).iterdir()]

    assert {f"{path.parent.name}/{path.name.removesuffix('.txt')}" for path in files} == set(EXPECTED)
    assert len(files) >= 60
    assert all(path.stat().st_size <= 20_000 for path in files)


@pytest.mark.parametrize("path", sorted((HERE / "endless").iterdir()), ids=lambda path: path.name)
def test_an_agent_that_does_not_come_to_an_end_is_given_up(path: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(path, tmp_path / path.name.removesuffix(".txt")))
    game = ["--game", "practice", "--data-dir", str(tmp_path)]

    report = run_all(
        [["simulate", "--n", "1", *game, "--agents", str(file), "fair"], ["check", str(file), *game]],
        load_seconds=1.0,
    )

    simulated, checked = report["answers"]
    assert (simulated["code"], checked["code"]) == (1, 1)
    assert simulated["err"].count("\n") == 1
    assert file.name in simulated["err"]
    assert "took longer than" in simulated["err"]
    assert "took longer than" in checked["out"]


def test_bad_files_in_the_users_folder_are_rows_of_the_list(tmp_path: Path) -> None:
    files = {kind: kept(kind, tmp_path / kind) for kind in ("games", "agents")}

    report = run_all([["list", what, "--data-dir", str(tmp_path)] for what in ("games", "agents")])

    for answer, kind in zip(report["answers"], ("games", "agents"), strict=True):
        assert (answer["code"], answer["err"]) == (0, "")
        assert not [path.stem for path in files[kind].values() if path.stem not in answer["out"]]
    assert report["most"] < MOST_MEGABYTES


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2Jred", "hu\u202eman"])
def test_a_file_with_a_wild_name_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows knows no such names")
    path = tmp_path / f"{name}.json"
    path.write_text("[]", encoding="utf-8")

    (answer,) = run_all([["check-game", str(path), "--data-dir", str(tmp_path)]])["answers"]

    assert answer["code"] == 1
    assert answer["err"].startswith("negoplatform: ")
    assert answer["err"].count("\n") == 1
    assert not SPEAKS_TO_A_TERMINAL.search(answer["err"])


def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    report = run_all(
        [
            ["check-game", f"a{chr(0)}.json", "--data-dir", str(tmp_path)],
            ["check-game", "a" * 9000 + ".json", "--data-dir", str(tmp_path)],
        ]
    )

    for answer in report["answers"]:
        assert answer["code"] == 1
        assert answer["err"].count("\n") == 1
        assert len(answer["err"]) <= LONGEST_SENTENCE


def test_recipes_have_names_of_their_own() -> None:
    names = [f"{recipe.kind}/{recipe.name}" for recipe in RECIPES]

    assert len(names) == len(set(names))
    assert not set(names) & set(EXPECTED)
