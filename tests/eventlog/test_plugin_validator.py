"""Events of plug-ins without a seat that no session could have written, in a log that is otherwise valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.principal import Command, Instruct, Instruction
from negoplatform.app.session.session_runner import SessionRunner, seat_rng
from negoplatform.core.events import DecidedBy, Event, EventType, FailureKind, Message
from negoplatform.core.session import ActionOrigin
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import Occupant
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from tests.eventlog.logs import SECRET_PROGRAM, header_for, lines_of, rewrite
from tests.games import coins_only
from tests.hosting.assistants.small_assistants import CountingAgenda, ShortDebrief
from tests.hosting.principals import Scripted, commanded

Lines = list[dict[str, Any]]
"""Lines of a log; the header is line 0, and event n is line n."""


class Talker(NegotiationAgent):
    """Agent that answers each message by one, also as an adviser."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("About " + event.get_text())]


TEAM = Occupant(
    "agent",
    "Robin",
    agent="team:talker+fair",
    config={
        "timing": {"msg_delay": 0.25},
        "members": [{"agent": name, "file": "", "sha256": "", "config": {}} for name in ("talker", "fair")],
    },
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the log of a person with an adviser, a commanded agent with delays, and two assistants."""
    timing = PrincipalTiming(tick_interval=5, msg_delay=0.5, act_delay=0.5)
    specs = (
        AssistantSpec("agenda", seat="human", coach=True, kind=AssistantKind.AGENDA),
        AssistantSpec("debrief", seat="human", kind=AssistantKind.DEBRIEF),
    )
    game = replace(
        commanded(coins_only(), timing=timing, deadline_seconds=12.0, time_tick_seconds=5.0),
        assistants=SeatMap((spec.name, spec) for spec in specs),
    )
    header = header_for(game)
    header = replace(
        header,
        seats=header.seats.with_value("agent", TEAM),
        advisers={"human": SECRET_PROGRAM},
    )
    clock, writer = VirtualClock(), LogWriter(tmp_path / "session", header)
    runner = SessionRunner(game, seed=7, clock=clock, log=writer, report=lambda _error: None)

    def made(make: Callable[[], Any]) -> SeatAssignment:
        return SeatAssignment(lambda: AgentRunner(make(), seat_rng(7, "any")), AgentBudget())

    orders: Iterator[list[Instruction]] = iter(
        [[Instruct("agent", {"aim": 3}), Command("agent", SendMessage("By order."))]]
    )
    runner.assign_assistants(
        {"agenda": made(lambda: CountingAgenda("agenda")), "debrief": made(lambda: ShortDebrief("debrief"))}
    )
    runner.assign("agent", made(lambda: Talker("agent")), AgentTiming(msg_delay=0.25))
    runner.assign_adviser("human", made(lambda: Talker("human")))
    runner.assign_principal("head", made(lambda: Scripted(lambda _ctx: next(orders, None))))
    runner.start()
    runner.session.act("human", EventType.SEND_MESSAGE, Message("Hello"), ActionOrigin(DecidedBy.HUMAN))
    runner.session.record_agent_failure("agent", "fair: It raised.", FailureKind.MEMBER, cause=1)
    runner.run_on(clock)
    writer.close()
    return tmp_path / "session" / LOG_NAME


def note(lines: Lines, kind: str, **data: Any) -> dict[str, Any]:
    """Return the first note of a kind with some data."""
    for line in lines[1:]:
        payload = line["payload"]
        if payload.get("kind") == kind and data.items() <= payload["data"].items():
            return line
    raise AssertionError(f"no note of the kind {kind} has {data}")


def proposal(lines: Lines, name: str) -> dict[str, Any]:
    """Return the first proposal of an assistant or a principal."""
    return next(line for line in lines[1:] if line["payload"].get("proposer", {}).get("name") == name)


def arrival(lines: Lines, message: str, name: str, **more: Any) -> dict[str, Any]:
    """Return the first note of an arrived message of a name."""
    ends = ("sender", "recipient") if message == "get_info" else ("recipient", "sender")
    return note(lines, "message_delivered", message=message, **{ends[0]: name, ends[1]: "platform"}, **more)


def change_data(line: dict[str, Any], **changes: Any) -> dict[str, Any]:
    line["payload"]["data"].update(changes)
    return line


def change(line: dict[str, Any], **changes: Any) -> dict[str, Any]:
    line.update(changes)
    return line


Forge = Callable[[Lines], dict[str, Any]]
"""Forgery of a log; returns the line that is refused."""


def refused(log: Path, forge: Forge) -> str:
    """Return why the log is refused at the line that a forgery says."""
    lines = lines_of(log)
    line = forge(lines)
    rewrite(log, lines)
    with pytest.raises(InputFileError) as caught:
        replay(read_log(log))
    assert caught.value.where == f"line {line['seq'] + 1}"
    return caught.value.reason


def without(key: str, name: str, refused_at: Forge) -> Forge:
    """Return the forgery that removes an entry from the header."""

    def forge(lines: Lines) -> dict[str, Any]:
        del lines[0][key][name]
        return refused_at(lines)

    return forge


def test_the_log_itself_is_valid_and_everyone_acts_in_it(log: Path) -> None:
    played = replay(read_log(log))

    proposers = {
        line["payload"]["proposer"]["name"] for line in lines_of(log)[1:] if "proposer" in line["payload"]
    }
    kinds = {line["payload"].get("kind") for line in lines_of(log)[1:]}
    assert played.state.ending is not None
    assert proposers == {"agenda", "debrief", "head"}
    assert {"message_delivered", "command_taken", "advised", "advice_answered", "member"} <= kinds


def exchange_member(lines: Lines) -> dict[str, Any]:
    lines[0]["seats"]["agent"]["config"]["members"][1]["agent"] = "micro"
    return next(line for line in lines[1:] if line["type"] == "AGENT_FAILED")


def seat_a_person(lines: Lines) -> dict[str, Any]:
    config = lines[0]["seats"]["agent"]["config"]
    lines[0]["seats"]["agent"].update(kind="human", participant="P02", agent=None, config=config)
    return arrival(lines, "get_info", "agent")


def seat_an_undelayed_agent(lines: Lines) -> dict[str, Any]:
    lines[0]["seats"]["agent"]["config"]["timing"] = {}
    return arrival(lines, "get_info", "agent")


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (
            without("assistants", "agenda", lambda lines: proposal(lines, "agenda")),
            "the header names no assistant 'agenda'",
        ),
        (
            without("assistants", "debrief", lambda lines: proposal(lines, "debrief")),
            "the header names no assistant 'debrief'",
        ),
        (
            without("principals", "head", lambda lines: arrival(lines, "get_info", "head")),
            "the header names no plug-in for the principal 'head'",
        ),
        (
            without("advisers", "human", lambda lines: note(lines, "advised")),
            "the header names no adviser of 'human'",
        ),
        (exchange_member, "the header names no such member at agent"),
        (seat_a_person, "the header names neither an agent nor an adviser at agent"),
        (seat_an_undelayed_agent, "the messages of the agent of agent take no time"),
    ],
)
def test_a_header_without_those_who_act_is_refused(log: Path, forge: Forge, reason: str) -> None:
    assert reason in refused(log, forge)


def exchange_assistants(lines: Lines) -> dict[str, Any]:
    line = proposal(lines, "agenda")
    line["payload"]["proposer"]["name"] = "debrief"
    line["payload"]["updates"] = {"annotations": {"debrief": {"summary": {"text": "Over."}}}}
    return line


def name_a_stranger(lines: Lines) -> dict[str, Any]:
    line = proposal(lines, "agenda")
    line["payload"]["proposer"]["name"] = "stranger"
    line["payload"]["updates"] = {"annotations": {"stranger": {"text": "Hello."}}}
    return line


def answer_an_earlier_event(lines: Lines) -> dict[str, Any]:
    third = [line for line in lines[1:] if line["payload"].get("proposer", {}).get("name") == "agenda"][2]
    return change(third, cause=1)


def write_elsewhere(lines: Lines) -> dict[str, Any]:
    line = proposal(lines, "agenda")
    line["payload"]["updates"] = {"commands": {"head": {"7": {"to": "agent", "info": {"x": 1}}}}}
    return line


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (name_a_stranger, "the header names no assistant 'stranger'"),
        (exchange_assistants, "an assistant of the kind debrief is not asked after that event"),
        (write_elsewhere, "may only be changed by"),
        (answer_an_earlier_event, "agenda answers event 1 after a later one"),
        (
            lambda lines: change(proposal(lines, "agenda"), cause=None),
            "the assistant 'agenda' proposes a change in answer to no event",
        ),
        (
            lambda lines: change(proposal(lines, "debrief"), cause=3),
            "debrief answers event 3, and an assistant of the kind debrief is not asked after that event",
        ),
        (
            lambda lines: change(proposal(lines, "head"), cause=None),
            "head commands something in answer to no event",
        ),
        (
            lambda lines: change(proposal(lines, "head"), cause=3),
            "in answer to event 3, about which it was not asked",
        ),
        (
            lambda lines: change(proposal(lines, "head"), t=1.5, cause=_late_answer(lines)),
            "a command of head takes effect 0.5 s later",
        ),
    ],
)
def test_a_proposal_that_no_plug_in_could_make_is_refused(log: Path, forge: Forge, reason: str) -> None:
    assert reason in refused(log, forge)


def _late_answer(lines: Lines) -> int:
    """Return the number of the answer that a principal gets, which is moved to the time of its command."""
    line = arrival(lines, "get_obs_response", "head")
    for later in lines[line["seq"] : proposal(lines, "head")["seq"]]:
        later["t"] = 1.5
    return int(line["seq"])


def swap(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Give two events each other's contents; return the first."""
    for key in ("payload", "cause"):
        first[key], second[key] = second[key], first[key]
    return first


def repeat(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Give the second event the contents of the first; return it."""
    return change(second, payload=first["payload"], cause=first["cause"])


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (
            lambda lines: change(arrival(lines, "get_info", "agent"), cause=None),
            "about no event of which the agent of agent could have been asked",
        ),
        (
            lambda lines: change_data(arrival(lines, "get_info", "agent"), sender="cook"),
            "there is no 'cook' that a message could be from or for",
        ),
        (
            lambda lines: change_data(arrival(lines, "get_info", "agent"), sender="human"),
            "the messages of the agent of human take no time",
        ),
        (
            lambda lines: change_data(arrival(lines, "get_info", "agent"), recipient="human"),
            "is between a plug-in and the platform",
        ),
        (
            lambda lines: change_data(arrival(lines, "get_info", "agent"), message="get_rich"),
            "no message 'get_rich' takes its time",
        ),
        (
            lambda lines: change(arrival(lines, "get_info", "agent"), t=0.1),
            "this message takes until 0.250 s",
        ),
        (
            lambda lines: swap(
                arrival(lines, "get_info", "agent"), arrival(lines, "get_obs_response", "agent")
            ),
            "the request of agent about event 1 had not arrived",
        ),
        (
            lambda lines: repeat(arrival(lines, "get_info", "agent"), lines[7]),
            "the message get_info of agent about event 1 arrived before",
        ),
        (
            lambda lines: change_data(arrival(lines, "get_info", "head"), number=2),
            "the message get_info of tick 1 of head was to arrive first",
        ),
        (
            lambda lines: change_data(arrival(lines, "get_info", "head"), number="1"),
            "ticks are numbered from 1 up",
        ),
        (
            lambda lines: change_data(arrival(lines, "get_info", "head", number=2), number=1),
            "the message get_info of tick 1 of head arrived before",
        ),
        (
            lambda lines: change(arrival(lines, "get_obs_response", "head"), cause=None),
            "names the event up to which it was seen",
        ),
        (
            lambda lines: change(arrival(lines, "get_info", "head", number=2), t=5.1),
            "this message takes until 5.500 s",
        ),
    ],
)
def test_a_message_that_could_not_have_arrived_is_refused(log: Path, forge: Forge, reason: str) -> None:
    assert reason in refused(log, forge)


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (lambda lines: change(note(lines, "command_taken"), cause=None), "takes a command at no event"),
        (
            lambda lines: change(note(lines, "command_taken"), cause=12),
            "takes a command at event 12, which is no turn of its own",
        ),
        (
            lambda lines: change_data(note(lines, "command_taken"), seat="human"),
            "no command was waiting for human",
        ),
        (
            lambda lines: repeat(note(lines, "command_taken"), arrival(lines, "get_info", "head", number=2)),
            "no command was waiting for agent",
        ),
        (lambda lines: change(note(lines, "advised"), cause=None), "answers no event about which"),
        (lambda lines: change(note(lines, "advised"), cause=3), "is not asked about event 3"),
        (
            lambda lines: change_data(note(lines, "advised"), seat="agent"),
            "the header names no adviser of 'agent'",
        ),
        (lambda lines: change_data(note(lines, "advised"), seat=7), "the header names no adviser of '7'"),
        (
            lambda lines: change_data(note(lines, "advised", number=2), number=1),
            "the next advice to human has the number 2",
        ),
        (lambda lines: change_data(note(lines, "advised"), steps=[]), "with at least one"),
        (
            lambda lines: repeat(note(lines, "advised"), note(lines, "advice_answered")),
            "the next advice to human has the number 2",
        ),
        (
            lambda lines: change_data(note(lines, "advice_answered"), number=2),
            "no advice with the number 2 was open for human",
        ),
        (
            lambda lines: repeat(note(lines, "advice_answered"), note(lines, "advised", number=2)),
            "no advice with the number 1 was open for human",
        ),
        (
            lambda lines: change(note(lines, "advice_answered"), cause=1),
            "the advice in event 14 answers event 12",
        ),
        (
            lambda lines: change_data(note(lines, "advice_answered"), seconds=60.0),
            "the advice in event 14 was not open for 60 s",
        ),
        (
            lambda lines: change_data(note(lines, "advice_answered"), seconds="long"),
            "does not say how long",
        ),
        (
            lambda lines: change_data(note(lines, "advice_answered"), verdict="burnt"),
            "advice does not end by 'burnt'",
        ),
    ],
)
def test_a_command_or_advice_that_could_not_have_been_noted_is_refused(
    log: Path, forge: Forge, reason: str
) -> None:
    assert reason in refused(log, forge)
