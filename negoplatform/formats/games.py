"""Game files: JSON, read strictly and written without loss."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo, model_validator

from negoplatform.core.mechanisms.registry import BARGAINING, MECHANISMS
from negoplatform.domain.agreement_rules import acceptances_needed
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.briefing import NO_BRIEFING
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import RANDOM_PROFILE, GameSpec, Profile, Rules, Visibility
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.domain.issue import (
    PICTURES,
    Issue,
)
from negoplatform.domain.seat_map import RESERVED_NAMES, Seat, SeatMap
from negoplatform.formats.game_files.game_command import WithCommandModel, build_command, dump_command
from negoplatform.formats.game_files.game_economy import (
    EndowmentModel,
    EndowmentsModel,
    Goods,
    MoneyModel,
    WorthModel,
    build_economy,
    check_contents,
    dump_economy,
    dump_economy_seat,
    has_economy,
    keys_of_seats,
)
from negoplatform.formats.game_files.game_issues import IssueModel, dump_issue
from negoplatform.formats.game_files.game_names import (
    AnnouncementType,
    GameName,
    Label,
    Name,
    Story,
)
from negoplatform.formats.game_files.game_rules import RulesModel, check_rules_of, dump_rules
from negoplatform.formats.game_files.seat_briefings import BriefedModel, dump_briefing
from negoplatform.formats.game_files.seat_preferences import (
    PreferencesModel,
    build_preferences,
    dump_preferences,
)
from negoplatform.formats.strict_json import StrictModel, parse_json, read_text, validate_json

GAME_SCHEMA = "negoplatform.game/1"


MOST_POINTS = 3_000_000
"""Maximum number of points in all tables of a game, as stored: a short file may have very long tables."""


class VisibilityModel(StrictModel):
    """Visibility of a seat's preferences."""

    preferences: Visibility = Visibility.OWNER


class ProfileModel(BriefedModel):
    """Preferences that may be chosen for a seat, with the story and the reasons that come with them."""

    story: Story = ""
    preferences: PreferencesModel


class SeatModel(BriefedModel):
    """Seat in a file; a log that was exported for one observer omits hidden preferences."""

    story: Story = ""
    preferences: PreferencesModel | None = None
    profiles: Annotated[dict[Name, ProfileModel], Field(min_length=1, max_length=100)] | None = None
    profile: str | None = None
    endowment: EndowmentModel | None = None
    worth: WorthModel | None = None
    visibility: VisibilityModel = VisibilityModel()
    called: Label | None = None

    @model_validator(mode="after")
    def _check_preferences_or_profiles(self) -> SeatModel:
        if self.profiles is None:
            return self
        if self.preferences is not None:
            raise ValueError("give either 'preferences' or 'profiles', not both")
        if RANDOM_PROFILE in self.profiles:
            raise ValueError(
                f"no profile may be named {RANDOM_PROFILE!r}; it stands for one that the seed draws"
            )
        if self.profile not in (None, RANDOM_PROFILE, *self.profiles):
            raise ValueError(f"there is no profile {self.profile!r}; there is {', '.join(self.profiles)}")
        return self


class AnnouncementModel(StrictModel):
    """Announcement that the platform makes to seats at a set time."""

    at_seconds: Annotated[float, Field(ge=0, le=86_400)] = 0.0
    type: AnnouncementType
    data: Annotated[dict[str, Any], Field(default_factory=dict)]
    text: Annotated[str, Field(max_length=4000)] = ""
    to: Annotated[list[str], Field(fail_fast=True, max_length=20, default_factory=list)]

    def value(self) -> Announcement:
        """Return the announcement."""
        data = json.dumps(self.data, ensure_ascii=False, allow_nan=False)
        return Announcement(self.at_seconds, self.type, data, self.text, tuple(self.to))


class GameStatePluginModel(StrictModel):
    """Source file of a game's typed state; only in logs."""

    file: str
    sha256: str


