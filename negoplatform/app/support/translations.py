"""The translation catalogues: what the window says, and the texts of the shipped games and agents.

A game's text is looked up by the game's name and the text itself, so that a game of somebody else, or a
shipped one whose text was changed, is shown as it is written. Translations are only shown: offers, logs,
agents and commands keep the game's own texts.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping

from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_texts import issue_texts
from negoplatform.plugins.paths import bundled

DOMAIN = "negoplatform"

AGENTS_CONTEXT = "agents"
"""The context of what agents say about themselves: descriptions, settings, debriefings."""


def load_translations(code: str) -> gettext.NullTranslations:
    """Return the catalogue of a language by its code; an empty one if there is none."""
    folder = bundled("assets") / "translations"
    return gettext.translation(DOMAIN, str(folder), [code], fallback=True)


def game_context(game: str) -> str:
    """Return the context under which the texts of a game are kept, by the game's name."""
    return f"game {game}"


def singular_context(context: str) -> str:
    """Return the context of the words for one thing, of which the title names several."""
    return f"{context}, one"


def translated_names(game: GameSpec, code: str) -> Mapping[str, tuple[str, ...]]:
    """Return how a window shows the titles, values and units of a game.

    Args:
        game: A game; one that is not shipped is shown as it is written.
        code: The language, such as ``de``.

    Returns:
        By the game's own text what is shown: one word, or that for several and that for one.
    """
    known, context = load_translations(code), game_context(game.name)
    found = {}
    for issue in game.issues:
        for text in filter(None, issue_texts(issue)):
            several, one = known.pgettext(context, text), known.pgettext(singular_context(context), text)
            found[text] = (several,) if one in (text, several) else (several, one)
    return found
