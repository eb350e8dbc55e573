"""The replay of a session with several others, without a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.playback.playback import Playback
from negoplatform.core.events import Expression, Message
from negoplatform.core.session import ActionOrigin
from negoplatform.core.visibility import EXPERIMENTER, Observer
from negoplatform.domain.counterpart_settings import CounterpartSettings
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.writer import LogWriter
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.session_plots import SessionPlots
from negoplatform.gui.replay.transcript_picture import transcript_picture
from negoplatform.presentation.color_palette import LIGHT
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.plots.drawing import FilledRectangle, TextLabel
from negoplatform.presentation.plots.offer_description import offer_description
from negoplatform.presentation.plots.seat_styles import OTHERS_MARKS, OWN_MARK
from negoplatform.presentation.replay.event_details import event_details
from negoplatform.presentation.replay.replay_presenter import ReplayPresenter
from negoplatform.presentation.replay.seat_occupant_names import SeatOccupantNames, participants_of
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT, header_for
from tests.several_seats import NAMES, village

SEATS = 5


def play(table: TrialTable) -> None:
    """Play a session with a private message and an offer that some have accepted."""
    table.start()
    table.participant("farm").says("Hello.")
    table.session.send_message("inn", Message("Between us."), ActionOrigin(to=("mill",)))
    table.session.send_message("farm", Message("Us three."), ActionOrigin(to=("inn", "school")))
    table.wait(2)
    table.participant("inn").shows(Expression.HAPPY)
    water, hours = dict.fromkeys(table.state.game.seats, 2), dict.fromkeys(table.state.game.seats, 1)
    table.participant("smithy").offers(water=water, hours=hours, place="Market")
    table.participant("inn").accepts()
    table.wait(30)


@pytest.fixture
def playback(tmp_path: Path) -> Playback:
    """Recorded session of a person and four agents, whose faces rest sad."""
    sad = village(SEATS, counterpart=CounterpartSettings(Expression.SAD, 1.0))
    header = header_for(sad)
    named = SeatMap((seat, replace(who, name=NAMES[seat])) for seat, who in header.seats.items())
    log = LogWriter(tmp_path / "session", replace(header, seats=named), at=lambda: AT)
    play(TrialTable(sad, log=log))
    log.close()
    return Playback.open(tmp_path / "session" / LOG_NAME)


@pytest.fixture
def cast(playback: Playback) -> SeatOccupantNames:
    return participants_of(playback.header, ENGLISH)


def reading(playback: Playback, observer: Observer) -> ReplayPresenter:
    return ReplayPresenter(playback, observer, participants_of(playback.header, ENGLISH), ENGLISH)


def test_everyone_but_the_participant_is_shown_with_mark_face_and_acceptance(playback: Playback) -> None:
    frame = reading(playback, EXPERIMENTER).frame_at(len(playback.events), playback.seconds)

    assert [other.name for other in frame.others] == ["Robin", "Noa", "Jules", "Sasha"]
    assert [other.mark for other in frame.others] == [*OTHERS_MARKS[:4]]
    assert [other.accepted for other in frame.others] == [False, True, False, False]
    assert frame.last_speaker == "smithy"


def test_who_spoke_last_follows_the_position(playback: Playback) -> None:
    everything = reading(playback, EXPERIMENTER)

    spoken = [everything.frame_at(position, 0.0).last_speaker for position in range(5)]

    assert spoken == ["farm", "farm", "farm", "inn", "farm"]


def test_in_every_view_a_seat_has_the_mark_of_the_timeline(playback: Playback) -> None:
    as_inn = reading(playback, Observer("inn"))

    frame = as_inn.frame_at(len(playback.events), playback.seconds)

    assert [(other.seat, other.mark) for other in frame.others] == [
        ("mill", OWN_MARK),
        ("farm", OTHERS_MARKS[0]),
        ("smithy", OTHERS_MARKS[2]),
        ("school", OTHERS_MARKS[3]),
    ]
    assert {line.sender: line.mark for line in as_inn.lines if line.is_theirs}["farm"] == OTHERS_MARKS[0]


def test_agents_have_moods_and_the_person_has_none_in_an_agents_view(playback: Playback) -> None:
    frame = reading(playback, Observer("farm")).frame_at(len(playback.events), playback.seconds)

    assert {other.seat: other.expression for other in frame.others} == {
        "mill": Expression.NEUTRAL,
        "inn": Expression.SAD,
        "smithy": Expression.SAD,
        "school": Expression.SAD,
    }


def test_private_messages_are_marked_and_known_to_sender_and_recipients(playback: Playback) -> None:
    said = {
        observer.seat or "everything": [
            (line.who, line.address) for line in reading(playback, observer).lines if line.address
        ]
        for observer in playback.observers
    }

    assert said["everything"] == [("Noa", "only to P-SECRET-07"), ("Robin", "only to Noa and Sasha")]
    assert said["mill"] == [("Noa", "only to you")]
    assert said["farm"] == [("You", "only to Noa and Sasha")]
    assert said["inn"] == [("You", "only to Kim"), ("Robin", "only to you and Sasha")]
    assert said["smithy"] == []


def test_the_recipients_are_among_the_details_of_an_event(
    playback: Playback, cast: SeatOccupantNames
) -> None:
    (moment,) = [m for m in playback.observed_events(EXPERIMENTER) if len(m.event.to) == 2]

    facts, _contents = event_details(moment, playback.game, cast, ENGLISH)

    assert dict(facts)["Only to"] == "Noa and Sasha"


def test_the_transcript_can_be_saved_with_the_seats_colours_and_recipients(playback: Playback) -> None:
    lines = reading(playback, EXPERIMENTER).lines

    drawn = transcript_picture(lines, PlotStyle(LIGHT, ENGLISH, 600)).items

    texts = [item.text for item in drawn if isinstance(item, TextLabel)]
    bars = [item.fill for item in drawn if isinstance(item, FilledRectangle)]
    assert "(only to Noa and Sasha) Us three." in texts
    assert bars[:3] == [LIGHT.theirs, LIGHT.accept, LIGHT.theirs]


def test_the_points_of_many_share_lines_below_a_plot(playback: Playback, cast: SeatOccupantNames) -> None:
    plots = SessionPlots(playback, cast)

    words = offer_description(plots.offers[0], plots.seat_styles(LIGHT), ENGLISH)

    assert words.split("\n") == [
        "Offer 1, Jules, 0:02",
        "P-SECRET-07: 5 points · Robin: 10 points · Noa: 7 points",
        "Jules: 5 points · Sasha: 10 points",
    ]


def test_preferences_have_the_colours_of_their_seats(playback: Playback) -> None:
    frame = reading(playback, EXPERIMENTER).frame_at(0, 0.0)

    assert [side.colour for side in frame.sides] == ["mine", "theirs", "accept", "warning", "seat_5"]


def test_the_plot_of_outcomes_begins_with_the_own_seat_and_shows_each_pair_once(
    playback: Playback, cast: SeatOccupantNames
) -> None:
    plots = SessionPlots(playback, cast.from_seat("inn"))
    mine, count = plots.game.seats.index("inn"), len(plots.game.seats)
    shown = []

    for _ in range(count * (count - 1) // 2):
        shown.append(plots.axes)
        plots.show_next_axes()

    assert plots.axes == shown[0]
    assert [pair[0] for pair in shown[: count - 1]] == [mine] * (count - 1)
    assert len({frozenset(pair) for pair in shown}) == len(shown)
