"""Translated names of a game's issues and values, as synonyms for the parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from negoplatform.app.support.translation_catalogues import game_context, load_translations, singular_context
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import issue_texts
from negoplatform.domain.issue import CategoricalIssue, Issue


def translated_names(game: GameSpec, code: str) -> Mapping[str, tuple[str, ...]]:
    """Return how a window shows the titles, values and units of a game.

    Args:
        game: A game; one that is not shipped is shown as it is written.
        code: The language, such as ``de``.

    Returns:
        The displayed text by the game's own text: one form, or plural and singular.
    """
    known, context = load_translations(code), game_context(game.name)
    found = {}
    for issue in game.issues:
        for text in filter(None, issue_texts(issue)):
            several, one = known.pgettext(context, text), known.pgettext(singular_context(context), text)
            found[text] = (several,) if one in (text, several) else (several, one)
    return found


def with_localized_names(game: GameSpec, language: str) -> GameSpec:
    """Return a game in which issues and values also have the names shown by the window, as synonyms.

    Participants who type what they see are then understood, also by the other side's agent and in a replay.
    """
    shown = translated_names(game, language)
    return replace(game, issues=tuple(_with_names(issue, shown) for issue in game.issues))


def _with_names(issue: Issue, shown: Mapping[str, Sequence[str]]) -> Issue:
    issue = replace(issue, synonyms=_synonyms(issue.title, issue.synonyms, shown))
    if not isinstance(issue, CategoricalIssue):
        return issue
    known = dict(issue.value_synonyms)
    for value in issue.values:
        if names := _synonyms(value, known.get(value, ()), shown):
            known[value] = names
    return replace(issue, value_synonyms=tuple(known.items()))


def _synonyms(text: str, known: tuple[str, ...], shown: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the known synonyms of a text, and the window's names for it."""
    return (*known, *(name for name in shown[text] if name not in (text, *known)))
