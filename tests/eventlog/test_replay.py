"""Replay of logs, and refusal of those that no session could have written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.core.events import EndedBy, Expression
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import Acceptance, GameSpec, TimeCost
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay, steps
from negoplatform.testing import TrialTable
from tests.eventlog.logs import lines_of, recorded, rewrite

Lines = list[dict[str, Any]]
EVEN = Offer(
    {
        "bananas": Allocation({"human": 4}),
        "grain": Allocation({"human": 3, "agent": 2}),
        "wood": Allocation({"agent": 3}),
        "spices": Allocation({"agent": 3}),
    }
)
"""Offer worth 25 to human and 25 to agent."""

OFFER, ACCEPT, ACCEPT_TOO, END = 4, 5, 7, 8
"""Lines of the deal's log, counted from 0."""


def deal(table: TrialTable) -> None:
    table.human.says("Hello")
    table.wait(2)
    table.agent.offers(grain=(2, 3))
    table.agent.offers(EVEN)
    table.human.accepts()
    table.wait(1)
    table.agent.shows(Expression.HAPPY)
    table.agent.accepts()
    table.human.says("Thank you.")
    table.play_out()


def wait_and_quit(table: TrialTable) -> None:
    table.wait(35)
    table.human.quits()


def time_runs_out(table: TrialTable) -> None:
    table.human.offers(EVEN)
    table.play_out()


@pytest.fixture
def log(tmp_path: Path, game: GameSpec) -> Path:
    return recorded(tmp_path, game, deal)


def test_a_deal_is_found_again_with_its_points(log: Path) -> None:
    played = replay(read_log(log))

    assert played.state.ending is not None
    assert played.state.ending.ended_by is EndedBy.AGREEMENT
    assert played.state.ending.deal == EVEN
    assert played.points == SeatMap({"human": 25, "agent": 25})


def test_the_replayed_state_is_the_state_that_was(tmp_path: Path, game: GameSpec) -> None:
    table = TrialTable(game)
    deal(table)

    path = recorded(tmp_path, game, deal)

    assert replay(read_log(path)).state == table.state


def test_a_timeout_pays_the_reservation_values(tmp_path: Path, game: GameSpec) -> None:
    path = recorded(tmp_path, game, time_runs_out)

    played = replay(read_log(path))

    assert played.points == SeatMap({"human": 12, "agent": 10})
    assert played.state.ended_at == 600


def test_walking_away_pays_the_opt_out_and_time_costs_both(tmp_path: Path, game: GameSpec) -> None:
    private = SeatMap(
        (seat, replace(of, opt_out=5 if seat == "human" else None, time_cost=TimeCost(2, 10)))
        for seat, of in game.preferences.items()
    )
    costly = replace(game, preferences=private)
    path = recorded(tmp_path, costly, wait_and_quit)

    played = replay(read_log(path))

    assert played.points == SeatMap({"human": 5 - 6, "agent": 10 - 6})


def test_a_log_without_an_end_gives_no_points(tmp_path: Path, game: GameSpec) -> None:
    path = recorded(tmp_path, game, lambda table: table.human.offers(EVEN))

    played = replay(read_log(path))

    assert played.state.ending is None
    assert played.points == SeatMap({"human": None, "agent": None})


def test_every_step_shows_the_state_after_its_event(log: Path) -> None:
    walked = list(steps(read_log(log)))

    assert [step.state.version for step in walked] == [step.event.seq for step in walked]


def accept_another_offer(lines: Lines) -> None:
    assert lines[ACCEPT]["type"] == "FORMAL_ACCEPT"
    lines[ACCEPT]["payload"]["offer_id"] = 3


def accept_twice(lines: Lines) -> None:
    lines[ACCEPT_TOO]["sender"] = "human"


def nobody_accepts(lines: Lines) -> None:
    lines[ACCEPT]["type"] = lines[ACCEPT_TOO]["type"] = "TYPING"
    lines[ACCEPT]["payload"] = lines[ACCEPT_TOO]["payload"] = {"duration_ms": 9}


def sweeter_offer(lines: Lines) -> None:
    lines[OFFER]["payload"]["offer"]["spices"] = {"human": 3, "agent": 0, "undecided": 0}


def sweeter_deal(lines: Lines) -> None:
    lines[END]["payload"]["deal"]["spices"] = {"human": 3, "agent": 0, "undecided": 0}


def deal_becomes_timeout(lines: Lines) -> None:
    lines[END]["payload"].update(ended_by="timeout", deal=None, deal_id=None, by=None)


def too_many_units(lines: Lines) -> None:
    lines[OFFER]["payload"]["offer"]["spices"] = {"human": 30, "agent": 0, "undecided": 0}


def unknown_issue(lines: Lines) -> None:
    lines[OFFER]["payload"]["offer"]["gold"] = "all of it"


def stranger(lines: Lines) -> None:
    lines[OFFER]["sender"] = "cook"


