"""Agent that speaks through a language model: alone, in a process, run again, and without its packages."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game, list_agents
from negoplatform.app.catalogue.logged_agents import recorded_answers
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import simulate
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.cli.main import run
from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.plugins.agent_loader import make_agent
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.start.agent_option_fields import agent_options
from negoplatform.testing import TrialTable, check_agent
from tests.agents.seating import NOWHERE, shipped
from tests.language_model.service import Request, Response, Service, completion, failing, is_reading, worded

THE_KEY = "the-very-key-of-this-test-4711"


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(lambda _request: worded("Hello there, it is good to see you."))
    yield service
    service.close()


def calls_in(events: list[Event] | tuple[Event, ...]) -> list[dict[str, Any]]:
    """Return the recorded calls in order."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        if event.type == EventType.STATE_PROPOSED:
            model = event.payload.updates.to_dict()["notes"].get(event.sender, {}).get("model", {})
            found |= {number: call for number, call in model.get("calls", {}).items() if call}
    return list(found.values())


CORES: list[str] = (find_agent("language_model", NOWHERE).options or {})["properties"]["core"]["enum"]


@pytest.mark.parametrize("persona", ["warm", "tough"])
@pytest.mark.parametrize("core", CORES)
def test_without_an_endpoint_it_does_what_the_other_agent_does(core: str, persona: str) -> None:
    def play(name: str, **config: Any) -> list[tuple[str, float, object]]:
        table = TrialTable(find_game("practice", NOWHERE).resolve_profiles(1), seed=2)
        table.seat(shipped(name, **config))
        table.wait(3)
        table.human.says("Hello, what would you like?")
        table.wait(20)
        table.human.offers(apples=6)
        table.wait(20)
        assert not table.errors
        return [
            (str(e.type), e.t, e.get_text() if e.type == EventType.SEND_MESSAGE else None)
            for e in table.events
            if e.sender == "agent" and e.type != EventType.STATE_PROPOSED
        ]

    talks = "persona" in (find_agent(core, NOWHERE).options or {})["properties"]
    alone = play(core, persona=persona) if talks else play(core)

    assert play("language_model", core=core, persona=persona) == alone
    assert alone


def test_the_check_finds_nothing_to_complain_about_and_needs_no_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def connect(_socket: socket.socket, _address: object) -> None:
        raise AssertionError("somebody wanted a network")

    monkeypatch.setattr(socket.socket, "connect", connect)

    assert check_agent(bundled("agents") / "language_model.py", games=[find_game("practice", NOWHERE)]) == []


def test_the_record_says_why_templates_speak() -> None:
    table = TrialTable(find_game("practice", NOWHERE).resolve_profiles(1))
    table.seat(shipped("language_model"))
    table.wait(2)

    notes = table.state.record.notes.to_dict()["agent"]["model"]

    assert notes == {"setup": {"templates": "No endpoint is set, so the agent speaks in its own words."}}


def test_an_unknown_core_is_refused_with_a_sentence() -> None:
    with pytest.raises(NegoError, match="The setting 'core' is one of negochat_a, "):
        shipped("language_model", core="language_model")
    with pytest.raises(NegoError, match="There is no setting 'share_of_all'"):
        shipped("language_model", core="fair", core_settings={"share_of_all": 1})


def test_the_window_asks_for_no_budget_and_nothing_recorded() -> None:
    names = [option.name for option in agent_options(find_agent("language_model", NOWHERE).options)]

    assert "endpoint" in names
    assert not {"budget", "recorded"} & set(names)


