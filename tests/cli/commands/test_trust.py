"""Command trust: its question, list and removal; and what the other commands print before trust is given."""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.app.catalogue.trust import open_trust
from negoplatform.app.support.key_value_store import KeyValueStore
from negoplatform.cli.main import run
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, NO_SANDBOX, SandboxLevel
from negoplatform.plugins.agent_loader import hash_of
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.plugins.program_and_user_folders import bundled

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""

MY_AGENT = Path(__file__).parents[2] / "plugin_files" / "my_agent.py"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """Return an agent in the user's own folder."""
    (tmp_path / "data" / "agents").mkdir(parents=True)
    return Path(shutil.copy(MY_AGENT, tmp_path / "data" / "agents" / "mine.py"))


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Return a function that runs a command with an answer to its question."""

    def typed(*args: object, answer: str = "") -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        code = run([*map(str, args), "--data-dir", str(tmp_path / "data")])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


@pytest.fixture(params=[SandboxLevel(7, seccomp=True), NO_SANDBOX], ids=["full", "none"])
def sandbox(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SandboxLevel:
    """Return the sandbox that this computer is said to have."""
    level: SandboxLevel = request.param
    monkeypatch.setattr("negoplatform.cli.commands.trust.available_sandbox", lambda: level)
    return level


def test_an_agent_is_shown_with_its_hash_and_trusted_if_that_is_said(
    command: Callable[..., Said], agent: Path, sandbox: SandboxLevel
) -> None:
    code, out, _ = command("trust", agent, answer="y\n")

    lines, sha256 = out.splitlines(), hash_of(agent)
    assert code == 0
    assert lines[0] == str(agent)
    assert " ".join(lines[1:3]).replace("SHA-256", "").replace(" ", "") == sha256
    anything = "It can do anything you can do on this computer. Trust it? [y/N]: "
    assert lines[3].startswith(anything if sandbox == NO_SANDBOX else "In the window it runs in a sandbox: ")
    assert "can do anything you can do" in lines[3], "commands run it inside the program"
    assert out.endswith("It is trusted until it changes.\n")
    assert "mine" in command("list", "agents", "--plain")[1].splitlines()


def test_what_an_agent_asks_for_is_shown_and_trusted_with_it(
    command: Callable[..., Said], agent: Path, sandbox: SandboxLevel
) -> None:
    folder = agent.parent / "asker"
    folder.mkdir()
    shutil.copy(agent, folder / "agent.py")
    (folder / "agent.json").write_text('{"permissions": {"network": ["a.example:443"], "read": ["model"]}}')
    says = (
        'It may also connect to port 443 of any computer (it names a.example) · read in its folder "model".'
    )

    _, asked, _ = command("trust", folder, answer="n\n")
    _, without_a_question, _ = command("trust", folder, "--yes")
    _, listed, _ = command("trust", "--list")
    (folder / "agent.json").write_text('{"permissions": {"network": ["a.example:443", "b.example:1"]}}')
    _, again, _ = command("trust", folder, answer="n\n")

    assert says in asked
    assert says in without_a_question
    assert says in listed
    assert "is trusted already" not in again
    assert "port 1 of any computer (it names b.example)" in again


def test_the_code_of_a_game_is_never_said_to_run_in_a_sandbox(
    command: Callable[..., Said], tmp_path: Path, sandbox: SandboxLevel
) -> None:
    shutil.copytree(bundled("games") / "land_sale", tmp_path / "data" / "games" / "land_sale")

    _, asked, _ = command("trust", tmp_path / "data" / "games" / "land_sale", answer="n\n")

    assert "It can do anything you can do on this computer. Trust it?" in asked
    assert "sandbox" not in asked


def test_an_agent_that_is_named_by_its_path_is_run_with_its_permissions_in_sight(
    command: Callable[..., Said], agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("negoplatform.cli.main._open_window", lambda *_args, **_chosen: None)
    (agent.parent / "agent.json").write_text('{"permissions": {"write": ["scratch"]}}')
    file = agent.rename(agent.with_name("agent.py"))
    says = 'It may also write in its folder "scratch".'

    for named in (f"{file}", f"{file.parent}", f"{file}:MyAgent", f"{file}@settings.json"):
        assert command("play", "--agent", named)[2] == f"{named}: {says}\n"
    assert command("play", "--watch", file)[2] == f"{file}: {says}\n"
    assert command("play", "--agent", "fair")[2] == ""


@pytest.mark.parametrize("answer", ["n\n", "\n"])
def test_whatever_is_no_yes_trusts_nothing(command: Callable[..., Said], agent: Path, answer: str) -> None:
    code, out, _ = command("trust", agent, answer=answer)

    assert (code, out.splitlines()[-1][-18:]) == (1, "It is not trusted.")
    assert command("trust", "--list")[1] == "No file of yours is trusted.\n"


def test_without_anybody_to_answer_nothing_is_trusted(command: Callable[..., Said], agent: Path) -> None:
    code, _, err = command("trust", agent)

    assert (code, err.splitlines()[-1]) == (130, "negoplatform: Stopped.")
    assert command("trust", "--list")[1] == "No file of yours is trusted.\n"


def test_a_laboratory_trusts_without_being_asked(command: Callable[..., Said], agent: Path) -> None:
    assert command("trust", "--yes", agent)[0] == 0
    assert command("trust", "--yes", agent) == (0, f"{agent} is trusted already.\n", "")

    code, out, _ = command("trust", "--list")

    assert code == 0
    assert out.splitlines()[:2] == [str(agent), f"  SHA-256 {hash_of(agent)}"]
    assert command("trust", "--forget", agent) == (0, f"{agent} is no longer trusted.\n", "")
    assert command("trust", "--forget", agent) == (0, f"{agent} was not trusted.\n", "")
    assert command("trust", "--list")[1] == "No file of yours is trusted.\n"


def test_the_list_says_which_files_are_trusted_in_a_process_only(
    command: Callable[..., Said], agent: Path, tmp_path: Path
) -> None:
    only = "Only in a process of its own, not for check and simulate without --isolated."
    with open_trust(tmp_path / "data", print) as trust:
        trust.add(CodeFile(agent, hash_of(agent), NO_PERMISSIONS, in_program=False))

    assert only in command("trust", "--list")[1]
    assert command("trust", "--yes", agent)[0] == 0
    assert only not in command("trust", "--list")[1]


def test_a_game_that_brings_code_is_trusted_by_its_folder_or_its_file(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        shutil.copytree(bundled("games") / "land_sale", tmp_path / "data" / "games" / name)
        with (tmp_path / "data" / "games" / name / "state.py").open("a") as file:
            file.write(f"# {name}\n")

    folder, file_ = tmp_path / "data" / "games" / "a", tmp_path / "data" / "games" / "b" / "game.json"
    assert command("trust", "--yes", folder, file_)[0] == 0

    listed = command("trust", "--list")[1]
    assert str(folder / "state.py") in listed
    assert str(file_.with_name("state.py")) in listed


def test_list_says_how_an_agent_is_trusted_and_simulate_does_so_too(
    command: Callable[..., Said], agent: Path, tmp_path: Path
) -> None:
    how = f"not trusted yet: negoplatform trust {agent} --data-dir {tmp_path / 'data'}"

    _, listed, _ = command("list", "agents")
    code, _, err = command("simulate", "--game", "practice", "--agents", "mine", "fair", "--n", "1")

    assert [line.split(maxsplit=1)[1] for line in listed.splitlines() if line.startswith("mine")] == [
        f"(yours) {how}"
    ]
    assert (code, err) == (1, f"negoplatform: The agent 'mine' is {how}\n")
    assert "mine" not in command("list", "agents", "--plain")[1].splitlines()


def test_a_file_of_a_new_agent_is_trusted_until_its_author_changes_it(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    command("new-agent", "patient_buyer")
    agent = tmp_path / "data" / "agents" / "patient_buyer" / "agent.py"

    assert "patient_buyer" in command("list", "agents", "--plain")[1].splitlines()
    agent.write_text(agent.read_text() + "\n# changed\n")
    assert "patient_buyer" not in command("list", "agents", "--plain")[1].splitlines()


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ([], "Name the files that you trust"),
        (["--list", "x.py"], "Name the files that you trust"),
        (["--forget"], "Name the files that you trust"),
        (["--list", "--yes"], "Name the files that you trust"),
        (["nowhere.py"], "nowhere.py: the file cannot be read ("),
        (["game.txt"], "game.txt is no Python file; there is nothing to trust."),
        (["--yes", "/"], f"{Path('/')} holds neither agent.py nor state.py; there is nothing to trust."),
    ],
)
def test_what_cannot_be_trusted_is_one_sentence(
    command: Callable[..., Said], args: list[str], reason: str
) -> None:
    code, out, err = command("trust", *args)

    assert code in (1, 2)
    assert out == ""
    assert reason in err
    assert len(err.splitlines()) == 1


def test_trust_that_cannot_be_kept_is_an_error(
    command: Callable[..., Said], agent: Path, tmp_path: Path
) -> None:
    (tmp_path / "data" / "store.sqlite3").mkdir()

    code, out, err = command("trust", "--yes", agent)

    assert (code, out) == (1, "")
    assert "store.sqlite3 cannot be used" in err
    assert command("trust", "--forget", agent)[:2] == (1, "")
    assert command("trust", "--list")[:2] == (1, "")


def test_a_change_that_a_busy_database_does_not_take_is_not_said_to_be_made(
    command: Callable[..., Said], agent: Path, tmp_path: Path
) -> None:
    command("trust", "--yes", agent)
    other = agent.with_name("other.py")
    other.write_text(agent.read_text() + "# other\n")

    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "store.sqlite3")) as busy:
        busy.execute("BEGIN IMMEDIATE")
        added, forgotten = command("trust", "--yes", other), command("trust", "--forget", agent)

    assert (added[0], forgotten[0]) == (1, 1)
    assert "It is trusted until it changes" not in added[1]
    assert "no longer" not in forgotten[1]
    assert "may still be trusted" in forgotten[2]


def test_nothing_in_the_database_can_speak_to_the_terminal(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    with KeyValueStore(tmp_path / "data" / "store.sqlite3", print) as database:
        database.write("trust_\x1b[2J", '{"path": "/x\\u001b[2J", "since": "now\\u001b[2J"}')

    code, out, _ = command("trust", "--list")

    assert code == 0
    assert "now" in out
    assert "\x1b" not in out
