"""Parser of typed messages, and in ``generation`` the sentences of agents.

``parse(text, context)`` is the only way into the parser: its modules are private to this package. Another
parser implements ``Parser`` and is passed where ``parse`` is the default. ``find_topics(text, context)``
finds what a text asks or remarks besides, and ``find_addressees(text, context)`` whom it addresses by name.
"""

from negoplatform.language.addressees import NOBODY, find_addressees
from negoplatform.language.parsing.dialogue_context import (
    MAX_HISTORY,
    DialogueContext,
    DialogueTurn,
    dialogue_context,
)
from negoplatform.language.parsing.interpretation import (
    CONFIDENCE_THRESHOLD,
    Ambiguity,
    AnnotationKind,
    DialogueAct,
    Interpretation,
    Need,
    TextAnnotation,
)
from negoplatform.language.parsing.parser import Parser, parse, parse_message
from negoplatform.language.parsing.seats.seat_mentions import Address
from negoplatform.language.parsing.words.language_vocabulary import is_language_parsed
from negoplatform.language.talk_topics import Topic, TopicMention, find_topics

__all__ = [
    "CONFIDENCE_THRESHOLD",
    "MAX_HISTORY",
    "NOBODY",
    "Address",
    "Ambiguity",
    "AnnotationKind",
    "DialogueAct",
    "DialogueContext",
    "DialogueTurn",
    "Interpretation",
    "Need",
    "Parser",
    "TextAnnotation",
    "Topic",
    "TopicMention",
    "dialogue_context",
    "find_addressees",
    "find_topics",
    "is_language_parsed",
    "parse",
    "parse_message",
]
