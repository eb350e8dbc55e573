"""The list of studies in the window: the way to it, trying a study out, and visits that were interrupted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.study.study_archive import install_study
from negoplatform.app.study.study_list import remember_folder
from tests.window.conftest import Program, pictures
from tests.window.study.small_window_study import (
    consent,
    kinds,
    only,
    type_code,
    visits,
    wait_for_step,
    write_window_study,
)

pytestmark = pytest.mark.window

START = Callable[..., Program]

AGENT = """
from negoplatform.agent_api.base import NegotiationAgent


class Quiet(NegotiationAgent):
    pass
"""


def open_list(start: START) -> Program:
    program = start()
    program.wait_for("start_screen")
    program.click("studies")
    program.wait_for("studies_checked")
    return program


def test_a_study_is_tried_out_from_the_start_window_and_left_again(start: START, tmp_path: Path) -> None:
    install_study(write_window_study(tmp_path / "short"), tmp_path / "data")
    program = start()
    program.wait_for("start_screen")
    program.shoot(pictures(tmp_path) / "start-three-ways.png")
    program.click("studies")
    program.wait_for("studies_checked")
    program.shoot(pictures(tmp_path) / "studies.png")
    program.click("try.0")
    program.wait_for("code_screen")
    type_code(program, "P-05")
    wait_for_step(program, "consent")
    program.shoot(pictures(tmp_path) / "study-test.png")
    program.click("decline")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("visit_over")
    program.click("next_participant")
    program.wait_for("code_screen")
    program.click("leave_study")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("studies_checked")
    program.click("studies.back")
    program.wait_for("start_screen")

    assert (program.data_dir / "rehearsals" / "short-1.0.0" / "declined.csv").exists()
    assert not (program.data_dir / "study_data").exists()


def test_only_a_frozen_study_can_be_begun(start: START, tmp_path: Path) -> None:
    remember_folder(tmp_path / "data", write_window_study(tmp_path / "short", is_frozen=False))
    program = open_list(start)
    program.shoot(pictures(tmp_path) / "studies-not-frozen.png")
    program.click("start.0")
    program.click("try.0")
    program.wait_for("code_screen")
    program.click("continue")
    wait_for_step(program, "consent")

    (record,) = visits(program, is_test=True)
    assert record.header.is_test


def test_an_interrupted_visit_is_offered_first_and_goes_on(start: START, tmp_path: Path) -> None:
    study = write_window_study(tmp_path / "short", only("consent", "rules", "end"))
    program = start("--code", "P-01", what=("study", "run", str(study)))
    consent(program)
    wait_for_step(program, "rules")
    program.kill()

    program = start()
    program.wait_for("studies_checked")
    program.shoot(pictures(tmp_path) / "studies-interrupted.png")
    program.click("go_on.0")
    wait_for_step(program, "rules")
    program.kill()
    program = start()
    program.wait_for("studies_checked")
    program.click("end.0")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("studies_screen", visits=[])

    (record,) = visits(program)
    assert kinds(record)[-1] == "VISIT_ENDED"
    program.kill()
    program = start()
    program.wait_for("start_screen")


def _with_own_agent(document: dict[str, Any]) -> None:
    only("consent", "practice", "end")(document)
    document["partners"]["trainer"]["agent"] = "quiet"


def test_programs_of_a_study_are_run_only_once_they_are_trusted(start: START, tmp_path: Path) -> None:
    root = tmp_path / "short"
    (root / "agents").mkdir(parents=True)
    (root / "agents" / "quiet.py").write_text(AGENT, encoding="utf-8")
    remember_folder(tmp_path / "data", write_window_study(root, _with_own_agent))
    program = open_list(start)
    program.click("start.0")
    program.wait_for("dialog_open")
    program.shoot(pictures(tmp_path) / "studies-trust.png")
    program.click("dialog.no")
    program.wait_for("dialog_closed")
    program.click("start.0")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("code_screen")
    program.click("leave_study")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("studies_checked")
    program.click("start.0")
    program.wait_for("code_screen")
