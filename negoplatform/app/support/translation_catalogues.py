"""Translation catalogues: the window's texts, and the texts of the shipped games and agents.

A game's text is looked up by the game's name and the text itself, so another author's game, or a
shipped one whose text was changed, is shown as it is written. Translations are only for display, and for
interpreting typed messages: offers, logs, agents and commands use the game's own texts.
"""

from __future__ import annotations

import gettext

from negoplatform.plugins.program_and_user_folders import bundled

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
