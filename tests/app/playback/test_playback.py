"""Playback of a recorded session, forwards and backwards, and from each observer's view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from negoplatform.app.playback.playback import (
    CHECKPOINT_INTERVAL,
    LivePlayback,
    Playback,
    TimelineMarkKind,
)
from negoplatform.app.playback.playback_clock import PlaybackClock
from negoplatform.core.events import Event, EventType, Expression
from negoplatform.core.fold import fold, initial_state
from negoplatform.core.mechanisms.base import Mechanism
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import State
from negoplatform.core.visibility import EXPERIMENTER, Observer, view_of, visible_game
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from negoplatform.testing import TrialTable
from tests.eventlog.logs import lines_of, recorded, rewrite
from tests.golden.make import GOLDEN

HUMAN, AGENT = Observer("human"), Observer("agent")


def long_talk(table: TrialTable) -> None:
    for number in range(CHECKPOINT_INTERVAL):
        table.human.says(f"Number {number}.")
        table.wait(1)
        table.agent.offers(grain=(number % 6, 5 - number % 6))
    table.human.quits()
    table.play_out()


def talk(table: TrialTable) -> None:
    """Play events 1 to 9: start, message, offer, typing, offer, expression, accept, accept, end."""
    table.human.says("Hello")
    table.wait(2)
    table.agent.offers(grain=(2, 3))
    table.human.types()
    table.human.offers(bananas=(4, 0), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    table.wait(1)
    table.agent.shows(Expression.HAPPY)
    table.human.accepts()
    table.agent.accepts()
    table.play_out()


@pytest.fixture
def played(tmp_path: Path, game: GameSpec) -> Playback:
    return Playback.open(recorded(tmp_path, game, talk))


def made(tmp_path: Path, game: GameSpec, play: Callable[[TrialTable], object]) -> Path:
    return recorded(tmp_path, game, play)


# States and views


def check_every_state(path: Path) -> None:
    playback = Playback.open(path)
    mechanism = mechanism_of(playback.game.mechanism)
    start = initial_state(playback.game, mechanism, playback.header.session_id)
    prefixes = [fold(playback.events[:count], start, mechanism) for count in range(len(playback.events) + 1)]

    forwards = [playback.state_at(count) for count in range(len(prefixes))]
    backwards = [playback.state_at(count) for count in reversed(range(len(prefixes)))]

    assert forwards == prefixes
    assert backwards[::-1] == prefixes


def test_every_state_of_a_golden_log_follows_from_the_events_before() -> None:
    check_every_state(GOLDEN / "deal-2.jsonl")


def test_every_state_of_a_long_log_follows_from_the_events_before(tmp_path: Path, game: GameSpec) -> None:
    check_every_state(made(tmp_path, game, long_talk))


def test_a_session_in_progress_has_the_states_and_the_marks_of_its_recording(
    tmp_path: Path, game: GameSpec
) -> None:
    recording = Playback.open(made(tmp_path, game, long_talk))
    live = LivePlayback(recording.header)
    assert live.observed_events(EXPERIMENTER) == []

    added = [live.append(event) for event in recording.events]

    assert all(added)
    end = len(recording.events)
    for position in (end, 3, CHECKPOINT_INTERVAL, end - 1, end):
        assert live.state_at(position) == recording.state_at(position)
        assert live.time_at(position) == recording.time_at(position)
    seen, known = live.observed_events(EXPERIMENTER), recording.observed_events(EXPERIMENTER)
    assert [(one.position, one.event, one.mark) for one in seen] == [
        (one.position, one.event, one.mark) for one in known
    ]


def test_an_event_that_a_session_in_progress_has_already_is_not_added_again() -> None:
    recording = Playback.open(GOLDEN / "deal-2.jsonl")
    live = LivePlayback(recording.header)

    added = [live.append(event) for event in [*recording.events[:3], *recording.events[:5]]]

    assert added == [True, True, True, False, False, False, True, True]
    assert list(live.events) == list(recording.events[:5])


def test_a_jump_folds_few_events_and_a_step_one(
    tmp_path: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    playback = Playback.open(made(tmp_path, game, long_talk))
    folded: list[int] = []

    def counting(events: Sequence[Event], state: State, mechanism: Mechanism) -> State:
        folded.append(len(events))
        return fold(events, state, mechanism)

    monkeypatch.setattr("negoplatform.app.playback.playback.fold", counting)
    end = len(playback.events)
    for position in (end, 3, end, 4, 5, 6):
        playback.state_at(position)

    assert end > 2 * CHECKPOINT_INTERVAL
    assert max(folded) < CHECKPOINT_INTERVAL
    assert folded[-2:] == [1, 1]


def test_a_state_beyond_the_log_is_not_made_up(played: Playback) -> None:
    for position in (-1, len(played.events) + 1):
        with pytest.raises(IndexError, match="no position"):
            played.state_at(position)


def test_a_view_is_the_one_filters_own(played: Playback) -> None:
    for position in range(len(played.events) + 1):
        state = played.state_at(position)

        assert played.view_at(position, HUMAN) == view_of(state, HUMAN)
        assert played.view_at(position, EXPERIMENTER) == view_of(state, EXPERIMENTER)


def test_as_the_human_nothing_of_the_agents_side_is_there(tmp_path: Path, practice: GameSpec) -> None:
    playback = Playback.open(GOLDEN / "deal-2.jsonl")

    header = playback.header_for(HUMAN)
    view = playback.view_at(len(playback.events), HUMAN)

    assert "agent" in playback.header_for(EXPERIMENTER).game.preferences
    assert playback.header_for(EXPERIMENTER).seed == 7
    assert list(header.game.preferences) == ["human"]
    assert list(view.state.game.preferences) == ["human"]
    assert list(view.state.private) == ["human"]
    assert (header.seed, header.seats["agent"].agent, header.seats["agent"].file) == (None, None, None)
    assert header.seats["agent"].name == "Robin"


def test_as_the_human_the_experimenters_events_and_reasons_are_not_there() -> None:
    playback = Playback.open(GOLDEN / "deal-2.jsonl")

    seen = playback.observed_events(HUMAN)

    hidden = {EventType.NOTE, EventType.AGENT_FAILED}
    assert hidden <= {moment.event.type for moment in playback.observed_events(EXPERIMENTER)}
    assert not hidden & {moment.event.type for moment in seen}
    assert all(moment.event.decided_by is None and moment.event.cause is None for moment in seen)
    assert [moment.event for moment in seen] == list(filter_log(playback.log, "human").events)


def test_an_exported_log_is_seen_as_its_own_observer_alone(tmp_path: Path) -> None:
    exported = tmp_path / "human.jsonl"
    exported.write_bytes(encode_log(filter_log(read_log(GOLDEN / "deal-2.jsonl"), "human")))

    playback = Playback.open(exported)
    end = len(playback.events)

    assert playback.observers == (HUMAN,)
    assert playback.view_at(end, HUMAN).game == visible_game(playback.game, HUMAN).redacted_for(["human"])
    assert playback.view_at(end, HUMAN).state.ending is not None
    assert [moment.position for moment in playback.observed_events(HUMAN)] == list(range(1, end + 1))
    with pytest.raises(NegoError, match="exported for 'human'"):
        playback.view_at(end, EXPERIMENTER)


# Damage


def test_a_log_is_shown_up_to_its_damage(tmp_path: Path, game: GameSpec) -> None:
    path = made(tmp_path, game, talk)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:5], lines[5].replace(b"grain", b"brain"), *lines[6:]]))

    playback = Playback.open(path)

    assert [event.seq for event in playback.events] == [1, 2, 3, 4]
    assert playback.problem is not None
    assert playback.problem.where == "line 6"
    assert playback.state_at(4).version == 4


def test_a_torn_last_line_is_left_out_and_told(tmp_path: Path, game: GameSpec) -> None:
    path = made(tmp_path, game, talk)
    path.write_bytes(path.read_bytes()[:-20])

    playback = Playback.open(path)

    assert [event.seq for event in playback.events] == list(range(1, 9))
    assert "cut off" in str(playback.problem)


def test_what_the_rules_forbid_is_left_out_and_told(tmp_path: Path, game: GameSpec) -> None:
    path = made(tmp_path, game, talk)
    lines = lines_of(path)
    lines[2]["sender"] = "nobody"
    rewrite(path, lines)

    playback = Playback.open(path)

    assert [event.seq for event in playback.events] == [1]
    assert playback.problem is not None
    assert playback.problem.where == "line 3"


def test_a_sound_log_has_no_problem(played: Playback) -> None:
    assert played.problem is None


def test_what_is_no_log_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Milk, bread\n", encoding="utf-8")

    with pytest.raises(InputFileError, match="line 1"):
        Playback.open(tmp_path / "notes.txt")
    with pytest.raises(InputFileError, match="no such session log"):
        Playback.open(tmp_path / "nothing.jsonl")


# Places and times


def test_what_stands_out_is_marked(played: Playback) -> None:
    assert [(moment.position, moment.mark) for moment in played.markers(HUMAN)] == [
        (1, TimelineMarkKind.START),
        (2, TimelineMarkKind.MESSAGE),
        (3, TimelineMarkKind.OFFER),
        (5, TimelineMarkKind.OFFER),
        (6, TimelineMarkKind.EXPRESSION),
        (7, TimelineMarkKind.ACCEPT),
        (8, TimelineMarkKind.ACCEPT),
        (9, TimelineMarkKind.END),
    ]
    assert [m.position for m in played.markers(HUMAN, [TimelineMarkKind.OFFER])] == [3, 5]


def test_every_kind_of_a_golden_log_is_marked() -> None:
    playback = Playback.open(GOLDEN / "deal-2.jsonl")

    marks = {moment.mark for moment in playback.markers(EXPERIMENTER)}

    of_other_games = {TimelineMarkKind.ANNOUNCEMENT, TimelineMarkKind.ACT, TimelineMarkKind.TRADE}
    of_plugins = {TimelineMarkKind.ASSISTANT, TimelineMarkKind.COMMAND, TimelineMarkKind.ADVICE}
    absent = {TimelineMarkKind.QUIT, *of_other_games, *of_plugins}
    assert marks == set(TimelineMarkKind) - absent
    assert TimelineMarkKind.FAILURE not in {moment.mark for moment in playback.markers(HUMAN)}


def test_one_can_go_from_offer_to_offer(played: Playback) -> None:
    offers = [TimelineMarkKind.OFFER]

    assert [played.next_marked(at, offers, HUMAN) for at in (0, 2, 3, 4, 5)] == [3, 3, 5, 5, None]
    assert [played.previous_marked(at, offers, HUMAN) for at in (9, 5, 4, 3)] == [5, 3, 3, None]
    assert played.next_marked(2, [TimelineMarkKind.END, TimelineMarkKind.ACCEPT], HUMAN) == 7


def test_a_step_goes_to_the_next_event_that_can_be_seen() -> None:
    playback = Playback.open(GOLDEN / "deal-2.jsonl")
    seen = [moment.position for moment in playback.observed_events(HUMAN)]
    end = len(playback.events)

    forwards: list[int] = []
    position = 0
    while position < end and len(forwards) < 100:
        position = playback.step(position, HUMAN)
        forwards.append(position)
    backwards: list[int] = []
    while position > 0 and len(backwards) < 100:
        backwards.append(position)
        position = playback.step(position, HUMAN, -1)

    assert len(seen) < end
    assert forwards[: len(seen)] == seen
    assert backwards[::-1] == seen
    assert playback.step(end, HUMAN) == end


def test_the_last_event_that_can_be_seen_is_found(played: Playback) -> None:
    playback = Playback.open(GOLDEN / "deal-2.jsonl")
    note = playback.next_marked(0, [TimelineMarkKind.NOTE], EXPERIMENTER)
    assert note is not None

    moment = playback.observed_event_at(note, HUMAN)

    assert moment is not None
    assert moment.position < note
    assert playback.observed_event_at(0, HUMAN) is None


def test_a_time_has_a_position_and_a_position_a_time(played: Playback) -> None:
    assert [played.time_at(position) for position in (0, 2, 3, 6)] == [0.0, 0.0, 2.0, 3.0]
    assert [played.position_at(t) for t in (-1, 0, 1.9, 2, 2.5, 99)] == [0, 2, 2, 5, 5, 9]
    assert played.seconds == 3.0


# The clock


class Wall:
    """Real time that a test advances."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def wall() -> Wall:
    return Wall()


