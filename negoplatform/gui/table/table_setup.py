"""What is known of a participant's place before they sit down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from negoplatform.app.session.live_session import LiveSession
from negoplatform.domain.seat import Seat
from negoplatform.gui.avatars.avatars import Avatar
from negoplatform.gui.pictures.issue_pictures import IssuePictures
from negoplatform.presentation.table.agent_fault_reporter import AgentFaultReporter
from negoplatform.presentation.table.practice_guide import GuideOptions


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What the participant's place is made with.

    Args:
        table: The table.
        names: What the participant calls the other seats.
        avatars: Their faces; who has none gets somebody's by name.
        pictures: What the game's issues look like.
        saved_draft: What the participant had not sent when the session was interrupted; None in a new one.
        shows_briefing: Whether the rules are read before the game begins, with the clock still standing.
        leave_label: The words on the button that leaves before the game begins; empty if there is none.
        has_next_game: Whether the next game follows at the end.
        fault_reporter: What the other side does wrong, where its author plays against it; None: nobody is told.
        guide: What leads through it, where it is the guided practice; None: it counts.
        on_practise: Shows the practice before the game begins; None: it is not offered.
    """

    table: LiveSession
    names: Mapping[Seat, str]
    avatars: Mapping[Seat, Avatar] = field(default_factory=dict)
    pictures: IssuePictures = field(default_factory=IssuePictures)
    saved_draft: Mapping[str, Any] | None = None
    shows_briefing: bool = False
    leave_label: str = ""
    has_next_game: bool = False
    fault_reporter: AgentFaultReporter | None = None
    guide: GuideOptions | None = None
    on_practise: Callable[[], None] | None = None
