"""API keys from the environment or the system's key ring, never from a file of the program."""

from __future__ import annotations

import contextlib
import os
import re

KEY_NAME_PATTERN = re.compile(r"[A-Z][A-Z0-9_]{0,60}_API_KEY")
"""Names that a setting may give, so that a settings file cannot send other secrets to a service."""

KEYRING_SERVICE = "NegoPlatform"
"""The program's name in the key ring: ``keyring set NegoPlatform OPENAI_API_KEY``."""


def find_key(variable: str) -> str:
    """Return a key by its name; empty if there is none.

    Args:
        variable: The environment variable; if it is not set, the entry in the key ring. An agent's process
            cannot reach a key ring: the program looks the key up and sets the variable.
    """
    if not variable:
        return ""
    value = os.environ.get(variable)
    if value is not None:
        return value.strip()
    # Imported here: it is slow and optional. Any failure of a key ring or its lock means no key.
    with contextlib.suppress(Exception):
        import keyring

        return (keyring.get_password(KEYRING_SERVICE, variable) or "").strip()
    return ""
