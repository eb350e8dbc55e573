"""Agents of the IAGO family: four policies, and the agent that they make."""

from negoplatform.strategies.expressive.agent import ExpressiveAgent
from negoplatform.strategies.expressive.agent_state import ExpressiveAgentState, Policies
from negoplatform.strategies.expressive.behaviour import Behaviour
from negoplatform.strategies.expressive.disclosure import LyingWords, PlainWords
from negoplatform.strategies.expressive.emotion_policy import Faces, StoneFace
from negoplatform.strategies.expressive.favour_ledger import FavourPolicy, Ledger
from negoplatform.strategies.expressive.offer_policies import (
    BuildingOffers,
    CompetitiveOffers,
    ConcedingOffers,
)

__all__ = [
    "Behaviour",
    "BuildingOffers",
    "CompetitiveOffers",
    "ConcedingOffers",
    "ExpressiveAgent",
    "ExpressiveAgentState",
    "Faces",
    "FavourPolicy",
    "Ledger",
    "LyingWords",
    "PlainWords",
    "Policies",
    "StoneFace",
]
