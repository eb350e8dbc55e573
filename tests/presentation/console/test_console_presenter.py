"""The console without a window: a session in progress as the experimenter and the public watch it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.app.session.windows.session_feed import (
    FeedEvent,
    FeedItem,
    FeedStatus,
    JoinRole,
    RoleKind,
    SessionIntroduction,
)
from negoplatform.core.events import DecidedBy, Event, EventType, Note, Resumed
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.game import Visibility
from negoplatform.domain.joining_settings import WizardMode, WizardSettings
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.observer_export import filter_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.presentation.console.console_presenter import ConsolePresenter, OccupantRow
from negoplatform.presentation.console.watched_session import WatchedSession
from negoplatform.presentation.i18n import ENGLISH
from tests.games import shipped_games
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


def watching(kind: RoleKind, clock: Clock | None = None, **header: Any) -> tuple[WatchedSession, SessionLog]:
    """Return a session that is watched in a role, and its log as that role may see it.

    The agent's seat is below the principal ``head``, which sees its preferences.
    """
    whole = read_log(GOLDEN / "deal-2.jsonl")
    game = replace(
        whole.header.game,
        principals=SeatMap({"head": PrincipalSpec("head", ("agent",))}),
        visibility=SeatMap({"agent": Visibility.UPPER_LEVEL}),
    )
    whole = replace(whole, header=replace(whole.header, **{"game": game, **header}))
    role = JoinRole(kind, "head" if kind is RoleKind.PRINCIPAL else None)
    log = filter_log(whole, "complete" if kind is RoleKind.EXPERIMENTER else role.name)
    introduction = SessionIntroduction(role, log.header)
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

    assert "Participants must not see it" in presenter.notice
    assert view.frame.header.points == "11 · 9"
    assert [(row.name, row.words) for row in view.seats] == [
        ("P01", "person"),
        ("Robin", "agent scripted"),
    ]


def test_the_public_sees_neither_points_nor_codes_nor_kinds_of_occupants() -> None:
    session, log = watching(RoleKind.PUBLIC)
    take(session, *map(FeedEvent, log.events))

    presenter = ConsolePresenter(session, ENGLISH)
    view = presenter.view(None)

    assert presenter.notice == ""
    assert view.frame.header.points == ""
    assert view.frame.sides == ()
    assert [row.words for row in view.seats] == ["", ""]
    assert not any("P01" in row.name for row in view.seats)
    assert all(
        moment.event.type != EventType.NOTE for moment in session.playback.observed_events(session.observer)
    )


@pytest.mark.parametrize(
    ("kind", "points", "shown_as"),
    [(RoleKind.PRINCIPAL, "9", "head (principal)"), (RoleKind.SYSTEM, "", "the system")],
)
def test_those_above_a_seat_see_the_points_that_their_level_may_see(
    kind: RoleKind, points: str, shown_as: str
) -> None:
    session, log = watching(kind)
    take(session, *map(FeedEvent, log.events))

    presenter = ConsolePresenter(session, ENGLISH)
    view = presenter.view(None)

    assert presenter.notice == (
        f"This window shows what {shown_as} sees, as it happens. Participants must not see it."
    )
    assert view.frame.header.points == points
    assert len(presenter.replay.lines) > 3
    assert [row.words for row in view.seats] == ["", ""]


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
        == "The clock is stopped while a participant reads."
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


def test_the_mode_of_a_wizard_and_their_window_follow_the_header_and_the_notes() -> None:
    wizards = {"agent": WizardSettings(WizardMode.ASSISTED)}
    session, log = watching(RoleKind.EXPERIMENTER, wizards=wizards)
    presenter = ConsolePresenter(session, ENGLISH)

    def agent_row() -> OccupantRow:
        return presenter.view(None).seats[1]

    before = agent_row()
    take(session, *map(FeedEvent, log.events[:3]), FeedStatus(3.0, running=True, started=True))
    missing = agent_row()
    take(session, note(session, NoteKind.SEAT_JOINED, role="wizard", seat="agent", back=False))
    joined = agent_row()
    take(session, note(session, NoteKind.WIZARD_MODE, seat="agent", mode="manual", before="assisted"))
    with_mode = agent_row()
    take(session, note(session, NoteKind.SEAT_LEFT, role="wizard", seat="agent", reason="lost"))
    without_window = agent_row()
    take(session, FeedStatus(3.5, running=False, started=True, finished=True))
    over = agent_row()

    assert (before.words, before.is_lost) == ("agent scripted  ·  wizard: assisted", False)
    assert (missing.words, missing.is_lost) == (f"{before.words}  ·  wizard not connected", True)
    assert joined == before
    assert with_mode.words == "agent scripted  ·  wizard: manual"
    assert without_window.words == "agent scripted  ·  wizard: manual  ·  wizard not connected"
    assert over == with_mode


def test_a_wizard_has_to_join_a_resumed_session_again() -> None:
    session, log = watching(RoleKind.EXPERIMENTER, wizards={"agent": WizardSettings()})
    take(session, *map(FeedEvent, log.events[:3]), FeedStatus(3.0, running=True, started=True))
    take(session, note(session, NoteKind.SEAT_JOINED, role="wizard", seat="agent", back=False))
    seq = session.playback.events[-1].seq + 1

    take(session, FeedEvent(Event(seq, 3.0, EventType.RESUMED, "platform", Resumed())))

    assert ConsolePresenter(session, ENGLISH).view(None).seats[1].is_lost


def test_an_agent_that_took_a_seat_over_is_named() -> None:
    session, log = watching(RoleKind.EXPERIMENTER)
    take(session, *map(FeedEvent, log.events[:3]), FeedStatus(3.0, running=True, started=True))

    take(session, note(session, NoteKind.SEAT_TAKEN_OVER, seat="human", agent="fair", sha256="a" * 64))

    assert ConsolePresenter(session, ENGLISH).view(None).seats[0].words == "now the agent fair"


def test_a_role_is_named_beside_its_occupant() -> None:
    (game,) = [game for game in shipped_games("bargaining") if game.name == "job_candidate"]
    header = read_log(GOLDEN / "deal-2.jsonl").header
    seats = SeatMap(zip(game.seats, header.seats.values(), strict=True))
    introduction = SessionIntroduction(
        JoinRole(RoleKind.EXPERIMENTER), replace(header, game=game, seats=seats)
    )
    session = WatchedSession(introduction, ENGLISH)

    rows = ConsolePresenter(session, ENGLISH).view(None).seats

    assert [row.words for row in rows] == ["employer  ·  person", "candidate  ·  agent scripted"]


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

    assert present.status == "The session is over. Everything stays readable here until you close the window."
    assert past.t == session.playback.time_at(5)
    assert past.frame != present.frame
