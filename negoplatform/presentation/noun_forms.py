"""Titles and values of issues as they stand inside a sentence. No Tk."""

from __future__ import annotations

import re

from negoplatform.presentation.i18n import Language

IRREGULAR_PLURALS = {
    "buses": "bus",
    "children": "child",
    "clothes": "clothes",
    "cookies": "cookie",
    "feet": "foot",
    "gas": "gas",
    "geese": "goose",
    "halves": "half",
    "knives": "knife",
    "leaves": "leaf",
    "loaves": "loaf",
    "men": "man",
    "mice": "mouse",
    "movies": "movie",
    "news": "news",
    "people": "person",
    "pies": "pie",
    "series": "series",
    "shelves": "shelf",
    "species": "species",
    "teeth": "tooth",
    "ties": "tie",
    "women": "woman",
}

LOWERCASE_WORDS = re.compile(
    "a|all|an|at|both|buyer|by|each|early|employee|employer|every|fast|for|from|full|half|in|landlord|last|late"
    "|new|next|no|none|of|old|on|one|only|per|seller|slow|tenant|the|this|to|until|with|within|without",
    re.IGNORECASE,
)
"""Words that are never a name, so that a value that begins with one has a small letter inside a sentence."""

LOWERCASE_GERMAN_WORDS = re.compile(
    "ab|alle|am|beide|bis|diesen|für|ganz|halb|heute|im|in|jeden|kein|keine|keinen|langsame|mit|morgen|nach"
    "|nächsten|nicht|nur|ohne|schnelle|vor|von|zum|zur",
    re.IGNORECASE,
)
"""The same in German, where nouns keep their capital."""

STEM_LENGTH = 5
"""The first letters by which two words are taken for forms of one."""

PLURAL_ENDINGS = (
    (r"(?<=[^aeiou])ies$", "y"),
    (r"(?<=ss|sh|ch|zz)es$", ""),
    (r"(?<=x)es$", ""),
    (r"(?<=[^aeiou]o)es$", ""),
    (r"(?<=[^sui])s$", ""),
)
"""Endings of plurals, and what stands in their place for one; the first that fits."""


def title_in_sentence(title: str, translate: Language) -> str:
    """Return a title as it stands inside a sentence: ``food``, and ``QA`` or ``USB keys`` as they are.

    Games speak English; in a window of another language a title stands out as it is written.
    """
    first = title.split(" ", 1)[0]
    return (
        title[:1].lower() + title[1:] if translate.code == "en" and first[1:] == first[1:].lower() else title
    )


def value_in_sentence(value: str, translate: Language) -> str:
    """Return a value as it stands inside a sentence: ``with leased car``, and ``Saturday`` as it is."""
    first = value.split(" ", 1)[0]
    if translate.code == "de":
        return value[:1].lower() + value[1:] if LOWERCASE_GERMAN_WORDS.fullmatch(first) else value
    return title_in_sentence(value, translate) if LOWERCASE_WORDS.fullmatch(first) else value


def count_text(title: str, number: float, translate: Language) -> str:
    """Return so many things in words: ``1 apple``, ``3 apples``, ``2 food``."""
    name = title_in_sentence(
        translate.translate_singular(title) if number == 1 else translate.translate_plugin_text(title),
        translate,
    )
    return f"{number} {singular(name) if number == 1 and translate.code == 'en' else name}"


def unit_for(number: float, unit: str, translate: Language) -> str:
    """Return the unit of a number: ``day`` for 1 of ``days``; ``kg``, ``USD`` and ``€`` as they are."""
    if translate.translate_plugin_text(unit) != unit:
        return translate.translate_singular(unit) if number == 1 else translate.translate_plugin_text(unit)
    is_word = re.fullmatch(r"[a-z]{4,}", unit) is not None and re.search("[aeiou]", unit) is not None
    return singular(unit) if number == 1 and is_word and translate.code == "en" else unit


def singular(name: str) -> str:
    """Return an English noun for one thing; one that is no plural stays as it is."""
    before, last = name[: len(name) - len(name.split(" ")[-1])], name.split(" ")[-1]
    if last.lower() in IRREGULAR_PLURALS:
        return before + IRREGULAR_PLURALS[last.lower()]
    for ending, one in PLURAL_ENDINGS:
        changed = re.sub(ending, one, last)
        if changed != last:
            return before + changed
    return name


def is_self_explanatory(title: str, value: str) -> bool:
    """Return whether a value names its issue, so that it can stand alone: ``With leased car``."""
    words, said = _stems(title), _stems(value)
    return bool(words) and words <= said


def _stems(text: str) -> set[str]:
    """Return the words of a text as far as they are the same in ``Clearing`` and ``Seller clears``."""
    return {word[:STEM_LENGTH] for word in re.findall(r"\w+", text.lower())}
