"""New studies from templates: complete at once, in the languages that are kept, and without a manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from negoplatform.app.study.study_check import check_study
from negoplatform.app.study.study_folder import load_study
from negoplatform.app.study.study_template import TEMPLATES, new_study, shipped_studies
from negoplatform.cli.main import cli
from negoplatform.domain.errors import NegoError


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_study_in_one_language_has_plain_texts_and_no_findings(template: str, tmp_path: Path) -> None:
    folder = new_study(tmp_path / "mine", template, tmp_path, languages=["en"])

    assert check_study(folder) == []
    model = folder.study.model
    assert (model.name, model.version, model.languages) == ("mine", "0.1.0", ["en"])
    assert folder.manifest is None
    assert isinstance(model.title, str)
    assert [path.name for path in (folder.root / "texts").iterdir()] == ["en"]
    assert '"de"' not in folder.file.read_text(encoding="utf-8")


def test_a_new_study_in_two_languages_keeps_both_texts(tmp_path: Path) -> None:
    folder = new_study(tmp_path / "mine", "two_by_two", tmp_path, languages=["de", "en"])

    assert folder.study.model.languages == ["de", "en"]
    assert folder.study.document["title"] == {"de": "Vorräte aufteilen", "en": "Dividing supplies"}
    assert check_study(folder) == []


def test_two_new_studies_have_different_seeds(tmp_path: Path) -> None:
    seeds = {
        new_study(tmp_path / name, "one_shot", tmp_path).study.model.design.seed for name in ("one", "two")
    }

    assert len(seeds) == 2


def test_a_new_study_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()

    with pytest.raises(NegoError, match="already exists"):
        new_study(tmp_path / "mine", "one_shot", tmp_path)


def test_a_new_study_that_is_refused_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(NegoError, match="cannot be called 'My Study': an id has small letters"):
        new_study(tmp_path / "My Study", "one_shot", tmp_path)
    with pytest.raises(NegoError, match="no texts in 'fr'"):
        new_study(tmp_path / "mine", "one_shot", tmp_path, languages=["fr"])

    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_to_do_next_and_its_study_can_be_frozen_and_installed(tmp_path: Path) -> None:
    root, data = tmp_path / "mine", ("--data-dir", tmp_path / "data")

    made = run("study", "new", root, "--from", "two_by_two", "--language", "en", "--title", "Sharing", *data)
    frozen = run("study", "freeze", root, *data)
    installed = run("study", "install", root, *data)
    listed = run("study", "list", *data)

    assert (made.exit_code, frozen.exit_code, installed.exit_code, listed.exit_code) == (0, 0, 0, 0)
    assert f"negoplatform study rehearse {root} --participants 80" in made.output
    assert load_study(root, tmp_path).study.model.title == "Sharing"
    assert "mine-0.1.0  installed, frozen" in listed.output
    for name in shipped_studies():
        assert f"{name}-1.0.0  comes with the program, frozen" in listed.output


def test_a_shipped_study_is_installed_by_its_name(tmp_path: Path) -> None:
    found = run("study", "install", "one_shot", "--data-dir", tmp_path)
    unknown = run("study", "install", "chess", "--data-dir", tmp_path)

    assert found.exit_code == 0, found.output
    assert (tmp_path / "studies" / "one_shot-1.0.0" / "study.json").is_file()
    assert unknown.exit_code == 1
    assert "the shipped studies are anger_2x2, favours_rounds" in str(unknown.exception)


def test_a_frozen_study_names_the_part_of_the_program_that_changed_since(tmp_path: Path) -> None:
    root = tmp_path / "mine"
    new_study(root, "one_shot", tmp_path, languages=["en"])
    run("study", "freeze", root, "--data-dir", tmp_path)
    manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
    manifest["shipped"]["agents/fair"] = "0" * 64
    (root / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    (finding,) = check_study(load_study(root, tmp_path))

    assert "was frozen with another agents/fair" in finding.reason
