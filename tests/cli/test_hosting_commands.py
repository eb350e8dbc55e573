"""The commands that host and join sessions: their options, and the reports of a host."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.joining.join_place import JoinPlace, reachable_address
from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind
from negoplatform.cli.commands.host import host_command
from negoplatform.cli.host_output import HostFacts, HostOutput
from negoplatform.cli.hosted_play import host_arguments
from negoplatform.cli.main import play, run
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import LostLinkAction, LostLinkRule, WizardMode, WizardSettings
from negoplatform.formats.join_protocol import DEFAULT_PORT


def chosen_by(*arguments: str) -> dict[str, Any]:
    """Return the parsed options of ``play --listen`` that concern the session."""
    chosen = play.make_context("play", ["--listen", *arguments]).params
    looks = ("data_dir", "announce", "reset_appearance", "theme", "text_size", "language", "full_screen")
    return {name: value for name, value in chosen.items() if name not in (*looks, "reduce_motion")}


def test_a_host_gets_the_options_of_the_window_that_starts_it(tmp_path: Path) -> None:
    given = [
        *("--game", "three_way", "--participant", "P01", "--people", "b=P02", "--agent", "c=fair@a.json"),
        *("--agent", "boulware", "--wizard", "c:manual", "--wizard-delay", "1.5", "--seed", "5"),
        *("--on-lost", "agent=mine.py:Best:7", "--profile", "c=drawn", "--mood", "sad", "--time-limit", "90"),
        *("--show-left-on-table", "--closing-time", "3", "--another-session", "--no-briefing"),
    ]
    chosen = chosen_by(*given)

    arguments = host_arguments(tmp_path, "de", chosen)

    at_host = host_command.make_context("host", list(arguments)).params
    assert at_host["people"] == {"": "P01", "b": "P02"}
    assert (at_host["language"], at_host["data_dir"], at_host["listen"]) == ("de", tmp_path, "127.0.0.1")
    own = ("listen", "people", "participant", "seat", "watch", "briefing", "practice")
    assert {name: at_host[name] for name in chosen if name not in own} == {
        name: value for name, value in chosen.items() if name not in own
    }


def test_a_resumed_session_is_hosted_with_the_choices_of_its_start(tmp_path: Path) -> None:
    arguments = host_arguments(tmp_path, "en", chosen_by("--resume", "some.jsonl"))

    assert arguments[-2:] == ["--resume", "some.jsonl"]
    with pytest.raises(NegoError, match="--wizard cannot be chosen now"):
        host_arguments(tmp_path, "en", chosen_by("--resume", "some.jsonl", "--wizard", "agent"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "the game is named with --game"),
        (("--game", "practice", "--people", "P02"), "--people P02 needs a seat"),
        (("--game", "practice", "--seat", "a", "--people", "a=P02"), "'a' is given to two people"),
    ],
)
def test_what_a_host_cannot_know_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(NegoError, match=sentence):
        host_arguments(tmp_path, "en", chosen_by(*arguments))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "--people", "b=P02"), "--people is for a session that others join; add --listen."),
        (("play", "--on-lost", "end"), "--on-lost is for a session that others join; add --listen."),
        (("host", "--people", "P01"), "Name the game, as in 'negoplatform host"),
        (("host", "--game", "practice", "--agent", "fair"), "Name a person, as in 'negoplatform host"),
        (("host", "--game", "practice", "--people", "P01"), "no agent and no further person is chosen"),
        (("host", "--resume", "x", "--seed", "3"), "--seed cannot be chosen now"),
        (("join", "a b"), "'a b' is not an address"),
        (("join", "--code", "ABC"), "The code has 3 characters"),
    ],
)
def test_mistakes_are_one_sentence_before_anything_is_started(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = arguments
    code = run([command, "--data-dir", str(tmp_path), *options])

    printed = capsys.readouterr()
    assert code == 1
    assert sentence in printed.err
    assert printed.err.count("\n") == 1
    assert not list(tmp_path.glob("sessions/*"))


def test_an_address_in_use_is_refused_and_leaves_no_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = ["--game", "practice", "--agent", "fair", "--people", "P01"]
        code = run(["host", "--data-dir", str(tmp_path), "--listen", f"127.0.0.1:{port}", *options])

    assert code == 1
    assert f"Windows cannot join at 127.0.0.1, port {port}" in capsys.readouterr().err
    assert not list(tmp_path.glob("sessions/*"))


def test_a_program_that_starts_a_host_gets_refusals_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["host", "--announce", "--data-dir", str(tmp_path), "--game", "none", "--people", "P01"])

    printed = capsys.readouterr()
    assert (code, printed.err) == (1, "")
    said = json.loads(printed.out)
    assert said["ev"] == "refused"
    assert "There is no game 'none'" in said["text"]


def test_a_host_prints_the_command_for_each_role(capsys: pytest.CaptureFixture[str]) -> None:
    roles = [JoinRole(RoleKind.SEAT, "buyer"), JoinRole(RoleKind.WIZARD, "seller"), JoinRole(RoleKind.PUBLIC)]
    codes = dict(zip(roles, ("ABCDEFGHJK", "BCDEFGHJKM", "CDEFGHJKMN"), strict=True))

    HostOutput(announce=False).hosting(HostFacts(JoinPlace("::1", 5000, codes), "buyer", Path("log")))

    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "Windows can join at [::1]:5000.",
        "  buyer: negoplatform join [::1]:5000 --code ABCDE-FGHJK",
        "  wizard: negoplatform join [::1]:5000 --code BCDEF-GHJKM",
        "  public: negoplatform join [::1]:5000 --code CDEFG-HJKMN",
    ]


def test_a_seat_called_like_a_kind_of_role_keeps_its_own_code(capsys: pytest.CaptureFixture[str]) -> None:
    seat, watcher = JoinRole(RoleKind.SEAT, "public"), JoinRole(RoleKind.PUBLIC)
    place = JoinPlace("127.0.0.1", DEFAULT_PORT, {seat: "AAAAA22222", watcher: "BBBBB33333"})

    HostOutput(announce=True).hosting(HostFacts(place, "public", Path("log")))

    report = json.loads(capsys.readouterr().out)
    assert report["codes"] == {"seat:public": "AAAAA-22222", "public": "BBBBB-33333"}
    assert report["codes"][report["first"]] == "AAAAA-22222"


def test_the_usual_port_is_left_out_of_the_address() -> None:
    assert JoinPlace("10.0.0.7", DEFAULT_PORT, {}).text == "10.0.0.7"
    assert reachable_address("10.0.0.7") == "10.0.0.7"
    assert reachable_address("0.0.0.0") not in ("0.0.0.0", "")


def test_the_rule_for_lost_connections_reaches_the_host(tmp_path: Path) -> None:
    for text, rule in (
        ("wait", LostLinkRule()),
        ("end:5", LostLinkRule(LostLinkAction.END, 5.0)),
        ("agent=fair:0", LostLinkRule(LostLinkAction.AGENT, 0.0, "fair")),
    ):
        chosen = chosen_by("--game", "practice", "--on-lost", text, "--wizard", "agent")
        at_host = host_command.make_context("host", host_arguments(tmp_path, "en", chosen)).params

        assert at_host["on_lost"] == rule
        assert at_host["wizards"] == {"agent": WizardMode.ASSISTED}
        assert WizardSettings(mode=at_host["wizards"]["agent"]) == WizardSettings()
