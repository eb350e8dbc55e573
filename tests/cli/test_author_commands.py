"""check and new-agent: what they print and write, and one sentence for what they cannot do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.app.catalogue import list_agents
from negoplatform.cli.main import run

BAD = Path(__file__).parent.parent / "testing" / "bad_agents"

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Runs a command in an empty folder, with an empty folder for the user's data."""
    monkeypatch.chdir(tmp_path)

    def typed(*args: str) -> Said:
        code = run([*args, "--data-dir", str(tmp_path / "data")])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


def test_check_prints_one_line_per_finding_and_counts_them(command: Callable[..., Said]) -> None:
    code, out, err = command("check", str(BAD / "never_confirms.py"))

    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("warning: the agent's own offer is accepted")
    assert lines[1:] == ["No errors; 1 warning."]


def test_check_exits_with_1_on_an_error(command: Callable[..., Said]) -> None:
    code, out, _ = command("check", str(BAD / "raises.py"))

    assert code == 1
    assert out.splitlines()[-1] == "2 errors; no warnings."


def test_check_gives_its_findings_as_json(command: Callable[..., Said]) -> None:
    code, out, _ = command("check", str(BAD / "has_no_name.py"), "--json")

    told = json.loads(out)
    assert code == 1
    assert (told["errors"], told["warnings"]) == (1, 1)
    assert told["findings"][0] == {
        "severity": "error",
        "situation": "setting up the agent",
        "sentence": "get_name() returned None; return a text.",
        "agent": "",
    }


def test_check_takes_a_class_of_a_file(command: Callable[..., Said], tmp_path: Path) -> None:
    two = tmp_path / "two.py"
    two.write_text((BAD / "never_answers.py").read_text() + "\n\nclass Other(Mute):\n    pass\n")

    _, of_both, _ = command("check", str(two))
    _, of_one, _ = command("check", f"{two}:Other")

    assert "warning: mute: " in of_both
    assert "warning: other: " in of_both
    assert of_one.startswith("warning: all ")


def test_check_says_which_agents_there_are(command: Callable[..., Said]) -> None:
    code, _, err = command("check", "nobody")

    assert code == 1
    assert err.startswith("negoplatform: There is no agent 'nobody'; there is ")


def test_a_new_agent_is_found_at_once_and_has_nothing_to_complain_about(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    code, out, err = command("new-agent", "patient_buyer")

    assert (code, err) == (0, "")
    assert str(tmp_path / "data" / "agents" / "patient_buyer" / "agent.py") in out
    assert "patient_buyer" in [row.name for row in list_agents(tmp_path / "data") if row.item]
    assert command("check", "patient_buyer") == (0, "Nothing to complain about.\n", "")


def test_a_new_agents_own_test_passes(command: Callable[..., Said], tmp_path: Path) -> None:
    command("new-agent", "patient_buyer", "--dir", str(tmp_path / "mine"))

    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "mine")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )

    assert "3 passed" in told.stdout, told.stdout


def test_a_new_agents_own_test_notices_an_agent_that_takes_anything(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    command("new-agent", "buyer", "--dir", str(tmp_path))
    agent = tmp_path / "buyer" / "agent.py"
    text = agent.read_text(encoding="utf-8")
    agent.write_text(text.replace(" and ctx.get_agent_utility() >= self.target(ctx)", ""), encoding="utf-8")

    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "buyer"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )

    assert "2 failed, 1 passed" in told.stdout, told.stdout


@pytest.mark.parametrize(
    "name", ["Buyer", "1st", "a b", "../up", "con", "none", "send_offer", "x" * 41, "", "ä"]
)
def test_a_name_that_cannot_be_one_is_refused(
    command: Callable[..., Said], tmp_path: Path, name: str
) -> None:
    code, _, err = command("new-agent", name)

    assert code == 1
    assert "cannot be an agent's name" in err
    assert not (tmp_path / "data" / "agents").exists()


def test_what_is_there_is_never_overwritten(command: Callable[..., Said], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("precious")
    (tmp_path / "yours").mkdir()

    for name in ("mine", "yours"):
        code, _, err = command("new-agent", name, "--dir", str(tmp_path))

        assert code == 1
        assert "is there already; take another name." in err
    assert (tmp_path / "mine.py").read_text() == "precious"
    assert list((tmp_path / "yours").iterdir()) == []


def test_a_new_agent_does_not_take_a_shipped_agents_name(command: Callable[..., Said]) -> None:
    code, _, err = command("new-agent", "fair")

    assert code == 1
    assert "There is an agent 'fair' already" in err
