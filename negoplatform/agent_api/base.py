"""The base class of every agent."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.agent_api.actions import Action, normalize_actions
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.settings_validation import validate_settings
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import handler_name
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec


def default_name(agent_id: str) -> str:
    """Return the name of an agent that sets none: ``left_bank`` is "Left Bank"."""
    return agent_id.replace("_", " ").title()


UNSEATED_NAME = default_name("agent")
"""Name that such an agent reports while it has no seat."""


class NegotiationAgent:
    """Base class of agents, which answer events with lists of actions.

    Override the handlers that you need; the others do nothing. An agent receives every event that its seat
    may see, except its own. "The other" below is any other seat at the table, a person or an agent.
    """

    mechanisms: tuple[str, ...] = ("bargaining",)
    """Kinds of game that the agent plays, by the names of their mechanisms."""

    role: str = "seat"
    """Role of the plug-in: ``seat``; in the subclasses for other roles ``principal``, or the kind of an
    assistant: ``agenda``, ``insights``, ``debrief``.
    """

    market_rules: tuple[str, ...] = ()
    """Rules of phases of which a market needs one for the agent to play it; none: it plays any market."""

    configured = False
    """Whether :meth:`configure` has been called."""

    is_adviser = False
    """Whether it advises the person in its seat: what it does is shown to them, and never performed.

    Its own offers are then those of the person. Set after :meth:`configure`, before the first event.
    """

    Settings: Any = None
    """The settings: a pydantic model with a field per setting. None: any settings are taken.

    For an agent with a model all other settings are refused, and the start window shows a form for it.
    """

    settings: Any = None
    """Settings as an instance of the model, once the agent is configured; None without a model."""

    debriefing: str = ""
    """Participant's text about this agent after the session; an empty line begins a paragraph.

    An agent that deceives needs one: people must learn afterwards which statements were not true. Plain text,
    4,000 characters at most.
    """

    def __init__(self, agent_id: str = "agent") -> None:
        self.agent_id = agent_id
        self._config: dict[str, Any] = {}

    def configure(self, config: dict[str, Any]) -> None:
        """Configure the agent from a JSON object or a dict. Called once, before any game.

        Raises:
            AgentError: If the parameters are no mapping with names as keys, or do not fit ``Settings``.
        """
        if not isinstance(config, Mapping) or not all(isinstance(key, str) for key in config):
            raise AgentError(f"An agent is configured with named values, not with {config!r}.")
        for name in ("name", "avatar"):
            text = config.get(name)
            if name in config and not (isinstance(text, str) and text.strip()):
                raise AgentError(f"The setting {name!r} is a text, and not empty; it is {text!r}.")
        if self.Settings is not None:
            self.settings = validate_settings(self.Settings, config)
        self._config = dict(config)
        self.configured = True

    def check_game(self, game: GameSpec) -> None:
        """Check the game to be played, while it can still be refused; called after ``configure``.

        A fault is then reported in one sentence before the game begins; in a game that has begun, an agent
        that fails is replaced. An agent that is restarted within a game checks it again.

        Args:
            game: The game as its own seat (``agent_id``) sees it.

        Raises:
            AgentError: If it cannot play this game with these settings; the sentence says why.
        """

    def get_config(self, key: str, default: Any = None) -> Any:
        """Return a configuration value, or the default."""
        return getattr(self, "_config", {}).get(key, default)

    def get_fraction(self, key: str, default: float) -> float:
        """Return a configuration value that is a share, 0 to 1.

        Raises:
            AgentError: If it is no number from 0 to 1; 40 is not taken for 0.4.
        """
        value = self.get_config(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise AgentError(f"The setting {key!r} is a share from 0 to 1 (0.4 for 40 %), not {value!r}.")
        return float(value)

    def reset(self) -> None:
        """Reset the agent's state; called before each game."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Call an event's handler, ``on_send_offer`` for SEND_OFFER; ignore an event without one."""
        name = name_of_handler(event)
        handler = getattr(self, name, None)
        if handler is None:
            return []
        return [*normalize_actions(handler(ctx, event), name)]

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle the beginning of the negotiation: greet, or open with an offer."""
        return []

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a message of the other: ``event.get_text()``."""
        return []

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle an offer of the other: ``event.get_offer()``."""
        return []

    def on_send_expression(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle an emotion that the other shows: ``event.get_expression()``."""
        return []

    def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle the sign that the other is building an offer."""
        return []

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a tick of the clock: every few seconds, and exactly at the deadline."""
        return []

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle the other's formal accept of the offer on the table; accept it too to make it a deal."""
        return []

    def on_formal_quit(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle that the other walked away."""
        return []

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle the end of the negotiation; one message and one expression may still be sent."""
        return []

    def on_instruction(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a command of this seat's principal: ``ctx.mandate`` and ``ctx.information`` have it."""
        return []

    def on_action_refused(self, ctx: AgentContext, event: Event) -> list[Action] | None:
        """Handle a refusal of this agent's own action: ``event.payload.reason`` says why."""
        return []

    def get_name(self) -> str:
        """Return the name shown to the other: ``name`` from the configuration, or the agent's id."""
        return str(self.get_config("name") or default_name(getattr(self, "agent_id", "agent")))

    def get_avatar(self) -> str | None:
        """Return the name of a picture, or None for a plain one."""
        avatar = self.get_config("avatar")
        return None if avatar is None else str(avatar)

    def get_description(self) -> str:
        """Return the agent's description for experimenters: the first paragraph of its docstring."""
        own = type(self).__doc__
        if not own:
            return ""
        return " ".join(inspect.cleandoc(own).split("\n\n")[0].split())


def name_of_handler(event: Event) -> str:
    """Return the name of the handler of an event; a change of the record may be a command of a principal."""
    if event.type == EventType.STATE_PROPOSED and "commands" in event.payload.updates.to_dict():
        return "on_instruction"
    return handler_name(event.type)


def check_agent_plays(agent: NegotiationAgent, game: GameSpec) -> None:
    """Check that an agent plays games of this kind, and this game.

    Args:
        agent: The agent, configured.
        game: The game as its seat sees it.

    Raises:
        AgentError: If it does not; a sentence.
    """
    check_kind(type(agent).__name__, declared_mechanisms(agent), declared_market_rules(agent), game)
    agent.check_game(game)


def check_kind(name: str, mechanisms: Sequence[str], market_rules: Sequence[str], game: GameSpec) -> None:
    """Check that an agent plays games of this kind and, in a market, with these rules of phases.

    Args:
        name: The agent's name.
        mechanisms: The kinds of game that it plays.
        market_rules: The rules of phases of which a market needs one; none: it plays any market.
        game: The game.

    Raises:
        AgentError: If it does not; a sentence.
    """
    if game.mechanism not in mechanisms:
        raise AgentError(
            f"{name} plays games of the kind {', '.join(mechanisms)}, and {game.name} "
            f"is of the kind {game.mechanism}; choose another agent."
        )
    rules = market_terms(game).rules if game.mechanism == Market.name else ""
    if game.mechanism == Market.name and market_rules and rules not in market_rules:
        raise AgentError(
            f"{name} plays markets with the rules {', '.join(market_rules)}, and {game.name} has "
            f"{rules or 'none'}; choose another agent."
        )


def declared_market_rules(agent: NegotiationAgent | type[NegotiationAgent]) -> tuple[str, ...]:
    """Return the rules of phases that an agent or its class says it needs in a market.

    Raises:
        AgentError: If it says so in another form than a tuple or list of names.
    """
    said: object = agent.market_rules
    if not isinstance(said, tuple | list) or not all(type(one) is str and len(one) <= 60 for one in said):
        name = agent.__name__ if isinstance(agent, type) else type(agent).__name__
        raise AgentError(
            f'{name}.market_rules is a tuple of names of rules, such as ("harberger",), and not '
            f"{said!r:.100}."
        )
    return tuple(map(str, said))


def declared_mechanisms(agent: NegotiationAgent | type[NegotiationAgent]) -> tuple[str, ...]:
    """Return the kinds of game that an agent or its class says it plays.

    Raises:
        AgentError: If it says so in another form than a tuple or list of names.
    """
    said: object = agent.mechanisms
    if (
        not isinstance(said, tuple | list)
        or not said
        or not all(isinstance(kind, str) and len(kind) <= 60 for kind in said)
    ):
        name = agent.__name__ if isinstance(agent, type) else type(agent).__name__
        raise AgentError(
            f'{name}.mechanisms is a tuple of kinds of game, such as ("bargaining",), and not {said!r:.100}.'
        )
    return tuple(map(str, said))
