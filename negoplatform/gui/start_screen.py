"""The start: game, seat, profiles, agent, participant code, seed and time limit."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tkinter import ttk
from typing import TypeVar

from negoplatform.app.catalogue import Row
from negoplatform.app.code_file import CodeFile
from negoplatform.app.plugins import AgentPlugin
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import BySeat, Seat
from negoplatform.gui.announce import Announcer
from negoplatform.gui.dialogs import Confirmation
from negoplatform.gui.scrolled import no_wheel
from negoplatform.gui.seat_fields import TITLES_WIDTH, SeatFields
from negoplatform.gui.texts import drawable
from negoplatform.gui.theme import AMBER, BACKGROUND, MUTED, RED, Theme
from negoplatform.gui.trust_question import trust_question

MARK = " (not yet trusted)"
"""Stands in the list behind what has to be trusted before it can be used."""

UNTRUSTED = "Not yet trusted: none of its code has been run."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, as it stands in the fields.

    Args:
        seat: The participant's seat; None for the usual one.
        profiles: The seats' profiles, where the game has several.
        trusting: The files of what was chosen that the person who chose it trusts as of now.
    """

    game: str
    agent: str
    participant: str
    seed: str
    minutes: str
    seat: Seat | None = None
    profiles: BySeat[str] = field(default_factory=BySeat)
    trusting: tuple[CodeFile, ...] = ()


def listed(rows: Sequence[Row[T]]) -> dict[str, Row[T]]:
    """What can be chosen, by what stands in the list: what can be used now, or once it is trusted."""
    found = {row.name: row for row in rows if row.item is not None}
    for row in rows:
        if row.untrusted is not None:
            name = f"{row.name}{MARK}"
            found[name if name not in found else f"{row.file}{MARK}"] = row
    return found


