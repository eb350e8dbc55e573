"""Principals, which command seats, and teams of allied seats, as a game's file sets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat

HIGHEST_LEVEL = 3
"""Level of a principal over principals; there is none above."""

MOST_TIMING_SECONDS = 3600.0
"""Longest delay or interval (s) of a principal or an agent."""


class ProtocolKind(StrEnum):
    """Way in which a principal turns its decision into instructions for the seats below it."""

    NONE = "none"
    """The seats act independently; a principal commands each one by name."""
    VERTICAL = "vertical"
    """A mandate's budget, or a vector, is split among the seats."""
    HORIZONTAL = "horizontal"
    """The seats share what they know, and decide together."""


class Split(StrEnum):
    """Rule by which a vertical protocol splits a budget."""

    EQUAL = "equal"
    PROPORTIONAL = "proportional"
    """In proportion to the sizes of the members' actions, or of their own budgets."""


class TeamAcceptance(StrEnum):
    """Members of a team who have to agree to an acceptance."""

    ANY = "any"
    """A single member."""
    MAJORITY = "majority"
    """More than half of them."""
    UNANIMOUS = "unanimous"


@dataclass(frozen=True, slots=True)
class ProtocolSettings:
    """Settings of a principal's protocol.

    Args:
        kind: The protocol.
        split: Rule for splitting a budget; of no meaning unless vertical.
    """

    kind: ProtocolKind = ProtocolKind.NONE
    split: Split = Split.EQUAL


@dataclass(frozen=True, slots=True)
class PrincipalTiming:
    """Timing of a principal.

    A tick begins every ``tick_interval`` seconds. The principal's request for an observation arrives
    ``msg_delay`` later, the observation again ``msg_delay`` later, and its commands take effect ``act_delay``
    after that.

    Args:
        tick_interval: Seconds of session time between two ticks, from 0.1 to 3600.
        msg_delay: Seconds that a message takes, from 0 to 3600.
        act_delay: Seconds between a decision and its effect, from 0 to 3600.
        jitter: Largest number of seconds, from 0 to 3600, that chance adds to each delay; the session's seed
            draws it.
        wait_interval: Seconds after a tick, from 0 to 3600, at which everything that time alone makes happen
            is recorded; 0: the session's own timers do so alone.

    Raises:
        NegoError: If a value is out of its range; with a sentence.
    """

    tick_interval: float = 10.0
    msg_delay: float = 0.0
    act_delay: float = 0.0
    jitter: float = 0.0
    wait_interval: float = 0.0

    def __post_init__(self) -> None:
        check_seconds("tick_interval", self.tick_interval, least=0.1)
        for name in ("msg_delay", "act_delay", "jitter", "wait_interval"):
            check_seconds(name, getattr(self, name))


def check_seconds(name: str, value: object, *, least: float = 0.0) -> None:
    """Raise NegoError, with a sentence, unless a value is a number of seconds from ``least`` to 3600."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not (least <= value <= MOST_TIMING_SECONDS)
    ):
        raise NegoError(
            f"timing.{name} is a number of seconds from {least:g} to {MOST_TIMING_SECONDS:g}, not {value!r}."
        )


@dataclass(frozen=True, slots=True)
class PrincipalSpec:
    """Principal of a game: a program that instructs seats, and writes nothing itself.

    Args:
        name: Its name; no seat has it.
        over: The seats below it, or the principals below it, whose seats it then commands through them.
        protocol: Its protocol.
        timing: Its timing.
        agent: Name of the plug-in that decides for it; empty: the command line or a study has to say.
        settings: Settings of that plug-in; JSON values.
    """

    name: str
    over: tuple[str, ...]
    protocol: ProtocolSettings = ProtocolSettings()
    timing: PrincipalTiming = PrincipalTiming()
    agent: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TeamSpec:
    """Team of allied seats.

    Args:
        members: The seats, two or more.
        share: Names of the features that the members see of each other, even where no other seat does.
        accept: The members who have to agree before the agent of one of them accepts an offer.
    """

    members: tuple[Seat, ...]
    share: tuple[str, ...] = ()
    accept: TeamAcceptance = TeamAcceptance.ANY
