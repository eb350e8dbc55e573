"""Translation catalogues: the window's texts, and the texts of the shipped games and agents.

A game's text is looked up by the game's name and the text itself, so another author's game, or a
shipped one whose text was changed, is shown as it is written. Translations are only for display, and for
interpreting typed messages: offers, logs, agents and commands use the game's own texts.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from dataclasses import replace

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue
from negoplatform.domain.translatable_game_texts import issue_texts
from negoplatform.plugins.program_folders import bundled

DOMAIN = "negoplatform"

AGENTS_CONTEXT = "agents"
"""Context of agents' texts about themselves: descriptions, settings, debriefings."""


def load_translations(code: str) -> gettext.NullTranslations:
    """Return the catalogue of a language by its code; an empty one if there is none."""
    folder = bundled("assets") / "translations"
    return gettext.translation(DOMAIN, str(folder), [code], fallback=True)


def game_context(game: str) -> str:
    """Return the context of a game's texts, by the game's name."""
    return f"game {game}"


def singular_context(context: str) -> str:
    """Return the context of the singular of a word whose title is in the plural."""
    return f"{context}, one"


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
