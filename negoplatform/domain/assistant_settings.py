"""Assistants of a session, as a game's file or a study sets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat


class AssistantKind(StrEnum):
    """Place of an assistant in the course of a session."""

    AGENDA = "agenda"
    """Plans before the agents act: the issues that are open, and what is due next."""
    INSIGHTS = "insights"
    """Follows what the other side does after an agent has acted; never shown to a participant."""
    DEBRIEF = "debrief"
    """Sums up at the end."""


@dataclass(frozen=True, slots=True)
class AssistantSpec:
    """Assistant: a program that reads a seat's view of a session, and proposes changes of the record.

    Args:
        name: Its name, under which its annotations and tasks are kept; neither a seat nor a principal has it.
        assistant: Name of the plug-in; ``agenda``, ``insights`` and ``debrief`` are shipped.
        seat: The seat whose view it reads; empty: the participant's for an agenda with coaching and for a
            debriefing, and the first agent's for all others.
        coach: Whether its plan is shown to the participant in that seat; only an agenda can be.
        settings: Settings of the plug-in; JSON values.
        kind: Its kind, which its plug-in decides; None until that is found.
    """

    name: str
    assistant: str = ""
    seat: Seat = ""
    coach: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    kind: AssistantKind | None = None

    @property
    def plugin(self) -> str:
        """Name of the plug-in: its own, or that of the assistant where it sets none."""
        return self.assistant or self.name

    @property
    def is_shown_to_participant(self) -> bool:
        """Whether the participant in its seat sees its tasks and annotations."""
        return self.kind is AssistantKind.DEBRIEF or (self.kind is AssistantKind.AGENDA and self.coach)


def parse_assistant(text: str) -> AssistantSpec:
    """Return the assistant of a command line: ``NAME``, ``NAME=PLUGIN``, or either with ``@settings.json``.

    Raises:
        NegoError: If it has no name, or a name that cannot be one.
    """
    name, equals, plugin = text.partition("=")
    if not equals and "@" in text:
        name, plugin = text.partition("@")[0], text
    if not name or (equals and not plugin) or len(name) > 60 or not name.replace("_", "").isalnum():
        raise NegoError(
            f"{text!r} names no assistant; write NAME or NAME=PLUGIN, such as agenda, tips=insights, or "
            "mine=mine.py. A name has letters, digits and _."
        )
    return AssistantSpec(name, plugin)
