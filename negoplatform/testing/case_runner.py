"""Plays an agent through one scene, on a thread that may be given up."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.core.events import Event
from negoplatform.formats.events import encode_event
from negoplatform.testing.check_harness import Asked, Stage, Watch
from negoplatform.testing.check_situations import Scene

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Played:
    """What happened in a scene.

    Args:
        scene: The scene.
        events: The log.
        asked: Every question to the agent.
        confirmed: Whether it confirmed an offer of its own that the others had accepted; None: no chance.
    """

    scene: Scene
    events: tuple[Event, ...]
    asked: tuple[Asked, ...]
    confirmed: bool | None


@dataclass(frozen=True, slots=True)
class Hung:
    """An agent that did not come to an end.

    Args:
        scene: The scene.
        handler: What it was in.
        t: Session time in seconds.
    """

    scene: Scene
    handler: str
    t: float


def play(
    scene: Scene,
    agent: NegotiationAgent,
    *,
    seed: int,
    patience: float,
    clock: Clock = time.perf_counter,
) -> Played | Hung:
    """Plays a scene; gives it up when one answer takes longer than ``patience`` seconds.

    Raises:
        Exception: What the platform itself failed with; the agent's own errors are among its answers.
    """
    watch = Watch(clock)
    results: SimpleQueue[Played | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(_played(scene, agent, seed, watch))
        except BaseException as error:  # noqa: BLE001 - told on the check's thread
            results.put(error)

    # A daemon thread: a hung agent must not hold up the end of the program.
    Thread(target=run, name=scene.name, daemon=True).start()
    begun = -1
    while True:
        try:
            result = results.get(timeout=patience)
        except Empty:
            asking = watch.asking
            if asking is not None and watch.begun == begun:
                watch.given_up = True
                return Hung(scene, *asking)
            begun = watch.begun
            continue
        if isinstance(result, BaseException):
            raise result
        return result


def _played(scene: Scene, agent: NegotiationAgent, seed: int, watch: Watch) -> Played:
    events: list[Event] = []
    asked: list[Asked] = []
    confirmed = None
    for game in range(scene.situation.games):
        watch.asked = []
        stage = Stage(scene.game, scene.seat, agent, seed=seed + game, watch=watch)
        scene.situation.play(stage)
        stage.table.start()
        # A log that says which game comes first would be another one; the last game is looked at.
        events, asked, confirmed = stage.table.events, watch.asked, stage.confirmed
    return Played(scene, tuple(events), tuple(asked), confirmed)


def lines_of(events: Sequence[Event]) -> list[str]:
    """A log as lines that are equal for equal logs, in every process."""
    return [encode_event(event, "").decode("utf-8").rstrip("\n") for event in events]


def first_difference(once: Sequence[str], again: Sequence[str]) -> str:
    """What differs first between two logs, as half a sentence; empty where they are equal."""
    for number, (line, other) in enumerate(zip(once, again, strict=False), 1):
        if line != other:
            a, b = _told(line), _told(other)
            if a == b:
                a, b = f"{a}: {_around(line, other)}", _around(other, line)
            return f"event {number} was {a} the first time and {b} the second"
    if len(once) == len(again):
        return ""
    longer, which = (once, "first") if len(once) > len(again) else (again, "second")
    number = min(len(once), len(again)) + 1
    return f"event {number}, {_told(longer[number - 1])}, happened the {which} time only"


def _told(line: str) -> str:
    event = json.loads(line)
    return f"{event['type']} of {event['sender']} at {event['t']:g} s"


def _around(line: str, other: str) -> str:
    """The part of a line in which it differs from another."""
    at = next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
    return f"… {line[max(0, at - 30) : at + 30]} …"
