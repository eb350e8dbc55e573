"""Controls on the card of the newest offer in the talk: buttons, or the counter-offer editor."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter import ttk

from negoplatform.gui.bargaining.counter_offer_editor import CounterOfferEditor
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.flow_layout import FlowLayout
from negoplatform.gui.widgets.widget_bound_callbacks import add_tag, bind_tag
from negoplatform.presentation.bargaining.draft_offer import OnDraftChange
from negoplatform.presentation.bargaining.newest_offer_card_view import NewestOfferCardView
from negoplatform.presentation.bargaining.offer_builder_rows import BuilderRow
from negoplatform.presentation.transcript.offer_card_layout import RING


@dataclass(frozen=True, slots=True)
class OfferCardActions:
    """Callbacks for the participant's answer to an offer on its card."""

    accept: Callable[[], None]
    counter: Callable[[], None]
    decline: Callable[[], None]
    send: Callable[[], None]
    cancel: Callable[[], None]
    change: OnDraftChange


class OfferControls:
    """Accept, Counter and Decline, or Finalise, or the editor, in one frame that the transcript places.

    Args:
        parent: Transcript in which the controls are shown.
        theme: Theme of the window.
        pictures: Pictures of issues.
        actions: Callbacks of the controls.
        on_wheel: Called with the direction of the mouse wheel: -1 up, 1 down.
        focus_home: Returns the widget that gets the focus when the focused control is removed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        pictures: IssuePhotoCache,
        actions: OfferCardActions,
        on_wheel: Callable[[int], object],
        focus_home: Callable[[], tk.Misc],
    ) -> None:
        self._theme, self._pictures, self._actions, self._focus_home = theme, pictures, actions, focus_home
        self._width = 0
        self._shown: tuple[NewestOfferCardView, tuple[BuilderRow, ...]] | None = None
        self._built: object = None
        self._named: dict[str, tk.Misc] = {}
        self._editor: CounterOfferEditor | None = None
        self.frame = theme.frame(parent)
        self._tag = f"Card{self.frame}"
        for wheel, step in (("<Button-4>", -1), ("<Button-5>", 1)):
            bind_tag(self.frame, self._tag, wheel, lambda _event, step=step: on_wheel(step))  # type: ignore[misc]
        bind_tag(self.frame, self._tag, "<MouseWheel>", lambda event: on_wheel(-1 if event.delta > 0 else 1))
        bind_tag(self.frame, self._tag, "<Escape>", lambda _event: self._escape())

    def show(self, view: NewestOfferCardView | None, rows: Sequence[BuilderRow], width: int) -> int:
        """Show the controls of an offer; return the height in pixels that they need at a width.

        Args:
            view: Offer to show; None if there is none.
            rows: Rows of the draft, for the editor.
            width: Available width in pixels.
        """
        if view is None or not view.has_controls:
            self._destroy_controls(None)
            return 0
        shown = view, tuple(rows) if view.counter else ()
        built = (
            view.counter is not None,
            bool(view.accept),
            view.can_answer,
            view.can_decline,
            view.worse_than_no_deal,
            bool(view.hint),
            width,
        )
        if built != self._built:
            self._build(built, view, width)
        elif shown == self._shown:
            return self.frame.winfo_reqheight()
        self._shown = shown
        if self._editor is not None and view.counter is not None:
            self._editor.show(view.counter, rows, enabled=view.enabled)
        else:
            self._show_buttons(view)
        add_tag(self.frame, self._tag)
        # The required height is known only after the layout.
        self.frame.update_idletasks()
        return self.frame.winfo_reqheight()

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by name, in reading order."""
        return dict(self._editor.widgets() if self._editor is not None else self._named)

    def _build(self, built: object, view: NewestOfferCardView, width: int) -> None:
        had_keyboard = self._destroy_controls(built)
        self._width = width
        if view.counter is not None:
            self._editor = CounterOfferEditor(
                self.frame,
                self._theme,
                pictures=self._pictures,
                width=width,
                on_change=self._actions.change,
                on_send=self._actions.send,
                on_cancel=self._actions.cancel,
            )
            self._editor.frame.pack(fill="x")
        else:
            self._build_buttons(view)
        if had_keyboard:
            self.frame.after_idle(self._restore_focus)

    def _build_buttons(self, view: NewestOfferCardView) -> None:
        theme, px = self._theme, self._theme.px
        flow = FlowLayout(self.frame, theme, gap=6)
        line = flow.frame
        if view.accept:
            style = "Card.Danger.TButton" if view.worse_than_no_deal else "Card.Accept.TButton"
            self._add(line, "card.accept", view.accept, style, self._actions.accept, "check")
        if view.can_answer:
            self._add(
                line, "card.counter", theme.translate("Counter"), "Toggle.TButton", self._actions.counter, ""
            )
        if view.can_decline:
            self._add(
                line, "card.decline", theme.translate("Decline"), "Toggle.TButton", self._actions.decline, ""
            )
        if self._named:
            flow.lay_out(self._width)
            line.pack(anchor=theme.west)
        self._hint = theme.label(
            self.frame, view.hint, "small", theme.colours.muted, wrap=self._width / theme.scale
        )
        if view.hint:
            pady = px(4) if self._named else 0, 0
            self._hint.pack(anchor=theme.west, padx=theme.padx(RING, 0), pady=pady)

    def _add(
        self, line: tk.Misc, name: str, words: str, style: str, press: Callable[[], None], icon: str
    ) -> None:
        self._named[name] = self._theme.button(line, words, style, press, icon=icon)

    def _show_buttons(self, view: NewestOfferCardView) -> None:
        self._hint.write(view.hint)
        can = {
            "card.accept": view.can_accept,
            "card.counter": True,
            "card.decline": not view.declined,
        }
        for name, widget in self._named.items():
            assert isinstance(widget, ttk.Button)
            widget.state(["!disabled" if view.enabled and can[name] else "disabled"])

    def _destroy_controls(self, built: object) -> bool:
        """Destroy all controls; return whether one of them had the focus."""
        path = str(self.frame.tk.call("focus"))
        had_keyboard = path.startswith(f"{self.frame}.")
        for child in self.frame.winfo_children():
            child.destroy()
        self._built, self._shown, self._editor, self._named = built, None, None, {}
        if had_keyboard and built is None:
            self._focus_home().focus_set()
        return had_keyboard

    def _restore_focus(self) -> None:
        """Focus the first usable control, so that a keyboard user continues at the new controls."""
        named = self.widgets()
        usable = (w for w in named.values() if not isinstance(w, ttk.Widget) or not w.instate(["disabled"]))
        first = next(usable, None)
        (first or self._focus_home()).focus_set()

    def _escape(self) -> str | None:
        if self._editor is None:
            return None
        self._actions.cancel()
        return "break"
