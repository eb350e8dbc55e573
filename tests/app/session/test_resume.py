"""Resume: only with the very agents that played, trusted now; otherwise nothing is written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue import earlier_agent_files, logged_agents
from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.catalogue.trust import open_trust
from negoplatform.app.session import resume
from negoplatform.app.session.log_proofs import LogProof, append_proof
from negoplatform.app.session.resume import close_interrupted, resume_session
from negoplatform.app.session.session_data_store import SessionDataStore
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.reader import read_whole_part
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.dataclass_codec import dump
from negoplatform.formats.log_header import Occupant
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.agent_loader import hash_of
from negoplatform.plugins.code_file_trust_hash import code_file
from negoplatform.testing import TrialTable
from tests.app.catalogue.test_catalogue import AGENT
from tests.eventlog.logs import AT, header_for

Leave = Callable[..., Path]


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """Agent that played, in the user's own folder, where nothing is trusted."""
    (tmp_path / "data" / "agents").mkdir(parents=True)
    file = tmp_path / "data" / "agents" / "mine.py"
    file.write_text(AGENT)
    return file


@pytest.fixture
def leave(tmp_path: Path, game: GameSpec, agent: Path) -> Leave:
    """Function that writes the log of an interrupted session, cut off in the middle of a line."""

    def left(*seats: str) -> Path:
        one = {
            "human": Occupant("human", "Participant", participant="P01"),
            "agent": Occupant("agent", "Kim", agent="mine", file="mine.py", sha256=hash_of(agent), config={}),
        }
        kinds = zip(game.seats, seats or ("human", "agent"), strict=True)
        header = replace(header_for(game), seats=SeatMap((seat, one[kind]) for seat, kind in kinds))
        log = LogWriter(tmp_path / "data" / "sessions" / "session", header, at=lambda: AT)
        TrialTable(game, log=log).human.says("Hello")
        log.close()
        path = tmp_path / "data" / "sessions" / "session" / LOG_NAME
        with path.open("ab") as file:
            file.write(b'{"seq":99,')
        return path

    return left


def lay_at(data_dir: Path, game: GameSpec, file: Path) -> None:
    """Record the path of the agent's file at the time it played."""
    store = SessionDataStore(data_dir, report=print)
    state = store.load("0123456789ab")
    seat = game.seats[1]
    state["sittings"].append({"game": game.name, "log": "", "agents": {seat: f"{file.resolve()}:Polite"}})
    store.save("0123456789ab", state)
    store.close()


def trust(data_dir: Path, file: Path) -> None:
    with open_trust(data_dir, print) as trusted:
        trusted.add(code_file(file))


def refused(path: Path, data_dir: Path) -> str:
    with pytest.raises(NegoError) as error:
        resume_session(path, data_dir, print)
    return str(error.value)


def test_a_session_goes_on_with_the_trusted_agent_that_played(
    tmp_path: Path, leave: Leave, agent: Path, game: GameSpec
) -> None:
    path = leave()
    trust(tmp_path / "data", agent)
    lay_at(tmp_path / "data", game, agent)

    session = resume_session(path, tmp_path / "data", print)
    session.plan.discard_agents()
    session.log.close()

    (seated,) = session.plan.agents.values()
    assert seated.plugin.sha256 == hash_of(agent)
    assert seated.name == "Kim", "the name in the log, though the agent reports another"
    assert session.resume_point is not None
    assert session.resume_point.torn_bytes == 10


def test_a_resumed_session_that_does_not_go_on_after_all_keeps_its_log_and_its_data(
    tmp_path: Path, leave: Leave, agent: Path, game: GameSpec
) -> None:
    path, data_dir = leave(), tmp_path / "data"
    trust(data_dir, agent)
    lay_at(data_dir, game, agent)

    resume_session(path, data_dir, print).discard()

    again = resume_session(path, data_dir, print)
    again.discard()
    assert again.resume_point is not None
    assert [event.type for event in again.resume_point.events] == ["GAME_START", "SEND_MESSAGE"]


def test_another_sandbox_than_at_the_start_is_noted_when_a_session_goes_on(
    tmp_path: Path, leave: Leave, agent: Path, game: GameSpec
) -> None:
    path = leave()
    trust(tmp_path / "data", agent)

    session = resume_session(path, tmp_path / "data", print)
    session.plan.discard_agents()
    session.log.close()

    seat, now = game.seats[1], available_sandbox()
    assert session.plan.notes == (
        (
            NoteKind.ISOLATION_DIFFERS,
            {
                "seat": seat,
                "before": dump(header_for(game).isolation[seat]),
                "now": {"sandbox": now.name, "landlock": now.landlock, "seccomp": now.seccomp},
            },
        ),
    )


def test_where_the_sandbox_is_the_same_or_unknown_nothing_is_noted(
    tmp_path: Path, leave: Leave, agent: Path, game: GameSpec
) -> None:
    trust(tmp_path / "data", agent)
    session = resume_session(leave(), tmp_path / "data", print)
    agents = session.plan.agents
    session.plan.discard_agents()
    session.log.close()
    log = read_whole_part(session.log.path)

    reached = agents[game.seats[1]].isolation
    assert reached is not None
    same = {game.seats[1]: reached}
    for isolation in (same, {}):
        header = replace(log.header, isolation=isolation)
        assert resume.logged_plan(replace(log, header=header), game, agents).notes == ()


