"""The console without a window: a session in progress as the experimenter and the public watch it."""

from __future__ import annotations

import pytest

from negoplatform.app.session.session_feed import (
    FeedEvent,
    FeedItem,
    FeedStatus,
    JoinRole,
    RoleKind,
    SessionIntroduction,
)
from negoplatform.core.events import DecidedBy, Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.eventlog.observer_export import filter_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.presentation.console.console_presenter import ConsolePresenter
from negoplatform.presentation.console.watched_session import WatchedSession
from negoplatform.presentation.i18n import ENGLISH
from tests.golden.make import GOLDEN


class Clock:
    """Clock that a test moves.

    Args:
        now: Its time in seconds.
    """

    def __init__(self, now: float = 100.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def watching(kind: RoleKind, clock: Clock | None = None) -> tuple[WatchedSession, SessionLog]:
    """Return a session that is watched in a role, and its log as that role may see it."""
    log = filter_log(
        read_log(GOLDEN / "deal-2.jsonl"), "complete" if kind is RoleKind.EXPERIMENTER else "public"
    )
    introduction = SessionIntroduction(JoinRole(kind), log.header)
    return WatchedSession(introduction, ENGLISH, now=clock or Clock()), log


def take(session: WatchedSession, *items: FeedItem) -> None:
    for item in items:
        session.take(item)


def note(session: WatchedSession, kind: NoteKind, **data: object) -> FeedEvent:
    """Return the next event: a note."""
    events = session.playback.events
    seq = events[-1].seq + 1 if events else 1
    return FeedEvent(Event(seq, session.playback.seconds, EventType.NOTE, "platform", Note(kind, data)))


def test_the_experimenter_sees_both_sides_points_and_who_sits_where() -> None:
    session, log = watching(RoleKind.EXPERIMENTER)
    take(session, *map(FeedEvent, log.events))

    presenter = ConsolePresenter(session, ENGLISH)
    view = presenter.view(None)

    assert "not for participants" in presenter.notice
    assert view.frame.header.points == "11 · 9"
    assert [(row.name, row.words) for row in view.seats] == [
        ("P01", "human  ·  person"),
        ("Robin", "agent  ·  agent scripted"),
    ]


def test_the_public_sees_neither_points_nor_codes_nor_kinds_of_occupants() -> None:
    session, log = watching(RoleKind.PUBLIC)
    take(session, *map(FeedEvent, log.events))

    presenter = ConsolePresenter(session, ENGLISH)
    view = presenter.view(None)

    assert presenter.notice == ""
    assert view.frame.header.points == ""
    assert view.frame.sides == ()
    assert [row.words for row in view.seats] == ["human", "agent"]
    assert not any("P01" in row.name for row in view.seats)
    assert all(
        moment.event.type != EventType.NOTE for moment in session.playback.observed_events(session.observer)
    )


def test_session_time_goes_on_between_two_statuses_and_stands_still_while_nothing_runs() -> None:
    clock = Clock()
    session, _log = watching(RoleKind.EXPERIMENTER, clock)
    take(session, FeedStatus(12.0, running=True, started=True))
    clock.now += 3
    running = session.session_time
    take(session, FeedStatus(15.5, running=False, started=True, paused=True))
    clock.now += 60

    assert running == 15.0
    assert session.session_time == 15.5
    assert (
        ConsolePresenter(session, ENGLISH).view(None).status
        == "The clock stands still while a participant reads."
    )


def test_a_lost_connection_is_shown_at_its_seat_and_in_the_status() -> None:
    session, log = watching(RoleKind.EXPERIMENTER)
    take(
        session,
        *map(FeedEvent, log.events[:5]),
        FeedStatus(3.0, running=True, started=True, absent=("human",)),
    )

    view = ConsolePresenter(session, ENGLISH).view(None)

    assert [row.is_lost for row in view.seats] == [True, False]
    assert view.seats[0].words.endswith("not connected")
    assert (view.status, view.is_urgent) == ("A connection is lost.", True)


def test_the_mode_of_a_wizard_and_their_window_follow_the_notes() -> None:
    session, log = watching(RoleKind.EXPERIMENTER)
    take(session, *map(FeedEvent, log.events[:3]), FeedStatus(3.0, running=True, started=True))
    presenter = ConsolePresenter(session, ENGLISH)

    take(session, note(session, NoteKind.WIZARD_MODE, seat="agent", mode="manual", before="assisted"))
    with_mode = presenter.view(None).seats[1]
    take(session, note(session, NoteKind.SEAT_LEFT, role="wizard", seat="agent", reason="gone"))
    without_window = presenter.view(None).seats[1]
    take(session, note(session, NoteKind.SEAT_JOINED, role="wizard", seat="agent", back=True))
    back = presenter.view(None).seats[1]

    assert with_mode.words.endswith("wizard, manual")
    assert without_window.words.endswith("wizard not connected")
    assert without_window.is_lost
    assert back == with_mode


def test_a_row_says_who_decided_only_where_it_is_not_the_occupant() -> None:
    session, log = watching(RoleKind.EXPERIMENTER)
    take(session, *map(FeedEvent, log.events))
    presenter = ConsolePresenter(session, ENGLISH)
    moments = session.playback.observed_events(session.observer)

    rows = {moment.event.seq: presenter.event_row(moment, "text") for moment in moments}

    decided = {moment.event.seq: (moment.event.sender, moment.event.decided_by) for moment in moments}
    for seq, row in rows.items():
        if row is None:
            assert log.events[seq - 1].type == EventType.TIME
        elif decided[seq] == ("agent", DecidedBy.WIZARD):
            assert row.who == "Robin (wizard)"
        else:
            assert "(" not in row.who


@pytest.mark.parametrize("kind", [RoleKind.EXPERIMENTER, RoleKind.PUBLIC])
def test_after_coming_back_all_events_again_change_nothing(kind: RoleKind) -> None:
    session, log = watching(kind)
    presenter = ConsolePresenter(session, ENGLISH)
    take(session, *map(FeedEvent, log.events))
    presenter.extend()
    before = presenter.view(None), list(presenter.replay.lines)

    take(session, *map(FeedEvent, log.events))
    presenter.extend()

    assert (presenter.view(None), presenter.replay.lines) == before


def test_a_finished_session_stays_readable_at_every_position() -> None:
    session, log = watching(RoleKind.EXPERIMENTER)
    take(session, *map(FeedEvent, log.events), FeedStatus(40.0, running=False, started=True, finished=True))
    presenter = ConsolePresenter(session, ENGLISH)

    past, present = presenter.view(5), presenter.view(None)

    assert present.status == "The session is over. Everything stays readable here."
    assert past.t == session.playback.time_at(5)
    assert past.frame != present.frame
