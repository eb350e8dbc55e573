"""The start request of an agent's process, at any length, and the part of it that the agent can find."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.session.agent_setup import prepare_in_subprocess
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_protocol import LONGEST_REQUEST, StartRequestModel, decode_request
from negoplatform.formats.games import load_game
from negoplatform.formats.strict_json import LARGEST_FILE
from negoplatform.hosting.agent_process_proxy import make_process
from tests.hosting.conftest import Make
from tests.hosting.processes import PATIENT, hostile, request_about, start_request_for, started
from tests.wine import RUNS_UNDER_WINE

pytestmark = pytest.mark.timeout(110)

MIRROR = Path(__file__).parent / "mirror.py"
COUNTER = Path(__file__).parent / "counter.py"
MY_AGENT = Path(__file__).parent.parent / "plugin_files" / "my_agent.py"

SETTINGS: dict[str, dict[str, Any]] = {
    "one long text": {"note": "x" * 70_000},
    "as many keys as a file may have": {"notes": {f"{i}": [] for i in range(9_990)}},
    "as deep as a file may be": json.loads('{"note":' * 100 + "1" + "}" * 100),
    "as long as a file may be": {"note": "é" * (LARGEST_FILE // 2 - 20)},
}


@pytest.mark.parametrize("which", SETTINGS)
def test_an_agent_with_long_settings_is_made_ready(tmp_path: Path, game: GameSpec, which: str) -> None:
    plugin = find_agent(str(MY_AGENT), tmp_path)  # it declares no settings, so it takes any

    seated = prepare_in_subprocess(plugin, game.seats[1], SETTINGS[which], game=game, seed=1)
    seated.discard()

    assert seated.name


def large_game(folder: Path, values: int) -> GameSpec:
    """Return a game of six issues with so many values of 70 letters each."""
    names = [f"{i:070}" for i in range(values)]
    issues = [{"kind": "categorical", "name": f"issue{k}", "values": names} for k in range(6)]
    points = {f"issue{k}": {"values": {name: i for i, name in enumerate(names)}} for k in range(6)}
    seats = {seat: {"preferences": {"issues": points, "reservation_value": 1}} for seat in ("human", "agent")}
    path = folder / "large.json"
    document = {"schema": "negoplatform.game/1", "name": "large", "issues": issues, "seats": seats}
    path.write_text(json.dumps(document), encoding="utf-8")
    return load_game(path)


@pytest.mark.parametrize(("values", "length"), [(90, 100_000), (715, LARGEST_FILE * 99 // 100)])
def test_an_agent_is_asked_about_a_large_game(tmp_path: Path, values: int, length: int) -> None:
    game = large_game(tmp_path, values)
    assert (tmp_path / "large.json").stat().st_size > length
    process = make_process(
        start_request_for(MIRROR, "Mirror", game, config=SETTINGS["as long as a file may be"])
    )

    answer = process.respond(request_about(started(game)))
    process.stop()

    assert not answer.failure


def test_an_order_is_read_up_to_its_limit_and_not_beyond(practice: GameSpec) -> None:
    start_request = start_request_for(MIRROR, "Mirror", practice, config={"note": ""})
    room = LONGEST_REQUEST - len(start_request.encode())

    line = replace(start_request, config={"note": "x" * room}).encode()
    decoded = decode_request(line)

    assert len(line) == LONGEST_REQUEST
    assert isinstance(decoded, StartRequestModel)
    assert decoded.config == {"note": "x" * room}
    with pytest.raises(NegoError, match="make its tables smaller"):
        replace(start_request, config={"note": "x" * (room + 1)}).encode()


def test_nothing_that_an_agent_comes_upon_leads_to_the_file_for_what_it_prints(
    practice: GameSpec, tmp_path: Path
) -> None:
    output = tmp_path / "the-file-for-prints"
    budget = replace(PATIENT, load_seconds=60.0)
    process = make_process(hostile("finds_its_output", practice, budget=budget, output=output))

    answer = process.respond(request_about(started(practice)))
    process.stop()

    assert answer.steps == (SendMessage("[] [] []"),), answer.failure
    assert output.exists()


@pytest.mark.skipif(sys.platform == "darwin", reason="the system may end it another way")
@pytest.mark.skipif(RUNS_UNDER_WINE, reason="Wine 8 accepts the limits of a job and does not apply them")
def test_an_agent_that_has_used_up_its_processor_time_is_not_said_to_have_run_out_of_memory(
    practice: GameSpec,
) -> None:
    budget = replace(PATIENT, cpu_seconds=2)  # it has used some of it before it is asked
    process = make_process(hostile("loops_in_c", practice, budget=budget))

    answer = process.respond(request_about(started(practice)))
    process.stop()

    assert re.fullmatch("Its process was ended by .*: it had used up its processor time.*", answer.failure), (
        answer.failure
    )
    assert answer.lost


def test_a_process_that_is_started_again_has_no_memory_of_the_game_before(
    practice: GameSpec, make: Make
) -> None:
    request = request_about(started(practice))
    process = make(start_request_for(COUNTER, "Counts", practice, games=2))
    first = [process.respond(request).steps for _ in range(2)]

    process.start(start_request_for(COUNTER, "Counts", practice, games=2))
    second = [process.respond(request).steps for _ in range(2)]

    assert first[0] != first[1]
    assert first == second


def test_a_process_does_not_become_another_agent(practice: GameSpec, make: Make) -> None:
    process = make(start_request_for(COUNTER, "Counts", practice))

    with pytest.raises(NegoError, match="could not handle a message"):
        process.start(start_request_for(MIRROR, "Mirror", practice))

    assert not process.alive


def test_the_processor_time_of_a_process_is_that_of_all_its_games(practice: GameSpec) -> None:
    budget = replace(PATIENT, cpu_seconds=7)

    line = start_request_for(MIRROR, "Mirror", practice, budget=budget, games=30).encode()

    decoded = decode_request(line)
    assert isinstance(decoded, StartRequestModel)
    assert decoded.limits.cpu_seconds == 210
