"""Agents of the IAGO family: four policies, and the agent that they make."""

from negoplatform.strategies.expressive.agent import ExpressiveAgent
from negoplatform.strategies.expressive.behaviour import Behaviour
from negoplatform.strategies.expressive.faces import Faces, StoneFace
from negoplatform.strategies.expressive.ledger import Ledger, Way
from negoplatform.strategies.expressive.mind import Mind, Policies
from negoplatform.strategies.expressive.offers import BuildingOffers, CompetitiveOffers, ConcedingOffers
from negoplatform.strategies.expressive.wording import LyingWords, PlainWords

__all__ = [
    "Behaviour",
    "BuildingOffers",
    "CompetitiveOffers",
    "ConcedingOffers",
    "ExpressiveAgent",
    "Faces",
    "Ledger",
    "LyingWords",
    "Mind",
    "PlainWords",
    "Policies",
    "StoneFace",
    "Way",
]
