"""From what was wished for, or chosen in the start window, to who sits down at what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import (
    CatalogueEntry,
    agent_from_entry,
    find_agent,
    find_entry,
    find_game,
    game_from_entry,
    list_agents,
    list_games,
)
from negoplatform.app.catalogue.search_path import plugin_files
from negoplatform.app.session.agent_setup import prepare_in_subprocess, starting_output_path
from negoplatform.app.session.session_plan import (
    SessionPlan,
    check_participant,
    default_human_seat,
    read_settings,
    with_time_limit,
)
from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.session.window_rules import with_window_rules
from negoplatform.app.support.file_stamps import FileStamp, file_stamp
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat, SeatMap
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.language import is_language_parsed
from negoplatform.language_model.endpoint_warning import missing_endpoint_warning
from negoplatform.plugins.loader import AgentPlugin
from negoplatform.presentation.chat.interpretation_language import with_localized_names
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.start.agent_option_fields import (
    Entered,
    agent_options,
    entry_for,
    parse_settings,
)
from negoplatform.presentation.start.choices import StartChoice, selectable_key, selectable_rows
from negoplatform.presentation.start.last_choice import read_choice, write_choice
from negoplatform.presentation.start.launch_options import (
    LaunchOptions,
    draw_code,
    draw_seed,
    parse_minutes,
    parse_seed,
)

DEFAULT_GAME, DEFAULT_AGENT = "practice", "negochat"
"""What is chosen at first."""


@dataclass(frozen=True, slots=True)
class AvailablePlugins:
    """What there is to choose from, and what lay in the folders when it was looked for."""

    games: list[CatalogueEntry[GameSpec]] = field(default_factory=list)
    agents: list[CatalogueEntry[AgentPlugin]] = field(default_factory=list)
    stamps: frozenset[FileStamp] = frozenset()


class SessionBuilder:
    """Finds what there is, and seats people and agents; everything here may take its time.

    Args:
        data_dir: Where sessions go and plugins come from.
        wish: What the command line asked for.
        note: Is given a sentence about what stops nothing.

    ``found`` is what is chosen from: the very rows that are shown, whatever was found since.

    Raises:
        NegoError: If there are no such settings as were asked for.
    """

    def __init__(
        self, data_dir: Path, launch_options: LaunchOptions, on_warning: Callable[[str], object]
    ) -> None:
        self._data_dir = data_dir
        self._launch_options = launch_options
        self._on_warning = on_warning
        self._config = self._read_settings()
        self._spare_process: AgentProcess | None = None
        self.available = AvailablePlugins()

    def stop(self) -> None:
        """Ends what waits for an agent that nobody chose."""
        if self._spare_process is not None:
            self._spare_process.stop()

    def build_from_options(self) -> SessionPlan | None:
        """Who sits down at what where the command line says both; None where something is to be chosen.

        Files are read as they are now: whoever changes an agent sits down at it again.

        Raises:
            NegoError: If what was asked for cannot be.
        """
        wish = self._launch_options
        game = None if wish.game is None else find_game(wish.game, self._data_dir)
        agent = None if wish.agent is None else find_agent(wish.agent, self._data_dir)
        if game is not None:
            _seats(game, wish.seat)
        if game is None or agent is None:
            return None
        return self._build(
            game,
            agent,
            self._read_settings(),
            seed=draw_seed() if wish.seed is None else wish.seed,
            participant=wish.participant or draw_code(),
            seconds=wish.time_limit,
            seat=wish.seat,
            profiles=wish.profiles,
            translate=Language.load(wish.language),
        )

    def check_game(self) -> None:
        """Whether a game could be played whoever the agent is.

        Raises:
            NegoError: If not.
        """
        wish = self._launch_options
        game = with_time_limit(find_game(wish.game or DEFAULT_GAME, self._data_dir), wish.time_limit)
        _seats(game.resolve_profiles(wish.seed or 0, wish.profiles), wish.seat)
        if wish.participant is not None:
            check_participant(wish.participant)

    def build_watched(self) -> SessionPlan:
        """Who sits down where the file of an agent is being written: with what is saved there now.

        Raises:
            NegoError: If it cannot be loaded or seated.
        """
        sitting = self.build_from_options()
        assert sitting is not None, "what is watched says the game and the agent"
        return sitting

    def find_plugins(self) -> AvailablePlugins:
        """What can be chosen now; meanwhile a process gets warm for the agent that will be."""
        if self._spare_process is None:
            # Without one, the agent's own start says what is wrong.
            with suppress(NegoError):
                self._spare_process = AgentProcess.spawn()
        # Before anything is read: what is saved meanwhile is seen to have changed.
        seen = self._file_stamps()
        return AvailablePlugins(self._games(), list_agents(self._data_dir, report=self._on_warning), seen)

    def find_plugins_if_changed(self) -> AvailablePlugins | None:
        """What can be chosen now; None if nothing in the folders has changed since it was found last."""
        return None if self._file_stamps() == self.available.stamps else self.find_plugins()

    @property
    def agents_folder(self) -> Path:
        """Where the user's own agents lie."""
        return self._data_dir / "agents"

    def initial_choice(self) -> StartChoice:
        """What stands in the fields at first: what the command line says, else what was chosen last."""
        wish, limit, last = self._launch_options, self._launch_options.time_limit, read_choice(self._data_dir)
        last = last or StartChoice(DEFAULT_GAME, DEFAULT_AGENT, "", "", "")
        return StartChoice(
            game=wish.game or last.game,
            agent=wish.agent or last.agent,
            participant=wish.participant or draw_code(),
            seed=str(draw_seed() if wish.seed is None else wish.seed),
            minutes=last.minutes if limit is None else f"{limit / 60:g}",
            seat=wish.seat or last.seat,
            profiles=SeatMap({**last.profiles, **wish.profiles}),
            entered={**last.entered, **self._entered()},
            game_file=None if wish.game else last.game_file,
            agent_file=None if wish.agent else last.agent_file,
            unfolded=last.unfolded,
        )

    @property
    def has_saved_choice(self) -> bool:
        """Whether a participant is named, and something was chosen before at which they can begin."""
        return self._launch_options.participant is not None and read_choice(self._data_dir) is not None

    def saved_choice(self, translate: Language) -> StartChoice | None:
        """The choice at which a named participant begins at once; None if somebody has to choose first."""
        if not self.has_saved_choice:
            return None
        choice = self.initial_choice()
        game = selectable_rows(self.available.games).get(
            selectable_key(choice.game, selectable_rows(self.available.games), choice.game_file)
        )
        agent = selectable_rows(self.available.agents).get(
            selectable_key(choice.agent, selectable_rows(self.available.agents), choice.agent_file)
        )
        if game is None or game.item is None or agent is None or agent.item is None:
            return None
        entered = choice.entered.get(agent.name, {})
        settings = parse_settings(agent_options(agent.item.options), entered, translate)
        if settings.errors:
            return None
        return replace(choice, game=game.name, agent=agent.name, settings=settings.values, handed_over=True)

    def save_choice(self, choice: StartChoice) -> None:
        """Keeps a choice for the next start; that it cannot be kept stops nobody."""
        try:
            write_choice(self._data_dir, choice)
        except OSError as error:
            self._on_warning(f"The choice cannot be kept ({error.strerror or error}).")

    def build_from_choice(self, choice: StartChoice, translate: Language) -> SessionPlan:
        """Who sits down at what, as it was chosen.

        Raises:
            NegoError: If that cannot be.
        """
        # The very rows that were shown: a name could lead to something else by now.
        row = find_entry(self.available.games, choice.game, choice.trusted_files)
        agent = find_entry(self.available.agents, choice.agent, choice.trusted_files)
        plugin = (
            find_agent(choice.agent, self._data_dir)
            if agent is None
            else agent_from_entry(agent, self._data_dir)
        )
        game = find_game(choice.game, self._data_dir) if row is None else game_from_entry(row, self._data_dir)
        return self._build(
            game,
            plugin,
            self._settings(choice, None if agent is None else agent.item or agent.preview),
            seed=parse_seed(choice.seed, translate),
            participant=choice.participant,
            seconds=parse_minutes(choice.minutes, translate),
            # A seat or a profile may be left from another game that was chosen before.
            seat=choice.seat if choice.seat in game.seats else None,
            profiles={seat: name for seat, name in choice.profiles.items() if seat in game.profiles},
            translate=translate,
        )

    def _settings(self, choice: StartChoice, shown: AgentPlugin | None) -> dict[str, Any]:
        """What an agent is set to: what stands in its form, and of the file what did not stand there."""
        in_form = set() if shown is None else {option.name for option in agent_options(shown.options)}
        others = {name: value for name, value in self._config.items() if name not in in_form}
        return {**others, **choice.settings}

    def _entered(self) -> dict[str, dict[str, Entered]]:
        """The settings of the command line's file, as they stand in the fields of those who have them."""
        if not self._config:
            return {}
        return {
            row.name: {
                option.name: entry_for(option, self._config[option.name])
                for option in agent_options(row.item.options)
                if option.name in self._config
            }
            for row in self.available.agents
            if row.item is not None
        }

    def _file_stamps(self) -> frozenset[FileStamp]:
        files = [*plugin_files("agents", self._data_dir), *plugin_files("games", self._data_dir)]
        return frozenset(mark for mark in map(file_stamp, files) if mark is not None)

    def _read_settings(self) -> dict[str, Any]:
        """The settings of the command line's file; none if it names none."""
        file = self._launch_options.agent_config
        return read_settings(file) if file else {}

    def _games(self) -> list[CatalogueEntry[GameSpec]]:
        """The games to choose from; a game file that the command line named is one of them."""
        games, wanted = list_games(self._data_dir, report=self._on_warning), self._launch_options.game
        if wanted is None or any(row.name == wanted for row in games):
            return games
        return [*games, CatalogueEntry(wanted, Path(wanted), find_game(wanted, self._data_dir))]

    def _build(
        self,
        game: GameSpec,
        agent: AgentPlugin,
        config: Mapping[str, Any],
        *,
        seed: int,
        participant: str,
        seconds: float | None,
        seat: Seat | None,
        profiles: Mapping[Seat, str],
        translate: Language,
    ) -> SessionPlan:
        game = with_time_limit(game, seconds).resolve_profiles(seed, profiles)
        mine, other = _seats(game, seat)
        wish = self._launch_options
        # Whoever writes an agent knows the game.
        opening = 0.0 if wish.opening_delay is None and wish.watch is not None else wish.opening_delay
        game = with_window_rules(
            game,
            mine,
            opening_delay=opening,
            closing_seconds=wish.closing_time,
            show_left_on_table=wish.show_left_on_table,
            language=translate.code,
        )
        if is_language_parsed(game.rules.effective_reading_language):
            game = with_localized_names(game, translate.code)
        code = check_participant(participant)
        if silent := missing_endpoint_warning(agent.options, config):
            self._on_warning(f"{agent.name}: {silent}")
        # The agent's process starts here: what can be wrong with the rest has been seen before.
        spare, self._spare_process = self._spare_process, None
        seated = prepare_in_subprocess(
            agent,
            other,
            config,
            game=game,
            seed=seed,
            output=starting_output_path(self._data_dir / SESSIONS, other),
            warm_process=spare,
        )
        agents = SeatMap([(other, seated)])
        return SessionPlan(game=game, seed=seed, human_seat=mine, participant=code, agents=agents)


def _seats(game: GameSpec, seat: Seat | None) -> tuple[Seat, Seat]:
    """The participant's seat and the agent's.

    Raises:
        NegoError: If the game has no such seat, or not two.
    """
    mine = seat or default_human_seat(game)
    if mine not in game.seats:
        raise NegoError(f"{game.name} has no seat {mine!r}; it has {', '.join(game.seats)}.")
    others = game.others(mine)
    if len(others) != 1:
        raise NegoError(
            f"{game.name} has {len(game.seats)} seats, and the window seats one person and one agent; "
            "'negoplatform simulate' plays it among agents."
        )
    return mine, others[0]
