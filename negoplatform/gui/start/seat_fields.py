"""Fields of the start window that depend on the game: the participant's seat, and a profile per seat."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk

from negoplatform.app.session.session_plan import human_seat
from negoplatform.domain.game import DRAWN, GameSpec
from negoplatform.domain.seat import BySeat, Seat
from negoplatform.gui.start.form_fields import Fields
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.presentation.formatting import shown_role
from negoplatform.presentation.i18n import Language


def profile_choices(game: GameSpec, seat: Seat, say: Language) -> Mapping[str, str]:
    """The profiles that a seat may get, with what people read, the game's own choice first."""
    names = [*(profile.name for profile in game.profiles[seat]), DRAWN]
    own = game.chosen.get(seat, names[0])
    names.sort(key=lambda name: name != own)
    called = say.of_game(game.name)
    read = {name: say("drawn at random") if name == DRAWN else shown_role(name, called) for name in names}
    return read | {own: say("{profile} (default)", profile=read[own])}


class SeatFields:
    """Shows a field only where there is something to choose.

    Args:
        parent: Where it is put.
        theme: Its looks.
        seat: The seat that is wanted for the participant; None for the usual one.
        profiles: The profiles that are wanted, by seat.
        announcer: Is told where the fields are.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        seat: Seat | None,
        profiles: Mapping[Seat, str],
        announcer: Announcer,
    ) -> None:
        self._say = theme.say
        self._wanted_seat, self._wanted_profiles = seat, dict(profiles)
        self._announcer = announcer
        self._game: GameSpec | None = None
        self._seat: ttk.Combobox | None = None
        self._profiles: dict[Seat, ttk.Combobox] = {}
        self._fields = Fields(parent, theme)
        self.frame = self._fields.frame

    def show(self, game: GameSpec | None) -> None:
        """Shows the fields of a game; None: none."""
        if game is self._game:
            return
        say = self._say
        self._game, self._seat, self._profiles = game, None, {}
        self._fields.clear()
        if game is None:
            return
        own = say.of_game(game.name)
        if "human" not in game.seats or self._wanted_seat in game.seats:
            wanted = self._wanted_seat if self._wanted_seat in game.seats else human_seat(game)
            self._seat = self._fields.choice(
                say("Participant’s role"),
                [shown_role(seat, own) for seat in game.seats],
                game.seats.index(wanted),
            )
            self._announcer.name("seat", self._seat)
        for seat in game.profiles:
            choices = profile_choices(game, seat, self._say)
            at = list(choices).index(self._wanted_profiles.get(seat, "")) if self._wants(seat, choices) else 0
            self._profiles[seat] = self._fields.choice(
                say("Profile of {seat}", seat=shown_role(seat, own)), list(choices.values()), at
            )
            self._announcer.name(f"profile.{seat}", self._profiles[seat])

    def seat(self) -> Seat | None:
        """The chosen seat of the participant; None for the usual one."""
        if self._game is None:
            return self._wanted_seat
        # No field is shown for a seat of another game.
        return None if self._seat is None else self._game.seats[self._seat.current()]

    def profiles(self) -> BySeat[str]:
        """The chosen profile of each seat that has several."""
        game = self._game
        if game is None:
            return BySeat(self._wanted_profiles)
        return BySeat(
            (seat, list(profile_choices(game, seat, self._say))[box.current()])
            for seat, box in self._profiles.items()
        )

    def _wants(self, seat: Seat, choices: Mapping[str, str]) -> bool:
        return self._wanted_profiles.get(seat, "") in choices
