"""Agents that play other kinds of game than bargaining: files, lists, refusals, checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, list_agents
from negoplatform.app.session.agent_placement import participant_seat
from negoplatform.app.session.agent_setup import prepare_in_process, prepare_in_subprocess
from negoplatform.app.simulation.simulate import simulate
from negoplatform.cli.main import run as run_command
from negoplatform.cli.render.catalogue_table import catalogue_lines
from negoplatform.domain.errors import AgentError, InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.hosting import child_process
from negoplatform.testing import check_agent
from negoplatform.testing.finding import Severity
from tests.app.trusting import trust_all
from tests.mechanisms.auction_games import AUCTION, BIDDER, build

QUIET = """
from negoplatform.agent_api import NegotiationAgent


class Quiet(NegotiationAgent):
    \"\"\"Says nothing.\"\"\"

    mechanisms = MECHANISMS
"""

WITH_MECHANISM = """
from negoplatform.agent_api import NegotiationAgent
from negoplatform.core.mechanisms import Mechanism


class Auction(Mechanism):
    name = "auction"


class Bidder(NegotiationAgent):
    mechanisms = ("auction",)
"""


@pytest.fixture
def auction() -> GameSpec:
    """Return an auction."""
    return build(AUCTION)


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a process is started."""
    monkeypatch.setattr(
        child_process, "start_process", lambda *_args, **_more: pytest.fail("a process began")
    )


def lay(folder: Path, kinds: object, **manifest: object) -> Path:
    """Write an agent that names kinds of game in its class, with an agent.json."""
    folder.mkdir(parents=True)
    file = folder / "agent.py"
    file.write_text(QUIET.replace("MECHANISMS", repr(kinds)))
    (folder / "agent.json").write_text(json.dumps(manifest))
    return file


def test_an_agent_of_the_catalogue_has_the_kinds_that_its_class_names(tmp_path: Path) -> None:
    assert find_agent(BIDDER, tmp_path).mechanisms == ("sealed_bid",)
    assert find_agent("fair", tmp_path).mechanisms == ("bargaining",)


def test_agent_json_names_the_same_kinds_as_the_class(tmp_path: Path) -> None:
    same = lay(tmp_path / "a", ("bargaining", "sealed_bid"), mechanisms=["sealed_bid", "bargaining"])
    other = lay(tmp_path / "b", ("bargaining",), mechanisms=["sealed_bid"])

    assert find_agent(str(same), tmp_path).mechanisms == ("bargaining", "sealed_bid")
    with pytest.raises(
        InputFileError, match=r"agent\.json at mechanisms: the class Quiet plays games of the kind"
    ):
        find_agent(str(other), tmp_path)


def test_the_list_shows_kinds_before_and_after_an_agent_is_trusted(tmp_path: Path) -> None:
    lay(tmp_path / "agents" / "quiet", ("sealed_bid",), mechanisms=["sealed_bid"])

    def row() -> str:
        return next(line for line in catalogue_lines(list_agents(tmp_path), plain=False) if "quiet" in line)

    assert "(yours, plays sealed_bid) not trusted yet" in row()
    trust_all(tmp_path)
    assert "(yours, plays sealed_bid) Says nothing." in row()


@pytest.mark.parametrize("said", ["sealed_bid", (), (1,), None])
def test_kinds_that_are_no_names_are_refused_when_the_file_is_read(tmp_path: Path, said: object) -> None:
    file = lay(tmp_path / "quiet", said)

    with pytest.raises(NegoError, match=r"Quiet.mechanisms is a tuple of kinds of game, such as"):
        find_agent(str(file), tmp_path)


@pytest.mark.usefixtures("no_processes")
@pytest.mark.parametrize("isolated", [False, True])
def test_an_agent_of_another_kind_is_refused_before_anything_begins(
    auction: GameSpec, tmp_path: Path, isolated: bool
) -> None:
    fair = find_agent("fair", tmp_path)
    logs = tmp_path / "logs"

    with pytest.raises(
        AgentError, match=r"^fair plays games of the kind bargaining, and vases is of the kind"
    ):
        list(simulate(auction, [fair] * 3, games=1, seed=1, logs=logs, report=print, isolated=isolated))
    with pytest.raises(AgentError, match="choose another agent"):
        prepare_in_subprocess(fair, "ann", {}, game=auction, seed=1, output=tmp_path / "output.txt")

    assert not logs.exists()
    assert not (tmp_path / "output.txt").exists()


def test_a_fallback_agent_of_another_kind_is_refused_before_the_game(
    auction: GameSpec, tmp_path: Path
) -> None:
    bidder = find_agent(BIDDER, tmp_path)

    with pytest.raises(AgentError, match=r"^fair plays games of the kind bargaining"):
        prepare_in_process(bidder, "ann", {"budget": {"fallback": "fair"}}, game=auction)


def test_a_file_with_a_mechanism_and_an_agent_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "both.py"
    file.write_text(WITH_MECHANISM)

    code = run_command(["simulate", "--game", "resource_exchange", "--agents", str(file), str(file)])

    shown = capsys.readouterr().err
    assert code == 1
    assert (
        f"{file}: loading it failed: line 6: Auction is a mechanism, which has a module of its own" in shown
    )
    assert "Traceback" not in shown


def test_a_process_that_does_not_know_the_kind_of_game_says_so(auction: GameSpec, tmp_path: Path) -> None:
    file = lay(tmp_path / "quiet", ("sealed_bid",))
    quiet = find_agent(str(file), tmp_path)

    with pytest.raises(
        AgentError, match="does not know the kind of game 'sealed_bid'; register its mechanism"
    ):
        prepare_in_subprocess(quiet, "ann", {}, game=auction, seed=1)


def test_a_check_of_such_an_agent_looks_at_its_code_and_says_that_it_is_not_played() -> None:
    findings = check_agent(Path(BIDDER), in_another_process=False)

    assert [(found.severity, found.situation) for found in findings] == [
        (Severity.WARNING, "the whole check")
    ]
    assert "plays games of the kind sealed_bid, and the situations of this check are" in str(findings[0])


def test_a_check_is_not_for_games_of_other_kinds(auction: GameSpec) -> None:
    (finding,) = check_agent(Path(BIDDER), games=[auction])

    assert str(finding).startswith("error: the game vases: It is of the kind sealed_bid, and the situations")


def test_simulate_says_why_such_a_game_has_no_measures_of_outcomes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "vases.json").write_text(json.dumps(AUCTION))

    run_command(
        ["simulate", "--game", str(tmp_path / "vases.json"), "--agents", BIDDER, "--fill", BIDDER, "--n", "1"]
    )

    shown = capsys.readouterr()
    assert "vases has no issues, and measures compare the outcomes of issues" in shown.err
    assert "hidden" not in shown.err
    assert "Classes of steps" not in shown.out


def test_the_window_and_check_game_refuse_such_a_game_in_a_sentence(
    auction: GameSpec, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "vases.json").write_text(json.dumps(AUCTION))

    code = run_command(["check-game", str(tmp_path / "vases.json")])

    assert code == 1
    assert "games of this kind are not checked; the file itself is valid." in capsys.readouterr().err
    with pytest.raises(
        NegoError, match=r"and the window shows bargaining.* alone; 'negoplatform simulate' plays"
    ):
        participant_seat(auction, None)
