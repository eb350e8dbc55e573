"""Games in the report of a tournament: scores game by game, and outcomes with all agreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from math import fsum

from negoplatform.analysis.tournament.tables import TournamentTables
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.app.playback.outcome_space import OutcomePoints, outcome_space
from negoplatform.cli.render.tournament_report.html_page import (
    decimal_number,
    figure,
    figures,
    paragraph,
    table,
    text,
)
from negoplatform.cli.render.tournament_report.tournament_plots import game_plot
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.solutions.integer_scaling import integer_game
from negoplatform.presentation.localized_names import role_name

MOST_PROFILES = 4
"""Number of combinations of profiles of a game that are drawn, the most frequent ones."""

LARGEST_CLASS = 6
"""Power of ten of the numbers of outcomes that are one class with all larger ones."""

CAPTION = (
    "Small dots: possible deals, by their points for both sides. Line: the Pareto frontier, where neither "
    "side can gain without a loss of the other. Dashed: the points without a deal; a deal to the left or "
    "below is worse than none; a line is left out where these points are far from those of all deals. Large "
    "dots: agreements of the tournament, larger the more ended there."
)


def game_parts(
    games: Sequence[TournamentGame], specs: Mapping[str, GameSpec], tables: TournamentTables
) -> Iterator[str]:
    """Yield the HTML of the part about single games."""
    yield from _score_tables(specs, tables)
    yield paragraph(CAPTION)
    by_name: dict[str, list[TournamentGame]] = {}
    for game in games:
        by_name.setdefault(game.game, []).append(game)
    for name in sorted(by_name):
        yield f"<h3>{text(name)}</h3>"
        if name in specs:
            yield from _spaces(by_name[name], specs[name])


def _score_tables(specs: Mapping[str, GameSpec], tables: TournamentTables) -> Iterator[str]:
    agents = [row.agent for row in tables.scores]
    rows = {(row.game, row.agent): row for row in tables.by_game}
    sizes = {
        name: specs[name].count_outcomes() for name in {row.game for row in tables.by_game} & specs.keys()
    }
    body = []
    for name in sorted({row.game for row in tables.by_game}, key=lambda name: (sizes.get(name, 0), name)):
        issues = f"{len(specs[name].issues):,}" if name in specs else "–"
        outcomes = _size(sizes[name]) if name in sizes else "–"
        found = [rows[name, agent].mean if (name, agent) in rows else None for agent in agents]
        body.append([name, issues, outcomes, *map(decimal_number, found)])
    caption = "Mean score of each agent in each game, the games with the fewest outcomes first."
    yield table(["game", "issues", "outcomes", *agents], body, caption=caption)
    classes = sorted({_size_class(size) for size in sizes.values()})
    if len(classes) > 1:
        by_size = [
            [
                _size_range(digits),
                str(sum(_size_class(size) == digits for size in sizes.values())),
                *(decimal_number(_mean_of_size(tables, sizes, agent, digits)) for agent in agents),
            ]
            for digits in classes
        ]
        caption = "Mean score by the number of outcomes of a game."
        yield table(["outcomes", "games", *agents], by_size, caption=caption)


def _size_class(outcomes: int) -> int:
    """Return the power of ten that a number of outcomes reaches, of large ones ``LARGEST_CLASS``."""
    return min(LARGEST_CLASS, len(str(outcomes)) - 1)


def _size_range(digits: int) -> str:
    if digits == LARGEST_CLASS:
        return f"{10**digits:,} or more"
    return f"{10**digits:,} to {10 ** (digits + 1) - 1:,}"


def _size(outcomes: int) -> str:
    """Return a number of outcomes in full, or of 10 billion and more as a power of ten."""
    if outcomes < 10**10:
        return f"{outcomes:,}"
    mantissa, _, power = f"{Decimal(outcomes):.1e}".partition("e+")
    return f"{mantissa} × 10^{power}"


def _mean_of_size(
    tables: TournamentTables, sizes: Mapping[str, int], agent: str, digits: int
) -> float | None:
    rows = [
        (row.mean, row.games - row.unscored)
        for row in tables.by_game
        if row.agent == agent and row.game in sizes and _size_class(sizes[row.game]) == digits
    ]
    scored = [(mean, count) for mean, count in rows if mean is not None]
    return fsum(mean * count for mean, count in scored) / sum(n for _, n in scored) if scored else None


def _spaces(games: Sequence[TournamentGame], spec: GameSpec) -> Iterator[str]:
    """Yield the plots of one game: one for each choice of profiles, the most frequent ones first."""
    title = f"{spec.title}. " if spec.title and spec.title != spec.name else ""
    if words := f"{title}{spec.description}".strip():
        yield paragraph(words, "muted")
    by_profiles: dict[tuple[str, str], list[TournamentGame]] = {}
    for game in games:
        by_profiles.setdefault(game.profiles, []).append(game)
    ordered = sorted(by_profiles, key=lambda profiles: (-len(by_profiles[profiles]), profiles))
    yield figures(_space(by_profiles[profiles], spec, profiles) for profiles in ordered[:MOST_PROFILES])
    if len(ordered) > MOST_PROFILES:
        yield paragraph(f"{len(ordered) - MOST_PROFILES} more combinations of profiles are not drawn.")


def _space(games: Sequence[TournamentGame], spec: GameSpec, profiles: tuple[str, str]) -> str:
    seats = games[0].seats
    chosen = {seat: profile for seat, profile in zip(seats, profiles, strict=True) if profile}
    try:
        game = spec.resolve_profiles(games[0].seed, chosen)
        exact = integer_game(game)
        space = outcome_space(game)
    except NegoError as error:
        return paragraph(str(error))
    places: dict[Offer, OutcomePoints] = {}
    agreements: Counter[tuple[OutcomePoints, tuple[str, str]]] = Counter()
    for one in games:
        if one.deal is not None:
            if one.deal not in places:
                places[one.deal] = tuple(map(exact.to_points, exact.integer_points(one.deal)))
            agreements[places[one.deal], one.agents] += 1
    given = [f"{role_name(seat)}: {role_name(profile)}" for seat, profile in chosen.items()]
    title = f"{spec.title or spec.name}, {', '.join(given)}" if given else spec.title or spec.name
    names = role_name(seats[0]), role_name(seats[1])
    ended = f"{agreements.total():,} agreements in {len(games):,} games."
    return figure(game_plot(space, agreements, names, title), ended)
