"""Who may see what: the one rule that every filter asks."""

from __future__ import annotations

from negoplatform.domain.game import Visibility

SEAT_LEVEL = 1
"""Those who negotiate."""

PRINCIPAL_LEVEL = 2
"""Those who instruct a negotiator: a principal, a wizard."""

SYSTEM_LEVEL = 3
"""The experimenter's own tools."""


def is_visible(
    visibility: Visibility,
    requestor_id: str | None,
    requestor_level: int,
    owner_id: str,
    owner_level: int,
    *,
    upstream: str | None = None,
) -> bool:
    """Whether somebody may see what belongs to an owner and has this visibility.

    Args:
        visibility: What was declared.
        requestor_id: Who looks; None for somebody without a name.
        requestor_level: 1 for a seat, 2 for a principal, 3 for the system.
        owner_id: Whose it is.
        owner_level: The owner's level.
        upstream: The owner's registered principal; None: whoever is one level above.
    """
    match visibility:
        case Visibility.PUBLIC:
            return True
        case Visibility.OWNER:
            return requestor_id == owner_id
        case Visibility.UPPER_LEVEL:
            return requestor_level == owner_level + 1 and upstream in (None, requestor_id)
        case Visibility.SYSTEM:
            return requestor_level >= SYSTEM_LEVEL
