"""The commands study check, freeze, install and plan, run as a user does."""

from __future__ import annotations

import csv
import json
import os
import zipfile
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from negoplatform.app.study.study_folder import load_study
from negoplatform.cli.main import cli
from negoplatform.study.study_schema import study_schema
from tests.study.studies import STUDY, write_study


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_check_says_what_is_wrong_and_fails(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small", lambda study: study["stages"].pop(8))
    (root / "texts/en/debrief.md").unlink()

    result = run("study", "check", root, "--data-dir", tmp_path / "data")

    assert result.exit_code == 1
    assert "small-1.0.0: 1 error, " in result.output
    assert "there is no texts/en/debrief.md" in result.output
    assert "no stage of the kind payment shows" in result.output


def test_check_of_a_sound_study_succeeds(tmp_path: Path) -> None:
    result = run("study", "check", write_study(tmp_path / "small"), "--data-dir", tmp_path / "data")

    assert result.exit_code == 0, result.output
    assert "4 cells: happy-tough, happy-soft, angry-tough, angry-soft." in result.output


def test_equal_studies_have_equal_archives(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert (
            run("study", "freeze", write_study(tmp_path / name / "s"), "--data-dir", tmp_path).exit_code == 0
        )

    first, second = (tmp_path / name / "small-1.0.0.nstudy" for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
    entries = zipfile.ZipFile(first).infolist()
    assert entries[0].filename == "manifest.json"
    # Written by Unix, whichever system it was: else the bytes would differ between systems.
    assert {(entry.create_system, entry.external_attr >> 16) for entry in entries} == {(3, 0o644)}


def test_a_frozen_study_that_was_changed_is_refused(tmp_path: Path) -> None:
    root = write_study(tmp_path / "s")
    run("study", "freeze", root, "--data-dir", tmp_path)
    (root / "texts/en/debrief.md").write_text("Something else.\n", encoding="utf-8")

    result = run("study", "check", root, "--data-dir", tmp_path)

    assert result.exit_code == 1
    assert "since then texts/en/debrief.md was changed" in result.output


def test_a_study_with_an_error_is_not_frozen(tmp_path: Path) -> None:
    root = write_study(tmp_path / "s")
    (root / "texts/en/debrief.md").unlink()

    result = run("study", "freeze", root, "--data-dir", tmp_path)

    assert result.exit_code != 0
    assert not (root / "manifest.json").exists()
    assert not list(tmp_path.glob("*.nstudy"))


def test_an_archive_is_installed_once(tmp_path: Path) -> None:
    run("study", "freeze", write_study(tmp_path / "s"), "--data-dir", tmp_path)
    archive, data = tmp_path / "small-1.0.0.nstudy", tmp_path / "data"

    results = [run("study", "install", archive, "--data-dir", data) for _ in range(2)]

    assert [result.exit_code for result in results] == [0, 0], results[0].output
    folder = load_study(data / "studies" / "small-1.0.0", data)
    assert folder.is_frozen
    assert [path.name for path in (data / "studies").iterdir()] == ["small-1.0.0"]


def test_another_content_of_an_installed_version_is_refused(tmp_path: Path) -> None:
    run("study", "freeze", write_study(tmp_path / "a" / "s"), "--data-dir", tmp_path)
    other = write_study(tmp_path / "b" / "s", lambda study: study.update(title="Other"))
    run("study", "freeze", other, "--data-dir", tmp_path)
    run("study", "install", tmp_path / "a" / "small-1.0.0.nstudy", "--data-dir", tmp_path / "data")

    result = run("study", "install", tmp_path / "b" / "small-1.0.0.nstudy", "--data-dir", tmp_path / "data")

    assert result.exit_code != 0
    assert "a changed study has a new version" in str(result.exception)


@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "a/../../evil.txt", "C:evil.txt"])
def test_an_archive_cannot_write_outside_of_its_folder(tmp_path: Path, name: str) -> None:
    archive = tmp_path / "bad.nstudy"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(name, "x")

    result = run("study", "install", archive, "--data-dir", tmp_path / "data")

    assert result.exit_code != 0
    assert "leads out of the study's folder" in str(result.exception)
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_study_with_a_file_that_windows_cannot_have_is_neither_installed_nor_frozen(tmp_path: Path) -> None:
    archive = tmp_path / "bad.nstudy"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("texts/en/nul.md", "x")

    result = run("study", "install", archive, "--data-dir", tmp_path / "data")

    assert "texts/en/nul.md: no file can have this name on Windows" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.nstudy", "data"]


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot have these files")
@pytest.mark.parametrize(
    ("name", "reason"),
    [("what?.txt", "no file can have this name on Windows"), ("TEXTS", "in other capitals")],
)
def test_a_study_that_windows_could_not_unpack_is_not_frozen(tmp_path: Path, name: str, reason: str) -> None:
    root = write_study(tmp_path / "s")
    (root / "texts" / "texts").write_text("x", encoding="utf-8")
    (root / "texts" / name).write_text("x", encoding="utf-8")

    result = run("study", "freeze", root, "--data-dir", tmp_path)

    assert reason in str(result.exception)
    assert not list(tmp_path.glob("*.nstudy"))


def test_a_fault_in_an_archive_names_the_archive(tmp_path: Path) -> None:
    archive = tmp_path / "bad.nstudy"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("study.json", "{")

    result = run("study", "install", archive, "--data-dir", tmp_path / "data")

    assert str(result.exception).startswith(str(archive / "study.json"))


def test_a_damaged_archive_is_refused_in_a_sentence(tmp_path: Path) -> None:
    archive = tmp_path / "bad.nstudy"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("study.json", "".join(str(i) for i in range(2000)))
    data = bytearray(archive.read_bytes())
    data[60:90] = b"\xff" * 30
    archive.write_bytes(bytes(data))

    result = run("study", "install", archive, "--data-dir", tmp_path / "data")

    assert "this is no study" in str(result.exception)


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.nstudy").write_bytes(b"hello")

    result = run("study", "install", tmp_path / "x.nstudy", "--data-dir", tmp_path / "data")

    assert "this is no study" in str(result.exception)


def test_a_plan_has_every_cell_and_order_equally_often(tmp_path: Path) -> None:
    root = write_study(tmp_path / "s", lambda study: study["design"].update(assign="plan"))

    result = run("study", "plan", root, "--data-dir", tmp_path)

    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader((root / "plan.csv").read_text(encoding="utf-8").splitlines()))
    planned = [row for row in rows if row["spare"] == "0"]
    assert len(planned) == 80
    assert len(rows) == 88
    for cell in ("happy-tough", "happy-soft", "angry-tough", "angry-soft"):
        orders = [row["order"] for row in planned if row["cell"] == cell]
        assert sorted(orders) == ["sequence=1-2"] * 10 + ["sequence=2-1"] * 10
    assert run("study", "check", root, "--data-dir", tmp_path).exit_code == 0


def test_a_frozen_study_gets_no_plan_and_stays_as_it_is(tmp_path: Path) -> None:
    root = write_study(tmp_path / "s")
    assert run("study", "freeze", root, "--data-dir", tmp_path).exit_code == 0

    result = run("study", "plan", root, "--data-dir", tmp_path)

    assert result.exit_code != 0
    assert "was frozen, and a plan would change it" in str(result.exception or result.output)
    assert not (root / "plan.csv").exists()
    assert load_study(root, tmp_path).is_frozen


def test_the_schema_accepts_a_study_with_choices() -> None:
    printed = json.loads(run("schema", "study").output)

    assert printed == study_schema()
    jsonschema.Draft202012Validator(printed).validate(STUDY)
