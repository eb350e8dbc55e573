"""Principals, teams and assistants in game files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from negoplatform.core.features.numeric_features import feature_names
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import (
    HIGHEST_LEVEL,
    PrincipalSpec,
    PrincipalTiming,
    ProtocolKind,
    ProtocolSettings,
    Split,
    TeamAcceptance,
    TeamSpec,
)
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import RESERVED_NAMES, SeatMap
from negoplatform.formats.game_files.game_names import Name
from negoplatform.formats.strict_json import StrictModel

Settings = Annotated[dict[str, Any], Field(default_factory=dict)]
PluginName = Annotated[str, Field(max_length=300)]


class VerticalModel(StrictModel):
    """Settings of a vertical protocol."""

    split: Split = Split.EQUAL


class HorizontalModel(StrictModel):
    """Settings of a horizontal protocol: there are none."""


class ProtocolModel(StrictModel):
    """Protocol of a principal: one key, the protocol's name."""

    vertical: VerticalModel | None = None
    horizontal: HorizontalModel | None = None

    def value(self) -> ProtocolSettings:
        """Return the settings.

        Raises:
            NegoError: If there are two protocols.
        """
        if self.vertical is not None and self.horizontal is not None:
            raise NegoError("it is vertical or horizontal, not both; remove one of the two keys")
        if self.vertical is not None:
            return ProtocolSettings(ProtocolKind.VERTICAL, self.vertical.split)
        return ProtocolSettings(ProtocolKind.NONE if self.horizontal is None else ProtocolKind.HORIZONTAL)


class PrincipalTimingModel(StrictModel):
    """Timing of a principal."""

    tick_interval: float = 10.0
    msg_delay: float = 0.0
    act_delay: float = 0.0
    jitter: float = 0.0
    wait_interval: float = 0.0


class PrincipalModel(StrictModel):
    """Principal in a file."""

    over: Annotated[list[str], Field(min_length=1, max_length=16)]
    protocol: ProtocolModel | Literal["none"] = "none"
    timing: PrincipalTimingModel = PrincipalTimingModel()
    agent: PluginName = ""
    settings: Settings

    def value(self, name: str) -> PrincipalSpec:
        """Return the principal.

        Raises:
            NegoError: If its timing or its protocol cannot be used.
        """
        protocol = ProtocolSettings() if self.protocol == "none" else self.protocol.value()
        timing = PrincipalTiming(**self.timing.model_dump())
        return PrincipalSpec(name, tuple(self.over), protocol, timing, self.agent, self.settings)


class TeamModel(StrictModel):
    """Team in a file."""

    members: Annotated[list[str], Field(min_length=2, max_length=16)]
    share: Annotated[list[str], Field(max_length=50, default_factory=list)]
    accept: TeamAcceptance = TeamAcceptance.ANY

    def value(self) -> TeamSpec:
        """Return the team."""
        return TeamSpec(tuple(self.members), tuple(self.share), self.accept)


class AssistantModel(StrictModel):
    """Assistant in a file; ``kind`` is in logs alone."""

    assistant: PluginName = ""
    seat: str = ""
    coach: bool = False
    settings: Settings
    kind: AssistantKind | None = None

    def value(self, name: str) -> AssistantSpec:
        """Return the assistant."""
        return AssistantSpec(name, self.assistant, self.seat, self.coach, self.settings, self.kind)


class WithCommandModel(StrictModel):
    """Keys of a game's file about who commands, advises and helps whom."""

    principals: Annotated[dict[Name, PrincipalModel], Field(max_length=16, default_factory=dict)]
    teams: Annotated[list[TeamModel], Field(max_length=8, default_factory=list)]
    assistants: Annotated[dict[Name, AssistantModel], Field(max_length=16, default_factory=dict)]


Specs = tuple[SeatMap[PrincipalSpec], tuple[TeamSpec, ...], SeatMap[AssistantSpec]]


