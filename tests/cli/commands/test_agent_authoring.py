"""Commands check and new-agent: their output and files, and one sentence per error."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.agent_api.version import format_version
from negoplatform.app.catalogue.catalogue import list_agents
from negoplatform.cli.main import run
from negoplatform.formats.agent_manifest import read_manifest
from negoplatform.formats.agent_permissions import NO_SANDBOX
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.agent_loader import ALL_ROLES
from negoplatform.testing.new_agent import ROLES, STYLES, write_new_agent

BAD = Path(__file__).parents[2] / "testing" / "bad_agents"

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Return a function that runs a command in an empty folder, with an empty user folder."""
    monkeypatch.chdir(tmp_path)

    def typed(*args: str) -> Said:
        code = run([*args, "--data-dir", str(tmp_path / "data")])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


def test_check_prints_one_line_per_finding_and_counts_them(command: Callable[..., Said]) -> None:
    code, out, err = command("check", str(BAD / "never_confirms.py"), "--game", "practice")

    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("warning: the agent's own offer is accepted")
    assert lines[1] == "No errors; 1 warning."


@pytest.mark.skipif(available_sandbox() == NO_SANDBOX, reason="agents have no sandbox on this system")
def test_check_says_that_it_runs_an_agent_with_permissions_without_its_sandbox(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    folder = tmp_path / "asks"
    folder.mkdir()
    shutil.copy(BAD / "never_confirms.py", folder / "agent.py")
    _, plain, _ = command("check", str(folder / "agent.py"), "--game", "practice")
    (folder / "agent.json").write_text('{"permissions": {"write": ["scratch"]}}')

    _, asking, _ = command("check", str(folder / "agent.py"), "--game", "practice")

    assert asking == f"{plain}It ran without its sandbox; simulate --isolated runs it there.\n"


def test_check_exits_with_1_on_an_error(command: Callable[..., Said]) -> None:
    code, out, _ = command("check", str(BAD / "raises.py"), "--game", "practice")

    assert code == 1
    assert out.splitlines()[-1] == "2 errors; no warnings."


def test_check_gives_its_findings_as_json(command: Callable[..., Said]) -> None:
    code, out, _ = command("check", str(BAD / "has_no_name.py"), "--game", "practice", "--json")

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

    _, of_both, _ = command("check", str(two), "--game", "practice")
    _, of_one, _ = command("check", f"{two}:Other", "--game", "practice")

    assert "warning: mute: " in of_both
    assert "warning: other: " in of_both
    assert of_one.startswith("warning: all ")


def test_check_says_which_agents_there_are(command: Callable[..., Said]) -> None:
    code, _, err = command("check", "nobody")

    assert code == 1
    assert err.startswith("negoplatform: There is no agent 'nobody'; there is ")


def test_a_new_agent_is_found_at_once(command: Callable[..., Said], tmp_path: Path) -> None:
    code, out, err = command("new-agent", "patient_buyer")

    assert (code, err) == (0, "")
    assert str(tmp_path / "data" / "agents" / "patient_buyer" / "agent.py") in out
    assert "patient_buyer" in [row.name for row in list_agents(tmp_path / "data") if row.item]


def test_the_check_that_a_new_agents_author_is_told_of_is_one(command: Callable[..., Said]) -> None:
    _, out, _ = command("new-agent", "kim", "--dir", ".")
    told = next(line for line in out.splitlines() if line.startswith("Check it: "))

    program, *words = shlex.split(told.removeprefix("Check it: "), posix=os.name == "posix")

    assert program == "negoplatform"
    assert is_clean(command(*words, "--game", "practice"))


@pytest.mark.parametrize(
    ("started", "shown"),
    [
        ("./NegoPlatform", "./NegoPlatform"),
        ("/my lab/NegoPlatform", '"/my lab/NegoPlatform"' if os.name == "nt" else "'/my lab/NegoPlatform'"),
    ],
)
def test_the_packaged_program_tells_commands_as_it_was_started(
    command: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, started: str, shown: str
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "argv", [started, "new-agent"])

    _, out, _ = command("new-agent", "kim", "--dir", ".")

    agent = Path("kim", "agent.py")
    assert f"Check it: {shown} check {agent}\n" in out
    assert f"Play against it: {shown} play --watch {agent}\n" in out


def test_a_bare_word_beside_a_folder_of_that_name_is_told_the_path(command: Callable[..., Said]) -> None:
    command("new-agent", "kim", "--dir", ".")

    code, _, err = command("check", "kim")
    _, _, of_another = command("check", "tim")

    assert code == 1
    assert f"The folder kim that lies here is named by its path: {os.curdir}{os.sep}kim" in err
    assert "The folder" not in of_another


@pytest.mark.parametrize("style", STYLES)
def test_nothing_is_complained_about_in_a_new_agent(command: Callable[..., Said], style: str) -> None:
    command("new-agent", "patient_buyer", "--style", style)

    assert is_clean(command("check", "patient_buyer"))


def is_clean(said: Said) -> bool:
    """Return whether a check found nothing; counts of refused actions and of calls may follow."""
    code, out, err = said
    return code == 0 and err == "" and out.startswith("Nothing to complain about.\n")


def own_tests(folder: Path, *names: str) -> str:
    """Return pytest's output for the tests of new agents in a folder, run as their author would run them."""
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *names],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    return told.stdout