FEWEST_SEATS, MOST_SEATS = 2, 8
"""Numbers of seats that a game with issues may have."""

MOST_SEATS_OF_ECONOMY = 16
"""Most seats of a game with goods or money."""

SEAT_COUNTS: dict[str, Any] = {"minProperties": FEWEST_SEATS, "maxProperties": MOST_SEATS_OF_ECONOMY}
"""The limits in the JSON Schema."""


def _check_seat_count(seats: dict[str, SeatModel], info: ValidationInfo) -> dict[str, SeatModel]:
    most = MOST_SEATS if info.data.get("issues") else MOST_SEATS_OF_ECONOMY
    if not FEWEST_SEATS <= len(seats) <= most:
        there = len(seats) or "none"
        raise ValueError(f"a game has {FEWEST_SEATS} to {most} seats, and this one has {there}")
    return seats


class GameModel(WithCommandModel):
    """Game file."""

    schema_: Literal["negoplatform.game/1"] = Field(alias="schema")
    name: GameName
    title: Label | None = None
    description: Annotated[str, Field(max_length=4000)] = ""
    mechanism: str = "bargaining"
    issues: Annotated[
        list[IssueModel], Field(fail_fast=True, min_length=1, max_length=100, default_factory=list)
    ]
    goods: Goods | None = None
    money: MoneyModel | None = None
    terms: dict[str, Any] | None = None
    endowments: EndowmentsModel | None = None
    chance: Annotated[int, Field(ge=0)] = 0
    seats: Annotated[
        dict[Name, SeatModel], AfterValidator(_check_seat_count), Field(json_schema_extra=SEAT_COUNTS)
    ]
    fewest_seats: Annotated[int, Field(ge=FEWEST_SEATS, le=MOST_SEATS_OF_ECONOMY)] | None = None
    rules: RulesModel = RulesModel()
    announcements: Annotated[
        list[AnnouncementModel], Field(fail_fast=True, max_length=1000, default_factory=list)
    ]
    own_state: GameStatePluginModel | None = None
    debriefing: Annotated[str, Field(max_length=4000)] = ""

    @model_validator(mode="after")
    def _check_kind(self) -> GameModel:
        if self.mechanism not in MECHANISMS:
            raise ValueError(
                f"the mechanism {self.mechanism!r} is not known; there is {', '.join(MECHANISMS)}"
            )
        check_contents(self)
        if self.fewest_seats is not None and (self.issues or self.fewest_seats > len(self.seats)):
            raise ValueError(
                "'fewest_seats' belongs to a game with goods or money, and is at most the number of its seats"
            )
        return self

    @model_validator(mode="after")
    def _check_names(self) -> GameModel:
        twice = [name for name, n in Counter(issue.name for issue in self.issues).items() if n > 1]
        if twice:
            raise ValueError(f"there are two issues named {twice[0]!r}")
        for seat in self.seats:
            if seat in RESERVED_NAMES:
                raise ValueError(f"no seat may be named {seat!r}, because the program uses that word")
        in_a_profile = sum(issue.table_size() for issue in self.issues)
        points = in_a_profile * sum(len(seat.profiles or (1,)) for seat in self.seats.values())
        if points > MOST_POINTS:
            raise ValueError(
                f"the seats' tables hold {points:,} points, more than {MOST_POINTS:,}; take longer steps, "
                "fewer issues or fewer profiles"
            )
        for i, announcement in enumerate(self.announcements):
            for seat in announcement.to:
                if seat not in self.seats:
                    there = ", ".join(self.seats)
                    raise ValueError(f"announcements[{i}] is for {seat!r}, but there is only {there}")
        return self


