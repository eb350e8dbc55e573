"""Forks: another agent goes on with a recorded session, whose other moves are repeated while legal."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.simulation.fork import Fork, ForkedSession, plan_fork, play_forks, recorded_outcome
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.cli.main import cli
from negoplatform.cli.render.fork_table import figure_of
from negoplatform.core.events import (
    Accepted,
    DecidedBy,
    Event,
    EventType,
    Message,
    MessageSubtype,
    OfferMade,
)
from negoplatform.core.mechanisms.bargaining_state import bargaining_state
from negoplatform.core.session import Session
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay

SAYS_AT = 3.0
GREEDY_AT, MODEST_AT, LAST_WORDS_AT, ACCEPTS_AT = 5.0, 20.0, 58.0, 60.0


def deal(apples: int, day: str) -> Offer:
    """Return an offer in the practice game in which the person gets so many apples."""
    return Offer({"apples": Allocation([("human", apples), ("agent", 6 - apples)]), "day": day})


def record(
    folder: Path,
    agent: str = "boulware",
    game: GameSpec | None = None,
    until: float = 0,
    last_words: str = "",
) -> SessionLog:
    """Return the log of a session in which a person speaks, makes two offers and accepts at 60 s.

    Args:
        folder: The folder of the log.
        agent: The agent in the other seat.
        game: The game; unless given, the practice game.
        until: The session time at which the log ends before the end; 0: at the end.
        last_words: Message just before the acceptance; empty: none.
    """
    game = game or find_game("practice", folder)
    agents = SeatMap({"agent": prepare_in_process(find_agent(agent, folder), "agent", {}, game=game, seed=7)})
    plan = SessionPlan(game=game, seed=7, human_seat="human", participant="P01", agents=agents)
    writer = plan.create_log(folder, durable=False)
    clock = VirtualClock()
    runner = SessionRunner(
        game, seed=7, clock=clock, log=writer, report=lambda _error: None, session_id=plan.session_id
    )
    for seat, who in agents.items():
        runner.assign(seat, who.assignment, who.timing)
    session = runner.session
    runner.start()
    days = game.issue("day").values  # type: ignore[union-attr]  # it is a categorical issue
    moves: dict[float, Callable[[], Any]] = {
        SAYS_AT: lambda: session.act(
            "human", EventType.SEND_MESSAGE, Message("Hello!", MessageSubtype.GREETING)
        ),
        GREEDY_AT: lambda: session.act("human", EventType.SEND_OFFER, OfferMade(deal(6, str(days[0])))),
        MODEST_AT: lambda: session.act("human", EventType.SEND_OFFER, OfferMade(deal(5, str(days[1])))),
        ACCEPTS_AT: lambda: accept(session),
    }
    if last_words:
        moves[LAST_WORDS_AT] = lambda: session.act("human", EventType.SEND_MESSAGE, Message(last_words))
    for at, move in moves.items():
        runner.scheduler.call_at(at, move)
    if until:
        while (due := runner.next_due()) is not None and due <= until:
            clock.advance_to(due)
            runner.run_one_due()
        runner.finish()
    else:
        runner.run_on(clock)
    return read_log(writer.path)


def accept(session: Session) -> None:
    """Accept the agent's offer, which is on the table."""
    on_table = bargaining_state(session.state).on_table
    assert on_table is not None
    assert on_table.sender == "agent"
    session.act("human", EventType.FORMAL_ACCEPT, Accepted(on_table.offer_id))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> SessionLog:
    """Return the log of a session that ended in agreement."""
    recorded = record(tmp_path_factory.mktemp("recorded"))
    assert replay(recorded).state.ending is not None
    return recorded


def of_type(log: SessionLog, kind: EventType, sender: str = "human") -> list[Event]:
    return [event for event in log.events if event.type == kind and event.sender == sender]


def fork_of(log: SessionLog, event: int, data: Path, agent: str = "conceder", stand_in: str = "fair") -> Fork:
    return plan_fork(
        log,
        data,
        event=event,
        seat=None,
        agent=find_agent(agent, data),
        stand_in=find_agent(stand_in, data),
    )


def play(fork: Fork, logs: Path | None = None, n: int = 1, seed: int = 1) -> list[ForkedSession]:
    errors: list[BaseException] = []
    played = list(play_forks(fork, n=n, seed=seed, logs=logs, report=errors.append))
    assert errors == []
    return played


def log_of(session: ForkedSession) -> SessionLog:
    assert session.log is not None
    return read_log(session.log)


def without_numbers(event: Event) -> tuple[Any, ...]:
    return event.t, event.type, event.sender, event.payload, event.decided_by


