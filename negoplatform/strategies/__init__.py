"""Building blocks for agents: the shipped ones are made of them, and authors may use them.

The two families of agents are the packages ``strategies.expressive`` and ``strategies.negochat``.
"""

from negoplatform.strategies.conversation_helpers import ASKS, Sentences, is_asked, time_left
from negoplatform.strategies.issue_importance_orderings import Ordering, Orderings

__all__ = [
    "ASKS",
    "Ordering",
    "Orderings",
    "Sentences",
    "is_asked",
    "time_left",
]
