"""Published data of the job candidate domain: types, thresholds, orders of issues, averages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.strategies.negochat.belief import PRECISION, OpponentType
from negoplatform.strategies.negochat.bid_space import BidSpace, BidUtility
from negoplatform.strategies.negochat.bid_thresholds import ThresholdTable


@dataclass(frozen=True, slots=True)
class PublishedJobCandidate:
    """Published data of one role of the job candidate domain.

    Args:
        role: The own role. The original's agents did not agree on whose role chooses the tables.
        space: The bids.
    """

    role: str
    space: BidSpace

    @classmethod
    def for_space(cls, space: BidSpace) -> PublishedJobCandidate | None:
        """Return the published data of the own seat of a game; None if it is another game."""
        game = space.game
        data = load_job_candidate()
        fits = set(game.seats) == set(data["types"]) and _issues(game) == data["issues"]
        return cls(space.seat, space) if fits else None

    @property
    def other_role(self) -> str:
        """Role of the other side."""
        (other,) = (str(role) for role in load_job_candidate()["types"] if role != self.role)
        return other

    @property
    def type_names(self) -> list[str]:
        """Names of the other side's possible types."""
        return list(load_job_candidate()["types"][self.other_role])

    def types(self, precision: float = PRECISION) -> list[OpponentType]:
        """Return the other side's possible types."""
        effect = load_job_candidate()["time_effect"][self.other_role]
        return [
            OpponentType(name, self.utility(self.other_role, name), precision, effect)
            for name in self.type_names
        ]

    def utility(self, role: str, name: str) -> BidUtility:
        """Return the utility of bids for a type of a role."""
        tables = load_job_candidate()["types"][role][name]
        space = self.space

        def part(issue: int, level: int) -> int:
            weight, *worths = tables[space.name(issue)]
            points: int = weight * worths[level]
            return points

        return BidUtility(space, part)

    def thresholds(self, own: BidUtility) -> ThresholdTable | None:
        """Return the thresholds of the own role; None if they were made for other own points."""
        data = load_job_candidate()
        made_for = self.utility(self.role, data["own_type"])
        if any(abs(a - b) > 1e-6 for a, b in zip(own.values, made_for.values, strict=True)):
            return None
        rows = [data["thresholds"][self.role][name] for name in self.type_names]
        return ThresholdTable(rows, data["gap"], data["rounding"])

    def order(self, culture: str) -> list[int]:
        """Return the issues in the order in which people of a culture settle them."""
        return [self.space.issue(name) for name in load_job_candidate()["aspirations"][culture]]

    def averages(self, name: str) -> dict[int, float] | None:
        """Return the average points of each issue against a type, before weights; None if not published."""
        found = load_job_candidate()["averages"].get(self.role, {}).get(name)
        return found and {self.space.issue(issue): worth for issue, worth in found.items()}

    def weight(self, issue: int) -> float:
        """Return the weight of an issue's average in points."""
        data = load_job_candidate()
        weight: float = data["types"][self.role][data["own_type"]][self.space.name(issue)][0]
        return weight


@cache
def load_job_candidate() -> dict[str, Any]:
    """Return the published figures; read once."""
    file = resources.files("negoplatform.strategies.negochat") / "data" / "job_candidate.json"
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def _issues(game: GameSpec) -> dict[str, list[str]]:
    return {
        issue.name: list(issue.values) if isinstance(issue, CategoricalIssue) else [] for issue in game.issues
    }
