"""Trust in the user's code: none of it runs before the user has confirmed trust in it."""

from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import sys
from functools import partial
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, list_agents
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.catalogue.trust import Trust, open_trust
from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_protocol import DescribedAgent
from negoplatform.hosting.agent_process_proxy import discover_agents
from negoplatform.plugins.agent_loader import (
    AgentPlugin,
    discover_in_process,
    hash_of,
    load_agent_class,
    load_module,
    make_agent,
)
from negoplatform.plugins.code_file_trust_hash import CodeFile, agent_code_file, code_file
from negoplatform.plugins.program_and_user_folders import user_folder
from tests.app.catalogue.test_catalogue import AGENT
from tests.app.trusting import trust_all


class Folder:
    """User's folder with one agent, which leaves a trace whenever its file is run."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.agent = data_dir / "agents" / "mine.py"
        self.trace = data_dir / "it ran"
        self.agent.parent.mkdir(parents=True)
        self.write(AGENT)

    def write(self, source: str) -> None:
        """Write the agent's file, in place of an earlier one."""
        trace = f"with open({str(self.trace)!r}, 'a') as trace:\n    trace.write('.')\n"
        self.agent.write_text(trace + source, encoding="utf-8")

    def rows(self) -> list[CatalogueEntry[AgentPlugin]]:
        """Return the catalogue's entries for the user's own agents."""
        return [row for row in list_agents(self.data_dir) if row.file == self.agent]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """User's folder in which nothing is trusted."""
    return Folder(tmp_path / "data")


def test_an_agent_that_nobody_trusts_yet_is_a_row_and_its_code_is_not_run(folder: Folder) -> None:
    (row,) = folder.rows()

    assert (row.name, row.item) == ("mine", None)
    assert row.untrusted == CodeFile(folder.agent, hash_of(folder.agent), in_program=False)
    assert row.reason == (f"not trusted yet: negoplatform trust {folder.agent} --data-dir {folder.data_dir}")
    with pytest.raises(
        NegoError, match=r"The agent 'mine' is not trusted yet: negoplatform trust .*mine\.py"
    ):
        find_agent("mine", folder.data_dir)
    assert not folder.trace.exists()
    assert not (folder.data_dir / FILE_NAME).exists(), "looking makes no file"


def test_a_trusted_agent_is_looked_at_in_a_process_of_its_own_and_only_once(folder: Folder) -> None:
    folder.agent.write_text(AGENT, encoding="utf-8")
    trust_all(folder.data_dir)
    asked: list[Path] = []

    def describe(path: Path, sha256: str) -> list[DescribedAgent]:
        asked.append(path)
        return discover_agents(path, sha256)

    first, second = (
        [row for row in list_agents(folder.data_dir, describe=describe) if row.file == folder.agent]
        for _ in range(2)
    )

    assert asked == [folder.agent]
    assert [row.name for row in first] == ["mine"]
    assert first == second
    assert first[0].item is not None
    assert first[0].item.description == "Says nothing. And means it."
    assert make_agent(first[0].item, "agent", {"name": "Kim"}).get_name() == "Kim"


def test_what_is_known_of_a_file_is_not_asked_for_again(folder: Folder) -> None:
    asked: list[Path] = []

    def describe(path: Path, sha256: str) -> list[DescribedAgent]:
        asked.append(path)
        return discover_in_process(path, sha256)

    trust_all(folder.data_dir)
    list_agents(folder.data_dir, describe=describe)
    again = list_agents(folder.data_dir, describe=describe)

    assert asked == [folder.agent]
    assert [row.name for row in again if row.file == folder.agent] == ["mine"]


def test_a_file_that_has_changed_is_asked_about_again(folder: Folder) -> None:
    trust_all(folder.data_dir)
    folder.write(AGENT.replace("Says nothing", "Says something"))

    (row,) = folder.rows()

    assert row.item is None
    assert row.untrusted == agent_code_file(folder.agent)
    assert not folder.trace.exists()


