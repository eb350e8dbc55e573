"""The store, the state and the log of a session say the same, at every moment and after every resume."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack, closing
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_data_autosave import SessionDataAutosave
from negoplatform.app.session.session_data_store import SessionDataStore
from negoplatform.app.session.session_plan import ResumePoint, SessionPlan
from negoplatform.app.session.session_template import record_template
from negoplatform.core.events import Event, Message, MessageSubtype
from negoplatform.core.fold import fold, initial_state
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.notes_and_tasks_derivation import proposed_sections, record_sections
from negoplatform.core.session import Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.formats.events import decode_event, encode_event
from tests.core.session_acts import CHANGES, PROPOSERS
from tests.eventlog.logs import AT
from tests.games import coins_only
from tests.hosting.ledger import Ledger
from tests.proposers import issued

SESSION = "0123456789ab"

Move = Callable[[Session, Seat], object]


def typed(session: Session, seat: Seat) -> object:
    """Send words, and note what was read from them."""
    act = {"subtype": "PREF_INFO", "sure": 0.9, "issue": "coins", "need": "self"}
    session.note(NoteKind.READING, seat=seat, text="I need coins.", acts=[act])
    return session.send_message(seat, Message("I need coins."))


def change(number: int, proposer: int) -> Move:
    """Return a move that proposes a change of the record on the newest version."""
    return lambda session, seat: session.propose_change(
        issued(session, PROPOSERS[proposer](seat)), CHANGES[number](seat), session.state.record.version
    )


MOVES: list[Move] = [
    lambda session, seat: session.send_offer(seat, next(session.state.game.outcomes())),
    lambda session, seat: session.send_message(seat, Message("Why?", MessageSubtype.PREF_REQUEST)),
    lambda session, seat: session.formal_accept(seat, session.state.version),
    typed,
    *[change(number, proposer) for number in range(len(CHANGES)) for proposer in range(len(PROPOSERS))],
]

moves = st.tuples(st.integers(0, len(MOVES) - 1) | st.integers(0, 3), st.sampled_from(["human", "agent"]))


class Program:
    """Program that plays a session with a store, until it is killed.

    Args:
        folder: The user's folder.
        past: The events of the log so far.
    """

    def __init__(self, folder: Path, past: tuple[Event, ...] = ()) -> None:
        self.folder = folder
        self.game: GameSpec = coins_only(deadline_seconds=None)
        self.log = Ledger(events=list(past))
        self._autosave = SessionDataAutosave(folder, SESSION, self._fail)
        plan = SessionPlan(self.game, 1, "human", "P1", SeatMap(), session_id=SESSION)
        if not past:
            self._autosave.record_start(plan, folder / "log")
        live = LiveSession(
            plan,
            log=self.log,
            report=self._fail,
            persistence=self._autosave,
            resume_point=ResumePoint(past) if past else None,
        )
        # On this thread: what the session's own thread does first.
        runner = live._build()
        live._runner = runner
        live._begin(runner)
        self.session = runner.session

    def _fail(self, problem: object) -> None:
        raise AssertionError(problem)

    def close(self) -> None:
        """Close the store's file: on Windows a folder with an open file cannot be removed."""
        self._autosave._store.close()

    def stored(self) -> object:
        """Return the record as another start of the program finds it."""
        store = SessionDataStore(self.folder, report=self._fail)
        record = store.load(SESSION)["record"]
        store.close()
        return record

    def check(self) -> None:
        """Check that log, state and store agree."""
        lines = [encode_event(event, AT) for event in self.log.events]
        events = [decode_event(line, "log", "a line")[0].redacted() for line in lines]
        mechanism = mechanism_of(self.game.mechanism)
        folded = fold(events, initial_state(self.game, mechanism, SESSION), mechanism)
        assert folded == self.session.state
        assert self.stored() == proposed_sections(folded.record, record_template())
        assert self.session.get_state() == record_sections(folded, events, record_template())


def play(program: Program, plan: list[tuple[int, Seat]]) -> None:
    for number, seat in plan:
        try:
            MOVES[number](program.session, seat)
        except Refused:
            continue
        finally:
            program.check()


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(first=st.lists(moves, max_size=10), second=st.lists(moves, max_size=5), torn=st.booleans())
def test_log_state_and_store_agree_also_after_a_kill_and_a_resume(
    first: list[tuple[int, Seat]], second: list[tuple[int, Seat]], *, torn: bool
) -> None:
    with TemporaryDirectory() as name, ExitStack() as programs:
        program = programs.enter_context(closing(Program(Path(name))))
        program.check()
        before = deepcopy(program.stored())
        play(program, first)
        if program.session.state.ending is not None:
            return
        if torn:
            # Killed before the store was written.
            store = SessionDataStore(Path(name), report=print)
            store.save(SESSION, {**store.load(SESSION), "record": before})
            store.close()

        resumed = programs.enter_context(closing(Program(Path(name), tuple(program.log.events))))

        resumed.check()
        play(resumed, second)


def test_a_store_that_lags_behind_its_log_catches_up_when_the_session_is_resumed(tmp_path: Path) -> None:
    program = Program(tmp_path)
    before = program.stored()
    plan = {"participant": {"demographics": {"human": {"age": 30}}}}
    program.session.propose_change(issued(program.session, PROPOSERS[3]("human")), plan, 0)
    store = SessionDataStore(tmp_path, report=print)
    store.save(SESSION, {**store.load(SESSION), "record": before})
    store.close()

    resumed = Program(tmp_path, tuple(program.log.events))

    assert before != resumed.stored()
    assert json.loads(json.dumps(resumed.stored()))["participant"]["demographics"] == {"human": {"age": 30}}
