"""Setup of a session from command line options, or from the choice in the start window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import (
    agent_from_entry,
    find_agent,
    find_game,
    game_from_entry,
    list_agents,
    list_games,
)
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry, find_entry
from negoplatform.app.catalogue.search_path import plugin_files
from negoplatform.app.session.agent_placement import (
    agents_by_seat,
    check_people,
    check_wizards,
    participant_seat,
    prepare_agents,
    split_settings_file,
)
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    prepare_in_subprocess,
    starting_output_path,
)
from negoplatform.app.session.assistant_setup import (
    AssistantPlaces,
    assigned_assistants,
    prepare_assistants,
    with_assistants,
)
from negoplatform.app.session.chosen_agent import ChosenAgent, prepare_named_agents
from negoplatform.app.session.participant_rule_defaults import with_window_rules, with_window_texts
from negoplatform.app.session.principal_setup import find_principals, prepare_principals
from negoplatform.app.session.resume import prepare_stand_ins
from negoplatform.app.session.session_plan import (
    SessionPlan,
    adviser_name,
    check_participant,
    new_session_id,
    read_settings,
    with_counterpart,
    with_limits,
)
from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.support.file_stamps import FileStamp, file_stamp
from negoplatform.domain.assistant_settings import parse_assistant
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.hosting.agent_process_proxy import AgentProcess
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.start.agent_option_fields import (
    agent_options,
)
from negoplatform.presentation.start.counterpart_fields import parse_counterpart
from negoplatform.presentation.start.initial_choice import (
    DEFAULT_GAME,
    choose_initially,
    completed_choice,
    entered_settings,
)
from negoplatform.presentation.start.last_choice import read_choice, write_choice
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.participant_code_and_seed import (
    draw_code,
    draw_seed,
    parse_minutes,
    parse_seed,
)
from negoplatform.presentation.start.start_choice import SeatAgent, StartChoice


@dataclass(frozen=True, slots=True)
class AvailablePlugins:
    """Available games and agents, and stamps of the files at the time of the search."""

    games: list[CatalogueEntry[GameSpec]] = field(default_factory=list)
    agents: list[CatalogueEntry[AgentPlugin]] = field(default_factory=list)
    stamps: frozenset[FileStamp] = frozenset()


class SessionPlanBuilder:
    """Finder of plugins and builder of sessions; its methods may be slow.

    Args:
        data_dir: Data folder, with sessions and plugins.
        launch_options: Options given on the command line.
        on_warning: Called with a sentence about a problem that does not prevent a session.

    ``available`` has the rows shown by the start window, even if others have been found since.

    Raises:
        NegoError: If the settings file of the command line cannot be read.
    """

    def __init__(
        self, data_dir: Path, launch_options: LaunchOptions, on_warning: Callable[[str], object]
    ) -> None:
        self._data_dir = data_dir
        self._launch_options = launch_options
        self._on_warning = on_warning
        self._config = self._read_settings(launch_options.agent or "")
        self._spare_processes: list[AgentProcess] = []
        self.available = AvailablePlugins()

    def stop(self) -> None:
        """Stop the spare processes that no agent uses."""
        for process in self._spare_processes:
            process.stop()
        self._spare_processes.clear()

    def build_from_options(self) -> SessionPlan | None:
        """Return the session plan from the command line; None unless both game and agent are given.

        Files are read in their current version, so an edited agent is used in its new version.

        Raises:
            NegoError: If the options cannot be satisfied.
        """
        options = self._launch_options
        game = None if options.game is None else self._with_seats(find_game(options.game, self._data_dir))
        mine = None if game is None else participant_seat(game, options.seat)
        if game is None and (options.agents or options.people or options.wizards):
            raise NegoError("Seats are named, so the game has to be named too, with --game.")
        names = {seat: self._named_agent(name) for seat, name in options.agents.items()}
        usual = None if options.agent is None else self._named_agent(options.agent)
        if game is None or mine is None or not (names or usual or options.people):
            return None
        participant = options.participant or draw_code()
        check_people(game, mine, participant, options.people)
        agents = agents_by_seat(game, mine, names, usual, people=options.people)
        if usual is not None and options.people and not agents:
            raise NegoError(
                f"{game.name}: people have all seats, so no seat is left for the agent; leave --agent out."
            )
        check_wizards(game, agents, options.wizards)
        return self._build(
            game,
            mine,
            agents,
            seed=draw_seed() if options.seed is None else options.seed,
            participant=participant,
            seconds=options.time_limit,
            profiles=options.profiles,
            counterpart=options.counterpart,
            offer_requests=options.offer_requests,
            translate=Language.load(options.language),
        )

    def check_game(self) -> None:
        """Check that the game can be played, whatever the watched agent.

        Raises:
            NegoError: If it cannot be played.
        """
        options = self._launch_options
        game = self._with_seats(find_game(options.game or DEFAULT_GAME, self._data_dir))
        game = with_limits(game, options.time_limit, options.deadline_offers)
        mine = participant_seat(game.resolve_profiles(options.seed or 0, options.profiles), options.seat)
        agents_by_seat(game, mine, options.agents, options.agent)
        if options.participant is not None:
            check_participant(options.participant)

    def build_watched(self) -> SessionPlan:
        """Return the session plan for a watched agent file, in the version saved now.

        Raises:
            NegoError: If the agent cannot be loaded or prepared.
        """
        plan = self.build_from_options()
        assert plan is not None, "a watched session has a game and an agent"
        return plan

    def find_plugins(self) -> AvailablePlugins:
        """Return the available plugins, and start a spare process for the first agent that will be seated."""
        self._spawn_spares(1)
        # Taken before the files are read, so that a file saved meanwhile counts as changed.
        seen = self._file_stamps()
        return AvailablePlugins(self._games(), list_agents(self._data_dir, report=self._on_warning), seen)

    def find_plugins_if_changed(self) -> AvailablePlugins | None:
        """Return the available plugins; None if no file has changed since the last search."""
        return None if self._file_stamps() == self.available.stamps else self.find_plugins()

    @property
    def agents_folder(self) -> Path:
        """Folder of the user's own agents."""
        return self._data_dir / "agents"

    def initial_choice(self) -> StartChoice:
        """Return the initial choice: the command line's options, else the last choice."""
        entered = entered_settings(self._config, self.available.agents)
        return choose_initially(self._data_dir, self._launch_options, entered)

    @property
    def has_saved_choice(self) -> bool:
        """Whether the command line names a participant, and a last choice is stored for their session."""
        return self._launch_options.participant is not None and read_choice(self._data_dir) is not None

    def saved_choice(self, translate: Language) -> StartChoice | None:
        """Return the choice for a named participant's session; None if the window has to be used first."""
        if not self.has_saved_choice:
            return None
        games, agents = self.available.games, self.available.agents
        return completed_choice(self.initial_choice(), games, agents, translate)

    def save_choice(self, choice: StartChoice) -> None:
        """Store a choice for the next start; a failure is only a warning."""
        try:
            write_choice(self._data_dir, choice)
        except OSError as error:
            self._on_warning(f"The choice cannot be kept ({error.strerror or error}).")

    def build_from_choice(self, choice: StartChoice, translate: Language) -> SessionPlan:
        """Return the session plan for a choice.

        Raises:
            NegoError: If the session cannot be built.
        """
        # Use the rows that were shown: a name could refer to something else by now.
        row = find_entry(self.available.games, choice.game, choice.trusted_files)
        game = find_game(choice.game, self._data_dir) if row is None else game_from_entry(row, self._data_dir)
        game = choice.played(game)
        # The seat or a profile may belong to a game that was chosen before.
        mine = participant_seat(game, choice.seat if choice.seat in game.seats else None)
        chosen = {
            seat: self._listed_agent(choice.agent_at(seat, len(game.seats)), choice.trusted_files)
            for seat in game.others(mine)
        }
        return self._build(
            game,
            mine,
            chosen,
            seed=parse_seed(choice.seed, translate),
            participant=choice.participant,
            seconds=parse_minutes(choice.minutes, translate),
            profiles={seat: name for seat, name in choice.profiles.items() if seat in game.profiles},
            counterpart=parse_counterpart(choice.counterpart, translate),
            offer_requests=choice.offer_requests,
            translate=translate,
            allows_another=choice.allows_another,
        )

    def _with_seats(self, game: GameSpec) -> GameSpec:
        """Return a game with as many seats as the command line says."""
        seats = self._launch_options.seats
        return game if seats is None else game.with_seats(seats)

    def _named_agent(self, name: str) -> ChosenAgent:
        """Return an agent of the command line with its settings."""
        agent, _ = split_settings_file(name)
        return ChosenAgent(find_agent(agent, self._data_dir), self._read_settings(name))

    def _listed_agent(self, agent: SeatAgent, trusted: Sequence[CodeFile]) -> ChosenAgent:
        """Return an agent that was chosen in the window, with its settings.

        These are the values of its form, and those of the settings file for which the form has no field.
        """
        entry = find_entry(self.available.agents, agent.name, trusted)
        shown = None if entry is None else entry.item or entry.preview
        in_form = set() if shown is None else {option.name for option in agent_options(shown.options)}
        others = {name: value for name, value in self._config.items() if name not in in_form}
        plugin = (
            find_agent(agent.name, self._data_dir)
            if entry is None
            else agent_from_entry(entry, self._data_dir)
        )
        return ChosenAgent(plugin, {**others, **agent.settings})

    def _file_stamps(self) -> frozenset[FileStamp]:
        files = [*plugin_files("agents", self._data_dir), *plugin_files("games", self._data_dir)]
        return frozenset(mark for mark in map(file_stamp, files) if mark is not None)

    def _read_settings(self, name: str) -> dict[str, Any]:
        """Return the settings of an agent of the command line: in its own file, else in the common one."""
        file = split_settings_file(name)[1] or self._launch_options.agent_config
        return read_settings(file) if file else {}

    def _games(self) -> list[CatalogueEntry[GameSpec]]:
        """Return the available games, including a game file named by the command line."""
        games, wanted = list_games(self._data_dir, report=self._on_warning), self._launch_options.game
        if wanted is None or any(row.name == wanted for row in games):
            return games
        return [*games, CatalogueEntry(wanted, Path(wanted), find_game(wanted, self._data_dir))]

    def _build(
        self,
        game: GameSpec,
        mine: Seat,
        chosen: Mapping[Seat, ChosenAgent],
        *,
        seed: int,
        participant: str,
        seconds: float | None,
        profiles: Mapping[Seat, str],
        counterpart: Mapping[str, Any],
        offer_requests: bool,
        translate: Language,
        allows_another: bool = False,
    ) -> SessionPlan:
        game = with_counterpart(game, counterpart)
        options = self._launch_options
        game = with_limits(game, seconds, options.deadline_offers)
        game = game.resolve_profiles(seed, profiles)
        # The author of an agent knows the game and needs no time to read.
        opening = (
            0.0 if options.opening_delay is None and options.watch is not None else options.opening_delay
        )
        game = with_window_rules(
            game,
            mine,
            opening_delay=opening,
            closing_seconds=options.closing_time,
            show_left_on_table=options.show_left_on_table,
            offer_requests=offer_requests,
            language=translate.code,
        )
        chosen = {seat: agent.with_language(translate.code) for seat, agent in chosen.items()}
        game = with_window_texts(game, chosen, translate.code)
        code = check_participant(participant)
        for sentence in dict.fromkeys(agent.endpoint_warning for agent in chosen.values()):
            if sentence:
                self._on_warning(sentence)
        commanding = find_principals(game, options.principals, self._data_dir)
        session_id = new_session_id()
        game = with_assistants(
            game, map(parse_assistant, options.assistants or ()), coach=options.coach or None
        )
        places = AssistantPlaces((mine, *options.people), tuple(chosen), tuple(options.wizards))
        game, helping = assigned_assistants(game, places, self._data_dir)
        # Last, because it starts the agents' processes: all other problems have been found before.
        self._spawn_spares(len(chosen))
        try:
            game, agents = prepare_named_agents(
                game,
                chosen,
                lambda named, seat, agent: self._prepare(
                    agent, seat, game=named, seed=seed, session_id=session_id
                ),
            )
            stand_ins = self._prepare_stand_ins(
                (mine, *options.people), agents, game=game, seed=seed, session_id=session_id
            )
            advisers = self._prepare_advisers(
                mine, (agents, stand_ins), translate, game=game, seed=seed, session_id=session_id
            )
            principals = self._prepare_principals(
                commanding, (agents, stand_ins, advisers), game=game, seed=seed, session_id=session_id
            )
            assistants = prepare_assistants(
                game,
                helping,
                seed=seed,
                session_id=session_id,
                output=self._data_dir / SESSIONS,
                others=(agents, stand_ins, advisers, principals),
            )
        except BaseException:
            self.stop()
            raise
        return SessionPlan(
            game=game,
            seed=seed,
            human_seat=mine,
            participant=code,
            agents=agents,
            people=options.people,
            wizards=options.wizards,
            advisers=advisers,
            principals=principals,
            lost_link=options.lost_link,
            stand_ins=stand_ins,
            session_id=session_id,
            assistants=assistants,
            # An author who watches a file begins a game before the last one is closed.
            allows_another=allows_another or options.another_session or options.watch is not None,
        )

    def _prepare_stand_ins(
        self, people: Sequence[Seat], agents: SeatMap[PreparedAgent], *, game: GameSpec, **shared: Any
    ) -> SeatMap[PreparedAgent]:
        """Return the agents that take the seats of people whose connections stay lost."""
        try:
            rule = self._launch_options.lost_link
            return prepare_stand_ins(rule, people, game=game, data_dir=self._data_dir, **shared)
        except BaseException:
            for agent in agents.values():
                agent.discard()
            raise

    def _prepare_advisers(
        self,
        mine: Seat,
        prepared: Sequence[SeatMap[PreparedAgent]],
        translate: Language,
        *,
        game: GameSpec,
        **shared: Any,
    ) -> SeatMap[PreparedAgent]:
        """Return the agents that advise people; if one cannot be prepared, the others are released too."""

        def prepare(seat: Seat) -> PreparedAgent:
            agent = self._named_agent(named[seat]).with_language(translate.code)
            if agent.endpoint_warning:
                self._on_warning(agent.endpoint_warning)
            return self._prepare(agent, seat, game=game, advises=True, **shared)

        people = (mine, *self._launch_options.people)
        named = {seat or mine: name for seat, name in self._launch_options.advisers.items()}
        try:
            for seat in named:
                if seat not in people:
                    raise NegoError(
                        f"An adviser advises a person, and no person has the seat {seat!r}; the people have "
                        f"{', '.join(people)}."
                    )
            return prepare_agents(named, prepare)
        except BaseException:
            for agents in prepared:
                for agent in agents.values():
                    agent.discard()
            raise

    def _prepare_principals(
        self,
        plugins: Mapping[str, AgentPlugin],
        prepared: Sequence[SeatMap[PreparedAgent]],
        **shared: Any,
    ) -> SeatMap[PreparedAgent]:
        """Return the principals; if one cannot be prepared, the agents are released too."""
        try:
            return prepare_principals(plugins=plugins, output=self._data_dir / SESSIONS, **shared)
        except BaseException:
            for agents in prepared:
                for agent in agents.values():
                    agent.discard()
            raise

    def _spawn_spares(self, number: int) -> None:
        """Start processes until there are enough for a number of agents: they load at the same time."""
        # Without a spare process, starting the agent reports the problem.
        with suppress(NegoError):
            while len(self._spare_processes) < number:
                self._spare_processes.append(AgentProcess.spawn())

    def _prepare(
        self,
        agent: ChosenAgent,
        seat: Seat,
        *,
        game: GameSpec,
        seed: int,
        session_id: str,
        advises: bool = False,
    ) -> PreparedAgent:
        """Return an agent for a seat, or for the person in it, in a spare process if there is one."""
        spare = self._spare_processes.pop() if self._spare_processes else None
        return prepare_in_subprocess(
            agent.plugin,
            seat,
            agent.config,
            game=game,
            seed=seed,
            output=starting_output_path(self._data_dir / SESSIONS, adviser_name(seat) if advises else seat),
            advises=advises,
            warm_process=spare,
            session_id=session_id,
        )
