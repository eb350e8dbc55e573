"""Agents of a game with more than two seats, one of which is chosen at a time; without Tk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from negoplatform.app.catalogue.catalogue import names_agent_file
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.session.agent_placement import MOST_AGENTS
from negoplatform.app.session.chosen_agent import ChosenAgent, expected_appearances
from negoplatform.domain.agent_appearance import CHARACTER_NAMES, AgentAppearance
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role, role_name
from negoplatform.presentation.start.agent_option_fields import (
    Entered,
    agent_options,
    parse_settings,
)
from negoplatform.presentation.start.plugin_cards import ChoiceCard, selectable_key
from negoplatform.presentation.start.start_choice import SeatAgent, named_agent

AgentRows = Mapping[str, CatalogueEntry[AgentPlugin]]
"""The listed agents by key."""


class AgentSeats:
    """Agents chosen for all seats but the participant's, and the seat that is being filled.

    Without seats in a game for one agent, and in one with more seats than the window can fill.

    Args:
        remembered: The agents of the last choice by seat; perhaps those of another game.
    """

    def __init__(self, remembered: SeatMap[SeatAgent]) -> None:
        self._agents = dict(remembered)
        self._game: GameSpec | None = None
        self._participant: Seat | None = None
        self.selected: Seat = ""

    def set_game(
        self,
        game: GameSpec | None,
        participant: Seat | None,
        usual: SeatAgent,
        is_unfit: Callable[[SeatAgent], bool] = lambda _agent: False,
    ) -> None:
        """Set the game and the participant's seat; the agent that had this seat takes the participant's.

        Args:
            game: The game; None: there is none.
            participant: The participant's seat.
            usual: The agent of seats for which none has been chosen before.
            is_unfit: Whether an agent cannot play the game, so that the usual one takes its seat.
        """
        left = self._participant if game is not None and game == self._game else None
        self._game, self._participant = game, participant
        if left is not None and left != participant and participant in self._agents:
            self._agents[left] = self._agents.pop(participant)
        for seat in self.seats:
            if seat not in self._agents or is_unfit(self._agents[seat]):
                self._agents[seat] = usual
        if self.selected not in self.seats:
            self.selected = next(iter(self.seats), "")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The agents' seats in the game's order; empty where one choice is enough."""
        game = self._game
        if game is None or self._participant is None or not 2 < len(game.seats) <= MOST_AGENTS + 1:
            return ()
        return game.others(self._participant)

    @property
    def remembered(self) -> SeatMap[SeatAgent]:
        """The agents by seat, also those of seats that this game does not have."""
        return SeatMap(self._agents)

    def agent_at(self, seat: Seat) -> SeatAgent:
        """Return the agent of one of the seats."""
        return self._agents[seat]

    def select(self, seat: Seat) -> None:
        """Select the seat for which the next agent is chosen; another name changes nothing."""
        if seat in self.seats:
            self.selected = seat

    def assign(self, agent: SeatAgent) -> None:
        """Put an agent into the selected seat."""
        self._agents[self.selected] = agent

    def assign_to_all(self) -> tuple[Seat, ...]:
        """Put the agent of the selected seat into all other seats too; return these."""
        others = tuple(seat for seat in self.seats if seat != self.selected)
        for seat in others:
            self._agents[seat] = self._agents[self.selected]
        return others

    def cards(self, agents: AgentRows, translate: Language) -> list[ChoiceCard]:
        """Return a card for each seat of the game: its role and who has it.

        Args:
            agents: The listed agents by key.
            translate: The window's language.
        """
        if self._game is None or not self.seats:
            return []
        own = translate.for_game(self._game.name)
        looks = self._appearances(agents)
        return [
            self._card(seat, localized_role(seat, own), agents, looks.get(seat), translate)
            for seat in self._game.seats
        ]

    def names(self, agents: AgentRows, translate: Language) -> list[str]:
        """Return each seat's agent as ``Alex (negochat)``."""
        looks = self._appearances(agents)
        return [self._agent_text(seat, looks.get(seat), translate) for seat in self.seats]

    def read(
        self, agents: AgentRows, entered: Mapping[str, Mapping[str, Entered]], translate: Language
    ) -> tuple[SeatMap[SeatAgent], Seat]:
        """Return the agents with their settings, and the first seat with a faulty one; empty if none is.

        Args:
            agents: The listed agents by key.
            entered: The contents of the agents' forms by :func:`settings_key`.
            translate: The window's language.
        """
        found: dict[Seat, SeatAgent] = {}
        for seat in self.seats:
            agent, row = self._agents[seat], agents.get(self.key_at(seat, agents))
            plugin = None if row is None else row.item or row.preview
            options = () if plugin is None else agent_options(plugin.options)
            settings = parse_settings(options, entered_for(entered, seat, agent.name), translate)
            if settings.errors:
                return SeatMap(), seat
            found[seat] = replace(agent, settings=settings.values)
        return SeatMap(found), ""

    def without_agent(self, agents: AgentRows) -> Seat:
        """Return the first seat whose agent is gone; empty if all are there."""
        return next((seat for seat in self.seats if not self.key_at(seat, agents)), "")

    def key_at(self, seat: Seat, agents: AgentRows) -> str:
        """Return the key of a seat's agent: a path if it is not listed, and nothing if it is gone."""
        agent = self._agents[seat]
        path = agent.name if names_agent_file(agent.name) else ""
        return selectable_key(agent.name, agents, agent.file) or path

    def _card(
        self, seat: Seat, title: str, agents: AgentRows, look: AgentAppearance | None, translate: Language
    ) -> ChoiceCard:
        if seat == self._participant:
            return ChoiceCard(seat, title, translate("Participant"), selectable=False)
        if not self.key_at(seat, agents):
            return ChoiceCard(seat, title, warning=translate("Please choose an agent."))
        text = self._agent_text(seat, look, translate)
        portrait = "" if look is None else look.face if look.face in CHARACTER_NAMES else look.name
        return ChoiceCard(seat, title, text, portrait_name=portrait)

    def _agent_text(self, seat: Seat, look: AgentAppearance | None, translate: Language) -> str:
        return named_agent(role_name(self._agents[seat].name), "" if look is None else look.name, translate)

    def _appearances(self, agents: AgentRows) -> SeatMap[AgentAppearance]:
        """Return how the agents will appear, as far as they are known without running untrusted code."""
        entries = {seat: agents.get(self.key_at(seat, agents)) for seat in self.seats}
        return expected_appearances(
            {
                seat: ChosenAgent(entry.item, {})
                for seat, entry in entries.items()
                if entry is not None and entry.item is not None
            }
        )


def settings_key(seat: Seat | None, agent: str) -> str:
    """Return the key of the contents of an agent's form, for one of several seats or for the only one."""
    return agent if seat is None else f"{seat}={agent}"


def entered_for(
    entered: Mapping[str, Mapping[str, Entered]], seat: Seat | None, agent: str
) -> Mapping[str, Entered]:
    """Return the contents of an agent's form; a seat without its own has those for any seat.

    Args:
        entered: The contents of all forms by key.
        seat: One of several seats; None where there is only one.
        agent: The agent's name.
    """
    return entered.get(settings_key(seat, agent), entered.get(agent, {}))
