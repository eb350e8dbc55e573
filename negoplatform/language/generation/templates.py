"""Messages of agents from templates in data files, drawn at random without immediate repetition."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from random import Random
from typing import Literal, get_args

from negoplatform.domain.errors import AgentError

Voice = Literal["warm", "neutral", "tough", "cheerful", "formal"]
"""Voice, with words of its own: two agents with different voices share no sentence."""

VOICES: tuple[str, ...] = get_args(Voice)
"""All voices."""

Templates = dict[str, list[str]]
"""Templates of a voice by kind of message."""


KINDS_OF_1_0 = {
    "complete_offer": "complete_theirs",
    "confusion": "meaning_offer",
    "confusion_no_offer": "meaning_none",
    "counter_offer": "counter_whole",
    "hurry": "final_whole",
    "introduce_offer": "open_whole",
    "part_offer": "counter_whole",
    "pref_request_answer": "pref_withhold",
    "reject_offer": "refuse_plain",
    "send_as_offer": "send_as_offer_open",
    "threat_give_way": "stay_offer",
}
"""Kinds of message in version 1.0 of the agent API that have another name, with the present kinds."""


class Words:
    """Sampler of an agent's messages.

    Every kind of message has several templates in each voice. They are drawn in random order; a template is
    not repeated before all others of its kind have been used, and never twice in a row.

    Args:
        language: The folder below ``language/data/words``, such as ``en``.
        voice: ``warm``, ``neutral``, ``tough``, ``cheerful`` or ``formal``.
        style: The name of ``voice`` in version 1.0 of the agent API.

    Raises:
        AgentError: If the language or the voice does not exist.
    """

    def __init__(self, language: str = "en", voice: str = "warm", *, style: str | None = None) -> None:
        self._templates = templates(language, style or voice)
        self._waiting: dict[str, list[str]] = {}
        self._last: dict[str, str] = {}

    def say(self, kind: str, rng: Random, /, **slots: object) -> str:
        """Return a message of a kind with its slots filled; a slot that begins a sentence gets a capital.

        Raises:
            AgentError: If the kind does not exist, or a slot is missing.
        """
        if kind not in self._templates:
            kind = KINDS_OF_1_0.get(kind, kind)
        if kind not in self._templates:
            raise AgentError(f"There are no words for {kind!r}; the kinds are in language/data/words.")
        template = self._draw(kind, rng)
        try:
            return _fill(template, slots)
        except KeyError as missing:
            raise AgentError(f"The words for {kind!r} need {missing}: {template!r}.") from None

    def count(self, kind: str) -> int:
        """Return the number of templates of a kind."""
        return len(self._templates.get(kind, ()))

    def _draw(self, kind: str, rng: Random) -> str:
        waiting = self._waiting.setdefault(kind, [])
        if not waiting:
            waiting.extend(self._templates[kind])
            rng.shuffle(waiting)
            if len(waiting) > 1 and waiting[-1] == self._last.get(kind):
                waiting.insert(0, waiting.pop())
        self._last[kind] = waiting.pop()
        return self._last[kind]


_SLOT = re.compile(r"(?P<start>^|[.?!] )?\{(?P<name>\w+)\}")


def _fill(template: str, slots: Mapping[str, object]) -> str:
    """Return a template with its slots filled.

    Raises:
        KeyError: If a slot is missing.
    """

    def text_of(slot: re.Match[str]) -> str:
        text = str(slots[slot["name"]])
        return text if slot["start"] is None else slot["start"] + text[:1].upper() + text[1:]

    return _SLOT.sub(text_of, template)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that agents speak: those with both templates and phrasing."""
    data = resources.files("negoplatform.language") / "data"
    folders = {entry.name for entry in (data / "words").iterdir() if entry.is_dir()}
    return tuple(sorted(name for name in folders if (data / "phrasing" / f"{name}.json").is_file()))


@cache
def templates(language: str, voice: str) -> Templates:
    """Return the templates of a voice.

    Raises:
        AgentError: If the language or the voice does not exist.
    """
    if voice not in VOICES:
        raise AgentError(f"An agent speaks in one of the voices {', '.join(VOICES)}, not {voice!r}.")
    file = resources.files("negoplatform.language") / "data" / "words" / language / f"{voice}.json"
    if not language.isidentifier() or not file.is_file():
        raise AgentError(f"There are no words in the language {language!r}.")
    found: Templates = json.loads(file.read_text(encoding="utf-8"))
    return found
