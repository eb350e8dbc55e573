"""Findings about a game's design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.errors import NegoError, NotVisible
from negoplatform.domain.game import GameSpec, Profile
from negoplatform.domain.seat_map import Seat


class FindingKind(StrEnum):
    """Severity of a finding."""

    WARNING = "warning"
    """Probably unintended, such as a seat that no deal can satisfy."""
    NOTE = "note"
    """Property of the game that its author may or may not want."""


@dataclass(frozen=True, slots=True)
class GameFinding:
    """Finding about a game.

    Args:
        kind: The severity.
        place: The place in the file, such as ``seats.human.preferences``; or the combination of profiles,
            such as ``employer short_term, candidate compromise``; empty for the whole game.
        text: The finding, in a sentence or two.
    """

    kind: FindingKind
    place: str
    text: str


def note(place: str, text: str) -> GameFinding:
    """Return a note."""
    return GameFinding(FindingKind.NOTE, place, text)


def warning(place: str, text: str) -> GameFinding:
    """Return a warning."""
    return GameFinding(FindingKind.WARNING, place, text)


SeatProfiles = Mapping[Seat, tuple[Profile, ...]]
"""Possible preferences of each seat: its profiles, or one without a name."""


def seat_profiles(game: GameSpec) -> SeatProfiles:
    """Return the possible preferences of each seat.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game.
        NegoError: If the game has no issues.
    """
    if not game.issues:
        raise NegoError(
            f"{game.name} is a game of the kind {game.mechanism}, and games of this kind are not checked; "
            "the file itself is valid."
        )
    for seat in game.seats:
        if seat not in game.preferences:
            raise NotVisible(
                f"The preferences of {seat} are hidden here, and a game is checked with those of every seat; "
                f"check the game file itself."
            )
    return {seat: game.profiles.get(seat) or (Profile("", game.preferences[seat]),) for seat in game.seats}


def preferences_path(seat: Seat, profile: Profile) -> str:
    """Return the place of a profile's preferences in the file."""
    within = f"profiles.{profile.name}." if profile.name else ""
    return f"seats.{seat}.{within}preferences"
