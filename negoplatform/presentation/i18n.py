"""The window's own words in the language of whoever reads them."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from copy import copy
from typing import Self

from negoplatform.app.support.translations import AGENTS, catalogue, context_of, one_of

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "he": "עברית"}
"""The languages that the window speaks, by code, each under its own name."""

RIGHT_TO_LEFT = ("he",)

COMMA_FOR_DECIMALS = ("de",)
"""The languages in which a comma parts decimals, and a point thousands."""

SWAPPED = str.maketrans(".,", ",.")


class Language:
    """A language: called with an English sentence, it says the same.

    What an agent or a participant says at the table is never translated: it is passed in as a value. So are a
    game's own texts; those of a shipped game are translated first, by :meth:`own`.

    Args:
        code: One of :data:`LANGUAGES`.
        catalogue: Its sentences; those that it lacks stay English.
        context: Whose texts :meth:`own` translates; empty: nobody's.
    """

    def __init__(self, code: str, catalogue: gettext.NullTranslations, context: str = "") -> None:
        self.code = code
        self.rtl = code in RIGHT_TO_LEFT
        self._catalogue = catalogue
        self._context = context

    @classmethod
    def load(cls, code: str) -> Self:
        """A language by its code; English if there is no catalogue for it."""
        return cls(code, catalogue(code))

    def of_game(self, name: str) -> Self:
        """Return the same language, whose :meth:`own` translates the texts of a shipped game."""
        return self._about(context_of(name))

    def of_agents(self) -> Self:
        """Return the same language, whose :meth:`own` translates the texts of the shipped agents."""
        return self._about(AGENTS)

    def own(self, text: str, /) -> str:
        """Return a text of the game or agent in this language; as it is written if it is no shipped one."""
        return self._catalogue.pgettext(self._context, text) if text and self._context else text

    def own_one(self, text: str, /) -> str:
        """Return a game's word for several things as the word for one; as for several where none is known."""
        one = self._catalogue.pgettext(one_of(self._context), text)
        return self.own(text) if one == text else one

    def _about(self, context: str) -> Self:
        other = copy(self)
        other._context = context
        return other

    def __call__(self, text: str, /, **values: object) -> str:
        """A sentence, with ``values`` in place of what stands in braces: ``say("{name} left", name=…)``."""
        said = self._catalogue.gettext(text) if text else ""
        return said.format(**values) if values else said

    def number(self, text: str) -> str:
        """A number in figures as the language writes it: 90,000.5 is ``90.000,5`` in German."""
        return text.translate(SWAPPED) if self.code in COMMA_FOR_DECIMALS else text

    def count(self, one: str, many: str, number: float, /, **values: object) -> str:
        """A sentence about a number: ``say.count("{n} point", "{n} points", 2)``.

        What is no whole number, 2.5 points, takes the plural; ``n`` may be given as a text of its own.
        """
        whole = int(number) if number == int(number) else 2
        return self._catalogue.ngettext(one, many, abs(whole)).format(**{"n": number, **values})


def mark(text: str) -> str:
    """A sentence that is translated later, where it is said: it goes into the catalogues from here."""
    return text


ENGLISH = Language("en", gettext.NullTranslations())
"""The language that the sentences in the code are written in."""
