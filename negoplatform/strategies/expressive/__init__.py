"""Agents of the IAGO family: four policies, and the agent composed of them."""

from negoplatform.old_import_paths import renamed
from negoplatform.strategies.dialogue.disclosures import LyingWords, PlainWords
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel
from negoplatform.strategies.expressive.agent import ExpressiveAgent
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState, Policies
from negoplatform.strategies.expressive.emotion_policy import Faces, StoneFace
from negoplatform.strategies.expressive.fair_offers import FairOffers
from negoplatform.strategies.expressive.favour_ledger import FavourPolicy, Ledger
from negoplatform.strategies.expressive.initiative_timing import Behaviour
from negoplatform.strategies.expressive.offer_policies import (
    BuildingOffers,
    CompetitiveOffers,
    ConcedingOffers,
)
from negoplatform.strategies.expressive.policy_agent import LYING_DEBRIEFING, PolicyAgent, PolicySettings
from negoplatform.strategies.expressive.ranked_outcomes import RankedOutcomes

__all__ = [
    "LYING_DEBRIEFING",
    "Behaviour",
    "BuildingOffers",
    "CompetitiveOffers",
    "ConcedingOffers",
    "ExpressiveAgent",
    "ExpressiveAgentState",
    "ExpressiveOpponentModel",
    "Faces",
    "FairOffers",
    "FavourPolicy",
    "Ledger",
    "LyingWords",
    "PlainWords",
    "Policies",
    "PolicyAgent",
    "PolicySettings",
    "RankedOutcomes",
    "StoneFace",
]

__getattr__ = renamed(__name__)
