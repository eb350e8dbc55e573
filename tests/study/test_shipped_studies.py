"""Shipped studies: sound, frozen as they are, complete for an ethics board, and playable to the end."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from negoplatform.app.study.partner_check import shipped_hashes
from negoplatform.app.study.study_check import check_study
from negoplatform.app.study.study_data import study_data
from negoplatform.app.study.study_folder import (
    MANIFEST_NAME,
    StudyFolder,
    build_manifest,
    load_study,
    shipped_instruments,
)
from negoplatform.app.study.study_template import shipped_studies
from negoplatform.cli.main import cli
from negoplatform.eventlog.visit_log import VisitRecord, replay_visit
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.stages import FormStage
from negoplatform.study.study_schema import instrument_schema, study_schema

JUSTIFIED = {
    # The agents that talk have no Hebrew words; the Hebrew instructions say that they write in English.
    "one_shot": ["partners.main.agent", "partners.trainer.agent"],
    "favours_rounds": ["partners.main.agent", "partners.trainer.agent"],
    "operated_partner": ["partners.main.agent", "partners.trainer.agent"],
}
"""Places of the warnings that a shipped study may have."""

WRITES_IN_ENGLISH = "התוכנה כותבת באנגלית"

MOST_LIX = {"en": 35, "de": 45}
"""Largest LIX: up to 40 a text is easy (Björnsson, 1968); German has longer words."""

LONGEST_SENTENCE = 30

CONSENT_PLACEHOLDERS = {"title", "contact", "lab", "show_up", "rate", "least", "most"}


def shipped(name: str, data: Path) -> StudyFolder:
    return load_study(bundled("studies") / name, data)


@pytest.mark.parametrize("name", shipped_studies())
def test_a_shipped_study_has_no_warnings_but_the_justified_ones(name: str, tmp_path: Path) -> None:
    folder = shipped(name, tmp_path)

    findings = check_study(folder)

    assert [finding.where for finding in findings] == JUSTIFIED.get(name, []), [one.text for one in findings]
    assert folder.study.model.languages == ["en", "de", "he"]
    if findings:
        assert WRITES_IN_ENGLISH in folder.text_path("task.md", "he").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", shipped_studies())
def test_a_shipped_study_is_frozen_as_it_is(name: str, tmp_path: Path) -> None:
    folder = shipped(name, tmp_path)

    frozen = (folder.root / MANIFEST_NAME).read_bytes()

    assert folder.is_frozen
    assert frozen == build_manifest(folder, shipped_hashes(folder)), (
        f"{name}, or a game, agent or instrument in it, was changed; run: make studies"
    )


@pytest.mark.parametrize("name", shipped_studies())
def test_simulated_people_come_to_the_end_of_a_shipped_study(name: str, tmp_path: Path) -> None:
    folder = shipped(name, tmp_path)

    told = CliRunner().invoke(
        cli, ["study", "rehearse", str(folder.root), "--participants", "6", "--data-dir", str(tmp_path)]
    )

    assert told.exit_code == 0, told.output
    records = list(study_data(folder, tmp_path, is_test=True).records())
    visits = [replay_visit(folder.study, one) for one in records if isinstance(one, VisitRecord)]
    finished = [visit for visit in visits if visit.ended == "finished" and visit.paid is not None]
    rules = folder.study.model.payment
    assert rules is not None
    assert rules.least is not None
    assert rules.most is not None
    amounts = {visit.paid.amount for visit in finished if visit.paid is not None}
    assert len(finished) >= 4
    assert len(amounts) > 1
    assert all(rules.least <= Decimal(str(amount)) <= rules.most for amount in amounts)


@pytest.mark.parametrize("name", shipped_studies())
def test_every_text_of_a_shipped_study_is_in_use_and_says_the_same_in_each_language(
    name: str, tmp_path: Path
) -> None:
    folder = shipped(name, tmp_path)
    document = json.dumps(folder.study.document)

    # Hebrew sentences leave the partner's name out where a verb would need its gender.
    shapes: dict[str, dict[str, tuple[list[str], list[str]]]] = {}
    for code in folder.study.model.languages:
        for path in sorted((folder.root / "texts" / code).iterdir()):
            assert f'"{path.name}"' in document, path
            blocks = folder.text(path.name, code)
            used = sorted(set(re.findall(r"{(\w+)}", path.read_text(encoding="utf-8"))) - {"partner"})
            shapes.setdefault(path.name, {})[code] = ([block.kind for block in blocks], used)

    for text, by_language in shapes.items():
        assert by_language["en"] == by_language["de"] == by_language["he"], text


@pytest.mark.parametrize("name", shipped_studies())
@pytest.mark.parametrize("language", ["en", "de", "he"])
def test_a_consent_says_what_an_ethics_board_asks_for(name: str, language: str, tmp_path: Path) -> None:
    folder = shipped(name, tmp_path)
    source = folder.text_path("consent.md", language).read_text(encoding="utf-8")

    headings = [block for block in folder.text("consent.md", language) if block.kind == "heading"]

    # Purpose, procedure, payment, risks, voluntariness, data, questions, consent, and a title; and what is
    # told only at the end, where there is something.
    assert len(headings) == 9 + (name != "one_shot")
    assert set(re.findall(r"{(\w+)}", source)) >= CONSENT_PLACEHOLDERS
    assert folder.study.model.stage("debrief") is not None


@pytest.mark.parametrize("name", shipped_studies())
@pytest.mark.parametrize("language", ["en", "de", "he"])
def test_a_person_of_fifteen_can_read_every_text(name: str, language: str, tmp_path: Path) -> None:
    folder = shipped(name, tmp_path)
    for path in sorted((folder.root / "texts" / language).iterdir()):
        blocks = [block for block in folder.text(path.name, language) if block.kind != "heading"]
        sentences = [part for block in blocks for part in re.split(r"[.!?:;]+(?:\s|$)", block.plain)]
        words = [found for part in sentences if (found := re.findall(r"[^\W\d_][\w’']*", part))]
        count = sum(map(len, words))

        long = sum(len(word) > 6 for sentence in words for word in sentence)

        assert count / len(words) + 100 * long / count <= MOST_LIX.get(language, 35), path
        assert max(map(len, words)) <= LONGEST_SENTENCE, path


def test_the_shipped_studies_fit_their_schema() -> None:
    schema = study_schema()
    for name in shipped_studies():
        document = json.loads((bundled("studies") / name / "study.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(document)


def test_the_shipped_instruments_fit_their_schema() -> None:
    schema = instrument_schema()
    for name in shipped_instruments():
        document = json.loads((bundled("instruments") / f"{name}.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(document)


def test_the_shipped_studies_show_every_shipped_instrument_and_a_guess_of_the_partners_order(
    tmp_path: Path,
) -> None:
    forms = [
        stage
        for name in shipped_studies()
        for stage in shipped(name, tmp_path).study.model.all_stages()
        if isinstance(stage, FormStage)
    ]

    assert {form.instrument for form in forms if form.instrument} == set(shipped_instruments())
    assert any(item.points_guess for form in forms for item in form.items or ())
