"""What answers for an agent: the agent itself, beside the table, or a process in which it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from negoplatform.core.events import Event, EventType
from negoplatform.core.visibility import NOT_FOR_EVERYONE, Observer, visible_event
from negoplatform.domain.agent_budget import USUAL, AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.hosting.agent_runner import Answer, Question


class Mind(Protocol):
    """One agent's mind, from its first event on. Asked by one thread at a time, which it may hold up."""

    def answer(self, question: Question) -> Answer:
        """The agent's answer; an agent that fails gives one too, and a lost mind says so in it."""
        ...

    def see(self, event: Event) -> None:
        """Takes note of an event that nobody asks the agent about: its own."""
        ...

    def stop(self) -> None:
        """Ends it; from any thread, at once, and more than once."""
        ...


MakeMind = Callable[[], Mind]
"""Makes a fresh mind, with its seat's chance at its beginning.

Raises:
    NegoError: If the agent cannot be made; a sentence.
"""

Heard = Question | Event
"""What a mind was told, in order: what it was asked, and its own events."""


@dataclass(frozen=True, slots=True)
class Understudy:
    """A shipped agent that takes over a seat whose own agent cannot hold it.

    Args:
        name: Its name in the catalogue.
        sha256: The hash of its file.
        make: Makes its mind.
    """

    name: str
    sha256: str
    make: MakeMind


@dataclass(frozen=True, slots=True)
class Casting:
    """Who holds a seat, and who follows.

    Args:
        make: Makes the agent's mind, each time a fresh one.
        budget: What the agent may take.
        understudy: Who takes over in the end; None: the session ends.
    """

    make: MakeMind
    budget: AgentBudget = USUAL
    understudy: Understudy | None = None


class LostMind:
    """Stands where no mind could be made: every question is answered with the reason.

    Args:
        reason: A sentence.
        error: The error behind it, for the crash file.
    """

    def __init__(self, reason: str, error: BaseException | None = None) -> None:
        self._reason = reason
        self._error = error

    def answer(self, question: Question) -> Answer:
        """The reason."""
        return Answer(question, failure=self._reason, error=self._error, lost=True)

    def see(self, event: Event) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


def heard_by(observer: Observer, seen: Event) -> Event | None:
    """What a seat's agent is told of an event, as the seat may see it; None: nothing.

    Args:
        observer: The seat's.
        seen: The event, without the experimenter's part.
    """
    if seen.type == EventType.RESUMED:
        return None  # nothing has happened at the table
    return visible_event(seen, observer) if seen.to or seen.type in NOT_FOR_EVERYONE else seen


def without_asking(past: Iterable[Heard], lost_at: Sequence[Question]) -> list[Heard]:
    """What was heard, with the questions at which a mind was lost as mere events.

    Nobody asks the same agent again; what happened then has happened. A callback is gone with its mind.
    """
    told: list[Heard] = []
    for heard in past:
        if not any(heard is lost for lost in lost_at):
            told.append(heard)
        elif isinstance(heard, Question) and heard.call is None:
            told.append(heard.stimulus)
    return told


def without_calls(heard: Iterable[Heard]) -> list[Heard]:
    """What another agent may be told of it: all but the calls of callbacks that it never scheduled."""
    return [one for one in heard if not isinstance(one, Question) or one.call is None]


def mind_after(make: MakeMind, past: Iterable[Heard]) -> Mind:
    """A fresh mind that has heard what another one heard; what it answers to that is discarded."""
    try:
        mind = make()
    except NegoError as error:
        return LostMind(str(error), error)
    except Exception as error:  # noqa: BLE001 - no thread, no memory: the seat is lost, and not its thread
        return LostMind(f"It could not be made ({type(error).__name__}).", error)
    try:
        for heard in past:
            if not isinstance(heard, Question):
                mind.see(heard)
                continue
            answer = mind.answer(heard)
            if answer.lost:
                mind.stop()
                return LostMind(answer.failure, answer.error)
    except Exception as error:  # noqa: BLE001 - no memory: as above
        return lost(mind, error)
    return mind


def lost(mind: Mind, error: Exception) -> LostMind:
    """What stands in the place of a mind that could not even be told what happened; the mind is ended."""
    mind.stop()
    return LostMind(f"It could not be told what happened ({type(error).__name__}).", error)
