"""A negotiator of NegMAS at a table; a small package stands in for NegMAS."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.strategies import negmas as package
from negoplatform.strategies.negmas.negotiator_agent import NegmasNegotiator
from negoplatform.testing.trial_table import TrialTable
from tests.games import make_game, three_seats
from tests.strategies.negmas.fake_negmas import write_fake_negmas

ISSUES = (
    QuantityIssue("coins", 4),
    CategoricalIssue("colour", ("red", "green")),
    NumberIssue("price", 0, 1, 0.5),
)


@pytest.fixture(autouse=True)
def sao(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Put the stand-in for NegMAS on the module search path, and return its module ``negmas.sao``."""
    write_fake_negmas(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    _forget_negmas()
    yield import_module("negmas.sao")
    _forget_negmas()


def _forget_negmas() -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == "negmas" or name.endswith("negmas.session_mechanism"):
            del sys.modules[name]
    # An imported module is also an attribute of its package.
    vars(package).pop("session_mechanism", None)


def the_game(**rules: Any) -> GameSpec:
    """Return a game with an issue of each kind, in which ``agent`` likes coins, red and a high price."""
    return make_game(
        {
            "human": {
                "coins": [0, 1, 2, 3, 4],
                "colour": {"red": 0, "green": 3},
                "price": {0: 2, 0.5: 1, 1: 0},
            },
            "agent": {
                "coins": [0, 2, 4, 6, 8],
                "colour": {"red": 4, "green": 0},
                "price": {0: 0, 0.5: 2, 1: 8},
            },
        },
        issues=ISSUES,
        reservation=5,
        **{"deadline_seconds": 100.0, **rules},
    )


def a_table(negotiator: str, *, may_fail: bool = False, parameters: Any = None, **rules: Any) -> TrialTable:
    table = TrialTable(the_game(**rules), agents_may_fail=may_fail)
    agent = NegmasNegotiator("agent")
    agent.configure({"negotiator": negotiator, "parameters": parameters or {}})
    table.seat(agent)
    return table


def agents_offers(table: TrialTable) -> list[Offer]:
    return [e.get_offer() for e in table.events if e.type == EventType.SEND_OFFER and e.sender == "agent"]


def kinds(table: TrialTable) -> list[str]:
    return [event.type for event in table.events if event.sender == "agent"]


def test_a_proposal_becomes_an_offer_of_every_kind_of_issue() -> None:
    table = a_table("Noted")

    table.wait(1.5)

    terms: dict[str, Any] = {"coins": {"agent": 4, "human": 0}, "colour": "red", "price": 1}
    assert agents_offers(table) == [context(table).make_offer(terms)]


def context(table: TrialTable) -> AgentContext:
    return table.agent.context()


def test_the_negotiator_reads_offers_points_steps_and_time_of_the_session(sao: Any) -> None:
    table = a_table("Noted")
    table.wait(10)

    table.human.offers(coins=(3, 1), colour="green", price=0.5)
    table.wait(2)

    negotiator = sao.Noted.made[-1]
    first, second = negotiator.asked
    assert first == (0, 1.0, 0.01, None)
    assert second == (2, 11.0, 0.11, (1, "green", 0.5)), (
        "one step an offer, the time in seconds and as a share"
    )
    assert negotiator.ufun((4, "red", 1.0)) == 1.0
    assert negotiator.ufun((0, "green", 0.0)) == 0.0
    assert negotiator.ufun((1, "green", 0.5)) == pytest.approx(4 / 20)
    assert negotiator.ufun.reserved_value == 5 / 20


def test_its_relative_time_counts_offers_where_these_are_the_deadline(sao: Any) -> None:
    table = a_table("Noted", deadline_offers=4)
    table.wait(5)

    table.human.offers(coins=(3, 1), colour="green", price=0.5)
    table.wait(2)

    assert [relative for _, _, relative, _ in sao.Noted.made[-1].asked] == [0.0, 0.5]
    assert sao.Noted.made[-1].nmi.n_steps == 5, "the last offer is still answered"


def test_its_acceptance_and_the_others_confirmation_make_a_deal(sao: Any) -> None:
    table = a_table("Noted", parameters={"least": 0.9})
    table.wait(2)

    table.human.offers(coins=(1, 3), colour="red", price=1)
    table.wait(2)
    table.human.accepts()

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    table.wait(2)
    assert sao.Noted.made[-1].ended == (3, "red", 1.0)


def test_it_confirms_its_own_offer_once_the_other_accepts_it() -> None:
    table = a_table("Noted")
    table.wait(2)

    table.human.accepts()
    table.wait(2)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_it_goes_on_where_the_other_does_not_confirm_what_it_accepted() -> None:
    table = a_table("Noted", parameters={"least": 0.9})
    table.wait(2)
    table.human.offers(coins=(1, 3), colour="red", price=1)
    table.wait(2)

    table.human.offers(coins=(4, 0), colour="green", price=0)
    table.wait(2)

    assert kinds(table) == ["SEND_OFFER", "FORMAL_ACCEPT", "SEND_OFFER"]


def test_only_the_last_of_several_offers_in_a_row_is_answered(sao: Any) -> None:
    table = a_table("Noted")
    table.wait(2)

    table.human.offers(coins=(4, 0), colour="green", price=0)
    table.wait(0.3)
    table.human.offers(coins=(3, 1), colour="green", price=0)
    table.wait(3)

    assert [offer for *_, offer in sao.Noted.made[-1].asked] == [None, (1, "green", 0.0)]
    assert len(agents_offers(table)) == 2


def test_a_partial_offer_leaves_no_outcome_on_the_table(sao: Any) -> None:
    table = a_table("Noted")
    table.wait(2)

    table.human.offers(colour="green")
    table.wait(2)

    assert sao.Noted.made[-1].asked[-1][-1] is None
    assert len(agents_offers(table)) == 2


@pytest.mark.parametrize("negotiator", ["EndingNegotiator", "SilentNegotiator"])
def test_it_quits_where_the_negotiator_ends_or_refuses_to_propose(negotiator: str) -> None:
    table = a_table(negotiator)

    table.wait(2)

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.QUIT


def test_it_makes_no_offer_out_of_turn() -> None:
    table = a_table("Noted", turns="alternating")

    table.wait(3)

    assert agents_offers(table) == [], "the first seat, human, begins"
    table.human.offers(coins=(4, 0), colour="green", price=0)
    table.wait(3)
    assert len(agents_offers(table)) == 1


def test_an_outcome_that_the_game_does_not_have_is_a_failure_in_one_sentence() -> None:
    table = a_table("StrayNegotiator", may_fail=True)

    table.wait(2)

    assert any("no outcome of this game" in str(error) for error in table.errors)


def test_equal_seeds_give_equal_draws_of_python_and_of_numpy() -> None:
    def offers_with(seed: int) -> list[Offer]:
        table = TrialTable(the_game(), seed=seed)
        agent = NegmasNegotiator("agent")
        agent.configure({"negotiator": "DiceNegotiator"})
        table.seat(agent)
        for _ in range(6):
            table.wait(2)
            table.human.offers(coins=(4, 0), colour="green", price=0)
        return agents_offers(table)

    assert offers_with(1) == offers_with(1)
    assert len({tuple(map(repr, offers_with(seed))) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"negotiator": "Note"}, "NegMAS has no negotiator 'Note'"),
        ({"negotiator": "DicNegotiator"}, "There is DiceNegotiator"),
        ({"negotiator": "sao.Nothing"}, "The module negmas.sao has no negotiator 'Nothing'"),
        ({"negotiator": "anl.anl2024.Shochan"}, "There is no Python module 'anl' here"),
        ({"negotiator": "ResponseType"}, "is no negotiator of NegMAS"),
        ({"negotiator": "JavaAgent"}, "is an agent of Genius in Java"),
        ({"negotiator": "Noted", "parameters": {"most": 1}}, "cannot be made with the parameters"),
    ],
)
def test_what_cannot_be_made_is_refused_before_the_game(settings: dict[str, Any], sentence: str) -> None:
    agent = NegmasNegotiator("agent")
    agent.configure(settings)

    with pytest.raises(AgentError, match=sentence):
        agent.check_game(the_game())


def test_a_game_of_three_seats_is_refused() -> None:
    agent = NegmasNegotiator("red")
    agent.configure({"negotiator": "Noted"})

    with pytest.raises(NegoError, match="play games of two seats, and made_up has 3"):
        agent.check_game(three_seats())


@pytest.mark.parametrize("settings", [{}, {"negotiator": 5}, {"negotiator": "Noted", "parameters": [1]}])
def test_settings_without_a_name_or_with_nameless_parameters_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(AgentError, match=r"The setting .(negotiator|parameters)."):
        NegmasNegotiator("agent").configure(settings)
