"""Check of principals and assistants, which have no seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import check_agent
from negoplatform.testing.trial_games import trial_games

GAMES = [game for game in trial_games() if game.name == "market_stall"] or trial_games()[:1]

HEAD = """
from negoplatform.agent_api import Instruct, PrincipalAgent


class Head(PrincipalAgent):
    def on_tick(self, ctx):
        {body}
"""

AGENDA = """
from negoplatform.agent_api import AgendaAssistant, Plan


class Mine(AgendaAssistant):
    def plan(self, ctx):
        {body}
"""


def sentences(folder: Path, source: str, body: str) -> str:
    file = folder / "subject.py"
    file.write_text(source.replace("{body}", body), encoding="utf-8")
    return "\n".join(str(finding) for finding in check_agent(file, games=GAMES))


@pytest.mark.parametrize("name", ["agenda", "insights", "debrief"])
def test_the_shipped_assistants_have_no_fault(name: str) -> None:
    assert check_agent(bundled("agents") / f"{name}.py", games=GAMES) == []


@pytest.mark.parametrize(
    ("source", "body", "fault"),
    [
        (HEAD, 'return [Instruct("nowhere", {"budget": 1})]', "nowhere"),
        (HEAD, "return 1 / 0", "ZeroDivisionError"),
        (HEAD, "return []", "gives no mandate"),
        (AGENDA, 'return Plan([], {"deal": {"price": 1}})', "refused"),
        (AGENDA, "return 7", "Plan"),
        (
            AGENDA,
            'self.n = globals().setdefault("calls", []); self.n.append(1); '
            'return Plan([{"task_id": str(len(self.n))}])',
            "does not do the same",
        ),
    ],
)
def test_a_fault_is_found_in_a_game(source: str, body: str, fault: str, tmp_path: Path) -> None:
    assert fault in sentences(tmp_path, source, body)


def test_a_principal_that_instructs_its_seats_has_no_fault(tmp_path: Path) -> None:
    body = 'return [Instruct(seat, {"reservation_value": 1}) for seat in ctx.subordinates]'

    assert sentences(tmp_path, HEAD, body) == ""
