"""The form for an agent's settings, made from what it declares."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk

from negoplatform.gui.start.form_fields import Fields
from negoplatform.gui.theming.caption import Caption
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.presentation.formatting import drawable, shown
from negoplatform.presentation.start.agent_option_fields import (
    Entered,
    Option,
    Settings,
    entry_of,
    options_of,
    range_sentence,
    read_settings,
    usual_entry,
)


class AgentForm:
    """Shows a field per setting; nothing for an agent that declares none.

    Args:
        parent: Where it is put.
        theme: Its looks.
        entered: What stands in the fields of each agent at first, by its name and the setting's.
        announcer: Is told where the fields are.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        *,
        entered: Mapping[str, Mapping[str, Entered]],
        announcer: Announcer,
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._entered = {name: dict(fields) for name, fields in entered.items()}
        self._fields = Fields(parent, theme)
        self.frame = self._fields.frame
        announcer.name("options", self.frame)
        self._agent: str | None = None
        self._options: tuple[Option, ...] = ()
        self._inputs: dict[str, ttk.Entry | ttk.Combobox | tk.BooleanVar] = {}
        self._faults: dict[str, Caption] = {}

    def show(self, agent: str, schema: Mapping[str, object] | None) -> None:
        """Shows the settings of an agent; what was entered for the one before is kept."""
        options = options_of(schema)
        if (agent, options) == (self._agent, self._options):
            return
        self._keep()
        self._agent, self._options = agent, options
        self._inputs, self._faults = {}, {}
        self._fields.clear()
        if options:
            self._fields.heading(self._theme.say("Settings of the agent"))
        for option in options:
            self._add(option, self._entered.get(agent, {}).get(option.name, usual_entry(option)))

    def read(self) -> Settings:
        """What is entered; each fault is said at its field, and the first of these has the keyboard."""
        settings = read_settings(self._options, self._now(), self._theme.say)
        for name, words in self._faults.items():
            words.write(settings.faults.get(name, ""))
            if settings.faults.get(name):
                words.grid()
            else:
                words.grid_remove()
        for name in settings.faults:
            field = self._inputs[name]
            if isinstance(field, ttk.Entry):
                field.focus_set()
            break
        return settings

    def changed(self) -> int:
        """Return how many settings of the shown agent are not what is usual."""
        now = self._now() if self._inputs else {}
        return sum(now.get(option.name) != usual_entry(option) for option in self._options)

    def entered(self) -> dict[str, dict[str, Entered]]:
        """What stands in the fields of every agent that was looked at."""
        self._keep()
        return self._entered

    def _keep(self) -> None:
        if self._agent is not None and self._inputs:
            self._entered.setdefault(self._agent, {}).update(self._now())

    def _now(self) -> dict[str, Entered]:
        return {option.name: self._read(option, self._inputs[option.name]) for option in self._options}

    def _read(self, option: Option, field: ttk.Entry | ttk.Combobox | tk.BooleanVar) -> Entered:
        if isinstance(field, ttk.Combobox):
            at = field.current()
            return entry_of(option, option.choices[at]) if at >= 0 else ""
        return bool(field.get()) if isinstance(field, tk.BooleanVar) else field.get()

    def _add(self, option: Option, entered: Entered) -> None:
        own = self._theme.say.of_agents()
        title = shown(option.title, own)
        widget: tk.Misc
        if option.kind == "check":
            ticked = tk.BooleanVar(self.frame, bool(entered))
            self._inputs[option.name] = ticked
            widget = self._fields.check(title, ticked)
        elif option.kind == "choice":
            texts = [str(entry_of(option, value)) for value in option.choices]
            box = self._fields.choice(
                title,
                [drawable(text) or self._theme.say("(none)") for text in texts],
                texts.index(str(entered)) if entered in texts else 0,
            )
            self._inputs[option.name] = widget = box
        else:
            field = self._fields.entry(title, str(entered))
            self._inputs[option.name] = widget = field
        self._announcer.name(f"option.{option.name}", widget)
        about = " ".join(filter(None, (shown(option.about, own), range_sentence(option, self._theme.say))))
        if about:
            self._fields.note(about, wide=option.kind == "check")
        words = self._fields.note("", self._theme.colours.danger)
        words.grid_remove()
        self._faults[option.name] = words
