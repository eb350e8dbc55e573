"""Data that outlives a session: saved, found again, and never a reason to lose a session."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.session.session_data_autosave import SessionDataAutosave
from negoplatform.app.session.session_data_store import SessionDataStore
from negoplatform.app.session.session_template import read_record_template, record_template
from negoplatform.app.support import key_value_store
from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.core.record.notes_and_tasks import SECTIONS, get_state
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable
from tests.games import coins_only


class Kept:
    """Store in a folder, and the errors that it reported."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.said: list[str] = []
        self.store = SessionDataStore(data_dir, report=self.said.append)

    @property
    def file(self) -> Path:
        return self.data_dir / FILE_NAME

    def words(self, session_id: str, words: str) -> None:
        """Save words that were not sent."""
        self.store.save(session_id, with_words(self.store.load(session_id), words))

    def again(self) -> Kept:
        """Return the store as the next start of the program opens it."""
        self.store.close()
        return Kept(self.data_dir)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    """Store that is still empty."""
    made = Kept(tmp_path / "data")
    yield made
    made.store.close()


def with_words(state: dict[str, Any], words: str) -> dict[str, Any]:
    return {**state, "draft": {**state["draft"], "words": words}}


def words_of(kept: Kept, session_id: str) -> str:
    words: str = kept.store.load(session_id)["draft"]["words"]
    return words


def test_a_session_of_which_nothing_is_kept_begins_with_the_template(kept: Kept) -> None:
    state = kept.store.load("s1")

    assert state == {
        "participant": {},
        "sittings": [],
        "draft": {"offer": None, "fields": {}, "words": ""},
        "record": get_state(record_template()),
        "memory": {},
    }
    assert not kept.file.exists(), "looking makes no file"


def test_what_is_kept_is_there_at_the_next_start(kept: Kept) -> None:
    state = kept.store.load("s1") | {
        "participant": {"code": "P01", "consent": True},
        "sittings": [{"game": "practice", "ended_by": "agreement"}],
        "draft": {"offer": {"terms": {"apples": 3}}, "fields": {"price": "12,"}, "words": "wait שלום 🙂"},
        "memory": {"agent": {"weights": [0.5, 0.25]}},
    }
    kept.store.save("s1", state)

    assert kept.again().store.load("s1") == state


def test_a_state_is_kept_under_the_key_of_its_session(kept: Kept) -> None:
    kept.words("abc", "hello")

    with sqlite3.connect(kept.file) as connection:
        rows = connection.execute("SELECT key FROM entries").fetchall()
        version = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    assert rows == [("state_abc",)]
    assert version == (1,)


def test_two_sessions_do_not_touch(kept: Kept) -> None:
    other = SessionDataStore(kept.data_dir, report=kept.said.append)
    kept.words("one", "mine")
    other.save("two", with_words(other.load("two"), "yours"))

    kept.words("one", "mine, changed")

    assert other.load("two")["draft"]["words"] == "yours"
    assert words_of(kept, "one") == "mine, changed"
    assert kept.store.load("three")["draft"]["words"] == ""
    other.close()


def test_what_was_loaded_or_saved_is_a_copy(kept: Kept) -> None:
    state = kept.store.load("s1")
    state["memory"]["agent"] = {"seen": [1]}
    kept.store.save("s1", state)

    state["memory"]["agent"]["seen"].append(2)
    kept.store.load("s1")["memory"]["agent"]["seen"].append(3)

    assert kept.store.load("s1")["memory"] == {"agent": {"seen": [1]}}


def test_the_template_is_never_written_to(kept: Kept) -> None:
    before = (bundled("assets") / "session_template.json").read_bytes()
    kept.words("s1", "something")
    kept.store.load("s2")["memory"]["agent"] = {}

    assert (bundled("assets") / "session_template.json").read_bytes() == before
    assert kept.store.load("s2")["memory"] == {}


def test_the_templates_record_names_every_section_and_is_shared_by_no_two_sessions() -> None:
    first, second = (TrialTable(coins_only()).session for _ in range(2))

    first.get_state()["participant"]["demographics"]["human"] = {"age": 30}

    state = second.get_state()
    assert state["participant"] == {"preferences": {}, "demographics": {}, "consent": {}, "public": {}}
    assert state == {**get_state(record_template()), "deal": state["deal"]}
    assert set(state) == set(SECTIONS)


@pytest.mark.parametrize(
    ("record", "place"), [('{"deal": 3}', "record: deal does not fit"), ("[]", "record: an object")]
)
def test_a_template_whose_record_has_another_shape_is_refused_with_its_place(
    tmp_path: Path, record: str, place: str
) -> None:
    (tmp_path / "odd.json").write_text(f'{{"record": {record}}}')

    with pytest.raises(InputFileError, match=place):
        read_record_template(tmp_path / "odd.json")


