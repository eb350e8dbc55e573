"""Pictures of all screens of a small study: every step, cell and language, and what does not fit."""

from __future__ import annotations

import re
import tkinter as tk
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.cli.main import run
from negoplatform.gui.shell.study_pictures import save_study_pictures
from negoplatform.gui.study.screen_pictures import cut_off_controls
from negoplatform.presentation.study.step_page import StepPage
from negoplatform.presentation.study.study_screens import StudyScreen, study_screens
from negoplatform.presentation.study.study_screens_page import group_screens
from negoplatform.study.study_file import cell_name
from tests.gui.study.conftest import Desk
from tests.study.studies import TEXTS, small_study, stage

CONDITIONAL = {"kind": "page", "id": "sorry", "text": "goodbye.md", "when": {"quiz.passed": False}}


def short(document: dict[str, Any]) -> None:
    """Two cells and two languages, one game, and a page that is skipped after a passed quiz."""
    document["languages"] = ["en", "de"]
    document["factors"] = {"emotion": ["happy", "angry"]}
    document["design"] = {"between": ["emotion"], "assign": "code", "seed": 7}
    document["partners"]["sam"]["settings"] = {}
    stages = [stage(document, name) for name in ("consent", "quiz", "practice", "about", "end")]
    stages[1]["questions"][0]["correct"]["from_game"] = "practice"
    stages[2]["partner"] = "sam"
    document["stages"] = [*stages[:2], CONDITIONAL, *stages[2:]]
    del document["payment"]


def short_study(tmp_path: Path) -> StudyFolder:
    folder = small_study(tmp_path, short)
    german = folder.root / "texts" / "de"
    german.mkdir()
    for name, text in TEXTS.items():
        (german / name).write_text(text, encoding="utf-8")
    return folder


def fail(error: BaseException) -> None:
    raise error


def screens(folder: StudyFolder, place: Path) -> list[tuple[str, str, StudyScreen]]:
    """Return the screens of all cells in English."""
    found = []
    for cell in folder.study.model.cells():
        name = cell_name(cell)
        found += [(name, "en", one) for one in study_screens(folder, cell, "en", place / name, fail)]
    return found


def test_all_screens_are_shown_also_those_after_mistakes_and_of_skipped_steps(tmp_path: Path) -> None:
    folder = short_study(tmp_path)

    found = [(one.step, one.part) for cell, _language, one in screens(folder, tmp_path) if cell == "happy"]

    assert found == [
        ("consent", ""),
        ("consent", "declined"),
        ("quiz", ""),
        ("quiz", "wrong"),
        ("quiz", "failed"),
        ("practice", "rules"),
        ("practice", "table"),
        ("about", ""),
        ("about", "all"),
        ("end", ""),
        ("sorry", ""),
    ]


def test_a_wrong_answer_is_shown_with_its_explanation(tmp_path: Path) -> None:
    wrong = next(
        one for _cell, _language, one in screens(short_study(tmp_path), tmp_path) if one.part == "wrong"
    )

    assert isinstance(wrong.contents, StepPage)
    assert set(wrong.contents.faults) == {"batna", "binding"}
    assert wrong.contents.attempts_left == 2


def test_only_screens_that_look_different_in_the_cells_are_shown_twice(tmp_path: Path) -> None:
    shown = group_screens(screens(short_study(tmp_path), tmp_path))

    apart = [(one.screen.step, one.screen.part, one.cells) for one in shown if len(one.cells) == 1]
    assert apart == [("practice", "table", ["happy"]), ("practice", "table", ["angry"])]
    assert [one.screen.step for one in shown if one.number == 6] == ["sorry"]
    assert len({one.name for one in shown}) == len(shown)


@pytest.mark.window
@pytest.mark.usefixtures("display")
def test_the_page_names_every_step_and_shows_every_picture(tmp_path: Path) -> None:
    folder, place = short_study(tmp_path), tmp_path / "pictures"

    shown = save_study_pictures(folder, place, fail)

    assert [fault for one in shown for fault in one.faults] == []
    page = (place / "screens.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>\d+\. (\w+):", page)
    assert list(dict.fromkeys(headings)) == ["consent", "quiz", "sorry", "practice", "about", "end"]
    pictures = re.findall(r'<img src="([^"]+)"', page)
    assert sorted(pictures) == sorted(path.name for path in place.glob("*.png"))
    assert {"01-consent-en.png", "01-consent-de.png", "08-practice-table-angry-de.png"} <= set(pictures)
    assert "<script" not in page
    angry = Image.open(place / "08-practice-table-angry-en.png").tobytes()
    assert angry != Image.open(place / "08-practice-table-happy-en.png").tobytes()


@pytest.mark.window
@pytest.mark.usefixtures("display")
def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, place = short_study(tmp_path), tmp_path / "thesis"
    place.mkdir()
    (place / "01-thesis.png").write_text("mine")

    code = run(["study", "rehearse", str(folder.root), "--pictures", str(place), "--data-dir", str(tmp_path)])

    assert code != 0
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in place.iterdir()] == ["01-thesis.png"]


def test_without_a_display_one_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    folder, place = short_study(tmp_path), tmp_path / "pictures"

    code = run(["study", "rehearse", str(folder.root), "--pictures", str(place), "--data-dir", str(tmp_path)])

    assert code != 0
    assert "xvfb-run" in capsys.readouterr().err
    assert not place.exists()


@pytest.mark.window
def test_a_control_that_is_cut_off_is_found(desk: Desk) -> None:
    frame = tk.Frame(desk.theme.root)
    frame.pack(fill="both", expand=True)
    tk.Label(frame, text="fits").pack()
    tk.Label(frame, text="below").place(x=0, y=2000)
    tk.Label(frame, text="a long text").place(x=0, y=0, width=10)
    desk.theme.root.update()

    found = cut_off_controls(frame)
    frame.destroy()

    assert found == ["“below” is too low", "“a long text” is cut off"]
