"""Common acts, the acts of the mechanism, own proposals: all that a seat can do."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import (
    NOTHING,
    Accepted,
    EndedBy,
    Ending,
    Event,
    EventType,
    Message,
    Note,
    OfferMade,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.bargaining import Bargaining
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Offer
from negoplatform.testing import TrialTable

PLATFORMS_TYPES: list[tuple[str, Any]] = [
    (EventType.GAME_END, Ending(EndedBy.QUIT, by="agent")),
    (EventType.GAME_START, NOTHING),
    (EventType.TIME, NOTHING),
    (EventType.RESUMED, NOTHING),
    (EventType.NOTE, Note(NoteKind.WARNING_SHOWN)),
    (EventType.STATE_PROPOSED, NOTHING),
]


@pytest.mark.parametrize(("kind", "payload"), PLATFORMS_TYPES, ids=[str(kind) for kind, _ in PLATFORMS_TYPES])
def test_a_seat_cannot_do_what_the_platform_records(table: TrialTable, kind: str, payload: Any) -> None:
    table.start()

    with pytest.raises(Refused, match="nothing that a seat can do"):
        table.session.act("human", kind, payload)

    assert table.state.phase is Phase.NEGOTIATING
    refusal = table.events[-1]
    assert (refusal.type, refusal.to, refusal.payload.action) == ("ACTION_REFUSED", ("human",), kind)


def test_a_type_that_does_not_exist_is_refused_and_not_logged(table: TrialTable) -> None:
    table.start()
    count = len(table.events)

    with pytest.raises(Refused, match="'DANCE' is no type of event"):
        table.session.act("human", "DANCE", NOTHING)

    assert len(table.events) == count


def test_an_act_needs_the_payload_of_its_type(table: TrialTable) -> None:
    table.start()

    with pytest.raises(Refused, match="SEND_OFFER cannot be done with Message"):
        table.session.act("human", EventType.SEND_OFFER, Message("Hello"))


def test_an_act_for_everyone_cannot_be_addressed(table: TrialTable) -> None:
    table.start()

    with pytest.raises(Refused, match="Only a message can be addressed"):
        table.session.act("human", EventType.SEND_OFFER, OfferMade(Offer({})), ActionOrigin(to=("agent",)))


def test_a_session_with_events_cannot_be_restored(table: TrialTable) -> None:
    table.human.says("Hello")

    with pytest.raises(Refused, match="without any event"):
        table.session.restore(table.events)


def test_a_proposer_that_was_not_issued_changes_nothing(table: TrialTable) -> None:
    table.start()
    mine = table.session.issue_proposer(ProposerKind.SEAT, "human")
    equal = Proposer(ProposerKind.SEAT, "human")
    assert equal == mine

    with pytest.raises(Refused, match="not issued by this session"):
        table.session.propose_change(equal, {"notes": {"human": {"plan": "wait"}}}, 0)
    event = table.session.propose_change(mine, {"notes": {"human": {"plan": "wait"}}}, 0)

    assert event.payload.accepted


def test_no_proposer_is_issued_for_a_seat_that_does_not_exist(table: TrialTable) -> None:
    with pytest.raises(Refused, match="Nobody sits at 'ghost'"):
        table.session.issue_proposer(ProposerKind.SEAT, "ghost")


def test_points_that_a_view_hides_are_none(practice: Any) -> None:
    table = TrialTable(practice)
    table.human.quits()
    rules = Bargaining()

    view = view_of(table.state, Observer("human")).state

    assert rules.points(view, "agent") is None
    assert rules.points(view, "human") == rules.points(table.state, "human") is not None


def test_rules_that_fail_after_an_act_end_the_session_with_a_crash_report(
    table: TrialTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = table.human.offers(bananas=(2, 2), grain=(2, 3), wood=(1, 2), spices=(1, 2))

    def fail(_self: Bargaining, _state: State, event: Event) -> Any:
        if event.type == EventType.FORMAL_ACCEPT:
            raise ZeroDivisionError("the rules")
        return ()

    monkeypatch.setattr(Bargaining, "consequences", fail)
    table.session.act("agent", EventType.FORMAL_ACCEPT, Accepted(offer.seq))

    assert [type(error) for error in table.errors] == [ZeroDivisionError]
    assert table.state.ending is not None
    assert (table.state.ending.ended_by, table.state.phase) == (EndedBy.ABORTED, Phase.CLOSING)
