"""Check of a game's design, with findings in sentences for its author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from negoplatform.analysis.games.briefing_check import briefing_findings
from negoplatform.analysis.games.frontier_with_interactions import bargaining_solutions
from negoplatform.analysis.games.game_finding import (
    FindingKind,
    GameFinding,
    SeatProfiles,
    note,
    preferences_path,
    seat_profiles,
    warning,
)
from negoplatform.analysis.games.game_measures import integrative_potential
from negoplatform.analysis.games.issue_check import issue_findings
from negoplatform.analysis.games.trade_check import trade_findings
from negoplatform.analysis.trade_records import TRADE_KINDS
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Turns
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import RANDOM_PROFILE, GameSpec, Preferences, Visibility
from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.solutions.bargaining_solutions import BargainingSolutions, Solution
from negoplatform.domain.utility import Points

__all__ = ["FindingKind", "GameFinding", "check_game"]

MANY_OUTCOMES = 20_000
"""Number of outcomes above which agents bid from a sample of them (``negoplatform.agent_api.bids``)."""

MAX_ISSUE_TERMS = 1_000_000
"""Maximum number of terms of one issue up to which deals are analysed."""

MAX_DETAILED_COMBINATIONS = 12
"""Maximum number of combinations of profiles that are each reported in full."""

MAX_COMBINATIONS = 144
"""Maximum number of combinations of profiles that are analysed; of more, only the game's own choice is."""

SOLUTIONS = {
    "nash": "The Nash solution (highest product of gains)",
    "kalai_smorodinsky": "The Kalai-Smorodinsky solution (most even shares of the possible gain)",
    "egalitarian": "The egalitarian solution (highest smallest gain)",
    "maximum_sum": "The highest sum of points",
}


def check_game(game: GameSpec) -> list[GameFinding]:
    """Return the findings about a game: rules and size, each seat, each issue, missing texts, then the
    possible deals; about a trading or market game, what trade can gain.

    Args:
        game: The game with all its profiles; one with resolved profiles is checked as it is.

    Raises:
        NotVisible: If the preferences of a seat are hidden in this game, as in an exported log.
    """
    if game.mechanism in TRADE_KINDS:
        return list(trade_findings(game))
    of_seats = seat_profiles(game)
    return [
        *_rule_findings(game),
        *(
            finding
            for seat, profiles in of_seats.items()
            for profile in profiles
            for finding in _seat_findings(game, seat, profile.preferences, preferences_path(seat, profile))
        ),
        *issue_findings(game, of_seats),
        *briefing_findings(game, of_seats),
        *_deal_findings(game, of_seats),
    ]


def _rule_findings(game: GameSpec) -> Iterator[GameFinding]:
    count = game.count_outcomes()
    yield note("issues", f"There {'is' if count == 1 else 'are'} {count:,} outcome{'s' * (count != 1)}.")
    if count == 1:
        yield warning("issues", "With a single outcome there is nothing to negotiate.")
    if count > MANY_OUTCOMES:
        yield note(
            "issues", f"With more than {MANY_OUTCOMES:,} outcomes, the shipped agents bid from a sample."
        )
    if not game.rules.has_deadline:
        yield warning(
            "rules.deadline_seconds",
            "There is no deadline, so only a deal or walking away ends the game; agents that concede with "
            "time need one.",
        )
    deadline = game.rules.deadline_seconds
    for i, announcement in enumerate(game.announcements):
        if deadline is not None and announcement.at_seconds >= deadline:
            yield warning(
                f"announcements[{i}].at_seconds",
                f"{announcement.type} comes at {announcement.at_seconds:g} s, but the game ends at "
                f"{deadline:g} s: nobody is told of it.",
            )
    yield from _agreement_findings(game)
    for seat in game.seats:
        public = game.visibility.get(seat, Visibility.OWNER) is Visibility.PUBLIC
        yield note(
            f"seats.{seat}.visibility",
            f"The preferences of {seat} are {'public: the other seats see them' if public else 'private'}.",
        )


