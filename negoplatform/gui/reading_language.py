"""The language that typed words are read in. No Tk."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue
from negoplatform.gui.language import Language
from negoplatform.language.vocabulary import understanding_data


@cache
def is_read(language: str) -> bool:
    """Return whether typed words of a language are read at all."""
    try:
        understanding_data(language, "vocabulary")
    except NegoError:
        return False
    return True


def with_shown_names(game: GameSpec, say: Language) -> GameSpec:
    """Return a game whose issues and values are also known by the names that the window shows."""
    return replace(game, issues=tuple(_with_names(issue, say) for issue in game.issues))


def _with_names(issue: Issue, say: Language) -> Issue:
    shown = say(issue.title)
    if shown not in (issue.title, *issue.synonyms):
        issue = replace(issue, synonyms=(*issue.synonyms, shown))
    if not isinstance(issue, CategoricalIssue):
        return issue
    known = dict(issue.value_synonyms)
    for value in issue.values:
        shown = say(value)
        if shown not in (value, *known.get(value, ())):
            known[value] = (*known.get(value, ()), shown)
    return replace(issue, value_synonyms=tuple(known.items()))
