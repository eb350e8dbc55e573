"""Fields of the start window that depend on the game: the participant's seat, and a profile per seat."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk

from negoplatform.app.session.agent_placement import default_human_seat
from negoplatform.domain.game import RANDOM_PROFILE, GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.gui.start.form_fields import FormFields
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role


def profile_choices(game: GameSpec, seat: Seat, translate: Language) -> Mapping[str, str]:
    """Return the display names of a seat's profiles by profile, the game's own choice first."""
    names = [*(profile.name for profile in game.profiles[seat]), RANDOM_PROFILE]
    own = game.chosen.get(seat, names[0])
    names.sort(key=lambda name: name != own)
    language = translate.for_game(game.name)
    labels = {
        name: translate("drawn at random") if name == RANDOM_PROFILE else localized_role(name, language)
        for name in names
    }
    return labels | {own: translate("{profile} (default)", profile=labels[own])}


class SeatProfileFields:
    """Fields for the seat and the profiles, each shown only if there is a choice.

    Args:
        parent: The parent of the fields.
        theme: The window's theme.
        seat: The proposed seat of the participant; None: the default one.
        profiles: The proposed profiles by seat.
        announcer: Reports the fields' positions to UI tests.
        on_seat: Called when another seat was chosen for the participant.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        seat: Seat | None,
        profiles: Mapping[Seat, str],
        announcer: UiTestAnnouncer,
        on_seat: Callable[[], None],
    ) -> None:
        self._on_seat = on_seat
        self._translate = theme.translate
        self._last_seat, self._last_profiles = seat, dict(profiles)
        self._announcer = announcer
        self._game: GameSpec | None = None
        self._seat: ttk.Combobox | None = None
        self._profiles: dict[Seat, ttk.Combobox] = {}
        self._fields = FormFields(parent, theme)
        self.frame = self._fields.frame

    def show(self, game: GameSpec | None) -> None:
        """Show the fields of a game; None: no fields."""
        if game is self._game:
            return
        translate = self._translate
        self._game, self._seat, self._profiles = game, None, {}
        self._fields.clear()
        if game is None:
            return
        own = translate.for_game(game.name)
        if "human" not in game.seats or self._last_seat in game.seats:
            wanted = self._last_seat if self._last_seat in game.seats else default_human_seat(game)
            self._seat = self._fields.choice(
                translate("Participant’s role"),
                [localized_role(seat, own) for seat in game.seats],
                game.seats.index(wanted),
            )
            self._seat.bind("<<ComboboxSelected>>", lambda _event: self._on_seat(), add="+")
            self._announcer.register("seat", self._seat)
        for seat in game.profiles:
            choices = profile_choices(game, seat, self._translate)
            at = (
                list(choices).index(self._last_profiles.get(seat, ""))
                if self._is_needed(seat, choices)
                else 0
            )
            self._profiles[seat] = self._fields.choice(
                translate("Profile of {seat}", seat=localized_role(seat, own)), list(choices.values()), at
            )
            self._announcer.register(f"profile.{seat}", self._profiles[seat])

    def seat(self) -> Seat | None:
        """Return the chosen seat of the participant; None: the default one."""
        if self._game is None:
            return self._last_seat
        # The field is not shown if the proposed seat belongs to another game.
        return None if self._seat is None else self._game.seats[self._seat.current()]

    def profiles(self) -> SeatMap[str]:
        """Return the chosen profile of each seat that has profiles."""
        game = self._game
        if game is None:
            return SeatMap(self._last_profiles)
        return SeatMap(
            (seat, list(profile_choices(game, seat, self._translate))[box.current()])
            for seat, box in self._profiles.items()
        )

    def _is_needed(self, seat: Seat, choices: Mapping[str, str]) -> bool:
        return self._last_profiles.get(seat, "") in choices
