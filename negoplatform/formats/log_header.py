"""Header of a log, its first line: the game, the occupants of its seats, the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record, parse_template
from negoplatform.core.rounds import EarlierRound, Round
from negoplatform.domain.errors import InputFileError, NegoError, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import WAIT_FOR_LINK, LostLinkRule, WizardSettings
from negoplatform.domain.seat_map import SYSTEM, Seat, SeatMap
from negoplatform.formats.agent_limits import LOG_HEADER_DEFAULTS
from negoplatform.formats.agent_permissions import SandboxName
from negoplatform.formats.dataclass_codec import ModelOf, describe, dump, load
from negoplatform.formats.games import GameModel, build_game, dump_game
from negoplatform.formats.strict_json import LOG_LIMITS, StrictModel, parse_json, validate_json

T = TypeVar("T")

LOG_SCHEMA = "negoplatform.log/2"
"""Format of logs: every line ends with a hash of everything before it."""

_UNHASHED_SCHEMA = "negoplatform.log/1"

SESSION_ID = r"^[\w-]{1,64}\Z"
"""Pattern of a session's id, which may become part of a file name or of a key."""

LARGEST_SEED = 2**63


LEARNER = "learner"
"""Id of a program that learns, in the place of an agent's; it has no file."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Occupant of a seat.

    Args:
        kind: ``human`` or ``agent``.
        name: The name that the other seats read.
        participant: The participant's code, for a person.
        agent: The agent's id in the catalogue, for an agent.
        file: The file that the agent came from.
        sha256: The hash of that file.
        config: The agent's configuration, JSON values.
        version: The agent's version, in its author's numbering; None if unknown.
    """

    kind: Literal["human", "agent"]
    name: str
    participant: str | None = None
    agent: str | None = None
    file: str | None = None
    sha256: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    version: str | None = None

    @property
    def is_learner(self) -> bool:
        """Whether it was a program that learns, in an episode of an environment."""
        return self.kind == "agent" and self.agent == LEARNER and self.sha256 is None