def test_what_somebody_trusts_while_they_choose_it_is_trusted_from_then_on(folder: Folder) -> None:
    (row,) = folder.rows()
    assert row.untrusted is not None

    plugin = find_agent("mine", folder.data_dir, trusting=[row.untrusted], describe=discover_in_process)

    assert plugin.name == "mine"
    assert find_agent("mine", folder.data_dir, describe=discover_in_process) == plugin


def test_a_file_that_changes_while_somebody_is_asked_is_not_trusted(folder: Folder) -> None:
    (row,) = folder.rows()
    assert row.untrusted is not None
    folder.write(AGENT.replace("Says nothing", "Says something"))

    with pytest.raises(NegoError, match=r"mine\.py has changed while you were asked; look at it again"):
        find_agent("mine", folder.data_dir, trusting=[row.untrusted])

    assert folder.rows()[0].item is None
    assert not folder.trace.exists()


def test_a_store_that_cannot_be_written_keeps_nobody_from_starting_what_they_trust(folder: Folder) -> None:
    (folder.data_dir / FILE_NAME).mkdir()
    (row,) = folder.rows()
    assert row.untrusted is not None

    plugin = find_agent("mine", folder.data_dir, trusting=[row.untrusted], describe=discover_in_process)

    assert plugin.class_name == "Polite"


def test_a_file_that_is_named_by_its_path_is_trusted_by_that_and_for_that_once(folder: Folder) -> None:
    plugin = find_agent(str(folder.agent), folder.data_dir, describe=discover_in_process)

    assert plugin.name == "mine"
    assert folder.rows()[0].item is None


def test_an_untrusted_file_with_the_name_of_another_agent_is_told_to_change_it(folder: Folder) -> None:
    namesake = folder.agent.rename(folder.agent.with_name("fair.py"))

    (row,) = [row for row in list_agents(folder.data_dir) if row.file == namesake]

    assert (row.item, row.untrusted) == (None, None)
    assert "the name 'fair' belongs to" in row.reason


def test_a_name_that_turns_out_to_be_several_agents_is_answered_with_theirs(folder: Folder) -> None:
    folder.write(AGENT + "\nclass Rude(Polite):\n    pass\n")
    (row,) = folder.rows()
    assert row.untrusted is not None

    with pytest.raises(
        NegoError, match="The file mine holds agents of other names; choose one of polite, rude"
    ):
        find_agent("mine", folder.data_dir, trusting=[row.untrusted], describe=discover_in_process)


@pytest.mark.parametrize(
    "source", ["import os\nos._exit(3)\n", "while True:\n    pass\n", "import ctypes\nctypes.string_at(0)\n"]
)
def test_an_agent_that_ends_or_hangs_its_process_when_it_is_loaded_is_a_row(
    folder: Folder, source: str
) -> None:
    folder.write(source)
    trust_all(folder.data_dir)
    impatient = partial(discover_agents, budget=AgentBudget(load_seconds=3.0))

    rows = list_agents(folder.data_dir, describe=impatient)

    (row,) = [row for row in rows if row.file == folder.agent]
    assert row.item is None
    assert row.untrusted is None
    assert str(folder.agent) in row.reason
    assert "\n" not in row.reason