def test_a_template_that_is_no_state_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"participant": {}, "sittings": {}, "draft": null, "memory": {}}')
    store = SessionDataStore(tmp_path, report=print, template=tmp_path / "odd.json")

    with pytest.raises(InputFileError, match=r"odd\.json at sittings: a list in brackets"):
        store.load("s1")


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("memory", {"agent": {1, 2}}, "not JSON serializable"),
        ("memory", {"agent": float("nan")}, "not JSON compliant"),
        ("memory", {"agent": "x" * 1_000_000}, "bytes of JSON"),
        ("draft", {"sent": ["hello"]}, "draft.words: this key is missing"),
        ("tasks", [], "tasks: this key is not known here"),
    ],
)
def test_what_is_no_state_is_refused_and_what_was_kept_stays(
    kept: Kept, part: str, value: object, reason: str
) -> None:
    kept.words("s1", "before")

    with pytest.raises(NegoError, match=reason):
        kept.store.save("s1", {**kept.store.load("s1"), part: value})

    assert words_of(kept, "s1") == "before"


def test_half_a_character_in_a_draft_costs_nothing_but_itself(kept: Kept) -> None:
    kept.words("s1", "a\ud800b")

    assert words_of(kept, "s1") == "a?b"


def test_a_draft_survives_a_kill(kept: Kept) -> None:
    program = (
        "import os, sys; from pathlib import Path\n"
        "from negoplatform.app.session.session_data_store import SessionDataStore\n"
        "store = SessionDataStore(Path(sys.argv[1]), report=print); state = store.load('s1')\n"
        "for n in range(100):\n"
        "    store.save('s1', {**state, 'draft': {'offer': None, 'fields': {}, 'words': f'word {n}'}})\n"
        "os.kill(os.getpid(), 9)\n"  # on Windows too, where the system has no signal of this number
    )

    done = subprocess.run([sys.executable, "-c", program, str(kept.data_dir)], timeout=60, check=False)

    assert abs(done.returncode) == 9
    assert words_of(kept, "s1") == "word 99"
    assert kept.said == []


