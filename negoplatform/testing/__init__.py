"""Test tools for agents: a table with a virtual clock, scripted participants, and the check."""

from negoplatform.old_import_paths import renamed
from negoplatform.testing.check import agent_class, check_agent
from negoplatform.testing.check_situations import SITUATIONS
from negoplatform.testing.finding import Finding, Severity
from negoplatform.testing.new_agent import KINDS, STYLES, write_new_agent
from negoplatform.testing.scripted_model import ScriptedModel
from negoplatform.testing.trial_economies import market_trial_games, trading_trial_games
from negoplatform.testing.trial_games import trial_games
from negoplatform.testing.trial_table import AgentFailed, Scripted, ScriptedParticipant, TrialTable

__all__ = [
    "KINDS",
    "SITUATIONS",
    "STYLES",
    "AgentFailed",
    "Finding",
    "Scripted",
    "ScriptedModel",
    "ScriptedParticipant",
    "Severity",
    "TrialTable",
    "agent_class",
    "check_agent",
    "market_trial_games",
    "trading_trial_games",
    "trial_games",
    "write_new_agent",
]

__getattr__ = renamed(__name__)
