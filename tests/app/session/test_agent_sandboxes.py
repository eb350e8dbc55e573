"""Sandboxes of agents in a session: their own files, and what was declared or set for them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game, find_shipped_agent
from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_subprocess
from negoplatform.app.simulation.simulate import simulate
from negoplatform.app.study.study_folder import load_study
from negoplatform.core.events import EventType
from negoplatform.domain.errors import AgentError, InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import read_log
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.agent_loader import discover_in_process
from tests.language_model.service import Service, serving, worded

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(available_sandbox().name != "full", reason="this system has no whole sandbox"),
]

TRYING = '''
"""Agent whose name lists which of the things in its settings succeeded."""

import errno
import os
import socket

from pydantic import BaseModel, Field

from negoplatform.agent_api.base import NegotiationAgent


def connect(port):
    socket.create_connection(("127.0.0.1", int(port)), 1).close()


def read(path):
    open(path).close()


def write(path):
    open(path, "w").close()


class Trying(NegotiationAgent):
    class Settings(BaseModel):
        service: str = Field("", json_schema_extra={"format": "uri"})
        tries: list[str] = []

    def get_name(self):
        return "".join(map(self.outcome, self.settings.tries))

    def outcome(self, text):
        what, _, argument = text.partition(" ")
        try:
            {"connect": connect, "read": read, "write": write}[what](argument)
        except OSError as error:
            return "-" if error.errno in (errno.EACCES, errno.EPERM) else "?"
        return "+"
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder of an agent, with a model and notes in it."""
    place = tmp_path / "mine"
    (place / "model").mkdir(parents=True)
    (place / "model" / "weights.txt").write_text("1 2 3")
    (place / "notes.txt").write_text("mine")
    (place / "agent.py").write_text(TRYING, encoding="utf-8")
    return place


@pytest.fixture
def ports() -> Iterator[tuple[int, int]]:
    """Two ports of this computer that take connections."""
    address = "127.0.0.1", 0
    with closing(socket.create_server(address)) as one, closing(socket.create_server(address)) as two:
        yield one.getsockname()[1], two.getsockname()[1]


def declare(folder: Path, **permissions: list[str]) -> None:
    (folder / "agent.json").write_text(json.dumps({"permissions": permissions}), encoding="utf-8")


def seated(folder: Path, game: GameSpec, *tries: object, data_dir: Path, **config: Any) -> PreparedAgent:
    """Return the agent after it has tried what its settings say, stopped."""
    plugin = find_agent(str(folder), data_dir, describe=discover_in_process)
    config = {**config, "tries": list(map(str, tries))}
    prepared = prepare_in_subprocess(plugin, game.seats[1], config, game=game, seed=1)
    prepared.discard()
    return prepared


def test_an_agent_connects_to_the_service_that_it_declares_and_to_no_other(
    folder: Path, game: GameSpec, ports: tuple[int, int], tmp_path: Path
) -> None:
    one, two = ports
    tries = f"connect {one}", f"connect {two}"

    undeclared = seated(folder, game, *tries, data_dir=tmp_path / "data")
    declare(folder, network=[f"127.0.0.1:{one}"])
    declared = seated(folder, game, *tries, data_dir=tmp_path / "data")

    assert (undeclared.name, declared.name) == ("--", "+-")


def test_an_agent_connects_to_the_service_that_the_experimenter_sets_for_it(
    folder: Path, game: GameSpec, ports: tuple[int, int], tmp_path: Path
) -> None:
    one, two = ports
    address = f"http://127.0.0.1:{two}/v1"

    set_for_it = seated(
        folder, game, f"connect {one}", f"connect {two}", data_dir=tmp_path / "data", service=address
    )

    assert set_for_it.name == "-+"
    assert set_for_it.isolation is not None
    assert set_for_it.isolation.permissions == {"network": [f"127.0.0.1:{two}"]}


@pytest.fixture
def service() -> Iterator[Service]:
    """Language model at this computer that says the same in other words."""
    with serving(lambda _request: worded("Shall we?")) as scripted:
        yield scripted


