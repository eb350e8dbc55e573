"""Building blocks for agents: the shipped ones are made of them, and authors may use them.

The two families of agents are the packages ``strategies.expressive`` and ``strategies.negochat``; both
speak through ``strategies.dialogue``.
"""

from negoplatform.strategies.dialogue.message_answers import ASKS
from negoplatform.strategies.dialogue.sentences import Sentences
from negoplatform.strategies.dialogue.talking_agent import is_asked
from negoplatform.strategies.issue_importance_orderings import Ordering, Orderings

__all__ = [
    "ASKS",
    "Ordering",
    "Orderings",
    "Sentences",
    "is_asked",
]
