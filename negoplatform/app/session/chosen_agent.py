"""Agents chosen for seats: the languages that they speak there, and their preparation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from negoplatform.agent_api.base import UNSEATED_NAME, default_name
from negoplatform.app.session.agent_placement import prepare_agents
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.support.localized_game_names import with_localized_talk
from negoplatform.domain.agent_appearance import AgentAppearance, unlike_settings
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.language_model.missing_endpoint_warning import missing_endpoint_warning
from negoplatform.plugins.agent_loader import AgentPlugin

_LOOKS = frozenset({"name", "avatar"})
"""Settings that make an agent differ from others."""


@dataclass(frozen=True, slots=True)
class ChosenAgent:
    """Agent with its settings.

    Args:
        plugin: The agent.
        config: Its settings; JSON values.
    """

    plugin: AgentPlugin
    config: Mapping[str, Any]

    def with_language(self, code: str) -> ChosenAgent:
        """Return the agent set to the language of the window, if it speaks it and no language is set."""
        speaks = [code for kind in self._language_option.get("anyOf", ()) for code in kind.get("enum", ())]
        if self.config.get("language") is None and code in speaks:
            return self.with_settings({"language": code})
        return self

    def with_settings(self, settings: Mapping[str, Any]) -> ChosenAgent:
        """Return the agent with further settings."""
        return replace(self, config={**self.config, **settings}) if settings else self

    def expected_appearance(self, seat: Seat) -> AgentAppearance:
        """Return the appearance that it will most probably report in a seat."""
        name, avatar = self.config.get("name"), self.config.get("avatar")
        reported = self.plugin.reported_name
        return AgentAppearance.of(
            # An agent that reports no name of its own is called after its seat.
            name if isinstance(name, str) else default_name(seat) if reported == UNSEATED_NAME else reported,
            avatar if isinstance(avatar, str) else self.plugin.avatar,
            self.plugin.file,
        )

    @property
    def spoken_language(self) -> str | None:
        """Code of the language of its messages; None if no language can be set."""
        if self.config.get("language"):
            return str(self.config["language"])
        return "en" if self._language_option else None

    @property
    def endpoint_warning(self) -> str:
        """Sentence for the experimenter if no language model will speak for the agent; empty otherwise."""
        warning = missing_endpoint_warning(self.plugin.options, self.config)
        return f"{self.plugin.name}: {warning}" if warning else ""

    @property
    def _language_option(self) -> Mapping[str, Any]:
        option: Mapping[str, Any] = (self.plugin.options or {}).get("properties", {}).get("language", {})
        return option


def with_spoken_texts(game: GameSpec, agents: Mapping[Seat, ChosenAgent]) -> GameSpec:
    """Return a game with the texts that the agents say, in their language.

    A game has one set of them, so agents of different languages say the game's own.

    Args:
        game: The game, with resolved profiles.
        agents: The agents by seat.
    """
    languages = {language for agent in agents.values() if (language := agent.spoken_language) is not None}
    if len(languages) != 1 or languages == {"en"}:
        return game
    (language,) = languages
    for seat, agent in agents.items():
        if agent.spoken_language is not None:
            game = with_localized_talk(game, seat, language)
    return game


def with_agent_names(game: GameSpec, names: Mapping[Seat, str]) -> GameSpec:
    """Return a game in which agents are called by the names that the participant reads.

    Participants type the names that they see, so all agents have to know them, also in a resumed or replayed
    session: the log's header has the game with these names. With two seats, no names are added.

    Args:
        game: The game.
        names: The displayed names of the agents by seat; they replace those of the game's file.
    """
    if len(game.seats) <= 2:
        return game
    called = {**game.names, **names}
    return replace(game, names=SeatMap((seat, called[seat]) for seat in game.seats if called.get(seat)))


def prepare_named_agents(
    game: GameSpec,
    agents: Mapping[Seat, ChosenAgent],
    prepare: Callable[[GameSpec, Seat, ChosenAgent], PreparedAgent],
) -> tuple[GameSpec, SeatMap[PreparedAgent]]:
    """Prepare unlike agents that know each other's names, and return the game with these names.

    An agent may report another name than expected; then all are prepared once more.

    Args:
        game: The game.
        agents: The agents by seat.
        prepare: Prepares an agent for a seat of a game.

    Raises:
        NegoError: If one cannot be prepared; then the others are released.
    """
    named = with_agent_names(game, {seat: look.name for seat, look in expected_appearances(agents).items()})
    prepared = _prepare_unlike_agents(agents, partial(prepare, named))
    reported = with_agent_names(game, {seat: agent.name for seat, agent in prepared.items()})
    if reported.names == named.names:
        return named, prepared
    for agent in prepared.values():
        agent.discard()
    given = {
        seat: {key: who.config[key] for key in _LOOKS & who.config.keys()} for seat, who in prepared.items()
    }
    agents = {seat: agent.with_settings(given[seat]) for seat, agent in agents.items()}
    return reported, _prepare_unlike_agents(agents, partial(prepare, reported))


def _prepare_unlike_agents(
    agents: Mapping[Seat, ChosenAgent], prepare: Callable[[Seat, ChosenAgent], PreparedAgent]
) -> SeatMap[PreparedAgent]:
    """Prepare an agent for each seat, so that no two have the same name or the same face.

    The first agent of a name keeps it. A later one is given the settings ``name`` and ``avatar`` of a free
    character: it says the name that the participant reads, and the log has both. Names and faces follow from
    the agents and the order of their seats, so they are the same in every session with the same choice.

    Args:
        agents: The agents by seat.
        prepare: Prepares an agent for a seat.

    Raises:
        NegoError: If one cannot be prepared; then the others are released.
    """
    expected = [agent.expected_appearance(seat) for seat, agent in agents.items()]
    taken: list[AgentAppearance] = []

    def prepare_unlike(seat: Seat) -> PreparedAgent:
        agent = agents[seat]
        settings = unlike_settings(agent.expected_appearance(seat), taken, expected)
        prepared = prepare(seat, agent.with_settings(settings))
        if settings := unlike_settings(prepared.appearance, taken, expected):
            prepared.discard()
            prepared = prepare(seat, agent.with_settings(settings))
        if settings := unlike_settings(prepared.appearance, taken, expected):
            # It ignores these settings; the participant sees it with them nevertheless.
            prepared = replace(prepared.shown_as(settings), config={**prepared.config, **settings})
        taken.append(prepared.appearance)
        return prepared

    return prepare_agents(agents, prepare_unlike)


def expected_appearances(agents: Mapping[Seat, ChosenAgent]) -> SeatMap[AgentAppearance]:
    """Return the appearances that agents will most probably have at one table; no code of theirs is run."""
    expected = [agent.expected_appearance(seat) for seat, agent in agents.items()]
    taken: list[AgentAppearance] = []
    for (_, agent), own in zip(agents.items(), expected, strict=True):
        settings = unlike_settings(own, taken, expected)
        taken.append(
            AgentAppearance.of(
                settings.get("name", own.name), settings.get("avatar", own.face), agent.plugin.file
            )
        )
    return SeatMap(zip(agents, taken, strict=True))
