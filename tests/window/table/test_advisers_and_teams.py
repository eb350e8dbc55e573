"""A team of two agents and a person with an adviser play a four-seat game in the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.cli.main import run
from negoplatform.domain.errors import AgentError
from tests.window.conftest import Program, accept_at_last, pictures

pytestmark = pytest.mark.window

START = Callable[..., Program]

NEIGHBOURS = """
from negoplatform.agent_api.actions import FormalAccept, SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Neighbour(NegotiationAgent):
    '''Accepts every complete offer.'''

    def on_game_start(self, ctx, event):
        return [SendMessage(f"Hello from the {ctx.seat}.")]

    def on_send_offer(self, ctx, event):
        return [FormalAccept()] if ctx.can_formally_accept() else []
"""

ADVISER = """
from negoplatform.agent_api.actions import FormalAccept, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent


class Adviser(NegotiationAgent):
    '''Advises an offer at the start, and words for every message of the dairy.'''

    def on_game_start(self, ctx, event):
        plan = {"day": "Saturday", "place": "Market square", "fee": 60, "closing": "8 pm"}
        tidying = {"orchard": 1, "dairy": 1, "council": 1, "school": 1}
        return [SendMessage("How about this?"), SendOffer(ctx.make_offer({**plan, "tidying": tidying}))]

    def on_formal_accept(self, ctx, event):
        return [FormalAccept()]
"""

BROKEN = """
import os
from negoplatform.agent_api.base import NegotiationAgent


class Broken(NegotiationAgent):
    '''Ends its process at the first event.'''

    def on_game_start(self, ctx, event):
        os._exit(3)
"""


@pytest.fixture
def begin(start: START, tmp_path: Path) -> Callable[..., Program]:
    """Function that starts the program for a person with an adviser, a team of two agents and two others."""
    agent, adviser = tmp_path / "neighbour.py", tmp_path / "adviser.py"
    agent.write_text(NEIGHBOURS, encoding="utf-8")
    adviser.write_text(ADVISER, encoding="utf-8")
    seats = ("--agent", str(agent), "--agent", f"dairy=team:{agent}+{agent}", "--adviser", str(adviser))
    return lambda *more: start("--game", "harvest_fair", "--participant", "P01", *seats, *more)


def notes(program: Program, kind: str) -> list[dict[str, Any]]:
    found = [event["payload"] for event in program.events() if event["type"] == "NOTE"]
    return [note["data"] for note in found if note["kind"] == kind]


def newest_advice(program: Program) -> dict[str, Any]:
    """Return the advice that is shown; it may have been announced before the acceptances."""
    shown = [told for told in program.told if told["ev"] == "advice" and told["number"] > 1]
    return shown[-1] if shown else program.wait_for("advice")


def test_a_person_with_an_adviser_and_a_team_of_agents_agree(
    begin: Callable[..., Program], tmp_path: Path
) -> None:
    folder = pictures(tmp_path)
    program = begin()
    first = program.wait_for("advice", number=1)
    program.shoot(folder / "advice.png")
    program.types("Hello. ")
    program.click("advice.use")
    program.wait_for("advice_answered", number=1, used=True)
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="orchard")
    program.click("send_offer")
    for _agent in range(3):
        program.wait_for("shown", type="FORMAL_ACCEPT")
    second = newest_advice(program)
    program.shoot(folder / "advised-acceptance.png")
    accept_at_last(program)
    ended = program.wait_for("ended")
    program.wait_for("finished")

    said = [
        e["payload"]["text"]
        for e in program.events()
        if (e["type"], e["sender"]) == ("SEND_MESSAGE", "orchard")
    ]
    assert "“How about this?” Offer: Day: Saturday" in first["text"]
    assert said == ["Hello. How about this?"]
    assert second["text"] == "Finalise the deal"
    assert ended["heading"] == "You have a deal"
    assert notes(program, "advice_answered")[0]["verdict"] == "used"
    assert notes(program, "advice_answered")[-1]["verdict"] == "used"
    files = [word for file in ("neighbour", "adviser") for word in ("--agent", str(tmp_path / f"{file}.py"))]
    assert run(["resimulate", str(program.log()), "--data-dir", str(program.data_dir), *files]) == 0


def test_advice_can_be_dismissed_with_the_keyboard_and_nothing_of_it_is_sent(
    begin: Callable[..., Program],
) -> None:
    program = begin()
    program.wait_for("advice", number=1)
    program.wait_for("shown", type="SEND_MESSAGE", sender="school")

    program.tab_to("advice.dismiss")
    program.press("space")
    program.wait_for("advice_answered", number=1, used=False)
    assert program.wait_for("no_advice")["text"] == "Your adviser has no new suggestion."
    assert "advice.dismiss" not in program.widgets
    program.types("I decide.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="orchard")

    assert [note["verdict"] for note in notes(program, "advice_answered")] == ["dismissed"]
    assert not [e for e in program.events() if e["type"] == "SEND_OFFER" and e["sender"] == "orchard"]


def test_a_person_is_told_that_the_adviser_has_stopped(start: START, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(BROKEN, encoding="utf-8")
    once = tmp_path / "once.json"
    once.write_text('{"budget": {"restarts": 0}}', encoding="utf-8")
    seats = ("--participant", "P01", "--agent", "fair", "--adviser", f"{broken}@{once}")
    program = start("--game", "practice", *seats)
    program.may_report = AgentError

    program.wait_until(
        lambda told: told["ev"] == "no_advice" and "has stopped" in told["text"],
        "that the adviser has stopped",
    )
    program.types("Hello.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")

    assert not [event for event in program.events() if event["type"] == "GAME_END"]