def test_several_programs_may_have_it_open_from_the_start(kept: Kept) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from negoplatform.app.session.session_data_store import SessionDataStore\n"
        "store = SessionDataStore(Path(sys.argv[1]), report=print); me = sys.argv[2]\n"
        "for n in range(200):\n"
        "    state = store.load(me); state['memory'][str(n)] = n; store.save(me, state)\n"
    )
    command = [sys.executable, "-c", program, str(kept.data_dir)]

    running = [
        subprocess.Popen([*command, f"s{n}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for n in range(4)
    ]

    assert [process.communicate(timeout=60)[0] for process in running] == [b""] * 4
    assert [len(kept.store.load(f"s{n}")["memory"]) for n in range(4)] == [200] * 4


def test_several_threads_may_use_one_store(kept: Kept) -> None:
    def work(session_id: str) -> None:
        for n in range(100):
            kept.words(session_id, f"{session_id} {n}")

    threads = [threading.Thread(target=work, args=(f"s{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [words_of(kept, f"s{n}") for n in range(4)] == [f"s{n} 99" for n in range(4)]
    assert kept.said == []


def test_a_file_that_is_no_database_is_set_aside_and_never_deleted(kept: Kept) -> None:
    kept.data_dir.mkdir()
    kept.file.write_bytes(b"my thesis, by mistake" * 100)

    kept.words("s1", "hello")

    assert words_of(kept.again(), "s1") == "hello"
    aside = kept.data_dir / f"{FILE_NAME}.damaged-1"
    assert aside.read_bytes() == b"my thesis, by mistake" * 100
    assert len(kept.said) == 1
    assert aside.name in kept.said[0]


def test_a_database_that_is_damaged_inside_is_set_aside_too(kept: Kept) -> None:
    for n in range(200):
        kept.words(f"s{n}", "word " * 50)
    kept.store.close()
    whole = kept.file.read_bytes()
    kept.file.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))

    again = kept.again()
    assert words_of(again, "s7") == ""
    again.words("s7", "new")

    assert words_of(again.again(), "s7") == "new"
    assert len(again.said) == 1
    assert (kept.data_dir / f"{FILE_NAME}.damaged-1").stat().st_size == len(whole)


def test_the_companions_of_a_damaged_file_go_with_it(kept: Kept) -> None:
    kept.data_dir.mkdir()
    kept.file.write_bytes(b"no database" * 100)
    wal = kept.file.with_name(f"{FILE_NAME}-wal")
    wal.write_bytes(b"its latest changes")

    kept.words("s1", "hello")

    aside = kept.data_dir / f"{FILE_NAME}.damaged-1-wal"
    assert aside.read_bytes() == b"its latest changes"
    assert words_of(kept.again(), "s1") == "hello"


def test_what_was_set_aside_before_is_not_written_over(kept: Kept) -> None:
    kept.data_dir.mkdir()
    for text in (b"first " * 100, b"second " * 100):
        kept.file.write_bytes(text)
        kept.words("s1", "hello")
        kept.store.close()

    asides = sorted(kept.data_dir.glob("*.damaged-?"))
    assert [path.read_bytes()[:6] for path in asides] == [b"first ", b"second"]


def test_a_locked_database_is_one_sentence_and_the_session_goes_on(kept: Kept) -> None:
    kept.words("s1", "before")
    other = sqlite3.connect(kept.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    for n in range(20):
        kept.words("s1", f"while it is locked {n}")

    assert words_of(kept, "s1") == "while it is locked 19", "kept in memory"
    assert len(kept.said) == 1
    assert "locked" in kept.said[0]
    other.execute("ROLLBACK")
    other.close()
    kept.words("s2", "after")
    assert words_of(kept.again(), "s1") == "while it is locked 19", "caught up with"


def test_only_the_first_call_waits_for_a_database_that_is_locked(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience: list[float] = []

    def locked(path: Path, seconds: float) -> sqlite3.Connection:
        patience.append(seconds)
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(key_value_store, "_open", locked)

    for n in range(3):
        kept.words("s1", f"words {n}")

    assert patience == [key_value_store.BUSY_SECONDS, 0.0, 0.0]


@pytest.mark.parametrize("agents", [None, [], "agent.py", {"agent": 1}])
def test_a_sitting_that_names_no_file_as_it_should_names_none(kept: Kept, agents: object) -> None:
    state = kept.store.load("s1")
    kept.store.save("s1", {**state, "sittings": [{"agents": agents}]})
    kept.store.close()

    keeper = SessionDataAutosave(kept.data_dir, "s1", kept.said.append)

    assert keeper.agent_file("agent") is None


def test_a_folder_that_cannot_be_written_is_one_sentence_and_the_session_goes_on() -> None:
    kept = Kept(Path("/proc/nowhere") if os.name == "posix" else Path("?:/nowhere"))

    kept.words("s1", "hello")
    kept.words("s1", "hello again")

    assert words_of(kept, "s1") == "hello again"
    assert len(kept.said) == 1
    assert kept.said[0].startswith(f"{kept.file} cannot be used (")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind root")
def test_a_read_only_database_is_one_sentence_and_still_read(kept: Kept) -> None:
    kept.words("s1", "before")
    kept.store.close()
    kept.file.chmod(0o444)

    again = kept.again()
    again.words("s1", "after")

    assert words_of(again, "s1") == "after"
    assert len(again.said) == 1


def test_a_database_of_a_newer_version_is_left_alone(kept: Kept) -> None:
    kept.words("s1", "before")
    kept.store.close()
    with sqlite3.connect(kept.file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()

    again = kept.again()
    again.words("s1", "after")

    assert "newer NegoPlatform" in again.said[0]
    assert [path.name for path in kept.data_dir.glob("*damaged*")] == []
    with sqlite3.connect(kept.file) as connection:
        (text,) = connection.execute("SELECT value FROM entries").fetchone()
    connection.close()
    assert "before" in text


@pytest.mark.parametrize("value", ["", "{", '{"draft": 1}', "[" * 5000, '{"memory": NaN}'])
def test_a_value_that_is_no_state_is_one_sentence_and_the_template(kept: Kept, value: str) -> None:
    with KeyValueStore(kept.file, kept.said.append) as opened:
        opened.write("state_s1", value)

    state = kept.store.load("s1")

    assert state["draft"]["words"] == ""
    assert len(kept.said) == 1
    assert kept.said[0].startswith("What is kept of session s1")
    kept.words("s1", "new")
    assert words_of(kept, "s1") == "new"


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
@pytest.mark.parametrize("was_open", [False, True])
def test_what_is_kept_is_for_the_user_alone(tmp_path: Path, was_open: bool) -> None:
    path = tmp_path / FILE_NAME
    with KeyValueStore(path, print) as kept:
        kept.write("a", "b")
    if was_open:
        path.chmod(0o644)

    with KeyValueStore(path, print) as kept:
        kept.write("a", "c")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}

    assert set(modes) >= {FILE_NAME, f"{FILE_NAME}-wal"}
    assert set(modes.values()) == {0o600}


def test_the_recipients_of_unsent_words_are_kept(kept: Kept) -> None:
    state = kept.store.load("s")
    sent = {"sent": ["Hello."], "answered": 0, "to": ["inn"], "sent_to": [["farm"]]}

    kept.store.save("s", {**state, "draft": {**state["draft"], **sent}})

    found = kept.again().store.load("s")["draft"]
    assert {key: found[key] for key in sent} == sent


def test_a_draft_is_found_again_by_the_session_that_goes_on(tmp_path: Path) -> None:
    empty: dict[str, Any] = {"offer": None, "fields": {}, "words": ""}
    SessionDataAutosave(tmp_path, "one", pytest.fail).save_draft({**empty, "words": "I would"})

    drafts = [SessionDataAutosave(tmp_path, session, pytest.fail).draft for session in ("one", "two")]

    assert drafts == [{**empty, "words": "I would"}, empty]
