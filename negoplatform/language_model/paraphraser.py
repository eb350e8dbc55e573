"""An agent's script in a model's words: messages change their wording, and nothing else changes.

What a model says goes into words and notes alone. The agent that decides is asked before the model, is never
told what the model makes of anything, and shares no chance with it; so no text can change what it does.
"""

from __future__ import annotations

import json
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
    as_script,
)
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.language.parsing.interpretation import Act, Reading
from negoplatform.language_model import prompts
from negoplatform.language_model.client import Asks, Calls, Question
from negoplatform.language_model.output_validator import Meant, Proof
from negoplatform.language_model.responses import Heard, Worded
from negoplatform.language_model.settings import ModelSettings

NEAR_THE_END = 15.0
"""Seconds before the deadline from which nothing waits for a model: an offer would come too late."""

MOST_WORDED = 2
"""Messages of one answer for which the model is asked."""

MODEL_SURE = 0.5
"""How sure a speech act is that only a model has heard."""

LARGEST_NOTE = 40_000
"""Bytes of notes in one answer; an agent's whole answer has 64 kB."""

CUT_TO = 400
"""Characters that are kept of a text where notes would be larger."""

SPEAKING = (SendMessage, SendOffer, FormalAccept, FormalQuit, Schedule)
"""What the agent answers with, now or later; anything else leaves a text unanswered."""

COURTESIES = frozenset(
    {
        MessageSubtype.GREETING,
        MessageSubtype.THANKS,
        MessageSubtype.APOLOGY,
        MessageSubtype.GENERIC_POS,
        MessageSubtype.GENERIC_NEG,
    }
)
"""What may be answered where the agent itself has nothing to say."""


