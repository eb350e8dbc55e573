"""The real program with its window open, measuring itself: ``python -m benchmarks.window.inside``.

Prints one line of JSON. The caller provides a screen.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import tkinter as tk
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.session import session_start
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.core.events import EventType, Message
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.gui.shell import application as window
from negoplatform.gui.shell.window_startup import make_theme
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.start import session_plan_builder
from negoplatform.presentation.start.launch_options import LaunchOptions

AGENTS = Path(__file__).parent / "busy.py"
DECISIONS = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT)

PRESSES, OFFERS = 300, 120
IDLE_SECONDS, FRAME_SECONDS = 10.0, 4.0
FRAME_MS = 16


class Stamped(SimpleQueue[SessionUpdate]):
    """Updates of a table, with the time at which each was published, its line on the disk."""

    def __init__(self) -> None:
        self.at: dict[int, float] = {}

    def put(self, item: SessionUpdate, block: bool = True, timeout: float | None = None) -> None:
        """Pass on an update."""
        if item.event is not None and item.event.type in DECISIONS:
            self.at[item.event.seq] = time.perf_counter()
        super().put(item)


class StampedTable(LiveSession):
    """Table that records when its decisions were published."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.updates: Stamped = Stamped()


class Probe(TableScreen):
    """The table's screen, which measures itself once the game has begun."""

    measured: dict[str, Any] = {}  # noqa: RUF012 - one screen in one process, read when it is gone

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.shown: dict[int, float] = {}
        super().__init__(*args, **kwargs)
        self._steps = self._plan()
        self._theme.root.after(1500, self._next)

    def _poll(self) -> None:
        super()._poll()
        waiting = [seq for seq in self._table.updates.at if seq not in self.shown]  # type: ignore[attr-defined]
        if (
            waiting
            and self._updates.newest is not None
            and self._updates.newest.view.state.version >= max(waiting)
        ):
            self._draw()
            self.shown.update((seq, time.perf_counter()) for seq in waiting)

    def _draw(self) -> None:
        """Return once the screen has drawn all that was requested."""
        self._theme.root.update_idletasks()
        self._theme.root.winfo_pointerxy()

    def _next(self) -> None:
        wait = next(self._steps, None)
        if wait is None:
            self._theme.root.destroy()
        else:
            self._theme.root.after(wait, self._next)

    def _plan(self) -> Iterator[int]:
        raise NotImplementedError

    def _felt(self, act: Callable[[], object]) -> float:
        """Return the milliseconds until the screen shows the effect of an action."""
        began = time.perf_counter()
        act()
        self._draw()
        return 1000 * (time.perf_counter() - began)


class Hands(Probe):
    """Screen that presses, types and sends, and measures how long each takes to become visible."""

    def _plan(self) -> Iterator[int]:
        widgets = self._panels.widgets()
        felt: dict[str, list[float]] = {"pressed": [], "moved": [], "typed": []}
        entry = widgets["entry"]
        for number in range(PRESSES):
            cell = widgets[_cell(number)]
            felt["moved"].append(self._felt(partial(_click, cell)))
            yield 3
            felt["typed"].append(self._felt(lambda: _type(entry, "a")))
            yield 3
            felt["pressed"].append(self._felt(lambda: _press(widgets["emotion.duration"])))
            yield 3
        for number in range(OFFERS):
            offer = Offer([("apples", Allocation([("human", 6 - number % 5), ("agent", number % 5)], 0))])
            self._participant.send_offer(offer)
            yield 40
        yield 1500
        at = self._table.updates.at  # type: ignore[attr-defined]
        shown = [1000 * (self.shown[seq] - at[seq]) for seq in at if seq in self.shown]
        Probe.measured |= {**felt, "decision": shown, "memory_mb": _memory()}


class Watching(Probe):
    """Screen that measures while the agent computes, and while nothing happens."""

    def _plan(self) -> Iterator[int]:
        before, began = time.process_time(), time.monotonic()
        yield round(1000 * IDLE_SECONDS)
        idle = (time.process_time() - before) / (time.monotonic() - began)
        self._participant.send_message(Message("Think about it."))
        yield 1200
        frames: list[float] = []

        def frame() -> None:
            frames.append(time.perf_counter())
            self._theme.root.after(FRAME_MS, frame)

        frame()
        yield round(1000 * FRAME_SECONDS)
        lasted = frames[-1] - frames[0]
        heavy = sorted({name.split(".")[0] for name in sys.modules} & {"numpy", "matplotlib"})
        Probe.measured |= {
            "idle": idle,
            "frames": (len(frames) - 1) / lasted,
            "memory_mb": _memory(),
            "heavy": heavy,
        }


def _cell(number: int) -> str:
    return ("apples.human.more", "apples.agent.more")[number % 2]


def _click(widget: tk.Misc) -> None:
    x, y = widget.winfo_width() // 2, widget.winfo_height() // 2
    widget.event_generate("<Enter>", x=x, y=y)
    widget.event_generate("<ButtonPress-1>", x=x, y=y)
    widget.event_generate("<ButtonRelease-1>", x=x, y=y)


def _press(widget: tk.Misc) -> None:
    """Press a button and release the mouse outside it: the button shows both, and does nothing."""
    widget.event_generate("<Enter>")
    widget.event_generate("<ButtonPress-1>")
    widget.event_generate("<Leave>")
    widget.event_generate("<ButtonRelease-1>")


def _type(entry: tk.Misc, char: str) -> None:
    entry.focus_force()
    entry.event_generate(f"<KeyPress-{char}>")
    entry.event_generate(f"<KeyRelease-{char}>")


def _memory() -> float:
    """Return the megabytes of this process, including shared memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _patient(data_dir: Path) -> Any:
    """Return the practice game with generous time limits for agents."""
    game = find_game("practice", data_dir)
    agents = replace(game.rules.agents, soft_seconds=20.0, hard_seconds=20.0)
    return replace(game, rules=replace(game.rules, agents=agents))


def main() -> None:
    """Play one session and print the measurements."""
    probe, agent = {"hands": (Hands, "fair"), "watching": (Watching, f"{AGENTS}:Busy")}[sys.argv[1]]
    # By hand: what the standard library has for it loads asyncio, and would be measured too.
    session_start.LiveSession = StampedTable  # type: ignore[misc]
    window.TableScreen = probe  # type: ignore[misc, attr-defined]
    session_plan_builder.find_game = lambda _name, folder: _patient(folder)  # type: ignore[attr-defined, misc, assignment]
    with tempfile.TemporaryDirectory() as top:
        wish = LaunchOptions(
            game="practice",
            agent=agent,
            participant="B1",
            seed=1,
            profiles=SeatMap(),
            briefing=False,
            practice=False,
        )
        window.Application(Path(top), wish, False, lambda: make_theme(Appearance())).run()
    print(json.dumps(Probe.measured))


if __name__ == "__main__":
    main()