def load_game(path: Path) -> GameSpec:
    """Return the game in a file.

    Raises:
        InputFileError: If it is not a valid game; with file, place and reason.
    """
    text = read_text(path)
    parse_json(text, path)
    model = validate_json(GameModel, text, path)
    if model.own_state is not None:
        raise InputFileError(
            path, "own_state", "this key belongs to logs; a state.py beside game.json is found by itself"
        )
    if model.chance:
        raise InputFileError(path, "chance", "this key belongs to logs; remove it")
    for name, assistant in model.assistants.items():
        if assistant.kind is not None:
            raise InputFileError(path, f"assistants.{name}.kind", "this key belongs to logs; remove it")
    for i, issue in enumerate(model.issues):
        if issue.picture and issue.picture not in PICTURES and not (path.parent / issue.picture).is_file():
            raise InputFileError(
                path, f"issues[{i}].picture", f"there is no file {issue.picture} beside the game"
            )
    for seat, seat_model in model.seats.items():
        if model.issues and seat_model.preferences is None and seat_model.profiles is None:
            raise InputFileError(path, f"seats.{seat}.preferences", "this key is missing")
        for key in keys_of_seats(model):
            if getattr(seat_model, key) is None:
                raise InputFileError(path, f"seats.{seat}.{key}", "this key is missing")
        if seat_model.profile is not None and seat_model.profiles is None:
            raise InputFileError(
                path,
                f"seats.{seat}.profile",
                "this seat has no profiles to choose from; give some or remove it",
            )
    return replace(build_game(model, path), folder=path.parent)


def build_game(model: GameModel, path: object, where: str = "") -> GameSpec:
    """Return the game of a model.

    Raises:
        InputFileError: If preferences do not fit the issues, or the quota not the number of seats.
    """
    issues = tuple(issue.value() for issue in model.issues)
    seats = tuple(model.seats)
    within = f"{where}." if where else ""
    mechanism = MECHANISMS[model.mechanism]
    _check_has_contents(model, path, within)
    check_rules_of(mechanism, model.rules, path, f"{within}rules")
    rules = model.rules.value()
    _check_quota(rules, len(seats), path, within)
    profiles = {
        seat: _profiles(seat, seat_model, issues, path, f"{within}seats.{seat}")
        for seat, seat_model in model.seats.items()
    }
    by_name = {issue.name: issue for issue in issues}
    briefings = {
        seat: seat_model.briefing(by_name, path, f"{within}seats.{seat}")
        for seat, seat_model in model.seats.items()
    }
    principals, teams, assistants = build_command(model, seats, path, within)
    game = GameSpec(
        name=model.name,
        issues=issues,
        seats=seats,
        # Until a profile is resolved, the first one stands for all.
        preferences=SeatMap((seat, found[0].preferences) for seat, found in profiles.items() if found),
        visibility=SeatMap(
            (seat, seat_model.visibility.preferences) for seat, seat_model in model.seats.items()
        ),
        rules=rules,
        title=model.title or model.name.replace("_", " ").capitalize(),
        description=model.description,
        stories=SeatMap(
            (seat, seat_model.story) for seat, seat_model in model.seats.items() if seat_model.story
        ),
        mechanism=model.mechanism,
        profiles=SeatMap((seat, profiles[seat]) for seat in seats if model.seats[seat].profiles),
        chosen=SeatMap(
            (seat, seat_model.profile or profiles[seat][0].name)
            for seat, seat_model in model.seats.items()
            if seat_model.profile or seat_model.profiles
        ),
        announcements=tuple(announcement.value() for announcement in model.announcements),
        own_state=None
        if model.own_state is None
        else GameStateReference(None, model.own_state.file, model.own_state.sha256),
        debriefing=model.debriefing,
        briefings=SeatMap((seat, briefing) for seat, briefing in briefings.items() if briefing),
        economy=build_economy(model, mechanism, path, within),
        names=SeatMap(
            (seat, seat_model.called) for seat, seat_model in model.seats.items() if seat_model.called
        ),
        fewest_seats=model.fewest_seats or 0,
        principals=principals,
        teams=teams,
        assistants=assistants,
    )
    try:
        mechanism.check_game(game)
    except NegoError as error:
        raise InputFileError(path, where, str(error).rstrip(".")) from None
    return game


