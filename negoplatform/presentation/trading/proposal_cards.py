"""Cards of proposals, and the tabs of the dialogues to which they belong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Self

from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.mechanisms.trading_accounts import account_after, trade_side
from negoplatform.core.mechanisms.trading_state import Proposal, trading_state, trading_terms
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.plots.seat_styles import NamedSeats, SeatMark
from negoplatform.presentation.refusals_for_translation import localized_refusal
from negoplatform.presentation.trading.dialogue_history import (
    CardState,
    DialogueCall,
    DialogueHistory,
    DialogueProposal,
)
from negoplatform.presentation.trading.lowered_score import lowered_score, scores_with_waiting
from negoplatform.presentation.trading.money_texts import (
    change_between,
    change_colour,
    change_text,
    good_title,
    money_text,
    score_text,
    units_text,
)

MOST_ENDED = 8
"""Most proposals of a dialogue that are shown although they have ended."""

ENDED_SECONDS = 10.0
"""Seconds for which a proposal that has ended stays among the open ones, so that its end is seen."""

MOST_CARDS = 40
"""Most cards that are shown at a time; the newest are kept."""

ALL = ""
"""Name of the tab with the open proposals of all dialogues."""


@dataclass(frozen=True, slots=True)
class ProposalCardView:
    """View of a proposal's card; a call for proposals has a card too.

    Args:
        proposal_id: Id of the proposal, or of the call.
        other: The other side.
        mark: Mark of the other side's seat; None where there is only one other.
        is_mine: Whether the participant made it.
        terms: What the participant would give and get: ``You buy 1 × Wool for 10.00 €``.
        heading: Whose it is, and its state.
        effect: What it would do to the score; empty once it has ended.
        versus: The same as a value.
        accept: Label of the button that accepts or confirms; empty without one.
        can_accept: Whether that can be pressed.
        decline: Label of the button that declines or withdraws; empty without one.
        counter: Label of the button that puts its terms on the ticket; empty without one.
        hint: Why it cannot be accepted, or who has to act; empty if there is nothing to say.
        problem: Why the last act on it was not possible; empty if it was.
        state: Its state.
        lowers: Whether the trade would lower the participant's score.
    """

    proposal_id: int
    other: Seat
    mark: SeatMark | None
    is_mine: bool
    terms: str
    heading: str
    effect: str = ""
    versus: NoDealComparison = NoDealComparison.OPEN
    accept: str = ""
    can_accept: bool = False
    decline: str = ""
    counter: str = ""
    hint: str = ""
    problem: str = ""
    state: CardState = CardState.OPEN
    lowers: bool = False

    @property
    def has_controls(self) -> bool:
        """Whether the card has buttons."""
        return bool(self.accept or self.decline or self.counter)

    def disabled(self) -> Self:
        """Return the card with everything disabled."""
        return replace(self, can_accept=False, decline="", counter="")


@dataclass(frozen=True, slots=True)
class DialogueTabView:
    """View of a dialogue's tab.

    Args:
        seat: The other side; ``ALL`` for the tab with what is open in all dialogues.
        name: Its name.
        title: The same with the number of proposals that wait for the participant.
        mark: Mark of the seat; None if it has none.
    """

    seat: Seat
    name: str
    title: str
    mark: SeatMark | None


@dataclass(frozen=True, slots=True)
class DialoguesView:
    """View of the dialogues.

    Args:
        tabs: The tabs; none where there is only one other.
        chosen: The seat of the chosen tab.
        cards: The cards of the chosen tab, oldest first.
        empty: What to say where there are no cards.
        earlier: How many earlier cards are left out, in words; empty if none are.
    """

    tabs: tuple[DialogueTabView, ...]
    chosen: Seat
    cards: tuple[ProposalCardView, ...]
    empty: str
    earlier: str = ""

    def disabled(self) -> Self:
        """Return the view with everything disabled."""
        return replace(self, cards=tuple(card.disabled() for card in self.cards))


class ProposalCards:
    """Maker of the cards' views for one seat.

    Args:
        seats: Seat of the participant, and the others with their names and marks.
        translate: Translation into the window's language.
    """

    def __init__(self, seats: NamedSeats, translate: Language) -> None:
        self._seat, self._names, self._marks = seats
        self._translate = translate

    def dialogues(
        self,
        state: State,
        history: DialogueHistory,
        chosen: Seat,
        problems: Mapping[int, str],
        now: float,
    ) -> DialoguesView:
        """Return the view of the dialogues.

        Args:
            state: The session as visible to the seat.
            history: The seat's dialogues, up to date.
            chosen: The seat of the chosen tab.
            problems: Why the last act on a proposal was not possible, by the proposal's id.
            now: Session time in seconds.
        """
        translate = self._translate
        several = len(self._names) > 1
        chosen = chosen if several and chosen in self._names else ALL
        shown = self._shown(history, chosen, now, several=several)
        left_out = max(0, len(shown) - MOST_CARDS)
        view = TradingView(state, self._seat)
        cards = tuple(
            self._card(state, view, each, problems, now)
            if isinstance(each, DialogueProposal)
            else self._call_card(state, each)
            for each in shown[left_out:]
        )
        if state.ending is not None or self._seat in trading_state(state).left:
            empty = ""
        elif several and chosen:
            empty = translate("No proposals between you and {name} yet.", name=self._names[chosen])
        else:
            empty = translate("No open proposals. Make one on the right, or ask for one.")
        return DialoguesView(
            tabs=self._tabs(state, history) if several else (),
            chosen=chosen,
            cards=cards,
            empty=empty,
            earlier=translate.plural(
                "{n} earlier proposal is not shown", "{n} earlier proposals are not shown", left_out
            )
            if left_out
            else "",
        )

    def terms_text(self, state: State, proposal: Proposal, *, settled: bool = False) -> str:
        """Return what the participant would give and get, or has given and got."""
        economy, translate = economy_of(state.game), self._translate
        values = {
            "goods": units_text(proposal.units, economy.goods, translate),
            "amount": money_text(proposal.amount, economy.currency, translate),
        }
        buys = proposal.buying_seat == self._seat
        if settled:
            return (
                translate("You bought {goods} for {amount}", **values)
                if buys
                else translate("You sold {goods} for {amount}", **values)
            )
        if buys:
            return translate("You buy {goods} for {amount}", **values)
        return translate("You sell {goods} for {amount}", **values)

    # Tabs

    def _tabs(self, state: State, history: DialogueHistory) -> tuple[DialogueTabView, ...]:
        translate = self._translate
        waiting = dict.fromkeys(self._names, 0)
        running = state.phase is Phase.NEGOTIATING
        for proposal in history.proposals.values() if running else ():
            other = proposal.terms.other(self._seat)
            if other in waiting and self._waits_for_me(proposal):
                waiting[other] += 1
        everyone = sum(waiting.values())
        everyone_title = translate("Open ({n})", n=everyone) if everyone else translate("Open")
        tabs = [DialogueTabView(ALL, translate("Open"), everyone_title, None)]
        for seat, name in self._names.items():
            title = f"{name} •{waiting[seat]}" if waiting[seat] else name
            tabs.append(DialogueTabView(seat, name, title, self._marks.get(seat)))
        return tuple(tabs)

    def _waits_for_me(self, proposal: DialogueProposal) -> bool:
        by_me = proposal.terms.maker == self._seat
        return proposal.state is (CardState.ACCEPTED if by_me else CardState.OPEN)

    def _shown(
        self, history: DialogueHistory, chosen: Seat, now: float, *, several: bool
    ) -> list[DialogueProposal | DialogueCall]:
        """Return the proposals and open calls of a tab, oldest first."""
        calls = [
            call
            for call in history.calls.values()
            if not call.answered and call.caller != self._seat and chosen in (ALL, call.other(self._seat))
        ]
        mine = [
            proposal
            for proposal in history.proposals.values()
            if chosen in (ALL, proposal.terms.other(self._seat))
        ]
        if several and chosen == ALL:
            kept = [p for p in mine if p.state.is_live or has_just_ended(p, now)]
        else:
            ended = [proposal for proposal in mine if not proposal.state.is_live][-MOST_ENDED:]
            kept_ids = {proposal.terms.proposal_id for proposal in ended}
            kept = [p for p in mine if p.state.is_live or p.terms.proposal_id in kept_ids]
        return sorted([*calls, *kept], key=_number)

    # Cards

    def _call_card(self, state: State, call: DialogueCall) -> ProposalCardView:
        translate = self._translate
        name = self._name(call.caller)
        goods = [good for good in economy_of(state.game).goods if good.name in call.goods]
        what = ", ".join(good_title(good, translate) for good in goods) or translate("something")
        sentence = (
            translate("{name} would like to buy: {goods}", name=name, goods=what)
            if call.buyer
            else translate("{name} would like to sell: {goods}", name=name, goods=what)
        )
        return ProposalCardView(
            proposal_id=call.call_id,
            other=call.caller,
            mark=self._marks.get(call.caller),
            is_mine=False,
            terms=sentence,
            heading=translate("{name} asks for a proposal", name=name),
            counter=translate("Make a proposal")
            if state.phase is Phase.NEGOTIATING and call.caller not in trading_state(state).left
            else "",
        )

    def _card(
        self,
        state: State,
        view: TradingView,
        proposal: DialogueProposal,
        problems: Mapping[int, str],
        now: float,
    ) -> ProposalCardView:
        terms, seat, translate = proposal.terms, self._seat, self._translate
        currency = economy_of(state.game).currency
        other = terms.other(seat)
        is_mine = terms.maker == seat
        is_open = proposal.state.is_live and state.phase is Phase.NEGOTIATING
        now_score, gain = view.score(), view.gain(terms)
        after = score_text(now_score + gain, currency, translate)
        gain = change_between(now_score, now_score + gain, currency)
        waits = view.has_requested(terms)
        accept = self._accept_label(proposal, waits=waits) if is_open else ""
        lacking = self._lacking(state, terms) if accept else ""
        return ProposalCardView(
            proposal_id=terms.proposal_id,
            other=other,
            mark=self._marks.get(other),
            is_mine=is_mine,
            terms=self.terms_text(state, terms, settled=proposal.state is CardState.SETTLED),
            heading=translate("{name} has left", name=self._name(other))
            if proposal.state is CardState.LEFT and other in trading_state(state).left
            else translate("No trade: the game is over")
            if proposal.state.is_live and not is_open
            else self._heading(proposal, self._name(other), waits=waits),
            effect=translate(
                "Your score would be {after} ({change})",
                after=after,
                change=change_text(gain, currency, translate),
            )
            if is_open
            else "",
            versus=change_colour(gain, currency) if is_open else NoDealComparison.OPEN,
            accept=accept,
            can_accept=bool(accept) and not lacking,
            decline=self._decline_label(proposal) if is_open else "",
            counter=self._counter_label(state, proposal),
            hint=lacking or (self._hint(state, proposal, now) if accept else ""),
            problem=problems.get(terms.proposal_id, "")
            or (self._error(state, proposal) if is_open and not waits else ""),
            state=proposal.state,
            lowers=bool(accept) and lowered_score(state, seat, terms) is not None,
        )

    def _hint(self, state: State, proposal: DialogueProposal, now: float) -> str:
        """Return how long the other side waits, and what changes if other trades that wait take place."""
        translate, parts = self._translate, []
        until = confirmation_until(state, self._seat, proposal)
        if until is not None:
            parts.append(translate("Confirm within {s} s", s=seconds_until(until, now)))
        parts.append(self._waiting_hint(state, proposal.terms))
        return "  ·  ".join(filter(None, parts))

    def _counter_label(self, state: State, proposal: DialogueProposal) -> str:
        """Return the label of the button that puts a proposal on the ticket; empty where there is none."""
        translate, trading = self._translate, trading_state(state)
        gone = {self._seat, proposal.terms.other(self._seat)} & set(trading.left)
        if state.phase is not Phase.NEGOTIATING or gone:
            return ""
        if proposal.terms.maker != self._seat:
            return translate("Counter") if proposal.state is CardState.OPEN else ""
        again = proposal.state in (CardState.DECLINED, CardState.WITHDRAWN)
        return translate("Propose again") if again else ""

    def _waiting_hint(self, state: State, terms: Proposal) -> str:
        """Return what a trade would change once the trades that wait have taken place; empty if none wait."""
        translate, currency = self._translate, economy_of(state.game).currency
        scores = scores_with_waiting(state, self._seat, terms)
        if scores is None:
            return ""
        change = change_text(scores[1] - scores[0], currency, translate)
        return translate("After the trades that wait: {change}", change=change)

    def _accept_label(self, proposal: DialogueProposal, *, waits: bool) -> str:
        """Return the label of the button that accepts or confirms; empty where neither is possible."""
        translate = self._translate
        if waits:
            return ""
        is_mine = proposal.terms.maker == self._seat
        if proposal.state is CardState.OPEN:
            return "" if is_mine else translate("Accept")
        return translate("Confirm trade")

    def _decline_label(self, proposal: DialogueProposal) -> str:
        translate = self._translate
        if proposal.terms.maker == self._seat and proposal.state is CardState.OPEN:
            return translate("Withdraw")
        return translate("Decline") if proposal.state is CardState.OPEN else translate("Call off")

    def _lacking(self, state: State, terms: Proposal) -> str:
        """Return why the participant cannot keep their side of the trade; empty if they can."""
        buys = terms.buying_seat == self._seat
        side = trade_side(state.game, buys=buys, amount=terms.amount, units=terms.units)
        after = account_after(trading_state(state).accounts[self._seat], side)
        translate = self._translate
        if min(after.units) < 0:
            return translate("You don’t have that much to sell.")
        return translate("You don’t have enough money for this.") if after.money < 0 else ""

    def _heading(self, proposal: DialogueProposal, name: str, *, waits: bool) -> str:
        translate = self._translate
        mine = proposal.terms.maker == self._seat
        match proposal.state:
            case CardState.OPEN:
                return (
                    translate("Your proposal – waiting for {name}", name=name)
                    if mine
                    else translate("{name} proposes", name=name)
                )
            case CardState.ACCEPTED | CardState.MATCHED if waits:
                return translate("You have confirmed – waiting for {name}", name=name)
            case CardState.ACCEPTED | CardState.MATCHED if proposal.has_expired:
                return translate("Not confirmed in time – you can still confirm it")
            case CardState.ACCEPTED if mine:
                return translate("{name} accepts your proposal – confirm it to trade", name=name)
            case CardState.ACCEPTED | CardState.MATCHED:
                return translate("Accepted – confirm it to trade")
            case CardState.SETTLED:
                return translate("Traded with {name}", name=name)
            case CardState.ANSWERED:
                return (
                    translate("{name} answered with another proposal", name=name)
                    if mine
                    else translate("You answered with another proposal")
                )
            case CardState.DECLINED:
                return (
                    translate("{name} declined your proposal", name=name)
                    if mine
                    else translate("You declined {name}’s proposal", name=name)
                )
            case CardState.WITHDRAWN:
                return (
                    translate("You withdrew your proposal")
                    if mine
                    else translate("{name} withdrew this proposal", name=name)
                )
            case CardState.LEFT:
                return translate("You have left")

    def _error(self, state: State, proposal: DialogueProposal) -> str:
        """Return why the trade failed the last time; empty if it did not."""
        if proposal.error is None:
            return ""
        return error_text(proposal.error, state, self._seat, self._names, self._translate)

    def _name(self, seat: Seat) -> str:
        return self._names.get(seat, seat)


def error_text(
    data: Mapping[str, Any], state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> str:
    """Return why a trade did not take place, as a seat reads it.

    Args:
        data: Data of the ``transaction-error``.
        state: The session as visible to the seat.
        seat: The seat.
        names: Displayed names of the other seats.
        translate: Translation into the window's language.
    """
    other = next((each for each in data["pair"] if each != seat), "")
    name = names.get(other, other)
    called = state.game.names.get(seat, seat)
    match data["error_code"]:
        case "TRANSACTION_EXPIRED" if seat in data["dropped"]:
            return translate("{name} didn’t confirm it in time.", name=name)
        case "TRANSACTION_EXPIRED":
            return translate("You didn’t confirm it in time.")
        case "TRANSACTION_NOT_MATCHING":
            return translate("You and {name} confirmed different terms.", name=name)
        case "TRANSACTION_NOT_VALID" if data["reason"].startswith(f"{called} does not have"):
            return translate("You don’t have enough for it any more.")
        case "TRANSACTION_NOT_VALID":
            return translate("{name} doesn’t have enough for it.", name=name)
        case "TRANSACTION_WITHDRAWN" if other in trading_state(state).left:
            return translate("{name} has left.", name=name)
        case _:
            return translate("It was called off.")


def has_just_ended(proposal: DialogueProposal, now: float) -> bool:
    """Return whether a proposal has ended so recently that its end is shown among the open ones."""
    return not proposal.state.is_live and now < proposal.since + ENDED_SECONDS


def confirmation_until(state: State, seat: Seat, proposal: DialogueProposal) -> float | None:
    """Return the session time (s) until which the other side waits for a seat's confirmation.

    None if it does not wait, or waits no more.
    """
    waits = proposal.terms.maker == seat and proposal.state is CardState.ACCEPTED
    if not waits or proposal.has_expired or TradingView(state, seat).has_requested(proposal.terms):
        return None
    return proposal.since + trading_terms(state.game).request_expires_seconds


def seconds_until(until: float, now: float) -> int:
    """Return the whole seconds until a session time, rounded up."""
    return max(0, ceil(until - now - 1e-6))


def shown_reason(reason: str, state: State, names: Mapping[Seat, str], translate: Language) -> str:
    """Return a reason of the rules in the window's language; names in it are those that the rules use."""
    for seat, shown in names.items():
        called = state.game.names.get(seat, seat)
        if called != shown and called in reason:
            reason = reason.replace(called, shown)
    return localized_refusal(reason, translate) if reason else ""


def _number(each: DialogueProposal | DialogueCall) -> int:
    return each.call_id if isinstance(each, DialogueCall) else each.terms.proposal_id