def clock_of(wall: Wall, *times: float, end: float = 60.0) -> PlaybackClock:
    return PlaybackClock(times, end, now=wall)


def test_time_stands_still_until_it_is_played(wall: Wall) -> None:
    clock = clock_of(wall)

    wall.seconds += 5

    assert (clock.time, clock.playing) == (0.0, False)


def test_time_moves_at_the_chosen_speed_and_stops_when_told(wall: Wall) -> None:
    clock = clock_of(wall)

    clock.play()
    wall.seconds += 2
    assert clock.time == 2.0
    clock.run_at(4.0)
    wall.seconds += 3
    assert clock.time == 14.0
    clock.pause()
    wall.seconds += 100

    assert (clock.time, clock.playing) == (14.0, False)


def test_time_stops_at_the_end_and_then_starts_over(wall: Wall) -> None:
    clock = clock_of(wall, end=10.0)

    clock.play()
    wall.seconds += 11
    assert (clock.time, clock.playing) == (10.0, False)
    clock.play()
    wall.seconds += 1

    assert (clock.time, clock.playing) == (1.0, True)


def test_one_can_go_anywhere_while_it_plays(wall: Wall) -> None:
    clock = clock_of(wall)

    clock.play()
    clock.seek(40)
    wall.seconds += 1
    assert clock.time == 41.0
    clock.seek(1000)
    assert clock.time == 60.0
    clock.seek(-1)

    assert clock.time == 0.0


