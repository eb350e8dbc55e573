"""Mechanisms whose rules fail: the session goes on or ends in order, and its log says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.simulation.simulate import simulate
from negoplatform.cli.main import run as run_command
from negoplatform.core.events import EndedBy, Ending, Event, EventType
from negoplatform.core.mechanisms import Fact, fact, game_end
from negoplatform.core.rules_faults import FAULTY_RULES, NOTHING_CHANGED
from negoplatform.core.state import State
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from tests.mechanisms.auction_games import AUCTION, BIDDER, build
from tests.mechanisms.bench import Bench
from tests.mechanisms.moves import TriedAct
from tests.mechanisms.sealed_bid import (
    GIVE_MONEY,
    PLACE_BID,
    BidPlaced,
    MoneyOffered,
    SealedBid,
    auction_of,
)
from tests.mechanisms.test_laws import violation

Patch = pytest.MonkeyPatch


def fail(*_args: Any) -> Any:
    """Fail as rules do that were not tried."""
    raise ZeroDivisionError("the rules")


def fails_with_bids(sound: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that fails once there is a bid."""

    def method(self: SealedBid, state: Any, *args: Any) -> Any:
        held = state if hasattr(state, "bids") else auction_of(state)
        return fail() if held.bids else sound(self, state, *args)

    return method


def bid(bench: Bench, seat: str = "ann") -> Event | None:
    """Have a seat place a bid."""
    return bench.act(TriedAct(seat, PLACE_BID, BidPlaced(9)))


def end_of(bench: Bench) -> Ending | None:
    """Return the end of a session, if it has one."""
    return bench.state.ending


# A session that the rules end


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), float("-inf"), "soon", True, 1j])
def test_a_due_time_that_is_no_finite_number_ends_the_session(monkeypatch: Patch, answer: Any) -> None:
    game, sound = build(AUCTION), SealedBid.next_due
    monkeypatch.setattr(
        SealedBid, "next_due", lambda self, state: answer if auction_of(state).bids else sound(self, state)
    )
    bench = Bench(game)
    bid(bench)
    bench.wait_until(30)

    assert bench.events[-1].payload.reason == FAULTY_RULES
    assert ["finite number" in str(error) for error in bench.errors] == [True]
    assert violation(game, bench.events) == ""


@pytest.mark.parametrize("back", [0.0, 3.0])
def test_a_due_time_that_never_moves_on_ends_the_session(monkeypatch: Patch, back: float) -> None:
    game = build(AUCTION)
    monkeypatch.setattr(
        SealedBid, "next_due", lambda _self, state: 5.0 - back * (auction_of(state).round > 2)
    )
    monkeypatch.setattr(SealedBid, "falls_due", lambda *_: (fact("round-opened", {"round": 3}),))
    bench = Bench(game)
    bench.wait_until(30)

    facts = [event for event in bench.events if event.type == "round-opened" and event.t == 5.0]
    assert len(facts) == 1000
    assert bench.events[-1].payload.reason == FAULTY_RULES
    assert ["1,000 times" in str(error) for error in bench.errors] == [True]
    assert violation(game, bench.events) == ""
    # A session that is interrupted on the way, or whose log lacks the end, comes to the same end.
    for cut in (500, len(bench.events) - 1):
        again = Bench(game, bench.events[:cut])
        again.wait_until(30)
        assert again.events[-1].payload.reason == FAULTY_RULES
        assert len([event for event in again.events if event.type == "round-opened"]) == 1001
        assert violation(game, again.events) == ""


def test_a_due_time_that_never_moves_on_ends_a_session_whose_clock_does(monkeypatch: Patch) -> None:
    game = build(AUCTION)
    monkeypatch.setattr(SealedBid, "next_due", lambda *_: 5.0)
    monkeypatch.setattr(SealedBid, "falls_due", lambda *_: (fact("round-opened", {"round": 3}),))
    bench = Bench(game)
    for _ in range(2000):
        bench._clock.advance_to(max(5.0, bench._clock() + 0.001))
        bench._runner.run_one_due()

    assert bench.events[-1].payload.reason == FAULTY_RULES
    assert violation(game, bench.events) == ""


@pytest.mark.parametrize(
    "facts",
    [
        None,
        3,
        ("round-opened",),
        (fact("round-opened", {}, to=("cook",)),),
        (fact("lot-sold", {}),),
        (fact(PLACE_BID, {}),),
        (fact(EventType.GAME_END, {}),),
        (game_end(Ending(EndedBy.COMPLETED))._replace(to=("ann",)),),
        (Fact("round-opened", Ending(EndedBy.COMPLETED)),),
        (fact("round-opened", {"round": 2}, text="\ud800"),),
    ],
)
@pytest.mark.parametrize("method", ["consequences", "falls_due"])
def test_what_is_no_fact_of_the_mechanism_ends_the_session(
    monkeypatch: Patch, facts: Any, method: str
) -> None:
    game, sound = build(AUCTION), getattr(SealedBid, method)

    def wrong(self: SealedBid, state: State, asked: Any) -> Any:
        start = isinstance(asked, Event) and asked.type == EventType.GAME_START
        return sound(self, state, asked) if start else facts

    monkeypatch.setattr(SealedBid, method, wrong)
    bench = Bench(game)
    bid(bench)
    bench.wait_until(30)

    assert bench.events[-1].payload.reason == FAULTY_RULES
    assert len(bench.errors) == 1
    assert violation(game, bench.events) == ""


