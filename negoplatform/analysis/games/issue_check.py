"""Findings about the issues of a game: dominated terms, and issues without an effect on utility."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from negoplatform.analysis.games.game_finding import GameFinding, SeatProfiles, note, warning
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.solutions.frontier import unit_allocations
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points

MAX_COMPARED_TERMS = 2_000
"""Maximum number of an issue's terms that are compared one by one."""

MAX_LISTED_TERMS = 6
"""Maximum number of dominated terms of an issue that are listed; of more, the number and an example are."""


@dataclass(frozen=True, slots=True)
class _SeatIssueTable:
    """Utilities of one issue's terms for one seat with one of its possible profiles."""

    seat: Seat
    profile: str
    table: Mapping[object, Points]


@dataclass(frozen=True, slots=True)
class _RatedTerm:
    """Terms of an issue, with their utility for every seat and profile."""

    text: str
    worth: tuple[Points, ...]

    def dominates(self, other: _RatedTerm) -> bool:
        """Return whether these terms are better for some and worse for none."""
        return self.worth != other.worth and all(
            mine >= theirs for mine, theirs in zip(self.worth, other.worth, strict=True)
        )


def issue_findings(game: GameSpec, of_seats: SeatProfiles) -> Iterator[GameFinding]:
    """Yield the findings about every issue, for all profiles of the seats.

    A term is *dominated* if another of the same issue is never worse and sometimes better, for every seat
    with each of its profiles. Issues that interact with others are left out: their terms have no separate
    utility.
    """
    interacting = _interacting(of_seats)
    for issue in game.issues:
        interests = list(_seat_issue_tables(issue.name, of_seats))
        place = f"issues.{issue.name}"
        if issue.name in interacting:
            yield note(
                place,
                f"{issue.title} and other issues interact, so its values are not compared one by one.",
            )
            continue
        yield from _indifference_findings(issue, interests, place)
        if issue.count(game.seats) > MAX_COMPARED_TERMS:
            yield note(
                place,
                f"{issue.title} can be settled in more than {MAX_COMPARED_TERMS:,} ways, "
                "too many to compare.",
            )
        else:
            yield from _dominance_findings(issue, _terms(issue, game.seats, interests), place)


def _interacting(of_seats: SeatProfiles) -> set[str]:
    return {
        issue
        for profiles in of_seats.values()
        for profile in profiles
        if isinstance(profile.preferences.utility, InteractionUtility)
        for interaction in profile.preferences.utility.interactions
        for issue, _ in interaction.when
    }


def _seat_issue_tables(issue: str, of_seats: SeatProfiles) -> Iterator[_SeatIssueTable]:
    for seat, profiles in of_seats.items():
        for profile in profiles:
            utility = profile.preferences.utility
            if isinstance(utility, AdditiveUtility | InteractionUtility):
                yield _SeatIssueTable(seat, profile.name, utility.additive.tables[issue])


def _indifference_findings(
    issue: Issue, interests: Sequence[_SeatIssueTable], place: str
) -> Iterator[GameFinding]:
    indifferent = [i for i in interests if min(i.table.values()) == max(i.table.values())]
    if len(indifferent) == len(interests):
        yield warning(place, f"However {issue.title} comes out, it is worth the same to everybody.")
        return
    for interest in indifferent:
        who = f"{interest.seat} ({interest.profile})" if interest.profile else interest.seat
        yield note(place, f"However {issue.title} comes out, it is worth the same to {who}.")


def _terms(issue: Issue, seats: tuple[Seat, ...], interests: Sequence[_SeatIssueTable]) -> list[_RatedTerm]:
    if not isinstance(issue, QuantityIssue):
        return [_RatedTerm(str(v), tuple(i.table[v] for i in interests)) for v in issue.values]
    return [
        _RatedTerm(
            ", ".join(f"{n} {seat}" for n, seat in zip(units, seats, strict=True)),
            tuple(i.table[units[seats.index(i.seat)]] for i in interests),
        )
        for units in unit_allocations(issue.quantity, len(seats))
    ]


def _dominance_findings(issue: Issue, terms: Sequence[_RatedTerm], place: str) -> Iterator[GameFinding]:
    lowest = tuple(map(min, zip(*(term.worth for term in terms), strict=True)))
    beaten: list[str] = []
    kept: list[_RatedTerm] = []
    # In this order a dominating term comes first, so one that is itself undominated is among the kept.
    for term in sorted(terms, key=lambda term: term.worth, reverse=True):
        better = next((other for other in kept if other.dominates(term)), None)
        if better is None:
            kept.append(term)
        elif term.worth == lowest:
            beaten.append(f"{term.text!r} of {issue.title} is what every seat likes least.")
        else:
            beaten.append(
                f"{term.text!r} of {issue.title} is dominated: {better.text!r} is better for some seats "
                f"and worse for none."
            )
    if len(beaten) > MAX_LISTED_TERMS:
        count = f"{len(beaten):,} of the {len(terms):,} ways to settle {issue.title}"
        yield note(place, f"{count} are dominated. One of them: {beaten[0]}")
    else:
        yield from (note(place, text) for text in beaten)
    yield from _equal_worth_findings(issue, terms, place)


def _equal_worth_findings(issue: Issue, terms: Sequence[_RatedTerm], place: str) -> Iterator[GameFinding]:
    by_worth: dict[tuple[Points, ...], list[str]] = {}
    for term in terms:
        by_worth.setdefault(term.worth, []).append(term.text)
    if len(by_worth) == 1:
        return
    for same in by_worth.values():
        if len(same) > 1:
            more = " …" if len(same) > MAX_LISTED_TERMS else ""
            shown = ", ".join(map(repr, same[:MAX_LISTED_TERMS])) + more
            yield note(place, f"{shown} of {issue.title} are worth the same to every seat.")
