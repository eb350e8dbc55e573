"""Version of the agent API, and whether an agent that was made for another one can be used.

docs/plugins.md has the promise and the table of versions.
"""

from __future__ import annotations

import re

API_VERSION = (1, 6)
"""Major and minor version. The minor goes up when something is added, the major when something stops working.
"""

VERSION_PATTERN = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}", re.ASCII)
"""Pattern of a version as authors write it, such as 1.2."""

VERSION_CONSTANT = "AGENT_API_VERSION"
"""Constant of an agent's file with the version that it was made for."""


def format_version(version: tuple[int, int] = API_VERSION) -> str:
    """Return a version as authors write it."""
    return f"{version[0]}.{version[1]}"


def incompatibility_reason(made_for: str) -> str:
    """Return why an agent that was made for a version of the API cannot be used here.

    Args:
        made_for: The version, such as "1.1".

    Returns:
        The end of a sentence, without a full stop; empty: it can be used.
    """
    if not VERSION_PATTERN.fullmatch(made_for):
        return f'the version of the agent API is written like "{format_version()}", not {made_for!r:.60}'
    major, minor = map(int, made_for.split("."))
    if (major, minor) > API_VERSION:
        return (
            f"it needs a newer NegoPlatform (agent API {major}.{minor}, this one has {format_version()}); "
            "update NegoPlatform, or ask for a version of the agent that was made for this one"
        )
    if major < API_VERSION[0]:
        return (
            f"it was made for the agent API {major}.{minor}, and what it builds on has changed since (this "
            f"NegoPlatform has {format_version()}); ask its author for a newer version"
        )
    return ""
