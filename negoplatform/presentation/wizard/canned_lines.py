"""Lines that a wizard can put into the message field: the phrases of the window, and the agents' words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from negoplatform.language.generation.templates import VOICES, languages, templates
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.i18n import Language, gettext_noop

PHRASES = "phrases"
"""Source of lines: the phrases that participants have too."""

SOURCE_NAMES = {
    PHRASES: gettext_noop("Phrases of the window"),
    "warm": gettext_noop("Agents’ words: warm"),
    "neutral": gettext_noop("Agents’ words: neutral"),
    "tough": gettext_noop("Agents’ words: tough"),
    "cheerful": gettext_noop("Agents’ words: cheerful"),
    "formal": gettext_noop("Agents’ words: formal"),
}
"""Names of the sources; those of agents are the voices of ``language/data/words``."""


def line_sources(language: str) -> tuple[str, ...]:
    """Return the sources of lines in a language, such as ``en``."""
    return (PHRASES, *(VOICES if language in languages() else ()))


def canned_lines(source: str, phrases: PhrasesView | None, language: str) -> tuple[str, ...]:
    """Return the lines of a source without repetitions.

    Args:
        source: One of :func:`line_sources`.
        phrases: The phrases of the window; None: they are not known yet.
        language: The language, such as ``en``.
    """
    if source != PHRASES:
        return _spoken_lines(language, source)
    if phrases is None:
        return ()
    return tuple(dict.fromkeys(phrase.text for group in phrases.groups for phrase in group.phrases))


def filtered_lines(lines: Sequence[str], wanted: str) -> tuple[str, ...]:
    """Return the lines that contain every part of a wanted text; case does not matter."""
    parts = wanted.casefold().split()
    return tuple(line for line in lines if all(part in line.casefold() for part in parts))


def source_name(source: str, translate: Language) -> str:
    """Return the name of a source."""
    return translate(SOURCE_NAMES[source])


@cache
def _spoken_lines(language: str, voice: str) -> tuple[str, ...]:
    """Return an agent's templates that have nothing to fill in."""
    found = (line for lines in templates(language, voice).values() for line in lines)
    return tuple(dict.fromkeys(line for line in found if "{" not in line))
