"""Where a key comes from: the environment, or the system's key ring; never a file of ours."""

from __future__ import annotations

import contextlib
import os
import re

KEY_NAME_PATTERN = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY")
"""Names that a setting may give: so a file of settings cannot have other secrets sent somewhere."""

KEYRING_SERVICE = "NegoPlatform"
"""What the key ring calls us: ``keyring set NegoPlatform OPENAI_API_KEY``."""


def find_key(variable: str) -> str:
    """A key by its name; empty if there is none.

    Args:
        variable: The environment variable; if it is not set, the entry in the key ring. An agent's process
            reaches no key ring: the program looks there for it, and sets the variable.
    """
    if not variable:
        return ""
    told = os.environ.get(variable)
    if told is not None:
        return told.strip()
    # Loaded here, as it is slow and an extra. Whatever is wrong with a key ring or its lock: no key.
    with contextlib.suppress(Exception):
        import keyring

        return (keyring.get_password(KEYRING_SERVICE, variable) or "").strip()
    return ""
