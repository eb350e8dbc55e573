"""Partners of a study file: agents, wizards and second persons, with a sentence for each mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.study.partner_check import shipped_hashes
from negoplatform.app.study.study_check import StudyFindingKind, check_study
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.joining_settings import (
    WAIT_FOR_LINK,
    LostLinkAction,
    LostLinkRule,
    SuggestionTimeout,
    WizardMode,
    WizardSettings,
)
from negoplatform.formats.strict_json import validate_json
from negoplatform.study.partners import PartnerModel
from tests.study.others import WITH_PERSON, WITH_WIZARD, study_with


def partner(**keys: Any) -> PartnerModel:
    return validate_json(PartnerModel, json.dumps(keys), "study.json")


def findings(folder: StudyFolder, kind: StudyFindingKind) -> list[tuple[str, str]]:
    return [(one.where, one.reason) for one in check_study(folder) if one.kind is kind]


def test_a_wizard_has_the_usual_settings_or_those_of_the_file() -> None:
    usual = partner(agent="fair", wizard=True)
    own = partner(agent="fair", wizard={"mode": "manual", "on_timeout": "drop", "delay_seconds": 1.5})

    assert usual.wizard_settings == WizardSettings()
    assert own.wizard_settings == WizardSettings(WizardMode.MANUAL, 20.0, SuggestionTimeout.DROP, 1.5)
    assert partner(agent="fair", wizard=False).wizard_settings is None


def test_a_lost_connection_of_a_person_is_waited_for_unless_the_file_says_otherwise() -> None:
    taken_over = {"action": "agent", "seconds": 5, "agent": "fair"}

    assert partner(person=True).lost_link_rule == WAIT_FOR_LINK
    assert partner(person=True, lost_link={"action": "end"}).lost_link_rule == LostLinkRule(
        LostLinkAction.END
    )
    found = partner(person=True, lost_link=taken_over)
    assert found.lost_link_rule == LostLinkRule(LostLinkAction.AGENT, 5.0, "fair")
    assert found.agents == ("fair",)


@pytest.mark.parametrize(
    ("keys", "where", "reason"),
    [
        ({}, "", "a partner is an agent or a person"),
        ({"person": True, "agent": "fair"}, "", "a person has no agent"),
        ({"person": True, "wizard": True}, "", "a person has no wizard"),
        ({"person": True, "mood": "sad"}, "", "a person has no mood"),
        (
            {"agent": "fair", "lost_link": {"action": "end"}},
            "",
            "lost_link is for a partner with person: true",
        ),
        ({"agent": "fair", "participant_name": "Kim"}, "", "participant_name is for a partner with person"),
        ({"agent": "fair", "wizard": "yes"}, "wizard", "true or false belongs here"),
        ({"agent": "fair", "wizard": {"mode": "auto"}}, "wizard.mode", "'manual'"),
        ({"agent": "fair", "wizard": {"seconds": 3}}, "wizard.seconds", "this key is not known here"),
        ({"agent": "fair", "wizard": {"suggestion_seconds": 601}}, "wizard.suggestion_seconds", "600"),
        ({"agent": "fair", "wizard": {"delay_seconds": -1}}, "wizard.delay_seconds", "0"),
        ({"person": True, "lost_link": {"action": "agent"}}, "lost_link", "the action agent needs an agent"),
        ({"person": True, "lost_link": {"agent": "fair"}}, "lost_link", "the action agent needs an agent"),
        ({"person": True, "lost_link": {"seconds": 3}}, "lost_link", "the action wait has no seconds"),
    ],
)
def test_a_partner_that_cannot_be_is_refused_with_its_place(
    keys: dict[str, Any], where: str, reason: str
) -> None:
    with pytest.raises(InputFileError) as refused:
        partner(**keys)

    assert refused.value.where == where
    assert reason in refused.value.reason


@pytest.mark.parametrize("kind", [WITH_WIZARD, WITH_PERSON], ids=["wizard", "person"])
def test_a_study_with_a_wizard_or_a_person_has_no_errors(tmp_path: Path, kind: dict[str, Any]) -> None:
    folder = study_with(tmp_path, kind)

    assert findings(folder, StudyFindingKind.ERROR) == []


@pytest.mark.parametrize("kind", [WITH_WIZARD, WITH_PERSON], ids=["wizard", "person"])
def test_a_game_of_three_seats_is_refused_with_a_wizard_or_a_person(
    tmp_path: Path, kind: dict[str, Any]
) -> None:
    partner = {**kind, "agent": "tac_baseline"} if "agent" in kind else kind
    folder = study_with(
        tmp_path, partner, games=1, change=lambda s: s["stages"][0]["rounds"][0].update(game="tac_market")
    )

    ((where, reason),) = findings(folder, StudyFindingKind.ERROR)

    assert where == "stages.r.rounds[0]"
    assert "plays games of two seats; tac_market has" in reason


def test_an_agent_that_is_to_take_the_seat_exists_and_plays_the_game(tmp_path: Path) -> None:
    def with_stand_in(agent: str, folder: Path) -> list[tuple[str, str]]:
        lost = {"action": "agent", "agent": agent}
        return findings(study_with(folder, {**WITH_PERSON, "lost_link": lost}), StudyFindingKind.ERROR)

    assert with_stand_in("counting", tmp_path / "fits") == []
    ((missing, why),) = with_stand_in("nobody_there", tmp_path / "missing")
    assert missing == "partners.a.lost_link.agent"
    assert "nobody_there" in why
    unfit = with_stand_in("tac_baseline", tmp_path / "unfit")
    assert [where for where, _ in unfit] == ["stages.r.rounds[0]", "stages.r.rounds[1]"]


def test_an_agent_that_may_take_a_seat_is_part_of_a_frozen_study(tmp_path: Path) -> None:
    lost = {"action": "agent", "agent": "fair"}

    found = shipped_hashes(study_with(tmp_path, {**WITH_PERSON, "lost_link": lost}))

    assert "agents/fair" in found


def test_a_wizard_that_no_page_explains_gets_a_warning(tmp_path: Path) -> None:
    debrief = {"kind": "page", "id": "debrief", "text": "debrief.md"}

    silent = findings(study_with(tmp_path / "silent", WITH_WIZARD), StudyFindingKind.WARNING)
    told = findings(
        study_with(tmp_path / "told", WITH_WIZARD, change=lambda s: s["stages"].insert(1, debrief)),
        StudyFindingKind.WARNING,
    )

    assert [reason for _, reason in silent if "decides what the partner 'a' does" in reason]
    assert not [reason for _, reason in told if "decides what the partner" in reason]


def test_a_person_who_is_to_forget_the_rounds_before_gets_a_warning(tmp_path: Path) -> None:
    folder = study_with(tmp_path, WITH_PERSON, change=lambda s: s["stages"][0].update(same_partner=False))

    found = findings(folder, StudyFindingKind.WARNING)

    assert [where for where, reason in found if "remembers the rounds before" in reason] == [
        "stages.r.same_partner"
    ]
