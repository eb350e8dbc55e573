"""Levels of visibility, and the rule that every filter applies to them."""

from __future__ import annotations

from collections.abc import Collection

from negoplatform.domain.game import Visibility

SEAT_LEVEL = 1
"""Level of negotiators."""

PRINCIPAL_LEVEL = 2
"""Level of those who instruct a negotiator: a principal, a wizard."""

SYSTEM_LEVEL = 3
"""Level of the experimenter's own tools."""

NO_PRINCIPAL = ""
"""Principal of a seat that has none: an id that no requestor has."""


def is_visible(
    visibility: Visibility,
    requestor_id: str | None,
    requestor_level: int,
    owner_id: str,
    owner_level: int,
    *,
    upstream: str | None = None,
    allies: Collection[str] = (),
) -> bool:
    """Return whether a requestor may see an owner's data of this visibility.

    Args:
        visibility: The declared visibility.
        requestor_id: The requestor; None without a name.
        requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
        owner_id: The owner.
        owner_level: The owner's level.
        upstream: The owner's registered principal; None: any requestor one level above.
        allies: The other members of the owner's team.
    """
    match visibility:
        case Visibility.PUBLIC:
            return True
        case Visibility.OWNER:
            return requestor_id == owner_id
        case Visibility.UPPER_LEVEL:
            return requestor_level == owner_level + 1 and upstream in (None, requestor_id)
        case Visibility.TEAM:
            return requestor_id == owner_id or requestor_id in allies
        case Visibility.SYSTEM:
            return requestor_level >= SYSTEM_LEVEL
