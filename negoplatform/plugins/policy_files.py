"""Files of trained policies among the agents: which files are some, and the class of their agent."""

from __future__ import annotations

import os
from pathlib import Path

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import open_regular

POLICY_SUFFIX = ".json"
"""End of the names of trained policies' files."""

MARKED_BYTES = 4_000
"""Bytes at the beginning and at the end of a policy's file, one of which names its format."""

LARGEST_POLICY = 30_000_000
"""Maximum size of a policy's file in bytes: a million numbers with all digits that Python writes."""

POLICY_MARK = b'"negoplatform.policy/'
"""Text near the beginning or the end of a policy's file."""


def is_policy_file(path: Path) -> bool:
    """Return whether a file is that of a trained policy, by its first and last bytes.

    False if it cannot be read, or is a pipe or a device.
    """
    if path.suffix != POLICY_SUFFIX or path.name.startswith(("_", ".")):
        return False
    try:
        with open_regular(path) as file:
            if POLICY_MARK in file.read(MARKED_BYTES):
                return True
            # The layers, which are long, may come first.
            file.seek(max(0, file.seek(0, os.SEEK_END) - MARKED_BYTES))
            return POLICY_MARK in file.read(MARKED_BYTES)
    except (OSError, ValueError, InputFileError):
        return False


def policy_class(path: Path, text: bytes, module: str) -> type[NegotiationAgent]:
    """Return the class of the agent that plays a policy; no code of its file is run.

    Args:
        path: The file.
        text: Its content.
        module: The name of the module that the class belongs to.

    Raises:
        NegoError: If it is no policy's.
    """
    # Few sessions have such an agent, and every agent's process imports this module.
    from negoplatform.strategies.learned.policy_agent import agent_class_of
    from negoplatform.strategies.learned.policy_file import load_policy

    return agent_class_of(load_policy(text, path), module)
