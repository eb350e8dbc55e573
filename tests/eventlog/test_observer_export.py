"""Export of a log as one observer may see it, with nothing else in its bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.core.events import DecidedBy, Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from negoplatform.testing import TrialTable
from tests.eventlog.logs import recorded

ALL = Offer(
    {
        "bananas": Allocation({"human": 4}),
        "grain": Allocation({"human": 3, "agent": 2}),
        "wood": Allocation({"agent": 3}),
        "spices": Allocation({"agent": 3}),
    }
)

EVERYWHERE = (
    b"424242",
    b"P-SECRET-07",
    b"secret_boulware",
    b"secret_file",
    b"5ec2e7",
    b"secret_exponent",
    b"secret_folder",
    b"landlock",
    b"secret strike",
    b"secret figure",
    b"wizard",
    b'"cause":1',
    b'"decided_at":0.125',
    b"NOTE",
    b"AGENT_FAILED",
)
"""Data in a log for the experimenter alone: seed, codes, agents' ids, causes, notes."""


def play(table: TrialTable) -> None:
    table.start()
    table.wait(1)
    session = table.session
    session.send_message("agent", Message("Hello"), ActionOrigin(DecidedBy.WIZARD, cause=1, decided_at=0.125))
    session.record_agent_failure("agent", "secret strike")
    session.note(NoteKind.WARNING_SHOWN, about="secret figure")
    with pytest.raises(Refused):
        table.human.accepts(77)
    with pytest.raises(Refused):
        table.agent.offers(Offer({"bananas": Allocation({"agent": 1})}))
    session.send_message("human", Message("for your ears only"), ActionOrigin(to=("agent",)))
    table.agent.offers(ALL)
    table.human.accepts()
    table.agent.accepts()
    table.play_out()


@pytest.fixture
def log(tmp_path: Path, game: GameSpec) -> SessionLog:
    """Log with secrets of every kind; the header has the agent's 777.125 points."""
    agent = game.preferences["agent"]
    utility = agent.utility
    assert isinstance(utility, AdditiveUtility)
    private = replace(agent, reservation_value=777.125)
    game = replace(
        game,
        preferences=game.preferences.with_value("agent", private),
        principals=SeatMap({"head": PrincipalSpec("head", ("agent",))}),
        stories=SeatMap({"human": "human's own story", "agent": "agent's own story"}),
    )
    return read_log(recorded(tmp_path, game, play))


@pytest.mark.parametrize("view", ["human", "agent", "head", "system", "public"])
def test_no_view_holds_what_only_the_experimenter_may_see(log: SessionLog, view: str) -> None:
    whole = encode_log(log)

    shown = encode_log(filter_log(log, view))

    for secret in EVERYWHERE:
        assert secret in whole
        assert secret not in shown


def test_a_seat_finds_its_own_side_and_what_is_public_but_not_the_other_side(log: SessionLog) -> None:
    human, agent = encode_log(filter_log(log, "human")), encode_log(filter_log(log, "agent"))

    assert b"777.125" not in human
    assert b"777.125" in agent
    assert b"agent's own story" not in human
    assert b"human's own story" not in agent
    assert list(filter_log(log, "human").header.game.preferences) == ["human"]
    assert list(filter_log(log, "agent").header.game.preferences) == ["human", "agent"]


def test_a_seat_finds_its_own_refusals_and_nobody_elses(log: SessionLog) -> None:
    human, agent = encode_log(filter_log(log, "human")), encode_log(filter_log(log, "agent"))

    assert "There’s no offer on the table yet.".encode() in human
    assert b"the units add up to 1" not in human
    assert b"the units add up to 1" in agent
    assert "There’s no offer on the table yet.".encode() not in agent


def test_the_public_sees_no_private_side_no_story_and_no_whisper(log: SessionLog) -> None:
    public = encode_log(filter_log(log, "public"))

    for secret in (b"777.125", b"own story", b"for your ears only", b"ACTION_REFUSED"):
        assert secret not in public
    assert list(filter_log(log, "public").header.game.preferences) == ["human"]
    assert b"for your ears only" in encode_log(filter_log(log, "agent"))


@pytest.mark.parametrize("view", ["human", "agent", "head", "system", "public"])
def test_an_exported_log_can_be_read_and_replayed(log: SessionLog, tmp_path: Path, view: str) -> None:
    path = tmp_path / "exported.jsonl"
    path.write_bytes(encode_log(filter_log(log, view)))

    found = read_log(path)
    played = replay(found)

    assert found.header.view == view
    assert found.header.seed is None
    assert encode_log(found) == path.read_bytes()
    assert played.state.ending is not None
    assert played.state.ending.deal == ALL
    assert played.points.get("human") == 25
    assert ("agent" in played.points) == (view == "agent")


def test_the_complete_view_is_the_log_itself_byte_for_byte(log: SessionLog) -> None:
    assert encode_log(filter_log(log, "complete")) == log.path.read_bytes()


def test_another_view_cannot_be_made_from_an_exported_log(log: SessionLog) -> None:
    exported = filter_log(log, "human")

    with pytest.raises(NegoError, match="This log was exported for 'human'"):
        filter_log(exported, "agent")
    with pytest.raises(NegoError, match="This log was exported for 'human'"):
        filter_log(exported, "complete")
    assert filter_log(exported, "human").events == exported.events


def test_a_view_that_nobody_has_is_named_with_those_there_are(log: SessionLog) -> None:
    there = "choose complete, public, system, or a seat: human, agent; or a principal: head"
    with pytest.raises(NegoError, match=f"no view 'cook'; {there}"):
        filter_log(log, "cook")
