"""Sentences of agents: templates, and offers, terms and figures in words."""

from negoplatform.language.generation.offer_requests import (
    ShownNames,
    read_requested_terms,
    requested_terms_in_words,
)
from negoplatform.language.generation.offer_verbalizer import (
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
from negoplatform.language.generation.templates import (
    VOICES,
    Templates,
    Voice,
    Words,
    called,
    languages,
    templates,
)

__all__ = [
    "VOICES",
    "Forms",
    "ShownNames",
    "Templates",
    "Voice",
    "Words",
    "called",
    "forms",
    "languages",
    "list_in_words",
    "number_in_words",
    "offer_in_words",
    "points_in_words",
    "read_requested_terms",
    "requested_terms_in_words",
    "templates",
    "term_in_words",
    "time_in_words",
    "title_in_words",
    "units_in_words",
    "value_in_words",
]