class StartScreen:
    """A form; what does not fit is said under it in a sentence.

    Args:
        theme: Its looks.
        games: The games, and those that cannot be used. Whoever starts one that is not trusted yet is asked
            before anything of it is run.
        agents: The agents, likewise.
        chosen: What stands in the fields at first.
        announcer: Is told where the fields are.
        on_start: Is given the choice, once per press.
    """

    def __init__(
        self,
        theme: Theme,
        games: Sequence[Row[GameSpec]],
        agents: Sequence[Row[AgentPlugin]],
        chosen: Choice,
        *,
        announcer: Announcer,
        on_start: Callable[[Choice], None],
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._on_start = on_start
        self._games, self._agents = listed(games), listed(agents)
        self._question: Confirmation | None = None
        self.frame = theme.frame(theme.root, BACKGROUND)
        card = theme.card(self.frame, 26)
        card.place(relx=0.5, rely=0.47, anchor="center")
        card.columnconfigure(0, minsize=theme.px(TITLES_WIDTH))
        theme.label(card, "New negotiation", "big").grid(row=0, column=0, columnspan=2, sticky="w")
        self._game = self._field(card, 1, "Game", tuple(self._games), chosen.game)
        self._about_game = self._about(card, 2)
        self._seats = SeatFields(
            card, theme, row=3, seat=chosen.seat, profiles=chosen.profiles, announcer=announcer
        )
        self._agent = self._field(card, 4, "Agent", tuple(self._agents), chosen.agent)
        self._about_agent = self._about(card, 5)
        self._participant = self._entry(card, 6, "Participant code", chosen.participant)
        self._minutes = self._entry(card, 7, "Time limit in minutes (empty: the game’s own)", chosen.minutes)
        self._seed = self._entry(card, 8, "Seed", chosen.seed)
        self._said = theme.label(card, "", "bold")
        self._said.configure(wraplength=theme.px(560), justify="left")
        self._said.grid(row=9, column=0, columnspan=2, sticky="w", pady=theme.px(6))
        self._start = ttk.Button(card, text="Start", style="Primary.TButton", command=self._begin)
        self._start.grid(row=10, column=0, columnspan=2, sticky="ew")
        self._broken = theme.label(card, "", "small", AMBER)
        self._broken.configure(wraplength=theme.px(600), justify="left")
        self._show_broken([*games, *agents])
        self._describe()
        self._participant.focus_set()
        for name, widget in (
            ("game", self._game),
            ("agent", self._agent),
            ("participant", self._participant),
            ("minutes", self._minutes),
            ("seed", self._seed),
            ("start", self._start),
        ):
            announcer.name(name, widget)

    def _begin(self) -> None:
        if str(self._start.cget("state")) == "disabled":
            return
        game, agent = self._games.get(self._game.get()), self._agents.get(self._agent.get())
        untrusted = [row.untrusted for row in (game, agent) if row is not None and row.untrusted is not None]
        choice = Choice(
            self._game.get() if game is None else game.name,
            self._agent.get() if agent is None else agent.name,
            self._participant.get(),
            self._seed.get().strip(),
            self._minutes.get().strip(),
            self._seats.seat(),
            self._seats.profiles(),
            tuple(untrusted),
        )
        self._said.configure(text="")
        if not untrusted:
            self._start_with(choice)
        elif self._question is None or not self._question.open_still:
            self._question = Confirmation(
                self._theme,
                trust_question(untrusted),
                on_yes=lambda: self._start_with(choice),
                announcer=self._announcer,
            )
            self._question.open()

    def _start_with(self, choice: Choice) -> None:
        self._start.configure(state="disabled")
        # An agent may take its time to load.
        self._said.configure(text="Starting …", fg=MUTED)
        self._announcer.say("starting")
        self._on_start(choice)

    def renew(self, games: Sequence[Row[GameSpec]], agents: Sequence[Row[AgentPlugin]]) -> None:
        """Lists what there is now; what was chosen stays chosen if it is still there."""
        before = (self._games.get(self._game.get()), self._agents.get(self._agent.get()))
        self._games, self._agents = listed(games), listed(agents)
        now = (
            {name: row.file for name, row in self._games.items()},
            {name: row.file for name, row in self._agents.items()},
        )
        for box, files, old in zip((self._game, self._agent), now, before, strict=True):
            box.configure(values=list(files))
            if box.get() not in files:
                # What was just trusted has other names now: those of its agents.
                same = [name for name, file in files.items() if old is not None and file == old.file]
                box.set(next(iter([*same, *files]), ""))
        self._show_broken([*games, *agents])
        self._describe()

    def complain(self, sentence: str) -> None:
        """Says why it cannot start so; everything in the fields stays."""
        self._start.configure(state="normal")
        self._said.configure(text=drawable(sentence), fg=RED)
        self._announcer.say("problem", text=sentence)

    def _choose(self, box: ttk.Combobox) -> None:
        self._describe()
        self._announcer.say("chosen", value=box.get())

    def _describe(self) -> None:
        game, agent = self._games.get(self._game.get()), self._agents.get(self._agent.get())
        played = None if game is None else game.item or game.preview
        self._seats.show(played)
        told = [] if played is None else [played.description, _own_limit(played)]
        self._about_game.configure(text=drawable(" ".join([*told, *_doubt(game)])))
        described = agent.item.description if agent is not None and agent.item is not None else ""
        self._about_agent.configure(text=drawable(" ".join([described, *_doubt(agent)])).strip())

    def _field(
        self, card: tk.Misc, row: int, title: str, values: tuple[str, ...], chosen: str
    ) -> ttk.Combobox:
        self._title(card, row, title)
        if chosen not in values and f"{chosen}{MARK}" in values:
            chosen = f"{chosen}{MARK}"
        elif chosen not in values and Path(chosen).exists():
            values = (*values, chosen)
        box = ttk.Combobox(card, values=values, state="readonly", font=self._theme.font("body"), width=44)
        box.set(chosen if chosen in values else next(iter(values), ""))
        box.grid(row=row, column=1, sticky="ew", pady=(self._theme.px(8), 0))
        box.bind("<<ComboboxSelected>>", lambda _event: self._choose(box))
        no_wheel(box)
        return box

    def _entry(self, card: tk.Misc, row: int, title: str, text: str) -> ttk.Entry:
        self._title(card, row, title)
        entry = ttk.Entry(card, font=self._theme.font("body"))
        entry.insert(0, text)
        entry.grid(row=row, column=1, sticky="ew", pady=(self._theme.px(8), 0))
        entry.bind("<Return>", lambda _event: self._begin())
        return entry

    def _title(self, card: tk.Misc, row: int, title: str) -> None:
        label = self._theme.label(card, title)
        label.configure(wraplength=self._theme.px(180), justify="left")
        label.grid(row=row, column=0, sticky="w", padx=(0, self._theme.px(16)), pady=(self._theme.px(8), 0))

    def _about(self, card: tk.Misc, row: int) -> tk.Label:
        label = self._theme.label(card, "", "small", MUTED)
        label.configure(wraplength=self._theme.px(400), justify="left")
        label.grid(row=row, column=1, sticky="w")
        return label

    def _show_broken(self, rows: Sequence[Row[GameSpec] | Row[AgentPlugin]]) -> None:
        reasons = [
            f"{row.name} cannot be used: {row.reason}"
            for row in rows
            if row.item is None and row.untrusted is None
        ]
        if not reasons:
            self._broken.grid_remove()
            return
        text = "\n".join(drawable(reason) for reason in reasons[:6])
        if len(reasons) > 6:
            text += f"\nand {len(reasons) - 6} more; see: negoplatform list agents"
        self._broken.configure(text=text)
        self._broken.grid(row=11, column=0, columnspan=2, sticky="w", pady=(self._theme.px(12), 0))


def _doubt(row: Row[GameSpec] | Row[AgentPlugin] | None) -> list[str]:
    return [] if row is None or row.untrusted is None else [UNTRUSTED]


def _own_limit(game: GameSpec) -> str:
    seconds = game.rules.deadline_seconds
    return "No time limit." if seconds is None else f"Time limit: {seconds / 60:g} minutes."
