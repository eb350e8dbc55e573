"""The window's own words in the language of whoever reads them."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from copy import copy
from typing import Self

from negoplatform.app.support.translations import (
    AGENTS_CONTEXT,
    game_context,
    load_translations,
    singular_context,
)

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "he": "עברית"}
"""The languages that the window speaks, by code, each under its own name."""

RIGHT_TO_LEFT = ("he",)

DECIMAL_COMMA_LANGUAGES = ("de",)
"""The languages in which a comma parts decimals, and a point thousands."""

SEPARATOR_SWAP = str.maketrans(".,", ",.")


class Language:
    """A language: called with an English sentence, it says the same.

    What an agent or a participant says at the table is never translated: it is passed in as a value. So are a
    game's own texts; those of a shipped game are translated first, by :meth:`translate_plugin_text`.

    Args:
        code: One of :data:`LANGUAGES`.
        catalogue: Its sentences; those that it lacks stay English.
        context: Whose texts :meth:`translate_plugin_text` translates; empty: nobody's.
    """

    def __init__(self, code: str, catalogue: gettext.NullTranslations, context: str = "") -> None:
        self.code = code
        self.rtl = code in RIGHT_TO_LEFT
        self._catalogue = catalogue
        self._context = context

    @classmethod
    def load(cls, code: str) -> Self:
        """A language by its code; English if there is no catalogue for it."""
        return cls(code, load_translations(code))

    def for_game(self, name: str) -> Self:
        """Return the same language, whose :meth:`translate_plugin_text` translates the texts of a shipped game."""
        return self._with_context(game_context(name))

    def for_agents(self) -> Self:
        """Return the same language, whose :meth:`translate_plugin_text` translates the texts of the shipped agents."""
        return self._with_context(AGENTS_CONTEXT)

    def translate_plugin_text(self, text: str, /) -> str:
        """Return a text of the game or agent in this language; as it is written if it is no shipped one."""
        return self._catalogue.pgettext(self._context, text) if text and self._context else text

    def translate_singular(self, text: str, /) -> str:
        """Return a game's word for several things as the word for one; as for several where none is known."""
        one = self._catalogue.pgettext(singular_context(self._context), text)
        return self.translate_plugin_text(text) if one == text else one

    def _with_context(self, context: str) -> Self:
        other = copy(self)
        other._context = context
        return other

    def __call__(self, text: str, /, **values: object) -> str:
        """A sentence, with ``values`` in place of what stands in braces: ``say("{name} left", name=…)``."""
        said = self._catalogue.gettext(text) if text else ""
        return said.format(**values) if values else said

    def localize_number(self, text: str) -> str:
        """A number in figures as the language writes it: 90,000.5 is ``90.000,5`` in German."""
        return text.translate(SEPARATOR_SWAP) if self.code in DECIMAL_COMMA_LANGUAGES else text

    def plural(self, one: str, many: str, number: float, /, **values: object) -> str:
        """A sentence about a number: ``say.count("{n} point", "{n} points", 2)``.

        What is no whole number, 2.5 points, takes the plural; ``n`` may be given as a text of its own.
        """
        whole = int(number) if number == int(number) else 2
        return self._catalogue.ngettext(one, many, abs(whole)).format(**{"n": number, **values})


def gettext_noop(text: str) -> str:
    """A sentence that is translated later, where it is said: it goes into the catalogues from here."""
    return text


ENGLISH = Language("en", gettext.NullTranslations())
"""The language that the sentences in the code are written in."""
