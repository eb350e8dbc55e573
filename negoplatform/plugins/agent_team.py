"""Teams of agents as plug-ins for one seat."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.agent_team_settings import (
    LEAST_MEMBERS,
    MOST_MEMBERS,
    AgentTeamSettings,
    JoinedOffers,
)
from negoplatform.domain.command_settings import TeamAcceptance
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.agent_loader import AgentPlugin

TEAM_PREFIX = "team:"
"""Beginning of the name of a team of agents."""

_JOINING = ("offers", "accept", "speaker")
_PASSED_ON = ("name", "avatar", "language")
"""Settings of a team that its members get too, where they have them."""

_KNOWN = frozenset({*_JOINING, *_PASSED_ON, "members", "timing", "budget"})


@dataclass(frozen=True, slots=True)
class AgentTeam(AgentPlugin):
    """Team of agents for one seat; its file and its face before a game are those of its first member.

    Args:
        members: The agents, two to five.
    """

    members: tuple[AgentPlugin, ...] = ()

    def check_plays(self, game: GameSpec) -> None:
        """Check that every member plays games of this kind, and that a team can.

        Raises:
            AgentError: If one does not; with a sentence.
        """
        if game.mechanism != BARGAINING:
            raise AgentError(
                f"A team of agents plays games of the kind {BARGAINING}, and {game.name} is of the kind "
                f"{game.mechanism}; choose a single agent."
            )
        for member in self.members:
            member.check_plays(game)

    def resolve_settings(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the complete settings of the team: ``members`` has an entry with name, file, hash and
        settings for each.

        Raises:
            AgentError: If the configuration does not fit; with a sentence.
        """
        given = {**self.settings, **config}
        if unknown := sorted(set(given) - _KNOWN):
            raise AgentError(
                f"A team of agents has no setting {unknown[0]!r}; it has {', '.join(sorted(_KNOWN))}."
            )
        found = self.joining_settings(given)
        own = self._member_configs(given.get("members", {}))
        shared = {name: given[name] for name in _PASSED_ON if name in given}
        members = []
        for member, config_of_member in zip(self.members, own, strict=True):
            fields = (member.options or {}).get("properties", {})
            passed = {name: value for name, value in shared.items() if name != "language" or name in fields}
            members.append(
                {
                    "agent": member.name,
                    "file": member.file.name,
                    "sha256": member.sha256,
                    "version": member.manifest.version or None,
                    "config": member.resolve_settings({**passed, **config_of_member}),
                }
            )
        return {
            **{name: given[name] for name in (*_PASSED_ON, "timing", "budget") if name in given},
            "offers": found.offers.value,
            "accept": found.accept.value,
            "speaker": found.speaker + 1,
            "members": members,
        }

    def joining_settings(self, config: Mapping[str, Any]) -> AgentTeamSettings:
        """Return the way in which the team joins its members' scripts.

        Args:
            config: The settings of the team.

        Raises:
            AgentError: If a value is none of those that there are.
        """
        choices = {"offers": JoinedOffers, "accept": TeamAcceptance}
        chosen: dict[str, Any] = {}
        for name, kind in choices.items():
            if name in config:
                words = [each.value for each in kind]
                if config[name] not in words:
                    raise AgentError(
                        f"The setting {name!r} of a team is one of {', '.join(words)}, not {config[name]!r}."
                    )
                chosen[name] = kind(config[name])
        return AgentTeamSettings(**chosen, speaker=self._speaker(config.get("speaker", 1)))

    def _speaker(self, wanted: object) -> int:
        names = [member.name for member in self.members]
        if isinstance(wanted, str) and names.count(wanted) == 1:
            return names.index(wanted)
        if type(wanted) is int and 1 <= wanted <= len(names):
            return wanted - 1
        raise AgentError(
            f"The setting 'speaker' of a team is the name of a member ({', '.join(names)}), or its number "
            f"from 1 to {len(names)}, not {wanted!r}."
        )

    def _member_configs(self, given: object) -> list[Mapping[str, Any]]:
        """Return each member's settings, which are given by name, as a list, or as a log has them."""
        names = [member.name for member in self.members]
        if isinstance(given, Mapping):
            for name in given:
                if names.count(name) != 1:
                    many = "several members" if name in names else "no member"
                    raise AgentError(
                        f"'members' has settings for {name!r}, and the team has {many} of that name; it has "
                        f"{', '.join(names)}. A list has the settings in that order."
                    )
            found = [given.get(name, {}) for name in names]
        elif isinstance(given, Sequence) and not isinstance(given, str) and len(given) == len(names):
            found = [one["config"] if _is_logged(one) else one for one in given]
        else:
            raise AgentError(
                "'members' has the settings of the members by name, or a list with one entry for each of "
                f"{', '.join(names)}."
            )
        for name, config in zip(names, found, strict=True):
            if not isinstance(config, Mapping):
                raise AgentError(f"The settings of the member {name!r} are named values, not {config!r}.")
        return found

    @property
    def identity(self) -> tuple[Path, str, str]:
        """Unique key of the team."""
        return self.file.resolve(), "", f"{self.name} {self.sha256} {self.settings!r}"

    @property
    def location(self) -> str:
        """The members' files, one in a line."""
        return "\n".join(member.location for member in self.members)


def _is_logged(entry: object) -> bool:
    return isinstance(entry, Mapping) and {"agent", "sha256", "config"} <= entry.keys()


def team_of(members: Sequence[AgentPlugin]) -> AgentTeam:
    """Return a team of agents.

    Raises:
        NegoError: If there are too few or too many, or one of them cannot be a member.
    """
    name = TEAM_PREFIX + "+".join(member.name for member in members)
    if not LEAST_MEMBERS <= len(members) <= MOST_MEMBERS:
        raise NegoError(
            f"A team has {LEAST_MEMBERS} to {MOST_MEMBERS} agents, as in team:fair+negochat; {name!r} has "
            f"{len(members)}."
        )
    asking = [member.name for member in members if "recorded" in (member.options or {}).get("properties", {})]
    if len(asking) > 1:
        raise NegoError(
            f"Only one member of a team can ask a language model, and {' and '.join(asking)} do; their "
            "requests would be mixed in the log."
        )
    first = members[0]
    digest = hashlib.sha256("\n".join(member.sha256 for member in members).encode())
    languages = (member.options or {} for member in members)
    language = next(
        (found for one in languages if (found := one.get("properties", {}).get("language")) is not None), None
    )
    return AgentTeam(
        name=name,
        class_name="",
        file=first.file,
        sha256=digest.hexdigest(),
        description="A team of agents behind one seat: " + ", ".join(member.name for member in members) + ".",
        reported_name=first.reported_name,
        avatar=first.avatar,
        options={"type": "object", "properties": {} if language is None else {"language": language}},
        mechanisms=(BARGAINING,),
        own_process=any(member.own_process for member in members),
        members=tuple(members),
    )
