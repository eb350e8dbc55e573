"""A table screen that gets one reason for a pause after the other; its announcements are printed."""

from __future__ import annotations

from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.core.visibility import Observer, view_of
from negoplatform.formats.games import load_game
from negoplatform.gui.bargaining.bargaining_workbench import BargainingWorkbench
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.theming.theme import Theme
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.appearance import Appearance
from negoplatform.testing import TrialTable


def main() -> None:
    """Show the screen until it has announced the second reason, or for five seconds."""
    theme = Theme("Standing still", Appearance(), print)
    view = view_of(TrialTable(load_game(bundled("games") / "practice.json")).state, Observer("human"))
    updates: SimpleQueue[SessionUpdate] = SimpleQueue()

    def tell(happening: str, **data: Any) -> None:
        print(happening, data.get("reason", ""), flush=True)
        if data.get("reason") == "First.":
            updates.put(SessionUpdate(view, None, 0.0, frozen="Second."))
        elif data.get("reason"):
            theme.root.after_idle(theme.root.destroy)

    table: Any = SimpleNamespace(
        seat="human", participant="P01", game=view.state.game, updates=updates, start=lambda: None
    )
    listener: Any = SimpleNamespace(
        register=lambda *_named: None, set_screen_widgets=lambda *_asked: None, announce=tell
    )
    screen = TableScreen(
        theme,
        TableScreenInputs(table, {"agent": "Rowan"}, BargainingWorkbench()),
        announcer=listener,
        on_appearance=print,
        on_done=theme.root.destroy,
    )
    screen.frame.pack(fill="both", expand=True)
    updates.put(SessionUpdate(view, None, 0.0, frozen="First."))
    theme.root.after(5000, theme.root.destroy)
    theme.root.mainloop()


if __name__ == "__main__":
    main()