class Voice:
    """Finds other words for what an agent says, and reads what it is told.

    Args:
        settings: The model and its limits.
        endpoint: Who is asked; None: nobody, and templates speak.
        secret: The key; empty: none.
        why_silent: Why nobody is asked, in a sentence.
    """

    def __init__(
        self, settings: ModelSettings, endpoint: Asks | None, *, secret: str = "", why_silent: str = ""
    ) -> None:
        self._settings = settings
        self._secret = secret
        self._why_silent = why_silent
        self._calls = Calls(settings, endpoint, secret=secret)
        self._prompts = prompts.prompts_for(settings.language, settings.style)
        self.reset()

    def reset(self) -> None:
        """Begins a session."""
        self._calls.reset()
        self._proof: Proof | None = None
        self._noted: list[str] = []

    def answer(self, ctx: AgentContext, event: Event | None, script: Sequence[Action]) -> list[Action]:
        """The script, with other words where the model finds some that may be said.

        Args:
            ctx: What the agent sees.
            event: What it answers; None: the script is a callback's.
            script: What it wants to do.
        """
        if event is not None and event.type == EventType.GAME_START:
            return [self._introduction(ctx), *self._worded(ctx, script, None)]
        if event is not None and event.type == EventType.GAME_END:
            return list(script)  # what follows the end is not waited for
        return self._worded(ctx, script, event)

    def _worded(self, ctx: AgentContext, script: Sequence[Action], event: Event | None) -> list[Action]:
        if self._why_silent:
            return list(script)
        late = ctx.remaining_time is not None and ctx.remaining_time <= NEAR_THE_END
        seconds = 0.0 if late else self._settings.seconds()
        self._calls.begin(ctx.elapsed_time, seconds)
        heard = self._heard(ctx, event)
        left, steps = MOST_WORDED, list[Action]()
        for i, action in enumerate(script):
            if isinstance(action, SendMessage) and left:
                left -= 1
                steps.append(self._in_other_words(ctx, action, script[i + 1 :], heard))
            elif isinstance(action, Schedule):
                steps.append(self._later(action))
            else:
                steps.append(action)
        if heard is not None and not any(isinstance(action, SPEAKING) for action in script):
            steps += self._small_talk(ctx, heard)
        return [*self._notes(ctx), *steps]

    def _later(self, action: Schedule) -> Schedule:
        """A callback whose script is worded when it is called."""
        inner = action.callback

        def call(ctx: AgentContext) -> list[Action]:
            returned = inner(ctx) if callable(inner) else inner
            script = [returned] if isinstance(returned, ACTIONS) else returned
            return self.answer(ctx, None, as_script(script, "a scheduled callback"))

        return replace(action, callback=call)

    # What is heard

    def _heard(self, ctx: AgentContext, event: Event | None) -> Reading | None:
        """What the other has just said, by the platform and by the model together; None if nothing."""
        if event is None or event.type != EventType.SEND_MESSAGE or ctx.reading is None:
            return None
        if not self._settings.reads or event.payload.subtype != MessageSubtype.GENERIC:
            return ctx.reading
        given = prompts.to_be_read(ctx, event.get_text())
        question = Question("reading", self._prompts.reading, given, Heard, lambda _heard: "")
        heard = self._calls.ask(question, self._calls.left / 2)
        return ctx.reading if heard is None else combined(ctx.reading, heard, ctx.game)

    # What is said

    def _in_other_words(
        self, ctx: AgentContext, message: SendMessage, rest: Sequence[Action], heard: Reading | None
    ) -> SendMessage:
        offer = next((step.offer for step in rest if isinstance(step, SendOffer)), EMPTY_OFFER)
        meant = Meant(message.text, message.subtype, offer)
        given = prompts.wording(ctx, meant, heard)
        text = self._text(ctx, "words", self._prompts.words, given, meant)
        return replace(message, text=text) if text else message

    def _small_talk(self, ctx: AgentContext, heard: Reading) -> list[Action]:
        """An answer to a courtesy that the agent itself would leave unanswered."""
        acts = {act.subtype for act in heard.acts}
        alone = len(ctx.game.seats) == 2
        if not self._settings.small_talk or not acts or not acts <= COURTESIES or not alone:
            return []
        meant = Meant("", MessageSubtype.GENERIC_POS)
        given = prompts.courtesy(ctx, heard)
        text = self._text(ctx, "small_talk", self._prompts.small_talk, given, meant)
        return [ShowTyping(900), SendMessage(text, meant.subtype, delay_ms=900)] if text else []

    def _text(self, ctx: AgentContext, what: str, system: str, given: str, meant: Meant) -> str:
        """Words that may be said; empty if there are none."""
        proof = self._proof_for(ctx)
        question = Question(what, system, given, Worded, lambda worded: proof.fault(tidy(worded.text), meant))
        worded = self._calls.ask(question, self._calls.left)
        return "" if worded is None else tidy(worded.text)

    def _proof_for(self, ctx: AgentContext) -> Proof:
        if self._proof is None:
            self._proof = Proof(
                ctx.game,
                ctx.seat,
                language=self._settings.language,
                prompt=" ".join(self._prompts.document().values()),
                secrets=(self._secret,),
            )
        return self._proof

    # What is written down

    def _introduction(self, ctx: AgentContext) -> ProposeChange:
        """The first note: who is asked and by which instructions, or why nobody is."""
        setup: dict[str, Any] = {"templates": self._why_silent}
        if not self._why_silent:
            setup = {
                "endpoint": self._settings.endpoint,
                "model": self._settings.model,
                "instructions": self._prompts.document(),
            }
        return ProposeChange({"notes": {ctx.seat: {"model": {"setup": setup}}}})

    def _notes(self, ctx: AgentContext) -> list[Action]:
        """What was asked and answered; the record keeps the newest calls, the log has all of them."""
        calls = _fitting(self._calls.take_notes())
        if not calls:
            return []
        gone: dict[str, Any] = dict.fromkeys(self._noted)
        self._noted = list(calls)
        note = {"calls": {**gone, **calls}, "spent": self._calls.spent()}
        return [ProposeChange({"notes": {ctx.seat: {"model": note}}})]


def combined(reading: Reading, heard: Heard, game: GameSpec) -> Reading:
    """What the platform understood, with what only the model has heard, of which nobody is sure.

    Offers, acceptance and doubts stay as the platform has them: a model's reading is never a deal.
    """
    known = {act.subtype for act in reading.acts} | {MessageSubtype.GENERIC}
    issues = {name: issue.name for issue in game.issues for name in (issue.title, issue.name)}
    more = [
        Act(one.act, MODEL_SURE, issue=issues.get(one.issue or ""))
        for one in heard.acts
        if one.act not in known
    ]
    return replace(reading, acts=(*reading.acts, *more))


def tidy(text: str) -> str:
    """A text in one line, with plain spaces."""
    return " ".join(text.split())


def _fitting(calls: dict[str, Any]) -> dict[str, Any]:
    """Notes that are not too large; texts without end are cut, the prompts first."""
    if _size(calls) > LARGEST_NOTE:
        calls = {
            number: {**call, "prompt": call.get("prompt", "")[:CUT_TO], "cut": True}
            for number, call in calls.items()
        }
    if _size(calls) > LARGEST_NOTE:
        calls = {
            number: {**call, "attempts": [_cut(attempt) for attempt in call.get("attempts", ())]}
            for number, call in calls.items()
        }
    return calls


def _cut(attempt: dict[str, Any]) -> dict[str, Any]:
    return {**attempt, "text": attempt["text"][:CUT_TO]} if "text" in attempt else attempt


def _size(calls: dict[str, Any]) -> int:
    return len(json.dumps(calls))
