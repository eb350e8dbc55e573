"""Prompts of a model: instructions from data files, and the public state of the game as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Interpretation
from negoplatform.language.generation import term_in_words
from negoplatform.language_model.output_validator import IntendedMessage

TRANSCRIPT_LINES = 6
"""Number of past messages in a prompt."""

MAX_LINE_LENGTH = 300
MAX_MESSAGE_LENGTH = 1_000
"""Maximum number of characters of a past message, and of the message to reword or classify."""

MOST_VALUES = 12
MOST_ISSUES = 20


@dataclass(frozen=True, slots=True)
class Prompts:
    """Instructions in a language.

    Args:
        words: For rewording a message.
        small_talk: For answering a courtesy.
        reading: For classifying a text.
    """

    words: str
    small_talk: str
    reading: str

    def to_dict(self) -> dict[str, Any]:
        """Return the instructions by their purpose."""
        return {"words": self.words, "small_talk": self.small_talk, "reading": self.reading}


@cache
def prompts_for(language: str, persona: str) -> Prompts:
    """Return the instructions in a language, for a persona."""
    manner = persona_manner(language, persona)
    acts = "\n".join(f"- {act}: {what}" for act, what in json.loads(_file(language, "acts.json")).items())
    return Prompts(
        _file(language, "words.txt").replace("{manner}", manner),
        _file(language, "small_talk.txt").replace("{manner}", manner),
        _file(language, "reading.txt").replace("{acts}", acts),
    )


def persona_manner(language: str, persona: str) -> str:
    """Return how a model is asked to speak as a persona, in a sentence or two."""
    return str(json.loads(_file(language, "personas.json"))[persona])


def _file(language: str, name: str) -> str:
    folder = resources.files("negoplatform.language_model") / "data" / language
    return (folder / name).read_text(encoding="utf-8").strip()


def paraphrase_input(
    ctx: AgentContext, intended: IntendedMessage, interpretation: Interpretation | None
) -> str:
    """Return the input for rewording a message; it contains nothing private."""
    return _json(
        {
            "game": _game(ctx.game),
            "talk": _transcript(ctx),
            "the other": sorted({act.subtype.value for act in interpretation.acts}) if interpretation else [],
            "say": intended.text[:MAX_MESSAGE_LENGTH],
            "which does": intended.subtype.value,
            "with the offer": _offer(intended.offer, ctx.game, ctx.seat),
        }
    )


def small_talk_input(ctx: AgentContext, interpretation: Interpretation) -> str:
    """Return the input for answering a courtesy."""
    acts: list[MessageSubtype] = [act.subtype for act in interpretation.acts]
    return _json({"game": ctx.game.title, "talk": _transcript(ctx), "the other": sorted(set(acts))})


def classification_input(ctx: AgentContext, text: str) -> str:
    """Return the input for classifying a text."""
    issues = [{"name": issue.name, "called": issue.title} for issue in ctx.game.issues[:MOST_ISSUES]]
    return _json({"issues": issues, "talk": _transcript(ctx)[:-1], "text": text[:MAX_MESSAGE_LENGTH]})


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False)


def _game(game: GameSpec) -> dict[str, Any]:
    return {"name": game.title, "issues": [_issue(issue) for issue in game.issues[:MOST_ISSUES]]}


def _issue(issue: Issue) -> dict[str, Any]:
    match issue:
        case QuantityIssue(quantity=quantity):
            return {"name": issue.title, "units to divide": quantity}
        case CategoricalIssue(values=values):
            return {"name": issue.title, "one of": list(values[:MOST_VALUES])}
        case NumberIssue():
            return {"name": issue.title, "from": str(issue.low), "to": str(issue.high), "in": issue.unit}


def _offer(offer: Offer, game: GameSpec, speaker: Seat) -> list[str]:
    return [term_in_words(game.issue(name), term, game, speaker) for name, term in offer.terms]


def _transcript(ctx: AgentContext) -> list[dict[str, str]]:
    return [
        {
            "by": "you" if message["sender"] == ctx.seat else "the other",
            "text": message["text"][:MAX_LINE_LENGTH],
        }
        for message in ctx.get_message_history()[-TRANSCRIPT_LINES:]
    ]
