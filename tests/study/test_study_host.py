"""Host of a study at a station: a wizard or a second person joins once, and stays for all games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty
from typing import Any, TypeVar

import pytest

from negoplatform.agent_api import FormalQuit
from negoplatform.app.joining.join_client import AwaitingSession, JoinClient, Joined, JoinRefused
from negoplatform.app.joining.join_place import JoinPlace
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.windows.session_feed import AnswerSuggestion, FeedSuggestion, JoinRole
from negoplatform.app.visit.study_host import (
    EXPERIMENTER,
    PARTNER,
    WIZARD,
    StudyHost,
    hosted_game,
    other_roles,
)
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.app.visit.visit_sessions import VisitSessions
from negoplatform.core.events import DecidedBy, EventType
from negoplatform.domain.errors import NegoError
from tests.study.others import WITH_PERSON, WITH_WIZARD, study_with
from tests.study.rounds import logs_of
from tests.study.studies import small_study
from tests.study.test_visit_sessions import prepared, sessions_of
from tests.study.test_visits_with_others import await_end, playing
from tests.study.visits import begin

pytestmark = pytest.mark.timeout(120)

LONGEST = 20.0
"""Seconds to wait for news that have to come; an upper bound, not a measure."""

T = TypeVar("T")


def fail(error: BaseException) -> None:
    raise error


def host_of(*roles: JoinRole) -> tuple[StudyHost, JoinPlace]:
    """Return a host that is started at the usual port or a free one, and where windows join."""
    host = StudyHost(roles, fail)
    return host, host.start("127.0.0.1")


@pytest.fixture
def joined() -> Iterator[Callable[[JoinPlace, JoinRole], JoinClient]]:
    """Return a function that joins in a role."""
    clients: list[JoinClient] = []

    def join(place: JoinPlace, role: JoinRole) -> JoinClient:
        client = JoinClient(place.address, place.port, place.codes[role], report=fail)
        clients.append(client)
        client.start()
        return client

    yield join
    for client in clients:
        client.stop()


def next_news(client: JoinClient, kind: type[T]) -> T:
    """Return the next news of a kind; what comes before is dropped."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        try:
            news = client.news.get(timeout=0.1)
        except Empty:
            continue
        assert not isinstance(news, JoinRefused), news
        if isinstance(news, kind):
            return news
    raise AssertionError(f"No {kind.__name__} came.")


def next_suggestion(client: JoinClient) -> FeedSuggestion:
    while True:
        item = client.items.get(timeout=LONGEST)
        if isinstance(item, FeedSuggestion):
            return item


def play_with_host(
    run: VisitRun, sessions: VisitSessions, host: StudyHost, meanwhile: Callable[[LiveSession], object]
) -> None:
    """Play the open step's game in a host, until the participant walks away."""
    session = prepared(sessions)
    with playing(sessions, session) as live:
        host.serve(live, session.plan)
        meanwhile(live)
        live.participant_seat.propose(FormalQuit())
        await_end(live)
    host.release()
    sessions.closed(session)


def test_others_are_those_whom_any_cell_of_a_study_needs(tmp_path: Path) -> None:
    def in_one_cell(document: dict[str, Any]) -> None:
        document["partners"]["sam"]["wizard"] = {"by": "emotion", "happy": True, "angry": False}

    assert other_roles(small_study(tmp_path / "none").study) == ()
    assert other_roles(small_study(tmp_path / "wizard", in_one_cell).study) == (WIZARD,)
    assert other_roles(study_with(tmp_path / "person", WITH_PERSON).study) == (PARTNER,)


def test_a_wizard_stays_joined_for_all_games_and_the_next_visit(
    tmp_path: Path, joined: Callable[[JoinPlace, JoinRole], JoinClient]
) -> None:
    folder = study_with(tmp_path, WITH_WIZARD)
    host, place = host_of(WIZARD)
    wizard = joined(place, WIZARD)
    next_news(wizard, AwaitingSession)

    def decide(_live: LiveSession) -> None:
        introduction = next_news(wizard, Joined).introduction
        assert introduction.role.seat == "agent"
        wizard.send(AnswerSuggestion(next_suggestion(wizard).number, send=True))
        seat = wizard.seat
        assert seat is not None
        while True:
            event = seat.updates.get(timeout=LONGEST).event
            if event is not None and event.type == EventType.SEND_MESSAGE:
                return

    deciders = []
    for code in ("P-01", "P-02"):
        run = begin(folder, code)
        sessions = sessions_of(run)
        for _ in range(2):
            play_with_host(run, sessions, host, decide)
            next_news(wizard, AwaitingSession)
        sessions.stop()
        run.close()
        for log in logs_of(run):
            said = next(event for event in log.events if event.type == EventType.SEND_MESSAGE)
            deciders.append(said.decided_by)
    host.stop()

    assert deciders == [DecidedBy.WIZARD] * 4


def test_a_second_person_has_the_seat_that_each_game_leaves(
    tmp_path: Path, joined: Callable[[JoinPlace, JoinRole], JoinClient]
) -> None:
    folder = study_with(
        tmp_path, WITH_PERSON, change=lambda s: s["stages"][0]["rounds"][1].update(seat="agent")
    )
    host, place = host_of(PARTNER)
    person = joined(place, PARTNER)
    run = begin(folder)
    sessions = sessions_of(run)
    seats = []

    def be_ready(_live: LiveSession) -> None:
        introduction = next_news(person, Joined).introduction
        seats.append((introduction.role.seat, introduction.participant, dict(introduction.names)))
        assert person.seat is not None
        person.seat.start()
        person.seat.updates.get(timeout=LONGEST)

    play_with_host(run, sessions, host, be_ready)
    play_with_host(run, sessions, host, be_ready)
    run.close()
    host.stop()

    assert seats == [
        ("agent", "P-01-partner", {"human": "Kim"}),
        ("human", "P-01-partner", {"agent": "Kim"}),
    ]


def test_a_wizard_waits_during_a_game_that_is_played_without_one(
    tmp_path: Path, joined: Callable[[JoinPlace, JoinRole], JoinClient]
) -> None:
    folder = study_with(tmp_path, {"agent": "counting", "name": "Robin"}, games=1)
    host, place = host_of(WIZARD)
    wizard, experimenter = joined(place, WIZARD), joined(place, EXPERIMENTER)
    run = begin(folder)
    sessions = sessions_of(run)
    session = prepared(sessions)

    with playing(sessions, session) as live:
        host.serve(live, session.plan)
        next_news(experimenter, Joined)
        for _ in range(2):
            next_news(wizard, AwaitingSession)
        live.participant_seat.propose(FormalQuit())
        await_end(live)
        with pytest.raises(NegoError, match="without you"):
            hosted_game(live, session.plan).introduction(WIZARD)
    sessions.closed(session)
    run.close()
    host.stop()


def test_a_host_that_listens_elsewhere_keeps_its_codes(tmp_path: Path) -> None:
    host, place = host_of(WIZARD, PARTNER)

    again = host.start("localhost")
    host.stop()

    assert set(place.codes) == {WIZARD, PARTNER, EXPERIMENTER}
    assert again.codes == place.codes
    assert again.is_loopback
    assert again.command(WIZARD).startswith(f"negoplatform join {again.text} --code ")
