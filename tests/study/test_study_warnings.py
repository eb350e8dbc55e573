"""Warnings of the check of a study: one sentence each, with the place and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.study.study_check import StudyFindingKind, check_study
from negoplatform.app.study.study_folder import load_study
from negoplatform.plugins.program_and_user_folders import bundled
from tests.study.studies import Change, stage, write_study


def sam(**values: Any) -> Change:
    return lambda study: study["partners"]["sam"].update(values)


def warnings(root: Path) -> list[tuple[str, str]]:
    """Return place and reason of every warning of a study that has no errors."""
    findings = check_study(load_study(root, root.parent / "data"))
    assert all(finding.kind is StudyFindingKind.WARNING for finding in findings), findings
    return [(finding.where, finding.reason) for finding in findings]


def two_languages(study: dict[str, Any]) -> None:
    study["languages"] = ["en", "he"]
    sam(agent="conceding", settings={})(study)


def no_consent(study: dict[str, Any]) -> None:
    study["stages"].pop(0)


WARNED: dict[str, tuple[Change, str, str]] = {
    "no consent": (no_consent, "stages", "asks for consent"),
    "no practice": (lambda s: stage(s, "practice").pop("counts"), "stages", "no practice"),
    "participants that give no whole blocks": (
        lambda s: s["design"].update(participants=81),
        "design.participants",
        "no multiple of",
    ),
    "public preferences": (lambda s: None, "stages.r.rounds[1]", "preferences, which are public"),
    "an agent that lies by its settings, and no debriefing": (
        lambda s: (
            sam(agent="conceding", settings={"honesty": "lying"})(s),
            stage(s, "debrief").update(id="after"),
        ),
        "stages",
        "add a page with the id debrief",
    ),
    "an agent that breaks promises, and no debriefing": (
        lambda s: (
            sam(agent="favours_betraying", settings={})(s),
            stage(s, "debrief").update(id="after"),
        ),
        "stages",
        "may deceive",
    ),
    "a service that the consent does not name": (
        sam(agent="language_model", settings={"endpoint": "https://example.org/v1", "model": "m"}),
        "stages.consent.text",
        "write {service} there",
    ),
    "a most payment that nobody comes near": (
        lambda s: s["payment"].update(most="99.00"),
        "payment.most",
        "more than 3 times",
    ),
    "a most payment that nobody reaches": (
        lambda s: s["payment"].update(most="30.00"),
        "payment.most",
        "no payment can reach the maximum",
    ),
    "a most payment below the usual one": (
        lambda s: s["payment"].update(most="6.00"),
        "payment.most",
        "most people get the same",
    ),
    "a least payment that never applies": (
        lambda s: s["payment"].update(least="4.99"),
        "payment.least",
        "every payment is at least 5.00",
    ),
    "a long visit": (
        lambda s: [one.update(minutes=40) for one in stage(s, "r")["rounds"]],
        "stages",
        "that is long",
    ),
    "a partner whose name is a condition": (sam(name="Angry Sam"), "partners.sam.name", "read 'angry'"),
    "a title with a condition": (
        lambda s: stage(s, "r").update(title="Happy rounds"),
        "stages.r.title",
        "read 'happy'",
    ),
    "no end": (lambda s: s["stages"].pop(), "stages", "no stage of the kind end"),
    "a payment that is not shown": (lambda s: s["stages"].pop(8), "payment", "shows the participants"),
    "waiting for other computers": (
        lambda s: s["stages"].insert(3, {"kind": "wait", "id": "w", "for": "all_stations"}),
        "stages.w.for",
        "the experimenter lets everybody go on",
    ),
}


@pytest.mark.parametrize("name", WARNED)
def test_a_doubtful_study_gets_a_warning_with_its_place(name: str, tmp_path: Path) -> None:
    change, place, words = WARNED[name]

    found = warnings(write_study(tmp_path / "small", change))

    fitting = [one for one in found if one[0] == place and words in one[1]]
    assert len(fitting) == 1, found
    assert "\n" not in fitting[0][1]
    assert not fitting[0][1].endswith(".")


def test_a_consent_that_names_the_service_gets_no_warning(tmp_path: Path) -> None:
    change = sam(agent="language_model", settings={"endpoint": "https://example.org/v1", "model": "m"})
    root = write_study(tmp_path / "small", change)
    text = root / "texts" / "en" / "consent.md"
    text.write_text(text.read_text(encoding="utf-8") + "\nYour words go to {service}.\n", encoding="utf-8")

    assert not [one for one in warnings(root) if "service" in one[1]]


def test_an_agent_without_words_in_a_language_of_the_study_gets_a_warning(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small", two_languages)
    (root / "texts" / "he").mkdir()
    for path in (root / "texts" / "en").iterdir():
        (root / "texts" / "he" / path.name).write_bytes(path.read_bytes())

    assert [place for place, reason in warnings(root) if "sentences in 'en'" in reason] == [
        "partners.sam.agent"
    ]


def test_a_scale_of_one_item_gets_a_warning(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")
    (root / "instruments").mkdir()
    document = json.loads((bundled("instruments") / "trust_dyadic.json").read_text(encoding="utf-8"))
    document["name"] = "attention"
    document["items"][0]["id"] = "a"
    document["scales"] = [{"name": "alone", "items": ["a"]}]
    (root / "instruments" / "attention.json").write_text(json.dumps(document), encoding="utf-8")

    assert [place for place, reason in warnings(root) if "the scale 'alone' of attention" in reason] == [
        "stages"
    ]


@pytest.mark.parametrize(("text", "warned"), [("instructions.md", True), ("debrief.md", False)])
def test_only_a_debriefing_may_name_a_condition(text: str, warned: bool, tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")
    (root / "texts" / "en" / text).write_text("Some people met an angry partner.\n", encoding="utf-8")

    found = [reason for _, reason in warnings(root) if "names a condition" in reason]

    assert bool(found) is warned


@pytest.mark.parametrize(("after", "warned"), [("debrief", False), ("practice", True)])
def test_a_form_after_the_payment_may_follow_what_names_a_condition(
    after: str, warned: bool, tmp_path: Path
) -> None:
    def ask_at_last(study: dict[str, Any]) -> None:
        page = {"kind": "page", "id": "told", "text": "debrief.md"}
        item = {"id": "agrees", "ask": "May we use your data?", "choices": ["Yes", "No"]}
        ids = [one["id"] for one in study["stages"]]
        study["stages"].insert(ids.index(after) + 1, page)
        study["stages"].insert(-1, {"kind": "form", "id": "data_use", "items": [item]})

    root = write_study(tmp_path / "small", ask_at_last)
    (root / "texts" / "en" / "debrief.md").write_text("Some people met an angry partner.\n", encoding="utf-8")

    assert any("names a condition" in reason for _, reason in warnings(root)) is warned


def test_a_text_that_names_an_agent_gets_a_warning(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")
    (root / "texts" / "en" / "instructions.md").write_text("You meet the conceder.\n", encoding="utf-8")

    assert [reason for _, reason in warnings(root) if "'conceder'" in reason]


def test_a_placeholder_that_there_is_not_is_an_error_in_the_text(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")
    text = root / "texts" / "en" / "instructions.md"
    text.write_text("You get {payement}.\n", encoding="utf-8")

    found = check_study(load_study(root, tmp_path / "data"))

    (error,) = [finding for finding in found if finding.kind is StudyFindingKind.ERROR]
    assert error.reason.startswith("there is no placeholder {payement}; there is ")


def test_a_seat_that_a_game_does_not_have_is_an_error(tmp_path: Path) -> None:
    def sit_nowhere(study: dict[str, Any]) -> None:
        stage(study, "practice")["seat"] = "cook"

    found = check_study(load_study(write_study(tmp_path / "small", sit_nowhere), tmp_path / "data"))

    assert [one.kind for one in found if "cook" in one.reason] == [StudyFindingKind.ERROR]
