"""How issues are settled by words: what was found, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice, product

from negoplatform.domain.offer import Term
from negoplatform.language.reading import Doubt

PLAIN = 0.95
"""How sure a value is that words plainly name."""
UNCLEAR = 0.7
"""How sure it is at most where something is missing, or the grammar does not know enough of the words."""
_MOST_OFFERS = 6


@dataclass(slots=True)
class Found:
    """A value that a text names.

    Args:
        issue: The issue, by name.
        term: The value.
        at: The index of its mark within the sentence.
        sure: How sure it is that this is proposed.
        wanted: Whether it is proposed; False for one that is refused.
    """

    issue: str
    term: Term
    at: int
    sure: float = PLAIN
    wanted: bool = True


@dataclass(slots=True)
class Settled:
    """How a text settles issues.

    Args:
        terms: Values by issue; the likeliest ones.
        choices: All values that an issue may have, where there are several.
        sure: How sure it is that the terms are meant, 0 to 1.
        doubt: What is missing, if anything.
        soft: Whether all of it is put as a wish.
        conditional: Whether a condition goes with it.
        about: The issues that are spoken of, by name, in the order of the words.
    """

    terms: dict[str, Term] = field(default_factory=dict)
    choices: dict[str, list[Term]] = field(default_factory=dict)
    sure: float = 1.0
    doubt: Doubt | None = None
    soft: bool = False
    conditional: bool = False
    about: tuple[str, ...] = ()

    def unsure(self, most: float, doubt: Doubt | None = None) -> None:
        """Makes it at most so sure; the first doubt stays."""
        self.sure = min(self.sure, most)
        self.doubt = self.doubt or doubt

    def alternatives(self) -> list[dict[str, Term]]:
        """All that the words may mean, the likeliest first; one without choices."""
        names = [name for name in self.terms if len(self.choices.get(name, ())) > 1]
        some = islice(product(*(self.choices[name] for name in names)), _MOST_OFFERS)
        return [self.terms | dict(zip(names, picked, strict=True)) for picked in some]
