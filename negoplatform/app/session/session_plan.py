"""Plan of a session: its game, seats and agents, and where it is logged."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import negoplatform
from negoplatform.app.session.agent_setup import PreparedAgent, agent_timing, output_path
from negoplatform.core.events import Event
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms import MECHANISMS
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, Record, parse_template
from negoplatform.domain.agent_limits import DEFAULT_BUDGET
from negoplatform.domain.errors import AgentError, InputFileError, NegoError
from negoplatform.domain.game import LAST_ANSWER_SECONDS, MOST_OFFERS, GameSpec
from negoplatform.domain.game_display_texts import PARTICIPANT, names_of_people
from negoplatform.domain.joining_settings import WAIT_FOR_LINK, LostLinkRule, WizardSettings
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.writer import LogWriter, wall_clock
from negoplatform.formats.agent_limits import load_budget
from negoplatform.formats.log_header import Header, Occupant, StudySession
from negoplatform.formats.strict_json import parse_json, read_text

SIMULATION_LIMIT = 1800.0
"""Seconds after which a simulated game without a deadline times out; it has to end somehow."""

SECONDS_PER_OFFER = 60.0
"""Seconds that a simulated game without a deadline in seconds has for each offer."""

LONGEST_TIME_LIMIT = 86_400.0
"""Longest time limit (s): a day."""

PARTICIPANT_CODE = re.compile(r"[\w-]{1,40}")


def adviser_name(seat: Seat) -> str:
    """Return the name of a seat's adviser in the names of files."""
    return f"{seat}-adviser"


