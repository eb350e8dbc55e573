"""Settings of a team of agents behind one seat, and the votes of any team."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.command_settings import TeamAcceptance
from negoplatform.domain.errors import AgentError

LEAST_MEMBERS, MOST_MEMBERS = 2, 5
"""Number of agents of a team behind one seat."""


class JoinedOffers(StrEnum):
    """Way in which a team of agents makes one offer out of those of its members."""

    ROTATE = "rotate"
    """The members' offers in turn."""
    AVERAGE = "average"
    """The average of the complete offers that the members want to make at the same time."""


@dataclass(frozen=True, slots=True)
class AgentTeamSettings:
    """Settings of a team of agents.

    Args:
        offers: The way in which its offers are made.
        accept: The members who have to agree before it accepts an offer or walks away.
        speaker: Index of the member whose messages and expressions it sends.
    """

    offers: JoinedOffers = JoinedOffers.ROTATE
    accept: TeamAcceptance = TeamAcceptance.MAJORITY
    speaker: int = 0


class TeamMemberError(AgentError):
    """Raised in a member of a team of agents while other members go on."""
