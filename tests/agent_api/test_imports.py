"""Import paths of the agent API: everything from one package, and every path ever documented."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from negoplatform.formats.games import load_game
from negoplatform.old_import_paths import MODULES
from negoplatform.plugins.program_and_user_folders import bundled
from tests.docs.pages import ROOT

PACKAGES = (
    "negoplatform.agent_api",
    "negoplatform.analysis",
    "negoplatform.app.catalogue",
    "negoplatform.app.playback",
    "negoplatform.app.session",
    "negoplatform.app.simulation",
    "negoplatform.core",
    "negoplatform.core.mechanisms",
    "negoplatform.domain",
    "negoplatform.eventlog",
    "negoplatform.formats",
    "negoplatform.language",
    "negoplatform.language.generation",
    "negoplatform.language_model",
    "negoplatform.plugins",
    "negoplatform.strategies",
    "negoplatform.strategies.expressive",
    "negoplatform.strategies.negochat",
    "negoplatform.testing",
)

PUBLISHED = {
    "negoplatform.agent_api.actions": (
        "FormalAccept FormalQuit ProposeChange Schedule SendExpression SendMessage SendOffer ShowTyping"
    ),
    "negoplatform.agent_api.base": "NegotiationAgent",
    "negoplatform.agent_api.bidder": "Bidder",
    "negoplatform.agent_api.bids": "Bids keeps",
    "negoplatform.agent_api.context": "AgentContext",
    "negoplatform.agent_api.estimate": "FrequencyEstimate estimates_of_others",
    "negoplatform.agent_api.version": "API_VERSION",
    "negoplatform.core.events": "Event EventType Expression MessageSubtype Preference Relation",
    "negoplatform.core.state": "EventField GameState PrivateInformation PublicInformation",
    "negoplatform.domain.board": "Board",
    "negoplatform.domain.errors": "AgentError NegoError NotVisible OfferError Refused",
    "negoplatform.domain.game": "GameSpec Preferences Rules Visibility",
    "negoplatform.domain.issue": "CategoricalIssue Issue NumberIssue QuantityIssue",
    "negoplatform.domain.offer": "Allocation EMPTY_OFFER Offer",
    "negoplatform.domain.seat": "Seat SeatMap",
    "negoplatform.domain.utility": "UtilityFunction",
}
"""Modules that agents import from, with the names that guides and shipped agents used from each."""


def imported_modules(source: str) -> set[str]:
    """Return the modules from which a file imports names."""
    return {node.module or "" for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_all_that_it_exports(package: str) -> None:
    module = import_module(package)

    assert all(hasattr(module, name) for name in module.__all__)
    assert len(set(module.__all__)) == len(module.__all__)


@pytest.mark.parametrize("published", PUBLISHED)
def test_a_published_path_gives_what_the_agent_api_exports(published: str) -> None:
    api, module = import_module("negoplatform.agent_api"), import_module(published)

    names = PUBLISHED[published].split()

    assert [name for name in names if getattr(module, name) is not getattr(api, name)] == []


@pytest.mark.parametrize(
    "path",
    [
        *sorted((ROOT / "agents").glob("*.py")),
        *sorted(ROOT.glob("negoplatform/testing/template/*/agent.py.txt")),
    ],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_shipped_agent_imports_its_api_from_one_package(path: Path) -> None:
    modules = imported_modules(path.read_text(encoding="utf-8"))

    inside = ("negoplatform.agent_api.", "negoplatform.core", "negoplatform.domain")
    assert [module for module in modules if module.startswith(inside)] == []


EARLIER = {
    "negoplatform.analysis.tables": "write_tables",
    "negoplatform.app.folders": "bundled",
    "negoplatform.app.simulate": "simulate",
    "negoplatform.analysis.bidding": "Bidding",
    "negoplatform.analysis.export": "write_tables",
    "negoplatform.analysis.frontier_with_interactions": "bargaining_solutions",
    "negoplatform.analysis.game_check": "check_game",
    "negoplatform.analysis.game_finding": "GameFinding",
    "negoplatform.analysis.game_measures": "GameMeasures",
    "negoplatform.core.event_state_mapping": "EventField",
    "negoplatform.core.numeric_features": "Feature",
    "negoplatform.core.observation_vectors": "Observation",
    "negoplatform.core.typed": "GameState",
    "negoplatform.core.typed_game_state": "GameState",
    "negoplatform.domain.board": "Standing Board",
    "negoplatform.domain.errors": "FileProblem LogFailed",
    "negoplatform.domain.seat": "BySeat",
    "negoplatform.strategies.expressive": "Mind Way ConcedingOffers",
    "negoplatform.strategies.expressive.behaviour": "Behaviour",
    "negoplatform.strategies.expressive.faces": "Faces StoneFace",
    "negoplatform.strategies.expressive.ledger": "Ledger Way",
    "negoplatform.strategies.expressive.mind": "Mind Policies",
    "negoplatform.strategies.expressive.offers": "ConcedingOffers CompetitiveOffers BuildingOffers",
    "negoplatform.strategies.expressive.wording": "PlainWords LyingWords",
    "negoplatform.strategies.negochat.equipment": "Equipment Choices",
    "negoplatform.strategies.negochat.thresholds": "Bar Table Quantiles ByType",
    "negoplatform.testing": "Party TrialTable",
    "negoplatform.testing.table": "TrialTable Scripted Party",
}
"""Paths and names of the API reference before the packages were divided by feature."""

PRESENT_NAMES = {
    "Bar": "AspirationLevels",
    "Bidding": "BiddingMeasures",
    "BySeat": "SeatMap",
    "ByType": "PerTypeThresholds",
    "Choices": "NegotiationModelOptions",
    "Equipment": "NegotiationModel",
    "FileProblem": "InputFileError",
    "LogFailed": "LogWriteError",
    "Mind": "ExpressiveAgentState",
    "Party": "ScriptedParticipant",
    "Quantiles": "QuantileThresholds",
    "Standing": "IssueStatus",
    "Table": "ThresholdTable",
    "Way": "FavourPolicy",
}
"""Present names of those that were renamed."""


@pytest.mark.parametrize("path", EARLIER)
def test_an_earlier_path_gives_the_same_objects(path: str) -> None:
    module = import_module(path)

    for name in EARLIER[path].split():
        assert getattr(module, name).__name__ == PRESENT_NAMES.get(name, name)


@pytest.mark.parametrize("old", MODULES)
def test_every_earlier_path_leads_to_a_module(old: str) -> None:
    earlier, present = import_module(f"negoplatform.{old}"), import_module(f"negoplatform.{MODULES[old]}")
    public = [name for name in vars(present) if not name.startswith("_")]

    assert earlier is not present, "a module at the old path would hide the present one"
    assert public != []
    assert [name for name in public if getattr(earlier, name) is not getattr(present, name)] == []


def test_what_never_was_there_is_not_found() -> None:
    with pytest.raises(ImportError):
        import_module("negoplatform.strategies.expressive.nothing")
    with pytest.raises(ImportError):
        exec("from negoplatform.testing import Nothing")


def test_earlier_names_of_the_test_harness_keep_working() -> None:
    testing = import_module("negoplatform.testing")
    table = testing.TrialTable(load_game(bundled("games") / "practice.json"))
    agent = testing.Scripted()
    table.seat(agent, "agent")

    table.party("human").says("Hello.")

    assert agent.heard == agent.received_events != []
