"""Measures of games and of recorded sessions, and their tables for statistics."""

from negoplatform.analysis.bidding_measures import (
    BiddingMeasures,
    ProposedOffer,
    SentOffer,
    bidding_measures,
    offers_sent,
    trace_proposals,
)
from negoplatform.analysis.export_tables.codebook import TABLE_DESCRIPTIONS
from negoplatform.analysis.export_tables.export import Export, ensure_absent, log_files, write_tables
from negoplatform.analysis.export_tables.offer_text import offer_text
from negoplatform.analysis.games.frontier_with_interactions import (
    bargaining_solutions,
    enumerated_frontier,
    pareto_frontier,
)
from negoplatform.analysis.games.game_check import check_game
from negoplatform.analysis.games.game_finding import FindingKind, GameFinding
from negoplatform.analysis.games.game_measures import GameMeasures, integrative_potential, joint_max
from negoplatform.analysis.outcome_measures import MeasuredGame, SeatMeasures, SessionMeasures, as_row

__all__ = [
    "TABLE_DESCRIPTIONS",
    "BiddingMeasures",
    "Export",
    "FindingKind",
    "GameFinding",
    "GameMeasures",
    "MeasuredGame",
    "ProposedOffer",
    "SeatMeasures",
    "SentOffer",
    "SessionMeasures",
    "as_row",
    "bargaining_solutions",
    "bidding_measures",
    "check_game",
    "ensure_absent",
    "enumerated_frontier",
    "integrative_potential",
    "joint_max",
    "log_files",
    "offer_text",
    "offers_sent",
    "pareto_frontier",
    "trace_proposals",
    "write_tables",
]
