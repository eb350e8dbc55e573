"""Remains of closed screens, in Tk and in Python."""

from __future__ import annotations

import gc
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from weakref import ref

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.domain.seat_map import SeatMap
from negoplatform.gui.bargaining.bargaining_workbench import BargainingWorkbench
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from tests.app.session.test_participant_seat import BEHIND_THE_SEAT
from tests.hosting.ledger import Ledger
from tests.reachable import reachable

TIMES = 5

TURN_MS = 300
"""Milliseconds longer than any delayed call that a screen leaves behind."""

NOWHERE = Path("nowhere")

_REACHED: set[str] = set()


def main() -> None:
    """Print three numbers, and the types behind the participant's seat that a screen led to.

    The numbers are those of Tk commands, early and late, and of screens alive at the end.
    """
    theme = Theme("Left behind", Appearance(), print)
    live: list[ref[TableScreen]] = []
    known: list[int] = []
    for _ in range(TIMES):
        live.append(shown(theme))
        turn(theme)
        gc.collect()
        known.append(len(theme.root.tk.call("info", "commands")))
    print(known[1], known[-1], sum(screen() is not None for screen in live), *sorted(_REACHED))
    theme.root.destroy()


def shown(theme: Theme) -> ref[TableScreen]:
    """Return a reference to a screen at which a game began, which was rebuilt once and closed."""
    game = find_game("land_sale", NOWHERE).resolve_profiles(1)
    mine, other = game.seats
    plugin = find_agent("fair", NOWHERE)
    agents = SeatMap({other: prepare_in_process(plugin, other, plugin.settings, game=game)})
    sitting = SessionPlan(game=game, seed=1, human_seat=mine, participant="P01", agents=agents)
    table = LiveSession(sitting, log=Ledger(), report=print)
    table.await_start()
    listener: Any = SimpleNamespace(
        register=lambda *_named: None,
        set_screen_widgets=lambda *_asked: None,
        announce=lambda *_told, **_data: None,
    )
    screen = TableScreen(
        theme,
        TableScreenInputs(table.participant_seat, {other: "Rowan"}, BargainingWorkbench()),
        announcer=listener,
        on_appearance=print,
        on_done=theme.root.destroy,
    )
    screen.frame.pack()
    turn(theme)
    screen.rebuild()
    turn(theme)
    _REACHED.update(
        type(thing).__name__
        for thing in reachable(screen)
        if isinstance(thing, BEHIND_THE_SEAT) or thing is game.preferences[other]
    )
    table.stop()
    screen.frame.destroy()
    return ref(screen)


def turn(theme: Theme) -> None:
    """Let the window process its events."""
    theme.root.after(TURN_MS, theme.root.quit)
    theme.root.mainloop()


if __name__ == "__main__":
    main()
