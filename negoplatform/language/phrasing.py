"""Import path of agent API 1.0 for ``negoplatform.language.generation.verbalizer``."""

from negoplatform.language.generation.verbalizer import (
    Forms,
    forms,
    list_in_words,
    number_in_words,
    offer_in_words,
    points_in_words,
    term_in_words,
    time_in_words,
    title_in_words,
    units_in_words,
    value_in_words,
)

listed = list_in_words
"""Name of ``list_in_words`` in agent API 1.0."""

__all__ = [
    "Forms",
    "forms",
    "listed",
    "number_in_words",
    "offer_in_words",
    "points_in_words",
    "term_in_words",
    "time_in_words",
    "title_in_words",
    "units_in_words",
    "value_in_words",
]
