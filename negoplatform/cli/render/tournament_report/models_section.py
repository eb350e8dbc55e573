"""Accuracy of opponent models in the report of a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.cli.render.tournament_report.html_page import decimal_number, meanings, paragraph, table

MEASURES: Sequence[tuple[str, str, str]] = (
    (
        "pearson",
        "Pearson",
        "Correlation of the estimated with the true utilities, -1 to 1. Higher is better; guesses "
        "have about 0.",
    ),
    (
        "spearman",
        "Spearman",
        "Rank correlation: whether the model puts outcomes in the right order, -1 to 1. Higher is better; "
        "guesses have about 0.",
    ),
    (
        "kendall",
        "Kendall",
        "Kendall's tau-b, -1 to 1: pairs of outcomes in the right order less those in the wrong one. Higher "
        "is better; guesses have about 0.",
    ),
    (
        "rmse",
        "RMSE",
        "Typical error of an estimate, 0 to 1; estimates and truth are first scaled to 0 to 1. Lower is "
        "better; the same estimate for all outcomes counts as 0.5 for each.",
    ),
    (
        "weight_rank_distance",
        "weights",
        "Share of the pairs of issues whose importance it ranks the wrong way round, 0 to 1. Lower is "
        "better; guesses have about 0.5.",
    ),
    (
        "frontier_precision",
        "precision",
        "Share of the estimated Pareto frontier that is on the true one, 0 to 1. Higher is better; guesses "
        "have more than 0, because the agent knows its own points.",
    ),
    (
        "frontier_recall",
        "recall",
        "Share of the true Pareto frontier that is on the estimated one, 0 to 1. Higher is better; guesses "
        "have more than 0 here too.",
    ),
)

COUNTS: Sequence[tuple[str, str]] = (
    (
        "progress",
        "How much of the game is over: the share of its offers if these are the deadline, else of its time.",
    ),
    ("models", "Number of models that were asked for: one for each game and seat of the agent."),
    ("no result", "Number of them that gave no estimate, for the reason below; the means leave them out."),
)


def model_parts(models: Sequence[ModelRow]) -> Iterator[str]:
    """Yield the HTML of the part about opponent models."""
    yield paragraph(
        "An agent with an opponent model estimates what each outcome is worth to the other side. At some "
        "points of each game the estimate is compared with the truth, over all outcomes or a sample of "
        "them. A game that ended earlier is not counted at later points, so the games at different points "
        "are not the same."
    )
    groups: dict[tuple[str, float], list[ModelRow]] = {}
    for row in models:
        groups.setdefault((row.agent, row.at), []).append(row)
    yield table(
        ["agent", "progress", "models", "no result", *(name for _, name, _ in MEASURES)],
        [
            [
                agent,
                f"{100 * at:.0f} %",
                str(len(rows)),
                str(sum(bool(row.note) for row in rows)),
                *(_mean(rows, measure) for measure, _, _ in MEASURES),
            ]
            for (agent, at), rows in sorted(groups.items())
        ],
    )
    yield meanings([*COUNTS, *((name, meaning) for _, name, meaning in MEASURES)])
    notes = {row.agent: row.note for row in reversed(models) if row.note}
    if notes:
        yield paragraph("First reason of each agent for a model without result:")
        yield meanings(sorted(notes.items()))


def _mean(rows: Sequence[ModelRow], measure: str) -> str:
    values = [value for row in rows if (value := getattr(row, measure)) is not None]
    return decimal_number(fmean(values) if values else None)
