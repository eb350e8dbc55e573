"""Form for an agent's settings, generated from the options that it declares."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk

from negoplatform.gui.start.form_fields import FormFields
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.localized_names import displayable, localized_text
from negoplatform.presentation.start.agent_option_fields import (
    AgentOption,
    AgentSettings,
    Entered,
    agent_options,
    default_entry,
    entry_for,
    parse_settings,
    range_sentence,
)


class AgentForm:
    """Form with a field per setting; empty for an agent without settings.

    Args:
        parent: The parent of the form.
        theme: The window's theme.
        entered: The initial field values by agent name and setting name.
        announcer: Reports the fields' positions to UI tests.
        prefix: Beginning of the fields' names there.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        entered: Mapping[str, Mapping[str, Entered]],
        announcer: UiTestAnnouncer,
        prefix: str = "option",
    ) -> None:
        self._theme = theme
        self._announcer, self._prefix = announcer, prefix
        self._entered = {name: dict(fields) for name, fields in entered.items()}
        self._fields = FormFields(parent, theme)
        self.frame = self._fields.frame
        announcer.register(f"{prefix}s", self.frame)
        self._agent: str | None = None
        self._options: tuple[AgentOption, ...] = ()
        self._heading = ""
        self._inputs: dict[str, ttk.Entry | ttk.Combobox | tk.BooleanVar] = {}
        self._error_labels: dict[str, BidiLabel] = {}

    def show(self, agent: str, schema: Mapping[str, object] | None, heading: str) -> None:
        """Show an agent's settings below a heading; values entered for the previous agent are kept."""
        self.show_options(agent, agent_options(schema), heading)

    def adopt(self, agent: str, entered: Mapping[str, Entered]) -> None:
        """Keep values for an agent that is not shown now, instead of those that were entered for it."""
        self._entered[agent] = dict(entered)

    def show_options(self, agent: str, options: tuple[AgentOption, ...], heading: str) -> None:
        """Show fields for options below a heading; values entered for the previous agent are kept."""
        if (agent, options, heading) == (self._agent, self._options, self._heading):
            return
        self._store_entered()
        self._agent, self._options, self._heading = agent, options, heading
        self._inputs, self._error_labels = {}, {}
        self._fields.clear()
        if options:
            self._fields.heading(heading)
        for option in options:
            self._add(option, self._entered.get(agent, {}).get(option.name, default_entry(option)))

    def read(self) -> AgentSettings:
        """Return the settings; show an error at each faulty field and focus the first of them."""
        settings = parse_settings(self._options, self._current_values(), self._theme.translate)
        for name, label in self._error_labels.items():
            label.write(settings.errors.get(name, ""))
            if settings.errors.get(name):
                label.grid()
            else:
                label.grid_remove()
        for name in settings.errors:
            field = self._inputs[name]
            if isinstance(field, ttk.Entry):
                field.focus_set()
            break
        return settings

    def changed(self) -> int:
        """Return how many settings of the shown agent differ from their defaults."""
        now = self._current_values() if self._inputs else {}
        return sum(now.get(option.name) != default_entry(option) for option in self._options)

    def entered(self) -> dict[str, dict[str, Entered]]:
        """Return the field values of every agent that was shown."""
        self._store_entered()
        return self._entered

    def _store_entered(self) -> None:
        if self._agent is not None and self._inputs:
            self._entered.setdefault(self._agent, {}).update(self._current_values())

    def _current_values(self) -> dict[str, Entered]:
        return {option.name: self._read(option, self._inputs[option.name]) for option in self._options}

    def _read(self, option: AgentOption, field: ttk.Entry | ttk.Combobox | tk.BooleanVar) -> Entered:
        if isinstance(field, ttk.Combobox):
            at = field.current()
            return entry_for(option, option.choices[at]) if at >= 0 else ""
        return bool(field.get()) if isinstance(field, tk.BooleanVar) else field.get()

    def _add(self, option: AgentOption, entered: Entered) -> None:
        language = self._theme.translate.for_agents()
        title = localized_text(option.title, language)
        widget: tk.Misc
        if option.kind == "check":
            ticked = tk.BooleanVar(self.frame, bool(entered))
            self._inputs[option.name] = ticked
            widget = self._fields.check(title, ticked)
        elif option.kind == "choice":
            texts = [str(entry_for(option, value)) for value in option.choices]
            titles = option.choice_titles or texts
            translate = self._theme.translate
            unset = translate("(default)") if option.default is None else translate("(none)")
            box = self._fields.choice(
                title,
                [displayable(text) or unset for text in titles],
                texts.index(str(entered)) if entered in texts else 0,
            )
            self._inputs[option.name] = widget = box
        else:
            field = self._fields.entry(title, str(entered))
            self._inputs[option.name] = widget = field
        self._announcer.register(f"{self._prefix}.{option.name}", widget)
        about = " ".join(
            filter(
                None,
                (localized_text(option.description, language), range_sentence(option, self._theme.translate)),
            )
        )
        if about:
            self._fields.note(about, wide=option.kind == "check")
        label = self._fields.note("", self._theme.colours.danger)
        label.grid_remove()
        self._error_labels[option.name] = label
