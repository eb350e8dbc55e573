"""Editor of a suggestion: a field for each message, terms of each offer, and which steps are performed."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from tkinter import ttk

from negoplatform.domain.offer import Offer
from negoplatform.gui.theming.theme import FIELD_FONT, Theme
from negoplatform.gui.widgets.label_pairs import build_pair_row
from negoplatform.presentation.wizard.edited_script import EditedScript
from negoplatform.presentation.wizard.step_views import StepView

FIELD_LINES = 3
"""Lines of the field for a message; longer texts scroll."""


class ScriptEditor:
    """Fields in which a script is edited, in place of its words.

    Args:
        parent: The parent of the fields.
        theme: The window's theme.
        script: The script as it was edited so far.
        suggested: The script before it was edited.
        views: Its steps in words.
        width: The width of texts, for 96 dpi.
        prepare_offer: Puts an offer into the offer builder.
        prepared_offer: Returns the offer of the offer builder; None: it is not complete enough to be sent.
        view_step: Returns a step in words.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        script: EditedScript,
        suggested: EditedScript,
        views: Sequence[StepView],
        *,
        width: float,
        prepare_offer: Callable[[Offer], object],
        prepared_offer: Callable[[], Offer | None],
        view_step: Callable[[EditedScript, int], StepView],
    ) -> None:
        self._theme, self._width = theme, width
        self._prepare_offer, self._prepared_offer = prepare_offer, prepared_offer
        self._view_step = view_step
        self._script, self._suggested = script, suggested
        self._fields: dict[int, tk.Text] = {}
        self._checks: dict[int, tk.BooleanVar] = {}
        self._rows: dict[int, tk.Frame] = {}
        self._buttons: dict[str, tk.Misc] = {}
        self._in_builder: int | None = None
        """The step whose offer is being changed in the offer builder, and is sent as it is there."""
        self.frame = theme.frame(parent)
        for index, view in enumerate(views):
            if view.kind != "silent":
                self._add_step(index, view)

    @property
    def script(self) -> EditedScript:
        """The script with all changes."""
        script = self._script
        for index, field in self._fields.items():
            script = script.with_text(index, field.get("1.0", "end-1c"))
        for index, check in self._checks.items():
            script = script.with_sent(index, check.get())
        if self._in_builder is not None and (offer := self._prepared_offer()) is not None:
            script = script.with_offer(self._in_builder, offer)
        return script

    @property
    def is_changed(self) -> bool:
        """Whether the script differs from the suggestion."""
        return self.script != self._suggested

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {f"text.{index}": field for index, field in self._fields.items()} | self._buttons

    def focus(self) -> None:
        """Focus the first field, with the cursor at its end."""
        for field in self._fields.values():
            field.mark_set("insert", "end-1c")
            field.focus_set()
            return

    def _add_step(self, index: int, view: StepView) -> None:
        theme, px = self._theme, self._theme.px
        check = self._checks[index] = tk.BooleanVar(theme.root, value=self._script.sent[index])
        button = ttk.Checkbutton(self.frame, text=theme.visual_order(view.title), variable=check)
        button.pack(anchor=theme.west, pady=(px(4), 0))
        self._buttons[f"sent.{index}"] = button
        if view.kind == "message":
            self._add_field(index)
            return
        rows = self._rows[index] = theme.frame(self.frame)
        rows.pack(fill="x")
        if view.kind == "offer":
            view = self._view_step(self._script, index)
        self._show_rows(rows, view)
        if view.kind == "offer":
            self._add_offer_buttons(index)

    def _add_field(self, index: int) -> None:
        theme, c, px = self._theme, self._theme.colours, self._theme.px
        field = tk.Text(
            self.frame,
            wrap="word",
            width=10,
            height=FIELD_LINES,
            undo=True,
            font=theme.font(FIELD_FONT),
            bg=c.card,
            fg=c.ink,
            bd=0,
            padx=px(6),
            pady=px(4),
            highlightthickness=max(1, px(1)),
            highlightbackground=c.edge,
            highlightcolor=c.focus,
            insertbackground=c.ink,
            insertwidth=max(2, px(1.5)),
            selectbackground=c.primary,
            selectforeground=c.on_primary,
        )
        step = self._script.steps[index]
        field.insert("1.0", getattr(step, "text", ""))
        field.edit_reset()
        if theme.rtl:
            field.tag_configure("side", justify="right")
            field.tag_add("side", "1.0", "end")
            field.bind("<KeyRelease>", lambda _event: field.tag_add("side", "1.0", "end"))
        for key, move in (("<Tab>", field.tk_focusNext), ("<Shift-Tab>", field.tk_focusPrev)):
            field.bind(key, lambda _event, move=move: _focus(move()))  # type: ignore[misc]
        field.pack(fill="x", pady=(px(2), 0))
        self._fields[index] = field

    def _add_offer_buttons(self, index: int) -> None:
        theme, translate = self._theme, self._theme.translate
        use = theme.button(
            self.frame,
            translate("Use the offer from the builder"),
            "Small.Toggle.TButton",
            partial(self._use_prepared, index),
        )
        change = theme.button(
            self.frame,
            translate("Change in the offer builder"),
            "Small.Toggle.TButton",
            partial(self._change, index),
        )
        change.pack(fill="x", pady=(theme.px(4), 0))
        use.pack(fill="x", pady=(theme.px(4), 0))
        use.state(["disabled"])
        # In reading order, which is the order of Tab.
        change.lower(use)
        self._buttons |= {f"change_offer.{index}": change, f"use_offer.{index}": use}

    def _change(self, index: int) -> None:
        step = self._script.steps[index]
        offer = getattr(step, "offer", None)
        if isinstance(offer, Offer):
            self._prepare_offer(offer)
            self._in_builder = index
            use = self._buttons[f"use_offer.{index}"]
            assert isinstance(use, ttk.Button)
            use.state(["!disabled"])

    def _use_prepared(self, index: int) -> None:
        offer = self._prepared_offer()
        if offer is None:
            return
        self._script = self._script.with_offer(index, offer)
        self._show_rows(self._rows[index], self._view_step(self._script, index))

    def _show_rows(self, parent: tk.Frame, view: StepView) -> None:
        for child in parent.winfo_children():
            child.destroy()
        show_step_contents(self._theme, parent, view, self._width)


def show_step_contents(theme: Theme, parent: tk.Misc, view: StepView, width: float) -> None:
    """Add a step's text and rows to a frame; ``width`` for 96 dpi."""
    for pair in view.rows:
        build_pair_row(theme, parent, pair, width=width, font="small", share=0.3, quiet=True)
    if view.text:
        colour = theme.colours.muted if view.kind in ("silent", "offer") else theme.colours.ink
        font = "small" if view.kind in ("silent", "offer") else "body"
        theme.label(parent, view.text, font, colour, wrap=width).pack(anchor=theme.west)


def _focus(widget: tk.Misc | None) -> str:
    if widget is not None:
        widget.focus_set()
    return "break"
