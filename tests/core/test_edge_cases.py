"""Edge cases of the core that random sessions hardly ever reach: limits, last moments, small guarantees."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import Field

from negoplatform.core.events import NOTHING, DecidedBy, Event, EventType, Message, MessageSubtype, clean_text
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.intention_ledger import intentions
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record, Task, TaskStatus
from negoplatform.core.record.notes_and_tasks_proposals import (
    LARGEST_PART,
    PLATFORM_PROPOSER,
    TASK_OVERHEAD_BYTES,
    Proposer,
    ProposerKind,
    review_proposal,
)
from negoplatform.core.scheduler import Scheduler
from negoplatform.core.session import ActionOrigin
from negoplatform.core.session_features import observation_of
from negoplatform.core.state import PublicInformation
from negoplatform.core.typed_state.typed_game_state import StateClassError
from negoplatform.core.visibility import EXPERIMENTER, PUBLIC, Observer, view_of, visible_event
from negoplatform.core.visibility_rule import PRINCIPAL_LEVEL, SEAT_LEVEL, SYSTEM_LEVEL, is_visible
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.errors import text_of
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.testing import TrialTable
from tests.games import three_seats


def test_a_scheduler_that_was_cleared_has_nothing_due() -> None:
    scheduler = Scheduler()
    called: list[int] = []
    scheduler.call_at(1, lambda: called.append(1))

    scheduler.clear()

    assert scheduler.next_due() is None
    assert not scheduler.run_next(2)
    assert called == []


def test_a_transcript_that_was_read_to_its_end_has_nothing_more(table: TrialTable) -> None:
    table.human.says("Hello")
    length = table.state.transcript_length("human")

    assert [e.type for e in table.state.transcript_of("human")] == ["GAME_START", "SEND_MESSAGE"]
    assert [e.type for e in table.state.transcript_of("human", after=length - 1)] == ["SEND_MESSAGE"]
    assert table.state.transcript_of("human", after=length) == []
    assert table.state.transcript_of("human", after=length + 5) == []


def test_the_public_has_a_transcript_without_what_was_whispered() -> None:
    table = TrialTable(three_seats())
    table.start()
    table.session.send_message("red", Message("Psst."), ActionOrigin(to=("blue",)))
    table.participant("red").says("Good morning.")

    assert [event.get_text() for event in table.state.transcript_of()] == ["", "Good morning."]
    assert table.state.transcript_length() == 2


def test_the_experimenter_sees_an_event_as_it_is() -> None:
    event = Event(2, 1.0, EventType.AGENT_FAILED, "platform", None, cause=1)

    assert visible_event(event, EXPERIMENTER) is event
    assert visible_event(event, PUBLIC) is None


def test_a_principal_stands_one_level_above_a_seat_and_below_the_system() -> None:
    levels = (SEAT_LEVEL, PRINCIPAL_LEVEL, SYSTEM_LEVEL)

    upper = [is_visible(Visibility.UPPER_LEVEL, "boss", level, "seat", SEAT_LEVEL) for level in levels]
    system = [is_visible(Visibility.SYSTEM, "boss", level, "seat", SEAT_LEVEL) for level in levels]

    assert levels == (1, 2, 3)
    assert (upper, system) == ([False, True, False], [False, False, True])


def test_a_view_names_the_observers_own_side_alone_where_all_is_public(game: GameSpec) -> None:
    table = TrialTable(game)

    view = view_of(table.state, Observer("agent"))

    assert set(view.state.game.preferences) == {"human", "agent"}
    assert set(view.game.preferences) == {"agent"}


def test_a_sign_of_presence_is_over_at_the_very_moment_at_which_it_ends(table: TrialTable) -> None:
    table.human.types()
    table.human.drafts()

    def shown(now: float) -> list[float]:
        return list(observation_of(table.state, "agent", 1, now).global_info["human"]["Presence"])

    assert shown(0.999) == [0, 1, 1]
    assert shown(1.0) == [0, 0, 1]
    assert shown(2.0) == [0, 0, 0]


@pytest.mark.parametrize(
    ("char", "kept"), [("\x9f", False), ("\xa0", True), ("\n", True), ("\t", True), ("\0", False)]
)
def test_a_text_keeps_whatever_a_log_and_a_window_can_hold(char: str, *, kept: bool) -> None:
    assert (char in clean_text(f"a{char}b")) is kept


def test_equal_json_is_one_key() -> None:
    assert {FrozenJson({"a": 1, "b": 2}): "x"}[FrozenJson({"b": 2, "a": 1})] == "x"


def test_a_rejection_that_only_the_maker_heard_answers_its_offer() -> None:
    table = TrialTable(three_seats())
    table.participant("red").offers(coins=(2, 1, 1))
    reject = Message("No.", MessageSubtype.OFFER_REJECT)

    table.session.send_message("blue", reject, ActionOrigin(to=("green",)))
    before = intentions(table.events)[0]
    table.session.send_message("blue", reject, ActionOrigin(to=("red",)))
    after = intentions(table.events)[0]

    assert before.status is TaskStatus.IN_PROGRESS
    assert (after.status, after.metadata["outcome"]) == (TaskStatus.DONE, "rejected")


def full_of_tasks_of(origin: str) -> Record:
    text = FrozenJson({"text": "x" * 100_000})
    count = LARGEST_PART // (100_000 + TASK_OVERHEAD_BYTES)
    return Record(tasks=tuple(Task(f"{origin} {i}", 0, origin, "tell", metadata=text) for i in range(count)))


def a_big_task(origin: str) -> dict[str, object]:
    task = Task(f"{origin}'s last", 0, origin, "tell", metadata=FrozenJson({"text": "x" * 60_000}))
    return {"tasks": [task.document()]}


def test_the_tasks_of_one_fill_nobody_elses_room() -> None:
    record = full_of_tasks_of("human")

    own = review_proposal(record, Proposer(ProposerKind.SEAT, "human"), 0, a_big_task("human"))
    others = review_proposal(record, Proposer(ProposerKind.SEAT, "agent"), 0, a_big_task("agent"))

    assert "tasks/human is full" in own.reason
    assert others.accepted


def test_a_proposal_may_know_exactly_the_newest_version() -> None:
    record = Record(deal=FrozenJson({"day": 1}), versions=FrozenJson({"deal": 7}), version=7)

    assert review_proposal(record, PLATFORM_PROPOSER, 7, {"deal": {"day": 2}}).accepted
    assert not review_proposal(record, PLATFORM_PROPOSER, 6, {"deal": {"day": 2}}).accepted
    assert review_proposal(EMPTY_RECORD, PLATFORM_PROPOSER, 0, {"deal": {"day": 2}}).accepted


def test_a_field_of_a_typed_state_has_no_alias_for_reading() -> None:
    field: Any = Field(default=0, validation_alias="other")

    with pytest.raises(StateClassError, match="price of Aliased has an alias"):
        type("Aliased", (PublicInformation,), {"__annotations__": {"price": int}, "price": field})


def test_an_event_knows_its_own_type_as_text() -> None:
    event = Event(1, 0.0, EventType.TIME, "platform", None)

    assert event.event_type == "TIME"
    assert type(event.event_type) is str


@pytest.mark.parametrize("part", [{"cause": 1}, {"decided_by": DecidedBy.AGENT}, {"decided_at": 0.5}])
def test_every_single_part_of_the_experimenters_is_kept_from_the_seats(part: dict[str, Any]) -> None:
    event = Event(2, 1.0, EventType.FORMAL_QUIT, "human", NOTHING)

    assert event._replace(**part).redacted() == event


def test_the_state_of_a_bargaining_table_can_be_read_aloud(table: TrialTable) -> None:
    rules = mechanism_of("bargaining")
    table.start()
    before = rules.describe(table.state)
    offer = table.human.offers(bananas=(2, 2))
    offered = rules.describe(table.state)[1]
    table.human.offers(bananas=(2, 2), grain=(3, 2), wood=(1, 2), spices=(2, 1))
    table.human.accepts()
    accepted = rules.describe(table.state)[1]

    assert before == [
        "board: bananas open, grain open, wood open, spices open",
        "on the table: nothing",
    ]
    assert offered == f"on the table: offer {offer.seq} of human, accepted by nobody"
    assert accepted == f"on the table: offer {offer.seq + 1} of human, accepted by human"


def test_an_error_that_cannot_even_say_what_it_is_says_nothing() -> None:
    class Broken(Exception):
        def __str__(self) -> str:
            raise LookupError

    assert text_of(Broken()) == ""
    assert text_of(ValueError("too much")) == "too much"


def test_an_offer_ends_the_sign_that_one_is_being_built(table: TrialTable) -> None:
    table.human.drafts()
    table.human.offers(bananas=(2, 2))

    assert table.state.presence["human"].drafting_until == 0


def test_what_was_called_no_longer_waits() -> None:
    scheduler = Scheduler()
    entry = scheduler.call_at(1, lambda: None)
    before = entry.pending

    scheduler.run_next(1)

    assert (before, entry.pending) == (True, False)


def test_the_data_of_an_announcement_is_a_new_copy_each_time() -> None:
    announcement = Announcement(1, "tax-set", '{"tax": 5}')

    announcement.data["tax"] = 6

    assert announcement.data == {"tax": 5}