def test_the_agent_of_a_language_model_speaks_in_its_process(service: Service, tmp_path: Path) -> None:
    pytest.importorskip("openai")
    talker = replace(
        find_shipped_agent("language_model"),
        settings={"endpoint": service.url, "model": "scripted", "core": "negochat", "patience": 10},
    )
    game = find_game("practice", tmp_path)

    list(
        simulate(
            game,
            [talker, find_shipped_agent("fair")],
            games=1,
            seed=1,
            logs=tmp_path / "logs",
            report=print,
            isolated=True,
        )
    )

    assert service.requests
    for log in map(read_log, (tmp_path / "logs").glob("*/events.jsonl")):
        (about,) = (
            isolation
            for seat, isolation in log.header.isolation.items()
            if log.header.seats[seat].agent == "language_model"
        )
        assert about.permissions == {"network": [service.url.split("/")[2]]}


def test_an_agent_writes_the_folder_that_it_declares_and_no_other(
    folder: Path, game: GameSpec, tmp_path: Path
) -> None:
    tries = [f"write {folder / name}" for name in ("scratch/x", "model/x", "agent.py", "x")]

    undeclared = seated(folder, game, *tries[1:], data_dir=tmp_path / "data")
    declare(folder, write=["scratch"])
    declared = seated(folder, game, *tries, data_dir=tmp_path / "data")

    assert (undeclared.name, declared.name) == ("---", "+---")
    assert (folder / "scratch" / "x").is_file()


def test_the_users_folder_stays_closed_to_an_agent_whose_folder_contains_it(
    folder: Path, game: GameSpec, tmp_path: Path
) -> None:
    data = folder / "data"
    data.mkdir()
    (data / "store").write_text("all preferences")
    own = [f"read {folder / name}" for name in ("notes.txt", "model/weights.txt")]

    alone = seated(folder, game, *own, data_dir=tmp_path / "data")
    around = seated(folder, game, *own, f"read {data / 'store'}", data_dir=data)
    declare(folder, read=["model", "data"])
    declared = seated(folder, game, *own, f"read {data / 'store'}", data_dir=data)

    assert (alone.name, around.name, declared.name) == ("++", "---", "-+-")


@pytest.mark.parametrize("kind", ["study", "logs"])
def test_a_study_and_logs_that_a_run_names_stay_closed_to_an_agent_around_them(
    folder: Path, game: GameSpec, tmp_path: Path, kind: str
) -> None:
    place = folder / kind
    place.mkdir()
    (place / "study.json").write_text("{}")
    tries = f"read {place / 'study.json'}", f"read {folder / 'notes.txt'}"
    before = seated(folder, game, *tries, data_dir=tmp_path / "data")

    if kind == "study":
        with pytest.raises(InputFileError):
            load_study(place, tmp_path / "data")  # it is closed whether it can be used or not
    else:
        fair = find_shipped_agent("fair")
        list(simulate(game, [fair, fair], games=0, seed=1, logs=place, report=print))

    after = seated(folder, game, *tries, data_dir=tmp_path / "data")
    assert (before.name, after.name) == ("++", "--")


def test_a_game_that_lies_beside_an_agent_stays_closed_to_it_even_if_it_asks(
    folder: Path, game: GameSpec, tmp_path: Path
) -> None:
    (folder / "game.json").write_bytes((Path(__file__).parents[3] / "games" / "practice.json").read_bytes())
    find_game(str(folder / "game.json"), tmp_path / "data")
    declare(folder, read=["game.json", "notes.txt"])

    tried = seated(
        folder,
        game,
        f"read {folder / 'game.json'}",
        f"read {folder / 'notes.txt'}",
        data_dir=tmp_path / "data",
    )

    assert tried.name == "-+"


REFUSED = """
from negoplatform.agent_api.base import NegotiationAgent

class Refused(NegotiationAgent):
    def configure(self, config):
        {statement}
"""

