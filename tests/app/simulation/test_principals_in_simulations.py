"""Shipped principals command shipped agents in the real program: log, rerun, tables, views, words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.analysis.export_tables.export import Export
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.principal_setup import find_principals
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.cli.main import cli
from negoplatform.core.events import EndedBy, Failure, FailureKind, OfferMade
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.domain.command_settings import (
    PrincipalSpec,
    PrincipalTiming,
    ProtocolKind,
    ProtocolSettings,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.observer_export import filter_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from negoplatform.formats.games import dump_game

NOWHERE = Path("nowhere")

TOUGH = {
    "instructions": [
        {"at_seconds": 2, "to": "agent", "mandate": {"reservation_value": 12}, "text": "Be tough."}
    ]
}


def led(agent: str = "scripted_head", **settings: Any) -> GameSpec:
    """Return a game whose agent's seat has a principal."""
    head = PrincipalSpec(
        "head",
        ("agent",),
        ProtocolSettings(ProtocolKind.VERTICAL),
        PrincipalTiming(tick_interval=5, msg_delay=0.5, act_delay=0.25, jitter=0.1),
        agent,
        settings or TOUGH,
    )
    game = find_game("practice", NOWHERE)
    rules = replace(game.rules, deadline_seconds=120.0)
    return replace(game, principals=SeatMap([("head", head)]), rules=rules)


def played(folder: Path, game: GameSpec, **options: Any) -> SessionLog:
    """Play one game and return its log."""
    errors: list[BaseException] = []
    in_program = not options.get("isolated", False)
    list(
        simulate(
            game,
            [find_agent(name, NOWHERE, in_program=in_program) for name in ("boulware", "conceder")],
            games=1,
            seed=1,
            logs=folder,
            report=errors.append,
            how=Seatings.GIVEN,
            principals=find_principals(game, {}, NOWHERE, in_program=in_program),
            **options,
        )
    )
    assert errors == []
    (path,) = folder.glob("*/events.jsonl")
    return read_log(path)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> SessionLog:
    return played(tmp_path_factory.mktemp("logs"), led())


def test_a_scripted_principal_makes_a_shipped_agent_tough_after_its_time(log: SessionLog) -> None:
    (command,) = [event for event in log.events if isinstance(event.payload, StateProposal)]
    own = log.header.game.preferences["agent"].utility

    offers = [
        (event.decided_at > command.t, own(event.payload.offer))
        for event in log.events
        if event.sender == "agent" and isinstance(event.payload, OfferMade) and event.decided_at is not None
    ]

    assert command.t > 2
    assert min(points for is_after, points in offers if not is_after) < 12
    assert min(points for is_after, points in offers if is_after) >= 12


def test_a_log_of_a_principal_is_sound_and_its_rerun_shows_no_difference(
    log: SessionLog, tmp_path: Path
) -> None:
    replay(log)

    found = resimulate(log, tmp_path)

    assert (found.agents, found.differences) == (3, ())


def test_the_same_seed_gives_the_same_log_in_this_process_and_in_processes_of_their_own(
    log: SessionLog, tmp_path: Path
) -> None:
    again = played(tmp_path / "again", led())
    isolated = played(tmp_path / "isolated", led(), isolated=True)

    assert again.events == log.events
    assert isolated.events == log.events


def test_the_header_names_the_plug_in_of_a_principal(log: SessionLog) -> None:
    who = log.header.principals["head"]

    assert (who.agent, who.file, who.config["instructions"][0]["to"]) == (
        "scripted_head",
        "scripted_head.py",
        "agent",
    )


def test_a_seat_gets_the_commands_for_it_and_no_settings_of_the_principal(log: SessionLog) -> None:
    views = {view: filter_log(log, view) for view in ("agent", "human", "head")}

    given = {
        view: [event for event in seen.events if isinstance(event.payload, StateProposal)]
        for view, seen in views.items()
    }
    assert {view: len(found) for view, found in given.items()} == {"agent": 1, "human": 0, "head": 1}
    assert views["human"].header.principals["head"].config == {}
    assert given["agent"][0].payload.proposer.kind is not ProposerKind.PRINCIPAL


def test_the_table_of_mandates_says_whether_a_mandate_was_kept(log: SessionLog) -> None:
    export = Export()
    export.add(log.path)
    (table,) = [table for table in export.tables() if table.name == "mandates"]
    names = [column.name for column in table.columns]
    rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in table.rows]
    (row,) = rows

    assert row["principal"] == "head"
    assert row["to"] == "agent"
    assert row["mandate"] == '{"reservation_value": 12}'
    assert (row["reservation_value"], row["mandate_kept"], row["text"]) == (12, True, "Be tough.")


