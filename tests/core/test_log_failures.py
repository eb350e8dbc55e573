"""Failed writes, whose events did not happen, and actions outside of a session, which are not written."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EndedBy, Event, EventType, Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import Phase
from negoplatform.core.visibility import PUBLIC, view_of
from negoplatform.domain.errors import LogWriteError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.testing import TrialTable
from tests.games import coins_only
from tests.proposers import issued


class FullFor:
    """Log whose disk is full, once, for one type of event."""

    def __init__(self, kind: str) -> None:
        self.kind: str | None = kind
        self.sync_due: float | None = None

    def write(self, event: Event) -> None:
        if event.type == self.kind:
            self.kind = None
            raise LogWriteError("The disk is full.")

    def sync(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def agreed_but_not_ended() -> TrialTable:
    table = TrialTable(coins_only(), log=FullFor(EventType.GAME_END))
    offer = table.human.offers(coins=2)
    table.human.accepts(offer)
    with pytest.raises(LogWriteError):
        table.agent.accepts(offer)
    return table


def test_an_agreement_whose_end_was_not_written_ends_the_game_before_anything_else_happens() -> None:
    table = agreed_but_not_ended()

    table.human.says("Are we done?")

    assert table.kinds()[-3:] == ["FORMAL_ACCEPT", "GAME_END", "SEND_MESSAGE"]
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_an_end_that_is_owed_is_told_in_its_order() -> None:
    table = agreed_but_not_ended()
    told: list[str] = []
    table.subscribe(lambda happening: told.append(str(happening.event.type)))

    with pytest.raises(Refused, match="No game is running"):
        table.session.tick()

    assert told == ["GAME_END"]


def test_an_end_that_is_owed_leaves_no_room_for_another() -> None:
    table = agreed_but_not_ended()

    assert table.session.end(EndedBy.ABORTED) is None

    assert table.kinds().count("GAME_END") == 1


def test_nothing_that_is_owed_is_written_after_the_close() -> None:
    table = agreed_but_not_ended()
    table.session.close()

    with pytest.raises(Refused, match="session is over"):
        table.human.says("Are we done?")

    assert table.kinds()[-1] == "FORMAL_ACCEPT"


def test_a_failure_that_was_not_written_is_no_strike(game: GameSpec) -> None:
    table = TrialTable(game, log=FullFor(EventType.AGENT_FAILED), agents_may_fail=True)
    table.start()
    with pytest.raises(LogWriteError):
        table.session.record_agent_failure("agent", "It raised.")

    assert table.session.record_agent_failure("agent", "It raised.") == 1
    assert table.session.record_agent_failure("agent", "It raised.") == 2


def test_a_game_starts_once(table: TrialTable) -> None:
    table.start()
    table.human.quits()

    with pytest.raises(Refused, match="has started already"):
        table.session.start()

    assert table.state.phase is Phase.CLOSING


def test_the_time_is_told_only_while_a_game_runs(table: TrialTable) -> None:
    with pytest.raises(Refused, match="No game is running"):
        table.session.tick()
    table.human.quits()
    with pytest.raises(Refused, match="No game is running"):
        table.session.tick()

    assert "TIME" not in table.kinds(without=frozenset())


def test_nothing_is_written_before_the_start_not_even_a_refusal(table: TrialTable) -> None:
    with pytest.raises(Refused, match="not started yet"):
        table.session.send_message("human", Message("Hello?"))
    with pytest.raises(Refused, match="not started yet"):
        table.session.note(NoteKind.WARNING_SHOWN)

    assert table.events == []


def test_nothing_is_written_once_the_closing_is_over_not_even_a_refusal(table: TrialTable) -> None:
    table.human.quits()
    count = len(table.events)
    table._clock.advance_to(5.001)

    with pytest.raises(Refused, match="session is over"):
        table.human.says("Wait!")
    with pytest.raises(Refused, match="session is over"):
        table.session.note(NoteKind.WARNING_SHOWN)

    assert len(table.events) == count


def test_a_change_that_a_seat_proposes_in_the_closing_does_not_show_on_its_face(table: TrialTable) -> None:
    table.human.quits()
    seat = Proposer(ProposerKind.SEAT, "human")

    table.session.propose_change(issued(table.session, seat), {"notes": {"human": {"lesson": "patience"}}}, 0)

    assert view_of(table.state, PUBLIC).state.presence["human"].closing_actions == frozenset()


def test_a_proposed_change_is_addressed_to_nobody(table: TrialTable) -> None:
    table.start()
    seat = Proposer(ProposerKind.SEAT, "human")

    event = table.session.propose_change(
        issued(table.session, seat), {"notes": {"human": {}}}, 0, ActionOrigin(to=("agent",))
    )

    assert event.to == ()


@pytest.mark.parametrize("base_version", ["1", None, 1.5, True])
def test_a_base_version_that_is_none_is_refused_in_a_sentence(
    table: TrialTable, base_version: object
) -> None:
    table.start()
    seat = Proposer(ProposerKind.SEAT, "human")

    with pytest.raises(Refused, match="base_version is a whole number"):
        table.session.propose_change(issued(table.session, seat), {"notes": {"human": {}}}, base_version)  # type: ignore[arg-type]


def test_nothing_can_be_accepted_once_the_time_is_up_even_before_the_end_is_told(table: TrialTable) -> None:
    table.human.offers(bananas=(2, 2), grain=(3, 2), wood=(1, 2), spices=(2, 1))
    before = table.context("agent").can_formally_accept()
    table._clock.advance_to(600)

    assert before
    assert not table.context("agent").can_formally_accept()


@pytest.mark.parametrize("end", [0.0, 0.238, 0.347])
def test_the_last_moment_of_the_closing_is_still_good_for_a_last_word(table: TrialTable, end: float) -> None:
    # 0.238 + 5.0 and 0.347 + 5.0 are less than the numbers nearest to 5.238 and 5.347.
    table.wait(end)
    table.human.quits()
    table._clock.advance_to(round(end + 5.0, 3))

    table.human.says("Goodbye.")

    assert table.kinds()[-1] == "SEND_MESSAGE"
