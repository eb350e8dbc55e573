"""Trades and proposals of a recorded session of goods and money, with their positions. No Tk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from negoplatform.app.playback.playback import Playback
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market_books import book_number, minor_of
from negoplatform.core.mechanisms.market_order_facts import CONTRACT_FULFILLED
from negoplatform.core.mechanisms.market_phase_facts import PHASE_TRANSITION
from negoplatform.core.mechanisms.trading_facts import TRADE_REPORTED, TRANSACTION_CONFIRMATION
from negoplatform.core.mechanisms.trading_state import ProposalMade
from negoplatform.core.visibility import Observer
from negoplatform.domain.game import economy_of
from negoplatform.domain.trading.economy import Money
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.market.phase_view import phase_title
from negoplatform.presentation.replay.market_words import MarketWords
from negoplatform.presentation.replay.trading_words import TradingWords
from negoplatform.presentation.trading.dialogue_history import CardState, DialogueHistory, DialogueProposal

EXPIRED = gettext_noop("not confirmed in time")
"""State of a proposal that both have accepted, while no request for its transaction waits."""

STATE_WORDS = {
    CardState.OPEN: gettext_noop("open"),
    CardState.ACCEPTED: gettext_noop("accepted"),
    CardState.MATCHED: gettext_noop("confirmed"),
    CardState.SETTLED: gettext_noop("settled"),
    CardState.ANSWERED: gettext_noop("answered"),
    CardState.DECLINED: gettext_noop("declined"),
    CardState.WITHDRAWN: gettext_noop("withdrawn"),
    CardState.LEFT: gettext_noop("void"),
}


@dataclass(frozen=True, slots=True)
class RecordedTrade:
    """Trade with its position in the log.

    Args:
        position: The position of the event.
        t: The session time (s).
        text: The trade in words.
        price_text: Its price as a text; in trading, what was paid for all units.
        who: Who has traded and how many units, in words.
        book: The number of its order book; 0 in trading.
        price: The price of a unit, in minor units; 0 in trading.
    """

    position: int
    t: float
    text: str
    price_text: str
    who: str
    book: int = 0
    price: Money = 0


@dataclass(frozen=True, slots=True)
class TradingPeriod:
    """Phase in which orders can be placed: its name, and its session times (s)."""

    title: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class RecordedProposal:
    """Proposal with its state at one moment.

    Args:
        position: The position of its PROPOSE.
        t: The session time (s).
        text: What it proposes, in words.
        status: Its state, in a word.
        is_live: Whether it can still lead to a trade.
        is_settled: Whether it has led to a trade.
    """

    position: int
    t: float
    text: str
    status: str
    is_live: bool
    is_settled: bool


def up_to(trades: Sequence[RecordedTrade], position: int) -> Sequence[RecordedTrade]:
    """Return the trades that have happened at a position."""
    return trades[: bisect_right(trades, position, key=lambda trade: trade.position)]


def market_trades(playback: Playback, observer: Observer, words: MarketWords) -> tuple[RecordedTrade, ...]:
    """Return the trades of a market, oldest first."""
    game, found = playback.game, []
    goods = economy_of(game).good_names
    for moment in playback.observed_events(observer):
        if moment.event.type != CONTRACT_FULFILLED:
            continue
        data = moment.event.data
        found.append(
            RecordedTrade(
                moment.position,
                moment.event.t,
                words.trade_text(data),
                words.price_text(data["price"]),
                words.pair_text(data),
                book_number(game, data["condition"], goods.index(data["good"])),
                minor_of(game, data["price"]),
            )
        )
    return tuple(found)


def trading_periods(playback: Playback, observer: Observer, translate: Language) -> tuple[TradingPeriod, ...]:
    """Return the phases with trade that a session of a market has reached."""
    game, found = playback.game, []
    phases = market_terms(game).all_phases
    starts = [
        (moment.event.t, moment.event.data["phase"])
        for moment in playback.observed_events(observer)
        if moment.event.type == PHASE_TRANSITION
    ]
    ends = [*(t for t, _ in starts[1:]), playback.seconds]
    for (start, number), end in zip(starts, ends, strict=False):
        if phases[number - 1].trade:
            found.append(TradingPeriod(phase_title(game, number, translate), start, end))
    return tuple(found)


def settled_trades(playback: Playback, observer: Observer, words: TradingWords) -> tuple[RecordedTrade, ...]:
    """Return the settled transactions of trading, oldest first."""
    found = []
    for moment in playback.observed_events(observer):
        event = moment.event
        if event.type in (TRANSACTION_CONFIRMATION, TRADE_REPORTED) and words.has_line(event):
            found.append(
                RecordedTrade(
                    moment.position,
                    event.t,
                    words.trade_text(event.data),
                    words.amount_text(event.data),
                    words.pair_text(event.data),
                )
            )
    return tuple(found)


class ProposalHistory:
    """Proposals of all seats that an observer may see, with their states at a position.

    Args:
        playback: The session.
        observer: The observer.
        words: The words of the session's events.
    """

    def __init__(self, playback: Playback, observer: Observer, words: TradingWords) -> None:
        self._words = words
        self._moments = playback.observed_events(observer)
        self._start = playback.view_at(0, observer).state
        self._positions = {
            moment.event.seq: moment.position
            for moment in self._moments
            if isinstance(moment.event.payload, ProposalMade)
        }
        self._history, self._read = DialogueHistory(""), 0

    def at(self, position: int) -> tuple[RecordedProposal, ...]:
        """Return the proposals made up to a position, the newest first."""
        count = bisect_right(self._moments, position, key=lambda moment: moment.position)
        if count < self._read:
            self._history, self._read = DialogueHistory(""), 0
        for moment in self._moments[self._read : count]:
            self._history.read(self._start, moment.event)
        self._read = count
        proposals = reversed(list(self._history.proposals.items()))
        return tuple(self._row(proposal_id, proposal) for proposal_id, proposal in proposals)

    def _row(self, proposal_id: int, proposal: DialogueProposal) -> RecordedProposal:
        words, is_late = self._words, proposal.state.is_live and proposal.has_expired
        return RecordedProposal(
            self._positions[proposal_id],
            proposal.t,
            words.proposal_text(words.events[proposal_id]),
            words.translate(EXPIRED if is_late else STATE_WORDS[proposal.state]),
            proposal.state.is_live,
            proposal.state is CardState.SETTLED,
        )
