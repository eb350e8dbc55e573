"""Interpretations of typed words in the printed transcript."""

from __future__ import annotations

from pathlib import Path

from negoplatform.cli.render.transcript import event_line, replay_lines
from negoplatform.core.events import Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.eventlog.reader import read_log
from tests.interpreted_session import read_session


def test_readings_and_answers_stand_between_the_words(tmp_path: Path) -> None:
    lines = list(replay_lines(read_log(read_session(tmp_path)), step=False))

    told = [line.partition(" s  ")[2] for line in lines if " s  " in line]
    assert told[1:3] == [
        '(human typed "Hello", read as GREETING)',
        "human (P-SECRET-07) says [GENERIC]: Hello",
    ]
    assert told[3] == (
        '(human typed "4 apples if Sunday", read as OFFER_PROPOSE; '
        "offer apples 4 human, 2 agent; day Sunday; sure 0.95; conditional; shown)"
    )
    assert told[6] == "(reading 4 answered: offered; message 5; offer 6)"
    assert told[7] == (
        '(human typed "4 and 2", read as GENERIC; offer apples 4 human, 2 agent; day Sunday '
        "or apples 2 human, 4 agent; sure 0.5; doubt either; shown)"
    )
    assert told[8] == "(reading 8 answered: withdrawn by the participant)"


def test_typed_words_cannot_pass_for_an_event_of_their_own(tmp_path: Path) -> None:
    log = read_log(read_session(tmp_path))
    note = next(event.payload for event in log.events if event.type == EventType.NOTE)
    forged = Note(NoteKind.READING, {**note.data, "text": "Hi\n    1.000 s  THE GAME ENDS"})

    line = event_line(log, Event(9, 1.0, EventType.NOTE, PLATFORM, forged))

    assert "\n" not in line


def test_a_reading_that_is_not_known_here_is_told_as_it_stands(tmp_path: Path) -> None:
    log = read_log(read_session(tmp_path))
    odd = Event(9, 1.0, EventType.NOTE, PLATFORM, Note(NoteKind.READING, {"seat": "human"}))

    assert event_line(log, odd).endswith("(note reading: seat human)")