def test_a_compiled_copy_beside_a_trusted_file_is_never_run(folder: Folder) -> None:
    plain, evil = AGENT, AGENT.replace("Says nothing.", "I am evil   .")
    assert len(plain) == len(evil)
    folder.agent.write_text(evil)
    cached = Path(importlib.util.cache_from_source(str(folder.agent)))
    py_compile.compile(
        str(folder.agent), str(cached), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    folder.agent.write_text(plain)

    (found,) = discover_in_process(folder.agent, hash_of(folder.agent))

    assert found.description.startswith("Says nothing.")


def test_a_class_is_loaded_only_from_the_file_that_was_looked_at(folder: Folder) -> None:
    sha256 = hash_of(folder.agent)

    assert load_agent_class(folder.agent, "Polite", sha256).__name__ == "Polite"
    with pytest.raises(NegoError, match=r"mine\.py has no agent class 'Rude'"):
        load_agent_class(folder.agent, "Rude", sha256)
    folder.write(AGENT + "\n")
    with pytest.raises(NegoError, match=r"mine\.py has changed since it was looked at"):
        load_agent_class(folder.agent, "Polite", sha256)


def test_the_bytes_that_are_run_are_those_that_have_the_hash(folder: Folder) -> None:
    with pytest.raises(NegoError, match=r"mine\.py has changed since it was looked at"):
        load_module(folder.agent, "0" * 64)

    assert not folder.trace.exists()


def test_trust_can_be_listed_and_taken_back_in_every_version_of_a_file(folder: Folder) -> None:
    with open_trust(folder.data_dir, print) as trust:
        for source in (AGENT, AGENT + "\n"):
            folder.write(source)
            trust.add(code_file(folder.agent))
        assert [file.code.path for file in trust.all()] == [folder.agent, folder.agent]

        gone = trust.forget(folder.agent)

        assert len(gone) == 2
        assert trust.all() == []
        assert not trust.is_trusted(code_file(folder.agent))


def test_a_copy_of_a_trusted_file_is_trusted_wherever_it_lies(folder: Folder) -> None:
    trust_all(folder.data_dir)
    copy = folder.agent.with_name("copy.py")
    copy.write_bytes(folder.agent.read_bytes())

    with open_trust(folder.data_dir, print) as trust:
        assert trust.is_trusted(code_file(copy))


@pytest.mark.parametrize("text", ["", "{", "true", '{"path": "x"}', '{"path": "x", "since": "y", "z": 1}'])
def test_what_stands_in_the_store_and_is_no_trust_counts_for_nothing(folder: Folder, text: str) -> None:
    code = code_file(folder.agent)
    with KeyValueStore(folder.data_dir / FILE_NAME, print) as database:
        database.write(f"trust_{code.sha256}", text)

        assert not Trust(database).is_trusted(code)
        assert Trust(database).all() == []


@pytest.mark.parametrize("text", ["{", '{"version": "0", "agents": []}', '{"version": 1}'])
def test_what_stands_in_the_store_and_describes_no_agent_is_found_out_again(
    folder: Folder, text: str
) -> None:
    trust_all(folder.data_dir)
    with KeyValueStore(folder.data_dir / FILE_NAME, print) as database:
        database.write(f"agents_{hash_of(folder.agent)}", text)

    rows = list_agents(folder.data_dir, describe=discover_in_process)

    assert "mine" in [row.name for row in rows if row.item is not None]


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such names")
def test_a_wild_name_can_be_trusted_and_fools_nobody(folder: Folder) -> None:
    wild = folder.agent.rename(folder.agent.parent / os.fsdecode(b"a\nb\x1b[2J\xff\xe2\x80\xaeyp.py"))
    with open_trust(folder.data_dir, print) as trust:
        trust.add(code_file(wild))

        assert trust.is_trusted(code_file(wild))
        assert len(trust.forget(wild)) == 1
    assert code_file(wild).display_path.endswith("a\\nb\\x1b[2J\\udcff\\u202eyp.py")


def test_the_packaged_program_is_called_as_it_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "argv", ["./NegoPlatform", "list", "agents"])

    command = CodeFile(tmp_path / "mine.py", "0" * 64).trust_command(user_folder())

    assert command == f"./NegoPlatform trust {tmp_path / 'mine.py'}"


def test_the_command_names_the_users_folder_only_where_it_is_another(tmp_path: Path) -> None:
    code = CodeFile(tmp_path / "my agent.py", "0" * 64)

    assert code.trust_command(user_folder()) == f'negoplatform trust "{tmp_path / "my agent.py"}"'
    assert code.trust_command(tmp_path).endswith(f"--data-dir {tmp_path}")
    assert code.hash_lines == ("00000000 00000000 00000000 00000000",) * 2