SEATLESS = tuple(role for role in ROLES if role != "seat")
"""Roles of principals and assistants."""

WHOLE = {"minimal": 3, "policies": 3, "language-model": 4, "trading": 5, "market": 4} | dict.fromkeys(
    SEATLESS, 2
)
"""Number of tests that a new agent comes with, by style, by kind of game or by role."""

BROKEN = [
    ("minimal", " and ctx.get_agent_utility() >= self.wanted(ctx)", "", "worse_than_no_deal"),
    ("minimal", "FormalAccept()]", "]", "closes_a_deal"),
    ("policies", "super().give_way(steps * self.demand)", "pass", "gives_way"),
    ("policies", 'start=self.get_fraction("start", 0.9), ', "", "set_to_begin"),
    (
        "language-model",
        "self.voice.answer(ctx, event, super().handle_event(ctx, event))",
        "super().handle_event(ctx, event)",
        "words_of_the_model",
    ),
    ("trading", " and trading.gain(proposal) > 0", "", "declines_what_lowers"),
    (
        "trading",
        "[*confirmed, self.submit(ctx, proposal)]",
        "confirmed",
        "confirms_its_own",
    ),
    (
        "trading",
        "not self.is_busy(ctx) and trading.gain",
        "not trading.pending and trading.gain",
        "one_trade_at",
    ),
    ("market", "worth * (1 - margin) if", "worth * (1.5 - margin) if", "never_bids_more"),
    ("market", "0.28 * max(0.0, left)", "0.28", "gives_way"),
    ("principal", " if late else ", " if not late else ", "asks_for_less"),
    ("agenda", "if not ctx.board.terms(issue.name):", "if True:", "is_begun"),
    ("insights", "if gained > 0", "if gained < 0", "return_a_concession"),
    ("debrief", "senders.count(ctx.seat)", "0", "counts_the_offers"),
]
"""Style, kind or role of a new agent, a line of it, what takes its place, and the test that fails then."""


def write_agent(folder: Path, name: str, template: str) -> Path:
    """Write a new agent of a style, of another kind of game or in another role; return its agent.py."""
    option = "style" if template in STYLES else "role" if template in SEATLESS else "mechanism"
    chosen = {option: template}
    return write_new_agent(name, folder, **chosen) / "agent.py"


def named_tests(folder: Path, part: str) -> list[str]:
    """Return pytest's names of the tests of a new agent with a part in their names."""
    (file,) = folder.glob("test_*.py")
    tests = re.findall(rf"(?m)^def (test_\w*{part}\w*)", file.read_text(encoding="utf-8"))
    return [f"{folder.name}/{file.name}::{test}" for test in tests]


