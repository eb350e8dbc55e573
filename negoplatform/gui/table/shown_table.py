"""Table screen of a session that is only shown: without agents, and without a log."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import SimpleQueue

from negoplatform.app.session.participant_seat import ParticipantSeat, SessionUpdate
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Event
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import observer_of, view_of, visible_event, visible_game
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.writer import NoLog
from negoplatform.gui.avatars.agent_avatar import load_avatar
from negoplatform.gui.pictures.game_picture_set import load_pictures
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.table.workbench import Workbench
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer


class ShownSession:
    """Session without a thread: what its screen shows is given from outside, and nothing can be proposed.

    Args:
        plan: Its plan; the agents are not asked.

    Raises:
        NegoError: If no person has a seat.
    """

    def __init__(self, plan: SessionPlan) -> None:
        if plan.human_seat is None:
            raise NegoError("A table that is shown needs a seat for a person.")
        self._observer = observer_of(plan.game, plan.human_seat)
        self._updates: SimpleQueue[SessionUpdate] = SimpleQueue()
        self.participant_seat = ParticipantSeat(
            plan.human_seat,
            visible_game(plan.game, self._observer),
            plan.participant,
            self._updates,
            on_start=_ignore,
            on_entry=_ignore,
            on_draft=_ignore,
        )

    def show(self, state: State, t: float, event: Event | None = None) -> None:
        """Show what the participant sees of a state.

        Args:
            state: The state.
            t: The session time in seconds.
            event: The last event; None: none is new.
        """
        seen = None if event is None else visible_event(event, self._observer)
        self._updates.put(SessionUpdate(view_of(state, self._observer), seen, time.monotonic() - t))


def _ignore(_value: object) -> None:
    """Do nothing: a session that is only shown has no participant."""


def state_at_start(plan: SessionPlan, report: Callable[[BaseException], object]) -> State:
    """Return the state in which a game has begun, before the first act."""
    runner = SessionRunner(
        plan.game,
        seed=plan.seed,
        clock=VirtualClock(),
        log=NoLog(),
        report=report,
        session_id=plan.session_id,
        record=plan.record,
    )
    runner.start()
    return runner.session.state


def shown_table_screen(
    theme: Theme,
    plan: SessionPlan,
    session: ShownSession,
    workbench: Workbench,
    *,
    shows_rules: bool = False,
    note: str = "",
    report: Callable[[BaseException], object],
) -> TableScreen:
    """Return the screen of a session that is only shown.

    Args:
        theme: Theme of the window.
        plan: Plan of the session.
        session: The session.
        workbench: What differs by mechanism.
        shows_rules: Whether the rules cover the table.
        note: Note in the footer; empty: none.
        report: Called with errors of pictures.
    """
    pictures = load_pictures(plan.game, plan.game.folder)
    avatars = {
        seat: load_avatar(agent.avatar, agent.plugin.file, name=agent.name)
        for seat, agent in plan.agents.items()
    }
    problems = [*pictures.problems, *(avatar.problem for avatar in avatars.values() if avatar.problem)]
    for problem in problems:
        report(NegoError(problem))
    inputs = TableScreenInputs(
        session.participant_seat,
        {seat: name for seat, name in plan.names.items() if seat != plan.human_seat},
        workbench,
        avatars,
        pictures=pictures,
        shows_briefing=shows_rules,
    )
    screen = TableScreen(
        theme,
        inputs,
        announcer=UiTestAnnouncer(theme.root, active=False),
        on_appearance=lambda _appearance: None,
        on_done=lambda: None,
    )
    if note:
        screen.show_note(note)
    return screen
