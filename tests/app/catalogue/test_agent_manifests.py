"""Manifests of plugins: their origin, requirements and settings."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue import search_path
from negoplatform.app.catalogue.catalogue import find_agent, list_agents, list_games
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.catalogue.credentials import credentials_for
from negoplatform.app.catalogue.search_path import PluginSource, plugin_files, requires_trust
from negoplatform.app.catalogue.trust import open_trust
from negoplatform.app.session.agent_setup import prepare_in_process, prepare_in_subprocess
from negoplatform.app.session.resume import resume_session
from negoplatform.domain.errors import AgentError, InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import Occupant
from negoplatform.plugins.agent_loader import (
    AgentPlugin,
    discover_in_process,
    hash_of,
    load_agents,
    make_agent,
)
from negoplatform.plugins.code_file_trust_hash import CodeFile, code_file
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.plugins.requirements import missing_packages
from negoplatform.testing.check import check_agent
from tests.app.catalogue.test_catalogue import AGENT
from tests.app.trusting import trust_all, trusted_agent, trusted_agents
from tests.eventlog.logs import AT, header_for

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"

SETTABLE = """
from pydantic import BaseModel
from negoplatform.agent_api.base import NegotiationAgent

class Settable(NegotiationAgent):
    class Settings(BaseModel):
        share: float = 0.5
"""

OPTIONS = {"properties": {"share": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.6}}}


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """User's folder."""
    return tmp_path / "data"


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of a packaged program."""
    monkeypatch.setattr(search_path, "beside_program", lambda kind: tmp_path / "stick" / kind)
    return tmp_path / "stick"


def lay(folder: Path, source: str = AGENT, **said: Any) -> Path:
    """Write an agent with its agent.json into a folder of its own; return the agent's file."""
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(source, encoding="utf-8")
    (folder / "agent.json").write_text(json.dumps(said), encoding="utf-8")
    return folder / "agent.py"


def trust(data_dir: Path, *files: Path) -> None:
    with open_trust(data_dir, print) as trusted:
        for file in files:
            trusted.add(code_file(file))


def added(rows: list[CatalogueEntry[AgentPlugin]]) -> list[CatalogueEntry[AgentPlugin]]:
    return [row for row in rows if row.source is not PluginSource.PROGRAM]


def test_an_agent_says_its_name_version_author_and_licence(data_dir: Path) -> None:
    lay(data_dir / "agents" / "folder", id="jos", version="1.2", author="Jo Doe", licence="MIT")

    plugin = trusted_agent("jos", data_dir)

    manifest = plugin.manifest
    assert (manifest.version, manifest.author, manifest.licence) == ("1.2", "Jo Doe", "MIT")
    assert plugin.description == "Says nothing. And means it."
    with pytest.raises(NegoError, match="holds agents of other names; choose one of jos"):
        trusted_agent("folder", data_dir)


def test_an_agent_that_nobody_trusts_yet_says_so_too_and_is_not_run(data_dir: Path, tmp_path: Path) -> None:
    source = f"open({str(tmp_path / 'it ran')!r}, 'w')\n" + AGENT
    file = lay(data_dir / "agents" / "folder", source, id="jos", version="1.2", options=OPTIONS)

    (row,) = added(list_agents(data_dir))

    assert row.untrusted is not None
    assert row.preview is not None
    assert (row.name, row.file, row.preview.manifest.version) == ("jos", file, "1.2")
    assert row.preview.options == {
        "properties": {"share": {**OPTIONS["properties"]["share"], "type": "number"}}
    }
    assert not (tmp_path / "it ran").exists()


def test_what_is_said_may_change_without_being_asked_about_and_is_never_what_it_was_before(
    data_dir: Path,
) -> None:
    file = lay(data_dir / "agents" / "mine", version="1")
    trust_all(data_dir)
    assert find_agent("mine", data_dir, describe=discover_in_process).manifest.version == "1"

    (file.parent / "agent.json").write_text('{"version": "2"}')

    assert find_agent("mine", data_dir, describe=discover_in_process).manifest.version == "2"


