"""Inputs of a table screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from negoplatform.app.session.participant_seat import ParticipantSeat
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.pictures.game_picture_set import GamePictureSet
from negoplatform.gui.table.table_side import TableSideInputs
from negoplatform.gui.table.workbench import Workbench
from negoplatform.presentation.table.author_fault_reporter import AuthorFaultReporter
from negoplatform.presentation.table.practice_guide import GuideOptions


@dataclass(frozen=True, slots=True)
class TableScreenInputs:
    """Inputs of a table screen.

    Args:
        table: The participant's seat in the live session.
        names: The names of the other seats for the participant.
        workbench: What differs by mechanism; it belongs to this one screen.
        avatars: The other seats' portraits; a seat without one gets a character by its name.
        pictures: The pictures of the game's issues.
        saved_draft: The unsent draft and text of an interrupted session; None: a new session.
        shows_briefing: Whether the rules are shown before the game begins, with the clock stopped.
        leave_label: The text of the button that leaves before the game begins; empty: no button.
        has_next_game: Whether another game follows at the end.
        fault_reporter: Reports the agent's faults to its author; None: faults are not shown.
        guide: The options of the guided practice; None: a session that counts.
        on_practise: Show the practice before the game begins; None: it is not offered.
        on_ask: Called for a question to the experimenter; None: it is not offered.
        wizard: The inputs of the panel of a wizard who operates the seat; None: the seat of a participant.
    """

    table: ParticipantSeat
    names: Mapping[Seat, str]
    workbench: Workbench
    avatars: Mapping[Seat, Avatar] = field(default_factory=dict)
    pictures: GamePictureSet = field(default_factory=GamePictureSet)
    saved_draft: Mapping[str, Any] | None = None
    shows_briefing: bool = False
    leave_label: str = ""
    has_next_game: bool = False
    fault_reporter: AuthorFaultReporter | None = None
    guide: GuideOptions | None = None
    on_practise: Callable[[], None] | None = None
    on_ask: Callable[[], None] | None = None
    wizard: TableSideInputs | None = None