NOWHERE = ", which only an agent.py in a folder of its own has."


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("open('/etc/passwd')", "reads and writes nothing outside of its folder; keep the file there."),
        ("open('x.csv', 'w')", "put Path(__file__).parent / before it."),
        ("open('../x.csv', 'w')", "nothing outside of its folder; keep the file there."),
        ("import os; os.chmod(__file__, 0o600)", "use shutil.copyfile in place of shutil.copy."),
        ("import socket; socket.socket().bind(('', 0))", "to connect, and not to listen, declare"),
        ("open(__file__, 'a')", f"that it writes are declared under permissions in agent.json{NOWHERE}"),
        ("import socket; socket.socket()", "Its sandbox refused the connection"),
        ("import socket; socket.getaddrinfo('localhost', 80)", "Its sandbox refused the connection"),
        ("import subprocess; subprocess.run(['/bin/ls'])", "Its sandbox lets it start no other program"),
        ("import tempfile; tempfile.mkdtemp()", "give tempfile a folder (dir=)"),
        ("import multiprocessing; multiprocessing.Lock()", "Its sandbox lets it start no other program"),
        ("import os; os.setsid()", "and no permission allows it."),
    ],
)
def test_an_author_reads_what_the_sandbox_refused_and_what_helps(
    tmp_path: Path, game: GameSpec, statement: str, hint: str
) -> None:
    (tmp_path / "one.py").write_text(REFUSED.format(statement=statement))
    plugin = find_agent(str(tmp_path / "one.py"), tmp_path / "data", describe=discover_in_process)

    with pytest.raises(AgentError) as error:
        prepare_in_subprocess(plugin, game.seats[1], {}, game=game, seed=1)

    assert hint in str(error.value)
    assert "in line 6." in str(error.value), "the line of the author's code, and not that of a library"


def test_a_connection_to_a_port_that_is_not_declared_is_explained(tmp_path: Path, game: GameSpec) -> None:
    connect = "import socket; socket.create_connection(('127.0.0.1', 9))"
    (tmp_path / "agent.py").write_text(REFUSED.format(statement=connect))
    (tmp_path / "agent.json").write_text('{"permissions": {"network": ["localhost:8765"]}}')
    plugin = find_agent(str(tmp_path), tmp_path / "data", describe=discover_in_process)

    with pytest.raises(AgentError, match="declare its HOST:PORT as network under permissions"):
        prepare_in_subprocess(plugin, game.seats[1], {}, game=game, seed=1)


def test_what_a_file_does_while_it_is_loaded_is_to_be_done_later(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('made.txt').write_text('')\n"
        + REFUSED.format(statement="pass")
    )

    with pytest.raises(NegoError, match=r"in line 2\. .*which hold from configure on, and not yet while"):
        find_agent(str(tmp_path), tmp_path / "data")


def test_another_error_is_not_put_down_to_the_sandbox(tmp_path: Path, game: GameSpec) -> None:
    (tmp_path / "agent.py").write_text(REFUSED.format(statement="open('/no such file')"))
    plugin = find_agent(str(tmp_path), tmp_path / "data", describe=discover_in_process)

    with pytest.raises(AgentError, match="FileNotFoundError") as error:
        prepare_in_subprocess(plugin, game.seats[1], {}, game=game, seed=1)

    assert "sandbox" not in str(error.value)


ANSWERING = """
from negoplatform.agent_api.base import NegotiationAgent

class Answering(NegotiationAgent):
    def on_game_start(self, ctx, event):
        open("/etc/passwd")
"""


def test_a_refusal_in_the_middle_of_a_game_is_in_the_log_with_the_hint(
    tmp_path: Path, game: GameSpec
) -> None:
    (tmp_path / "agent.py").write_text(ANSWERING)
    plugin = find_agent(str(tmp_path), tmp_path / "data", describe=discover_in_process)

    list(
        simulate(
            game,
            [plugin, find_shipped_agent("fair")],
            games=1,
            seed=1,
            logs=tmp_path / "logs",
            report=lambda _error: None,
            isolated=True,
        )
    )

    log = read_log(next((tmp_path / "logs").glob("*/events.jsonl")))
    failure = next(event for event in log.events if event.type == EventType.AGENT_FAILED)
    assert failure.payload.reason == (
        "It raised PermissionError ([Errno 13] Permission denied: '/etc/passwd') in line 6 of on_game_start. "
        "Its sandbox refused that file: an agent reads and writes nothing outside of its folder; "
        "keep the file there."
    )
