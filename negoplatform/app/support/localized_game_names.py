"""Translated texts of a shipped game: names as synonyms for the parser, and what an agent says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from negoplatform.app.support.translation_catalogues import (
    game_context,
    load_spoken_forms,
    load_translations,
    singular_context,
)
from negoplatform.domain.briefing import Briefing, Sentences
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import issue_texts
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.seat_map import Seat

K = TypeVar("K")
V = TypeVar("V")


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

    They have the names that agents say too, such as "Mähwochenenden". Participants who type what they see
    are then understood, also by the other side's agent and in a replay.
    """
    shown, spoken = translated_names(game, language), load_spoken_forms(language).get(game.name, {})
    return replace(
        game, issues=tuple(_with_names(issue, shown, spoken.get(issue.name)) for issue in game.issues)
    )


def _with_names(issue: Issue, shown: Mapping[str, Sequence[str]], spoken: Any) -> Issue:
    names = _synonyms(issue.title, issue.synonyms, shown)
    match issue, spoken:
        case QuantityIssue(), {"one": one, "many": many}:
            names = (*names, *(name for name in (many, one) if name not in names))
    issue = replace(issue, synonyms=names)
    if not isinstance(issue, CategoricalIssue):
        return issue
    known = dict(issue.value_synonyms)
    phrases = spoken if isinstance(spoken, dict) and set(spoken) == set(issue.values) else {}
    for value in issue.values:
        names = _synonyms(value, known.get(value, ()), shown)
        names = (*names, *(phrase for phrase in (phrases.get(value),) if phrase and phrase not in names))
        if names:
            known[value] = names
    return replace(issue, value_synonyms=tuple(known.items()))


def _synonyms(text: str, known: tuple[str, ...], shown: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the known synonyms of a text, and the window's names for it."""
    return (*known, *(name for name in shown[text] if name not in (text, *known)))


def with_localized_talk(game: GameSpec, seat: Seat, language: str) -> GameSpec:
    """Return a game whose texts for the agent in a seat are in another language, so that it can say them.

    These are the noun phrases and titles inside its sentences, and the seat's background and reasons.
    Sentences without a translation are left out. A game that is not shipped stays as it is.

    Args:
        game: The game, with resolved profiles.
        seat: The agent's seat.
        language: The language that it speaks.
    """
    spoken, known = load_spoken_forms(language).get(game.name, {}), load_translations(language)
    context = game_context(game.name)
    if any(known.pgettext(context, issue.title) == issue.title for issue in game.issues):
        return game

    def translated_sentences(sentences: Sentences) -> Sentences:
        found = [(text, known.pgettext(context, text)) for text in sentences]
        return tuple(translated for text, translated in found if translated != text)

    briefings = game.briefings
    if (briefing := briefings.get(seat)) is not None:
        localized = Briefing(
            translated_sentences(briefing.background),
            _filled((issue, translated_sentences(reasons)) for issue, reasons in briefing.reasons),
            _filled(
                (issue, _filled((level, translated_sentences(reasons)) for level, reasons in levels))
                for issue, levels in briefing.value_reasons
            ),
        )
        briefings = briefings.with_value(seat, localized)
    issues = tuple(
        _with_spoken(issue, spoken.get(issue.name), known.pgettext(context, issue.title))
        for issue in game.issues
    )
    return replace(game, issues=issues, briefings=briefings)


def _filled(pairs: Iterable[tuple[K, V]]) -> tuple[tuple[K, V], ...]:
    """Return the pairs that have something in their second part."""
    return tuple((key, texts) for key, texts in pairs if texts)


def _with_spoken(issue: Issue, spoken: Any, title: str) -> Issue:
    """Return an issue with the noun phrases of another language; without them, agents say its title."""
    match issue, spoken:
        case QuantityIssue(), {"one": one, "many": many}:
            return replace(issue, spoken=(one, many), spoken_title=title)
        case CategoricalIssue(values=values), dict() if set(values) == set(spoken):
            return replace(issue, spoken=tuple(spoken[value] for value in values), spoken_title=title)
        case NumberIssue(), str():
            return replace(issue, spoken=spoken, spoken_title=title)
    return replace(issue, spoken_title=title)
