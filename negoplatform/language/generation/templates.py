"""Utterances of agents from templates in data files, drawn at random without immediate repetition."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from random import Random

from negoplatform.domain.errors import AgentError

STYLES = ("warm", "neutral", "tough")
"""Styles of speaking."""

Templates = dict[str, dict[str, list[str]]]
"""Templates by kind of utterance, then by style."""


class Words:
    """Sampler of an agent's utterances.

    Every kind of utterance has several templates in each style. They are drawn in random order; a template is
    not repeated before all others of its kind have been used, and never twice in a row.

    Args:
        language: The folder below ``language/data/words``, such as ``en``.
        style: ``warm``, ``neutral`` or ``tough``.

    Raises:
        AgentError: If the language or style does not exist.
    """

    def __init__(self, language: str = "en", style: str = "warm") -> None:
        if style not in STYLES:
            raise AgentError(f"An agent speaks in one of the styles {', '.join(STYLES)}, not {style!r}.")
        self._templates = templates(language)
        self._style = style
        self._waiting: dict[str, list[str]] = {}
        self._last: dict[str, str] = {}

    def say(self, kind: str, rng: Random, /, **slots: object) -> str:
        """Return an utterance of a kind with its slots filled; a slot that begins a sentence gets a capital.

        Raises:
            AgentError: If the kind does not exist, or a slot is missing.
        """
        if kind not in self._templates:
            raise AgentError(f"There are no words for {kind!r}; the kinds are in language/data/words.")
        template = self._draw(kind, rng)
        try:
            return _fill(template, slots)
        except KeyError as missing:
            raise AgentError(f"The words for {kind!r} need {missing}: {template!r}.") from None

    def _draw(self, kind: str, rng: Random) -> str:
        waiting = self._waiting.setdefault(kind, [])
        if not waiting:
            waiting.extend(self._templates[kind][self._style])
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
def templates(language: str) -> Templates:
    """Return all templates of a language, from all of its files.

    Raises:
        AgentError: If the language does not exist.
    """
    folder = resources.files("negoplatform.language") / "data" / "words" / language
    if not language.isidentifier() or not folder.is_dir():
        raise AgentError(f"There are no words in the language {language!r}.")
    found: Templates = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            found |= json.loads(file.read_text(encoding="utf-8"))
    return found
