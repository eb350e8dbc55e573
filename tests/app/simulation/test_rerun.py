"""Agents that are run again on their log: the same actions, or the first difference is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session import resume
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process
from negoplatform.app.session.session_plan import with_counterpart, with_time_limit
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.cli.main import run
from negoplatform.core.events import GAME_START, Failure, FailureKind
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.formats.log_header import Occupant
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.eventlog.logs import rewrite

FICKLE = """
from pathlib import Path
from negoplatform.agent_api.actions import SendMessage, Schedule
from negoplatform.agent_api.base import NegotiationAgent

class Fickle(NegotiationAgent):
    '''Says what stands in a file beside it, so that it can change its mind.'''

    def on_game_start(self, ctx, event):
        return [SendMessage('Hello'), Schedule(9000, lambda ctx: SendMessage('Later'))]

    def on_time(self, ctx, event):
        return [SendMessage((Path(__file__).parent / 'word.txt').read_text())]
"""


SLUGGISH = """
from pathlib import Path
from time import sleep
from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent

class Sluggish(NegotiationAgent):
    '''Takes as long for its first answer as stands in a file beside it.'''

    def on_game_start(self, ctx, event):
        sleep(float((Path(__file__).parent / 'seconds.txt').read_text()))
        return [SendMessage('Hello')]

    def on_time(self, ctx, event):
        return [SendMessage('Well?')]
"""


LIMIT = 30.0
"""Seconds of a game: long enough for callbacks and ticks, and short enough to run again."""

Play = Callable[..., SessionLog]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Function that returns the log of a simulated game; each is played once, and no test writes into it."""

    @cache
    def play(first: str, second: str, game: str = "practice") -> SessionLog:
        folder = tmp_path_factory.mktemp("played")
        if first == "fickle":
            first = str(lay_fickle(folder))
        agents = [find_agent(name, folder) for name in (first, second)]
        spec = with_time_limit(find_game(game, folder), LIMIT)
        games = simulate(spec, agents, games=1, seed=3, logs=folder / "logs", report=lambda _error: None)
        next(games)
        (path,) = (folder / "logs").iterdir()
        return read_log(path)

    return play