def _check_has_contents(model: GameModel, path: object, within: str) -> None:
    """Check that a game has issues or an economy."""
    if model.issues or has_economy(model):
        return
    bargains = model.mechanism == BARGAINING
    key, content = ("issues", "'issues'") if bargains else ("goods", "'goods', 'money' or both")
    reason = f"this key is missing; a game of the kind {model.mechanism!r} has {content}"
    raise InputFileError(path, f"{within}{key}", reason)


def _check_quota(rules: Rules, seats: int, path: object, within: str) -> None:
    """Check that a deal needs no more acceptances than there are seats."""
    needed = acceptances_needed(rules.agreement, seats)
    if needed > seats:
        raise InputFileError(
            path,
            f"{within}rules.agreement.quota",
            f"this game has {seats} seats, so the quota is "
            f"{'2' if seats == 2 else f'a whole number from 2 to {seats}'}, not {needed}",
        )


def _profiles(
    seat: Seat, model: SeatModel, issues: tuple[Issue, ...], path: object, where: str
) -> tuple[Profile, ...]:
    """Return a seat's profiles, the default first; a single one without a name if there is no choice."""
    if model.profiles is None:
        if model.preferences is None:
            return ()
        preferences = build_preferences(seat, model.preferences, issues, path, f"{where}.preferences")
        return (Profile("", preferences),)
    by_name = {issue.name: issue for issue in issues}
    found = [
        Profile(
            name,
            build_preferences(
                seat, profile.preferences, issues, path, f"{where}.profiles.{name}.preferences"
            ),
            profile.story,
            profile.briefing(by_name, path, f"{where}.profiles.{name}"),
        )
        for name, profile in model.profiles.items()
    ]
    return tuple(sorted(found, key=lambda profile: profile.name != model.profile))


def dump_game(game: GameSpec) -> dict[str, Any]:
    """Return a game as the JSON value of a game file; reading it gives an equal game."""
    document: dict[str, Any] = {
        "schema": GAME_SCHEMA,
        "name": game.name,
        "title": game.title or None,
        "description": game.description,
        "mechanism": game.mechanism,
        "issues": [dump_issue(issue) for issue in game.issues],
        "seats": {seat: _dump_seat(game, seat) for seat in game.seats},
        "rules": dump_rules(game.rules),
    }
    if game.economy is not None:
        del document["issues"]
        document |= dump_economy(game.economy)
    # Omitted if empty: few games have these.
    if game.fewest_seats:
        document["fewest_seats"] = game.fewest_seats
    if game.announcements:
        document["announcements"] = [
            {"at_seconds": a.at_seconds, "type": a.type, "data": a.data, "text": a.text, "to": list(a.to)}
            for a in game.announcements
        ]
    if game.debriefing:
        document["debriefing"] = game.debriefing
    document |= dump_command(game)
    if game.own_state:
        document["own_state"] = {"file": game.own_state.file, "sha256": game.own_state.sha256}
    return document


def _dump_seat(game: GameSpec, seat: Seat) -> dict[str, Any]:
    document: dict[str, Any] = {
        "story": game.stories.get(seat, ""),
        "visibility": {"preferences": game.visibility.get(seat, Visibility.OWNER).value},
        **dump_briefing(game.briefings.get(seat, NO_BRIEFING)),
    }
    if game.economy is not None:
        document |= dump_economy_seat(game.economy, seat)
    elif seat in game.profiles:
        document["profiles"] = {
            profile.name: {
                "story": profile.story,
                "preferences": dump_preferences(profile.preferences, game.issues),
                **dump_briefing(profile.briefing),
            }
            for profile in game.profiles[seat]
        }
    else:
        preferences = game.preferences.get(seat)
        document["preferences"] = preferences and dump_preferences(preferences, game.issues)
    if seat in game.chosen:
        document["profile"] = game.chosen[seat]
    if seat in game.names:
        document["called"] = game.names[seat]
    return document
