"""Games in the report of a tournament: scores game by game, and outcomes with all agreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from negoplatform.analysis.tournament.tables import TournamentTables
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.app.playback.outcome_space import OutcomePoints, outcome_space
from negoplatform.cli.render.tournament_report.html_page import figure, figures, paragraph, table, text
from negoplatform.cli.render.tournament_report.tournament_plots import game_plot
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.integer_scaling import integer_game
from negoplatform.domain.offer import Offer
from negoplatform.presentation.localized_names import role_name

MOST_PROFILES = 4
"""Number of combinations of profiles of a game that are drawn, the most frequent ones."""

CAPTION = (
    "Small dots: possible deals, by their points for both sides. Line: the Pareto frontier, where neither "
    "side can gain "
    "without a loss of the other. Dashed: the points without a deal; a deal to the left or below is worse "
    "than none. Large dots: "
    "agreements of the tournament, larger the more ended there."
)


def game_parts(
    games: Sequence[TournamentGame], specs: Mapping[str, GameSpec], tables: TournamentTables
) -> Iterator[str]:
    """Yield the HTML of the part about single games."""
    yield _score_table(tables)
    yield paragraph(CAPTION)
    by_name: dict[str, list[TournamentGame]] = {}
    for game in games:
        by_name.setdefault(game.game, []).append(game)
    for name in sorted(by_name):
        yield f"<h3>{text(name)}</h3>"
        if name in specs:
            yield from _spaces(by_name[name], specs[name])


def _score_table(tables: TournamentTables) -> str:
    agents = [row.agent for row in tables.scores]
    means = {(row.game, row.agent): row.mean for row in tables.by_game}
    names = sorted({row.game for row in tables.by_game})
    rows = []
    for name in names:
        found = [means.get((name, agent)) for agent in agents]
        rows.append([name, *("–" if mean is None else f"{mean:.3f}" for mean in found)])
    return table(["game", *agents], rows, caption="Mean score of each agent in each game.")


def _spaces(games: Sequence[TournamentGame], spec: GameSpec) -> Iterator[str]:
    """Yield the plots of one game: one for each choice of profiles, the most frequent ones first."""
    if spec.title and spec.title != spec.name:
        yield paragraph(f"{spec.title}. {spec.description}".strip(), "muted")
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
