"""Options with which the window is started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negoplatform.domain.joining_settings import WAIT_FOR_LINK, LostLinkRule, WizardSettings
from negoplatform.domain.seat_map import Seat


@dataclass(frozen=True, slots=True)
class StudyLaunch:
    """Study with which the window is opened.

    Args:
        study: Folder of the study.
        code: Code of the first participant; empty: the window asks for it.
        station: Name of this computer; empty: the stored one.
        is_test: Whether the visits are tests.
        language: Language in which visits begin; empty: the window's, if the study has it.
        listen: Address at which a wizard or a second person joins, with a port or without one; empty: it is
            chosen in the window if the study needs one.
    """

    study: Path
    code: str = ""
    station: str = ""
    is_test: bool = False
    language: str = ""
    listen: str = ""


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """Options given on the command line.

    Args:
        game: Name or file of a game; None to choose in the window.
        agent: Agent of all seats that ``agents`` leaves out: its name or path, with the file of its settings
            in ``NAME@FILE.json``; None to choose in the window.
        agents: Agents by seat, written in the same way.
        seed: Seed; None to draw one.
        participant: Code of the participant; None to draw one.
        seat: Seat of the participant; None for the default seat.
        seats: Number of seats that are filled, in a game for different numbers; None: all.
        time_limit: Time limit in seconds; None for the game's own.
        deadline_offers: Number of offers after which none can be made; None for the game's own.
        agent_config: JSON file with the settings of the agents that are given without a file.
        profiles: Profiles by seat, instead of the game's own choice.
        counterpart: Settings of the agents' mood and pace by name, instead of the game's own.
        resume: Log, or folder, of an unfinished session to resume; None for a new session.
        briefing: Whether the participant reads the rules before the clock starts.
        opening_delay: Seconds for which agents wait at the start; None for the default.
        closing_time: Seconds for last messages after the end; None for the default.
        show_left_on_table: Whether the end reveals if another deal would have been better for everybody.
        offer_requests: Whether the window may have the buttons that ask for an offer.
        practice: Whether a participant without earlier sessions begins with a guided practice.
        watch: File of an agent that its author is editing, for the seats that ``agents`` leaves out; every
            game uses the version saved by then.
        language: Code of the window's language at the start.
        study: Study to run; None for negotiations.
        another_session: Whether a session may begin while another one of the participant's code runs.
        people: Codes of further participants by seat; they join from windows of their own.
        wizards: Settings of the wizards who operate agents' seats.
        advisers: Agents that advise people, by seat, written like ``agents``; the empty name stands for the
            participant's seat.
        principals: Plug-ins of the game's principals, by name, written like ``agents``.
        lost_link: The rule for the seats of people whose connections are lost.
        assistants: Assistants, each as NAME, NAME=PLUGIN or NAME=PLUGIN@FILE.json; None: those of the game.
        coach: Whether an agenda is shown to the participant, even if the game does not say so.
    """

    game: str | None = None
    agent: str | None = None
    agents: Mapping[Seat, str] = field(default_factory=dict)
    seed: int | None = None
    participant: str | None = None
    seat: str | None = None
    seats: int | None = None
    time_limit: float | None = None
    deadline_offers: int | None = None
    agent_config: Path | None = None
    profiles: Mapping[Seat, str] = field(default_factory=dict)
    counterpart: Mapping[str, Any] = field(default_factory=dict)
    resume: Path | None = None
    briefing: bool = True
    opening_delay: float | None = None
    closing_time: float | None = None
    show_left_on_table: bool = False
    offer_requests: bool = True
    practice: bool = True
    watch: str | None = None
    language: str = "en"
    study: StudyLaunch | None = None
    another_session: bool = False
    people: Mapping[Seat, str] = field(default_factory=dict)
    wizards: Mapping[Seat, WizardSettings] = field(default_factory=dict)
    advisers: Mapping[Seat, str] = field(default_factory=dict)
    principals: Mapping[str, str] = field(default_factory=dict)
    lost_link: LostLinkRule = WAIT_FOR_LINK
    assistants: tuple[str, ...] | None = None
    coach: bool = False
