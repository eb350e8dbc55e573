"""Protocols: ways in which one decision becomes instructions for several members.

A protocol gets the decision of the coordinator and what is known of each member, and returns a message and
an action for each. Members without a coordinator use the same interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import ROUND_DOWN, Decimal
from typing import Any

from negoplatform.domain.command_settings import ProtocolKind, ProtocolSettings, Split, TeamAcceptance
from negoplatform.domain.errors import NegoError

Messages = dict[str, dict[str, Any]]
"""Message of each member; JSON values."""

MemberActions = dict[str, Any]
"""Action of each member."""

Shares = Callable[[float, Mapping[str, Mapping[str, Any]]], Mapping[str, float]]
"""Own rule for splitting a total: from the total and what is known of each member to its share."""

SPLIT_KEY = "budget"
"""Value of a mandate that a vertical protocol splits; all other values go to each member as they are."""

PLACES = Decimal("0.000001")
"""Smallest part of a split value that is no whole number."""


class Protocol(ABC):
    """Way in which a decision becomes messages and actions of members."""

    @abstractmethod
    def coordinate(
        self,
        coordinator_state: Any,
        coordinator_action: Any,
        info_for_subordinates: Mapping[str, Mapping[str, Any]],
        context: Mapping[str, Any],
    ) -> tuple[Messages, MemberActions]:
        """Return the messages and the actions of the members.

        Args:
            coordinator_state: What the coordinator knows itself; None without a coordinator.
            coordinator_action: The coordinator's decision; None: it has made none.
            info_for_subordinates: What is known of each member, by name, in order.
            context: Further values.

        Raises:
            NegoError: If the decision cannot be turned into actions of these members; a sentence.
        """


class NoProtocol(Protocol):
    """Protocol of members who act independently: no messages and no actions."""

    def coordinate(
        self,
        coordinator_state: Any,  # noqa: ARG002 - that of every protocol
        coordinator_action: Any,  # noqa: ARG002 - likewise
        info_for_subordinates: Mapping[str, Mapping[str, Any]],  # noqa: ARG002 - likewise
        context: Mapping[str, Any],  # noqa: ARG002 - likewise
    ) -> tuple[Messages, MemberActions]:
        """Return nothing."""
        return {}, {}


class VerticalProtocol(Protocol):
    """Protocol in which the coordinator's decision is split among the members.

    A list is cut into one part per member, by their ``action_size`` (1 unless known). Of a mandate, which is
    an object, the value ``budget`` is split and everything else goes to each member as it is. The parts of a
    budget add up to it exactly; those of a whole number are whole numbers.

    Args:
        split: ``equal``; ``proportional`` to each member's ``weight``, or else its ``budget``, or else its
            ``action_size``; or a function from the total and the members' information to their shares, whose
            results are scaled to the total.
    """

    def __init__(self, split: Split | str | Shares = Split.EQUAL) -> None:
        self._split = Split(split) if isinstance(split, str) else split

    def coordinate(
        self,
        coordinator_state: Any,  # noqa: ARG002 - that of every protocol
        coordinator_action: Any,
        info_for_subordinates: Mapping[str, Mapping[str, Any]],
        context: Mapping[str, Any],  # noqa: ARG002 - likewise
    ) -> tuple[Messages, MemberActions]:
        """Return each member's part, as its message (a mandate) or its action (a vector).

        Raises:
            NegoError: If the decision is neither, or does not fit the members; a sentence.
        """
        if coordinator_action is None or not info_for_subordinates:
            return {}, {}
        if isinstance(coordinator_action, Mapping):
            return self._mandates(coordinator_action, info_for_subordinates), {}
        return {}, self._vectors(coordinator_action, info_for_subordinates)

    def _mandates(self, mandate: Mapping[str, Any], members: Mapping[str, Mapping[str, Any]]) -> Messages:
        if SPLIT_KEY not in mandate:
            return {name: dict(mandate) for name in members}
        total = mandate[SPLIT_KEY]
        if isinstance(total, bool) or not isinstance(total, int | float):
            raise NegoError(f"A budget that is split is a number, not {total!r:.60}.")
        parts = split_exactly(total, self._shares(total, members))
        return {name: {**mandate, SPLIT_KEY: parts[name]} for name in members}

    def _shares(self, total: float, members: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
        if isinstance(self._split, Split):
            equal = self._split is Split.EQUAL
            return {name: 1.0 if equal else _weight(known) for name, known in members.items()}
        found = self._split(total, members)
        return {name: float(found.get(name, 0.0)) for name in members}

    def _vectors(self, vector: Any, members: Mapping[str, Mapping[str, Any]]) -> MemberActions:
        if not isinstance(vector, Sequence) or isinstance(vector, str | bytes):
            raise NegoError(
                f"A vertical protocol splits a mandate or a list of numbers, not {type(vector).__name__}."
            )
        sizes = {name: int(known.get("action_size", 1)) for name, known in members.items()}
        if min(sizes.values()) < 0 or sum(sizes.values()) != len(vector):
            needed = ", ".join(f"{name} {size}" for name, size in sizes.items())
            raise NegoError(f"The members take {needed} numbers, and the decision has {len(vector)}.")
        actions, at = {}, 0
        for name, size in sizes.items():
            actions[name], at = list(vector[at : at + size]), at + size
        return actions


def _weight(known: Mapping[str, Any]) -> float:
    for key in ("weight", SPLIT_KEY, "action_size"):
        value = known.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    return 1.0


def split_exactly(total: float, shares: Mapping[str, float]) -> dict[str, float]:
    """Return the parts of a total in proportion to shares, which add up to it exactly.

    Largest remainder method (Hamilton): each part is rounded down to a whole unit, and the units that are
    left go to the largest remainders, of equal ones to the first. Units are whole numbers if the total is
    one, and millionths otherwise.

    Args:
        total: The total.
        shares: The shares; none below 0. Equal ones if all are 0.

    Raises:
        NegoError: If a share is below 0 or no number; a sentence.
    """
    for name, share in shares.items():
        if not share >= 0 or share == float("inf"):
            raise NegoError(f"The share of {name} is a number from 0 up, not {share!r}.")
    if not shares:
        return {}
    exact = {name: Decimal(repr(float(share))) for name, share in shares.items()}
    weight = sum(exact.values())
    if not weight:
        exact, weight = dict.fromkeys(exact, Decimal(1)), Decimal(len(exact))
    whole = isinstance(total, int)
    unit = Decimal(1) if whole else PLACES
    amount = Decimal(total) if whole else Decimal(repr(total))
    wanted = {name: amount * share / weight for name, share in exact.items()}
    parts = {name: part.quantize(unit, ROUND_DOWN) for name, part in wanted.items()}
    left = amount - sum(parts.values())
    by_remainder = sorted(parts, key=lambda name: -abs(wanted[name] - parts[name]))
    step = unit if left >= 0 else -unit
    for name in by_remainder:
        if abs(left) < unit:
            break
        parts[name], left = parts[name] + step, left - step
    parts[by_remainder[0]] += left  # digits of a total beyond the last place
    return {name: int(part) if whole else float(part) for name, part in parts.items()}


class HorizontalProtocol(Protocol):
    """Protocol of members without a coordinator: they share what they know, and decide together.

    Args:
        share: Names of the values that each member tells its neighbours; all of them unless given.
        topology: The neighbours of each member by name; all others unless given.
        accept: The members who have to agree to an acceptance.
    """

    def __init__(
        self,
        share: Collection[str] | None = None,
        topology: Mapping[str, Collection[str]] | None = None,
        accept: TeamAcceptance | str = TeamAcceptance.MAJORITY,
    ) -> None:
        self._share = None if share is None else frozenset(share)
        self._topology = topology
        self.accept = TeamAcceptance(accept)

    def coordinate(
        self,
        coordinator_state: Any,  # noqa: ARG002 - that of every protocol
        coordinator_action: Any,
        info_for_subordinates: Mapping[str, Mapping[str, Any]],
        context: Mapping[str, Any],
    ) -> tuple[Messages, MemberActions]:
        """Return what each member is told by its neighbours, and the common action of all, if there is one.

        Args:
            coordinator_state: Not used.
            coordinator_action: The action on which the members vote; None: there is none.
            info_for_subordinates: What each member knows.
            context: Under ``votes``, whether each member agrees to the action; who is missing does not.

        Returns:
            The shared values by member and neighbour, and the action for every member if enough agree.
        """
        members = info_for_subordinates
        messages: Messages = {}
        for name in members:
            told = {
                other: self._shared(known) for other, known in members.items() if self._tells(other, name)
            }
            if told:
                messages[name] = told
        if coordinator_action is None or not self.agrees(members, context.get("votes", {})):
            return messages, {}
        return messages, dict.fromkeys(members, coordinator_action)

    def agrees(self, members: Collection[str], votes: Mapping[str, bool]) -> bool:
        """Return whether enough of the members agree.

        Args:
            members: The members.
            votes: Whether each one agrees; who is missing does not.
        """
        return enough_agree(self.accept, sum(votes.get(name) is True for name in members), len(members))

    def _tells(self, sender: str, recipient: str) -> bool:
        if sender == recipient:
            return False
        return self._topology is None or sender in self._topology.get(recipient, ())

    def _shared(self, known: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in known.items() if self._share is None or key in self._share}


def enough_agree(accept: TeamAcceptance, agreeing: int, members: int) -> bool:
    """Return whether enough of some members agree: one, more than half of them, or all."""
    match accept:
        case TeamAcceptance.ANY:
            return agreeing > 0
        case TeamAcceptance.MAJORITY:
            return 2 * agreeing > members
        case TeamAcceptance.UNANIMOUS:
            return members > 0 and agreeing == members


def protocol_of(settings: ProtocolSettings) -> Protocol:
    """Return the protocol that a game's file sets."""
    match settings.kind:
        case ProtocolKind.NONE:
            return NoProtocol()
        case ProtocolKind.VERTICAL:
            return VerticalProtocol(settings.split)
        case ProtocolKind.HORIZONTAL:
            return HorizontalProtocol()
