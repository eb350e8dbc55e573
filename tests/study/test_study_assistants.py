"""Assistants of a study: named by a negotiation, set up with each of its sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.study.study_check import StudyFindingKind, check_study
from negoplatform.app.visit.visit_agents import VisitAgents
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.errors import InputFileError
from tests.study.rounds import rounds_study
from tests.study.visits import begin


def with_assistants(**keys: Any) -> Callable[[dict[str, Any]], object]:
    """Return a change that gives all rounds of a study these keys."""
    return lambda document: [one.update(keys) for one in document["stages"][0]["rounds"]]


def test_a_negotiation_names_assistants_and_a_coach(tmp_path: Path) -> None:
    folder = rounds_study(tmp_path, change=with_assistants(assistants=["tips=insights"], coach=True))
    run = begin(folder)
    agents = VisitAgents(run, isolated=False, report=lambda error: pytest.fail(str(error)))
    try:
        plan = agents.plan()
    finally:
        agents.stop()
        run.close()

    specs = plan.header().game.assistants
    assert {name: (spec.kind, spec.seat, spec.coach) for name, spec in specs.items()} == {
        "tips": (AssistantKind.INSIGHTS, "agent", False),
        "coach": (AssistantKind.AGENDA, "human", True),
    }
    assert set(plan.assistants) == {"tips", "coach"}


def test_a_text_that_names_no_assistant_is_a_fault_of_the_study(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="'=agenda' names no assistant"):
        rounds_study(tmp_path, change=with_assistants(assistants=["=agenda"]))


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ("agnda", "There is no assistant 'agnda'; the nearest name is 'agenda'."),
        ("fair", "fair is an agent for a seat; choose an assistant"),
        ("human=agenda", "An assistant cannot be named 'human'"),
    ],
)
def test_the_check_finds_an_assistant_that_cannot_be_one(tmp_path: Path, wanted: str, reason: str) -> None:
    found = check_study(rounds_study(tmp_path, change=with_assistants(assistants=[wanted])))

    errors = [one for one in found if one.kind is StudyFindingKind.ERROR]
    assert errors
    assert all(one.where.endswith(".assistants") and one.reason.startswith(reason) for one in errors)
