"""The replay of markets and of trading, without a window."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.playback.playback import LivePlayback, ObservedEvent, Playback, TimelineMarkKind
from negoplatform.app.playback.standings import recorded_standings
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.cli.main import run as run_command
from negoplatform.core.mechanisms.double_auction_state import OrderPlaced, double_auction_state
from negoplatform.core.mechanisms.market import DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.market_order_facts import CONTRACT_FULFILLED
from negoplatform.core.mechanisms.market_phase_facts import PHASE_TRANSITION
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_facts import TRANSACTION_CONFIRMATION, TRANSACTION_ERROR
from negoplatform.core.mechanisms.trading_state import ProposalAccepted, ProposalMade
from negoplatform.core.visibility import EXPERIMENTER, Observer
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.market_parts import MarketReplayParts
from negoplatform.gui.replay.parts_of_mechanisms import REPLAY_PARTS, replay_parts
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.replay.trading_parts import TradingReplayParts
from negoplatform.gui.workbenches import WORKBENCHES
from negoplatform.presentation.color_palette import LIGHT
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.market.phase_view import phase_begins_text
from negoplatform.presentation.plots.drawing import Drawing, Marker
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.replay.event_details import event_details
from negoplatform.presentation.replay.goods_history import ProposalHistory, settled_trades, up_to
from negoplatform.presentation.replay.replay_presenter import ReplayPresenter
from negoplatform.presentation.replay.seat_occupant_names import participants_of
from negoplatform.presentation.replay.trading_words import TradingWords
from negoplatform.presentation.table.table_view import HeaderView
from tests.mechanisms.trading_table import ONE, TWO, table

STYLE = PlotStyle(LIGHT, ENGLISH, 384, 300)


def recorded(folder: Path, game: str, agent: str) -> Path:
    """Return the log of a simulated game."""
    plugin = find_agent(agent, folder)
    for _ in simulate(
        find_game(game, folder),
        [plugin],
        games=1,
        seed=3,
        logs=folder,
        report=lambda error: pytest.fail(str(error)),
        how=Seatings.GIVEN,
        fill=plugin,
    ):
        pass
    return next(folder.glob(f"*/{LOG_NAME}"))


@pytest.fixture(scope="module")
def grain_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("grain"), "grain_market", "zero_intelligence")


@pytest.fixture(scope="module")
def traders_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("traders"), "tac_trading", "tac_baseline")


@pytest.fixture(scope="module")
def land_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("land"), "land_market", "land_trader")


@pytest.fixture(scope="module")
def grain(grain_log: Path) -> Playback:
    return Playback.open(grain_log)


@pytest.fixture(scope="module")
def traders(traders_log: Path) -> Playback:
    return Playback.open(traders_log)


def exported(log: Path, view: str, folder: Path) -> Playback:
    """Return what one observer saw of a log, from the file that the command writes."""
    out = folder / f"{view}.jsonl"
    run_command(["replay", str(log), "--view", view, "--out", str(out)])
    return Playback.open(out)


def market_parts(playback: Playback) -> MarketReplayParts:
    return MarketReplayParts(playback, participants_of(playback.header, ENGLISH))


def moments_of(playback: Playback, kind: str) -> list[ObservedEvent]:
    return [moment for moment in playback.observed_events(playback.observers[0]) if moment.event.type == kind]


def presenter(playback: Playback, observer: Observer) -> ReplayPresenter:
    return ReplayPresenter(playback, observer, participants_of(playback.header, ENGLISH), ENGLISH)


def test_every_kind_of_game_with_a_window_has_parts_of_the_replay() -> None:
    assert set(REPLAY_PARTS) == set(WORKBENCHES)


def test_a_seat_of_a_market_reads_what_it_did_itself_as_its_own(grain: Playback) -> None:
    order = moments_of(grain, PLACE_ORDER)[0].event
    assert isinstance(order.payload, OrderPlaced)
    seat = order.sender
    trade = next(
        moment.event.data
        for moment in moments_of(grain, CONTRACT_FULFILLED)
        if seat in (moment.event.data["from"], moment.event.data["to"])
    )
    names = participants_of(grain.header, ENGLISH).names

    lines = [line.text for line in presenter(grain, Observer(seat)).lines]

    verb = "bid" if order.payload.side is OrderSide.BID else "ask"
    assert f"You {verb} €{order.payload.price} for 1 × Grain" in lines
    bought = trade["to"] == seat
    other = names[trade["from" if bought else "to"]]
    word, way = ("bought", "from") if bought else ("sold", "to")
    assert f"You {word} 1 × Grain {way} {other} for €{trade['price']}" in lines
    assert any(line.startswith("Period 1 is over. You ") for line in lines)
    assert [line for line in lines if names[seat] in line] == []


def test_a_seat_of_a_trading_game_reads_the_words_of_its_window(traders: Playback) -> None:
    trade = moments_of(traders, TRANSACTION_CONFIRMATION)[0].event.data
    names = participants_of(traders.header, ENGLISH).names

    lines = [line.text for line in presenter(traders, Observer(trade["buyer"])).lines]

    assert any(line.startswith(f"{names[trade['seller']]} ") for line in lines)
    assert any(line.startswith("You bought ") and names[trade["seller"]] in line for line in lines)
    assert any(line.startswith("You confirm buying ") for line in lines)
    assert [line for line in lines if line.startswith(names[trade["buyer"]])] == []


# Markets


def test_acts_and_trades_of_a_market_are_lines_in_words(grain: Playback) -> None:
    lines = [line.text for line in presenter(grain, EXPERIMENTER).lines]
    names = participants_of(grain.header, ENGLISH).names
    order = moments_of(grain, PLACE_ORDER)[0].event
    assert isinstance(order.payload, OrderPlaced)
    trade = moments_of(grain, CONTRACT_FULFILLED)[0].event.data

    verb = "bids" if order.payload.side is OrderSide.BID else "asks"
    assert f"{names[order.sender]} {verb} €{order.payload.price} for 1 × Grain" in lines
    assert f"{names[trade['from']]} sold 1 × Grain to {names[trade['to']]} for €{trade['price']}" in lines
    sold = [line for line in lines if " sold 1 × Grain to " in line]
    assert len(sold) == len(moments_of(grain, CONTRACT_FULFILLED))
    assert not any("add-order" in line or "the book" in line for line in lines)
    assert (lines[0], lines[-1]) == ("The game starts", "The game is complete")


def test_every_event_of_both_kinds_has_words_and_details(grain: Playback, traders: Playback) -> None:
    for playback in (grain, traders):
        cast = participants_of(playback.header, ENGLISH)
        moments = playback.observed_events(EXPERIMENTER)
        words = act_words([each.event for each in moments], playback.game, cast.names, ENGLISH)
        for moment in moments:
            assert words.text(moment.event)
            facts, contents = event_details(moment, playback.game, cast, ENGLISH)
            assert all(name and value for name, value in (*facts, *contents) if name != "Text")
            assert "Quantities(" not in str(contents)


def test_the_book_has_the_orders_of_the_moment_with_their_owners(grain: Playback) -> None:
    parts, names = market_parts(grain), participants_of(grain.header, ENGLISH).names
    positions = [moment.position for moment in moments_of(grain, PLACE_ORDER)][5:60:9]

    for position in positions:
        book = double_auction_state(grain.state_at(position)).books[0]
        view = parts.book_view(position, ENGLISH)
        for side, rows in ((OrderSide.ASK, view.asks), (OrderSide.BID, view.bids)):
            orders = list(book.queue(side))
            assert sum(row.quantity for row in rows) == sum(order.quantity for order in orders)
            for row in rows:
                owners = {names[order.seat] for order in orders if order.price == row.amount}
                assert all(owner in row.who for owner in owners)


def test_a_price_of_the_book_leads_to_its_first_order(grain: Playback) -> None:
    parts = market_parts(grain)
    position = moments_of(grain, PLACE_ORDER)[20].position
    view = parts.book_view(position, ENGLISH)

    for row in (*view.asks, *view.bids):
        found = parts.order_position(position, row)
        assert found is not None
        placed = grain.events[found - 1]
        assert isinstance(placed.payload, OrderPlaced)
        assert found <= position
        assert placed.payload.side is row.side
        assert placed.payload.price * 100 == row.amount


def filled(drawing: Drawing) -> list[int]:
    """Return the positions of the trades that are drawn as past."""
    return [
        item.position
        for item in drawing.items
        if isinstance(item, Marker) and item.position is not None and item.fill == LIGHT.primary
    ]


def test_the_price_chart_keeps_its_axes_and_marks_the_trades_so_far(grain: Playback) -> None:
    parts = market_parts(grain)
    trades = parts.trades(ENGLISH)
    middle = trades[len(trades) // 2].position

    start, half, end = (parts.prices(STYLE, at) for at in (0, middle, len(grain.events)))

    assert start.axes == half.axes == end.axes
    assert filled(start) == []
    assert filled(half) == [trade.position for trade in up_to(trades, middle)]
    assert filled(end) == [moment.position for moment in moments_of(grain, CONTRACT_FULFILLED)]
    # Every trade can be picked, the later ones too.
    assert [mark.position for mark in start.log_markers()] == filled(end)


def test_gains_change_only_when_a_moment_is_over_and_end_with_the_result(grain: Playback) -> None:
    standings = recorded_standings(grain, EXPERIMENTER)
    final, rules = grain.state_at(len(grain.events)), mechanism_of(grain.game.mechanism)

    assert set(standings) == set(grain.game.seats)
    for seat, steps in standings.items():
        times = [step.t for step in steps]
        assert len(set(times)) == len(times)
        assert steps[-1].points == rules.points(final, seat)
        # Who never buys above the worth of a unit, or sells below it, never loses.
        assert [step.points for step in steps] == sorted(step.points for step in steps)


def test_the_accounts_of_all_seats_follow_the_moment(grain: Playback) -> None:
    parts = market_parts(grain)
    first, trade = grain.view_at(10, EXPERIMENTER).state, moments_of(grain, CONTRACT_FULFILLED)[0]
    after = trade.position + 4

    before = {view.seat: view for view in parts.accounts_at(first, 0.0, ENGLISH)}
    later = {view.seat: view for view in parts.accounts_at(grain.state_at(after), 0.0, ENGLISH)}

    assert list(before) == list(grain.game.seats)
    assert before["human"].lines[0].startswith("€500")
    buyer = trade.event.data["to"]
    assert later[buyer].lines[0].endswith("Grain: 1")
    assert before[buyer].worth == "gain €0"
    assert later[buyer].worth != before[buyer].worth


def test_orders_and_trades_have_their_marks_and_changes_of_the_book_have_none(grain: Playback) -> None:
    counts = {
        kind: len(grain.markers(EXPERIMENTER, [kind]))
        for kind in (TimelineMarkKind.TRADE, TimelineMarkKind.ANNOUNCEMENT)
    }

    assert counts[TimelineMarkKind.TRADE] == len(moments_of(grain, CONTRACT_FULFILLED))
    # Six seats are announced, three periods with two breaks, and a result for each seat and period.
    assert counts[TimelineMarkKind.ANNOUNCEMENT] == 6 + 5 + 18


def test_an_export_of_one_seat_shows_its_own_account_and_the_whole_book(
    grain: Playback, grain_log: Path, tmp_path: Path
) -> None:
    seen = exported(grain_log, "human", tmp_path)
    parts, whole = market_parts(seen), market_parts(grain)
    last = len(seen.events)

    accounts = parts.accounts_at(parts.state_at(last), seen.seconds, ENGLISH)
    view = parts.book_view(moments_of(seen, CONTRACT_FULFILLED)[3].position, ENGLISH)
    same = whole.book_view(moments_of(grain, CONTRACT_FULFILLED)[3].position, ENGLISH)

    assert [account.seat for account in accounts] == ["human"]
    assert list(parts.standings) == ["human"]
    assert (view.asks, view.bids) == (same.asks, same.bids)
    assert [trade.price for trade in parts.trades(ENGLISH)] == [
        trade.price for trade in whole.trades(ENGLISH)
    ]
    frame = presenter(seen, Observer("human")).frame_at(last, seen.seconds)
    assert frame.moment is not None


def test_decisions_of_a_phase_are_shown_while_it_lasts(land_log: Path, tmp_path: Path) -> None:
    playback = Playback.open(land_log)
    decisions = moments_of(playback, DECIDE)
    everything, names = presenter(playback, EXPERIMENTER), participants_of(playback.header, ENGLISH).names
    position = decisions[0].position

    moment = everything.frame_at(position, playback.time_at(position)).moment

    assert moment is not None
    assert moment.title.startswith("First declaration")
    decided = [line for line in moment.lines if line.startswith(names[decisions[0].event.sender])]
    assert len(decided) == 1
    assert any(line.startswith("Now decide: ") for line in moment.lines)
    sent = sum(" decides – " in line.text for line in everything.lines)
    assert sent == len(decisions)


# Trading


def test_proposals_have_their_states_at_the_moment(traders: Playback) -> None:
    parts = TradingReplayParts(traders, participants_of(traders.header, ENGLISH))
    history = ProposalHistory(traders, EXPERIMENTER, parts.words(ENGLISH))
    made = [
        moment
        for moment in traders.observed_events(EXPERIMENTER)
        if isinstance(moment.event.payload, ProposalMade)
    ]
    settled = moments_of(traders, TRANSACTION_CONFIRMATION)

    end = history.at(len(traders.events))
    first = history.at(made[0].position)

    assert [proposal.position for proposal in end] == [moment.position for moment in reversed(made)]
    assert sum(proposal.is_settled for proposal in end) == len(settled) > 0
    assert [(proposal.status, proposal.is_live) for proposal in first] == [("open", True)]


def test_scores_and_trades_of_trading_follow_the_log(traders: Playback) -> None:
    parts = TradingReplayParts(traders, participants_of(traders.header, ENGLISH))
    trades = settled_trades(traders, EXPERIMENTER, parts.words(ENGLISH))
    standings = parts.standings

    assert len(trades) == len(moments_of(traders, TRANSACTION_CONFIRMATION))
    assert [float(round(steps[0].points, 2)) for steps in standings.values()] == [213.86, 141.59]
    moved = {step.t for steps in standings.values() for step in steps[1:]}
    assert moved <= {trade.t for trade in trades}
    accounts = parts.accounts_at(traders.state_at(0), 0.0, ENGLISH)
    assert [account.worth for account in accounts] == ["score 213.86", "score 141.59"]


def test_a_trade_is_one_line_for_everyone_who_reads_it(
    traders: Playback, traders_log: Path, tmp_path: Path
) -> None:
    settled = len(moments_of(traders, TRANSACTION_CONFIRMATION))
    one = exported(traders_log, traders.game.seats[0], tmp_path)

    for playback in (traders, one):
        lines = [line.text for line in presenter(playback, playback.observers[0]).lines]
        assert sum(" bought " in line or line.startswith("You sold ") for line in lines) == settled
    one_parts = TradingReplayParts(one, participants_of(one.header, ENGLISH))
    accounts = one_parts.accounts_at(one_parts.state_at(len(one.events)), one.seconds, ENGLISH)
    assert [account.seat for account in accounts] == [traders.game.seats[0]]


def test_each_kind_of_game_has_its_pictures(grain: Playback, traders: Playback) -> None:
    for playback, kinds in (
        (grain, (FigureKind.PRICES, FigureKind.SCORES, FigureKind.TRANSCRIPT)),
        (traders, (FigureKind.SCORES, FigureKind.TRANSCRIPT)),
    ):
        parts = replay_parts(playback, participants_of(playback.header, ENGLISH))
        for kind in kinds:
            assert parts.export_drawing(kind, STYLE).items


def test_the_command_shows_quantities_and_flags_in_words(
    traders_log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["replay", str(traders_log)])
    printed = capsys.readouterr().out

    assert "Quantities(" not in printed
    assert "propose (buyer yes, amount " in printed


def test_a_settled_trade_is_listed_with_its_price_apart_from_goods_and_names(traders: Playback) -> None:
    words = TradingReplayParts(traders, participants_of(traders.header, ENGLISH)).words(ENGLISH)
    data = {"buyer": "agent_1", "seller": "agent_2", "amount": 10.5, "quantities": {"good_1": 2}}
    names = words.names

    assert words.amount_text(data) == "€10.50"
    assert words.pair_text(data) == f"2 × Wool: {names['agent_2']} sold to {names['agent_1']}"


def test_the_clock_of_a_market_is_that_of_its_phase(grain: Playback, traders: Playback) -> None:
    def header(playback: Playback, t: float) -> HeaderView:
        presenter = ReplayPresenter(
            playback, EXPERIMENTER, participants_of(playback.header, ENGLISH), ENGLISH
        )
        at = sum(event.t <= t for event in playback.events)
        return presenter.frame_at(at, t).header

    before, first, pause = header(grain, -1), header(grain, 20), header(grain, 125)
    other = header(traders, 20)

    assert (before.clock, before.clock_words) == ("02:00", "Period 1 of 3")
    assert (first.clock, first.clock_words) == ("01:40", "Period 1 of 3")
    assert (pause.clock, pause.clock_words) == ("00:05", "Break before period 2 of 3")
    assert (other.clock, other.clock_words) == ("04:40", "time left")


def test_phases_are_told_in_the_language_of_the_window(grain: Playback) -> None:
    german = Language.load("de")
    words = act_words(grain.events, grain.game, participants_of(grain.header, ENGLISH).names, german)
    told = [words.text(event) for event in grain.events if event.type == PHASE_TRANSITION]

    assert told[:2] == [phase_begins_text(grain.game, number, german) for number in (1, 2)]
    assert "Period 1 begins." not in told


def test_a_trade_that_was_not_confirmed_in_time_is_told_with_the_names_of_both() -> None:
    trade = table(request_expires_seconds=5)
    number = trade.propose(ONE, TWO, buyer=True).seq
    trade.do(TWO, "ACCEPT_PROPOSAL", ProposalAccepted(number), ONE)
    trade.submit(TWO, ONE, buyer=False, its_id=f"t-{number}")
    trade.wait(6)
    (error,) = trade.facts(TRANSACTION_ERROR)

    words = TradingWords(trade.events, trade.state.game, {ONE: "P01", TWO: "Noor"}, ENGLISH)

    assert words.own_text(error) == (
        "P01 did not buy 1 × good_1 from Noor for €10. P01 didn’t confirm it in time."
    )


@pytest.mark.parametrize("log", ["grain_log", "traders_log", "land_log"])
def test_a_session_in_progress_reads_as_its_recording(log: str, request: pytest.FixtureRequest) -> None:
    recording = Playback.open(request.getfixturevalue(log))
    participants = participants_of(recording.header, ENGLISH)
    whole = ReplayPresenter(recording, EXPERIMENTER, participants, ENGLISH)
    live = LivePlayback(recording.header)
    growing = ReplayPresenter(live, EXPERIMENTER, participants, ENGLISH)

    for number, event in enumerate(recording.events, start=1):
        live.append(event)
        if number % 40 == 0:
            growing.extend()
    growing.extend()

    assert growing.lines == whole.lines
    for position in (1, len(recording.events) // 2, len(recording.events)):
        t = recording.time_at(position)
        assert growing.frame_at(position, t) == whole.frame_at(position, t)
        assert growing.line_count(position) == whole.line_count(position)