def build_command(model: WithCommandModel, seats: tuple[str, ...], path: object, within: str) -> Specs:
    """Return the principals, the teams and the assistants of a model.

    Raises:
        InputFileError: If they do not fit the seats or each other; with file, place and reason.
    """
    principals = {}
    for name, principal in model.principals.items():
        try:
            principals[name] = principal.value(name)
        except NegoError as error:
            raise InputFileError(path, f"{within}principals.{name}", str(error).rstrip(".")) from None
    _check_names(model, seats, path, within)
    _check_chain(principals, seats, path, within)
    taken: set[str] = set()
    for i, team in enumerate(model.teams):
        for name in team.share:
            if name not in feature_names():
                raise InputFileError(
                    path, f"{within}teams[{i}].share", _no_such("feature", name, feature_names())
                )
        for seat in team.members:
            where = f"{within}teams[{i}].members"
            if seat not in seats:
                raise InputFileError(path, where, _no_such("seat", seat, seats))
            if seat in taken:
                raise InputFileError(path, where, f"{seat!r} is in a team already; it can be in one")
            taken.add(seat)
    for name, assistant in model.assistants.items():
        if assistant.seat and assistant.seat not in seats:
            raise InputFileError(
                path, f"{within}assistants.{name}.seat", _no_such("seat", assistant.seat, seats)
            )
    return (
        SeatMap(principals),
        tuple(team.value() for team in model.teams),
        SeatMap((name, assistant.value(name)) for name, assistant in model.assistants.items()),
    )


def _check_names(model: WithCommandModel, seats: tuple[str, ...], path: object, within: str) -> None:
    for key, names in (("principals", model.principals), ("assistants", model.assistants)):
        for name in names:
            if name in RESERVED_NAMES:
                raise InputFileError(path, f"{within}{key}.{name}", "the program itself uses this name")
            if name in seats or (key == "assistants" and name in model.principals):
                raise InputFileError(path, f"{within}{key}.{name}", f"another one is named {name!r}")


def _check_chain(
    principals: dict[str, PrincipalSpec], seats: tuple[str, ...], path: object, within: str
) -> None:
    above: dict[str, str] = {}
    for name, principal in principals.items():
        where = f"{within}principals.{name}.over"
        for below in principal.over:
            if below not in seats and below not in principals:
                raise InputFileError(path, where, _no_such("seat or principal", below, (*seats, *principals)))
            if below in above:
                raise InputFileError(
                    path, where, f"{below!r} is under {above[below]!r} already; it can be under one principal"
                )
            above[below] = name
    for name in principals:
        # Upwards, because a name has one principal at most: every branch is walked, and any loop.
        level, at = 2, name
        while at in above:
            level, at = level + 1, above[at]
            if level > HIGHEST_LEVEL:
                raise InputFileError(
                    path,
                    f"{within}principals.{at}.over",
                    "the chain of command has a loop or more than three levels: seats, principals over "
                    "them, and principals over these",
                )
    for name in principals:
        kinds = {below in principals for below in principals[name].over}
        if len(kinds) > 1:
            raise InputFileError(
                path, f"{within}principals.{name}.over", "name seats alone or principals alone, not both"
            )


def _no_such(kind: str, name: str, there: tuple[str, ...]) -> str:
    return f"there is no {kind} {name!r}; there is {', '.join(there)}"


def dump_command(game: GameSpec) -> dict[str, Any]:
    """Return the keys about principals, teams and assistants; empty for a game without any."""
    document: dict[str, Any] = {}
    if game.principals:
        document["principals"] = {name: _dump_principal(spec) for name, spec in game.principals.items()}
    if game.teams:
        document["teams"] = [
            {"members": list(team.members), "share": list(team.share), "accept": team.accept.value}
            for team in game.teams
        ]
    if game.assistants:
        document["assistants"] = {
            name: {
                "assistant": spec.assistant,
                "seat": spec.seat,
                "coach": spec.coach,
                "settings": dict(spec.settings),
                "kind": spec.kind and spec.kind.value,
            }
            for name, spec in game.assistants.items()
        }
    return document


def _dump_principal(spec: PrincipalSpec) -> dict[str, Any]:
    timing, protocol = spec.timing, spec.protocol
    kinds: dict[ProtocolKind, Any] = {
        ProtocolKind.NONE: "none",
        ProtocolKind.VERTICAL: {"vertical": {"split": protocol.split.value}},
        ProtocolKind.HORIZONTAL: {"horizontal": {}},
    }
    return {
        "over": list(spec.over),
        "protocol": kinds[protocol.kind],
        "timing": {
            "tick_interval": timing.tick_interval,
            "msg_delay": timing.msg_delay,
            "act_delay": timing.act_delay,
            "jitter": timing.jitter,
            **({"wait_interval": timing.wait_interval} if timing.wait_interval else {}),
        },
        "agent": spec.agent,
        "settings": dict(spec.settings),
    }
