"""check_agent in trading and markets: one deliberately bad agent for each finding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from negoplatform.agent_api import (
    AcceptProposal,
    Action,
    AgentContext,
    AgentError,
    CancelOrder,
    Event,
    GameSpec,
    MarketAgent,
    NegotiationAgent,
    PlaceOrder,
    Propose,
    Schedule,
    SendMessage,
    SendOffer,
    SubmitTransaction,
    TradingAgent,
)
from negoplatform.app.catalogue.catalogue import list_agents
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.testing import Finding, Severity, check_agent
from negoplatform.testing.mechanism_checks import MECHANISM_CHECKS, check_cases
from negoplatform.testing.trial_economies import market_trial_games, trading_trial_games
from negoplatform.testing.trial_games import trial_games

ERROR, WARNING = Severity.ERROR, Severity.WARNING
GAMES = {game.name: game for game in (*trading_trial_games(), *market_trial_games(), *trial_games())}

pytestmark = pytest.mark.timeout(100)


def checked(agent: type[NegotiationAgent] | AgentPlugin | Path, *games: str) -> list[Finding]:
    """Return the findings about an agent, in the usual games unless some are named."""
    named = [GAMES[name] for name in games] or None
    return check_agent(agent, games=named, in_another_process=False)


def the_one(findings: Sequence[Finding], *words: str) -> Finding:
    """Return the only finding with all of these words."""
    found = [finding for finding in findings if all(word in str(finding) for word in words)]
    assert len(found) == 1, [str(finding) for finding in findings]
    return found[0]


def one_unit(ctx: AgentContext, **more: object) -> Propose:
    """Return a proposal to buy one unit of the first good for next to nothing."""
    return Propose(ctx.trading.others[0], True, 0.01, {ctx.trading.goods[0]: 1}, **more)  # type: ignore[arg-type]


# Agents without a fault


def shipped() -> list[AgentPlugin]:
    agents = [row.item for row in list_agents(Path("nowhere")) if row.item is not None]
    return [agent for agent in agents if "bargaining" not in agent.mechanisms]


@pytest.mark.parametrize("agent", shipped(), ids=lambda agent: agent.name)
def test_there_is_nothing_to_complain_about_in_a_shipped_trader(agent: AgentPlugin) -> None:
    assert [str(finding) for finding in checked(agent)] == []


# Trading


class Fair(TradingAgent):
    """Trader that takes what raises its score, and asks for a unit once."""

    def on_game_data(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [Schedule(5000, self.ask)]

    def ask(self, ctx: AgentContext) -> list[Action]:
        able = ctx.trading.others and ctx.trading.can_trade(
            buyer=True, amount=0.01, quantities={ctx.trading.goods[0]: 1}
        )
        return [one_unit(ctx)] if able else []

    def on_propose(self, ctx: AgentContext, event: Event) -> list[Action]:
        proposal = ctx.trading.proposal(event.seq)
        if proposal is None or ctx.trading.pending or ctx.trading.gain(proposal) <= 0:
            return []
        return [AcceptProposal(proposal.proposal_id), ctx.trading.submit(proposal)]

    def on_accept_proposal(self, ctx: AgentContext, event: Event) -> list[Action]:
        return self.on_propose(ctx, event._replace(seq=event.payload.proposal_id))


def test_a_short_trader_without_a_fault_has_no_finding() -> None:
    assert [str(finding) for finding in checked(Fair)] == []


def test_an_error_in_a_handler_of_trading_is_told_with_line_and_situation() -> None:
    class Divides(Fair):
        def on_transaction_error(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage(str(1 / 0))]

    finding = the_one(checked(Divides, "tac_trading"), "on_transaction_error raised ZeroDivisionError")

    assert finding.severity is ERROR
    assert "the other side never submits" in finding.situation


def test_a_transaction_at_a_loss_is_an_error_and_such_a_proposal_a_warning() -> None:
    class Generous(Fair):
        def ask(self, ctx: AgentContext) -> list[Action]:
            good = ctx.trading.goods[0]
            return [Propose(ctx.trading.others[0], False, 0, {good: 1})] if ctx.trading.others else []

        def on_propose(self, ctx: AgentContext, event: Event) -> list[Action]:
            proposal = ctx.trading.proposal(event.seq)
            if proposal is None or ctx.trading.pending:
                return []
            return [AcceptProposal(proposal.proposal_id), ctx.trading.submit(proposal)]

    findings = checked(Generous, "tac_trading")

    assert the_one(findings, "submits a transaction that lowers its score by").severity is ERROR
    assert the_one(findings, "proposes a transaction that would lower its score by").severity is WARNING


def test_what_it_cannot_pay_is_refused_with_the_question_to_ask_first() -> None:
    class Poor(Fair):
        def ask(self, ctx: AgentContext) -> list[Action]:
            return [Propose(ctx.trading.others[0], True, 999_999, {ctx.trading.goods[0]: 1})]

    finding = the_one(checked(Poor, "tac_trading"), "PROPOSE was refused", "You don’t have enough money")

    assert finding.severity is WARNING
    assert finding.sentence.split(" It happened")[0].endswith("ask ctx.trading.can_trade(…) first.")


def test_a_refusal_after_something_that_it_could_not_know_is_not_its_fault() -> None:
    findings = checked(Fair, "tac_trading", "three_traders")

    assert not any("refused" in str(finding) for finding in findings)


@pytest.mark.parametrize("game", ["tac_trading", "stall"])
def test_an_agent_that_never_acts_is_told_so_and_nothing_else(game: str) -> None:
    class Idle(NegotiationAgent):
        mechanisms = ("trading", "market")

    finding = the_one(checked(Idle, game), "never does anything")

    assert finding.severity is WARNING
    assert len(checked(Idle, game)) == 1


def test_what_a_trader_never_does_is_told() -> None:
    class OnlyAccepts(TradingAgent):
        def on_propose(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [AcceptProposal(event.seq)] if ctx.trading.proposal(event.seq) else []

    class NeverConfirms(Fair):
        def on_accept_proposal(self, ctx: AgentContext, event: Event) -> list[Action]:
            return []

    class Misquotes(Fair):
        def on_propose(self, ctx: AgentContext, event: Event) -> list[Action]:
            script = super().on_propose(ctx, event)
            if not script:
                return []
            asked = script[1]
            assert isinstance(asked, SubmitTransaction)
            own_id = SubmitTransaction(
                f"mine-{event.seq}", asked.buyer, asked.counterparty, asked.amount, asked.quantities
            )
            return [script[0], own_id]

    accepts = checked(OnlyAccepts, "tac_trading")
    assert the_one(accepts, "never proposes and never calls").severity is WARNING
    assert the_one(accepts, "accepts and never submits").severity is WARNING
    assert the_one(checked(NeverConfirms, "tac_trading"), "that the other has accepted").severity is WARNING
    assert the_one(checked(Misquotes, "tac_trading"), "None of its transactions is settled")


# Markets


class Modest(MarketAgent):
    """Trader that bids and asks at a small gain, wherever it can."""

    def on_turn(self, ctx: AgentContext) -> list[Action]:
        script: list[Action] = [
            CancelOrder(order.order_id) for book in ctx.market.books for order in book.own_orders
        ]
        for book in ctx.market.books:
            keep, get = book.next_value(-1), book.next_value(1)
            place = {"good": book.good, "condition": book.condition or None}
            if keep is not None:
                price = ctx.market.round_price(keep + ctx.market.tick)
                return [*script, PlaceOrder("ask", max(keep, price), **place)]  # type: ignore[arg-type]
            if get is not None and ctx.market.lowest < get:
                price = ctx.market.round_price(get - ctx.market.tick)
                return [*script, PlaceOrder("bid", price, **place)]  # type: ignore[arg-type]
        return script


def test_a_short_trader_in_a_market_without_a_fault_has_no_finding() -> None:
    assert [str(finding) for finding in checked(Modest, "stall")] == []


def test_an_order_that_loses_by_the_worth_of_the_unit_is_told() -> None:
    class Loses(MarketAgent):
        def on_turn(self, ctx: AgentContext) -> list[Action]:
            side, price = ("ask", ctx.market.lowest) if ctx.market.units else ("bid", ctx.market.highest)
            return [] if ctx.market.own_orders else [PlaceOrder(side, price)]

    findings = checked(Loses, "stall")

    assert the_one(findings, "bids 20 for a unit of flour that is worth 14").severity is WARNING
    assert the_one(findings, "asks 1 for a unit of flour that is worth", "next_value(-1)")


def test_an_order_that_it_cannot_pay_or_that_is_one_too_many_is_told() -> None:
    class Insists(MarketAgent):
        def on_turn(self, ctx: AgentContext) -> list[Action]:
            return [PlaceOrder("bid", 4)]

    findings = checked(Insists, "stall")

    assert the_one(findings, "PLACE_ORDER was refused", "You already have an order", "own_orders")
    assert the_one(findings, "PLACE_ORDER was refused", "You don’t have enough free money")


def test_what_a_trader_in_a_market_never_does_is_told() -> None:
    class Watches(MarketAgent):
        def on_contract_fulfilled(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage("What a price!")]

        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendMessage("Good morning!")]

    class AsksTooMuch(MarketAgent):
        def on_turn(self, ctx: AgentContext) -> list[Action]:
            able = ctx.market.free_units and not ctx.market.own_orders
            return [PlaceOrder("ask", ctx.market.highest)] if able else []

    watches = checked(Watches, "council")
    assert the_one(watches, "never places an order").severity is WARNING
    assert the_one(watches, "never decides in the phases").situation.startswith("all ")
    assert the_one(checked(AsksTooMuch, "stall"), "never trades").severity is WARNING


def test_chance_from_elsewhere_is_found_by_playing_twice() -> None:
    class Counts(MarketAgent):
        turns = 0

        def on_turn(self, ctx: AgentContext) -> list[Action]:
            Counts.turns += 1
            return [SendMessage(str(Counts.turns))]

    findings = checked(Counts, "stall")

    assert the_one(findings, "Played twice with the same seed").severity is ERROR
    assert the_one(findings, "Restarted and given the same events again", "on_phase_transition")


# Kinds of game


def test_an_action_of_another_kind_of_game_is_an_error_with_what_there_is() -> None:
    class Confused(Fair):
        def on_propose(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [PlaceOrder("bid", 3)]

        def on_call_for_proposals(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendOffer({})]  # type: ignore[arg-type]

    findings = checked(Confused, "tac_trading")

    finding = the_one(findings, "It returns PLACE_ORDER, which does not exist in games of the kind trading")
    assert finding.severity is ERROR
    assert "return CallForProposals(…), Propose(…)" in finding.sentence


def test_a_question_of_another_kind_of_game_is_an_error_with_what_there_is() -> None:
    class Asks(Modest):
        def on_turn(self, ctx: AgentContext) -> list[Action]:
            return super().on_turn(ctx) if ctx.current_offer else []

    finding = the_one(checked(Asks, "stall"), "raised NotInThisGame in line")

    assert finding.severity is ERROR
    assert "see ctx.market" in finding.sentence


def test_a_handler_of_another_kind_of_game_is_an_error() -> None:
    class Mixed(Fair):
        def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
            return []

        def on_add_order(self, ctx: AgentContext, event: Event) -> list[Action]:
            return []

    findings = checked(Mixed, "tac_trading")

    assert the_one(findings, "on_send_offer is called only in games of the kind bargaining").severity is ERROR
    assert the_one(findings, "on_add_order is called only in games of the kind market", "plays trading")


def test_a_turn_and_a_decision_take_the_context_alone() -> None:
    class Turns(MarketAgent):
        def on_turn(self, ctx: AgentContext, event: Event) -> list[Action]:  # type: ignore[override]
            return []

    assert the_one(checked(Turns, "stall"), "write def on_turn(self, ctx)").severity is ERROR


def test_a_game_of_a_kind_that_it_does_not_play_is_an_error() -> None:
    finding = the_one(checked(Fair, "stall"), "the game stall: It is of the kind market")

    assert finding.severity is ERROR
    assert "the agent plays trading" in finding.sentence


def test_an_agent_of_several_kinds_is_played_in_all_of_them() -> None:
    class Anywhere(Fair):
        mechanisms = ("trading", "bargaining")

    finding = the_one(checked(Anywhere), "never answers", "on_send_offer")

    assert finding.situation == f"all {len(check_cases(trial_games()))} situations"


def test_usual_games_that_an_agent_refuses_are_left_out_unless_it_refuses_all() -> None:
    class Picky(Modest):
        wanted = "stall"

        def check_game(self, game: GameSpec) -> None:
            if game.name != self.wanted:
                raise AgentError(f"I don't play {game.name}.")

    class Refuses(Picky):
        wanted = "nothing"

    assert [str(finding) for finding in checked(Picky)] == []
    assert the_one(checked(Picky, "bazaar"), "I don't play bazaar").severity is ERROR
    assert the_one(checked(Refuses), "I don't play stall").severity is ERROR


@pytest.mark.parametrize("wanted", GAMES["three_heirs"].seats)
def test_an_agent_of_one_seat_of_three_is_played_in_that_seat(wanted: str) -> None:
    class OneSeat(Fair):
        mechanisms = ("bargaining",)

        def check_game(self, game: GameSpec) -> None:
            if self.agent_id != wanted:
                raise AgentError(f"I play as {wanted}.")

    found = [str(finding) for finding in checked(OneSeat, "three_heirs")]

    assert not [sentence for sentence in found if "I play as" in sentence]


# The check itself


@pytest.mark.parametrize("kind", MECHANISM_CHECKS)
def test_every_situation_of_a_kind_has_a_name_of_its_own(kind: str) -> None:
    names = [situation.name for situation in MECHANISM_CHECKS[kind].situations]

    assert len(set(names)) == len(names)


def test_every_part_of_a_market_is_played() -> None:
    seats = {case.seat for case in check_cases([GAMES["land_market"]])}

    assert seats == {"developer", "speculator_2"}