@pytest.mark.timeout(300)
def test_the_tests_of_new_agents_pass_and_notice_what_breaks_them(tmp_path: Path) -> None:
    """Run all of them at once: a pytest of its own for each would take a second to start."""
    whole = {f"whole{i}": template for i, template in enumerate(WHOLE)}
    broken = {f"broken{i}": case for i, case in enumerate(BROKEN)}
    for name, template in whole.items():
        write_agent(tmp_path, name, template)
    for name, (template, line, instead, _) in broken.items():
        agent = write_agent(tmp_path, name, template)
        text = agent.read_text(encoding="utf-8")
        assert line in text
        agent.write_text(text.replace(line, instead), encoding="utf-8")

    # Of a broken agent the named tests alone: all of them, the check among them, pass before it is broken.
    named = [test for name, (*_, part) in broken.items() for test in named_tests(tmp_path / name, part)]

    told = own_tests(tmp_path, "-rA", *whole, *named)

    ended = re.findall(r"(?m)^(PASSED|FAILED) (\w+)[/\\]test_\w+\.py::(\w+)", told)
    for name, template in whole.items():
        outcomes = [outcome for outcome, of, _ in ended if of == name]
        assert outcomes == ["PASSED"] * WHOLE[template], (template, told)
    for name, (template, line, _, failing) in broken.items():
        outcomes = [outcome for outcome, of, _ in ended if of == name]
        assert outcomes == ["FAILED"], (template, line, failing, told)


@pytest.mark.parametrize("style", STYLES)
def test_what_a_new_agent_says_of_itself_is_read(
    command: Callable[..., Said], tmp_path: Path, style: str
) -> None:
    command("new-agent", "patient_buyer", "--style", style, "--dir", str(tmp_path))

    manifest = read_manifest(tmp_path / "patient_buyer" / "agent.json")

    assert (manifest.id, manifest.version) == ("patient_buyer", "0.1.0")
    assert manifest.api_version == format_version()


@pytest.mark.parametrize("kind", ["trading", "market"])
def test_a_new_agent_of_another_kind_is_checked_and_tried_as_its_author_is_told(
    command: Callable[..., Said], tmp_path: Path, kind: str
) -> None:
    _, out, _ = command("new-agent", "trader", "--mechanism", kind, "--dir", str(tmp_path))

    agent = tmp_path / "trader" / "agent.py"
    assert read_manifest(tmp_path / "trader" / "agent.json").mechanisms == (kind,)
    assert is_clean(command("check", str(agent)))
    told = next(line for line in out.splitlines() if line.startswith("Try it among others:"))
    words = shlex.split(told.partition(" simulate ")[2])
    code, shown, _ = command("simulate", *words[:-1], "1", "--seatings", "given")
    assert code == 0
    assert "0 failures of agents" in shown


@pytest.mark.parametrize("role", SEATLESS)
def test_a_new_plug_in_without_a_seat_is_found_checked_and_tried_as_its_author_is_told(
    command: Callable[..., Said], tmp_path: Path, role: str
) -> None:
    _, out, _ = command("new-agent", "my_own", "--role", role)

    listed = list_agents(tmp_path / "data", roles=ALL_ROLES)
    assert [row.item.role for row in listed if row.name == "my_own" and row.item] == [role]
    assert "my_own" not in [row.name for row in list_agents(tmp_path / "data")]
    assert is_clean(command("check", "my_own"))
    told = next(line for line in out.splitlines() if line.startswith("Try it:"))
    code, shown, _ = command("simulate", *shlex.split(told.partition(" simulate ")[2]), "--seatings", "given")
    assert code == 0
    assert "0 failures of agents" in shown


def test_a_style_or_a_kind_of_game_is_refused_for_a_role_without_a_seat(
    command: Callable[..., Said],
) -> None:
    for option in (("--style", "policies"), ("--mechanism", "market")):
        code, _, err = command("new-agent", "head", "--role", "principal", *option)

        assert code == 1
        assert "A style or a kind of game is for agents in seats; leave it out for the role principal." in err


def test_a_style_of_bargaining_is_refused_for_another_kind(command: Callable[..., Said]) -> None:
    code, _, err = command("new-agent", "trader", "--mechanism", "market", "--style", "policies")

    assert code == 1
    assert "The style 'policies' is for bargaining; leave it out for games of the kind market." in err


@pytest.mark.parametrize(
    "name", ["Buyer", "1st", "a b", "../up", "con", "none", "send_offer", "path", "test", "x" * 41, "", "ä"]
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
