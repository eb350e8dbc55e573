"""Advisers and principals of a study: check, freezing, visits, rehearsals, resumed visits and tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.agent_api import FormalQuit
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.study.partner_check import shipped_hashes
from negoplatform.app.study.study_check import StudyFindingKind, check_study, require_sound
from negoplatform.app.study.study_folder import StudyFolder, load_study
from negoplatform.app.visit.visit_agents import VisitAgents
from negoplatform.app.visit.visit_rerun import rerun_visit
from negoplatform.cli.main import cli
from negoplatform.core.events import Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.formats.games import dump_game
from tests.eventlog.logs import rehashed
from tests.resumed_events import without_the_break, without_versions
from tests.study.rounds import cut_visit, logs_of, play_of, play_rounds, played_visit, rounds_study
from tests.study.test_visit_sessions import prepared, sessions_of
from tests.study.visits import begin

GREETING = '''"""A principal for tests."""

from negoplatform.agent_api import Command, Instruct, PrincipalAgent, SendMessage


class Greeting(PrincipalAgent):
    """Gives a mandate and a command at each of its first ticks."""

    def reset(self):
        self.ticks = 0

    def on_tick(self, ctx):
        self.ticks += 1
        if self.ticks > self.get_config("most", 2):
            return []
        greeting = Command("agent", SendMessage(f"{self.get_config('greeting', 'Hello')} {self.ticks}"))
        return [Instruct("agent", {"reservation_value": self.ticks}), greeting]
'''
"""Source of a principal in the study's folder."""


def led_game(agent: str = "") -> dict[str, Any]:
    """Return a game's file whose agent has a principal."""
    document = dump_game(find_game("practice", Path("nowhere")))
    document["name"] = "led"
    head: dict[str, Any] = {"over": ["agent"], "timing": {"tick_interval": 1}}
    if agent:
        head |= {"agent": agent, "settings": {"greeting": "From the game"}}
    return {**document, "principals": {"head": head}}


def led_study(
    folder: Path, *, agent: str = "", count: int = 1, cells: bool = False, **keys: Any
) -> StudyFolder:
    """Return a study of rounds of a game with a principal, whose plug-in is in the study's folder.

    Args:
        folder: A folder for it.
        agent: The principal's plug-in in the game's file; empty: none.
        count: The number of rounds.
        cells: Whether the study keeps its factor.
        keys: Keys of each round.
    """

    def change(document: dict[str, Any]) -> None:
        if not cells:
            document["factors"], document["design"]["between"] = {}, []
        one = {"game": "led", "minutes": 2, "partner": "a", **keys}
        document["stages"][0]["rounds"] = [one] * count

    root = rounds_study(folder, change=change).root
    (root / "games").mkdir()
    (root / "games" / "led.json").write_text(json.dumps(led_game(agent)), encoding="utf-8")
    (root / "agents" / "greeting.py").write_text(GREETING, encoding="utf-8")
    return load_study(root, folder / "data")


def errors_of(folder: StudyFolder) -> list[str]:
    """Return the errors that the check of a study finds."""
    return [one.text for one in check_study(folder) if one.kind is StudyFindingKind.ERROR]


def commands(log: SessionLog) -> list[Event]:
    """Return the commands of principals in a log."""
    return [
        event
        for event in log.events
        if isinstance(event.payload, StateProposal) and event.payload.proposer.kind is ProposerKind.PRINCIPAL
    ]


def notes(log: SessionLog, kind: NoteKind) -> list[Note]:
    """Return the notes of a kind in a log."""
    return [
        event.payload
        for event in log.events
        if isinstance(event.payload, Note) and event.payload.kind is kind
    ]


def said(log: SessionLog) -> list[str]:
    """Return what was said in a session."""
    return [event.get_text() for event in log.events if event.type == "SEND_MESSAGE"]


def test_a_round_names_a_plug_in_for_the_principal_of_its_game(tmp_path: Path) -> None:
    folder = led_study(tmp_path, principals={"head": {"agent": "greeting", "settings": {"greeting": "Hi"}}})

    (log,) = logs_of(played_visit(folder))

    assert errors_of(folder) == []
    who = log.header.principals["head"]
    assert (who.agent, who.file, who.config["greeting"]) == ("greeting", "greeting.py", "Hi")
    assert len(commands(log)) >= 2
    assert "Hi 1" in said(log)
    assert len(notes(log, NoteKind.COMMAND_TAKEN)) == 2