HANGS = """
from negoplatform.agent_api import PrincipalAgent


class Hangs(PrincipalAgent):
    def on_tick(self, ctx):
        while True:
            pass
"""


def test_a_principal_that_hangs_is_ended_and_the_session_goes_on(tmp_path: Path) -> None:
    file, quick = tmp_path / "hangs.py", {"soft_seconds": 0.5, "hard_seconds": 0.5, "restarts": 1}
    file.write_text(HANGS, encoding="utf-8")
    game = led(str(file), budget=quick)
    errors: list[BaseException] = []

    results = list(
        simulate(
            game,
            [find_agent(name, NOWHERE) for name in ("boulware", "conceder")],
            games=1,
            seed=1,
            logs=tmp_path / "logs",
            report=errors.append,
            how=Seatings.GIVEN,
            principals=find_principals(game, {}, tmp_path),
            isolated=True,
        )
    )

    (path,) = (tmp_path / "logs").glob("*/events.jsonl")
    failures = [event.payload for event in read_log(path).events if isinstance(event.payload, Failure)]
    assert [(failure.seat, failure.kind) for failure in failures] == [("head", FailureKind.LOST)] * 2
    assert [result.ended_by for result in results] in ([EndedBy.AGREEMENT], [EndedBy.TIMEOUT])
    replay(read_log(path))


def test_a_budget_is_split_by_the_protocol_of_the_game(tmp_path: Path) -> None:
    game = led("budget_head", total=10, reservation_value=5)
    log = played(tmp_path, game)

    commands = log.events
    (command,) = [event.payload for event in commands if isinstance(event.payload, StateProposal)]
    form = command.updates.to_dict()["commands"]["head"]["1"]
    assert form == {"to": "agent", "mandate": {"budget": 10, "reservation_value": 5}}


def test_a_principal_without_a_plug_in_and_a_wrong_one_are_refused_in_a_sentence() -> None:
    game = led("")

    with pytest.raises(
        NegoError, match=r"^No plug-in decides for the principal 'head' of .*--principal head=PLUGIN\.$"
    ):
        find_principals(game, {}, NOWHERE)
    with pytest.raises(NegoError, match=r"^fair is an agent for a seat; choose a principal\.$"):
        find_principals(game, {"head": "fair"}, NOWHERE)
    with pytest.raises(NegoError, match=r"has no principal 'boss'; it has head\.$"):
        find_principals(game, {"boss": "scripted_head"}, NOWHERE)
    with pytest.raises(NegoError, match="is a principal, which commands seats"):
        find_agent("scripted_head", NOWHERE)


def test_the_command_line_names_the_plug_in_of_a_principal(tmp_path: Path) -> None:
    file, settings, logs = tmp_path / "led.json", tmp_path / "tough.json", tmp_path / "logs"
    file.write_text(json.dumps({**dump_game(led("")), "name": "led"}), encoding="utf-8")
    settings.write_text(json.dumps(TOUGH), encoding="utf-8")
    agents = ["--agents", "conceder", "conceder"]
    shared = ["--data-dir", str(tmp_path), "simulate", "--game", str(file), *agents]
    more = ["--n", "1", "--seatings", "given", "--logs", str(logs)]

    refused = CliRunner().invoke(cli, [*shared, *more])
    done = CliRunner().invoke(cli, [*shared, *more, "--principal", f"head=scripted_head@{settings}"])

    assert isinstance(refused.exception, NegoError)
    assert done.exit_code == 0, done.output
    (written,) = logs.glob("*/events.jsonl")
    assert re.search(r'"reservation_value":12', written.read_text(encoding="utf-8"))


HASTY_HEAD = """
from negoplatform.agent_api import PrincipalAgent


class HastyHead(PrincipalAgent):
    def on_tick(self, ctx):
        raise RuntimeError("out of orders")
"""


def test_the_summary_of_simulations_names_a_principal_that_failed(tmp_path: Path) -> None:
    file, hasty = tmp_path / "led.json", tmp_path / "hasty.py"
    file.write_text(json.dumps({**dump_game(led("")), "name": "led"}), encoding="utf-8")
    hasty.write_text(HASTY_HEAD, encoding="utf-8")

    done = CliRunner().invoke(
        cli,
        [
            *("--data-dir", str(tmp_path), "simulate", "--game", str(file), "--n", "1"),
            *("--agents", "conceder", "conceder", "--principal", f"head={hasty}"),
        ],
    )

    assert done.exit_code == 0, done.exception
    assert "head: It raised RuntimeError (out of orders)" in done.output