def new_session_id() -> str:
    """Return a new, unique session id."""
    return uuid4().hex[:12]


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """State of the log from which a session is resumed.

    Args:
        events: The events of its log.
        torn_bytes: The number of bytes of a torn last line that were set aside.
    """

    events: tuple[Event, ...]
    torn_bytes: int = 0


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """Choices that are made before a session starts.

    Args:
        game: The game, with the chosen time limit and profiles.
        seed: The seed for everything random.
        human_seat: The participant's seat; None where only agents play.
        participant: The participant's code; never a name.
        agents: The agents, by seat.
        people: The codes of further participants by seat; they join from windows of their own.
        wizards: The settings of the wizards who operate agents' seats.
        lost_link: The rule for the seats of people whose connections are lost.
        advisers: The agents that advise people, by the seats of these.
        principals: The plug-ins of the game's principals, by name.
        stand_ins: The agents that it seats, by seat; empty unless the rule names one.
        session_id: The session's id.
        study: The session's place in a study; None: it belongs to none.
        carried: The sections with which its record begins, from an earlier session; usually empty.
        notes: Notes for the log that are recorded when the session begins or goes on.
        allows_another: Whether it may begin while another session of the same participant's code runs.
        assistants: The game's assistants, by name.
    """

    game: GameSpec
    seed: int
    human_seat: Seat | None
    participant: str
    agents: SeatMap[PreparedAgent]
    session_id: str = field(default_factory=new_session_id)
    people: Mapping[Seat, str] = field(default_factory=dict)
    wizards: Mapping[Seat, WizardSettings] = field(default_factory=dict)
    lost_link: LostLinkRule = WAIT_FOR_LINK
    advisers: Mapping[Seat, PreparedAgent] = field(default_factory=dict)
    principals: Mapping[str, PreparedAgent] = field(default_factory=dict)
    stand_ins: Mapping[Seat, PreparedAgent] = field(default_factory=dict)
    study: StudySession | None = None
    carried: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[tuple[NoteKind, Mapping[str, Any]], ...] = ()
    allows_another: bool = False
    assistants: Mapping[str, PreparedAgent] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # The header has to describe the game that is played, so profiles are drawn before it is written.
        game = self.game.resolve_profiles(self.seed)
        if self.people:  # a page that one of them reads must not stop the others
            game = replace(game, rules=replace(game.rules, help_pauses=False))
        object.__setattr__(self, "game", game)
        if strange := [seat for seat in self.wizards if seat not in self.agents]:
            raise NegoError(f"A wizard operates the seat of an agent, and {strange[0]!r} has none.")
        if strange := [seat for seat in self.advisers if seat not in self.codes_of_people]:
            raise NegoError(f"An adviser advises a person, and no person has the seat {strange[0]!r}.")

    @property
    def codes_of_people(self) -> Mapping[Seat, str]:
        """The codes of all participants by seat, the first one's first."""
        first = {} if self.human_seat is None else {self.human_seat: self.participant}
        return {**first, **self.people}

    @property
    def names(self) -> Mapping[Seat, str]:
        """The names of the seats' occupants as the others read them; those of people are in English."""
        agents = {seat: agent.name for seat, agent in self.agents.items()}
        return {**agents, **names_of_people(self.game, self.codes_of_people)}

    @property
    def record(self) -> Record:
        """The record before the first event."""
        return parse_template(self.carried) if self.carried else EMPTY_RECORD

    @property
    def debriefings(self) -> tuple[tuple[str, str], ...]:
        """The texts for the participant after the session, each with its source: ``game`` or a seat."""
        found = [("game", self.game.debriefing)]
        found += [(seat, agent.debriefing) for seat, agent in self.agents.items()]
        return tuple((source, text.strip()) for source, text in found if text.strip())

    def header(self) -> Header:
        """Return the first line of the session's log."""
        seats = self._occupants()
        return Header(
            session_id=self.session_id,
            created_at=wall_clock(),
            app_version=negoplatform.__version__,
            seed=self.seed,
            game=self.game,
            seats=SeatMap((seat, seats[seat]) for seat in self.game.seats),
            study=self.study,
            record=self.carried,
            isolation={
                name: agent.isolation
                for agents in (self.agents, self.advisers, self.principals, self.assistants)
                for name, agent in agents.items()
                if agent.isolation is not None
            },
            wizards=self.wizards,
            advisers={seat: agent.occupant() for seat, agent in self.advisers.items()},
            principals={name: agent.occupant() for name, agent in self.principals.items()},
            lost_link=self.lost_link,
            assistants={name: one.occupant() for name, one in self.assistants.items()},
        )

    def _occupants(self) -> dict[Seat, Occupant]:
        """Return the occupants of all seats."""
        seats = {seat: self.agents[seat].occupant() for seat in self.game.seats if seat in self.agents}
        names = self.names
        for seat, code in self.codes_of_people.items():
            # A single participant is called so in every log, whatever the role.
            name = names[seat] if self.people else PARTICIPANT
            seats[seat] = Occupant("human", name, participant=code)
        return seats

    def discard_agents(self) -> None:
        """Release all agents: the game will not be played."""
        for agent in self._prepared():
            agent.discard()

    def stop_agents(self) -> None:
        """End the processes of all agents: the game is over."""
        for agent in self._prepared():
            agent.stop_process()

    def _prepared(self) -> tuple[PreparedAgent, ...]:
        found = (self.agents, self.advisers, self.principals, self.stand_ins, self.assistants)
        return tuple(agent for agents in found for agent in agents.values())

    def move_agent_output(self, folder: Path) -> None:
        """Move the agents' output files next to the log."""
        advisers = [(adviser_name(seat), agent) for seat, agent in self.advisers.items()]
        for seat, agent in (
            *self.agents.items(),
            *advisers,
            *self.principals.items(),
            *self.stand_ins.items(),
            *self.assistants.items(),
        ):
            if agent.output is not None:
                agent.output.move_to(output_path(folder, seat))
                if agent.staying is not None:
                    agent.staying.output = agent.output.path

    def create_log(
        self, sessions: Path, *, at: Callable[[], str] = wall_clock, durable: bool = True
    ) -> LogWriter:
        """Create a log in a new folder; if not durable, it is synced to the disk only when it is closed."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        # A colon, as in negmas:NAME, cannot be in a file's name on Windows.
        names = (agent.plugin.name.replace(":", "-") for agent in self.agents.values())
        agents = "-".join(Path(name).stem for name in names)
        who = self.participant or f"{agents}-seed{self.seed}"
        folder = sessions / f"{stamp}-{self.game.name}-{who}-{self.session_id}"
        return LogWriter(folder, self.header(), at=at, durable=durable)


def read_settings(path: Path) -> dict[str, Any]:
    """Read an agent's settings from a JSON file.

    Raises:
        NegoError: If the file holds no JSON object, or its timing or budget is invalid.
    """
    found = parse_json(read_text(path), path)
    if not isinstance(found, dict):
        raise NegoError(f"{path} holds no JSON object with an agent's settings.")
    try:
        agent_timing(found)
    except AgentError as error:
        raise InputFileError(path, "timing", str(error).rstrip(".")) from None
    load_budget(found.get("budget", {}), DEFAULT_BUDGET, path, "budget")
    return found


def with_time_limit(game: GameSpec, seconds: float | None) -> GameSpec:
    """Return a game with another deadline; unchanged where none is given.

    Raises:
        NegoError: If the limit is out of range, or too short for a game that has phases of its own.
    """
    if seconds is None:
        return game
    if not 1 <= seconds <= LONGEST_TIME_LIMIT:
        raise NegoError(f"A time limit is 1 second to 24 hours, not {seconds:g} s.")
    limited = replace(game, rules=replace(game.rules, deadline_seconds=float(seconds)))
    MECHANISMS[game.mechanism].check_game(limited)
    return limited


def with_offer_limit(game: GameSpec, offers: int | None) -> GameSpec:
    """Return a game that ends by the number of its offers; unchanged where none is given.

    Raises:
        NegoError: If the number is out of range, or the game has no offers.
    """
    if offers is None:
        return game
    if not 1 <= offers <= MOST_OFFERS:
        raise NegoError(f"A game is limited to 1 to {MOST_OFFERS:,} offers, not to {offers:,}.")
    if "deadline_offers" not in MECHANISMS[game.mechanism].rules:
        raise NegoError(
            f"{game.name} is a game of the kind {game.mechanism!r}, which has no offers to count; leave "
            "the number of offers out."
        )
    return replace(game, rules=replace(game.rules, deadline_offers=offers))


def with_limits(game: GameSpec, seconds: float | None, offers: int | None) -> GameSpec:
    """Return a game with another deadline, another number of offers or both; what is not given stays.

    Raises:
        NegoError: If one of them is out of range or does not fit the game.
    """
    return with_offer_limit(with_time_limit(game, seconds), offers)


def without_talk(game: GameSpec) -> GameSpec:
    """Return the same game without messages, expressions and typing signs."""
    return replace(game, rules=replace(game.rules, talk=False))


def with_usual_limit(game: GameSpec) -> GameSpec:
    """Return a game with a deadline in any case: its own, the usual one, or the end of its last phase.

    A game that is limited by offers alone gets a minute for each of them, up to a day: it has to end even
    where no offers are made.
    """
    if game.rules.deadline_seconds is not None:
        return game
    if game.rules.deadline_offers is not None:
        seconds = SECONDS_PER_OFFER * game.rules.deadline_offers + LAST_ANSWER_SECONDS
        return with_time_limit(game, min(LONGEST_TIME_LIMIT, max(SIMULATION_LIMIT, seconds)))
    needed = market_terms(game).total_seconds if game.mechanism == Market.name else 0.0
    return with_time_limit(game, max(SIMULATION_LIMIT, needed))


def with_counterpart(game: GameSpec, values: Mapping[str, Any]) -> GameSpec:
    """Return a game with other settings of its agents' mood and pace; unchanged where none is given.

    Args:
        game: The game.
        values: New values by name, such as ``{"mood": "SAD"}``.

    Raises:
        NegoError: If a value is out of its range.
    """
    settings = game.rules.counterpart.with_values(values)
    return replace(game, rules=replace(game.rules, counterpart=settings))


def check_participant(code: str) -> str:
    """Check a participant's code, which becomes part of a folder's name.

    Returns:
        The code without surrounding spaces.

    Raises:
        NegoError: If it is no code of letters, digits, - and _.
    """
    code = code.strip()
    if not PARTICIPANT_CODE.fullmatch(code):
        raise NegoError("A participant code has 1 to 40 letters, digits, - or _, such as P01.")
    return code
