"""Agent chosen for a seat, and the language that it speaks there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from negoplatform.app.support.localized_game_names import with_localized_talk
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.language_model.missing_endpoint_warning import missing_endpoint_warning
from negoplatform.plugins.agent_loader import AgentPlugin


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
            return replace(self, config={**self.config, "language": code})
        return self

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
