"""Rounds: agents that stay, what they remember, and the same memory after the program was killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.visit.visit_rerun import rerun_visit
from negoplatform.cli.commands.resimulate import resimulate_command
from negoplatform.core.events import Event, EventType
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from tests.resumed_events import without_the_break, without_versions
from tests.study.rounds import (
    cut_visit,
    logs_of,
    play_of,
    play_rounds,
    played_visit,
    rounds_study,
    say_something_else,
)
from tests.study.visits import begin


def openings(logs: list[SessionLog]) -> list[str]:
    """Return the first message of the partner's agent in each session."""
    return [
        next(
            event.get_text()
            for event in log.events
            if event.type == EventType.SEND_MESSAGE and log.header.seats[event.sender].kind == "agent"
        )
        for log in logs
    ]


def as_if_whole(events: tuple[Event, ...]) -> list[Event]:
    """Return events without a resumption, if there is one."""
    resumed = any(event.type == EventType.RESUMED for event in events)
    return without_the_break(events) if resumed else without_versions(events)


def test_an_agent_counts_its_rounds_and_remembers_what_was_said(tmp_path: Path) -> None:
    run = played_visit(rounds_study(tmp_path))

    said = openings(logs_of(run))

    assert said[0].startswith("1/3 [] {} 1 0 0 []")
    assert said[1].startswith("2/3 [(1, 'practice', 'agreement', ")
    assert "{'rounds': 1} 2 1 1 ['0." in said[1]
    assert said[2].startswith("3/3 [(1, 'practice', 'agreement', ")
    assert "{'rounds': 2} 3 2 2 ['0." in said[2]


def test_the_headers_say_which_sessions_an_agent_remembers(tmp_path: Path) -> None:
    logs = logs_of(played_visit(rounds_study(tmp_path)))

    ids = [log.header.session_id for log in logs]
    studies = [log.header.study for log in logs]
    assert [study and study.earlier for study in studies] == [(), (ids[0],), (ids[0], ids[1])]
    assert [study and (study.round, study.of, study.partner) for study in studies] == [
        (n, 3, "a") for n in (1, 2, 3)
    ]
    # Of an agent's notes only what it keeps under "memory" is carried on.
    assert [log.header.record for log in logs[1:]] == [
        {
            "notes": {
                next(s for s, w in log.header.seats.items() if w.kind == "agent"): {"memory": {"rounds": n}}
            }
        }
        for n, log in enumerate(logs[1:], start=1)
    ]
    for log in logs:
        replay(log)


def test_two_partners_in_turn_keep_a_memory_each(tmp_path: Path) -> None:
    said = openings(logs_of(played_visit(rounds_study(tmp_path, partners=("a", "b", "a")))))

    assert said[1].startswith("2/3 [] {} 1 0 0 []")
    assert said[2].startswith("3/3 [(1, 'practice', 'agreement', ")
    assert "] {'rounds': 1} 2 1 1 [" in said[2]


def test_another_partner_in_every_round_remembers_nothing(tmp_path: Path) -> None:
    folder = rounds_study(tmp_path, change=lambda d: d["stages"][0].update(same_partner=False))

    said = openings(logs_of(played_visit(folder)))

    assert [text[:18] for text in said] == [f"{n}/3 [] {{}} 1 0 0 []" for n in (1, 2, 3)]


def test_agents_in_processes_remember_the_same(tmp_path: Path) -> None:
    here = logs_of(played_visit(rounds_study(tmp_path / "here")))

    there = logs_of(played_visit(rounds_study(tmp_path / "there"), isolated=True))

    assert [log.events for log in there] == [log.events for log in here]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_killed_round_goes_on_with_the_same_memory(tmp_path: Path, number: int) -> None:
    folder = rounds_study(tmp_path)
    run = played_visit(folder)
    whole = logs_of(run)
    end = next(e.seq for e in whole[number - 1].events if e.type == EventType.GAME_END)

    for events in range(end):
        copy = cut_visit(folder, run, tmp_path / f"cut{events}", number=number, lines=events + 1)
        play_rounds(copy, play_of(copy))

        again = logs_of(copy)
        assert len(again) == 3
        for log, expected in zip(again, whole, strict=True):
            assert as_if_whole(log.events) == without_versions(expected.events), f"cut after event {events}"


def test_agents_in_processes_are_led_through_their_earlier_rounds(tmp_path: Path) -> None:
    folder = rounds_study(tmp_path, partners=("a", "b", "a"))
    run = played_visit(folder)
    whole = logs_of(run)

    copy = cut_visit(folder, run, tmp_path / "cut", number=3, lines=6)
    play_rounds(copy, play_of(copy, isolated=True))

    assert [as_if_whole(log.events) for log in logs_of(copy)] == [
        without_versions(log.events) for log in whole
    ]


