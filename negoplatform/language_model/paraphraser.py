"""Paraphraser: a model rewords an agent's messages and changes nothing else.

A model's output goes only into message texts and notes. The agent that decides runs before the model, never
receives its output and shares no random numbers with it, so no text can change the decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from negoplatform.agent_api.actions import (
    ACTIONS,
    Action,
    FormalAccept,
    FormalQuit,
    ProposeChange,
    Schedule,
    SendMessage,
    SendOffer,
    ShowTyping,
    normalize_actions,
)
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.language import DialogueAct, Interpretation
from negoplatform.language_model import prompts
from negoplatform.language_model.budgeted_client import BudgetedClient, ModelClient, ModelRequest
from negoplatform.language_model.model_notes import ModelNotes
from negoplatform.language_model.output_validator import IntendedMessage, OutputValidator
from negoplatform.language_model.settings import ModelSettings
from negoplatform.language_model.structured_outputs import ActClassification, Paraphrase

DEADLINE_MARGIN = 15.0
"""Seconds before the deadline from which no model is called: an offer would be late."""

MAX_PARAPHRASES = 2
"""Maximum number of messages of one response that are reworded."""

MODEL_CONFIDENCE = 0.5
"""Confidence of a dialogue act that only a model has recognised."""

ANSWERING_ACTIONS = (SendMessage, SendOffer, FormalAccept, FormalQuit, Schedule)
"""Actions that answer a text, now or later; others leave it unanswered."""

COURTESY_SUBTYPES = frozenset(
    {
        MessageSubtype.GREETING,
        MessageSubtype.THANKS,
        MessageSubtype.APOLOGY,
        MessageSubtype.GENERIC_POS,
        MessageSubtype.GENERIC_NEG,
    }
)
"""Acts that may be answered if the agent does not answer."""


class Paraphraser:
    """Paraphraser of an agent's messages, which also classifies the texts it receives.

    Args:
        settings: The model and its limits.
        endpoint: The service; None: none is called, and messages stay as they are.
        secret: The key; empty: none.
        disabled_reason: Why no service is called, in a sentence.
    """

    def __init__(
        self,
        settings: ModelSettings,
        endpoint: ModelClient | None,
        *,
        secret: str = "",
        disabled_reason: str = "",
    ) -> None:
        self._settings = settings
        self._secret = secret
        self._disabled_reason = disabled_reason
        self._client = BudgetedClient(settings, endpoint, secret=secret)
        self._prompts = prompts.prompts_for(settings.language, settings.persona)
        self.reset()

    def reset(self) -> None:
        """Begin a session."""
        self._client.reset()
        self._validator: OutputValidator | None = None
        self._notes = ModelNotes(self._client)

    def answer(self, ctx: AgentContext, event: Event | None, script: Sequence[Action]) -> list[Action]:
        """Return the script, with messages reworded where the model's text is valid.

        Args:
            ctx: The agent's context.
            event: The event that it answers; None for the script of a callback.
            script: The agent's actions.
        """
        if event is not None and event.type == EventType.GAME_START:
            return [self._setup_note(ctx), *self._paraphrase_script(ctx, script, None)]
        if event is not None and event.type == EventType.GAME_END:
            return list(script)  # messages after the end are not reworded
        return self._paraphrase_script(ctx, script, event)

    def _paraphrase_script(
        self, ctx: AgentContext, script: Sequence[Action], event: Event | None
    ) -> list[Action]:
        if self._disabled_reason:
            return list(script)
        late = ctx.remaining_time is not None and ctx.remaining_time <= DEADLINE_MARGIN
        seconds = 0.0 if late else self._settings.max_wait_seconds()
        self._client.start_response(ctx.elapsed_time, seconds)
        interpretation = self._interpretation(ctx, event)
        left, steps = MAX_PARAPHRASES, list[Action]()
        for i, action in enumerate(script):
            if isinstance(action, SendMessage) and left:
                left -= 1
                steps.append(self._paraphrase(ctx, action, script[i + 1 :], interpretation))
            elif isinstance(action, Schedule):
                steps.append(self._wrap_callback(action))
            else:
                steps.append(action)
        if interpretation is not None and not any(isinstance(action, ANSWERING_ACTIONS) for action in script):
            steps += self._small_talk(ctx, interpretation)
        return [*self._notes.calls(ctx), *steps]

    def _wrap_callback(self, action: Schedule) -> Schedule:
        """Return a scheduled action whose script is reworded when it is called."""
        inner = action.callback

        def call(ctx: AgentContext) -> list[Action]:
            returned = inner(ctx) if callable(inner) else inner
            script = [returned] if isinstance(returned, ACTIONS) else returned
            return self.answer(ctx, None, normalize_actions(script, "a scheduled callback"))

        return replace(action, callback=call)

    # Input

    def _interpretation(self, ctx: AgentContext, event: Event | None) -> Interpretation | None:
        """Return the interpretation of the received text by the parser and the model; None without a text."""
        if event is None or event.type != EventType.SEND_MESSAGE or ctx.reading is None:
            return None
        if not self._settings.reads or event.payload.subtype != MessageSubtype.GENERIC:
            return ctx.reading
        given = prompts.classification_input(ctx, event.get_text())
        question = ModelRequest(
            "reading", self._prompts.reading, given, ActClassification, lambda _response: ""
        )
        classification = self._client.complete(question, self._client.remaining_seconds / 2)
        if classification is None:
            return ctx.reading
        return merge_classification(ctx.reading, classification, ctx.game)

    # Output

    def _paraphrase(
        self,
        ctx: AgentContext,
        message: SendMessage,
        rest: Sequence[Action],
        interpretation: Interpretation | None,
    ) -> SendMessage:
        offer = next((step.offer for step in rest if isinstance(step, SendOffer)), EMPTY_OFFER)
        intended = IntendedMessage(message.text, message.subtype, offer)
        given = prompts.paraphrase_input(ctx, intended, interpretation)
        text = self._validated_text(ctx, "words", self._prompts.words, given, intended)
        return replace(message, text=text) if text else message

    def _small_talk(self, ctx: AgentContext, interpretation: Interpretation) -> list[Action]:
        """Return an answer to a courtesy that the agent itself leaves unanswered."""
        acts = {act.subtype for act in interpretation.acts}
        alone = len(ctx.game.seats) == 2
        if not self._settings.small_talk or not acts or not acts <= COURTESY_SUBTYPES or not alone:
            return []
        intended = IntendedMessage("", MessageSubtype.GENERIC_POS)
        given = prompts.small_talk_input(ctx, interpretation)
        text = self._validated_text(ctx, "small_talk", self._prompts.small_talk, given, intended)
        return [ShowTyping(900), SendMessage(text, intended.subtype, delay_ms=900)] if text else []

    def _validated_text(
        self, ctx: AgentContext, what: str, system: str, given: str, intended: IntendedMessage
    ) -> str:
        """Return a valid text; empty if there is none."""
        validator = self._validator_for(ctx)
        question = ModelRequest(
            what,
            system,
            given,
            Paraphrase,
            lambda response: validator.find_violation(normalize_spaces(response.text), intended),
        )
        response = self._client.complete(question, self._client.remaining_seconds)
        return "" if response is None else normalize_spaces(response.text)

    def _validator_for(self, ctx: AgentContext) -> OutputValidator:
        if self._validator is None:
            self._validator = OutputValidator(
                ctx.game,
                ctx.seat,
                language=self._settings.language,
                prompt=" ".join(self._prompts.to_dict().values()),
                secrets=(self._secret,),
            )
        return self._validator

    # Notes

    def _setup_note(self, ctx: AgentContext) -> ProposeChange:
        """Return the first note: the service and its instructions, or why there is none."""
        setup: dict[str, Any] = {"templates": self._disabled_reason}
        if not self._disabled_reason:
            setup = {
                "endpoint": self._settings.endpoint,
                "model": self._settings.model,
                "instructions": self._prompts.to_dict(),
            }
        return self._notes.setup(ctx, setup)


def merge_classification(
    reading: Interpretation, classification: ActClassification, game: GameSpec
) -> Interpretation:
    """Return an interpretation with the acts that only the model has recognised, at a low confidence.

    Offers, acceptance and ambiguity remain the parser's: a model's classification is never a deal.
    """
    known = {act.subtype for act in reading.acts} | {MessageSubtype.GENERIC}
    issues = {name: issue.name for issue in game.issues for name in (issue.title, issue.name)}
    more = [
        DialogueAct(one.act, MODEL_CONFIDENCE, issue=issues.get(one.issue or ""))
        for one in classification.acts
        if one.act not in known
    ]
    return replace(reading, acts=(*reading.acts, *more))


def normalize_spaces(text: str) -> str:
    """Return a text in one line with single spaces."""
    return " ".join(text.split())