@pytest.mark.parametrize("method", ["view", "legal", "standing", "features"])
def test_rules_that_cannot_say_what_a_seat_sees_end_the_session(
    monkeypatch: Patch, tmp_path: Path, method: str
) -> None:
    game = build(AUCTION)
    monkeypatch.setattr(SealedBid, method, fails_with_bids(getattr(SealedBid, method)))
    asks = tmp_path / "asker.py"
    asks.write_text(
        "from tests.mechanisms.bidder import Bidder\n\n\n"
        "class Asker(Bidder):\n"
        "    def on_send_message(self, ctx, event):\n"
        "        ctx.legal, ctx.standing, ctx.observation\n"
        "        return []\n"
    )
    errors: list[BaseException] = []
    agent = find_agent(str(asks), tmp_path)
    (result,) = simulate(game, [agent] * 3, games=1, seed=3, logs=tmp_path / "logs", report=errors.append)
    (log,) = (tmp_path / "logs").glob(f"*/{LOG_NAME}")

    assert result.ended_by is EndedBy.ABORTED
    assert result.failures == 0
    assert ZeroDivisionError in {type(error) for error in errors}
    assert replay(read_log(log)).state.ending.reason == FAULTY_RULES  # type: ignore[union-attr]  # it has ended


def test_rules_that_fail_at_the_time_end_the_session(monkeypatch: Patch) -> None:
    game, sound = build(AUCTION), SealedBid.apply
    monkeypatch.setattr(
        SealedBid,
        "apply",
        lambda self, state, event: fail() if event.type == EventType.TIME else sound(self, state, event),
    )
    bench = Bench(game)
    bench.wait_until(30)

    assert [event.type for event in bench.events] == ["GAME_START", "round-opened", "GAME_END"]
    assert bench.events[-1].payload.reason == FAULTY_RULES
    assert [type(error) for error in bench.errors] == [ZeroDivisionError]
    assert violation(game, bench.events) == ""


# An act that the rules fail at


@pytest.mark.parametrize("method", ["check", "resolve"])
def test_rules_that_fail_at_an_act_refuse_it_and_the_agent_is_not_blamed(
    monkeypatch: Patch, tmp_path: Path, method: str
) -> None:
    game, sound = build({**AUCTION, "terms": {"rounds": 2, "seconds": 9}}), getattr(SealedBid, method)

    def odd(self: SealedBid, *args: Any) -> Any:
        return fail() if any(isinstance(arg, BidPlaced) for arg in args) else sound(self, *args)

    monkeypatch.setattr(SealedBid, method, odd)
    errors: list[BaseException] = []
    agent = find_agent(BIDDER, tmp_path)
    (result,) = simulate(game, [agent] * 3, games=1, seed=3, logs=tmp_path / "logs", report=errors.append)
    (log,) = (tmp_path / "logs").glob(f"*/{LOG_NAME}")
    events = read_log(log).events

    assert (result.ended_by, result.failures) == (EndedBy.COMPLETED, 0)
    refusals = [event.payload.reason for event in events if event.type == EventType.ACTION_REFUSED]
    assert set(refusals) == {NOTHING_CHANGED}
    assert len(errors) == len(refusals) > 2
    assert replay(read_log(log)).state.ending is not None


def test_a_payload_of_another_class_is_no_answer_of_resolve(monkeypatch: Patch) -> None:
    bench = Bench(build(AUCTION))
    monkeypatch.setattr(SealedBid, "resolve", lambda *_: MoneyOffered(5))

    with pytest.raises(Refused, match="nothing was changed"):
        bench._runner.session.act("ann", PLACE_BID, BidPlaced(9), seen=bench.state)

    assert [str(error) for error in bench.errors] == ["resolve returned MoneyOffered, not BidPlaced"]


def test_a_reason_of_the_rules_is_kept_as_a_log_can_hold_it(monkeypatch: Patch) -> None:
    def refuse(*_: Any) -> None:
        raise Refused("No\ud800\x00.")

    bench = Bench(build(AUCTION))
    monkeypatch.setattr(SealedBid, "check", refuse)
    bid(bench)

    assert bench.events[-1].payload.reason == "No? ."


# Logs


