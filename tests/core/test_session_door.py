"""Common acts, the acts of the mechanism, own proposals: all that a seat can do."""

from __future__ import annotations

from collections.abc import Iterator
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
from negoplatform.core.record.notes_and_tasks_proposals import (
    PLATFORM_PROPOSER,
    Proposer,
    ProposerIssuer,
    ProposerKind,
)
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import Phase, State
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.testing import TrialTable
from tests.proposers import issued

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


def test_a_restored_session_has_all_events_before_anything_else_can_happen(table: TrialTable) -> None:
    table.human.says("Hello")
    again = TrialTable(table.state.game)

    again.session.restore(table.events)  # whatever becomes of the returned value

    assert again.session.state == table.state
    with pytest.raises(Refused, match="started already"):
        again.session.start()


def test_a_session_that_was_restored_in_part_records_nothing_any_more(table: TrialTable) -> None:
    table.human.says("Hello")
    again = TrialTable(table.state.game)

    def torn() -> Iterator[Event]:
        yield table.events[0]
        raise ValueError("torn")

    with pytest.raises(ValueError, match="torn"):
        again.session.restore(torn())

    with pytest.raises(Refused, match="session is over"):
        again.session.resume()
    assert again.events == []


def test_a_closed_session_is_not_restored(table: TrialTable) -> None:
    table.session.close()

    with pytest.raises(Refused, match="without any event"):
        table.session.restore([])


def test_a_proposer_that_was_not_issued_changes_nothing(table: TrialTable) -> None:
    table.start()
    mine = issued(table.session, Proposer(ProposerKind.SEAT, "human"))
    equal = Proposer(ProposerKind.SEAT, "human")
    assert equal == mine

    with pytest.raises(Refused, match="not issued by this session"):
        table.session.propose_change(equal, {"notes": {"human": {"plan": "wait"}}}, 0)
    event = table.session.propose_change(mine, {"notes": {"human": {"plan": "wait"}}}, 0)

    assert event.payload.accepted


@pytest.mark.parametrize("kind", list(ProposerKind))
def test_holding_a_session_is_not_enough_to_propose_in_any_capacity(
    kind: ProposerKind, game: GameSpec
) -> None:
    # Whoever makes the session passes the issuer in; the session does not hand it out.
    issuer = ProposerIssuer(game.seats)
    session = Session(
        game,
        mechanism=Bargaining(),
        clock=lambda: 0.0,
        log=lambda _event: None,
        publish=lambda _published: None,
        report=lambda _error: None,
        proposers=issuer,
    )
    session.start()
    name = "human" if kind is ProposerKind.SEAT else PLATFORM
    change: dict[ProposerKind, Any] = {
        ProposerKind.SEAT: {"notes": {"human": {"a": 1}}},
        ProposerKind.WIZARD: {"commands": {"a": 1}},
        ProposerKind.PRINCIPAL: {"commands": {PLATFORM: {"1": {}}}},
    }
    updates = change.get(kind, {"annotations": {PLATFORM: {"a": 1}}})

    with pytest.raises(Refused, match="not issued by this session"):
        session.propose_change(Proposer(kind, name), updates, 0)

    public = [getattr(session, each) for each in dir(session) if not each.startswith("_")]
    assert not [thing for thing in public if isinstance(thing, Proposer | ProposerIssuer)]
    assert session.propose_change(issuer.issue(kind, name), updates, 0).payload.accepted


def test_the_issued_proposer_is_not_found_in_what_the_session_publishes(table: TrialTable) -> None:
    published: list[Any] = []
    table.subscribe(published.append)
    table.start()
    platform = issued(table.session, PLATFORM_PROPOSER)

    table.session.propose_change(platform, {"participant": {"public": {"human": 1}}}, 9)

    found = published[-1].event.payload.proposer
    assert found == platform
    with pytest.raises(Refused, match="not issued by this session"):
        table.session.propose_change(found, {"deal": {"price": 3}}, 99)


def test_no_proposer_is_issued_for_a_seat_that_does_not_exist(table: TrialTable) -> None:
    with pytest.raises(Refused, match="Nobody sits at 'ghost'"):
        issued(table.session, Proposer(ProposerKind.SEAT, "ghost"))


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
