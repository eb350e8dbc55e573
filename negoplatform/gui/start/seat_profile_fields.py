"""Fields of the start window that depend on the game: seats, the participant's seat, a profile per seat."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk

from negoplatform.app.session.agent_placement import default_human_seat
from negoplatform.domain.game import RANDOM_PROFILE, GameSpec
from negoplatform.domain.game_display_texts import names_role
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
    """Fields for the seats and the profiles, each shown only if there is a choice.

    Args:
        parent: The parent of the fields.
        theme: The window's theme.
        seat: The proposed seat of the participant; None: the default one.
        seats: The proposed number of seats; None: all.
        profiles: The proposed profiles by seat.
        announcer: Reports the fields' positions to UI tests.
        on_seat: Called when another seat was chosen for the participant, or another number of seats.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        seat: Seat | None,
        seats: int | None,
        profiles: Mapping[Seat, str],
        announcer: UiTestAnnouncer,
        on_seat: Callable[[], None],
    ) -> None:
        self._on_seat = on_seat
        self._translate = theme.translate
        self._last_seat, self._last_profiles = seat, dict(profiles)
        self._last_count = seats
        self._whole: GameSpec | None = None
        self._announcer = announcer
        self._game: GameSpec | None = None
        self._seat: ttk.Combobox | None = None
        self._profiles: dict[Seat, ttk.Combobox] = {}
        self._fields = FormFields(parent, theme)
        self.frame = self._fields.frame

    def show(self, game: GameSpec | None) -> None:
        """Show the fields of a game; None: no fields."""
        if game is not self._whole:
            self._whole = game
            self._add_fields(None if game is None else self.played(game))

    def played(self, game: GameSpec) -> GameSpec:
        """Return a game with the chosen number of seats, if it can be played with that."""
        count = self._last_count
        if count is None or not game.fewest_seats or not game.fewest_seats <= count <= len(game.seats):
            return game
        return game.with_seats(count)

    @property
    def count(self) -> int | None:
        """The chosen number of seats; None: all."""
        return self._last_count

    def _add_count(self, whole: GameSpec, game: GameSpec) -> None:
        """Add the field for the number of seats."""
        numbers = range(whole.fewest_seats, len(whole.seats) + 1)
        translate = self._translate
        box = self._fields.choice(
            translate("Number of seats"), [str(n) for n in numbers], len(game.seats) - numbers[0]
        )

        def choose(_event: object) -> None:
            self._last_count, self._last_seat = numbers[box.current()], self.seat()
            self._add_fields(self.played(whole))
            self._on_seat()

        # The field itself is replaced by the choice.
        box.bind("<<ComboboxSelected>>", lambda event: box.after_idle(choose, event), add="+")
        self._announcer.register("seats", box)

    def _add_fields(self, game: GameSpec | None) -> None:
        translate, whole = self._translate, self._whole
        self._game, self._seat, self._profiles = game, None, {}
        self._fields.clear()
        if game is None or whole is None:
            return
        if whole.fewest_seats:
            self._add_count(whole, game)
        own = translate.for_game(game.name)
        if "human" not in game.seats or self._last_seat in game.seats:
            wanted = self._last_seat if self._last_seat in game.seats else default_human_seat(game)
            self._seat = self._fields.choice(
                translate("Participant’s role")
                if all(names_role(seat, game) for seat in game.seats)
                else translate("Participant’s seat"),
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
