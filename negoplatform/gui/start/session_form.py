"""The start window's form for a session: participant, settings and start buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk
from typing import Any

from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.start.agent_settings_form import AgentForm
from negoplatform.gui.start.form_fields import FIELDS_WIDTH, FormFields
from negoplatform.gui.start.seat_profile_fields import SeatProfileFields
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.theming.ttk_styles import button_text_colour
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.start.agent_option_fields import AgentSettings
from negoplatform.presentation.start.counterpart_fields import counterpart_options
from negoplatform.presentation.start.offer_request_field import OFFER_REQUESTS, offer_request_options
from negoplatform.presentation.start.participant_code_and_seed import parse_minutes, parse_seed
from negoplatform.presentation.start.start_choice import StartChoice

CODE_CHECK_MS = 250
"""Milliseconds between the last change of the participant's code and the search for its sessions."""

TOGGLE_STYLE = "Small.Quiet.TButton"
"""The style of the button that shows and hides the advanced settings."""


class SessionForm:
    """Form with the fields of every session, collapsible advanced settings and the start buttons.

    Args:
        card: The card that contains the form.
        theme: The window's theme.
        chosen: The initial field values.
        announcer: Reports the fields' positions to UI tests.
        on_start: Called to start the session, with whether it is handed over to a participant.
        on_seat: Called when another seat was chosen for the participant.
        on_code: Called with the participant's code soon after it was changed.
    """

    def __init__(
        self,
        card: ttk.Frame,
        theme: Theme,
        chosen: StartChoice,
        *,
        announcer: UiTestAnnouncer,
        on_start: Callable[[bool], None],
        on_seat: Callable[[], None],
        on_code: Callable[[str], None],
    ) -> None:
        self._theme, self._announcer, self._on_start = theme, announcer, on_start
        self._on_seat, self._on_code = on_seat, on_code
        self._checked_code = chosen.participant.strip()
        self._code_check = ""
        """The pending check of the code, as Tk names it."""
        self.unfolded = chosen.unfolded
        theme.label(card, theme.translate("Session"), "heading").pack(anchor=theme.west)
        self.buttons = self._add_buttons(card)
        self._message_label = theme.label(card, "", "bold", wrap=FIELDS_WIDTH)
        self._summary = theme.label(card, "", "bold", wrap=FIELDS_WIDTH)
        self._summary.pack(side="bottom", anchor=theme.west, pady=(theme.px(8), 0))
        card.bind("<Configure>", lambda event: self._wrap(event.width - theme.px(36)))
        self._fields = ScrolledFrame(card, theme, width=370, height=120)
        self._fields.frame.pack(fill="both", expand=True)
        for button in self.buttons:
            button.lift()  # Tab reaches them after the fields
        self._add_fields(chosen)

    def show_game(self, game: GameSpec | None) -> None:
        """Show the fields of a game; fields that its kind does not have are hidden."""
        self._seats.show(game)
        has_clock = game is not None and game.mechanism == Market.name
        self._set_packed(self._time.frame, shown=not has_clock, before=self._toggle)
        self._has_limit = not has_clock
        is_bargaining = game is None or game.mechanism == BARGAINING
        self._set_packed(self._builder.frame, shown=is_bargaining, after=self._counterpart.frame)

    def _set_packed(self, frame: tk.Widget, *, shown: bool, **place: Any) -> None:
        """Show a frame at its place among others, or hide it."""
        if shown and not frame.winfo_manager():
            frame.pack(fill="x", padx=(self._theme.px(2), self._theme.px(6)), **place)
        elif not shown:
            frame.pack_forget()

    def played(self, game: GameSpec) -> GameSpec:
        """Return a game with the chosen number of seats."""
        return self._seats.played(game)

    def _show_counterpart(self, *, several: bool) -> None:
        translate = self._theme.translate
        heading = (
            translate("All agents’ faces and pace") if several else translate("The agent’s face and pace")
        )
        self._counterpart.show_options("", counterpart_options(translate), heading)

    def show_agent(self, agent: str, schema: Mapping[str, object] | None, seat: str = "") -> None:
        """Show the fields of an agent.

        Args:
            agent: The key under which its values are kept.
            schema: Its options.
            seat: The name of its seat, if there are several; empty otherwise.
        """
        translate = self._theme.translate
        heading = (
            translate("Settings of the agent: {seat}", seat=seat)
            if seat
            else translate("Settings of the agent")
        )
        self.form.show(agent, schema, heading)
        self._show_counterpart(several=bool(seat))
        self._update_toggle()
        self._fields.bind_scrolling(self._fields.inside)

    def show_summary(self, summary: str) -> None:
        """Show what is chosen, next to the buttons."""
        self._summary.write(summary)

    @property
    def seat(self) -> Seat | None:
        """The participant's seat; None: the default one."""
        return self._seats.seat()

    def with_entered_values(self, choice: Callable[..., StartChoice]) -> StartChoice:
        """Return a choice made by calling ``choice`` with the field values."""
        return choice(
            participant=self.participant.get(),
            seed=self._seed.get().strip(),
            minutes=self._minutes.get().strip() if self._has_limit else "",
            seats=self._seats.count,
            seat=self._seats.seat(),
            profiles=self._seats.profiles(),
            counterpart=self._counterpart.entered().get("", {}),
            offer_requests=self._builder.entered().get("", {}).get(OFFER_REQUESTS) is not False,
            entered=self.form.entered(),
            unfolded=self.unfolded,
        )

    def read_settings(self) -> tuple[AgentSettings | None, str]:
        """Return the agent's settings, or None and an error message; the first faulty field is shown."""
        translate = self._theme.translate
        try:
            parse_minutes(self._minutes.get().strip() if self._has_limit else "", translate)
        except NegoError as error:
            return None, self._show_field_error(self._minutes, str(error))
        try:
            parse_seed(self._seed.get().strip(), translate)
        except NegoError as error:
            self._set_folded(unfolded=True)
            return None, self._show_field_error(self._seed, str(error))
        mood, settings = self._counterpart.read(), self.form.read()
        if mood.errors or settings.errors:
            self._set_folded(unfolded=True)
            return None, translate("Please check the agent’s settings.")
        return settings, ""

    def show_code_note(self, code: str, sentence: str) -> None:
        """Show a sentence about a code below its field, unless the code has changed since; empty: none."""
        if self.participant.get().strip() != code:
            return
        self._code_note.write(displayable(sentence))
        (self._code_note.grid if sentence else self._code_note.grid_remove)()
        self._announcer.announce("code_note", text=sentence)

    def _check_code_soon(self) -> None:
        """Check the participant's code when nothing has been typed for a moment."""
        code = self.participant.get().strip()
        if code == self._checked_code:
            return
        self._checked_code = code
        self._code_note.grid_remove()
        if self._code_check:
            self.participant.after_cancel(self._code_check)

        def check() -> None:
            self._code_check = ""
            self._on_code(code)

        self._code_check = self.participant.after(CODE_CHECK_MS, check)

    def _cancel_code_check(self) -> None:
        if self._code_check:
            self.participant.after_cancel(self._code_check)
            self._code_check = ""

    def show_message(self, sentence: str, colour: str = "") -> None:
        """Show a message above the buttons; an empty one hides it."""
        self._message_label.write(displayable(sentence), colour or self._theme.colours.muted)
        if sentence:
            self._message_label.pack(
                side="bottom", after=self.buttons[0], anchor=self._theme.west, pady=(self._theme.px(6), 0)
            )
        else:
            self._message_label.pack_forget()

    def _show_field_error(self, field: ttk.Entry, problem: str) -> str:
        field.focus_set()
        return problem

    def _wrap(self, width: int) -> None:
        for label in (self._message_label, self._summary):
            label.wrap_to(width)

    def _add_buttons(self, card: ttk.Frame) -> tuple[ttk.Button, ttk.Button]:
        theme, translate = self._theme, self._theme.translate
        hand_over = theme.button(
            card,
            translate("Hand over to participant"),
            "Plain.TButton",
            lambda: self._on_start(True),
            icon="person",
        )
        start = theme.button(card, translate("Start"), "Primary.TButton", lambda: self._on_start(False))
        # From the bottom up.
        hand_over.pack(side="bottom", fill="x", pady=(theme.px(6), 0))
        start.pack(side="bottom", fill="x", pady=(theme.px(6), 0))
        self._announcer.register("start", start)
        self._announcer.register("hand_over", hand_over)
        return start, hand_over

    def _add_fields(self, chosen: StartChoice) -> None:
        theme, translate, inside = self._theme, self._theme.translate, self._fields.inside
        participant_fields = FormFields(inside, theme)
        self.participant = self._entry(participant_fields, translate("Participant code"), chosen.participant)
        self._code_note = participant_fields.note("")
        self._code_note.grid_remove()
        self.participant.bind("<KeyRelease>", lambda _event: self._check_code_soon(), add="+")
        self.participant.bind("<FocusOut>", lambda _event: self._check_code_soon(), add="+")
        self.participant.bind("<Destroy>", lambda _event: self._cancel_code_check(), add="+")
        self._seats: SeatProfileFields = SeatProfileFields(
            inside,
            theme,
            seat=chosen.seat,
            seats=chosen.seats,
            profiles=chosen.profiles,
            announcer=self._announcer,
            on_seat=self._on_seat,
        )
        time_fields = FormFields(inside, theme)
        self._time: FormFields = time_fields
        self._has_limit = True
        self._minutes = self._entry(time_fields, translate("Time limit"), chosen.minutes)
        time_fields.note(translate("In minutes. Leave empty to use the game’s limit."))
        self._toggle: ttk.Button = theme.button(
            inside,
            translate("Advanced settings"),
            TOGGLE_STYLE,
            lambda: self._set_folded(unfolded=not self.unfolded),
            icon="chevron_down",
        )
        self._advanced = theme.frame(inside)
        seed = FormFields(self._advanced, theme)
        self._seed = self._entry(seed, translate("Random seed"), chosen.seed)
        seed.note(translate("The same seed repeats the same draws."))
        self.form = AgentForm(self._advanced, theme, entered=chosen.entered, announcer=self._announcer)
        self._counterpart: AgentForm = AgentForm(
            self._advanced,
            theme,
            entered={"": chosen.counterpart},
            announcer=self._announcer,
            prefix="counterpart_option",
        )
        self._show_counterpart(several=False)
        self._builder: AgentForm = AgentForm(
            self._advanced,
            theme,
            entered={"": {OFFER_REQUESTS: chosen.offer_requests}},
            announcer=self._announcer,
            prefix="builder_option",
        )
        self._builder.show_options("", offer_request_options(translate), translate("Offer builder"))
        padding = theme.px(2), theme.px(6)
        for frame in (participant_fields.frame, self._seats.frame, time_fields.frame):
            frame.pack(fill="x", padx=padding)
        self._toggle.pack(anchor=theme.west, pady=(theme.px(10), 0))
        for frame in (seed.frame, self.form.frame, self._counterpart.frame, self._builder.frame):
            frame.pack(fill="x", padx=padding)
        for name, widget in (
            ("participant", self.participant),
            ("minutes", self._minutes),
            ("advanced", self._toggle),
            ("seed", self._seed),
        ):
            self._announcer.register(name, widget)
        self._set_folded(unfolded=self.unfolded)

    def _entry(self, fields: FormFields, title: str, text: str) -> ttk.Entry:
        entry = fields.entry(title, text)
        entry.bind("<Return>", lambda _event: self._on_start(False))
        return entry

    def _set_folded(self, *, unfolded: bool) -> None:
        """Show or hide the advanced settings."""
        self.unfolded = unfolded
        if unfolded:
            self._advanced.pack(fill="x")
        else:
            self._advanced.pack_forget()
        icon = "chevron_up" if unfolded else "chevron_down"
        self._toggle.configure(
            image=self._theme.icon(icon, button_text_colour(self._theme.colours, TOGGLE_STYLE))
        )
        self._update_toggle()
        self._fields.bind_scrolling(self._fields.inside)
        self._announcer.announce("unfolded" if unfolded else "folded")

    def _update_toggle(self) -> None:
        """Update the toggle's text with the number of changed settings, which may be hidden."""
        translate = self._theme.translate
        changed = self.form.changed() + self._counterpart.changed() + self._builder.changed()
        words = translate("Hide advanced settings") if self.unfolded else translate("Advanced settings")
        if changed:
            words = translate(
                "{words} ({changed})",
                words=words,
                changed=translate.plural("{n} changed", "{n} changed", changed),
            )
        self._theme.set_button_text(self._toggle, words)
