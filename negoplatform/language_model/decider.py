"""Base class of agents whose offers, acceptances and words a language model decides.

The model's decision is checked by the game's rules and by a floor, the value of no deal. After a response
that cannot be used the model is asked once more, with the reason; then a fixed fallback is done, and named in
the log. Calls are recorded as those of the paraphraser are, so that a rerun repeats every decision without a
model.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Literal

from pydantic import Field

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    FormalQuit,
    ProposeChange,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.offer_schema import offer_schema
from negoplatform.core.action_rules import LONGEST_MESSAGE
from negoplatform.core.events import Event, EventType, MessageSubtype, clean_text
from negoplatform.domain.errors import OfferError
from negoplatform.domain.game_description import counted_points
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language_model.api_key_redaction import redact
from negoplatform.language_model.budgeted_client import BudgetedClient, ModelRequest
from negoplatform.language_model.missing_endpoint_warning import NO_DECISIONS
from negoplatform.language_model.model_notes import ModelNotes
from negoplatform.language_model.paraphraser_factory import Connection, connect
from negoplatform.language_model.prompts import persona_manner
from negoplatform.language_model.settings import ModelSettings, refuse_keys
from negoplatform.language_model.structured_outputs import Decision, decision_shape

DECISION_BUDGET = {"load_seconds": 20.0, "soft_seconds": 30.0, "hard_seconds": 40.0}
"""Time limits of loading and of a reaction; a decision needs longer than a sentence."""

TOLD_OFFERS = 30
"""Number of past offers in a prompt."""

TOLD_MESSAGES = 12
"""Number of past messages in a prompt."""

LONGEST_TEXT = 600
"""Longest message of a decision, in characters."""

SUBTYPES = {
    "offer": MessageSubtype.OFFER_PROPOSE,
    "accept": MessageSubtype.OFFER_ACCEPT,
    "say": MessageSubtype.GENERIC,
    "quit": MessageSubtype.FAREWELL,
}
"""Speech act of the message that goes with each decision."""


class DeciderSettings(ModelSettings):
    """Settings of a model that decides."""

    below_reservation: bool = Field(
        default=False,
        title="May take less than no deal",
        description="Whether it may offer and accept what is worth less to it than no deal, and walk away "
        "where that costs it points.",
    )
    decisions: int = Field(
        default=100, ge=1, le=10_000, title="Decisions per session", description="Then it only falls back."
    )
    patience: float = Field(
        default=20.0,
        ge=0.2,
        le=120,
        title="Seconds for a decision",
        description="For both attempts together.",
    )
    attempts: int = Field(
        default=2,
        ge=1,
        le=2,
        title="Attempts",
        description="The second request says why the first answer could not be used.",
    )
    longest: int = Field(default=600, ge=20, le=4000, title="Tokens per answer")
    tokens: int = Field(
        default=500_000, ge=0, title="Tokens per session", description="Questions and answers together."
    )
    budget: dict[str, Any] = Field(default=DECISION_BUDGET, json_schema_extra={"readOnly": True})
    reads: Literal[False] = Field(default=False, json_schema_extra={"readOnly": True})
    small_talk: Literal[False] = Field(default=False, json_schema_extra={"readOnly": True})


class Decider(NegotiationAgent):
    """Agent whose offers, acceptances and words a language model decides.

    It asks the model at the start, and when another seat has made an offer, accepted one or said something,
    whenever it can do anything then. An author may override :meth:`situation`, :meth:`find_violation` and
    :meth:`fallback`.
    """

    Settings = DeciderSettings
    settings: DeciderSettings

    def configure(self, config: dict[str, Any]) -> None:
        """Read the settings, and connect to the service.

        Raises:
            AgentError: If a setting does not fit or looks like a key, or the client or the key is missing.
        """
        refuse_keys(config)
        super().configure(config)
        self.use(connect(self.settings, NO_DECISIONS))

    def use(self, connection: Connection) -> None:
        """Use a connection to a service; in tests, to a scripted model."""
        self._connection = connection
        # The second attempt is a request of its own, because it says what was wrong with the first.
        once = self.settings.model_copy(update={"attempts": 1})
        self._client = BudgetedClient(once, connection.client, secret=connection.key)
        self.reset()

    def reset(self) -> None:
        """Begin a session."""
        if hasattr(self, "_client"):
            self._client.reset()
            self._notes = ModelNotes(self._client)
        self._decisions = 0
        self._best: Offer | None = None

    # What the model is told, and what it may decide

    def situation(self, ctx: AgentContext, event: Event) -> dict[str, Any]:
        """Return what the model is told now, as JSON values."""
        offers = ctx.get_offer_history()[-TOLD_OFFERS:]
        return {
            "happened": f"{event.type} of {event.sender}",
            "offers": [
                {
                    "by": _name(ctx, entry["sender"]),
                    "t": round(entry["t"], 1),
                    "terms": offer_terms(ctx, entry["offer"]),
                    "your points": ctx.utility(entry["offer"]),
                }
                for entry in offers
            ],
            "on the table": None
            if ctx.current_offer_sender is None
            else f"the last offer, of {_name(ctx, ctx.current_offer_sender)}",
            "talk": [
                {"by": _name(ctx, message["sender"]), "text": message["text"][:LONGEST_TEXT]}
                for message in ctx.get_message_history()[-TOLD_MESSAGES:]
            ],
            "no deal": ctx.reservation_value,
            "progress": round(ctx.progress, 3),
            "offers left": ctx.remaining_offers,
            "seconds left": None if ctx.remaining_time is None else round(ctx.remaining_time, 1),
        }

    def options(self, ctx: AgentContext) -> list[str]:
        """Return what can be done now, of ``offer``, ``accept``, ``say`` and ``quit``."""
        legal, theirs = ctx.legal, ctx.current_offer_sender not in (None, ctx.seat)
        return [
            *(["offer"] if EventType.SEND_OFFER in legal else []),
            *(["accept"] if EventType.FORMAL_ACCEPT in legal and theirs else []),
            *(["say"] if legal and ctx.game.rules.talk else []),
            *(["quit"] if EventType.FORMAL_QUIT in legal else []),
        ]

    def find_violation(self, ctx: AgentContext, decision: Decision, options: list[str]) -> str:
        """Return why a decision cannot be carried out, in a sentence for the model; empty if it can."""
        if decision.do not in options:
            return f'"do" can be {", ".join(options)} now, not {decision.do}.'
        text = decision.text.strip()
        if len(text) > LONGEST_TEXT:
            return f"The text has {len(text)} characters; it may have {LONGEST_TEXT}."
        if text != clean_text(text) or redact(text, self._connection.key) != text:
            return "The text contains characters that cannot be sent."
        match decision.do:
            case "offer":
                return self._offer_violation(ctx, decision)
            case "accept":
                return self._floor_violation(ctx.get_agent_utility(), ctx.reservation_value, "offer")
            case "quit":
                quits = ctx.game.preferences[ctx.seat].quit_value
                return self._floor_violation(quits, ctx.reservation_value, "way of leaving")
            case _:
                return "" if text else 'There is nothing to say in "text".'

    def _offer_violation(self, ctx: AgentContext, decision: Decision) -> str:
        try:
            offer = make_offer(ctx, decision)
        except OfferError as error:
            return str(error)
        return self._floor_violation(ctx.utility(offer), ctx.reservation_value, "offer")

    def _floor_violation(self, points: float, least: float, what: str) -> str:
        if points >= least or self.settings.below_reservation:
            return ""
        return f"This {what} gives you {counted_points(points)}, and no deal gives you {least:g}."

    def fallback(self, ctx: AgentContext, event: Event, options: list[str]) -> tuple[str, list[Action]]:
        """Return what is done where no usable decision came, and its name for the log.

        ``accept``: the last offer of a game whose offers are used up, if it is worth no less than no deal.
        ``offer``: the own last offer again, or the best outcome before any, at the start and in answer to an
        offer. ``wait``: nothing.
        """
        worth = ctx.get_agent_utility() if "accept" in options else float("-inf")
        if ctx.remaining_offers == 0 and worth >= ctx.reservation_value:
            return "accept", [FormalAccept()]
        if "offer" not in options or event.type == EventType.SEND_MESSAGE:
            return "wait", []
        last = ctx.get_last_offer()
        if last is not None:
            return "offer", [SendOffer(last["offer"], flushable=True)]
        if self._best is None:
            self._best = Bids(ctx).best()
        return "offer", [SendOffer(self._best, flushable=True)]

    # Events

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Note the service, and decide on an opening."""
        reason = self._connection.disabled_reason
        setup = {"decides": reason} if reason else self._setup(ctx)
        return [self._notes.setup(ctx, setup), *self._decide(ctx, event)]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Decide on an answer to an offer."""
        return self._decide(ctx, event)

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Decide on an answer to a message."""
        return self._decide(ctx, event)

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Confirm an accepted offer of its own; decide on any other."""
        if ctx.current_offer_sender == ctx.seat:
            return [FormalAccept()] if ctx.can_formally_accept() else []
        return self._decide(ctx, event)

    def _decide(self, ctx: AgentContext, event: Event) -> list[Action]:
        """Return the script of a decision, with the notes of the calls that it took."""
        options = self.options(ctx)
        answers_words = event.type == EventType.SEND_MESSAGE and "say" in options
        if not {"offer", "accept"} & set(options) and not answers_words:
            return []  # nothing depends on it: walking away is not worth a call
        decision = self._ask(ctx, event, options)
        notes = self._notes.calls(ctx)
        if decision is None:
            name, script = self.fallback(ctx, event, options)
            named = ProposeChange({"notes": {ctx.seat: {"model": {"fallback": name}}}})
            return [*notes, named, *script]
        return [*notes, *self._script(ctx, decision)]

    def _ask(self, ctx: AgentContext, event: Event, options: list[str]) -> Decision | None:
        """Return a usable decision; None if there is none."""
        if self._connection.disabled_reason or self._decisions >= self.settings.decisions:
            return None
        self._decisions += 1
        self._client.start_response(ctx.elapsed_time, self._wait_seconds(ctx))
        situation = {**self.situation(ctx, event), "can": options}
        shape = decision_shape(offer_schema(ctx.game, ctx.seat), options)
        for number in range(self.settings.attempts):
            if number:
                situation["refused"] = self._client.invalid_reason
            request = ModelRequest(
                "decision",
                self._instructions(ctx),
                json.dumps(situation, ensure_ascii=False),
                shape,
                lambda decision: self.find_violation(ctx, decision, options),
            )
            # Half of the time at most for the first, so that there is some for the second.
            share = 1 if number + 1 == self.settings.attempts else 2
            decision = self._client.complete(request, self._client.remaining_seconds / share)
            if decision is not None or not self._client.invalid_reason:
                return decision
        return None

    def _wait_seconds(self, ctx: AgentContext) -> float:
        """Return the seconds for a decision: less shortly before the end, when it would be late."""
        left = ctx.remaining_time
        seconds = self.settings.max_wait_seconds()
        return seconds if left is None else min(seconds, left / 2)

    def _script(self, ctx: AgentContext, decision: Decision) -> list[Action]:
        text = " ".join(decision.text.split())[:LONGEST_MESSAGE]
        words: list[Action] = []
        if text and ctx.game.rules.talk:
            words = [SendMessage(text, SUBTYPES[decision.do], flushable=True)]
        match decision.do:
            case "offer":
                return [*words, SendOffer(make_offer(ctx, decision), delay_ms=500, flushable=True)]
            case "accept":
                return [*words, FormalAccept()]
            case "quit":
                return [*words, FormalQuit()]
            case _:
                return words

    def _instructions(self, ctx: AgentContext) -> str:
        file = resources.files("negoplatform.language_model") / "data" / self.settings.language / "decide.txt"
        manner = persona_manner(self.settings.language, self.settings.persona)
        text = file.read_text(encoding="utf-8").strip().replace("{manner}", manner)
        return text.replace("{game}", ctx.game.describe(ctx.seat).text)

    def _setup(self, ctx: AgentContext) -> dict[str, Any]:
        return {
            "endpoint": self.settings.endpoint,
            "model": self.settings.model,
            "instructions": {"decision": self._instructions(ctx)},
        }


def make_offer(ctx: AgentContext, decision: Decision) -> Offer:
    """Return the offer of a decision.

    Raises:
        OfferError: If it has none, or one that does not fit the game.
    """
    terms = {issue: term for issue, term in (decision.offer or {}).items() if term is not None}
    return ctx.make_offer(json.dumps(terms))


def offer_terms(ctx: AgentContext, offer: Offer) -> dict[str, Any]:
    """Return an offer's terms as a model writes them: the own units, or those of each of several seats."""
    terms: dict[str, Any] = {}
    for issue, term in offer.terms:
        if not isinstance(term, Allocation):
            terms[issue] = term
        elif len(ctx.seats) == 2 and not term.undecided:
            terms[issue] = term.of(ctx.seat)
        else:
            terms[issue] = {seat: term.of(seat) for seat in ctx.seats}
    return terms


def _name(ctx: AgentContext, seat: str) -> str:
    return "you" if seat == ctx.seat else seat
