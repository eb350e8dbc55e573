"""Common interface of the fields for answers of items."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.pressable_cell import CellImages
from negoplatform.presentation.study.form_items import FormItem


@dataclass(frozen=True, slots=True)
class FieldParts:
    """Collaborators of a field.

    Args:
        theme: Theme of the window.
        images: Images for cells.
        item: The item.
        register: Names a control for UI tests.
        on_change: Called with the name of an answer that the participant has changed.
        on_enter: Called for Enter in a field of one line.
    """

    theme: Theme
    images: CellImages
    item: FormItem
    register: Callable[[str, tk.Misc], None]
    on_change: Callable[[str], None]
    on_enter: Callable[[tk.Event[tk.Misc]], str]


class ItemField(Protocol):
    """Field for the answer of an item; of a matrix, for the answers of all rows."""

    frame: tk.Frame

    def values(self) -> Mapping[str, Any]:
        """Return the answers by name; None where there is none."""

    def fill(self, values: Mapping[str, Any]) -> None:
        """Show answers that were given before; what does not fit the item is left out."""

    def focus(self, name: str) -> None:
        """Give the keyboard focus to the control of an answer."""

    def mark(self, names: frozenset[str]) -> None:
        """Mark the answers that are missing or wrong, and no others."""

    def wrap_to(self, width: int) -> None:
        """Fit the field into a width in pixels."""
