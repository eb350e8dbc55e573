"""Findings about the texts of a game that people read and agents say: what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from negoplatform.analysis.games.game_finding import GameFinding, SeatProfiles, note
from negoplatform.domain.briefing import NO_BRIEFING, Briefing
from negoplatform.domain.game import GameSpec

MIN_REASONS = 2
"""Number of reasons for an issue below which an agent that is asked twice has to repeat itself."""


def briefing_findings(game: GameSpec, of_seats: SeatProfiles) -> Iterator[GameFinding]:
    """Yield notes about missing backgrounds, reasons and spoken forms.

    Args:
        game: The game.
        of_seats: The possible preferences of each seat.
    """
    for seat, profiles in of_seats.items():
        own = game.briefings.get(seat, NO_BRIEFING)
        for profile in profiles:
            place = f"seats.{seat}.profiles.{profile.name}" if profile.name else f"seats.{seat}"
            who = f"{seat} ({profile.name})" if profile.name else seat
            yield from _missing_texts(game, profile.briefing.over(own), who, place)
    for issue in game.issues:
        if not issue.spoken:
            yield note(
                f"issues.{issue.name}.spoken",
                f"{issue.title} has no spoken forms, so agents say its title and values as they are.",
            )


def _missing_texts(game: GameSpec, briefing: Briefing, who: str, place: str) -> Iterator[GameFinding]:
    if not briefing.background:
        yield note(f"{place}.background", f"There is no background, so {who} has nothing to say of itself.")
    without = [issue.title for issue in game.issues if not briefing.reasons_of(issue.name)]
    few = [issue.title for issue in game.issues if 0 < len(briefing.reasons_of(issue.name)) < MIN_REASONS]
    if without:
        which = "any issue" if len(without) == len(game.issues) else ", ".join(without)
        yield note(f"{place}.reasons", f"Asked why, {who} has no reasons for {which}.")
    if few:
        yield note(
            f"{place}.reasons",
            f"Asked why twice, {who} repeats itself: there is a single reason for {', '.join(few)}.",
        )
