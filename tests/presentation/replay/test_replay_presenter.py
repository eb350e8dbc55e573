"""Replay viewer without a window: its contents at one moment, for each observer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from negoplatform.app.playback.playback import LivePlayback, ObservedEvent, Playback, TimelineMarkKind
from negoplatform.core.events import EventType
from negoplatform.core.visibility import EXPERIMENTER, Observer
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.replay.image_export import export_picture, save_picture
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.replay.session_plots import SessionPlots
from negoplatform.gui.replay.transcript_picture import transcript_picture
from negoplatform.presentation.color_palette import DARK, LIGHT
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.issue_agreement import Progress
from negoplatform.presentation.plots.drawing import Drawing, FilledRectangle, Marker, TextLabel
from negoplatform.presentation.replay.event_details import event_details
from negoplatform.presentation.replay.replay_presenter import ReplayPresenter, damage_text, integrity_text
from negoplatform.presentation.replay.seat_occupant_names import participants_of, session_facts
from negoplatform.presentation.replay.timeline_view import TimelineLayout, TimelineRow, timeline_rows
from negoplatform.presentation.transcript.transcript_entries import (
    TranscriptEntry,
    entry_text,
    transcript_entries,
)
from negoplatform.testing import TrialTable
from tests.eventlog.logs import recorded
from tests.golden.make import GOLDEN
from tests.gui.plots.plotted import Whispering
from tests.presentation.bargaining_desk import BargainingDesk

HUMAN, AGENT = Observer("human"), Observer("agent")

DEAL_2 = GOLDEN / "deal-2.jsonl"


@pytest.fixture
def playback() -> Playback:
    return Playback.open(DEAL_2)


def reading(playback: Playback, observer: Observer) -> ReplayPresenter:
    return ReplayPresenter(playback, observer, participants_of(playback.header, ENGLISH), ENGLISH)


def at_the_end(playback: Playback) -> tuple[int, float]:
    return len(playback.events), playback.seconds


def test_the_table_of_offers_follows_a_session_in_progress(playback: Playback) -> None:
    whole = SessionPlots(playback, participants_of(playback.header, ENGLISH))
    live = LivePlayback(playback.header)
    growing = SessionPlots(live, participants_of(playback.header, ENGLISH))

    counts = []
    for event in playback.events:
        live.append(event)
        counts.append(len(growing.offers))

    assert counts == sorted(counts)
    assert counts[0] == 0
    assert list(growing.offers) == list(whole.offers)
    assert [offer.deal for offer in growing.offers][-1]


def test_a_presenter_that_grows_shows_what_the_recording_shows(playback: Playback) -> None:
    whole = reading(playback, EXPERIMENTER)
    live = LivePlayback(playback.header)
    growing = reading(live, EXPERIMENTER)

    for position, event in enumerate(playback.events, start=1):
        live.append(event)
        growing.extend()
        assert growing.frame_at(position, event.t) == whole.frame_at(position, event.t)
        assert growing.lines == whole.lines[: whole.line_count(position)]


def position_of(playback: Playback, kind: EventType) -> int:
    return next(i for i, event in enumerate(playback.events, start=1) if event.type == kind)


# Names


def test_the_experimenter_reads_codes_and_kinds_and_the_table_reads_names(playback: Playback) -> None:
    cast = participants_of(playback.header, ENGLISH)

    assert dict(cast.names) == {"human": "P01", "agent": "Robin"}
    assert cast.counterpart_names("agent") == {"human": "Participant"}
    assert (cast.mine, cast.others) == ("human", ("agent",))
    facts = session_facts(playback.header, cast, ENGLISH)
    assert facts.startswith("P01 and Robin (scripted)  ·  31 January 2025")
    assert facts.endswith(f"session {playback.header.session_id}")


def test_two_of_one_name_are_told_apart_by_their_seats(playback: Playback) -> None:
    robin = playback.header.seats["agent"]
    seats = SeatMap((seat, robin) for seat in playback.header.seats)

    cast = participants_of(replace(playback.header, seats=seats), ENGLISH)

    assert dict(cast.names) == {"human": "Robin (human)", "agent": "Robin (agent)"}


# Views of the observers


@pytest.mark.parametrize("observer", [HUMAN, AGENT])
def test_a_seat_reads_at_every_moment_what_its_window_showed(playback: Playback, observer: Observer) -> None:
    assert observer.seat is not None
    shown = reading(playback, observer)
    desk = BargainingDesk(
        observer.seat, participants_of(playback.header, ENGLISH).counterpart_names(observer.seat), ENGLISH
    )

    for position in range(len(playback.events) + 1):
        state = playback.view_at(position, observer).state
        live = transcript_entries(state, state.transcript_of(observer.seat), desk.seat, desk.names, ENGLISH)
        lines = shown.lines[: shown.line_count(position)]
        # The live window adds the line about an interruption itself.
        assert [entry_text(line) for line in lines if "interruption" not in line.text] == [
            entry_text(line) for line in live
        ]


def test_a_resumed_session_says_so_where_it_goes_on(playback: Playback) -> None:
    shown = reading(playback, HUMAN)
    resumed = position_of(playback, EventType.RESUMED)

    assert "after an interruption" in shown.lines[shown.line_count(resumed) - 1].text
    assert shown.line_count(resumed) == shown.line_count(resumed - 1) + 1


def test_each_seat_sees_its_own_points_and_nobody_elses(playback: Playback) -> None:
    as_human = reading(playback, HUMAN).frame_at(*at_the_end(playback))
    as_agent = reading(playback, AGENT).frame_at(*at_the_end(playback))

    assert as_human.header.points == "11"
    assert as_agent.header.points == "9"
    assert as_human.offer == "You have a deal. You get 11 points."
    assert as_human.others[0].name == "Robin"
    assert as_agent.others[0].name == "Participant"
    assert as_human.table is not None
    assert as_human.table.others[0].priorities is None


def test_who_sits_nowhere_sees_all_points_and_what_matters_to_all(playback: Playback) -> None:
    scene = reading(playback, EXPERIMENTER).frame_at(*at_the_end(playback))

    assert scene.header.points == "11 · 9"
    assert scene.header.points_words == "points: P01 and Robin"
    assert [side.title for side in scene.sides] == ["What matters to P01", "What matters to Robin"]
    assert scene.offer == "The deal: Apples: P01 4, Robin 2; Day: Sunday"
    assert scene.table is None


def test_everything_means_refusals_failures_and_notes_too(playback: Playback) -> None:
    words = [line.text for line in reading(playback, EXPERIMENTER).lines]

    assert "Robin’s agent failed: It raised ValueError." in words
    assert "Note: agent restarted (seat agent, times 1)" in words
    assert any(word.startswith("Refused for Robin: That offer is no longer") for word in words)
    assert any(word.startswith("Refused for P01: ") for word in words)
    assert not any("failed" in line.text for line in reading(playback, HUMAN).lines)


def test_everything_shows_an_offer_with_both_names_and_both_worths(playback: Playback) -> None:
    lines = reading(playback, EXPERIMENTER).lines
    offer = next(line for line in reversed(lines) if line.kind == "offer_mine")

    assert offer.columns == ("P01", "Robin")
    assert offer.footer == "P01: 11 points  ·  Robin: 9 points"


def test_the_tracker_of_everything_names_those_who_have_to_speak(playback: Playback) -> None:
    first_offer = position_of(playback, EventType.SEND_OFFER)

    rows = reading(playback, EXPERIMENTER).frame_at(first_offer, playback.time_at(first_offer)).progress.rows
    done = reading(playback, EXPERIMENTER).frame_at(*at_the_end(playback)).progress.rows

    assert [row.words for row in rows] == ["not discussed yet", "waiting for P01"]
    assert {row.progress for row in done} == {Progress.AGREED}
    assert done[0].words == "P01 4, Robin 2"


def test_a_shared_draft_is_shown_until_its_offer_is_sent(tmp_path: Path, game: GameSpec) -> None:
    draft = Offer({"bananas": Allocation({"human": 1, "agent": 3})})

    def play(table: TrialTable) -> None:
        table.human.drafts(draft)
        table.wait(5)
        table.human.offers(draft)
        table.human.quits()
        table.play_out()

    sharing = replace(game, rules=replace(game.rules, share_drafts=True))
    drafted = Playback.open(recorded(tmp_path, sharing, play))
    drafting = position_of(drafted, EventType.OFFER_IN_PROGRESS)
    sent = position_of(drafted, EventType.SEND_OFFER)

    def offer(observer: Observer, position: int) -> str:
        return reading(drafted, observer).frame_at(position, drafted.time_at(position)).offer

    assert offer(HUMAN, drafting - 1) == "Nothing is on the table yet."
    assert offer(HUMAN, drafting).startswith("Your draft: Bananas: you 1, ")
    assert offer(EXPERIMENTER, drafting).startswith("P-SECRET-07 is building: Bananas: P-SECRET-07 1, ")
    assert "SECRET" not in offer(AGENT, drafting)
    assert offer(HUMAN, sent).startswith("On the table: Bananas: you 1, ")


def test_an_exported_log_is_read_as_the_one_it_was_made_for(tmp_path: Path) -> None:
    for view in ("agent", "public"):
        path = tmp_path / f"{view}.jsonl"
        path.write_bytes(encode_log(filter_log(read_log(DEAL_2), view)))
        exported = Playback.open(path)
        (observer,) = exported.observers

        scene = reading(exported, observer).frame_at(*at_the_end(exported))

        assert scene.header.points == ("9" if view == "agent" else "")
        assert integrity_text(exported, ENGLISH) == "Exported log"
        assert "P01" not in "".join(line.text for line in reading(exported, observer).lines)


def test_before_the_first_event_there_is_nothing(playback: Playback) -> None:
    for observer in playback.observers:
        shown = reading(playback, observer)

        assert shown.line_count(0) == 0
        assert shown.frame_at(0, 0.0).offer == "Nothing is on the table yet."


# Event details


def test_an_event_tells_who_decided_it_and_what_it_answers(playback: Playback) -> None:
    study = SessionPlots(playback, participants_of(playback.header, ENGLISH))
    moment = next(m for m in playback.observed_events(EXPERIMENTER) if m.event.cause is not None)

    facts, _ = event_details(moment, study.game, study.participants, ENGLISH)

    assert ("Answers", f"event {moment.event.cause}") in facts
    assert ("Decided by", "agent") in facts
    assert ("Number", str(moment.event.seq)) in facts


def test_every_event_of_a_log_has_details_and_words(playback: Playback) -> None:
    study = SessionPlots(playback, participants_of(playback.header, ENGLISH))

    for moment in playback.observed_events(EXPERIMENTER):
        facts, told = event_details(moment, study.game, study.participants, ENGLISH)
        assert all(name and value for name, value in facts)
        assert all(name for name, _ in told)


# Timeline


def plan(playback: Playback, *, rtl: bool = False) -> TimelineLayout:
    tracks = timeline_rows(playback.markers(EXPERIMENTER), ENGLISH)
    return TimelineLayout(tracks, playback.seconds, width=1000, indent=100, rtl=rtl)


def test_every_mark_has_a_row_and_no_row_is_empty(playback: Playback) -> None:
    tracks = timeline_rows(playback.markers(EXPERIMENTER), ENGLISH)

    shown = sorted(moment.position for track in tracks for moment in track.moments)
    assert shown == [moment.position for moment in playback.markers(EXPERIMENTER)]
    assert [track.name for track in tracks] == ["Messages", "Offers", "Expressions", "Decisions", "Platform"]
    assert all(track.moments for track in tracks)
    assert set(TimelineMarkKind) == {
        mark for marks in map(_marks, timeline_rows(every_mark(), ENGLISH)) for mark in marks
    }


def every_mark() -> list[ObservedEvent]:
    event = Playback.open(DEAL_2).events[0]
    return [ObservedEvent(i, event, "", mark) for i, mark in enumerate(TimelineMarkKind, start=1)]


def _marks(track: TimelineRow) -> set[TimelineMarkKind | None]:
    return {moment.mark for moment in track.moments}


@pytest.mark.parametrize("rtl", [False, True])
def test_what_is_drawn_somewhere_is_found_there(playback: Playback, rtl: bool) -> None:
    timeline = plan(playback, rtl=rtl)

    for track in timeline.rows:
        for moment in track.moments:
            found = timeline.moment_at(*timeline.mark_position(moment))
            assert found is not None
            assert (found.event.t, found in track.moments) == (moment.event.t, True)
    assert timeline.moment_at(*[timeline.x(playback.seconds * 0.4), timeline.y(0)]) is None


def test_time_runs_from_where_reading_starts(playback: Playback) -> None:
    ltr, rtl = plan(playback), plan(playback, rtl=True)

    assert ltr.x(0.0) == 100
    assert rtl.x(0.0) == 900
    assert rtl.x(playback.seconds) < rtl.x(1.0)
    for timeline in (ltr, rtl):
        assert timeline.time_at(timeline.x(12.5)) == pytest.approx(12.5)
        assert timeline.time_at(-50 if timeline is ltr else 2000) == 0.0


def test_marks_have_forms_by_side_and_are_drawn_once_where_they_would_cover_each_other(
    playback: Playback,
) -> None:
    study = SessionPlots(playback, participants_of(playback.header, ENGLISH))
    sides = {side.seat: side for side in study.seat_styles(LIGHT)}
    marked = playback.markers(EXPERIMENTER)
    many = [replace(moment, position=1) for _ in range(200) for moment in marked]
    many.sort(key=lambda moment: moment.event.t)
    crowded = TimelineLayout(
        timeline_rows(many, ENGLISH), playback.seconds, width=1000, indent=100, rtl=False
    )

    usual, full = (
        [item for item in one.drawing(sides, LIGHT).items if isinstance(item, Marker)]
        for one in (plan(playback), crowded)
    )

    assert {dot.shape for dot in usual} == {"circle", "square", "triangle"}
    assert len(full) == len(usual)


# Figures and pictures


def test_the_offer_at_a_moment_is_the_last_one_sent(playback: Playback) -> None:
    study = SessionPlots(playback, participants_of(playback.header, ENGLISH))
    first, second = study.offers[0], study.offers[1]

    assert study.offer_at(first.position - 1) is None
    assert study.offer_at(first.position) is first
    assert study.offer_at(second.position - 1) is first
    assert study.offer_at(len(playback.events)) is study.offers[-1]


def texts(drawing: Drawing) -> str:
    return " ".join(item.text for item in drawing.items if isinstance(item, TextLabel))


def test_a_picture_of_the_transcript_holds_all_of_it(playback: Playback) -> None:
    study = SessionPlots(playback, participants_of(playback.header, ENGLISH))

    drawing = study.export_drawing(FigureKind.TRANSCRIPT, PlotStyle(LIGHT, ENGLISH, 700, 400))

    assert "Hello, I’m Robin. Shall we begin with the day?" in texts(drawing)
    assert "Robin’s agent failed: It raised ValueError." in texts(drawing)
    rows = [item.y for item in drawing.items if isinstance(item, TextLabel) and item.x > 170]
    assert rows == sorted(set(rows))
    assert all(
        0 < item.y < drawing.height for item in drawing.items if isinstance(item, TextLabel | FilledRectangle)
    )


def test_pictures_are_written_in_the_format_of_their_name(playback: Playback, tmp_path: Path) -> None:
    study = SessionPlots(playback, participants_of(playback.header, ENGLISH))
    paper = PlotStyle(DARK, ENGLISH, 500, 320)

    for which in (FigureKind.UTILITIES, FigureKind.OUTCOMES, FigureKind.TRANSCRIPT):
        drawing = study.export_drawing(which, paper)
        save_picture(drawing, tmp_path / f"{which}.png", ENGLISH)
        save_picture(drawing, tmp_path / f"{which}.svg", ENGLISH)
        with Image.open(tmp_path / f"{which}.png") as image:
            assert image.size == (round(drawing.width * 2), round(drawing.height * 2))
        assert (tmp_path / f"{which}.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_a_picture_that_cannot_be_is_refused_in_a_sentence(playback: Playback, tmp_path: Path) -> None:
    study = SessionPlots(playback, participants_of(playback.header, ENGLISH))
    paper = PlotStyle(LIGHT, ENGLISH)
    drawing = study.utilities(paper)
    endless = transcript_picture([TranscriptEntry("mine", "P01", "Again.")] * 1000, paper)

    with pytest.raises(NegoError, match=r"must end in \.png or \.svg; plot\.gif doesn’t"):
        save_picture(drawing, tmp_path / "plot.gif", ENGLISH)
    with pytest.raises(NegoError, match="too long for a PNG"):
        save_picture(endless, tmp_path / "long.png", ENGLISH)
    (tmp_path / "old.svg").write_text("mine")
    with pytest.raises(NegoError, match="there already"):
        save_picture(drawing, tmp_path / "old.svg", ENGLISH)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.svg"]


def test_a_damaged_log_gives_a_picture_and_a_warning(tmp_path: Path) -> None:
    damaged = tmp_path / "events.jsonl"
    lines = DEAL_2.read_bytes().splitlines(keepends=True)
    damaged.write_bytes(b"".join([*lines[:20], b"{broken}\n", *lines[21:]]))

    said = export_picture(damaged, tmp_path, "utilities", tmp_path / "plot.svg", appearance_overrides={})

    opened = Playback.open(damaged)
    assert integrity_text(opened, ENGLISH) == "Damaged log"
    assert said[0] == damage_text(opened, ENGLISH)
    assert said[0].startswith("This log is damaged at line 21: ")
    assert said[0].endswith("Its first 19 events are shown.")
    assert (tmp_path / "plot.svg").exists()


def test_a_sound_log_is_called_so(playback: Playback) -> None:
    assert integrity_text(playback, ENGLISH) == "Log intact"
    assert damage_text(playback, ENGLISH) == ""


# Texts


def test_every_sentence_goes_through_the_language(playback: Playback) -> None:
    translate = Whispering()
    for observer in playback.observers:
        shown = ReplayPresenter(playback, observer, participants_of(playback.header, ENGLISH), translate)
        scene = shown.frame_at(*at_the_end(playback))

        assert scene.own.startswith("~")
        assert scene.offer.startswith("~")
        notes = [line.text for line in shown.lines if line.kind in ("note", "refusal")]
        assert notes
        assert all(text.startswith("~") for text in notes)