@pytest.mark.parametrize(
    ("keys", "greeting"),
    [
        ({}, "From the game"),
        ({"principals": {"head": {"settings": {"greeting": "From the study"}}}}, "From the study"),
        ({"principals": {"head": "greeting"}}, None),
    ],
)
def test_settings_of_a_games_file_belong_to_its_own_plug_in(
    tmp_path: Path, keys: dict[str, Any], greeting: str | None
) -> None:
    (log,) = logs_of(played_visit(led_study(tmp_path, agent="greeting", **keys)))

    assert log.header.principals["head"].config.get("greeting") == greeting


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({}, "no plug-in decides for the principal 'head' of led; name one in the stage's principals"),
        ({"principals": {"boss": "greeting"}}, "led has no principal 'boss'; it has head"),
        ({"principals": {"head": "counting"}}, "an agent for a seat; choose a principal"),
        ({"principals": {"head": "missing"}}, "missing"),
        (
            {"principals": {"head": {"agent": "budget_head", "settings": {"total": "much"}}}},
            "total",
        ),
        (
            {
                "principals": {
                    "head": {
                        "agent": "scripted_head",
                        "settings": {"instructions": [{"at_seconds": 1, "to": "human", "text": "Go"}]},
                    }
                }
            },
            "an instruction is for 'human', and below are agent",
        ),
        ({"principals": {"head": "greeting"}, "adviser": "greeting"}, "choose an agent for a seat"),
        ({"principals": {"head": "greeting"}, "adviser": "missing"}, "missing"),
        (
            {"principals": {"head": "greeting"}, "adviser": {"agent": "fair", "settings": {"share": 2}}},
            "share",
        ),
    ],
)
def test_the_check_refuses_what_cannot_run(tmp_path: Path, keys: dict[str, Any], reason: str) -> None:
    folder = led_study(tmp_path, **keys)

    (error,) = errors_of(folder)

    place = "adviser" if "adviser" in keys else "principals"
    assert f"stages.r.rounds[0].{place}: " in error
    assert reason in error
    with pytest.raises(NegoError):
        require_sound(folder)


def test_an_adviser_without_an_agent_is_a_fault_of_the_study(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="an adviser is an agent; write agent"):
        led_study(tmp_path, adviser={"settings": {}})


def test_an_adviser_advises_the_participant_in_each_round_anew(tmp_path: Path) -> None:
    folder = led_study(
        tmp_path,
        agent="greeting",
        count=2,
        adviser={"agent": "conceder", "settings": {"name": "Coach", "quiet": True}},
    )

    logs = logs_of(played_visit(folder))

    assert errors_of(folder) == []
    for log in logs:
        (seat,) = log.header.advisers
        assert log.header.seats[seat].kind == "human"
        assert log.header.advisers[seat].name == "Coach"
        assert notes(log, NoteKind.ADVISED)
        # The partner's agent counts its rounds; a principal is new in each.
        assert next(text for text in said(log) if text.startswith("From")) == "From the game 1"


def test_a_level_of_a_factor_decides_whether_there_is_an_adviser(tmp_path: Path) -> None:
    adviser = {"by": "emotion", "happy": "fair", "angry": None}
    folder = led_study(tmp_path, agent="greeting", cells=True, adviser=adviser)
    advised = {}
    for code in ("P-01", "P-02", "P-03", "P-04"):
        run = begin(folder, code)
        agents = VisitAgents(run, isolated=False, report=lambda error: pytest.fail(str(error)))
        try:
            plan = agents.plan()
        finally:
            agents.stop()
            run.close()
        assert run.state.assigned is not None
        advised[run.state.assigned.cell["emotion"]] = bool(plan.advisers)

    assert advised == {"happy": True, "angry": False}


def test_processes_act_the_same_as_agents_in_the_program(tmp_path: Path) -> None:
    keys: dict[str, Any] = {"agent": "greeting", "count": 2, "adviser": "conceder"}
    here = logs_of(played_visit(led_study(tmp_path / "here", **keys)))

    there = logs_of(played_visit(led_study(tmp_path / "there", **keys), isolated=True))

    assert [log.events for log in there] == [log.events for log in here]
    assert {"head", "agent", "human"} <= set(there[0].header.isolation)


@pytest.mark.parametrize("isolated", [False, True])
def test_a_killed_round_goes_on_with_its_adviser_and_its_principal(tmp_path: Path, isolated: bool) -> None:
    folder = led_study(tmp_path, agent="greeting", count=2, adviser="conceder")
    run = played_visit(folder)
    whole = logs_of(run)
    lines = 2 + next(n for n, event in enumerate(whole[1].events) if event == commands(whole[1])[0])

    cut = cut_visit(folder, run, tmp_path / "cut", number=2, lines=lines)
    play_rounds(cut, play_of(cut, isolated=isolated))

    again = logs_of(cut)
    assert without_the_break(again[1].events) == without_versions(whole[1].events)


def test_a_session_of_the_window_gives_the_participant_advice(tmp_path: Path) -> None:
    run = begin(led_study(tmp_path, agent="greeting", adviser="conceder"))
    sessions = sessions_of(run)
    session = prepared(sessions)
    sessions.opened(session)

    live = session.create_live_session(lambda error: pytest.fail(str(error)), lambda _event: None)
    live.start()
    try:
        while (event := live.updates.get(timeout=30).event) is None or event.type != EventType.GAME_END:
            said_now = event is not None and event.type == EventType.SEND_MESSAGE
            if event is not None and said_now and event.get_text() == "From the game 1":
                live.participant_seat.propose(FormalQuit())
    finally:
        live.stop()

    sessions.closed(session)
    sessions.stop()
    run.close()
    (log,) = logs_of(run)
    assert notes(log, NoteKind.ADVISED)
    assert "From the game 1" in said(log)
    assert {"head", "agent", "human"} <= set(log.header.isolation)


