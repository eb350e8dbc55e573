"""Studies in which a trained policy is the partner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner

from negoplatform.app.rehearsal.rehearsal import rehearse
from negoplatform.app.study.study_check import StudyFindingKind, check_study
from negoplatform.app.study.study_data import study_data
from negoplatform.app.visit.visit_rerun import rerun_visit
from negoplatform.cli.main import cli
from tests.strategies.learned.policies import constant_policy, write_policy
from tests.study.rehearsals import fail, people
from tests.study.studies import small_study


def _with_policy(document: dict[str, Any]) -> None:
    document["languages"] = ["en"]
    document["partners"]["trainer"]["agent"] = "learned"


def test_a_policy_in_the_folder_of_a_study_plays_and_acts_the_same_again(tmp_path: Path) -> None:
    policy = constant_policy("practice", codec="demand", outputs={1: 1.0, 4: 0.5})
    write_policy(tmp_path / "small" / "agents" / "learned.json", policy)
    folder = small_study(tmp_path, _with_policy)
    assert not any(one.kind is StudyFindingKind.ERROR for one in check_study(folder))

    data = study_data(folder, folder.data_dir, is_test=True)
    rehearse(folder, data, people(), participants=1, seed=1, report=fail)

    (visit,) = data.visits.iterdir()
    rerun = rerun_visit(visit, folder.data_dir, study=folder)
    files = {who.file for header in rerun.headers.values() for who in header.seats.values() if who.agent}
    assert "learned.json" in files
    assert rerun.acts > 0
    assert rerun.differences == ()


def test_a_policy_of_another_game_is_refused_before_anybody_plays_it(tmp_path: Path) -> None:
    policy = write_policy(tmp_path / "learned.json", constant_policy("campsite", codec="demand"))
    plan = ["simulate", "--game", "practice", "--agents", str(policy), "linear"]

    result = CliRunner().invoke(cli, plan)

    assert result.exit_code == 1
    assert "This policy was trained for the game campsite: it takes 65 numbers" in str(result.exception)


def test_a_study_says_in_which_language_a_policy_speaks(tmp_path: Path) -> None:
    policy = constant_policy("practice", codec="demand")
    write_policy(tmp_path / "small" / "agents" / "learned.json", policy)

    def in_three_languages(document: dict[str, Any]) -> None:
        _with_policy(document)
        document["languages"] = ["en", "de", "he"]

    reasons = [one.reason for one in check_study(small_study(tmp_path, in_three_languages))]

    own = [reason for reason in reasons if "this agent's sentences" in reason]
    assert [("'he'" in reason, "'de'" in reason) for reason in own] == [(True, False)] * len(own)
    assert own
