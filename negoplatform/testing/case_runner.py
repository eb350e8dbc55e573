"""Runner of an agent through one situation, on a thread that may be abandoned."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Thread

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.core.events import Event
from negoplatform.core.fold import apply, initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.formats.events import encode_event
from negoplatform.testing.check_harness import CallRecorder, CheckCase, HandlerCall

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Result of a situation.

    Args:
        case: The situation.
        events: The log.
        calls: Every call of the agent.
        confirmed: Whether it confirmed an offer of its own that the others had accepted; None: no chance.
        forgotten: Handler and session time of an answer that it did not repeat after a restart; None: there
            is none.
    """

    case: CheckCase
    events: tuple[Event, ...]
    calls: tuple[HandlerCall, ...]
    confirmed: bool | None
    forgotten: tuple[str, float] | None = None

    def own_acts(self) -> Iterator[tuple[Event, State]]:
        """Yield what the agent did, each with the state before it, without the game's typed state."""
        game = replace(self.case.game, own_state=None)
        mechanism = mechanism_of(game.mechanism)
        state = initial_state(game, mechanism)
        for event in self.events:
            if event.sender == self.case.seat:
                yield event, state
            state = apply(state, event.redacted(), mechanism)


@dataclass(frozen=True, slots=True)
class CaseTimeout:
    """Timeout of an agent that did not come to an end.

    Args:
        case: The situation.
        handler: The handler that did not return.
        t: Session time in seconds.
    """

    case: CheckCase
    handler: str
    t: float


def play_case(
    case: CheckCase,
    agent: NegotiationAgent,
    *,
    seed: int,
    timeout: float,
    clock: Clock = time.perf_counter,
) -> CaseResult | CaseTimeout:
    """Play a situation, and abandon it when one answer takes longer than ``timeout`` seconds.

    Raises:
        Exception: An error of the platform itself; the agent's own errors are among its answers.
    """
    recorder = CallRecorder(clock)
    results: SimpleQueue[CaseResult | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(_run_case(case, agent, seed, recorder))
        except BaseException as error:  # noqa: BLE001 - reported on the check's thread
            results.put(error)

    # A daemon thread: a hung agent must not hold up the end of the program.
    Thread(target=run, name=case.name, daemon=True).start()
    begun = -1
    while True:
        try:
            result = results.get(timeout=timeout)
        except Empty:
            asking = recorder.current_call
            if asking is not None and recorder.started_calls == begun:
                recorder.is_abandoned = True
                return CaseTimeout(case, *asking)
            begun = recorder.started_calls
            continue
        if isinstance(result, BaseException):
            raise result
        return result


def _run_case(case: CheckCase, agent: NegotiationAgent, seed: int, recorder: CallRecorder) -> CaseResult:
    events: list[Event] = []
    asked: list[HandlerCall] = []
    confirmed = None
    for game in range(case.situation.games):
        recorder.calls = []
        harness = case.harness(case.game, case.seat, agent, seed=seed + game, recorder=recorder)
        case.situation.play(harness)
        harness.table.start()
        # A log that says which game comes first would be another one; the last game is looked at.
        events, asked, confirmed = harness.table.events, recorder.calls, harness.confirmed
    return CaseResult(case, tuple(events), tuple(asked), confirmed, recorder.forgotten)


def lines_of(events: Sequence[Event]) -> list[str]:
    """Return a log as lines that are equal for equal logs, in every process."""
    return [encode_event(event, "").decode("utf-8").rstrip("\n") for event in events]


def first_difference(once: Sequence[str], again: Sequence[str]) -> str:
    """Return the first difference between two logs, as half a sentence; empty where they are equal."""
    for number, (line, other) in enumerate(zip(once, again, strict=False), 1):
        if line != other:
            a, b = _describe_event(line), _describe_event(other)
            if a == b:
                a, b = f"{a}: {_excerpt(line, other)}", _excerpt(other, line)
            return f"event {number} was {a} the first time and {b} the second"
    if len(once) == len(again):
        return ""
    longer, which = (once, "first") if len(once) > len(again) else (again, "second")
    number = min(len(once), len(again)) + 1
    return f"event {number}, {_describe_event(longer[number - 1])}, happened the {which} time only"


def _describe_event(line: str) -> str:
    event = json.loads(line)
    return f"{event['type']} of {event['sender']} at {event['t']:g} s"


def _excerpt(line: str, other: str) -> str:
    """Return the part of a line in which it differs from another."""
    at = next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
    return f"… {line[max(0, at - 30) : at + 30]} …"
