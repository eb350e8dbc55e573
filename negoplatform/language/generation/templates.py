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
from negoplatform.language.generation.offer_verbalizer import forms

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
        several: Whether there are more than two seats: "we both" is then "we all".

    Raises:
        AgentError: If the language or the voice does not exist.
    """

    def __init__(
        self, language: str = "en", voice: str = "warm", *, style: str | None = None, several: bool = False
    ) -> None:
        self.language, self.voice = language, style or voice
        self._templates = templates(language, self.voice)
        self._replacements = forms(language).for_several if several else ()
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
        for pair, several in self._replacements:
            template = template.replace(pair, several)
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


_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)*")
_INSIDE = re.compile(r"(?<=[^.!?…:\s])\s+(?P<word>[^\W\d_]+(?:[’'][^\W\d_]+)*)")


def called(name: str, text: str, language: str, voice: str) -> str:
    """Return a message that begins with a name: "Robin, that’s good", "Robin – Saturday suits me".

    The first word of the text gets a small letter if the voice writes it so inside of sentences: names,
    German nouns and "I" keep their capital.

    Args:
        name: The name.
        text: The message.
        language: The language of the voice.
        voice: The voice.

    Raises:
        AgentError: If the language or the voice does not exist.
    """
    first = _WORD.match(text)
    word = "" if first is None else first.group()
    small, large = _words_inside(language, voice)
    if word.lower() in small and word not in large:
        return f"{name}, {text[:1].lower()}{text[1:]}"
    return f"{name}, {text}" if word in large or not word else f"{name} – {text}"


@cache
def _words_inside(language: str, voice: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words with a small letter, and those with a capital one, that stand inside of sentences.

    Where titles are small within a sentence, words with which the voice's sentences begin may be small, too,
    and only "I" and what is written in capitals keep theirs.
    """
    there = [template for each in templates(language, voice).values() for template in each]
    inside = {found["word"] for template in there for found in _INSIDE.finditer(template)}
    small = {word for word in inside if word == word.lower()}
    large = inside - small
    if forms(language).titles_are_small:
        first = {found.group() for template in there if (found := _WORD.match(template))}
        names = {word for word in inside | first if len(word) > 1 and word.isupper()}
        large = names | {word for word in inside | first if word[:2] in ("I", "I’")}
        small |= {word.lower() for word in first}
    return frozenset(small), frozenset(large)