def _agreement_findings(game: GameSpec) -> Iterator[GameFinding]:
    """Yield notes about a deal that not all seats have to accept, and about turns."""
    seats, needed = len(game.seats), game.acceptances_needed
    if needed < seats:
        left_out = game.rules.outvoted is Outvoted.LEFT_OUT
        fate = "get their reservation values" if left_out else "are bound by it"
        yield note(
            "rules.agreement",
            f"{needed} of {seats} seats make a deal; the others {fate}. The findings about deals below count "
            "all seats.",
        )
    elif game.rules.agreement is not Agreement.UNANIMOUS:
        yield note("rules.agreement", f"With {seats} seats this rule needs all of them, as 'unanimous' does.")
    if needed == seats and game.rules.outvoted is not Outvoted.BOUND:
        yield note("rules.outvoted", "All seats have to accept a deal, so this rule has no effect.")
    if game.rules.turns is Turns.ALTERNATING:
        order = ", ".join(game.seats)
        yield note("rules.turns", f"The seats take turns in this order: {order}. Messages are always free.")


def _seat_findings(game: GameSpec, seat: Seat, preferences: Preferences, place: str) -> Iterator[GameFinding]:
    low, high = preferences.utility.lowest, preferences.utility.highest
    reservation, opt_out = preferences.reservation_value, preferences.quit_value
    yield note(place, f"Outcomes are worth {_format_points(low)} to {_format_points(high)} points to {seat}.")
    if low == high:
        yield warning(
            place, f"Every outcome is worth the same to {seat}, so it has nothing to negotiate for."
        )
    at = f"{place}.reservation_value"
    if reservation > high:
        yield warning(
            at,
            f"A timeout pays {seat} {_format_points(reservation)} points, more than the best deal "
            f"with {_format_points(high)}: it has no reason to make any.",
        )
    elif reservation < low:
        yield warning(
            at,
            f"A timeout pays {seat} {_format_points(reservation)} points, less than the worst deal "
            f"with {_format_points(low)}: every deal is better than none.",
        )
    if preferences.opt_out is not None and opt_out > high:
        yield warning(
            f"{place}.opt_out",
            f"Walking away pays {seat} {_format_points(opt_out)} points, more than the best deal "
            f"with {_format_points(high)}.",
        )
    elif opt_out > reservation:
        yield note(
            f"{place}.opt_out",
            f"Walking away pays {seat} {_format_points(opt_out)} points, more than a timeout "
            f"with {_format_points(reservation)}: whoever expects no deal leaves at once.",
        )
    yield from _time_findings(game, seat, preferences, f"{place}.time_cost")


def _time_findings(game: GameSpec, seat: Seat, preferences: Preferences, place: str) -> Iterator[GameFinding]:
    deadline = game.rules.deadline_seconds
    if preferences.discount_factor != 1:
        at = place.replace("time_cost", "discount_factor")
        if not game.rules.has_deadline:
            yield warning(at, f"There is no deadline, so {seat} loses nothing by its discount factor.")
        else:
            left = 100 * preferences.discount_factor
            yield note(at, f"At the deadline {left:.4g} % of all points of {seat} are left.")
    if preferences.time_cost is None or deadline is None:
        return
    cost = preferences.cost_at(deadline)
    if cost == 0:
        yield warning(
            place, f"The deadline comes before the first period is over, so time never costs {seat} anything."
        )
    else:
        yield note(place, f"By the deadline time has cost {seat} {_format_points(cost)} points.")


# Deals: for each combination of profiles


def _deal_findings(game: GameSpec, of_seats: SeatProfiles) -> Iterator[GameFinding]:
    for issue in game.issues:
        if issue.count(game.seats) > MAX_ISSUE_TERMS:
            yield note(
                f"issues.{issue.name}",
                f"{issue.title} can be settled in {issue.count(game.seats):,} ways, "
                f"so no deals were looked at.",
            )
            return
    every = prod(len(profiles) for profiles in of_seats.values())
    if every > MAX_COMBINATIONS:
        first = {seat: profiles[0].name for seat, profiles in of_seats.items() if profiles[0].name}
        yield note(
            "seats",
            f"There are {every:,} combinations of profiles; only one was looked at: the first of each seat.",
        )
        yield from _combination_findings(game, first)
        return
    named = {seat: [p.name for p in profiles] for seat, profiles in of_seats.items() if profiles[0].name}
    combinations = [dict(zip(named, names, strict=True)) for names in product(*named.values())]
    if every > 1:
        yield note("seats", _chosen_profiles_text(game, every))
    if every <= MAX_DETAILED_COMBINATIONS:
        for combination in combinations:
            yield from _combination_findings(game, combination)
    else:
        yield from _findings_in_ranges(game, combinations)


