"""Translation of the window's own texts."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from copy import copy
from typing import Self

from negoplatform.app.support.translation_catalogues import (
    AGENTS_CONTEXT,
    game_context,
    load_translations,
    singular_context,
)

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "he": "עברית"}
"""Languages of the window, by code, each under its own name."""

RIGHT_TO_LEFT = ("he",)

DECIMAL_COMMA_LANGUAGES = ("de",)
"""Languages with a decimal comma and a point between thousands."""

SEPARATOR_SWAP = str.maketrans(".,", ",.")


class Language:
    """Language of the window; called with an English sentence, it returns the translation.

    Messages of agents and participants are never translated; they are passed in as values. So are a game's
    own
    texts; those of a shipped game are first translated by :meth:`translate_plugin_text`.

    Args:
        code: One of :data:`LANGUAGES`.
        catalogue: Translations; sentences that it lacks stay English.
        context: Context of the texts for :meth:`translate_plugin_text`; empty if it translates none.
    """

    def __init__(self, code: str, catalogue: gettext.NullTranslations, context: str = "") -> None:
        self.code = code
        self.rtl = code in RIGHT_TO_LEFT
        self._catalogue = catalogue
        self._context = context

    @classmethod
    def load(cls, code: str) -> Self:
        """Return a language by its code; its sentences are English if it has no catalogue."""
        return cls(code, load_translations(code))

    def for_game(self, name: str) -> Self:
        """Return this language with the context of a shipped game for :meth:`translate_plugin_text`."""
        return self._with_context(game_context(name))

    def for_agents(self) -> Self:
        """Return this language with the context of the shipped agents for :meth:`translate_plugin_text`."""
        return self._with_context(AGENTS_CONTEXT)

    def translate_plugin_text(self, text: str, /) -> str:
        """Return a text of the game or agent in this language; unchanged if it is not a shipped one."""
        return self._catalogue.pgettext(self._context, text) if text and self._context else text

    def translate_singular(self, text: str, /) -> str:
        """Return the singular of a game's plural word; the plural if no singular is known."""
        one = self._catalogue.pgettext(singular_context(self._context), text)
        return self.translate_plugin_text(text) if one == text else one

    def _with_context(self, context: str) -> Self:
        other = copy(self)
        other._context = context
        return other

    def __call__(self, text: str, /, **values: object) -> str:
        """Return a sentence with ``values`` for its braces: ``translate("{name} left", name=…)``."""
        sentence = self._catalogue.gettext(text) if text else ""
        return sentence.format(**values) if values else sentence

    def localize_number(self, text: str) -> str:
        """Return a number in the language's notation: 90,000.5 is ``90.000,5`` in German."""
        return text.translate(SEPARATOR_SWAP) if self.code in DECIMAL_COMMA_LANGUAGES else text

    def plural(self, one: str, many: str, number: float, /, **values: object) -> str:
        """Return a sentence about a number: ``translate.plural("{n} point", "{n} points", 2)``.

        Numbers that are not whole, such as 2.5, take the plural; ``n`` can be given as a text.
        """
        whole = int(number) if number == int(number) else 2
        return self._catalogue.ngettext(one, many, abs(whole)).format(**{"n": number, **values})


def gettext_noop(text: str) -> str:
    """Mark a sentence for the catalogues; it is translated later, where it is used."""
    return text


ENGLISH = Language("en", gettext.NullTranslations())
"""Language of the sentences in the code."""
