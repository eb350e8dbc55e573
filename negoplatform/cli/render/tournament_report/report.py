"""The file ``report.html`` of a tournament: one page that explains itself, without scripts and links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.analysis.tournament.score_statistics import RESAMPLES
from negoplatform.analysis.tournament.tables import AgentScore, ScoreKind, TournamentTables
from negoplatform.analysis.tournament.tournament_game import TournamentGame, Trouble, troubles_of
from negoplatform.cli.render.tournament_report.curves_section import curve_parts
from negoplatform.cli.render.tournament_report.games_section import game_parts
from negoplatform.cli.render.tournament_report.html_page import (
    decimal_number,
    figure,
    meanings,
    page,
    paragraph,
    section,
    table,
)
from negoplatform.cli.render.tournament_report.models_section import model_parts
from negoplatform.cli.render.tournament_report.tournament_plots import (
    agreement_time_plot,
    pairs_plot,
    scores_plot,
    short_number,
)
from negoplatform.cli.render.tournament_summary import probability
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec

SCORE_NAMES: Mapping[ScoreKind, str] = {
    ScoreKind.ADVANTAGE: "advantage",
    ScoreKind.POINTS: "points",
    ScoreKind.WELFARE: "welfare",
}

SCORE_MEANINGS: Mapping[ScoreKind, str] = {
    ScoreKind.ADVANTAGE: "The score is the advantage: (p - r) / (M - r), where p are an agent's final "
    "points, after discount and time costs, r is its reservation value (its points without a deal) and M its "
    "best possible outcome, both without them. 0 is no better than no deal, 1 is the best possible deal; "
    "below 0 the agent did worse than without a deal.",
    ScoreKind.POINTS: "The score is an agent's final points, after discount and time costs. Points of games "
    "with different scales cannot be compared.",
    ScoreKind.WELFARE: "The score is the sum of both sides' final points as a share of the highest sum of "
    "any outcome. Both sides of a game have the same score.",
}

FEW_SEEDS = 10
"""Number of seeds below which the result says that p values can be too small."""

COLUMN_MEANINGS: Sequence[tuple[str, str]] = (
    ("rank", "1 for the highest mean score. Agents with equal means share a rank."),
    ("games", "Number of games. A game against itself counts twice, once for each seat."),
    (
        "mean",
        "Mean score over these games. Games that were aborted or that failures of an agent ended have no "
        "score for either side, and are left out.",
    ),
    (
        "95 %",
        "Interval of the mean (bootstrap, percentiles). All games with the same game and seed are resampled "
        f"together, {RESAMPLES:,} times: they share their random numbers. It says how far the mean would "
        "vary with other seeds in the same games, and nothing about other games. Agents without random "
        "numbers play the same with every seed, and their interval is a point. Two intervals that are far "
        "apart do not show a difference between agents: p_holm tests that.",
    ),
    ("sd", "Standard deviation of the scores."),
    (
        "p_holm",
        "Probability of a difference to the best agent at least this large if there were none: Wilcoxon's "
        "signed-rank test, two-sided, corrected for the number of tests (Holm). A pair is one game, seed, "
        "seat and opponent that both agents had; where all seeds give the same two scores, because no "
        "random number matters, they count as one pair. Below 0.05 a difference is usually called "
        f"significant. Games of one seed are alike, so with fewer than {FEW_SEEDS} seeds it can be too "
        "small. Agents other than the best one are not compared with each other.",
    ),
    ("agreed", "Share of games that ended with an agreement."),
    ("points", "Mean final points."),
    ("own", "Mean advantage of the agent."),
    ("other", "Mean advantage of its opponents. An agent that gains by taking from the other has a low one."),
    ("welfare", "Mean sum of both sides' points, as a share of the highest sum of any outcome."),
    (
        "to Nash",
        "Mean distance of the end from the Nash point, with each side's utilities from 0 to 1; 0 is the Nash "
        "point itself. Without a deal it is the distance of no deal.",
    ),
    ("failed", "Number of the agent's own failures in these games."),
    ("refused", "Number of the agent's own actions that the rules refused in these games."),
)

SIGNIFICANT = 0.05

MOST_TROUBLES = 100
"""Number of kinds of failures and refusals that are listed."""


def report_html(
    title: str,
    games: Sequence[TournamentGame],
    specs: Mapping[str, GameSpec],
    tables: TournamentTables,
    details: Mapping[str, str],
    models: Sequence[ModelRow] = (),
) -> str:
    """Return the report of a tournament as the text of one HTML file.

    Args:
        title: The heading.
        games: The games.
        specs: The games' specifications by name, with all profiles of the seats.
        tables: The tables of the same games.
        details: What was played, as rows of a table: versions, hashes, settings.
        models: The accuracy of the agents' opponent models; empty if none was asked.
    """
    agents = [row.agent for row in tables.scores]
    sections = [
        section("Result", *_result(games, tables)),
        section("Scores", *_scores(tables)),
        section("Pairs of agents", *_pairs(tables, agents)),
        section("Games", *game_parts(games, specs, tables)),
    ]
    moments = agreement_time_plot(games, specs, agents)
    if moments is not None:
        caption = (
            "Thin line: 5th to 95th percentile of an agent's agreements. Thick line: the middle half. "
            "Circle: the median. Games without a deadline are left out."
        )
        sections.append(section("Moment of the agreements", figure(moments, caption)))
    curves = [*curve_parts(games, agents)]
    if curves:
        sections.append(section("Utility over time", *curves))
    if models:
        sections.append(section("Opponent models", *model_parts(models)))
    sections.append(section("Failures and refusals", *_troubles(games)))
    sections.append(section("Settings", table(("", ""), [*details.items()], texts=2)))
    return page(title, sections)


def _result(games: Sequence[TournamentGame], tables: TournamentTables) -> Iterator[str]:
    names = len({game.game for game in games})
    yield paragraph(
        f"{len(tables.scores)} agents at {names} game{'' if names == 1 else 's'}, played {len(games):,} "
        f"time{'' if len(games) == 1 else 's'} in all.",
        "lead",
    )
    ranked = [row for row in tables.scores if row.mean is not None]
    if ranked:
        yield paragraph(_best(ranked), "lead")
    seeds = len({game.seed for game in games})
    if len(ranked) > 1 and seeds < FEW_SEEDS:
        yield paragraph(
            f"There {'is only 1 seed' if seeds == 1 else f'are only {seeds} seeds'}. Games of one seed are "
            f"alike, so p values can be too small: play {FEW_SEEDS} seeds or more before you rely on them."
        )
    yield paragraph(SCORE_MEANINGS[tables.score])
    yield paragraph(
        "Below: the agents' scores, every agent against every other, each game with its possible outcomes "
        "and all agreements, and at the end the games in which an agent failed or tried something that the "
        "rules refuse, and everything that is needed to play the same tournament again."
    )


def _best(ranked: Sequence[AgentScore]) -> str:
    best, *others = ranked
    low, high = decimal_number(best.low), decimal_number(best.high)
    interval = "" if best.low is None else f" (95 % interval {low} to {high})"
    words = f"Highest mean score: {best.agent} with {decimal_number(best.mean)}{interval}."
    unclear = [row.agent for row in others if row.p_holm is None or row.p_holm >= SIGNIFICANT]
    if not others:
        return words
    if not unclear:
        return f"{words} The difference to every other agent is significant."
    return f"{words} No significant difference to: {', '.join(unclear)}."


def _scores(tables: TournamentTables) -> Iterator[str]:
    if any(row.mean is not None for row in tables.scores):
        axis = f"mean {SCORE_NAMES[tables.score]}"
        caption = "Circle: the mean. Line: its 95 % interval; none with a single seed for each game."
        yield figure(scores_plot(tables.scores, "Mean scores", axis), caption)
    # With this score the own advantage is the mean.
    left_out = {"own"} if tables.score is ScoreKind.ADVANTAGE else set()
    columns = [(name, meaning) for name, meaning in COLUMN_MEANINGS if name not in left_out]
    cells = [_score_cells(row) for row in tables.scores]
    yield table(
        ["agent", *(name for name, _ in columns)],
        [
            [row.agent, *(cell[name] for name, _ in columns)]
            for row, cell in zip(tables.scores, cells, strict=True)
        ],
    )
    notes = [(row.agent, row.test_note) for row in tables.scores if row.test_note]
    if notes:
        yield paragraph(f"No p value, compared with {tables.scores[0].agent}:")
        yield meanings(notes)
    unscored = [(row.agent, f"{row.unscored} of {row.games} games") for row in tables.scores if row.unscored]
    if unscored:
        yield paragraph("Games without a score, which the means leave out:")
        yield meanings(unscored)
    yield "<h3>Columns</h3>"
    yield meanings(columns)


def _score_cells(row: AgentScore) -> dict[str, str]:
    return {
        "rank": "–" if row.rank is None else str(row.rank),
        "games": str(row.games),
        "mean": decimal_number(row.mean),
        "95 %": "–" if row.low is None else f"{decimal_number(row.low)} … {decimal_number(row.high)}",
        "sd": decimal_number(row.sd),
        "p_holm": _probability(row),
        "agreed": f"{100 * row.agreement_rate:.0f} %",
        "points": "–" if row.points is None else short_number(row.points),
        "own": decimal_number(row.own_advantage),
        "other": decimal_number(row.other_advantage),
        "welfare": decimal_number(row.welfare),
        "to Nash": decimal_number(row.nash_distance),
        "failed": str(row.failures),
        "refused": str(row.refusals),
    }


def _probability(row: AgentScore) -> str:
    if not row.compared_with:
        return "best"
    if row.p_holm is None:
        return "–"
    return probability(row.p_holm)


def _pairs(tables: TournamentTables, agents: Sequence[str]) -> Iterator[str]:
    caption = (
        "Mean score of the agent of a row against the opponent of a column, over all games and both seats; "
        "the darker in light mode, and the brighter in dark mode, the higher. Along the diagonal an agent "
        "plays against itself."
    )
    yield figure(pairs_plot(tables.pairs, agents, f"Mean {SCORE_NAMES[tables.score]} by pair"), caption)
    agreed = pairs_plot(tables.pairs, agents, "Share of agreements by pair", lambda row: row.agreement_rate)
    yield figure(agreed, "A low score with few agreements comes from games that ended without a deal.")


def _troubles(games: Sequence[TournamentGame]) -> Iterator[str]:
    troubles = troubles_of(games)
    ends = {why: sum(game.ended_by is why for game in games) for why in EndedBy}
    listed = ", ".join(f"{why.value} {count:,}" for why, count in ends.items() if count)
    yield paragraph(f"How the games ended: {listed or 'no game was played'}.")
    if not troubles:
        yield paragraph("No agent failed, and no action was refused.")
        return
    yield paragraph(
        "A failure is an error of an agent's program, or an answer that is too late. A refusal is an action "
        "that the rules do not allow at that moment. A row is an agent with a sentence, the first "
        "one of so many games, and an example of them. games.csv has all games."
    )
    heads = ("agent", "sentence", "game", "seat", "opponent", "end", "seed")
    yield table(
        (*heads, "games", "failed", "refused"),
        [_trouble_row(trouble) for trouble in troubles[:MOST_TROUBLES]],
        texts=6,
    )
    if len(troubles) > MOST_TROUBLES:
        yield paragraph(f"{len(troubles) - MOST_TROUBLES:,} more sentences are in games.csv.")


def _trouble_row(trouble: Trouble) -> tuple[str, ...]:
    game, seat = trouble.places[0]
    return (
        trouble.agent,
        trouble.sentence,
        game.game,
        game.seats[seat],
        game.agents[1 - seat],
        game.ended_by.value,
        str(game.seed),
        f"{trouble.games:,}",
        f"{trouble.failures:,}",
        f"{trouble.refusals:,}",
    )