def test_a_long_silence_takes_three_seconds_where_that_is_wanted(wall: Wall) -> None:
    clock = clock_of(wall, 2.0, 32.0, 34.0)
    clock.limit_silences(3.0)

    clock.play()
    times = []
    for _ in range(8):
        wall.seconds += 1
        times.append(clock.time)

    assert times == [1.0, 2.0, 12.0, 22.0, 32.0, 33.0, 34.0, pytest.approx(34 + 26 / 3)]


def test_the_place_stays_the_same_when_silences_are_made_short_or_long(wall: Wall) -> None:
    clock = clock_of(wall, 2.0, 32.0)
    clock.play()
    wall.seconds += 12

    clock.limit_silences(3.0)
    assert clock.time == pytest.approx(12.0)
    clock.limit_silences(None)
    wall.seconds += 1

    assert clock.time == pytest.approx(13.0)
    assert clock.longest_silence is None


def test_only_the_offered_speeds_are_run_at(wall: Wall) -> None:
    clock = clock_of(wall)

    with pytest.raises(ValueError, match="3"):
        clock.run_at(3)

    assert clock.speed == 1.0


def test_a_session_without_a_second_has_a_clock_too(wall: Wall) -> None:
    clock = clock_of(wall, end=0.0)

    clock.play()
    wall.seconds += 1

    assert (clock.time, clock.playing) == (0.0, False)