@pytest.fixture
def asker(tmp_path: Path) -> Path:
    """Agent in a folder of its own that is trusted with one service."""
    file = tmp_path / "data" / "agents" / "asker" / "agent.py"
    file.parent.mkdir(parents=True)
    file.write_text(AGENT, encoding="utf-8")
    let_ask(file, network=["a.example:443"])
    with open_trust(tmp_path / "data", pytest.fail) as trust:
        trust.add(agent_code_file(file))
    return file


def let_ask(file: Path, **permissions: list[str]) -> None:
    file.with_name("agent.json").write_text(json.dumps({"permissions": permissions}), encoding="utf-8")


def asker_row(file: Path) -> CatalogueEntry[AgentPlugin]:
    rows = list_agents(file.parents[2], describe=discover_in_process)
    return next(row for row in rows if row.file == file)


def test_an_agent_that_asks_for_more_is_asked_about_again(asker: Path) -> None:
    before = asker_row(asker)
    let_ask(asker, network=["a.example:443", "b.example:443"])
    more = asker_row(asker)

    assert before.item is not None
    assert before.item.manifest.permissions.network == ("a.example:443",)
    assert (more.item, more.changed) == (None, True)
    assert more.untrusted is not None
    assert more.untrusted.permissions.network == ("a.example:443", "b.example:443")
    with pytest.raises(NegoError, match="'asker' is trusted with fewer permissions"):
        find_agent("asker", asker.parents[2], describe=discover_in_process)
    agreed = find_agent("asker", asker.parents[2], trusting=[more.untrusted], describe=discover_in_process)
    assert agreed.manifest.permissions.network == ("a.example:443", "b.example:443")


@pytest.mark.parametrize("fewer", [[], ["a.example:443"]])
def test_an_agent_that_asks_for_no_more_stays_trusted(asker: Path, fewer: list[str]) -> None:
    let_ask(asker, network=fewer)

    assert asker_row(asker).item is not None


def test_an_agent_that_asks_for_more_while_somebody_is_asked_is_not_trusted(asker: Path) -> None:
    let_ask(asker, write=["scratch"])
    shown = asker_row(asker).untrusted
    assert shown is not None
    let_ask(asker, write=["scratch", "more"])

    with pytest.raises(NegoError, match="'asker' is trusted with fewer permissions"):
        find_agent("asker", asker.parents[2], trusting=[shown], describe=discover_in_process)


def test_what_was_trusted_before_there_were_permissions_is_trusted_with_none(tmp_path: Path) -> None:
    file = tmp_path / "agents" / "old" / "agent.py"
    file.parent.mkdir(parents=True)
    file.write_text(AGENT, encoding="utf-8")
    stored = {"path": str(file), "since": "2026-01-01 00:00:00 UTC"}
    with KeyValueStore(tmp_path / FILE_NAME, pytest.fail) as database:
        database.write(f"trust_{hash_of(file)}", json.dumps(stored))

    assert asker_row(file).item is not None
    assert not asker_row(file).asks_more
    let_ask(file, read=["model"])
    assert asker_row(file).item is None
    assert asker_row(file).asks_more
    assert asker_row(file).reason.startswith("trusted with fewer permissions than it asks for now: ")


def test_an_agent_that_is_trusted_in_its_sandbox_may_not_run_inside_the_program(asker: Path) -> None:
    with open_trust(asker.parents[2], pytest.fail) as trust:
        assert not trust.is_trusted(code_file(asker)), "as the state.py of a game, for example"
        trust.add(code_file(asker))
        assert trust.is_trusted(code_file(asker))
        assert trust.is_trusted(agent_code_file(asker)), "one does not replace the other"


def test_a_command_that_runs_agents_inside_the_program_needs_trust_in_that(asker: Path) -> None:
    data_dir = asker.parents[2]

    assert find_agent("asker", data_dir, describe=discover_in_process).file == asker
    with pytest.raises(NegoError, match="'asker' is trusted only in a process of its own"):
        find_agent("asker", data_dir, describe=discover_in_process, in_program=True)

    with open_trust(data_dir, pytest.fail) as trust:
        trust.add(agent_code_file(asker, in_program=True))
    assert find_agent("asker", data_dir, describe=discover_in_process, in_program=True).file == asker
