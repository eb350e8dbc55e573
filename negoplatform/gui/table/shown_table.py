"""Table screen of a session that is only shown: without agents, and without a log."""

from __future__ import annotations

import time
from collections.abc import Callable

from negoplatform.app.session.live_session import LiveSession, SessionUpdate
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Event
from negoplatform.core.state import State
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import Observer, view_of, visible_event
from negoplatform.domain.errors import LogWriteError, NegoError
from negoplatform.eventlog.failover import LogRelocation
from negoplatform.eventlog.writer import NoLog
from negoplatform.gui.avatars.agent_avatar import load_avatar
from negoplatform.gui.pictures.game_picture_set import load_pictures
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.table.workbench import Workbench
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer


class _UnwrittenLog(NoLog):
    """Log of a session that is only shown."""

    def __init__(self) -> None:
        self.on_unwritable: Callable[[LogWriteError], bool] = lambda _error: False

    @property
    def sync_due(self) -> float | None:
        """None: nothing waits."""
        return None

    def sync(self) -> None:
        """Do nothing."""

    def take_relocations(self) -> list[LogRelocation]:
        """Return no moves."""
        return []


class ShownSession(LiveSession):
    """Session without a thread: what its screen shows is given from outside.

    Args:
        plan: Its plan; the agents are not asked.
        report: Called with an unexpected error.
    """

    def __init__(self, plan: SessionPlan, report: Callable[[BaseException], object]) -> None:
        super().__init__(plan, log=_UnwrittenLog(), report=report)

    def start(self) -> None:
        """Do nothing."""

    def show(self, state: State, t: float, event: Event | None = None) -> None:
        """Show what the participant sees of a state.

        Args:
            state: The state.
            t: The session time in seconds.
            event: The last event; None: none is new.
        """
        observer = Observer(self.seat)
        seen = None if event is None else visible_event(event, observer)
        self.updates.put(SessionUpdate(view_of(state, observer), seen, time.monotonic() - t))


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
        session,
        {seat: agent.name for seat, agent in plan.agents.items()},
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
