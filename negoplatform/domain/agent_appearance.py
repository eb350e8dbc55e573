"""Names and faces of agents: those of several agents at one table differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

DEFAULT_CHARACTERS = ("ariel", "jules", "kim", "mika", "noa", "robin", "rowan", "sasha", "tal")
"""Characters for other names than theirs; the same in every version, so that an agent keeps its face."""

CHARACTER_NAMES = (
    *DEFAULT_CHARACTERS,
    *("alex", "elena", "iris", "jamie", "jonas", "marco", "maya", "noor", "quinn", "sam", "viktor"),
)
"""Keys of all drawn characters. A second agent of one name becomes the first of them that is free."""


def character_key(name: str) -> str:
    """Return the key of the character for a name; always the same one, on every computer."""
    key = name.strip().casefold()
    if key in CHARACTER_NAMES:
        return key
    # Not hash(), which differs at every start.
    return DEFAULT_CHARACTERS[crc32(key.encode("utf-8", "replace")) % len(DEFAULT_CHARACTERS)]


@dataclass(frozen=True, slots=True)
class AgentAppearance:
    """Appearance of an agent to a participant.

    Args:
        name: Its name.
        face: The key of its character, or the path of its own picture.
    """

    name: str
    face: str

    @classmethod
    def of(cls, name: str, avatar: str, agent_file: Path) -> AgentAppearance:
        """Return the appearance of an agent with a name, an avatar setting (empty: none) and a file."""
        avatar = avatar.strip()
        if not avatar or avatar.casefold() in CHARACTER_NAMES:
            return cls(name, character_key(avatar or name))
        return cls(name, str(agent_file.parent / avatar))

    def equals_name_of(self, other: AgentAppearance) -> bool:
        """Return whether two agents have names that a reader cannot tell apart."""
        return self.name.strip().casefold() == other.name.strip().casefold()


def unlike_settings(
    own: AgentAppearance, taken: Collection[AgentAppearance], expected: Iterable[AgentAppearance]
) -> dict[str, str]:
    """Return the settings ``name`` and ``avatar`` that make an agent differ from others; empty if it does.

    Args:
        own: Its appearance.
        taken: The appearances of the agents in earlier seats.
        expected: The probable appearances of all agents; they are avoided, so that those in later seats can
            keep theirs.
    """
    same_name = any(own.equals_name_of(other) for other in taken)
    if not same_name and all(own.face != other.face for other in taken):
        return {}
    used, avoided = _characters(taken), _characters(expected)
    free = min((key for key in CHARACTER_NAMES if key not in used), key=lambda key: key in avoided)
    return {"name": free.title(), "avatar": free} if same_name else {"avatar": free}


def _characters(appearances: Iterable[AgentAppearance]) -> set[str]:
    return {key for other in appearances for key in (other.face, other.name.strip().casefold())}