def test_a_fork_has_the_recorded_events_up_to_it_and_says_so_in_its_header(
    log: SessionLog, tmp_path: Path
) -> None:
    at = of_type(log, EventType.SEND_OFFER)[0].seq

    (forked,) = play(fork_of(log, at, tmp_path), tmp_path / "forks")

    found = log_of(forked)
    assert found.events[:at] == log.events[:at]
    assert found.events[at].type == EventType.RESUMED
    assert found.header.forked is not None
    assert (found.header.forked.session_id, found.header.forked.event) == (log.header.session_id, at)
    assert found.header.seats["agent"].agent == "conceder"
    assert found.header.seats["human"].participant is None
    assert log.header.forked is None, "a key of forks alone"


def test_the_log_of_a_fork_replays_by_the_rules_to_the_outcome_in_the_table(
    log: SessionLog, tmp_path: Path
) -> None:
    (forked,) = play(fork_of(log, 2, tmp_path), tmp_path / "forks")

    state = replay(log_of(forked)).state

    assert state.ending is not None
    assert (state.ending.ended_by, state.ended_at) == (forked.ended_by, forked.seconds)


def test_the_person_repeats_what_they_did_at_the_times_at_which_they_did_it(
    log: SessionLog, tmp_path: Path
) -> None:
    (forked,) = play(
        fork_of(log, 1, tmp_path, agent="boulware", stand_in="fair"), tmp_path / "forks", seed=99
    )

    again = [e for e in log_of(forked).events if e.sender == "human" and e.decided_by is DecidedBy.HUMAN]
    recorded = [e for e in log.events if e.sender == "human" and e.type != EventType.FORMAL_ACCEPT]
    repeated = [e for e in again if e.type != EventType.FORMAL_ACCEPT]
    assert [without_numbers(e) for e in repeated] == [without_numbers(e) for e in recorded]
    assert [e.t for e in repeated] == [SAYS_AT, GREEDY_AT, MODEST_AT]


def test_the_same_agent_with_the_same_seed_repeats_the_recorded_outcome(
    log: SessionLog, tmp_path: Path
) -> None:
    fork = fork_of(log, 1, tmp_path, agent="boulware")

    (forked,) = play(fork, seed=7)

    recorded = recorded_outcome(fork)
    assert (forked.ended_by, forked.points, forked.seconds) == (
        recorded.ended_by,
        recorded.points,
        recorded.seconds,
    )
    assert forked.stood_in == {}
    assert forked.measures == recorded.measures


def test_an_acceptance_of_an_offer_that_is_not_on_the_table_calls_the_stand_in(
    log: SessionLog, tmp_path: Path
) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n\n"
        "class Silent(NegotiationAgent):\n    pass\n"
    )

    (forked,) = play(fork_of(log, 1, tmp_path, agent=str(silent), stand_in="boulware"), tmp_path / "forks")

    assert forked.stood_in == {"human": ACCEPTS_AT}
    after = [e for e in log_of(forked).events if e.sender == "human" and e.t > ACCEPTS_AT]
    assert after
    assert {e.decided_by for e in after} == {DecidedBy.AGENT}
    assert not of_type(log_of(forked), EventType.ACTION_REFUSED, "platform")


def test_an_agent_that_enters_answers_the_offer_of_the_fork(log: SessionLog, tmp_path: Path) -> None:
    at = of_type(log, EventType.SEND_OFFER)[1].seq

    (forked,) = play(fork_of(log, at, tmp_path), tmp_path / "forks")

    first = next(e for e in log_of(forked).events if e.seq > at and e.sender == "agent" and e.type in MOVES)
    assert first.cause == at
    assert first.t <= MODEST_AT + 2


MOVES = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT)


@pytest.mark.parametrize("agent", ["fair", "conceding", "kb_agent"])
def test_an_agent_that_answers_by_callbacks_goes_on_after_its_entry(
    agent: str, log: SessionLog, tmp_path: Path
) -> None:
    # Where the seat has made an offer just before, a callback of the agent's answer was due meanwhile.
    places = [event.seq for event in of_type(log, EventType.SEND_OFFER, "agent")[:2]]

    for at in places:
        (forked,) = play(fork_of(log, at, tmp_path, agent=agent), tmp_path / f"forks-{at}")

        after = [e for e in log_of(forked).events if e.seq > at and e.sender == "agent"]
        assert [e for e in after if e.type in MOVES], f"{agent} after event {at}"


def test_callbacks_are_called_at_their_times_before_the_entry_and_after_it(
    log: SessionLog, tmp_path: Path
) -> None:
    file = tmp_path / "counting.py"
    file.write_text(
        "from negoplatform.agent_api import NegotiationAgent, Schedule, SendMessage\n\n"
        "class Counting(NegotiationAgent):\n"
        "    def on_game_start(self, ctx, event):\n"
        "        self.times = []\n"
        "        return [Schedule(4000, self.count)]\n\n"
        "    def count(self, ctx):\n"
        "        self.times.append(f'{ctx.elapsed_time:g}')\n"
        "        return [SendMessage(' '.join(self.times)), Schedule(4000, self.count)]\n"
    )
    at = next(event.seq for event in log.events if event.t == 10)

    (forked,) = play(fork_of(log, at, tmp_path, agent=str(file)), tmp_path / "forks")

    said = of_type(log_of(forked), EventType.SEND_MESSAGE, "agent")
    own = [event for event in said if event.seq > at]
    assert [(event.get_text(), event.t) for event in own[:2]] == [("4 8 12", 12), ("4 8 12 16", 16)]


