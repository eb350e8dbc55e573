"""The window's own words in the language of whoever reads them."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from typing import Self

from negoplatform.app.folders import bundled

DOMAIN = "negoplatform"

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "he": "עברית"}
"""The languages that the window speaks, by code, each under its own name."""

RIGHT_TO_LEFT = ("he",)

COMMA_FOR_DECIMALS = ("de",)
"""The languages in which a comma parts decimals, and a point thousands."""

SWAPPED = str.maketrans(".,", ",.")


class Language:
    """A language: called with an English sentence, it says the same.

    What a game, an agent or a participant says is never translated: it is passed in as a value.

    Args:
        code: One of :data:`LANGUAGES`.
        catalogue: Its sentences; those that it lacks stay English.
    """

    def __init__(self, code: str, catalogue: gettext.NullTranslations) -> None:
        self.code = code
        self.rtl = code in RIGHT_TO_LEFT
        self._catalogue = catalogue

    @classmethod
    def load(cls, code: str) -> Self:
        """A language by its code; English if there is no catalogue for it."""
        folder = bundled("assets") / "translations"
        return cls(code, gettext.translation(DOMAIN, str(folder), [code], fallback=True))

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
