"""Meta part of a seat's typed state, as its readers get it in a session."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.simulation.simulate import simulate
from negoplatform.core.events import Event
from negoplatform.core.state import MetaInformation, Phase
from negoplatform.core.typed_state.typed_game_state import game_number
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.plugins.game_state_loader import with_matching_state_plugin
from negoplatform.testing import TrialTable
from tests.games import three_seats

NOWHERE = Path("no such folder")


class Watcher(NegotiationAgent):
    """Agent that keeps the phase that it is shown with each event, and speaks once when the game ends."""

    def __init__(self) -> None:
        super().__init__()
        self.phases: list[int | str] = []

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.phases.append(ctx.state.meta.phase)
        return [SendMessage("Goodbye.")] if event.type == "GAME_END" else []


def test_a_reader_finds_session_game_and_seats() -> None:
    table = TrialTable(three_seats(), session_id="s-1")
    table.start()

    meta = table.context("blue").state.meta

    assert meta == MetaInformation(
        game_id=table.state.game.name,
        session_id="s-1",
        seat="blue",
        seat_number=3,
        seats=("red", "green", "blue"),
        phase="negotiating",
    )


def test_the_phase_goes_from_setup_to_done(game: GameSpec) -> None:
    table, watcher = TrialTable(game), Watcher()
    table.seat(watcher)
    before = table.context("agent").state.meta.phase

    table.human.says("Hello.")
    table.human.quits()
    table.wait(2)
    table.play_out()

    after = table.context("agent").state.meta.phase
    assert [before, *dict.fromkeys(watcher.phases), after] == ["setup", "negotiating", "closing", "done"]


def test_a_session_is_done_at_its_close_and_behind_its_closing(game: GameSpec) -> None:
    table = TrialTable(game)
    table.start()
    phases = [table.session.phase]
    table.human.quits()
    phases.append(table.session.phase)

    table.session.close()

    assert [*phases, table.session.phase] == [Phase.NEGOTIATING, Phase.CLOSING, Phase.DONE]
    assert table.state.phase is Phase.CLOSING, "the state follows from events, and no event marks the close"


STATE = """
from pydantic import Field
from negoplatform.core.state import EventField, GameState, MetaInformation

class Meta(MetaInformation):
    game_id: int = EventField(default=0, exclude_from_mapping=True)
    phase: int = EventField(default=0, event_key="phase")
    seen: str = EventField(default="", exclude_from_mapping=True)

class Land(GameState):
    meta: Meta = Field(default_factory=Meta)

    def __init__(self, game_id: int):
        super().__init__()
        self.meta.game_id = game_id

    def get_custom_handlers(self):
        return {"tax-announced": self._see, "land-registered": self._see}

    def _see(self, event_type, data):
        self.meta.seen = f"{self.meta.session_id} {self.meta.game_id} {self.meta.seat_number}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Game whose state class takes only numbers, as those of other platforms do."""
    made = tmp_path / "land"
    made.mkdir()
    text = (Path(__file__).parents[3] / "games" / "land_sale" / "game.json").read_text(encoding="utf-8")
    (made / "game.json").write_text(text, encoding="utf-8")
    (made / "state.py").write_text(STATE, encoding="utf-8")
    return made


def test_a_handler_knows_session_game_and_seat_in_the_session_and_in_its_replay(
    folder: Path, tmp_path: Path
) -> None:
    game, fair = find_game(str(folder), NOWHERE), find_agent("fair", NOWHERE)
    (_,) = simulate(game, [fair, fair], games=1, seed=1, logs=tmp_path / "logs", report=print)
    (path,) = (tmp_path / "logs").rglob("events.jsonl")
    log = read_log(path)
    header = replace(log.header, game=with_matching_state_plugin(log.header.game, [game]))

    states = replay(replace(log, header=header)).state.typed

    begun = f"{header.session_id} {game_number(game.name)}"
    seen = [state.model_dump()["meta"]["seen"] for state in states.values()]
    assert seen == [f"{begun} 1", f"{begun} 2"]