def test_forks_with_equal_seeds_are_equal_and_others_differ(log: SessionLog, tmp_path: Path) -> None:
    fork = fork_of(log, 1, tmp_path, agent="random_bids")

    first, second = play(fork, n=2), play(fork, n=2)

    assert first == second
    assert first[0].measures != first[1].measures


@pytest.mark.parametrize("event", [0, -3, 10_000])
def test_an_event_that_is_not_there_or_comes_after_the_end_is_refused(
    event: int, log: SessionLog, tmp_path: Path
) -> None:
    with pytest.raises(NegoError, match=r"there is no event -?\d+ before the end .* --at is from 1 to \d+"):
        fork_of(log, event, tmp_path)


def test_the_event_with_which_the_session_ends_is_refused(log: SessionLog, tmp_path: Path) -> None:
    end = next(e.seq for e in log.events if e.type == EventType.GAME_END)

    with pytest.raises(NegoError, match=rf"no event {end - 1} .* --at is from 1 to {end - 2}\."):
        fork_of(log, end - 1, tmp_path)
    assert play(fork_of(log, end - 2, tmp_path))


def test_an_agents_words_to_an_acceptance_that_is_not_repeated_are_left_out(tmp_path: Path) -> None:
    game = find_game("practice", tmp_path)
    conceder = find_agent("conceder", tmp_path)
    (played,) = simulate(
        game, (conceder, conceder), games=1, seed=1, logs=tmp_path / "logs", report=print, how=Seatings.GIVEN
    )
    recorded = read_log(next((tmp_path / "logs").iterdir()))
    accept = next(e for e in recorded.events if e.type == EventType.FORMAL_ACCEPT)
    silent = tmp_path / "silent.py"
    silent.write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n\n"
        "class Silent(NegotiationAgent):\n    pass\n"
    )
    plugin = find_agent(str(silent), tmp_path)
    (other,) = game.others(accept.sender)

    fork = plan_fork(recorded, tmp_path, event=1, seat=other, agent=plugin, stand_in=plugin)
    (forked,) = play(fork, tmp_path / "forks")

    assert played.deal is not None
    words = {e.get_text() for e in recorded.events if e.cause == accept.cause and e.type in WORDS}
    said = {e.get_text() for e in log_of(forked).events if e.type in WORDS}
    assert words
    assert not words & said
    assert forked.stood_in == {accept.sender: accept.t}


WORDS = (EventType.SEND_MESSAGE,)


def test_a_persons_words_to_an_acceptance_that_is_not_repeated_are_left_out(tmp_path: Path) -> None:
    recorded = record(tmp_path / "recorded", last_words="Yes, let us do that.")
    silent = tmp_path / "silent.py"
    silent.write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n\n"
        "class Silent(NegotiationAgent):\n    pass\n"
    )

    (forked,) = play(fork_of(recorded, 1, tmp_path, agent=str(silent)), tmp_path / "forks")

    said = [e.get_text() for e in of_type(log_of(forked), EventType.SEND_MESSAGE)]
    assert "Hello!" in said
    assert "Yes, let us do that." not in said
    assert forked.stood_in == {"human": LAST_WORDS_AT}


def test_a_persons_words_and_their_acceptance_are_there_once_wherever_the_log_is_cut(tmp_path: Path) -> None:
    recorded = record(tmp_path / "recorded", last_words="Yes, let us do that.")
    said = of_type(recorded, EventType.SEND_MESSAGE)[-1].seq

    for at in (said - 1, said):
        (forked,) = play(fork_of(recorded, at, tmp_path, agent="boulware"), tmp_path / f"f{at}", seed=7)

        assert acts_of(log_of(forked)) == acts_of(recorded), f"cut after event {at}"


@pytest.mark.parametrize(
    ("agent", "last"),
    [
        ("boulware", EventType.SEND_MESSAGE),
        ("fair", EventType.GAME_START),
        ("fair", EventType.SEND_EXPRESSION),
        ("fair", EventType.TYPING),
        ("fair", EventType.SEND_MESSAGE),
    ],
)
def test_a_cut_in_the_middle_of_a_script_repeats_none_of_its_words(
    agent: str, last: EventType, tmp_path: Path
) -> None:
    recorded = record(tmp_path / "recorded", agent)
    at = [
        event.seq
        for event in recorded.events
        if event.type == last and event.sender != "human" and event.t < ACCEPTS_AT
    ][-1]

    (forked,) = play(fork_of(recorded, at, tmp_path, agent=agent), tmp_path / "forks", seed=7)

    assert acts_of(log_of(forked)) == acts_of(recorded)