def _chosen_profiles_text(game: GameSpec, every: int) -> str:
    chosen = ", ".join(
        f"{seat} {'draws one by seed' if name == RANDOM_PROFILE else f'has {name}'}"
        for seat, name in game.chosen.items()
    )
    return f"There are {every} combinations of profiles; unless told otherwise, {chosen}."


def _combination_findings(game: GameSpec, combination: dict[Seat, str]) -> Iterator[GameFinding]:
    settled, place = game.resolve_profiles(0, combination), _combination_text(combination)
    try:
        points = bargaining_solutions(settled)
    except NegoError as error:
        yield note(place, str(error))
        return
    frontier = points.frontier
    yield note(
        place,
        f"{frontier.outcomes:,} of {game.count_outcomes():,} outcomes are Pareto efficient, worth "
        f"{_count(len(frontier.points), 'different combination')} of points; "
        f"{_rational_count_text(points)} give every seat at least what no deal pays.",
    )
    yield from _no_deal_findings(points, place)
    yield note(place, _potential_text(integrative_potential(points)))
    yield from (_solution_finding(solution, settled, place) for solution in points.solutions if solution.tied)


def _findings_in_ranges(game: GameSpec, combinations: Sequence[dict[Seat, str]]) -> Iterator[GameFinding]:
    """Yield findings about many combinations together, as ranges, and about those with a problem."""
    efficient: list[int] = []
    potentials: list[float] = []
    for combination in combinations:
        settled = game.resolve_profiles(0, combination)
        try:
            points = bargaining_solutions(settled)
        except NegoError as error:
            yield note(_combination_text(combination), str(error))
            return
        efficient.append(points.frontier.outcomes)
        potentials.append(integrative_potential(points))
        yield from _no_deal_findings(points, _combination_text(combination))
    none = sum(potential == 0 for potential in potentials)
    yield note(
        "seats",
        f"Over all combinations, {min(efficient):,} to {max(efficient):,} of {game.count_outcomes():,} "
        f"outcomes are Pareto efficient.",
    )
    yield note(
        "seats",
        f"Over all combinations, the integrative potential goes from {min(potentials):.2f} to "
        f"{max(potentials):.2f}; it is 0 in {none} of {len(combinations)}.",
    )


def _no_deal_findings(points: BargainingSolutions, place: str) -> Iterator[GameFinding]:
    least = points.frontier.exact.reservation.values()
    if not points.rational:
        yield warning(
            place,
            "No outcome gives every seat what no deal pays, so no deal is one that all have reason to make.",
        )
    elif not any(
        all(mine > none for mine, none in zip(point.integer_points, least, strict=True))
        for point in points.rational
    ):
        yield warning(
            place,
            "No outcome is better than no deal for every seat; at best one of them gains nothing by it.",
        )


def _solution_finding(solution: Solution, game: GameSpec, place: str) -> GameFinding:
    name, first = SOLUTIONS[solution.name], solution.tied[0]
    worth = ", ".join(f"{_format_points(points)} to {seat}" for seat, points in first.points.items())
    if solution.unique:
        return note(place, f"{name} is worth {worth}: {_outcome_text(first.example, game)}.")
    outcomes = sum(point.outcomes for point in solution.tied)
    return note(
        place,
        f"{name} is reached by {outcomes:,} outcomes; one is worth {worth}: "
        f"{_outcome_text(first.example, game)}.",
    )


def _potential_text(potential: float) -> str:
    if potential == 0:
        return "What one seat gains another loses: there is nothing to gain for all by trading issues."
    return f"The integrative potential is {potential:.2f}: 0 is a fixed pie, 1 the best for all at once."


# Words


def _rational_count_text(points: BargainingSolutions) -> str:
    return f"{sum(point.outcomes for point in points.rational):,} of them"


def _combination_text(combination: dict[Seat, str]) -> str:
    return ", ".join(f"{seat} {profile}" for seat, profile in combination.items())


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _format_points(points: Points) -> str:
    return f"{points:,.12g}"


def _outcome_text(offer: Offer, game: GameSpec) -> str:
    """Return an outcome in the game's order of issues: ``Apples 3 human, 3 agent; Day Sunday``."""
    parts = []
    for issue in game.issues:
        term = offer.get(issue.name)
        if isinstance(term, Allocation):
            shown = ", ".join(f"{units} {seat}" for seat, units in term.units.items())
        else:
            shown = f"{term} {issue.unit}".rstrip() if isinstance(issue, NumberIssue) else str(term)
        parts.append(f"{issue.title} {shown}")
    return "; ".join(parts)
