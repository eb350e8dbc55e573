"""Translation catalogues: the window's texts, and the texts of the shipped games and agents.

A game's text is looked up by the game's name and the text itself, so another author's game, or a
shipped one whose text was changed, is shown as it is written. Translations are only for display, and for
interpreting typed messages: offers, logs, agents and commands use the game's own texts.
"""

from __future__ import annotations

import gettext
import json
from collections.abc import Mapping
from typing import Any

from negoplatform.plugins.program_and_user_folders import bundled

DOMAIN = "negoplatform"

SPOKEN_FORMS = "spoken.json"
"""File in the folder of a language with the noun phrases of the shipped games: by game and issue, as in a
game's file."""

AGENTS_CONTEXT = "agents"
"""Context of agents' texts about themselves: descriptions, settings, debriefings."""


def load_translations(code: str) -> gettext.NullTranslations:
    """Return the catalogue of a language by its code; an empty one if there is none."""
    folder = bundled("assets") / "translations"
    return gettext.translation(DOMAIN, str(folder), [code], fallback=True)


def load_spoken_forms(code: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the noun phrases of the shipped games in a language; none if it has no such file."""
    path = bundled("assets") / "translations" / code / SPOKEN_FORMS
    forms: dict[str, dict[str, Any]] = json.loads(path.read_bytes()) if path.exists() else {}
    return forms


def game_context(game: str) -> str:
    """Return the context of a game's texts, by the game's name."""
    return f"game {game}"


def singular_context(context: str) -> str:
    """Return the context of the singular of a word whose title is in the plural."""
    return f"{context}, one"