def acts_of(log: SessionLog) -> list[tuple[Any, ...]]:
    """Return the acts before the end, without numbers."""
    end = next(event.seq for event in log.events if event.type == EventType.GAME_END)
    return [
        (e.t, e.type, e.sender, None if isinstance(e.payload, Accepted) else e.payload)
        for e in log.events
        if e.sender in log.header.seats and e.seq < end
    ]


def test_a_session_that_is_not_over_is_refused(tmp_path: Path) -> None:
    unfinished = record(tmp_path / "unfinished", until=30)

    with pytest.raises(NegoError, match="this session is not over"):
        fork_of(unfinished, 1, tmp_path)


def test_an_agent_that_cannot_play_the_game_is_refused(log: SessionLog, tmp_path: Path) -> None:
    with pytest.raises(NegoError, match="plays games of the kind trading"):
        fork_of(log, 1, tmp_path, agent="tac_baseline")


def test_a_seat_that_does_not_exist_is_refused(log: SessionLog, tmp_path: Path) -> None:
    fair = find_agent("fair", tmp_path)

    with pytest.raises(NegoError, match="there is no seat 'nurse'; there is human, agent"):
        plan_fork(log, tmp_path, event=1, seat="nurse", agent=fair, stand_in=fair)


def test_an_agent_that_fails_before_its_entry_stops_the_fork_with_its_reason(
    log: SessionLog, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n\n"
        "class Broken(NegotiationAgent):\n"
        "    def on_send_offer(self, ctx, event):\n        raise ValueError('no idea')\n"
    )
    at = of_type(log, EventType.SEND_OFFER)[0].seq

    with pytest.raises(NegoError, match=r"cannot go on with this session: It raised ValueError \(no idea\)"):
        play(fork_of(log, at, tmp_path, agent=str(tmp_path / "broken.py")))


def test_the_agents_of_a_fork_are_not_run_again(log: SessionLog, tmp_path: Path) -> None:
    (forked,) = play(fork_of(log, 1, tmp_path), tmp_path / "forks")

    with pytest.raises(NegoError, match=f"was forked from {log.header.session_id}"):
        resimulate(log_of(forked), tmp_path)


def test_the_command_shows_a_table_and_keeps_logs_and_a_plot(log: SessionLog, tmp_path: Path) -> None:
    arguments = ["--data-dir", str(tmp_path), "fork", str(log.path), "--at", "1", "--agent", "conceder"]

    done = CliRunner().invoke(cli, [*arguments, "--n", "3", "--out", str(tmp_path / "forks")])

    assert done.exit_code == 0, done.output
    assert "practice up to event 1 (0.0 s), then conceder as agent: 3 forks." in done.output
    rows = {line.split("  ")[0]: line.split() for line in done.output.splitlines() if line}
    assert rows["agreement"][1:3] == ["1.00", "1.00"]
    assert rows["points human"][-1] == "3"
    assert len(list((tmp_path / "forks").glob("*/events.jsonl"))) == 3
    assert "<svg" in (tmp_path / "forks" / "outcomes.svg").read_text(encoding="utf-8")


def test_the_table_has_the_points_of_a_seat_whose_name_has_spaces(log: SessionLog, tmp_path: Path) -> None:
    fork = fork_of(log, 1, tmp_path)
    seats = {"human": "first seat", "agent": "second seat"}
    (forked,) = play(fork)
    points = SeatMap({seats[seat]: points for seat, points in forked.points.items()})
    names = [f"points {seat}" for seat in seats.values()]

    assert [figure_of(replace(forked, points=points), name) for name in names] == [*points.values()]


def test_a_damaged_log_and_a_log_of_a_visit_are_refused_in_one_sentence(
    log: SessionLog, tmp_path: Path
) -> None:
    damaged = tmp_path / "events.jsonl"
    lines = log.path.read_text(encoding="utf-8").splitlines()
    damaged.write_text("\n".join([*lines[:3], *lines[4:]]) + "\n", encoding="utf-8")
    visit = tmp_path / "visit.jsonl"
    visit.write_text(json.dumps({"schema": "negoplatform.visit/1"}) + "\n", encoding="utf-8")

    for file, sentence in ((damaged, "hash"), (visit, "no session log")):
        done = CliRunner().invoke(cli, ["fork", str(file), "--at", "1", "--agent", "fair"])
        assert done.exit_code != 0
        assert sentence in str(done.exception) + done.output
        assert isinstance(done.exception, NegoError | SystemExit)