def aborted(bench: Bench, at: int, t: float | None = None) -> list[Event]:
    """Return the events of a session up to one, and that its rules failed there."""
    last = bench.events[at - 1]
    ending = Ending(EndedBy.ABORTED, reason=FAULTY_RULES)
    return [
        *bench.events[:at],
        Event(at + 1, last.t if t is None else t, EventType.GAME_END, PLATFORM, ending),
    ]


@pytest.mark.parametrize(("at", "t"), [(2, None), (2, 5.0), (3, None), (4, None), (4, 12.0), (1, None)])
def test_an_end_by_rules_that_do_not_fail_is_refused(at: int, t: float | None) -> None:
    game = build(AUCTION)
    bench = Bench(game)
    bench.act(TriedAct("ann", GIVE_MONEY, MoneyOffered(5), ("ben",)))

    assert violation(game, aborted(bench, at, t)) == (
        "it says that the rules failed here, but the present rules do not fail here, so the log does not "
        "follow from them"
    )


@pytest.mark.parametrize("method", ["consequences", "next_due", "view", "apply", "check"])
def test_a_log_of_rules_that_were_repaired_or_broken_since_is_refused_in_a_sentence(
    monkeypatch: Patch, tmp_path: Path, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    game = build(AUCTION)
    agent = find_agent(BIDDER, tmp_path)
    list(simulate(game, [agent] * 3, games=1, seed=3, logs=tmp_path / "sound", report=lambda _error: None))
    broken = fails_with_bids(getattr(SealedBid, method))
    with monkeypatch.context() as faulty:
        faulty.setattr(SealedBid, method, broken)
        list(simulate(game, [agent] * 3, games=1, seed=3, logs=tmp_path / "broken", report=str))
        capsys.readouterr()
        # What was recorded by sound rules does not follow from the broken ones, unless they are not asked.
        code = run_command(["log", "verify", str(tmp_path / "sound")])
        said = capsys.readouterr()
        assert code == (0 if method == "view" else 1), said
        assert "Traceback" not in said.err
        assert "inside NegoPlatform" not in said.err
        if code:
            assert "the present rules fail" in said.err
            assert "ZeroDivisionError: the rules" in said.err
        assert run_command(["log", "verify", str(tmp_path / "broken")]) == 0
    capsys.readouterr()

    code = run_command(["log", "verify", str(tmp_path / "broken")])

    said = capsys.readouterr()
    if method == "check":  # the acts were refused, and the session went on
        assert code == 0
        return
    assert code == 1
    assert "the present rules do not fail here" in said.err


def test_rules_that_fail_at_the_points_are_named(monkeypatch: Patch, tmp_path: Path) -> None:
    game = build({**AUCTION, "terms": {"rounds": 1, "seconds": 9}})
    monkeypatch.setattr(SealedBid, "points", fail)
    errors: list[BaseException] = []
    agent = find_agent(BIDDER, tmp_path)
    results = list(simulate(game, [agent] * 3, games=2, seed=3, logs=tmp_path / "logs", report=errors.append))
    logs = sorted((tmp_path / "logs").glob(f"*/{LOG_NAME}"))

    assert [set(result.points.values()) for result in results] == [{None}, {None}]
    assert len(errors) == 2
    assert {str(error) for error in errors} == {
        "The rules of the kind 'sealed_bid' cannot say the points of ann (ZeroDivisionError: the rules)."
    }
    assert {type(error.__cause__) for error in errors} == {ZeroDivisionError}
    assert run_command(["log", "verify", str(logs[0])]) == 0


def test_an_event_that_the_rules_cannot_apply_is_named_with_its_line(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    agent = find_agent(BIDDER, tmp_path)
    list(simulate(build(AUCTION), [agent] * 3, games=1, seed=3, logs=tmp_path, report=lambda _error: None))
    log = read_log(next(tmp_path.glob(f"*/{LOG_NAME}")))
    monkeypatch.setattr(SealedBid, "apply", fail)

    with pytest.raises(InputFileError, match="line 2: the present rules fail at it"):
        replay(log)


@pytest.mark.parametrize("ended_by", ["timeout", "completed"])
def test_rules_that_fail_at_the_end_itself_end_the_session_all_the_same(
    monkeypatch: Patch, ended_by: str
) -> None:
    game = build({**AUCTION, "terms": {"rounds": 1, "seconds": 9}, "rules": {"deadline_seconds": 8}})
    if ended_by == "completed":
        game = build({**AUCTION, "terms": {"rounds": 1, "seconds": 9}})
    sound = SealedBid.apply
    monkeypatch.setattr(
        SealedBid,
        "apply",
        lambda self, state, event: fail() if event.type == EventType.GAME_END else sound(self, state, event),
    )
    bench = Bench(game)
    bench.wait_until(30)

    assert bench.events[-1].payload.reason == FAULTY_RULES
    assert ZeroDivisionError in {type(error) for error in bench.errors}
    assert violation(game, bench.events) == ""
