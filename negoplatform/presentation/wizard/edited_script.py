"""Script that a wizard edits before it is performed. No Tk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    MechanismAct,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.domain.offer import Offer
from negoplatform.hosting.agent_runner import ScriptStep
from negoplatform.presentation.wizard.wizard_state import WaitingSuggestion


@dataclass(frozen=True, slots=True)
class EditedScript:
    """Script that a wizard edits: texts and offers change, and steps can be left out.

    Args:
        number: The number of the suggestion.
        steps: The steps with the changes made so far.
        sent: Whether each of them is performed.
    """

    number: int
    steps: tuple[ScriptStep, ...]
    sent: tuple[bool, ...]

    @classmethod
    def of(cls, waiting: WaitingSuggestion) -> EditedScript:
        """Return the script of a suggestion without changes."""
        steps = waiting.suggestion.steps
        return cls(waiting.number, steps, (True,) * len(steps))

    def with_text(self, index: int, text: str) -> EditedScript:
        """Return the script with another text of a message."""
        step = self.steps[index]
        return self._with_step(index, replace(step, text=text)) if isinstance(step, SendMessage) else self

    def with_offer(self, index: int, offer: Offer) -> EditedScript:
        """Return the script with another offer in place of one."""
        step = self.steps[index]
        if not isinstance(step, SendOffer):
            return self
        return self._with_step(index, SendOffer(offer, step.delay_ms, flushable=step.flushable))

    def with_sent(self, index: int, is_sent: bool) -> EditedScript:
        """Return the script with a step included or left out."""
        return replace(self, sent=(*self.sent[:index], is_sent, *self.sent[index + 1 :]))

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its messages, as they are now."""
        return tuple(step.text for step in self.steps if isinstance(step, SendMessage))

    def performed(self) -> tuple[ScriptStep, ...]:
        """Return the steps that are performed in place of the suggestion.

        Messages without words are left out, and so is what has no effect at the table: the agent's notes,
        its later decisions, and typing signs.
        """
        made = (_performed(step) for step, sent in zip(self.steps, self.sent, strict=True) if sent)
        return tuple(each for each in made if each is not None)

    def _with_step(self, index: int, step: ScriptStep) -> EditedScript:
        return replace(self, steps=(*self.steps[:index], step, *self.steps[index + 1 :]))


def _performed(step: ScriptStep) -> ScriptStep | None:
    match step:
        case SendMessage():
            return step if step.text.strip() else None
        case SendOffer() | SendExpression() | FormalAccept() | FormalQuit() | MechanismAct():
            return step
        case _:
            return None
