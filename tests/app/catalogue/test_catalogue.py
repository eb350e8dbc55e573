"""Catalogue: agents and games that can be used, and reasons why others cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import (
    agent_from_entry,
    find_agent,
    find_game,
    find_shipped_agent,
    game_from_entry,
    list_agents,
    list_games,
)
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry, find_entry
from negoplatform.domain.errors import NegoError
from negoplatform.plugins.agent_loader import AgentPlugin, discover_in_process, make_agent
from negoplatform.plugins.program_and_user_folders import bundled
from tests.app.trusting import trusted_agent, trusted_agents

GAMES = [
    *("campsite", "flatmates", "grain_market", "harvest_fair", "job_candidate", "land_market", "land_sale"),
    *("practice", "resource_exchange", "tac_market", "tac_trading", "three_way", "used_car"),
]

AGENT = """
from negoplatform.agent_api.base import NegotiationAgent

class Polite(NegotiationAgent):
    '''Says nothing. And means it.

    A second paragraph.'''
"""

BROKEN = {
    "no_syntax": ("def f(:\n", "loading it failed: line 1: invalid syntax"),
    "raises": (
        "x = 1\nraise ValueError('no licence')\n",
        "loading it failed: it raised ValueError (no licence) in line 2",
    ),
    "leaves": ("import sys\nsys.exit(3)\n", "loading it failed: it raised SystemExit (3) in line 2"),
    "no_agent": ("x = 1\n", "holds no subclass of NegotiationAgent"),
    "imports_nothing": ("import no_such_thing\n", "ModuleNotFoundError (No module named 'no_such_thing')"),
    "odd_all": (AGENT + "\n__all__ = 5\n", "loading it failed: it raised TypeError"),
    "odd_new": (
        AGENT + "\n    def __new__(cls, *a):\n        raise OSError('boo')\n",
        "loading it failed: it raised OSError",
    ),
    "null_bytes": ("x = '\x00'\n", "null bytes"),
    "only_private": (AGENT.replace("Polite", "_Polite"), "holds no subclass"),
    "only_imported": ("from negoplatform.agent_api.base import NegotiationAgent\n", "holds no subclass"),
    "base": ("raise BaseException\n", "loading it failed: it raised BaseException"),
}


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """User's folder with empty folders for agents and games."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "games").mkdir()
    return tmp_path


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Working directory for commands."""
    before = Path.cwd()
    folder = tmp_path_factory.mktemp("elsewhere")
    os.chdir(folder)
    yield folder
    os.chdir(before)


def names(data_dir: Path) -> list[str]:
    return [row.name for row in trusted_agents(data_dir) if row.item is not None]


def named_by_path(path: str, data_dir: Path) -> AgentPlugin:
    return find_agent(path, data_dir, describe=discover_in_process)


def test_the_program_brings_its_own_agents_and_games(data_dir: Path) -> None:
    assert {"fair", "boulware", "linear", "conceder"} <= set(names(data_dir))
    assert {row.name for row in list_games(data_dir)} == set(GAMES)
    assert all(row.item is not None and not row.reason for row in trusted_agents(data_dir))


def test_the_shipped_agents_can_be_had_without_a_look_at_the_users_own(data_dir: Path) -> None:
    assert find_shipped_agent("fair").file == bundled("agents") / "fair.py"
    with pytest.raises(NegoError, match="no agent 'nobody'; it brings zero_intelligence, zip"):
        find_shipped_agent("nobody")


@pytest.mark.parametrize("name", ["fair", "boulware", "negochat_a", "lying"])
def test_a_shipped_agent_is_had_without_the_code_of_the_others(name: str) -> None:
    found = find_shipped_agent(name)
    code = (
        "import sys; from negoplatform.app.catalogue.catalogue import find_shipped_agent as find;"
        f"find({name!r});"
        "print(sum(name.startswith('negoplatform_plugin_') for name in sys.modules))"
    )

    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert found.name == name
    assert int(loaded.stdout) == 1


def test_every_shipped_agent_is_found_by_its_name(data_dir: Path) -> None:
    shipped = [row for row in list_agents(data_dir) if row.file.is_relative_to(bundled("agents"))]

    assert len(shipped) > 15
    assert all(find_shipped_agent(row.name) == row.item for row in shipped)


def test_the_window_loads_nothing_that_a_negotiation_never_needs() -> None:
    """Leave out replays, the web and their display, each of which took megabytes of every session."""
    code = "import sys; import negoplatform.gui.shell.application; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    modules = set(loaded.stdout.split())
    assert not modules & {"ssl", "http.client", "asyncio", "xml.sax"}
    assert "negoplatform.gui.replay.replay_screen" not in modules


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert "fair" in names(tmp_path / "nowhere")
    assert [row.name for row in list_games(tmp_path / "nowhere")] == GAMES


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_a_row_with_its_reason_and_the_rest_work(data_dir: Path, name: str) -> None:
    source, reason = BROKEN[name]
    (data_dir / "agents" / f"{name}.py").write_text(source, encoding="utf-8")
    (data_dir / "agents" / "polite.py").write_text(AGENT, encoding="utf-8")

    rows = {row.name: row for row in trusted_agents(data_dir)}

    assert rows[name].item is None
    assert reason in rows[name].reason
    assert str(data_dir / "agents" / f"{name}.py") in rows[name].reason
    assert "\n" not in rows[name].reason
    assert "None" not in rows[name].reason
    assert rows["polite"].item is not None
    assert rows["fair"].item is not None


def test_a_broken_plugin_that_is_asked_for_says_why(data_dir: Path) -> None:
    (data_dir / "agents" / "raises.py").write_text("1 / 0\n")

    with pytest.raises(NegoError, match=r"The agent 'raises' cannot be used: .*ZeroDivisionError"):
        trusted_agent("raises", data_dir)
    with pytest.raises(
        NegoError,
        match=r"raises.py: loading it failed: it raised ZeroDivisionError .* in line 1",
    ):
        named_by_path(str(data_dir / "agents" / "raises.py"), data_dir)


def test_what_a_plugin_prints_while_it_is_loaded_goes_nowhere_near_a_table(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data_dir / "agents" / "loud.py").write_text("print('HELLO')\n" + AGENT)

    found = names(data_dir)

    assert "loud" in found
    assert capsys.readouterr().out == ""


def test_an_agent_in_a_file_of_its_own_has_the_files_name_and_its_first_paragraph(data_dir: Path) -> None:
    (data_dir / "agents" / "my_own.py").write_text(AGENT)

    plugin = trusted_agent("my_own", data_dir)

    assert plugin.description == "Says nothing. And means it."
    assert make_agent(plugin, "agent", {"name": "Kim"}).get_name() == "Kim"


def test_several_agents_in_a_file_have_the_names_of_their_classes(data_dir: Path) -> None:
    two = AGENT + "\nclass VeryRude(Polite):\n    pass\n\nAlias = VeryRude\n"
    (data_dir / "agents" / "manners.py").write_text(two)

    assert names(data_dir)[-2:] == ["polite", "very_rude"]


def test_a_file_may_say_which_of_its_classes_are_agents_for_others(data_dir: Path) -> None:
    two = AGENT + "\nclass VeryRude(Polite):\n    pass\n\n__all__ = ['VeryRude']\n"
    (data_dir / "agents" / "manners.py").write_text(two)

    assert trusted_agent("manners", data_dir).class_name == "VeryRude"


def test_a_folder_with_an_agent_in_it_has_the_folders_name(data_dir: Path) -> None:
    (data_dir / "agents" / "quiet").mkdir()
    (data_dir / "agents" / "quiet" / "agent.py").write_text(AGENT)
    (data_dir / "agents" / "_helper.py").write_text("1 / 0")

    assert names(data_dir)[-1] == "quiet"
    assert named_by_path(str(data_dir / "agents" / "quiet"), data_dir).name == "quiet"


def test_of_two_with_one_name_the_first_keeps_it_and_the_other_is_told_to_change(data_dir: Path) -> None:
    (data_dir / "agents" / "fair.py").write_text(AGENT)

    rows = [row for row in trusted_agents(data_dir) if row.name == "fair"]

    assert rows[0].file == bundled("agents") / "fair.py"
    assert rows[0].item is not None
    assert rows[1].item is None
    assert "the name 'fair' belongs to" in rows[1].reason
    assert trusted_agent("fair", data_dir).file == rows[0].file


def test_an_agent_is_found_by_its_file_and_by_its_class(data_dir: Path, elsewhere: Path) -> None:
    Path("mine.py").write_text(AGENT + "\nclass Rude(Polite):\n    pass\n")

    assert named_by_path("mine.py:Rude", data_dir).class_name == "Rude"
    assert named_by_path(f"{elsewhere}/mine.py:Polite", data_dir).name == "polite"
    with pytest.raises(
        NegoError, match=r"holds several agents; choose one of mine\.py:Polite, mine\.py:Rude"
    ):
        named_by_path("mine.py", data_dir)
    with pytest.raises(NegoError, match=r"mine\.py has no agent class 'Kind'"):
        named_by_path("mine.py:Kind", data_dir)


def test_a_folder_in_the_way_that_has_the_name_of_an_agent_is_no_agent(
    data_dir: Path, elsewhere: Path
) -> None:
    Path("fair").mkdir()

    assert trusted_agent("fair", data_dir).file == bundled("agents") / "fair.py"


def test_two_files_of_one_name_are_two_agents(data_dir: Path, elsewhere: Path) -> None:
    for folder, says in (("a", "One."), ("b", "Two.")):
        Path(folder).mkdir()
        Path(folder, "same.py").write_text(AGENT.replace("Says nothing.", says))

    one, two = named_by_path("a/same.py", data_dir), named_by_path("b/same.py", data_dir)

    assert (one.description[:4], two.description[:4]) == ("One.", "Two.")
    assert one.sha256 != two.sha256


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ("nobody", "There is no agent 'nobody'; there is zero_intelligence, zip"),
        ("", "There is no agent ''"),
        (
            "boulwar",
            "There is no agent 'boulwar'; the nearest name is 'boulware'. There is zero",
        ),
        ("nobody.py", r"nobody.py: the file cannot be read \(.+\)"),
        ("nobody.py:Agent", r"nobody.py: the file cannot be read \(.+\)"),
        ("fair:Fair", "There is no agent 'fair:Fair'"),
    ],
)
def test_an_agent_that_is_not_there_is_answered_with_those_there_are(
    data_dir: Path, elsewhere: Path, wanted: str, reason: str
) -> None:
    with pytest.raises(NegoError, match=reason):
        find_agent(wanted, data_dir)


def test_a_broken_game_is_a_row_with_its_reason_and_the_rest_work(data_dir: Path) -> None:
    (data_dir / "games" / "broken.json").write_text('{"schema": 1}')

    rows = {row.name: row for row in list_games(data_dir)}

    assert rows["broken"].item is None
    assert "broken.json at schema: 1 is not known here" in rows["broken"].reason
    assert rows["practice"].item is not None
    with pytest.raises(NegoError, match="The game 'broken' cannot be used"):
        find_game("broken", data_dir)


def test_a_game_is_found_by_name_and_by_file(data_dir: Path) -> None:
    file = bundled("games") / "practice.json"

    assert find_game("practice", data_dir) == find_game(str(file), data_dir)
    with pytest.raises(
        NegoError, match="There is no game 'chess'; there is campsite, flatmates, grain_market"
    ):
        find_game("chess", data_dir)
    with pytest.raises(NegoError, match="cannot be read"):
        find_game("chess.json", data_dir)


def test_an_agent_that_cannot_be_set_up_says_so_in_one_sentence(data_dir: Path) -> None:
    source = AGENT + "\n    def configure(self, config):\n        raise KeyError('speed')\n"
    (data_dir / "agents" / "picky.py").write_text(source)
    plugin = trusted_agent("picky", data_dir)

    with pytest.raises(NegoError, match=r"the agent 'picky' failed: it raised KeyError \('speed'\)"):
        make_agent(plugin, "agent", {})


def test_a_setting_that_is_no_share_is_refused_with_a_sentence(data_dir: Path) -> None:
    source = (
        AGENT
        + "\n    def configure(self, c):\n        super().configure(c)\n        self.get_fraction('a', 0.5)\n"
    )
    (data_dir / "agents" / "picky.py").write_text(source)

    with pytest.raises(NegoError, match="failed: The setting 'a' is a share from 0 to 1"):
        make_agent(trusted_agent("picky", data_dir), "agent", {"a": 40})


def test_a_name_never_leads_to_what_lies_in_the_working_folder(data_dir: Path, elsewhere: Path) -> None:
    for name in ("fair", "mine"):
        Path(name).mkdir()
        Path(name, "agent.py").write_text("raise OSError('it ran')\n" + AGENT)
        Path(name, "game.json").write_text("{}")
    Path("practice").mkdir()
    Path("practice", "game.json").write_text("{}")

    assert find_agent("fair", data_dir).file == bundled("agents") / "fair.py"
    assert find_game("practice", data_dir).name == "practice"
    with pytest.raises(NegoError, match="There is no agent 'mine'"):
        find_agent("mine", data_dir)
    with pytest.raises(NegoError, match="There is no agent 'mine:Polite'"):
        find_agent("mine:Polite", data_dir)
    with pytest.raises(NegoError, match="There is no game 'mine'"):
        find_game("mine", data_dir)
    with pytest.raises(NegoError, match="it ran"):
        named_by_path("./mine", data_dir)
    with pytest.raises(NegoError, match=r"game\.json"):
        find_game("./mine", data_dir)


def test_a_row_leads_to_its_own_file_whatever_it_is_called(data_dir: Path, elsewhere: Path) -> None:
    (data_dir / "agents" / "foo.py.py").write_text(AGENT)
    Path("foo.py").write_text("raise OSError('it ran')\n" + AGENT)
    (row,) = [row for row in list_agents(data_dir) if row.name == "foo.py"]
    assert row.untrusted is not None
    assert find_entry([row], "foo.py", []) is None, "it was not trusted with the choice"

    chosen = find_entry([row], "foo.py", [row.untrusted])
    assert chosen is row
    plugin = agent_from_entry(chosen, data_dir, discover=discover_in_process)

    assert (plugin.file, plugin.sha256) == (row.file, row.untrusted.sha256)
    (known,) = [row for row in trusted_agents(data_dir) if row.name == "foo.py"]
    assert agent_from_entry(known, data_dir) == plugin


def test_of_two_rows_with_one_name_the_one_that_was_trusted_is_meant(data_dir: Path) -> None:
    (data_dir / "agents" / "mine.py").write_text(AGENT)
    (untrusted,) = [row for row in list_agents(data_dir) if row.name == "mine"]
    usable = CatalogueEntry("mine", data_dir / "other.py", find_agent("fair", data_dir))
    assert untrusted.untrusted is not None

    assert find_entry([untrusted, usable], "mine", []) is usable
    assert find_entry([usable, untrusted], "mine", [untrusted.untrusted]) is untrusted


def test_a_game_of_a_row_is_the_one_that_was_shown(data_dir: Path, elsewhere: Path) -> None:
    shutil.copytree(bundled("games") / "land_sale", data_dir / "games" / "plots")
    file = data_dir / "games" / "plots" / "game.json"
    file.write_text(file.read_text().replace('"land_sale"', '"plots"', 1))
    (row,) = [row for row in list_games(data_dir) if row.name == "plots"]
    Path("plots").mkdir()
    Path("plots", "game.json").write_text("{}")

    game = game_from_entry(row, data_dir)

    assert row.untrusted is not None
    assert game.own_state is not None
    assert game.own_state.sha256 == row.untrusted.sha256
