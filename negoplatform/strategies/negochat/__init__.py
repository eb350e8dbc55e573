"""NegoChat and its relatives: opponent types, thresholds by turn, and deals built issue by issue.

A. Rosenfeld, I. Zuckerman, E. Segal-Halevi, O. Drein and S. Kraus: "NegoChat: a chat-based negotiation
agent" (AAMAS 2014), and "NegoChat-A: a chat-based negotiation agent with bounded rationality" (Autonomous
Agents and Multi-Agent Systems 30, 2016, 60-81).
"""

from negoplatform.old_import_paths import renamed
from negoplatform.strategies.negochat.belief import Belief, OpponentType
from negoplatform.strategies.negochat.bid_space import Bid, BidSpace
from negoplatform.strategies.negochat.bid_thresholds import (
    AspirationLevels,
    PerTypeThresholds,
    QuantileThresholds,
    Thresholds,
    ThresholdTable,
)
from negoplatform.strategies.negochat.conversational_agent_base import ConversationalAgent
from negoplatform.strategies.negochat.full_offer_agent_base import FullOfferAgent
from negoplatform.strategies.negochat.full_offer_selection import BidRanking, KnowledgeBase
from negoplatform.strategies.negochat.issue_negotiation import IssueNegotiation, Move, MoveDecision
from negoplatform.strategies.negochat.negotiation_model_builder import (
    NegotiationModel,
    NegotiationModelOptions,
    build_negotiation_model,
)
from negoplatform.strategies.negochat.reply_scheduling_agent import HURRY_SECONDS, ReplySchedulingAgent
from negoplatform.strategies.negochat.response_timing import ResponseTiming

__all__ = [
    "HURRY_SECONDS",
    "AspirationLevels",
    "Belief",
    "Bid",
    "BidRanking",
    "BidSpace",
    "ConversationalAgent",
    "FullOfferAgent",
    "IssueNegotiation",
    "KnowledgeBase",
    "Move",
    "MoveDecision",
    "NegotiationModel",
    "NegotiationModelOptions",
    "OpponentType",
    "PerTypeThresholds",
    "QuantileThresholds",
    "ReplySchedulingAgent",
    "ResponseTiming",
    "ThresholdTable",
    "Thresholds",
    "build_negotiation_model",
]

__getattr__ = renamed(__name__)
