"""One thing that an author ought to know about a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import GameSpec, Profile
from negoplatform.domain.seat import Seat


class FindingKind(StrEnum):
    """How serious a finding is."""

    WARNING = "warning"
    """Probably not meant, such as a seat that no deal can satisfy."""
    NOTE = "note"
    """A property of the game that its author may want or not."""


@dataclass(frozen=True, slots=True)
class GameFinding:
    """A finding.

    Args:
        kind: How serious it is.
        place: Where in the file, such as ``seats.human.preferences``; or the combination of profiles that it
            is about, such as ``employer short_term, candidate compromise``; empty where it is the whole game.
        text: The finding, in one sentence or two.
    """

    kind: FindingKind
    place: str
    text: str


def note(place: str, text: str) -> GameFinding:
    """A note."""
    return GameFinding(FindingKind.NOTE, place, text)


def warning(place: str, text: str) -> GameFinding:
    """A warning."""
    return GameFinding(FindingKind.WARNING, place, text)


SeatProfiles = Mapping[Seat, tuple[Profile, ...]]
"""The preferences that each seat may come to play with: its profiles, or one without a name."""


def seat_profiles(game: GameSpec) -> SeatProfiles:
    """What each seat may come to play with.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game.
    """
    for seat in game.seats:
        if seat not in game.preferences:
            raise NotVisible(
                f"The preferences of {seat} are hidden here, and a game is checked with those of every seat; "
                f"check the game file itself."
            )
    return {seat: game.profiles.get(seat) or (Profile("", game.preferences[seat]),) for seat in game.seats}


def preferences_path(seat: Seat, profile: Profile) -> str:
    """Where a profile's preferences stand in the file."""
    within = f"profiles.{profile.name}." if profile.name else ""
    return f"seats.{seat}.{within}preferences"
