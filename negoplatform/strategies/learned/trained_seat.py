"""Observations of a seat with the numbering of the seat that a policy was trained in."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.mechanisms.bargaining_feature_vectors import LatestTerms, TableOffer
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat_map import Seat


class TrainedSeat:
    """Seat that a policy was trained in, as seen from the one that it plays in.

    Numbers that go by seat, such as whose offer is on the table, are exchanged where the policy plays in the
    other seat of a bargaining game with two. Other games have no such numbers, or more than two seats.

    Args:
        game: The game, as the seat sees it.
        seat: The seat that the policy plays in.
        trained: The seat that it was trained in; empty if its file does not name it.
    """

    def __init__(self, game: GameSpec, seat: Seat, trained: Seat) -> None:
        self._names: Mapping[str, str] = {}
        self._game = game
        is_other = trained in game.seats and trained != seat
        self.is_incompatible = is_other and game.mechanism == BARGAINING and len(game.seats) > 2
        """Whether the numbers mean something else here than in training."""
        if is_other and len(game.seats) == 2:
            self._names = {trained: seat, seat: trained}

    def vector(self, observation: Observation) -> array[float]:
        """Return an observation's numbers as they would be in the seat of the training."""
        if not self._names:
            return observation.vector()
        others = {
            self._names.get(owner, owner): self._exchanged(features)
            for owner, features in observation.global_info.items()
        }
        return Observation(self._exchanged(observation.local), others, observation.timestamp).vector()

    def _exchanged(self, features: Mapping[str, array[float]]) -> dict[str, array[float]]:
        found = dict(features)
        if self._game.mechanism != BARGAINING:
            return found
        for name, before in ((LatestTerms.feature_name, 0), (TableOffer.feature_name, 1)):
            if name in found:
                found[name] = self._with_exchanged_units(found[name], before)
        if TableOffer.feature_name in found:
            table = found[TableOffer.feature_name]
            if table[0] >= 0:
                table[0] = 1 - table[0]
            table[-2], table[-1] = table[-1], table[-2]
        return found

    def _with_exchanged_units(self, numbers: array[float], before: int) -> array[float]:
        """Return numbers with the units of both seats exchanged; the terms follow what each issue names."""
        found = array("f", numbers)
        at = before + len(self._game.issues)
        for issue in self._game.issues:
            if isinstance(issue, QuantityIssue):
                found[at], found[at + 1] = found[at + 1], found[at]
                at += 3
            else:
                at += 1
        return found
