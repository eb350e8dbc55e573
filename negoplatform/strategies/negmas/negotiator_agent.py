"""Agent that lets a negotiator of NegMAS decide: loaded as an agent's file, in a process of its own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from negoplatform.agent_api.actions import Action, FormalAccept, FormalQuit, Schedule, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.strategies.negmas import INSTALL_COMMAND

if TYPE_CHECKING:
    from negoplatform.strategies.negmas.session_mechanism import NegotiatorSession

__all__ = ["NegmasNegotiator"]


ANSWER_SECONDS = 1.0
"""Seconds from an offer to the answer, where the setting ``timing`` gives no other ``act_delay``."""


class NegmasNegotiator(NegotiationAgent):
    """Negotiator of NegMAS, asked as NegMAS' own mechanism of stacked alternating offers asks it.

    It is asked when its answer is due, about the offer that is on the table then. Its acceptance is a formal
    accept, its proposal an offer, and the end of the negotiation or a refusal to propose is a formal quit. It
    plays games of two seats, and sends no messages.

    Settings: ``negotiator`` (its class: a name in NegMAS, or ``module.Class``) and ``parameters`` (what its
    constructor is called with).
    """

    def configure(self, config: dict[str, Any]) -> None:
        """Read the settings.

        Raises:
            AgentError: If no negotiator is named, or the parameters are no named values.
        """
        super().configure(config)
        self._negotiator = self.get_config("negotiator")
        self._parameters = self.get_config("parameters", {})
        if not isinstance(self._negotiator, str) or not self._negotiator.strip():
            raise AgentError(f"The setting 'negotiator' names a class of NegMAS, not {self._negotiator!r}.")
        if not isinstance(self._parameters, dict):
            raise AgentError(f"The setting 'parameters' has named values, not {self._parameters!r}.")

    def get_name(self) -> str:
        """Return the name in the settings, or the class of the negotiator."""
        return str(self.get_config("name") or self._negotiator.rpartition(".")[2])

    def check_game(self, game: GameSpec) -> None:
        """Check that the game has two seats and that there is such a negotiator, by making one.

        Raises:
            AgentError: If it has not, or there is none.
        """
        if len(game.seats) != 2:
            raise AgentError(
                f"Negotiators of NegMAS play games of two seats, and {game.name} has {len(game.seats)}; "
                "choose another agent."
            )
        _import_session_mechanism().make_negotiator(self._negotiator, self._parameters)

    def reset(self) -> None:
        """Reset the agent's state."""
        self._session: NegotiatorSession | None = None
        self._answered_id: int | None = None

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Make the negotiator, and open."""
        self._session = _import_session_mechanism().NegotiatorSession(self._negotiator, self._parameters, ctx)
        return [self._answer_later(ctx)]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Pass an offer on to the negotiator, which is asked a moment later."""
        self._running_session.record_offer(ctx, event.get_offer())
        return [self._answer_later(ctx)]

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Confirm its own offer: in NegMAS, who makes an offer has accepted it."""
        own = ctx.current_offer_sender == ctx.seat
        return [FormalAccept()] if own and ctx.can_formally_accept() else []

    def on_game_end(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Let the negotiator know that the negotiation is over."""
        self._running_session.end(ctx, event.payload.deal)
        return []

    @property
    def _running_session(self) -> NegotiatorSession:
        if self._session is None:
            raise AgentError("The game has not begun.")
        return self._session

    def _answer_later(self, ctx: AgentContext) -> Schedule:
        seconds = self.get_config("timing", {}).get("act_delay", ANSWER_SECONDS)
        return Schedule(max(1.0, 1000 * seconds * ctx.game.rules.counterpart.pace), self._answer)

    def _answer(self, ctx: AgentContext) -> list[Action]:
        """Ask about the offer on the table, unless the negotiator has answered it or another has the turn."""
        opened = self._answered_id is not None
        if ctx.current_offer_sender == ctx.seat or ctx.turn not in (None, ctx.seat):
            return []
        if self._answered_id == (ctx.current_offer_id or 0) or (ctx.current_offer_id is None and opened):
            return []
        self._answered_id = ctx.current_offer_id or 0
        match self._running_session.ask(ctx):
            case "accept":
                return [FormalAccept(delay_ms=0)] if ctx.can_formally_accept() else []
            case "end":
                return [FormalQuit(delay_ms=0)]
            case offer:
                return [SendOffer(offer, delay_ms=0)] if ctx.may_move() else []


def _import_session_mechanism() -> Any:
    """Return the module that imports NegMAS.

    Raises:
        AgentError: If NegMAS is not installed.
    """
    # NegMAS looks for a configuration in the home folder, which an agent's process does not have.
    for variable in ("HOME", "USERPROFILE"):
        os.environ.setdefault(variable, os.devnull)
    try:
        from negoplatform.strategies.negmas import session_mechanism
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("negmas", "numpy"):
            raise
        raise AgentError(f"NegMAS is not installed here: {INSTALL_COMMAND}.") from error
    return session_mechanism