def platform_offers(lines: Lines) -> None:
    lines[OFFER]["sender"] = "platform"


def seat_ends_the_game(lines: Lines) -> None:
    lines[ACCEPT].update(type="GAME_END", payload=lines[END]["payload"])


def seat_ends_it_in_the_platforms_place(lines: Lines) -> None:
    lines[END]["sender"] = "human"


def start_twice(lines: Lines) -> None:
    lines[2].update(type="GAME_START", sender="platform", payload={})


def seat_starts(lines: Lines) -> None:
    lines[1]["sender"] = "human"


def end_by_agreement_early(lines: Lines) -> None:
    payload = {"ended_by": "agreement", "by": None, "deal": None, "deal_id": None, "reason": ""}
    lines[3].update(type="GAME_END", sender="platform", payload=payload)


def time_out_early(lines: Lines) -> None:
    end_by_agreement_early(lines)
    lines[3]["payload"]["ended_by"] = "timeout"


def quit_by_nobody(lines: Lines) -> None:
    end_by_agreement_early(lines)
    lines[3]["payload"].update(ended_by="quit", by="human")


def offer_after_the_end(lines: Lines) -> None:
    lines[END + 1].update(type="SEND_OFFER", payload=lines[OFFER]["payload"])


def second_goodbye(lines: Lines) -> None:
    lines.append({**lines[END + 1], "seq": lines[-1]["seq"] + 1})


def offer_after_the_deadline(lines: Lines) -> None:
    lines[0]["game"]["rules"]["deadline_seconds"] = 1.5


def seat_refuses(lines: Lines) -> None:
    lines[2].update(type="ACTION_REFUSED", payload={"action": "x", "reason": "y"})


def seat_tells_the_time(lines: Lines) -> None:
    lines[2].update(type="TIME", payload={"elapsed": 1.0, "remaining": None})


def offer_behind_a_back(lines: Lines) -> None:
    lines[OFFER]["to"] = ["human"]


@pytest.mark.parametrize(
    ("alter", "line", "reason"),
    [
        (accept_another_offer, ACCEPT, "human could not do this: That offer is no longer on the table"),
        (accept_twice, ACCEPT_TOO, "human could not do this: You’ve already accepted this offer"),
        (nobody_accepts, END, "not enough seats had accepted this deal"),
        (sweeter_offer, END, "the end of the game by agreement on offer 4 must follow here, but does not"),
        (sweeter_deal, END, "the end of the game by agreement on offer 4 must follow here"),
        (deal_becomes_timeout, END, "the end of the game by agreement on offer 4 must follow here"),
        (too_many_units, OFFER, "agent could not do this: Spices: the units add up to 30, but there are 3"),
        (unknown_issue, OFFER, "agent could not do this: This game has no issue 'gold'"),
        (stranger, OFFER, "cook could not do this: Nobody sits at 'cook' in this game"),
        (platform_offers, OFFER, "the platform takes no part in a negotiation"),
        (seat_ends_the_game, ACCEPT, "only the platform records GAME_END"),
        (seat_ends_it_in_the_platforms_place, END, "only the platform records GAME_END"),
        (start_twice, 2, "the game had started already"),
        (seat_starts, 1, "only the platform records GAME_START"),
        (end_by_agreement_early, 3, "not enough seats had accepted this deal"),
        (time_out_early, 3, "the time was not up"),
        (quit_by_nobody, 3, "nobody had walked away"),
        (offer_after_the_end, END + 1, "human could not do this: The game is over"),
        (
            second_goodbye,
            END + 2,
            "human could not do this: The game is over, and you’ve already sent your last message",
        ),
        (offer_after_the_deadline, 3, "agent could not do this: Time is up"),
        (seat_refuses, 2, "only the platform records ACTION_REFUSED"),
        (seat_tells_the_time, 2, "only the platform records TIME"),
        (offer_behind_a_back, OFFER, "agent could not do this: Only a message can be addressed"),
    ],
)
def test_a_log_that_could_not_have_happened_is_refused_at_its_line(
    log: Path, alter: Callable[[Lines], None], line: int, reason: str
) -> None:
    lines = lines_of(log)
    alter(lines)
    rewrite(log, lines)

    with pytest.raises(InputFileError) as caught:
        replay(read_log(log))

    assert caught.value.where == f"line {line + 1}"
    assert caught.value.reason.startswith(reason)


def test_the_log_that_was_altered_above_is_sound_before(log: Path) -> None:
    rewrite(log, lines_of(log))

    assert replay(read_log(log)).state.ending is not None


def test_a_maker_who_accepts_by_offering_needs_no_second_word(tmp_path: Path, game: GameSpec) -> None:
    quick = replace(game, rules=replace(game.rules, acceptance=Acceptance.MAKER_ACCEPTS))
    path = recorded(tmp_path, quick, lambda table: [table.agent.offers(EVEN), table.human.accepts()])

    played = replay(read_log(path))

    assert played.points == SeatMap({"human": 25, "agent": 25})
