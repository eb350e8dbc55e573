"""Fields of the start window that depend on the game: the participant's seat, and a profile per seat."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk

from negoplatform.app.sitting import human_seat
from negoplatform.domain.game import DRAWN, GameSpec
from negoplatform.domain.seat import BySeat, Seat
from negoplatform.gui.announce import Announcer
from negoplatform.gui.scrolled import no_wheel
from negoplatform.gui.texts import role
from negoplatform.gui.theme import Theme

TITLES_WIDTH = 196
"""Width of the column of titles, for 96 dpi; so these fields stand in line with the rest of the form."""


def profile_choices(game: GameSpec, seat: Seat) -> Mapping[str, str]:
    """The profiles that a seat may get, with what people read, the game's own choice first."""
    names = [*(profile.name for profile in game.profiles[seat]), DRAWN]
    own = game.chosen.get(seat, names[0])
    names.sort(key=lambda name: name != own)
    read = {name: "drawn by the seed" if name == DRAWN else role(name) for name in names}
    return read | {own: f"{read[own]} (the game’s own)"}


class SeatFields:
    """Shows a field only where there is something to choose.

    Args:
        card: Where it is put: a form with titles in column 0 and fields in column 1.
        theme: Its looks.
        row: Its row in the form.
        seat: The seat that is wanted for the participant; None for the usual one.
        profiles: The profiles that are wanted, by seat.
        announcer: Is told where the fields are.
    """

    def __init__(
        self,
        card: tk.Misc,
        theme: Theme,
        *,
        row: int,
        seat: Seat | None,
        profiles: Mapping[Seat, str],
        announcer: Announcer,
    ) -> None:
        self._theme = theme
        self._wanted_seat, self._wanted_profiles = seat, dict(profiles)
        self._announcer = announcer
        self._game: GameSpec | None = None
        self._seat: ttk.Combobox | None = None
        self._profiles: dict[Seat, ttk.Combobox] = {}
        self._frame = theme.frame(card)
        self._frame.grid(row=row, column=0, columnspan=2, sticky="ew")
        self._frame.columnconfigure(0, minsize=theme.px(TITLES_WIDTH))
        self._frame.columnconfigure(1, weight=1)

    def show(self, game: GameSpec | None) -> None:
        """Shows the fields of a game; None: none."""
        if game is self._game:
            return
        self._game, self._seat, self._profiles = game, None, {}
        for child in self._frame.winfo_children():
            child.destroy()
        # An empty frame keeps the height that it had.
        self._frame.configure(height=1)
        if game is None:
            return
        if "human" not in game.seats or self._wanted_seat in game.seats:
            self._seat = self._field("The participant is", [role(seat) for seat in game.seats])
            usual = human_seat(game)
            self._seat.current(
                game.seats.index(self._wanted_seat if self._wanted_seat in game.seats else usual)
            )
            self._announcer.name("seat", self._seat)
        for seat in game.profiles:
            choices = profile_choices(game, seat)
            self._profiles[seat] = self._field(f"Profile of {role(seat)}", list(choices.values()))
            wanted = self._wanted_profiles.get(seat, "")
            self._profiles[seat].current(0 if wanted not in choices else list(choices).index(wanted))
            self._announcer.name(f"profile.{seat}", self._profiles[seat])

    def seat(self) -> Seat | None:
        """The chosen seat of the participant; None for the usual one."""
        if self._game is None or self._seat is None:
            return self._wanted_seat
        return self._game.seats[self._seat.current()]

    def profiles(self) -> BySeat[str]:
        """The chosen profile of each seat that has several."""
        game = self._game
        if game is None:
            return BySeat(self._wanted_profiles)
        return BySeat(
            (seat, list(profile_choices(game, seat))[box.current()]) for seat, box in self._profiles.items()
        )

    def _field(self, title: str, choices: list[str]) -> ttk.Combobox:
        row, px = self._frame.grid_size()[1], self._theme.px
        label = self._theme.label(self._frame, title)
        label.configure(wraplength=px(180), justify="left")
        label.grid(row=row, column=0, sticky="w", padx=(0, px(16)), pady=(px(8), 0))
        box = ttk.Combobox(self._frame, values=choices, state="readonly", font=self._theme.font("body"))
        box.grid(row=row, column=1, sticky="ew", pady=(px(8), 0))
        box.bind("<<ComboboxSelected>>", lambda _event: box.selection_clear())
        no_wheel(box)
        return box