@pytest.mark.parametrize("known", [False, True])
def test_an_agent_that_is_trusted_no_longer_is_not_resumed_and_the_way_to_trust_it_is_told(
    tmp_path: Path, leave: Leave, agent: Path, game: GameSpec, known: bool
) -> None:
    path = leave()
    if known:
        lay_at(tmp_path / "data", game, agent)

    sentence = refused(path, tmp_path / "data")

    assert sentence == (
        f"The agent 'mine' is not trusted yet: negoplatform trust {agent} --data-dir {tmp_path / 'data'}"
    )


def test_an_agent_that_is_swapped_while_it_is_looked_at_is_refused(
    tmp_path: Path, leave: Leave, agent: Path, game: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = leave()
    elsewhere = tmp_path / "elsewhere.py"
    agent.rename(elsewhere)
    lay_at(tmp_path / "data", game, elsewhere)

    def still(file: Path, _sha256: str | None) -> bool:
        file.write_text(f"open({str(tmp_path / 'it ran')!r}, 'w')\n" + AGENT)
        return True

    monkeypatch.setattr(logged_agents, "_is_unchanged", still)

    assert "has changed since it was looked at" in refused(path, tmp_path / "data")
    assert not (tmp_path / "it ran").exists()


def test_an_agent_that_is_named_is_bound_to_its_hash_too(agent: Path, tmp_path: Path) -> None:
    with pytest.raises(NegoError, match="has changed since it was looked at"):
        find_agent(str(agent), tmp_path / "nowhere", sha256="0" * 64)


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        (("human", "human"), "others take part in this session from windows of their own; resume it with"),
        (("agent", "agent"), "this session has agents alone and no participant"),
    ],
)
def test_a_session_of_agents_or_of_several_people_does_not_go_on_in_one_window_and_nothing_is_written(
    tmp_path: Path, leave: Leave, seats: tuple[str, str], sentence: str
) -> None:
    path = leave(*seats)
    before = path.read_bytes()

    assert sentence in refused(path, tmp_path / "data")
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [LOG_NAME]


def test_a_session_does_not_go_on_where_the_disk_is_full(
    tmp_path: Path, leave: Leave, agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = leave()
    trust(tmp_path / "data", agent)
    before = path.read_bytes()

    def full(_folder: Path) -> None:
        raise NegoError("Only 0 MB are free")

    monkeypatch.setattr(resume, "check_free_space", full)

    assert refused(path, tmp_path / "data") == "Only 0 MB are free"
    assert path.read_bytes() == before


def test_a_session_that_is_over_is_neither_resumed_nor_closed_and_nothing_of_it_is_changed(
    tmp_path: Path, leave: Leave
) -> None:
    path = leave()
    close_interrupted(path, tmp_path / "data")
    with path.open("ab") as file:
        file.write(b"{")
    before = path.read_bytes()

    with pytest.raises(NegoError, match="nothing to close"):
        close_interrupted(path, tmp_path / "data")
    assert "nothing to resume" in refused(path, tmp_path / "data")
    assert path.read_bytes() == before


def test_a_session_that_had_ended_by_its_receipt_is_neither_resumed_nor_closed(
    tmp_path: Path, leave: Leave
) -> None:
    path, data_dir = leave(), tmp_path / "data"
    append_proof(data_dir, LogProof(path, "P01", 9, "ab" * 32))
    before = path.read_bytes()

    sentence = refused(path, data_dir)
    with pytest.raises(NegoError) as closing:
        close_interrupted(path, data_dir)

    assert sentence == str(closing.value)
    assert sentence == (
        f"{path}: this session had ended, and {data_dir / 'proofs.txt'} at line 1 notes 9 events for it, "
        "and it has 2, so lines are missing at its end, or it is another log; it cannot go on: put the log "
        "back as it was."
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["boulware", "micro", "tit_for_tat"])
def test_a_session_of_an_earlier_file_of_a_shipped_agent_resumes_and_reruns_without_a_difference(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "sessions" / "session" / LOG_NAME
    path.parent.mkdir(parents=True)
    shutil.copy(Path(__file__).parent / "earlier_sessions" / f"{name}.jsonl", path)
    log = read_whole_part(path)

    again = resimulate(log, tmp_path)
    session = resume_session(path, tmp_path, print)
    session.plan.discard_agents()
    session.log.close()

    (prepared,) = session.plan.agents.values()
    logged = next(who for who in log.header.seats.values() if who.kind == "agent")
    assert prepared.plugin.name == logged.agent == name
    assert prepared.plugin.sha256 != logged.sha256
    assert again.acts >= 5
    assert again.differences == ()


def test_a_file_of_the_users_own_does_not_pass_for_a_shipped_one(
    tmp_path: Path, leave: Leave, agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = leave()
    monkeypatch.setattr(earlier_agent_files, "EARLIER_FILES", {hash_of(agent): agent.name})
    agent.write_text(AGENT + "\n# Changed.\n")
    trust(tmp_path / "data", agent)

    assert "is not here as it was when this was played" in refused(path, tmp_path / "data")


def test_resimulate_says_that_an_agent_may_be_named(tmp_path: Path, leave: Leave, agent: Path) -> None:
    log = read_whole_part(leave())
    agent.unlink()

    with pytest.raises(NegoError, match=r"try again, or name it where it is with --agent PATH\."):
        resimulate(log, tmp_path / "data")