def test_a_file_on_which_the_program_itself_stumbles_is_a_row_with_a_crash_file(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(data_dir / "agents" / "odd")
    lay(data_dir / "agents" / "sound")
    odd_game = data_dir / "games" / "odd.json"
    odd_game.parent.mkdir()
    odd_game.write_text("{}")

    def stumble(path: Path) -> CodeFile | None:
        if "odd" in str(path):
            raise ZeroDivisionError("inside")
        return code_file(path)

    stumble_too = lambda path, _manifest, **_how: stumble(path)  # noqa: E731 - of one line
    monkeypatch.setattr("negoplatform.app.catalogue.user_plugins.agent_code_file", stumble_too)
    monkeypatch.setattr("negoplatform.app.catalogue.user_plugins.state_code", stumble)
    odd, sound = added(list_agents(data_dir))
    (game,) = [row for row in list_games(data_dir) if row.source is not PluginSource.PROGRAM]

    crashes = sorted((data_dir / "crashes").iterdir())
    wrong = "something went wrong inside NegoPlatform (ZeroDivisionError). The details are in"
    assert (odd.name, odd.item, odd.untrusted) == ("odd", None, None)
    assert (game.name, game.item) == ("odd", None)
    assert odd.reason == f"{odd.file}: {wrong} {crashes[0]}."
    assert game.reason == f"{odd_game}: {wrong} {crashes[1]}."
    assert "ZeroDivisionError: inside" in crashes[0].read_text()
    assert sound.untrusted is not None


def test_a_folder_that_only_says_that_it_is_an_agent_is_a_row(data_dir: Path) -> None:
    lay(data_dir / "agents" / "hollow").unlink()

    (row,) = added(list_agents(data_dir))

    assert (row.name, row.item) == ("hollow", None)
    assert "agent.py: the file cannot be read (" in row.reason  # the rest is the system's own sentence


def test_an_agent_for_another_version_of_the_api_is_a_row_that_says_so(data_dir: Path) -> None:
    lay(data_dir / "agents" / "newer", api_version="1.999")
    lay(data_dir / "agents" / "older", api_version="1.0")

    older, newer = sorted(added(trusted_agents(data_dir)), key=lambda row: row.name, reverse=True)

    assert older.item is not None
    assert "agent.json at api_version: it needs a newer NegoPlatform (agent API 1.999" in newer.reason


def test_several_agents_in_a_file_share_what_is_said_but_not_an_id(data_dir: Path) -> None:
    two = AGENT + "\nclass Rude(Polite):\n    pass\n"
    file = lay(data_dir / "agents" / "both", two, version="3")

    rows = added(trusted_agents(data_dir))
    (file.parent / "agent.json").write_text('{"id": "one"}')
    (named,) = added(trusted_agents(data_dir))

    assert [(row.name, row.item and row.item.manifest.version) for row in rows] == [
        ("polite", "3"),
        ("rude", "3"),
    ]
    assert (
        "agent.json at id: agent.py holds several agents, which are called by their classes" in named.reason
    )


def test_settings_are_declared_by_the_class_or_beside_it_and_not_twice(data_dir: Path) -> None:
    lay(data_dir / "agents" / "twice", SETTABLE, options=OPTIONS)

    (row,) = added(trusted_agents(data_dir))

    assert row.reason.endswith(
        "agent.json at options: the class Settable declares its settings itself; remove them here or there."
    )


def test_an_agent_beside_the_program_comes_after_its_own_and_before_yours(
    data_dir: Path, stick: Path
) -> None:
    lay(stick / "agents" / "fair")
    lay(stick / "agents" / "mine", version="stick")
    lay(data_dir / "agents" / "mine", version="user")
    trust(data_dir, *stick.glob("agents/*/agent.py"), *data_dir.glob("agents/*/agent.py"))

    rows = added(list_agents(data_dir, describe=discover_in_process))

    assert [(row.name, row.source, row.item is None) for row in rows] == [
        ("fair", PluginSource.BESIDE, True),
        ("mine", PluginSource.BESIDE, False),
        ("mine", PluginSource.USER, True),
    ]
    assert f"belongs to {bundled('agents') / 'fair.py'}" in rows[0].reason
    assert f"belongs to {stick / 'agents' / 'mine' / 'agent.py'}" in rows[2].reason


def test_what_lies_beside_the_program_is_trusted_by_nobody_in_advance(data_dir: Path, stick: Path) -> None:
    file = lay(stick / "agents" / "mine")
    linked = stick / "agents" / "linked.py"
    if os.name == "posix":
        linked.symlink_to(lay(stick.parent / "elsewhere"))
    else:  # not everyone may make links there
        linked.write_bytes(file.read_bytes())
    shutil.copytree(bundled("games") / "land_sale", stick / "games" / "plots")
    game = stick / "games" / "plots" / "game.json"
    game.write_text(game.read_text().replace('"land_sale"', '"plots"', 1))

    agents, games = added(list_agents(data_dir)), list_games(data_dir)

    assert [row.untrusted is not None for row in agents] == [True, True]
    assert requires_trust(file, data_dir)
    assert requires_trust(linked, data_dir)
    assert not requires_trust(bundled("agents") / "fair.py", data_dir)
    assert not requires_trust(stick.parent / "elsewhere.py", data_dir)
    (plots,) = (row for row in games if row.source is PluginSource.BESIDE)
    assert (plots.name, plots.untrusted is not None) == ("plots", True)


def test_every_file_whose_change_changes_the_catalogue_is_named(data_dir: Path, stick: Path) -> None:
    file = lay(data_dir / "agents" / "mine")
    (data_dir / "agents" / "plain.py").write_text(AGENT)
    beside = lay(stick / "agents" / "other")
    shutil.copytree(bundled("games") / "land_sale", stick / "games" / "plots")

    manifests = [file.with_name("agent.json"), beside.with_name("agent.json")]
    assert plugin_files("agents", data_dir) == sorted(
        [file, data_dir / "agents" / "plain.py", beside, *manifests]
    )
    assert plugin_files("games", data_dir) == [
        stick / "games" / "plots" / "game.json",
        stick / "games" / "plots" / "state.py",
    ]


@pytest.mark.parametrize(
    ("needed", "told"),
    [
        ([], ""),
        (["sqlite3", "pydantic>=2.9", "Pydantic-Core", 'gone; python_version < "3"'], ""),
        (["no_such-package"], f"no_such-package is not installed; get it for {PYTHON}: "),
        (["pydantic<2"], "pydantic<2 is needed, and "),
        (["sqlite3>=3"], "it is not known which version of sqlite3 this is; "),
        (["gone", "pydantic<2"], "gone is not installed, pydantic<2 is needed, and "),
    ],
)
def test_what_an_agent_needs_is_looked_for(needed: list[str], told: str) -> None:
    assert missing_packages(needed).startswith(told)
    assert bool(missing_packages(needed)) == bool(told)


@pytest.mark.parametrize("said", [None, "the newest"])
def test_a_package_that_says_no_version_is_none_of_a_version(
    said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("negoplatform.plugins.requirements.metadata.version", lambda _name: said)

    assert missing_packages(["pydantic>=2"]).startswith("it is not known which version of pydantic this is; ")
    assert missing_packages(["pydantic"]) == ""


def test_what_is_missing_comes_with_the_command_that_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/my tools/python")

    assert missing_packages(["gone>=2,<3", "lost"]) == (
        f"gone<3,>=2 is not installed, lost is not installed; get it for {PYTHON}: "
        '"/my tools/python" -m pip install "gone<3,>=2" "lost"'
    )


def test_the_packaged_program_says_that_it_can_be_given_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert missing_packages(["gone"]) == (
        f"gone is not installed; the packaged program holds {PYTHON} with its standard library and can be "
        "given nothing more; use an agent that does without, or install NegoPlatform with pip and then: "
        'pip install "gone"'
    )


def test_an_agent_whose_packages_are_missing_is_not_run_to_find_that_out(
    data_dir: Path, tmp_path: Path
) -> None:
    file = lay(tmp_path / "mine", f"open({str(tmp_path / 'it ran')!r}, 'w')\n" + AGENT, needs=["gone"])

    with pytest.raises(InputFileError, match=r"agent\.json at needs: gone is not installed"):
        find_agent(str(file), data_dir)
    with pytest.raises(InputFileError, match=r"agent\.json at needs: gone is not installed"):
        load_agents(file, "mine")
    assert not (tmp_path / "it ran").exists()


@pytest.mark.parametrize("seat", ["beside", "apart"])
def test_settings_are_checked_and_filled_up_before_the_game(
    data_dir: Path, game: GameSpec, tmp_path: Path, seat: str
) -> None:
    source = AGENT + "\n    def get_name(self):\n        return str(self.get_config('share'))\n"
    file = lay(tmp_path / "mine", source, options=OPTIONS, version="7")
    plugin = find_agent(str(file), data_dir, describe=discover_in_process)

    def seated(config: dict[str, Any]) -> Occupant:
        if seat == "beside":
            return prepare_in_process(plugin, "agent", config, game=game).occupant()
        ready = prepare_in_subprocess(plugin, "agent", config, game=game, seed=1)
        ready.stop_process()
        return ready.occupant()

    usual, set_higher = seated({}), seated({"share": 0.9})
    assert (usual.name, usual.config, usual.version) == ("0.6", {"share": 0.6}, "7")
    assert (set_higher.name, set_higher.config) == ("0.9", {"share": 0.9})
    with pytest.raises(AgentError, match=r"setting up the agent 'mine' failed: There is no setting 'shair'"):
        seated({"shair": 0.9})
    with pytest.raises(AgentError, match=r"The setting 'share' is a share from 0 to 1 .*, not 90\."):
        seated({"share": 90})


def test_an_agent_is_checked_and_tested_with_what_is_usual(
    tmp_path: Path, data_dir: Path, game: GameSpec
) -> None:
    source = AGENT + (
        "\n    def configure(self, config):\n        super().configure(config)\n"
        "        self.least = config['share'] * 100\n"
    )
    file = lay(tmp_path / "mine", source, options=OPTIONS)

    agent = make_agent(find_agent(str(file), data_dir, describe=discover_in_process), "agent", {})

    assert agent.get_config("share") == 0.6
    found = check_agent(file, games=[game], in_another_process=False)
    assert not [finding for finding in found if finding.situation == "setting up the agent"]


def test_an_agent_helps_itself_to_no_key(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_API_KEY", "secret")
    asks = {"properties": {"key": {"type": "string", "format": "environment"}}}
    plugin = find_agent(str(lay(tmp_path / "mine", options=asks)), data_dir, describe=discover_in_process)

    assert credentials_for(plugin, plugin.resolve_settings({})) == {}
    assert list(credentials_for(plugin, plugin.resolve_settings({"key": "OUR_API_KEY"}))) == ["OUR_API_KEY"]


def test_a_session_goes_on_with_the_settings_with_which_it_began(data_dir: Path, game: GameSpec) -> None:
    file = lay(data_dir / "agents" / "mine", options=OPTIONS)
    trust_all(data_dir)
    who = Occupant("agent", "Kim", agent="mine", file="agent.py", sha256=hash_of(file), config={"share": 0.6})
    people = {"human": Occupant("human", "Participant", participant="P01"), "agent": who}
    header = replace(header_for(game), seats=SeatMap((seat, people[seat]) for seat in game.seats))
    LogWriter(data_dir / "sessions" / "one", header, at=lambda: AT).close()
    (file.parent / "agent.json").write_text(
        json.dumps({"options": {"properties": {"pace": {"type": "integer", "default": 3}}}})
    )

    session = resume_session(data_dir / "sessions" / "one" / LOG_NAME, data_dir, print)
    session.plan.discard_agents()
    session.log.close()

    (seated,) = session.plan.agents.values()
    assert dict(seated.config) == {"share": 0.6}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            'AGENT_API_VERSION = "1.999"\nfrom negoplatform.agent_api.base import Tomorrow\n',
            "loading it failed: it needs a newer NegoPlatform (agent API 1.999",
        ),
        ('AGENT_API_VERSION = "0.1"\n', "loading it failed: it was made for the agent API 0.1"),
        ("\n\nAGENT_API_VERSION = 1.1\n", "loading it failed: line 3: AGENT_API_VERSION is a text such as"),
        ("AGENT_API_VERSION = str(1.1)\n", "loading it failed: line 1: AGENT_API_VERSION is a text such as"),
        ('AGENT_API_VERSION: str = "1.999"\n', "it needs a newer NegoPlatform (agent API 1.999"),
        (
            "import negoplatform.tomorrow\n",
            "may have been made for another version of NegoPlatform; this one",
        ),
        ("import helper\n", "An agent is one file, and only that file is looked at, trusted and run: put wh"),
        ("from .helper import x\n", "trusted and run: put what it needs into mine.py."),
        (
            "import no_such_thing\n",
            f'in line 1. Get it for {PYTHON}: {sys.executable} -m pip install "no_such',
        ),
        ("import xml.no_such_thing\n", "(No module named 'xml.no_such_thing') in line 1."),
        ("raise ModuleNotFoundError(name='a b')\n", "it raised ModuleNotFoundError in line 1."),
    ],
)
def test_a_file_that_does_not_belong_here_says_why(
    tmp_path: Path, data_dir: Path, source: str, sentence: str
) -> None:
    (tmp_path / "mine.py").write_text(source + AGENT, encoding="utf-8")
    (tmp_path / "helper.py").write_text("raise OSError('it ran')\n")

    with pytest.raises(NegoError) as error:
        find_agent(str(tmp_path / "mine.py"), data_dir, describe=discover_in_process)

    assert sentence in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 'mine.py'}: loading it failed: ")
    assert "it ran" not in str(error.value)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            'AGENT_API_VERSION = "1.999"\nimport negoplatform.tomorrow\n',
            "it needs a newer NegoPlatform (agent",
        ),
        ("import helper\n", "An agent is one file, and only that file is looked at, trusted and run: put wh"),
        ("\0", "loading it failed: source code string cannot contain null bytes."),
    ],
)
def test_it_says_so_in_a_process_of_its_own_too(
    tmp_path: Path, data_dir: Path, source: str, sentence: str
) -> None:
    (tmp_path / "mine.py").write_text(source + AGENT, encoding="utf-8")
    (tmp_path / "helper.py").write_text("")

    with pytest.raises(NegoError) as error:
        find_agent(str(tmp_path / "mine.py"), data_dir)

    assert str(error.value).startswith(f"{tmp_path / 'mine.py'}: loading it failed: ")
    assert sentence in str(error.value)


def test_a_file_that_was_made_for_this_api_or_an_older_one_loads(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text('"""Mine."""\n\nAGENT_API_VERSION = "1.0"\n' + AGENT)

    assert [plugin.name for plugin in load_agents(tmp_path / "mine.py", "mine")] == ["mine"]