@dataclass(frozen=True, slots=True)
class AgentIsolation:
    """Sandbox of an agent's process, and what it was allowed beyond its seat.

    Args:
        sandbox: ``full``, ``partial`` or ``none``.
        landlock: The version of Landlock in force; 0: none.
        seccomp: Whether system calls were filtered.
        permissions: What it was allowed, by ``network``, ``read`` and ``write``; the network includes the
            services that its settings name.
    """

    sandbox: SandboxName
    landlock: int = 0
    seccomp: bool = False
    permissions: Mapping[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StudySession:
    """Place of a session in a study.

    Args:
        name: The name of the study.
        version: Its version.
        sha256: The hash of everything that belongs to it.
        visit: The id of the visit.
        participant: The participant's code.
        station: The computer.
        stage: The stage.
        step: The step of the visit; in rounds, the stage with the number of the round.
        round: The number of the round, from 1; 0 outside of rounds.
        cell: The level of each factor.
        counts: Whether the session counts: practice does not.
        is_test: Whether it is test data.
        of: The number of rounds; 0 outside of rounds.
        partner: The id of the partner in the study; empty in older logs.
        earlier: The ids of the sessions that the partner's agent has played before, oldest first, and
            remembers in this one.
    """

    name: str
    version: str
    sha256: str
    visit: str
    participant: str
    station: str
    stage: str
    step: str
    round: int
    cell: Mapping[str, str]
    counts: bool
    is_test: bool
    of: int = 0
    partner: str = ""
    earlier: tuple[str, ...] = ()

    def place(self, earlier: tuple[EarlierRound, ...] = ()) -> Round:
        """Return the place of the session among the rounds, for an agent with these earlier ones."""
        return Round(self.round or 1, self.of or 1, earlier)


@dataclass(frozen=True, slots=True)
class ForkOrigin:
    """Origin of a session that is another course of a recorded one.

    Args:
        session_id: The id of the recorded session.
        event: The number of its last event that both have; then another agent went on.
        seat: The seat of that agent.
        stand_in: The agent that goes on in the other seats where their recorded moves end.
    """

    session_id: str
    event: int
    seat: str
    stand_in: str


@dataclass(frozen=True, slots=True)
class Header:
    """Header of a log.

    Args:
        session_id: Unique id of the session.
        created_at: Wall-clock time, ISO 8601 UTC, for people.
        app_version: Version of the program that wrote the log.
        seed: Seed for everything random in the session.
        game: The whole game, or the part visible to the observer of an exported log.
        seats: The occupants by seat.
        view: ``complete``, or the observer that an exported log was filtered for: ``public``, ``system``, a
            seat or a principal.
        study: Its place in a study; None: it belongs to none.
        record: The sections with which its record begins, from an earlier session; usually empty.
        isolation: The sandboxes of agents that ran in processes, by seat, and of assistants, by name; empty
            in older logs.
        forked: The session of which this is another course; None: of none.
        wizards: The settings of the wizards who operate agents' seats, by seat.
        advisers: The agents that advise people, by the seats of these.
        principals: The plug-ins of the game's principals, by name.
        lost_link: The rule for the seats of people whose connections are lost.
        assistants: The plug-ins of the game's assistants, by name.
    """

    session_id: str
    created_at: str
    app_version: str
    seed: int | None
    game: GameSpec
    seats: SeatMap[Occupant]
    view: str = "complete"
    study: StudySession | None = None
    record: Mapping[str, Any] = field(default_factory=dict)
    isolation: Mapping[str, AgentIsolation] = field(default_factory=dict)
    forked: ForkOrigin | None = None
    wizards: Mapping[Seat, WizardSettings] = field(default_factory=dict)
    advisers: Mapping[Seat, Occupant] = field(default_factory=dict)
    principals: Mapping[str, Occupant] = field(default_factory=dict)
    lost_link: LostLinkRule = WAIT_FOR_LINK
    assistants: Mapping[str, Occupant] = field(default_factory=dict)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people in the game's order, but first that of the participant of a study."""
        found = [seat for seat, who in self.seats.items() if who.kind == "human"]
        code = None if self.study is None else self.study.participant
        return tuple(sorted(found, key=lambda seat: self.seats[seat].participant != code))

    @property
    def initial_record(self) -> Record:
        """The record before the first event."""
        return parse_template(self.record) if self.record else EMPTY_RECORD


# Omitted if None, so that logs without a version have not changed since before there was one.
describe(Occupant, omitted=["version"])
describe(AgentIsolation, omitted=["permissions"])
# Likewise in studies, because outside of rounds no session follows another.
describe(StudySession, omitted=["of", "partner", "earlier"])


class HeaderModel(StrictModel):
    """Header in a file."""

    schema_: Literal["negoplatform.log/2"] = Field(alias="schema")
    app_version: str
    session_id: Annotated[str, Field(pattern=SESSION_ID)]
    created_at: Annotated[str, Field(max_length=40)]
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None
    view: str
    seats: dict[str, Annotated[Any, ModelOf(Occupant)]]
    game: GameModel
    study: Annotated[Any, ModelOf(StudySession)] = None
    record: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies default values
    isolation: dict[str, Annotated[Any, ModelOf(AgentIsolation)]] = {}  # noqa: RUF012 - likewise
    forked: Annotated[Any, ModelOf(ForkOrigin)] = None
    wizards: dict[str, Annotated[Any, ModelOf(WizardSettings)]] = {}  # noqa: RUF012 - likewise
    advisers: dict[str, Annotated[Any, ModelOf(Occupant)]] = {}  # noqa: RUF012 - likewise
    principals: dict[str, Annotated[Any, ModelOf(Occupant)]] = {}  # noqa: RUF012 - likewise
    lost_link: Annotated[Any, ModelOf(LostLinkRule)] = None
    assistants: dict[str, Annotated[Any, ModelOf(Occupant)]] = {}  # noqa: RUF012 - likewise


def encode_header(header: Header) -> bytes:
    """Return a header as a line of JSON, including its line break; the log adds the line's hash.

    Text that cannot be encoded as UTF-8, such as a byte of an agent's path, is replaced by ?.
    """
    document = {
        "schema": LOG_SCHEMA,
        "app_version": header.app_version,
        "session_id": header.session_id,
        "created_at": header.created_at,
        "seed": header.seed,
        "view": header.view,
        "seats": {seat: dump(who) for seat, who in header.seats.items()},
        "game": dump_game(header.game),
    }
    if header.study is not None:
        document["study"] = dump(header.study)
    if header.record:
        document["record"] = dict(header.record)
    if header.isolation:
        document["isolation"] = {seat: dump(process) for seat, process in header.isolation.items()}
    if header.forked is not None:
        document["forked"] = dump(header.forked)
    if header.wizards:
        document["wizards"] = {seat: dump(settings) for seat, settings in header.wizards.items()}
    if header.advisers:
        document["advisers"] = {seat: dump(who) for seat, who in header.advisers.items()}
    if header.principals:
        document["principals"] = {name: dump(who) for name, who in header.principals.items()}
    if header.lost_link != WAIT_FOR_LINK:
        document["lost_link"] = dump(header.lost_link)
    if header.assistants:
        document["assistants"] = {name: dump(who) for name, who in header.assistants.items()}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8", "replace")


def _checked_record(sections: dict[str, Any], path: object) -> dict[str, Any]:
    try:
        parse_template(sections)
    except Refused as refusal:
        raise InputFileError(path, "line 1, record", str(refusal).rstrip(".")) from None
    return sections


def _private_keys(game: GameSpec) -> dict[str, SeatMap[Any]]:
    """Return what only a seat itself and the complete log are sure to have, by its key in the game."""
    economy = game.economy
    if economy is None:
        return {"preferences": game.preferences}
    return {"endowment": economy.endowments, **({"worth": economy.worths} if economy.goods else {})}


def check_schema(line: bytes, path: object) -> None:
    """Check that a line begins a log.

    Raises:
        InputFileError: If it is not the first line of a log, or its format is not read.
    """
    where = "line 1"
    try:
        found = parse_json(line, path, where, limits=LOG_LIMITS)
    except InputFileError as error:
        if not line.strip() or b"schema" in line:
            raise
        reason = f"{error.reason}; a session's log is its events.jsonl"
        raise InputFileError(path, where, reason) from None
    schema = found.get("schema") if isinstance(found, dict) else None
    if schema == _UNHASHED_SCHEMA:
        # Otherwise a log whose hashes were removed, and its schema set back, would pass for a sound one.
        raise InputFileError(
            path,
            where,
            f"its schema is {_UNHASHED_SCHEMA!r}, a format without hashes that was never released, so "
            f"nothing shows that the log is as it was written; only {LOG_SCHEMA!r} is read",
        )
    if schema != LOG_SCHEMA:
        raise InputFileError(
            path, where, f"this is no session log that is known here (schema {schema!r:.60})"
        )


def decode_header(line: bytes, path: object) -> Header:
    """Return the header of a log's first line, from which the hash has been removed.

    Raises:
        InputFileError: If it is not a header, or its format is unknown.
    """
    where = "line 1"
    check_schema(line, path)
    model = validate_json(HeaderModel, line, path, where)
    game = build_game(model.game, path, f"{where}, game")
    game = replace(
        game, rules=replace(game.rules, agents=model.game.rules.agents.with_defaults(LOG_HEADER_DEFAULTS))
    )
    if model.view not in ("complete", "public", SYSTEM, *game.seats, *game.principals):
        raise InputFileError(path, f"{where}, view", f"there is no view {model.view!r} of this game")
    for seat in game.seats:
        for key, side in _private_keys(game).items():
            if model.view in ("complete", seat) and seat not in side:
                raise InputFileError(path, f"{where}, game.seats.{seat}.{key}", "this key is missing")
    if set(model.seats) != set(game.seats):
        raise InputFileError(path, where, "the seats do not match the game's")
    if strange := set(model.assistants) - set(game.assistants):
        raise InputFileError(path, f"{where}, assistants", f"the game has no assistant {min(strange)!r}")
    if strange := set(model.isolation) - {*game.seats, *game.principals, *model.assistants}:
        raise InputFileError(path, f"{where}, isolation", f"there is no seat {min(strange)!r} in this game")
    if strange := set(model.wizards) - {seat for seat in game.seats if model.seats[seat].kind == "agent"}:
        raise InputFileError(path, f"{where}, wizards", f"the seat {min(strange)!r} has no agent")
    if strange := set(model.advisers) - {seat for seat in game.seats if model.seats[seat].kind == "human"}:
        raise InputFileError(path, f"{where}, advisers", f"no person has the seat {min(strange)!r}")
    if strange := set(model.principals) - set(game.principals):
        raise InputFileError(path, f"{where}, principals", f"the game has no principal {min(strange)!r}")
    return Header(
        session_id=model.session_id,
        created_at=model.created_at,
        app_version=model.app_version,
        seed=model.seed,
        game=game,
        seats=SeatMap((seat, load(Occupant, model.seats[seat])) for seat in game.seats),
        view=model.view,
        study=None if model.study is None else load(StudySession, model.study),
        record=_checked_record(model.record, path),
        isolation={seat: load(AgentIsolation, form) for seat, form in model.isolation.items()},
        forked=None if model.forked is None else load(ForkOrigin, model.forked),
        wizards={
            seat: _checked(WizardSettings, form, path, "wizards") for seat, form in model.wizards.items()
        },
        advisers={seat: load(Occupant, form) for seat, form in model.advisers.items()},
        principals={name: load(Occupant, form) for name, form in model.principals.items()},
        lost_link=WAIT_FOR_LINK
        if model.lost_link is None
        else _checked(LostLinkRule, model.lost_link, path, "lost_link"),
        assistants={name: load(Occupant, form) for name, form in model.assistants.items()},
    )


def _checked(settings_class: type[T], checked_form: Any, path: object, key: str) -> T:
    """Return settings that check their own ranges."""
    try:
        return load(settings_class, checked_form)
    except NegoError as error:
        raise InputFileError(path, f"line 1, {key}", str(error).rstrip(".")) from None
