"""Forms of issue titles and values inside a sentence. No Tk."""

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
"""Words that are never names: a value that begins with one is lowercase inside a sentence."""

LOWERCASE_GERMAN_WORDS = re.compile(
    "ab|alle|am|beide|bis|diesen|für|ganz|halb|heute|im|in|jeden|kein|keine|keinen|langsame|mit|morgen|nach"
    "|nächsten|nicht|nur|ohne|schnelle|vor|von|zum|zur",
    re.IGNORECASE,
)
"""German words that are never names; German nouns keep their capital."""

STEM_LENGTH = 5
"""Number of first letters that decide whether two words are forms of one word."""

PLURAL_ENDINGS = (
    (r"(?<=[^aeiou])ies$", "y"),
    (r"(?<=ss|sh|ch|zz)es$", ""),
    (r"(?<=x)es$", ""),
    (r"(?<=[^aeiou]o)es$", ""),
    (r"(?<=[^sui])s$", ""),
)
"""Plural endings and their replacements in the singular; the first match applies."""


def title_in_sentence(title: str, translate: Language) -> str:
    """Return a title inside a sentence: ``food``, but ``QA`` or ``USB keys`` unchanged.

    Games are in English; in a window of another language a title is kept as it is written.
    """
    first = title.split(" ", 1)[0]
    return (
        title[:1].lower() + title[1:] if translate.code == "en" and first[1:] == first[1:].lower() else title
    )


def value_in_sentence(value: str, translate: Language) -> str:
    """Return a value inside a sentence: ``with leased car``, but ``Saturday`` unchanged."""
    first = value.split(" ", 1)[0]
    if translate.code == "de":
        return value[:1].lower() + value[1:] if LOWERCASE_GERMAN_WORDS.fullmatch(first) else value
    return title_in_sentence(value, translate) if LOWERCASE_WORDS.fullmatch(first) else value


def count_text(title: str, number: float, translate: Language) -> str:
    """Return a number of things in words: ``1 apple``, ``3 apples``, ``2 food``."""
    name = title_in_sentence(
        translate.translate_singular(title) if number == 1 else translate.translate_plugin_text(title),
        translate,
    )
    return f"{number} {singular(name) if number == 1 and translate.code == 'en' else name}"


def unit_for(number: float, unit: str, translate: Language) -> str:
    """Return the unit of a number: ``day`` for 1 of ``days``; ``kg``, ``USD`` and ``€`` unchanged."""
    if translate.translate_plugin_text(unit) != unit:
        return translate.translate_singular(unit) if number == 1 else translate.translate_plugin_text(unit)
    is_word = re.fullmatch(r"[a-z]{4,}", unit) is not None and re.search("[aeiou]", unit) is not None
    return singular(unit) if number == 1 and is_word and translate.code == "en" else unit


def singular(name: str) -> str:
    """Return the singular of an English noun; a noun that is no plural is unchanged."""
    before, last = name[: len(name) - len(name.split(" ")[-1])], name.split(" ")[-1]
    if last.lower() in IRREGULAR_PLURALS:
        return before + IRREGULAR_PLURALS[last.lower()]
    for ending, one in PLURAL_ENDINGS:
        changed = re.sub(ending, one, last)
        if changed != last:
            return before + changed
    return name


def is_self_explanatory(title: str, value: str) -> bool:
    """Return whether a value includes its issue, so that it can be shown alone: ``With leased car``."""
    title_stems, value_stems = _stems(title), _stems(value)
    return bool(title_stems) and title_stems <= value_stems


def _stems(text: str) -> set[str]:
    """Return the stems of a text's words, which are equal for ``Clearing`` and ``Seller clears``."""
    return {word[:STEM_LENGTH] for word in re.findall(r"\w+", text.lower())}