def test_where_the_extra_is_missing_it_says_what_to_install_and_the_others_load(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.setitem(sys.modules, "keyring", None)

    rows = list_agents(tmp_path)

    assert "language_model" in {row.name for row in rows if row.item is not None}
    assert [row.reason for row in rows if row.item is None] == []
    assert shipped("language_model").get_name()
    with pytest.raises(
        NegoError,
        match=r"needs the extra llm to ask a model: pip install '\.\[llm\]'",
    ):
        shipped("language_model", endpoint="http://127.0.0.1:9/v1", model="m")


def test_listing_and_seating_it_loads_no_client_and_no_key_ring() -> None:
    source = """
import sys
from pathlib import Path
from negoplatform.app.catalogue.catalogue import list_agents
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.plugins.agent_loader import make_agent
rows = {row.name: row.item for row in list_agents(Path("no such folder"))}
make_agent(rows["language_model"], "agent", {})
print(sorted({"openai", "keyring", "httpx2", "httpx"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["model", "endpoint", "key_variable", "core", "api_key", "name"])
def test_a_key_in_the_settings_is_refused_and_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    key = "sk-proj-4fT9wQ2mZ8xK1vB7nR3cY6uJ"
    (tmp_path / "shared.json").write_text(json.dumps({name: key}))
    order = [
        "simulate",
        "--game",
        "practice",
        "--agents",
        f"language_model@{tmp_path / 'shared.json'}",
        "fair",
    ]

    code = run([*order, "--n", "1", "--logs", str(tmp_path / "logs"), "--data-dir", str(tmp_path / "data")])

    told = capsys.readouterr()
    assert code != 0
    assert key not in told.out + told.err
    (tmp_path / "shared.json").unlink()
    assert not holding(tmp_path, key)


def holding(folder: Path, text: str) -> list[Path]:
    """Return every file below a folder that contains a text."""
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


@pytest.fixture(scope="module")
def sat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Service, SessionLog]]:
    """Game of two agents in their own processes, with a service that has every fault in turn."""
    folder = tmp_path_factory.mktemp("sat")
    faults = cycle(
        [
            None,
            worded("My key is " + THE_KEY),
            Response(b"", wait=20),
            failing(500),
            completion("no JSON"),
            failing(429, Retry_After="1"),
        ]
    )

    def answer(request: Request) -> Response:
        if is_reading(request):
            return completion(json.dumps({"acts": [{"act": "GREETING", "issue": None}]}))
        # A sound model rewrites the sentence it was given.
        return next(faults) or worded(json.loads(request["messages"][-1]["content"])["say"])

    service = Service(answer)
    settings = {
        "core": "fair",
        "core_settings": {"share": 0.95},  # so that there is no deal, and much to say
        "endpoint": service.url,
        "model": "m",
        "key_variable": "TEST_API_KEY",
        "patience": 1.5,
        "attempts": 1,
        "rest_seconds": 1,
        "budget": {"load_seconds": 60.0},
    }
    agents = [
        replace(find_agent("language_model", NOWHERE), settings=settings),
        find_agent("boulware", NOWHERE),
    ]
    game = with_time_limit(find_game("practice", NOWHERE), 120)
    crashes = CrashFolder(folder / "crashes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_API_KEY", THE_KEY)
        logs = folder / "logs"
        next(simulate(game, agents, games=1, seed=3, logs=logs, report=crashes.write, isolated=True))
    (path,) = logs.iterdir()
    log = read_log(path)
    yield folder, service, log
    service.close()


def test_a_slow_and_failing_service_is_never_the_agents_failure(
    sat: tuple[Path, Service, SessionLog],
) -> None:
    _folder, service, log = sat

    assert len(service.requests) >= 4
    assert [event for event in log.events if event.type == EventType.AGENT_FAILED] == []
    outcomes = {attempt["outcome"] for call in calls_in(log.events) for attempt in call.get("attempts", ())}
    assert {"answered", "timeout"} <= outcomes
    assert {"model", "template"} == {call["used"] for call in calls_in(log.events)}


def test_the_key_reaches_the_service_and_no_file(sat: tuple[Path, Service, SessionLog]) -> None:
    folder, service, log = sat

    assert {headers["authorization"] for headers in service.headers} == {f"Bearer {THE_KEY}"}
    assert holding(folder, "TEST_API_KEY")  # its name does occur in the log
    assert not holding(folder, THE_KEY)
    told = [attempt.get("text", "") for call in calls_in(log.events) for attempt in call.get("attempts", ())]
    assert any("[key]" in text for text in told)


def test_it_is_run_again_on_what_was_answered_then(
    sat: tuple[Path, Service, SessionLog], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _folder, service, log = sat
    monkeypatch.delenv("TEST_API_KEY", raising=False)
    asked = len(service.requests)

    found = resimulate(log, tmp_path)

    assert found.differences == ()
    assert found.agents == 2
    assert len(service.requests) == asked


def test_what_was_not_recorded_is_asked_only_in_a_session_that_goes_on(
    sat: tuple[Path, Service, SessionLog],
) -> None:
    _folder, _service, log = sat
    plugin = find_agent("language_model", NOWHERE)
    seat = next(seat for seat, who in log.header.seats.items() if "language_model" in (who.agent or ""))
    running = replace(log, events=log.events[: len(log.events) // 2])

    assert recorded_answers(log, seat, plugin)["recorded"]["more"] is False
    assert len(recorded_answers(log, seat, plugin)["recorded"]["calls"]) == len(calls_in(log.events))
    assert recorded_answers(log, seat, find_agent("fair", NOWHERE)) == {}
    assert recorded_answers(running, seat, plugin)["recorded"]["more"] is True


GUIDE = (Path(__file__).parent.parent.parent / "docs" / "language_model.md").read_text(encoding="utf-8")


def test_the_guide_names_every_setting() -> None:
    options = find_agent("language_model", NOWHERE).options or {}

    assert [name for name in options["properties"] if f"`{name}`" not in GUIDE] == []


def test_the_agent_of_the_guide_speaks_by_a_model(tmp_path: Path, service: Service) -> None:
    file = tmp_path / "talker.py"
    file.write_text(GUIDE.split("```python\n")[1].split("```")[0], encoding="utf-8")
    agent = make_agent(find_agent(str(file), tmp_path), "agent", {"endpoint": service.url, "model": "m"})
    table = TrialTable(find_game("practice", NOWHERE).resolve_profiles(1))
    table.seat(agent)

    table.wait(2)

    said = [event.get_text() for event in table.events if event.type == EventType.SEND_MESSAGE]
    assert said == ["Hello there, it is good to see you."]
