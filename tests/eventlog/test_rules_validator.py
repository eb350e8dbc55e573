"""Lines that no session could have written, in a log that is otherwise valid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.core.events import EndedBy, Event, EventType, Resumed
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.domain.agreement_rules import Quota, Turns
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.rules_validator import LogValidator
from negoplatform.testing import TrialTable
from tests.eventlog.logs import lines_of, recorded, rewrite
from tests.games import three_seats
from tests.proposers import issued


def play(table: TrialTable) -> None:
    """Play 1 start, 2 message, 3 failure, 4 note, 5 refusal, 6 tick, 7 quit, 8 end, 9 goodbye."""
    table.human.says("Hello")
    table.session.record_agent_failure("agent", "It raised ValueError.")
    table.session.note(NoteKind.WARNING_SHOWN, about="something")
    with pytest.raises(Exception, match="no offer"):
        table.human.accepts(7)
    table.wait(5)
    table.human.quits()
    table.human.says("Bye")


@pytest.fixture
def log(tmp_path: Path, game: GameSpec) -> Path:
    return recorded(tmp_path, game, play)


@pytest.mark.parametrize(
    ("line", "change", "reason"),
    [
        (1, {"to": ["human"]}, "this is for everyone"),
        (9, {"t": 5.0001}, "no whole millisecond"),
        (1, {"decided_by": "human"}, "nobody decides what the platform records"),
        (2, {"decided_by": None}, "does not say who decided it"),
        (2, {"cause": 2}, "answers event 2, which had not happened"),
        (2, {"decided_at": 0.5}, "decided after it happened"),
        (2, {"payload.text": "a\u0000b"}, "characters that can’t be saved"),
        (3, {"payload.strikes": 2}, "strikes do not count up"),
        (3, {"payload.strikes": -4}, "strikes do not count up"),
        (3, {"payload.seat": "cook"}, "strikes do not count up"),
        (5, {"payload.action": "DANCE"}, "a refusal is for the one seat that asked"),
        (5, {"to": []}, "a refusal is for the one seat that asked"),
        (6, {"payload.elapsed": 400.0}, "what it says about the time is not so"),
        (6, {"payload.remaining": -3.0}, "what it says about the time is not so"),
        (8, {"payload.by": "agent"}, "must follow here, but does not"),
        (8, {"to": ["human"]}, "this is for everyone"),
        (9, {"t": 3600.0}, "could not do this: The session is over"),
    ],
)
def test_a_line_that_could_not_have_been_written_is_refused(
    log: Path, line: int, change: dict[str, Any], reason: str
) -> None:
    lines = lines_of(log)
    for key, value in change.items():
        place = lines[line]["payload"] if key.startswith("payload.") else lines[line]
        place[key.removeprefix("payload.")] = value
    rewrite(log, lines)

    with pytest.raises(InputFileError, match=reason) as caught:
        replay(read_log(log))

    assert caught.value.where == f"line {line + 1}"


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        ({"ended_by": "agent_failure", "by": "human"}, "no agent had failed there"),
        ({"ended_by": "aborted", "by": "ghost"}, "there is no seat 'ghost'"),
        ({"ended_by": "timeout"}, "the time was not up"),
    ],
)
def test_an_end_that_nobody_caused_is_refused(log: Path, ending: dict[str, Any], reason: str) -> None:
    lines = lines_of(log)
    end = lines[8]
    end["seq"] = 7
    end["payload"] = {
        "ended_by": "aborted",
        "by": None,
        "deal": None,
        "deal_id": None,
        "reason": "",
        **ending,
    }
    rewrite(log, [*lines[:7], end])

    with pytest.raises(InputFileError, match=reason):
        replay(read_log(log))


@pytest.mark.parametrize(
    "change",
    [
        {"payload": {"data": {"taxRate": 0.3}, "text": "The tax is 20 %."}},
        {"payload": {"data": {"taxRate": 0.2}, "text": "The tax is 30 %."}},
        {"t": 1.999},
        {"to": ["human"]},
    ],
)
def test_an_announcement_that_the_game_does_not_make_is_refused(
    tmp_path: Path, game: GameSpec, change: dict[str, Any]
) -> None:
    tax = Announcement(2, "tax-announced", '{"taxRate": 0.2}', "The tax is 20 %.")
    log = recorded(tmp_path, replace(game, announcements=(tax,)), lambda table: table.wait(3))
    lines = lines_of(log)
    assert replay(read_log(log)) is not None
    assert lines[2]["payload"].keys() == {"data", "text"}

    rewrite(log, [*lines[:2], {**lines[2], **change}])

    with pytest.raises(InputFileError, match="the game announces no such thing"):
        replay(read_log(log))


def test_a_session_that_was_interrupted_goes_on_wherever_that_was(tmp_path: Path, game: GameSpec) -> None:
    def play(table: TrialTable) -> None:
        table.start()
        table.session.resume(torn_bytes=12)
        table.human.says("Hello again")
        failed = table.session.record_agent_failure("agent", "It raised ValueError.", cause=3)
        table.session.note(NoteKind.SCHEDULED_CALL, 3, number=failed)
        table.session.resume()
        table.human.quits()
        table.session.resume()
        table.human.says("Bye")

    log = recorded(tmp_path, game, play)

    assert replay(read_log(log)).points["human"] == 12


@pytest.mark.parametrize(
    ("line", "change", "reason"),
    [
        (2, {"sender": "human", "decided_by": "human"}, "only the platform records RESUMED"),
        (2, {"to": ["human"]}, "this is for everyone"),
        (2, {"decided_by": "human"}, "nobody decides what the platform records"),
        (4, {"t": 3600.0}, "it happened more than 5 s after the end|The session is over"),
    ],
)
def test_a_session_goes_on_by_the_platform_and_before_it_is_over(
    tmp_path: Path, game: GameSpec, line: int, change: dict[str, Any], reason: str
) -> None:
    def play(table: TrialTable) -> None:
        table.start()
        table.session.resume()
        table.session.end(EndedBy.ABORTED)
        table.session.resume()

    log = recorded(tmp_path, game, play)
    lines = lines_of(log)
    lines[line] |= change
    rewrite(log, lines)

    with pytest.raises(InputFileError, match=reason):
        replay(read_log(log))


def test_ticks_do_not_go_on_past_the_deadline(tmp_path: Path, game: GameSpec) -> None:
    log = recorded(tmp_path, game, lambda table: table.wait(600))
    lines = lines_of(log)
    last_tick = next(line for line in reversed(lines) if line["type"] == "TIME")
    end = lines[-1]
    another = {**last_tick, "seq": end["seq"], "t": 605.0, "payload": {"elapsed": 605.0, "remaining": 0.0}}
    rewrite(log, [*lines[:-1], another])

    with pytest.raises(InputFileError, match="the time was up"):
        replay(read_log(log))


def test_a_log_that_stops_right_before_its_end_is_unfinished_and_not_false(log: Path) -> None:
    rewrite(log, lines_of(log)[:8])

    played = replay(read_log(log))

    assert played.state.ending is None
    assert set(played.points.values()) == {None}


def test_the_log_is_sound_as_it_was_written(log: Path) -> None:
    assert replay(read_log(log)).points["human"] == 12


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"accepted": False, "reason": "no"}, "it was refused, but the rules accept it"),
        ({"accepted": False}, "it was refused without a reason"),
        ({"base_version": 2}, "on a version that there was not yet"),
        ({"base_version": 10**9}, "on a version that there was not yet"),
        ({"updates": {"deal": {"price": 3}}}, "it could not be accepted"),
    ],
)
def test_a_proposal_with_a_verdict_that_the_rules_do_not_give_is_refused(
    tmp_path: Path, game: GameSpec, change: dict[str, Any], reason: str
) -> None:
    agent = Proposer(ProposerKind.SEAT, "agent")

    def play(table: TrialTable) -> None:
        table.start()
        table.session.propose_change(issued(table.session, agent), {"notes": {"agent": {"a": 1}}}, 0)

    log = recorded(tmp_path, game, play)
    lines = lines_of(log)
    lines[2]["payload"] |= change
    rewrite(log, lines)

    with pytest.raises(InputFileError, match=reason):
        replay(read_log(log))


def test_a_proposal_refused_for_its_version_is_sound_in_the_log(tmp_path: Path, game: GameSpec) -> None:
    def play(table: TrialTable) -> None:
        table.start()
        with pytest.raises(Refused, match="base_version is a whole number"):
            table.session.propose_change(
                issued(table.session, Proposer(ProposerKind.SEAT, "agent")), {"notes": {"agent": {}}}, -1
            )

    log = recorded(tmp_path, game, play)

    assert not replay(read_log(log)).state.record.version


def test_being_resumed_a_thousand_times_at_one_instant_is_no_crowd(tmp_path: Path, game: GameSpec) -> None:
    def play(table: TrialTable) -> None:
        table.human.says("Hello")

    log = recorded(tmp_path, game, play)
    events = read_log(log).events
    last = events[-1]
    again = [Event(last.seq + n, last.t, EventType.RESUMED, PLATFORM, Resumed(0)) for n in range(1, 1_200)]
    mechanism = mechanism_of(game.mechanism)
    referee = LogValidator(mechanism)
    state = replay(read_log(log)).state

    for event in again:
        assert referee.find_violation(state, event) == ""
        referee.advance(state, event, state)


@pytest.mark.parametrize("signed_by", [(), ("red", "blue"), ("red",), ("green", "red")])
def test_an_agreement_that_others_signed_is_refused(tmp_path: Path, signed_by: tuple[str, ...]) -> None:
    def play(table: TrialTable) -> None:
        table.participant("green").accepts(table.participant("red").offers(colour="red", coins=(2, 1, 1)))

    game = three_seats(agreement=Quota(2), acceptance=Acceptance.MAKER_ACCEPTS)
    log = recorded(tmp_path, game, play)
    assert dict(replay(read_log(log)).points) == {"red": 7, "green": 2, "blue": 2}
    lines = lines_of(log)
    lines[-1]["payload"]["signed_by"] = list(signed_by)
    rewrite(log, lines)

    with pytest.raises(InputFileError, match="agreement on offer 2 must follow here, but does not"):
        replay(read_log(log))


@pytest.mark.parametrize(("line", "what"), [(2, "SEND_OFFER"), (3, "FORMAL_ACCEPT")])
def test_a_move_out_of_turn_is_refused(tmp_path: Path, line: int, what: str) -> None:
    def play(table: TrialTable) -> None:
        table.participant("red").offers(colour="red", coins=(2, 1, 1))
        table.participant("green").accepts()
        table.participant("blue").quits()

    log = recorded(tmp_path, three_seats(turns=Turns.ALTERNATING), play)
    lines = lines_of(log)
    assert lines[line]["type"] == what
    lines[line]["sender"] = "blue" if line == 3 else "green"
    rewrite(log, lines)

    with pytest.raises(InputFileError, match="could not do this: It’s not your turn yet"):
        replay(read_log(log))
