"""Shipped agents as advisers: each offer of the others gets new advice, followed or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import Event, EventType
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.advice import AdviceControl

NOWHERE = Path("nowhere")
SECONDS = 70
BIDDERS = ("micro", "random_bids", "boulware", "linear", "conceder", "tit_for_tat")
TALKERS = ("conceding", "fair", "lying", "negochat", "kb_agent")
THINKS = 5.0
"""Seconds that an agent that talks reads and thinks before it advises; an upper bound."""


class SilentPerson:
    """Course of a game in which the person with an adviser does nothing, and the other seats negotiate."""

    def __init__(self, adviser: str, game: str, seat: Seat) -> None:
        played, self.clock, self.seat = find_game(game, NOWHERE), VirtualClock(), seat
        self.errors: list[BaseException] = []
        runner = SessionRunner(played, seed=1, clock=self.clock, log=NoLog(), report=self.errors.append)
        for other in played.others(seat):
            agent = prepare_in_process(find_agent("boulware", NOWHERE), other, {}, game=played, seed=1)
            runner.assign(other, agent.assignment, agent.timing)
        advises = prepare_in_process(find_agent(adviser, NOWHERE), seat, {}, game=played, advises=True)
        self.advice: AdviceControl = runner.assign_adviser(seat, advises.assignment, advises.timing).advice
        self.runner = runner
        self.events: list[Event] = []
        runner.subscribe(lambda published: self.events.append(published.event))

    def play(self, seconds: float = SECONDS) -> SilentPerson:
        if not self.events:
            self.runner.start()
        until = self.clock() + seconds
        while (due := self.runner.next_due()) is not None and due <= until:
            self.clock.advance_to(due)
            self.runner.run_one_due()
        self.clock.advance_to(until)
        return self

    def offers(self) -> list[Event]:
        return [event for event in self.events if event.type == EventType.SEND_OFFER]

    def notes(self) -> list[Event]:
        """Return the notes of advice."""
        notes = [event for event in self.events if event.type == EventType.NOTE]
        return [note for note in notes if note.payload.kind is NoteKind.ADVISED]

    def answered(self) -> list[int | None]:
        """Return the numbers of the events that advice answered."""
        return [note.cause for note in self.notes()]


@pytest.mark.parametrize("adviser", BIDDERS)
@pytest.mark.parametrize(("game", "seat"), [("harvest_fair", "orchard"), ("practice", "human")])
def test_a_bidder_advises_about_each_offer_though_the_person_follows_none(
    adviser: str, game: str, seat: Seat
) -> None:
    table = SilentPerson(adviser, game, seat).play()

    assert table.offers()
    assert table.answered()[1:] == [offer.seq for offer in table.offers()]
    assert table.errors == []


@pytest.mark.parametrize("adviser", TALKERS)
def test_an_agent_that_talks_has_advice_about_the_newest_offer(adviser: str) -> None:
    table = SilentPerson(adviser, "harvest_fair", "orchard").play()
    newest = table.offers()[-1]

    table.play(max(0.0, newest.t + THINKS - table.clock()))

    assert table.offers()[-1] is newest, "another offer came in between"
    assert table.advice.open is not None
    assert table.advice.open.made_at >= newest.t


def test_a_bidder_says_when_the_time_has_made_the_offer_on_the_table_acceptable() -> None:
    table = SilentPerson("conceder", "practice", "human").play(600)

    kinds = {event.seq: event.type for event in table.events}
    at_ticks = [note for note in table.notes() if kinds[note.cause or 0] == EventType.TIME]
    assert [[step["do"] for step in note.payload.data["steps"]] for note in at_ticks] == [["accept"]]
    assert len(table.notes()) > len(at_ticks) + 2