def lay_fickle(folder: Path) -> Path:
    """Write an agent whose words come from a file, and return its path."""
    place = folder / "fickle"
    place.mkdir()
    (place / "word.txt").write_text("One")
    (place / "agent.py").write_text(FICKLE)
    return place / "agent.py"


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replacement that runs agents in this process, which is quicker; other tests compare both ways."""

    def seat_beside(
        plugin: AgentPlugin,
        seat: Seat,
        config: Mapping[str, Any],
        *,
        game: GameSpec,
        seed: int,
        **_output: object,
    ) -> PreparedAgent:
        return prepare_in_process(plugin, seat, config, seed=seed, game=game)

    monkeypatch.setattr(resume, "prepare_in_subprocess", seat_beside)


@pytest.fixture
def fickle(tmp_path: Path) -> Path:
    """Agent that played, in a folder of its own."""
    return lay_fickle(tmp_path)


@pytest.mark.parametrize("game", ["land_sale", "job_candidate"])
def test_agents_by_chance_do_again_what_they_did(tmp_path: Path, played: Play, game: str) -> None:
    found = resimulate(played("random_bids", "conceder", game), tmp_path)

    assert found.differences == ()
    assert found.agents == 2
    assert found.acts > 5


def test_agents_at_another_pace_and_with_set_faces_do_again_what_they_did(tmp_path: Path) -> None:
    agents = [find_agent(name, tmp_path) for name in ("conceding", "conceder")]
    values = {"mood": "SAD", "face_seconds": 4, "pace": 1.5}
    game = with_counterpart(with_time_limit(find_game("practice", tmp_path), LIMIT), values)
    next(simulate(game, agents, games=1, seed=3, logs=tmp_path / "logs", report=lambda _error: None))
    (path,) = (tmp_path / "logs").iterdir()

    found = resimulate(read_log(path), tmp_path)

    assert found.differences == ()
    assert {e.payload.duration_ms for e in read_log(path).events if e.get_expression()} == {4000}


def test_callbacks_are_called_again_at_the_times_at_which_they_were_called(
    tmp_path: Path, played: Play, fickle: Path
) -> None:
    log = played("fickle", "fair")

    found = resimulate(log, tmp_path, [str(fickle)])

    assert found.differences == ()
    assert any(event.get_text() == "Later" for event in log.events)


def test_the_folder_of_the_session_stays_as_it_was(tmp_path: Path, played: Play, fickle: Path) -> None:
    folder = played("fickle", "fair").path.parent
    before = {file.name: file.read_bytes() for file in folder.iterdir()}

    resimulate(played("fickle", "fair"), tmp_path, [str(fickle)])

    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.usefixtures("beside")
def test_the_first_difference_is_named(
    tmp_path: Path,
    played: Play,
    fickle: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = played("fickle", "fair")
    (fickle.parent / "word.txt").write_text("Two")

    code = run(["resimulate", str(log.path), "--agent", str(fickle), "--data-dir", str(tmp_path)])

    first = next(event for event in log.events if event.get_text() == "One")
    out = capsys.readouterr().out.splitlines()
    assert code == 1
    assert out[0].startswith(f"line {first.seq + 1} (event {first.seq}): the agent at {first.sender}: ")


def test_an_agent_that_changed_since_is_not_taken_for_the_same(
    tmp_path: Path, played: Play, fickle: Path
) -> None:
    log = played("fickle", "fair")
    fickle.write_text(FICKLE + "\n# another line\n")

    with pytest.raises(NegoError, match="is not here as it was"):
        resimulate(log, tmp_path, [str(fickle)])


def test_a_log_that_was_exported_cannot_be_run_again(
    tmp_path: Path, played: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    log = played("fair", "conceder")
    out = tmp_path / "view.jsonl"
    assert run(["replay", str(log.path), "--view", "public", "--out", str(out)]) == 0
    capsys.readouterr()

    assert run(["resimulate", str(out), "--data-dir", str(tmp_path)]) == 1
    assert "only a complete log" in capsys.readouterr().err


def test_a_log_without_an_agent_in_which_an_agent_decided_cannot_be_run_again(
    tmp_path: Path, played: Play
) -> None:
    log = played("fair", "conceder")
    people = SeatMap((seat, Occupant("human", "Participant")) for seat in log.header.seats)

    with pytest.raises(NegoError, match="no agent took part in this session, and yet"):
        resimulate(replace(log, header=replace(log.header, seats=people)), tmp_path)


def test_a_session_of_people_alone_has_nothing_to_run_again(tmp_path: Path, played: Play) -> None:
    log = played("fair", "conceder")
    people = SeatMap((seat, Occupant("human", "Participant")) for seat in log.header.seats)
    start = log.events[:1]

    found = resimulate(
        replace(log, header=replace(log.header, seats=people), events=start, times=log.times[:1]), tmp_path
    )

    assert (found.agents, found.acts, found.differences) == (0, 0, ())


@pytest.mark.usefixtures("beside")
def test_an_act_that_was_slipped_into_the_log_is_noticed(tmp_path: Path, played: Play) -> None:
    log = played("fair", "conceder")
    lines: list[dict[str, Any]] = [json.loads(line) for line in log.path.read_text("utf-8").splitlines()]
    said = next(line for line in lines if line.get("type") == "SEND_MESSAGE")
    said["payload"]["text"] = "Something else."
    forged = tmp_path / "forged.jsonl"
    for line in lines:
        del line["hash"]
    rewrite(forged, lines)

    found = resimulate(read_log(forged), tmp_path)

    assert found.differences[0].seq == said["seq"]


def lay_sluggish(folder: Path, seconds: float) -> Path:
    """Write an agent that takes so long for its first answer, and return its path."""
    place = folder / "sluggish"
    place.mkdir(exist_ok=True)
    (place / "seconds.txt").write_text(str(seconds))
    (place / "agent.py").write_text(SLUGGISH)
    return place / "agent.py"


def log_of_sluggish(folder: Path, budget: AgentBudget, *, isolated: bool = False) -> SessionLog:
    """Return the log of that agent, under a budget, with one that concedes."""
    agents = [find_agent(name, folder) for name in (str(folder / "sluggish" / "agent.py"), "conceder")]
    game = with_time_limit(find_game("practice", folder), LIMIT)
    game = replace(game, rules=replace(game.rules, agents=budget))
    games = simulate(
        game,
        agents,
        games=1,
        seed=3,
        logs=folder / "logs",
        report=lambda _error: None,
        how=Seatings.GIVEN,
        isolated=isolated,
    )
    list(games)
    (path,) = (folder / "logs").glob("*/events.jsonl")
    return read_log(path)


def test_an_agent_that_takes_longer_than_its_budget_now_is_still_compared(tmp_path: Path) -> None:
    agent = lay_sluggish(tmp_path, 0)
    log = log_of_sluggish(tmp_path, AgentBudget(soft_seconds=1, hard_seconds=1))
    lay_sluggish(tmp_path, 1.2)

    found = resimulate(log, tmp_path, [str(agent)])

    assert found.differences == ()


def test_an_agent_that_is_lost_now_is_named_first_and_compared_no_further(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = lay_sluggish(tmp_path, 0)
    log = log_of_sluggish(tmp_path, AgentBudget(soft_seconds=0.1, hard_seconds=0.1))
    lay_sluggish(tmp_path, 600)

    assert run(["resimulate", str(log.path), "--agent", str(agent), "--data-dir", str(tmp_path)]) == 1

    (line,) = capsys.readouterr().out.splitlines()
    (start,) = (event for event in log.events if event.type == GAME_START)
    assert line == (
        f"line {start.seq + 1} (event {start.seq}): the agent at {log.header.game.seats[0]}: "
        "it did not react within 1 s now, and what it did from there on is not compared."
    )


def test_an_agent_that_was_lost_for_its_slowness_may_be_quick_now(tmp_path: Path) -> None:
    agent = lay_sluggish(tmp_path, 600)
    budget = AgentBudget(soft_seconds=0.5, hard_seconds=0.5, restarts=0, fallback="fair")
    log = log_of_sluggish(tmp_path, budget, isolated=True)
    lay_sluggish(tmp_path, 0)

    found = resimulate(log, tmp_path, [str(agent)])

    losses = [event.payload.kind for event in log.events if isinstance(event.payload, Failure)]
    assert losses == [FailureKind.LOST]
    assert found.differences == ()