def test_a_plug_in_that_has_changed_does_not_go_on(tmp_path: Path) -> None:
    folder = led_study(tmp_path, agent="greeting")
    run = played_visit(folder)
    cut = cut_visit(folder, run, tmp_path / "cut", number=1, lines=6)
    (folder.root / "agents" / "greeting.py").write_text(GREETING + "\n# changed\n", encoding="utf-8")
    changed = load_study(folder.root, folder.data_dir)
    play = play_of(cut)
    cut._folder = changed  # type: ignore[attr-defined]

    with pytest.raises(NegoError, match=r"'greeting' \(greeting.py\) is missing, or has changed"):
        play_rounds(cut, play)


def test_everyone_without_a_seat_is_run_again(tmp_path: Path) -> None:
    folder = led_study(
        tmp_path, agent="greeting", count=2, adviser="conceder", assistants=["debrief"], coach=True
    )
    run = played_visit(folder)
    logs = logs_of(run)

    visit = rerun_visit(run._log.path.parent, folder.data_dir, study=folder)
    session = resimulate(
        read_log(logs[0].path), folder.data_dir, agents=list(map(str, (folder.root / "agents").glob("*.py")))
    )

    assert visit.differences == ()
    assert (visit.sessions, visit.agents, visit.assistants) == (2, 5, 4)
    assert session.differences == ()
    assert (session.agents, session.assistants) == (3, 2)


PLANTED = {
    "the principal head": ('"reservation_value":1}', '"reservation_value":8}'),
    "the assistant coach": ('"issues":', '"issue_count":'),
    "the adviser of human": ('"text":"Hello! Here is', '"text":"Goodbye! Here is'),
}
"""Text of a log and the text in its place, by who said something else then."""


@pytest.mark.parametrize("who", PLANTED)
def test_a_planted_difference_of_a_plug_in_without_a_seat_is_found_in_a_visit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], who: str
) -> None:
    folder = led_study(tmp_path, agent="greeting", count=2, adviser="conceder", coach=True)
    run = played_visit(folder)
    second = logs_of(run)[1]
    planted = plant(second, *PLANTED[who])

    code = cli.main(
        [
            *("resimulate", "--visit", str(run._log.path.parent), "--study", str(folder.root)),
            *("--data-dir", str(folder.data_dir)),
        ],
        standalone_mode=False,
    )

    assert code == 1
    place = f"session {second.header.session_id}, line {planted + 1}"
    assert f"{place} (event {planted}): {who}: " in capsys.readouterr().out


def plant(log: SessionLog, old: str, new: str) -> int:
    """Change a text in all lines of a log that have it; return the number of the first one."""
    lines = log.path.read_bytes().decode("utf-8").splitlines(keepends=True)
    found = [n for n, line in enumerate(lines) if n and old in line]
    for n in found:
        lines[n] = lines[n].replace(old, new)
    log.path.write_bytes(rehashed("".join(lines).encode("utf-8")))
    return found[0]


def test_freezing_covers_the_programs_own_plug_ins(tmp_path: Path) -> None:
    folder = led_study(tmp_path, adviser="conceder", principals={"head": "budget_head"})

    found = shipped_hashes(folder)

    assert found["agents/budget_head"] == folder.agent("budget_head", ("principal",)).sha256
    assert found["agents/conceder"] == folder.agent("conceder").sha256
    assert "agents/greeting" not in shipped_hashes(
        led_study(tmp_path / "own", principals={"head": "greeting"})
    )


def test_a_rehearsal_has_tables_of_advice_and_mandates(tmp_path: Path) -> None:
    folder = led_study(tmp_path, agent="greeting", cells=True, adviser="conceder")
    for arguments in (
        ["rehearse", folder.root, "--participants", 4, "--data-dir", folder.data_dir],
        ["export", folder.root, "--test", "--out", tmp_path / "out", "--data-dir", folder.data_dir],
    ):
        result = CliRunner().invoke(cli, ["study", *map(str, arguments)])
        assert result.exit_code == 0, result.output

    tables = {}
    for name in ("advice", "mandates", "sessions"):
        with (tmp_path / "out" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            tables[name] = list(csv.DictReader(file))

    sessions = {row["session_id"] for row in tables["sessions"]}
    assert len(sessions) == 4
    assert {row["session_id"] for row in tables["advice"]} == sessions
    assert {row["session_id"] for row in tables["mandates"]} == sessions
    assert {row["principal"] for row in tables["mandates"]} == {"head"}