def test_an_agent_that_remembers_something_else_is_noted_and_the_visit_goes_on(tmp_path: Path) -> None:
    folder = rounds_study(tmp_path)
    run = played_visit(folder)
    copy = cut_visit(folder, run, tmp_path / "cut", number=3, lines=4)
    first = next(copy.data.sessions.glob(f"*-{logs_of(run)[0].header.session_id}")) / "events.jsonl"
    say_something_else(first)
    errors: list[BaseException] = []

    play_rounds(copy, play_of(copy, errors=errors))

    last = logs_of(copy)[-1]
    notes = [e.payload.data for e in last.events if getattr(e.payload, "kind", "") == NoteKind.MEMORY_DIFFERS]
    assert [note["session"] for note in notes] == [logs_of(run)[0].header.session_id]
    assert "1 of 1" in notes[0]["reason"]
    assert copy.state.ended is None
    assert "replayed earlier rounds" in str(errors[0])


def test_a_visit_can_be_left_between_rounds(tmp_path: Path) -> None:
    folder = rounds_study(tmp_path)
    whole = logs_of(played_visit(folder))
    run = begin(folder, "P-02")
    assert [log.header.seed for log in whole]

    play = play_of(run)
    play.play()
    play.stop()
    play_rounds(run, play_of(run))

    assert openings(logs_of(run))[2].startswith("3/3 [(1, 'practice'")


def test_a_visit_is_run_again_without_a_difference(tmp_path: Path) -> None:
    folder = rounds_study(tmp_path, partners=("a", "b", "a"))
    run = played_visit(folder)

    found = rerun_visit(run._log.path.parent, folder.data_dir, study=folder)

    assert (found.sessions, found.agents, found.differences) == (3, 2, ())
    assert found.acts >= 12


def test_running_a_visit_again_finds_a_planted_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = rounds_study(tmp_path)
    run = played_visit(folder)
    second = logs_of(run)[1]
    say_something_else(second.path)
    planted = next(e.seq for e in read_log(second.path).events if getattr(e.payload, "text", "") == "1 of 99")

    code = resimulate_command.main(
        ["--visit", str(run._log.path.parent), "--study", str(folder.root), "--data-dir", str(tmp_path)],
        standalone_mode=False,
    )

    assert code == 1
    assert (
        f"session {second.header.session_id}, line {planted + 1}" in capsys.readouterr().out.splitlines()[0]
    )


def test_one_session_of_rounds_is_not_run_again_alone(tmp_path: Path) -> None:
    logs = logs_of(played_visit(rounds_study(tmp_path)))

    with pytest.raises(NegoError, match="--visit"):
        resimulate(logs[1], tmp_path)


FRAGILE = """
    def on_send_offer(self, ctx, event):
        if ctx.round.number == {number}:
            {fault}
        return [FormalAccept(delay_ms=1500)]
"""


@pytest.mark.parametrize("isolated", [False, True])
def test_an_agent_that_was_replaced_plays_the_next_round_and_remembers_the_time_before(
    tmp_path: Path, isolated: bool
) -> None:
    folder = rounds_study(
        tmp_path,
        settings={"budget": {"strikes": 1, "restarts": 0, "fallback": "fair"}},
        more=FRAGILE.format(number=1, fault="raise ValueError"),
    )
    run = begin(folder)
    errors: list[BaseException] = []

    play_rounds(run, play_of(run, isolated=isolated, errors=errors))

    logs = logs_of(run)
    kinds = [getattr(event.payload, "kind", "") for event in logs[0].events]
    assert kinds.count(NoteKind.FALLBACK_SEATED) == 1
    said = openings(logs)
    assert said[1].startswith("2/3 [(1, 'practice', 'timeout', ")
    assert "{'rounds': 1} 2 0 1 ['" in said[1]
    assert " 3 1 2 ['" in said[2]
    assert [type(error) for error in errors] == [type(errors[0])]


def test_an_agent_that_is_restarted_in_a_round_remembers_the_rounds_before(tmp_path: Path) -> None:
    fault = "import os; os._exit(3)"
    folder = rounds_study(tmp_path, more=FRAGILE.format(number=2, fault=fault))
    run = begin(folder)
    errors: list[BaseException] = []

    play_rounds(run, play_of(run, isolated=True, errors=errors))

    logs = logs_of(run)
    said = openings(logs)
    kinds = [getattr(event.payload, "kind", "") for event in logs[1].events]
    assert kinds.count(NoteKind.AGENT_RESTARTED) == 1
    assert said[2].startswith("3/3 [(1, 'practice', 'agreement', ")
    assert "{'rounds': 2} 3 2 2 ['0." in said[2]
    assert said[2].count("'0.") == 4
