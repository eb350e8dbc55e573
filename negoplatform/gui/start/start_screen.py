"""Start screen: a game and an agent on cards, and the form of the session next to them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tkinter import ttk
from typing import Any

from negoplatform.app.catalogue.catalogue import names_agent_file
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.session.agent_placement import default_human_seat
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.gui.start.choice_card_column import CardColumn, Tool
from negoplatform.gui.start.seat_agents_panel import SeatAgentsPanel
from negoplatform.gui.start.session_form import SessionForm
from negoplatform.gui.table.help_controller import HelpController
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ConfirmationDialog, Dialog
from negoplatform.gui.widgets.text_dialog import TextDialog
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.presentation.bargaining.bargaining_help import bargaining_help
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.localized_names import displayable, join_names, localized_role, role_name
from negoplatform.presentation.start.agent_seats import AgentSeats, entered_for, settings_key
from negoplatform.presentation.start.plugin_cards import (
    ChoiceCard,
    agent_card,
    can_play,
    game_card,
    games_by_kind,
    selectable_key,
    selectable_rows,
    unusable_plugins,
    usual_agent_key,
)
from negoplatform.presentation.start.start_choice import (
    SeatAgent,
    StartChoice,
    choice_summary,
    named_agent,
)
from negoplatform.presentation.start.trust_question import sandbox_note, trust_question, trusted_by_yes
from negoplatform.presentation.table.help_text import help_view
from negoplatform.presentation.work_presenters import WORK_PRESENTERS

NARROW = 980
"""The width, for 96 dpi, below which games are placed above agents in one column."""


class StartScreen:
    """Form for a new session; errors are shown above its buttons.

    Args:
        theme: The window's theme.
        games: The games, including unusable ones. Starting one that is not trusted yet requires a
            confirmation before any of its code is run.
        agents: The agents, likewise.
        chosen: The initial field values.
        announcer: Reports the fields' positions to UI tests.
        on_start: Called with the choice, once per press.
        on_settings: Called to show the settings.
        on_open_log: Called to replay a log.
        on_studies: Called to show the studies.
        on_join: Called to join a session in another process.
        on_open_folder: Called to show the agents folder.
        on_refresh: Called to scan the plugin folders again.
        on_practise: Called to show the guided practice.
        on_code: Called with the participant's code soon after it was changed.
    """

    def __init__(
        self,
        theme: Theme,
        games: Sequence[CatalogueEntry[GameSpec]],
        agents: Sequence[CatalogueEntry[AgentPlugin]],
        chosen: StartChoice,
        *,
        announcer: UiTestAnnouncer,
        on_start: Callable[[StartChoice], None],
        on_settings: Callable[[], None],
        on_open_log: Callable[[], None],
        on_studies: Callable[[], None],
        on_join: Callable[[], None],
        on_open_folder: Callable[[], None],
        on_refresh: Callable[[], None],
        on_practise: Callable[[], None],
        on_code: Callable[[str], None],
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._on_start, self._on_practise = on_start, on_practise
        self._games, self._listed_agents = selectable_rows(games_by_kind(games)), selectable_rows(agents)
        self._agents: dict[str, CatalogueEntry[AgentPlugin]] = {}
        self._unusable_agents = unusable_plugins(agents)
        self._question: Dialog | None = None
        self._leaving = False
        self._narrow: bool | None = None
        px = theme.px
        self.frame = theme.frame(theme.root, theme.colours.ground)
        self._exit_buttons: list[ttk.Button] = []
        header = theme.frame(self.frame, theme.colours.ground)
        header.pack(fill="x", padx=px(22), pady=px(12))
        self._add_modes(
            header,
            ("studies", theme.translate("Study"), "person", on_studies),
            ("open_log", theme.translate("Replay"), "play", on_open_log),
            ("join", theme.translate("Join"), "swap", on_join),
        )
        self._add_tools(
            header,
            ("settings", theme.translate("Settings"), "gear", on_settings),
            ("help", theme.translate("How this works"), "help", self.show_help),
        )
        self._body = theme.frame(self.frame, theme.colours.ground)
        self._body.pack(fill="both", expand=True, padx=px(18), pady=(0, px(16)))
        self._seats = AgentSeats(chosen.seat_agents)
        self._before: dict[str, SeatAgent] = {}
        self._can_practise = True
        self._game_column = self._add_list("game", theme.translate("Game"), self._choose_game)
        self._seats_panel = SeatAgentsPanel(
            self._game_column.card,
            theme,
            games=self._game_column.cards.frame,
            announcer=announcer,
            on_select=self._select_seat,
            on_same_for_all=self._use_same_agent,
        )
        self._agent_column = self._add_list(
            "agent",
            theme.translate("Agent"),
            self._choose_agent,
            ("open_folder", theme.translate("Open agents folder"), "folder", on_open_folder),
            ("look_again", theme.translate("Refresh"), "again", on_refresh),
        )
        self._agent_column.add_note(sandbox_note(available_sandbox(), theme.translate))
        self._game_cards, self._agent_cards = self._game_column.cards, self._agent_column.cards
        self._form = SessionForm(
            theme.card(self._body, 16),
            theme,
            chosen,
            announcer=announcer,
            on_start=self._begin,
            on_seat=self._describe,
            on_code=on_code,
        )
        self._help = HelpController(
            self.frame,
            theme,
            help_view(theme.translate, bargaining_help(theme.translate)),
            announcer=announcer,
        )
        self._last = chosen
        self._show_cards(games, chosen)
        self._describe()
        self._lay_out(theme.root.winfo_width(), theme.root.winfo_height())
        self._body.bind("<Configure>", lambda event: self._lay_out(event.width, event.height))
        self._form.participant.focus_set()

    def choice(self) -> StartChoice:
        """Return the present field values."""
        last = self._last
        game, game_file = _selected_or_last(
            self._game_row(), self._game_cards.chosen, last.game, last.game_file
        )
        agent, agent_file = _selected_or_last(
            self._agent_row(), self._agent_cards.chosen, last.agent, last.agent_file
        )
        return self._form.with_entered_values(
            partial(
                StartChoice,
                game=game,
                agent=agent,
                game_file=game_file,
                agent_file=agent_file,
                seat_agents=self._seats.remembered,
            )
        )

    def update_lists(
        self, games: Sequence[CatalogueEntry[GameSpec]], agents: Sequence[CatalogueEntry[AgentPlugin]]
    ) -> None:
        """Update the lists; chosen plugins stay chosen, and are chosen again when they return."""
        self._last = self.choice()
        self._games, self._listed_agents = selectable_rows(games_by_kind(games)), selectable_rows(agents)
        self._unusable_agents = unusable_plugins(agents)
        self._show_cards(games, self._last)
        self._describe()

    @property
    def is_busy(self) -> bool:
        """Whether a dialog or a start is in progress that a change of the lists would disturb."""
        confirming = self._question is not None and self._question.is_open
        explaining = self._game_column.is_dialog_open or self._agent_column.is_dialog_open
        return self._leaving or confirming or explaining or self._help.is_open

    def show_help(self) -> None:
        """Show the help page."""
        if not self.is_busy:
            self._help.open(
                self._form.participant, practise=self._on_practise if self._can_practise else None
            )

    def show_refreshing(self) -> None:
        """Show that the folders are being scanned."""
        self._form.show_message(self._theme.translate("Looking for games and agents…"))

    def show_refreshed(self, *, renewed: bool) -> None:
        """Show the result of a scan; nothing if the lists were not updated."""
        if not renewed:
            self._form.show_message("")
            return
        translate = self._theme.translate
        games = translate.plural("{n} game", "{n} games", len(self._games))
        agents = translate.plural("{n} agent", "{n} agents", len(self._listed_agents))
        self._form.show_message(translate("Found {games} and {agents}.", games=games, agents=agents))

    def show_folder_path(self, folder: Path) -> None:
        """Show the path of a folder that the system cannot open."""
        translate = self._theme.translate
        self._question = TextDialog(
            self._theme,
            translate("Your agents’ folder"),
            translate("This computer can’t open folders from here. This is the folder:"),
            [str(folder)],
            announcer=self._announcer,
        )
        self._question.open()

    def show_error(self, sentence: str) -> None:
        """Show an error message; the field values stay."""
        self._set_button_states(state="normal")
        self._form.show_message(sentence, self._theme.colours.danger)
        self._announcer.announce("problem", text=sentence)

    def show_code_note(self, code: str, sentence: str) -> None:
        """Show a sentence about a participant's code below its field; an empty one hides it."""
        self._form.show_code_note(code, sentence)

    def confirm_first(self, question: ConfirmationQuestion, on_yes: Callable[[], None]) -> None:
        """Ask for a confirmation before a start continues; after a no, the fields can be edited again."""

        def go_on() -> None:
            self._show_starting()
            on_yes()

        self._set_button_states(state="normal")
        self._form.show_message("")
        self._question = ConfirmationDialog(self._theme, question, on_yes=go_on, announcer=self._announcer)
        self._question.open()

    def _game_row(self) -> CatalogueEntry[GameSpec] | None:
        return self._games.get(self._game_cards.chosen)

    def _agent_row(self) -> CatalogueEntry[AgentPlugin] | None:
        return self._agents.get(self._agent_cards.chosen)

    def _begin(self, handed_over: bool) -> None:
        if self._leaving:
            return
        settings, fault = self._form.read_settings()
        if settings is None or (fault := self._missing_choice()):
            self.show_error(fault)
            return
        seat_agents, faulty = self._seats.read(self._agents, self._form.form.entered(), self._theme.translate)
        if faulty:
            self._select_seat(faulty)
            self.show_error(self._form.read_settings()[1])
            return
        untrusted = self._untrusted_files()
        choice = self.choice()
        choice = replace(
            choice,
            trusted_files=trusted_by_yes(untrusted, available_sandbox()),
            settings=settings.values,
            handed_over=handed_over,
            seat_agents=SeatMap({**choice.seat_agents, **seat_agents}),
        )
        self._form.show_message("")
        if not untrusted:
            self._start_with(choice)
        elif self._question is None or not self._question.is_open:
            self._question = ConfirmationDialog(
                self._theme,
                trust_question(untrusted, self._theme.translate, available_sandbox()),
                on_yes=lambda: self._start_with(choice),
                announcer=self._announcer,
            )
            self._question.open()

    def _untrusted_files(self) -> tuple[CodeFile, ...]:
        """Return the files of the chosen game and agents that have to be trusted first."""
        agents = [self._agents.get(self._seats.key_at(seat, self._agents)) for seat in self._seats.seats]
        rows = (self._game_row(), *(agents or [self._agent_row()]))
        files = [row.untrusted for row in rows if row is not None and row.untrusted is not None]
        return tuple(dict.fromkeys(files))

    def _missing_choice(self) -> str:
        """Return a request for a missing choice: one that is gone is not replaced by another."""
        if not self._game_cards.chosen:
            return self._theme.translate("Please choose a game.")
        if empty := self._seats.without_agent(self._agents):
            self._select_seat(empty)
        return "" if self._agent_cards.chosen else self._theme.translate("Please choose an agent.")

    def _start_with(self, choice: StartChoice) -> None:
        self._show_starting()
        self._announcer.announce("starting")
        self._on_start(choice)

    def _show_starting(self) -> None:
        """Show that the session is starting, which may take a while if the agent loads slowly."""
        self._set_button_states(state="disabled")
        self._form.show_message(self._theme.translate("Starting…"))

    def _set_button_states(self, *, state: str) -> None:
        """Set the state of all buttons that leave this screen."""
        self._leaving = state == "disabled"
        for button in (*self._form.buttons, *self._exit_buttons):
            button.configure(state=state)

    def _show_cards(self, games: Sequence[CatalogueEntry[GameSpec]], chosen: StartChoice) -> None:
        translate = self._theme.translate
        self._game_column.show(
            [game_card(key, row, translate) for key, row in self._games.items()],
            unusable_plugins(games),
            selectable_key(chosen.game, self._games, chosen.game_file),
        )
        self._show_agents(chosen)

    def _show_agents(self, chosen: StartChoice) -> None:
        """Show all agents, first those that play the chosen game; those that do not cannot be chosen."""
        row, listed, translate = self._game_row(), self._listed_agents, self._theme.translate
        game = None if row is None else row.item or row.preview
        self._agents = {key: row for key, row in listed.items() if can_play(row, game)}
        cards = [agent_card(key, row, translate, game) for key, row in listed.items()]
        cards.sort(key=lambda card: listed[card.key].item is None or not card.selectable)
        key = selectable_key(chosen.agent, self._agents, chosen.agent_file)
        if not key and self._is_unfit(SeatAgent(chosen.agent, chosen.agent_file)):
            before = None if game is None else self._before.get(game.mechanism)
            key = selectable_key(before.name, self._agents, before.file) if before is not None else ""
            key = key or usual_agent_key(game, self._agents)
        if not key and names_agent_file(chosen.agent):
            # A file named on the command line is examined only once it is chosen.
            key = chosen.agent
            cards.append(ChoiceCard(key, displayable(key)))
        self._agent_column.show(cards, self._unusable_agents, key)

    def _is_unfit(self, agent: SeatAgent) -> bool:
        """Return whether an agent is listed, but does not play the chosen game."""
        listed = selectable_key(agent.name, self._listed_agents, agent.file)
        return bool(listed) and listed not in self._agents

    def _choose_game(self, key: str) -> None:
        self._last = self.choice()
        if (plugin := self._listed_agents.get(self._agent_cards.chosen)) is not None and plugin.item:
            for kind in plugin.item.mechanisms:
                self._before[kind] = SeatAgent(plugin.name, plugin.file)
        self._show_agents(self._last)
        self._choose(key)

    def _choose(self, key: str) -> None:
        self._form.show_message("")  # it referred to the former choice
        self._describe()
        self._announcer.announce("chosen", value=key)

    def _choose_agent(self, key: str) -> None:
        """Choose an agent, for the selected seat if there are several."""
        if self._seats.seats:
            self._seats.assign(self._chosen_agent())
        self._choose(key)

    def _chosen_agent(self) -> SeatAgent:
        """Return the agent of the chosen card, or the last one if none is chosen."""
        row, card, last = self._agent_row(), self._agent_cards.chosen, self._last
        return SeatAgent(*_selected_or_last(row, card, last.agent, last.agent_file))

    def _select_seat(self, seat: str) -> None:
        self._form.show_message("")
        self._seats.select(seat)
        self._describe()
        self._announcer.announce("seat_selected", seat=seat)

    def _use_same_agent(self) -> None:
        """Put the selected seat's agent into all other seats, with the same settings."""
        name, entered = self._seats.agent_at(self._seats.selected).name, self._form.form.entered()
        same = entered_for(entered, self._seats.selected, name)
        for seat in self._seats.assign_to_all():
            self._form.form.adopt(settings_key(seat, name), same)
        self._describe()
        self._announcer.announce("same_for_all")

    def _describe(self) -> None:
        """Show the fields of the chosen game and agent, and a summary of both near the Start button."""
        game, translate = self._game_row(), self._theme.translate
        spec = None if game is None else game.item or game.preview
        self._form.show_game(spec)
        spec = None if spec is None else self._form.played(spec)
        self._show_seats(spec)
        if spec is not None:
            make_work = WORK_PRESENTERS.get(spec.mechanism, WORK_PRESENTERS[BARGAINING])()
            rules = spec.rules
            self._help.set_view(
                help_view(translate, make_work.help(translate, rules=rules), talks=rules.talk)
            )
        self._can_practise = spec is None or spec.mechanism == BARGAINING
        agent = self._agent_row()
        plugin = None if agent is None else agent.item or agent.preview
        # Keyed by name: entered values stay when the agent is trusted and its card gets another key.
        name = self._agent_cards.chosen if agent is None else agent.name
        self._show_settings(name, None if plugin is None else plugin.options, spec)
        agents = self._seats.names(self._agents, translate) or [
            named_agent(role_name(name), "" if plugin is None else plugin.reported_name, translate)
        ]
        title = ""
        if game is not None:
            title = role_name(game.name) if spec is None else spec.title or role_name(spec.name)
            own = translate if spec is None else translate.for_game(spec.name)
            title = title if spec is None else own.translate_plugin_text(title)
        self._form.show_summary(choice_summary(title, join_names(agents, translate), translate))

    def _show_seats(self, game: GameSpec | None) -> None:
        """Show the seats of a game for several agents, and mark the agent of the selected one."""
        seats, participant = self._seats, None
        if game is not None:
            participant = self._form.seat or default_human_seat(game)
        seats.set_game(game, participant, self._chosen_agent(), self._is_unfit)
        panel = self._seats_panel
        before = panel.count
        panel.show(seats.cards(self._agents, self._theme.translate), seats.selected)
        if panel.count > before:
            self._game_cards.reveal()  # the rows of the seats take the place of cards
        translate, title = self._theme.translate, self._theme.translate("Agent")
        if game is not None and seats.seats:
            role = localized_role(seats.selected, translate.for_game(game.name))
            title = translate("Agent: {seat}", seat=role)
            self._agent_cards.mark(seats.key_at(seats.selected, self._agents))
        self._agent_column.title.write(title)

    def _show_settings(self, agent: str, schema: Mapping[str, Any] | None, game: GameSpec | None) -> None:
        """Show the form of an agent; each of several seats has one of its own."""
        if game is None or not self._seats.seats:
            self._form.show_agent(agent, schema)
            return
        seat, form = self._seats.selected, self._form.form
        key, entered = settings_key(seat, agent), form.entered()
        if key not in entered:
            form.adopt(key, entered_for(entered, seat, agent))
        own = self._theme.translate.for_game(game.name)
        self._form.show_agent(key, schema, localized_role(seat, own))

    def _add_modes(self, header: tk.Frame, *others: Tool) -> None:
        """Add the choice between this screen, which is selected, studies and replays."""
        theme = self._theme
        here = theme.label(
            header,
            theme.translate("Play"),
            "bold",
            theme.colours.on_primary,
            ground=theme.colours.primary,
        )
        here.configure(padx=theme.px(14), pady=theme.px(7))
        here.pack(side=theme.start)
        for name, text, icon, command in others:
            button = theme.button(header, text, "Ground.Quiet.TButton", command, icon=icon)
            button.pack(side=theme.start, padx=theme.padx(8, 0))
            self._announcer.register(name, button)
            self._exit_buttons.append(button)

    def _add_tools(self, header: tk.Frame, *tools: Tool) -> None:
        """Add the buttons that open other screens, beginning with the outermost."""
        theme = self._theme
        added: list[ttk.Button] = []
        for name, text, icon, command in tools:
            button = theme.button(header, text, "Ground.Quiet.TButton", command, icon=icon)
            button.pack(side=theme.end, padx=theme.padx(8 if added else 0, 0))
            for earlier in added:
                earlier.lift()  # Tab follows the stacking order, which must be the reading order
            self._announcer.register(name, button)
            added.append(button)
        self._exit_buttons += added

    def _add_list(self, name: str, title: str, on_choose: Callable[[str], None], *tools: Tool) -> CardColumn:
        return CardColumn(
            self._theme.card(self._body, 16),
            self._theme,
            name=name,
            title=title,
            tools=tools,
            announcer=self._announcer,
            on_choose=on_choose,
        )

    def _lay_out(self, width: int, height: int) -> None:
        """Lay the parts out in three columns, or two in a narrow window."""
        theme, narrow = self._theme, width < self._theme.px(NARROW)
        self._seats_panel.fit(height, narrow=narrow)
        if narrow == self._narrow:
            return
        self._narrow = narrow
        parts: list[tk.Widget] = [
            child for child in self._body.winfo_children() if isinstance(child, tk.Widget)
        ]
        columns = 2 if narrow else 3
        for index in range(3):
            used = index < columns
            self._body.columnconfigure(index, weight=1 if used else 0, uniform="part" if used else "")
        self._body.rowconfigure(0, weight=1)
        self._body.rowconfigure(1, weight=1 if narrow else 0)
        gap = theme.px(7)
        places = ((0, 0, 1), (1, 0, 1), (0, 1, 2)) if narrow else ((0, 0, 1), (0, 1, 1), (0, 2, 1))
        for part, (row, column, rows) in zip(parts, places, strict=True):
            part.grid(
                row=row,
                column=theme.column(column, columns),
                rowspan=rows,
                sticky="nsew",
                padx=gap,
                pady=(gap if row else 0, 0),
            )


def _selected_or_last(
    row: CatalogueEntry[Any] | None, card: str, name: str, file: Path | None
) -> tuple[str, Path | None]:
    """Return the name and file of the chosen plugin, or those of the last choice if none is chosen."""
    if row is not None:
        return row.name, row.file
    return (card, None) if card else (name, file)
