"""Files that docs/architecture.md lists for an offer and an agent's answer, compared with those called."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import negoplatform
from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.eventlog.failover import FailoverLog
from negoplatform.eventlog.writer import LogWriter
from negoplatform.testing import TrialTable
from tests.eventlog.logs import header_for
from tests.inline_participant import AtOnce, participant_at

PACKAGE = Path(negoplatform.__file__).parent
PAGE = PACKAGE.parent / "docs" / "architecture.md"
MOST = 25


def listed(title: str) -> list[str]:
    """Return the files of a numbered list under a heading, in order."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"^\d+\. `([^`]+\.py)`", section, re.MULTILINE)


def passed(do: Callable[[], object]) -> list[str]:
    """Return the package's files that a call goes through, in the order of their first call."""
    files: dict[str, None] = {}

    def note(frame: FrameType, event: str, _arg: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE):
            files.setdefault(path.relative_to(PACKAGE).as_posix())

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(before)
    return list(files)


class Answering(NegotiationAgent):
    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("I see.")]


@pytest.mark.parametrize("title", ["The way of one offer", "The way of one agent's answer"])
def test_a_listed_way_is_short_and_of_files_that_exist(title: str) -> None:
    files = listed(title)

    assert 10 < len(files) <= MOST
    assert [file for file in files if not (PACKAGE / file).is_file()] == []


def test_an_offer_passes_the_listed_files_in_the_listed_order(game: GameSpec, tmp_path: Path) -> None:
    table = TrialTable(game, log=FailoverLog(LogWriter(tmp_path / "s", header_for(game))))
    table.seat(Answering())
    participant = participant_at(AtOnce(table))
    table.start()
    ours = listed("The way of one offer")
    ours = ours[ours.index("app/session/participant_actions.py") : ours.index("core/visibility.py")]

    files = passed(lambda: participant.send_offer(Offer({"bananas": Allocation({"human": 3, "agent": 1})})))

    assert [file for file in files if file in ours] == ours


def test_an_answer_passes_the_listed_files(table: TrialTable) -> None:
    table.seat(Answering())
    table.start()
    in_process = {
        "agent_process_proxy",
        "agent_protocol",
        "child_process",
        "transport",
        "agent_main",
        "agent_actions",
    }
    ours = {
        file
        for file in listed("The way of one agent's answer")
        if Path(file).stem not in in_process and file != "app/session/live_session.py"
    }

    def answered() -> None:
        table.human.offers(bananas=(2, 2))
        table.wait(2)

    assert ours - set(passed(answered)) == set()
