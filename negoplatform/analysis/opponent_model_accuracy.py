"""Accuracy of an agent's opponent model, compared with the true preferences."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """Row of ``models.csv``: an agent's model of the other seat at one point of a game.

    None where a measure has no value, such as a correlation with a constant estimate.

    Args:
        game: The game.
        seed: Its seed.
        seat: The seat of the agent.
        agent: The agent.
        opponent: The agent in the other seat.
        at: The progress at which the model was asked, 0 to 1.
        outcomes: The number of outcomes over which estimate and truth are compared.
        sampled: Whether these are a random sample of all outcomes.
        pearson: Correlation of the estimated with the true utilities, -1 to 1.
        spearman: Rank correlation, -1 to 1.
        kendall: Kendall's tau-b, -1 to 1.
        rmse: Root of the mean squared difference of utilities from 0 to 1.
        weight_rank_distance: Distance of the ranks of the estimated and the true weights of the issues, 0
            the same order, 1 the opposite one; None for a model without weights.
        frontier_precision: Share of the estimated Pareto frontier that is on the true one, 0 to 1.
        frontier_recall: Share of the true frontier that is on the estimated one, 0 to 1.
        note: The reason in a sentence why there are no measures; empty if there are.
    """

    game: str
    seed: int
    seat: str
    agent: str
    opponent: str
    at: float
    outcomes: int
    sampled: bool
    pearson: float | None
    spearman: float | None
    kendall: float | None
    rmse: float | None
    weight_rank_distance: float | None
    frontier_precision: float | None
    frontier_recall: float | None
    note: str = ""
