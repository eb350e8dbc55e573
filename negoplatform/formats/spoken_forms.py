"""Noun phrases in a file with which the terms of an issue are said inside a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import AfterValidator, Field

from negoplatform.formats.strict_json import StrictModel

VALUE_SLOT = "{value}"
"""Slot of the number in the noun phrase of a number issue."""


def _phrase(text: str) -> str:
    if not text.strip():
        raise ValueError("the text must not be empty")
    return text


def _number_phrase(text: str) -> str:
    if text.count(VALUE_SLOT) != 1 or set(text.replace(VALUE_SLOT, "")) & set("{}"):
        raise ValueError(f"the number's place is written {VALUE_SLOT}, once, and without other braces")
    return text


Phrase = Annotated[str, Field(max_length=80), AfterValidator(_phrase)]
NumberPhrase = Annotated[str, Field(max_length=80), AfterValidator(_number_phrase)]


class SpokenUnitsModel(StrictModel):
    """Noun phrases of one unit of a quantity issue, and of several."""

    one: Phrase
    many: Phrase


def spoken_values(spoken: Mapping[str, str], values: Iterable[str]) -> tuple[str, ...]:
    """Return the phrases in the order of the values; none if none is given.

    Raises:
        ValueError: If some values have a phrase and others do not, or two have the same.
    """
    there = list(values)
    for value in spoken:
        if value not in there:
            raise ValueError(f"there is a spoken form for {value!r}, which is none of the values")
    for value in there if spoken else ():
        if value not in spoken:
            raise ValueError(f"the value {value!r} has no spoken form, but others have; give all of them one")
    phrases = tuple(spoken[value] for value in there) if spoken else ()
    if len({phrase.casefold() for phrase in phrases}) < len(phrases):
        raise ValueError("two values have the same spoken form, so they could not be told apart")
    return phrases
