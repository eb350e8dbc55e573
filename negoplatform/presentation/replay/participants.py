"""Who sits where in a recorded session, as the experimenter and as the table names them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from negoplatform.core.visibility import Observer
from negoplatform.domain.seat import Seat
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.presentation.event_texts import displayed_name
from negoplatform.presentation.formatting import date_text, displayable, join_names, role_name, truncate
from negoplatform.presentation.i18n import Language

LONGEST_NAME = 20
"""Characters of a name that are shown; it stands on buttons."""

SEPARATOR = "  ·  "


@dataclass(frozen=True, slots=True)
class Participants:
    """The names of a session.

    Args:
        names: What the experimenter calls each seat: a participant's code, an agent's name.
        public_names: What the others at the table read.
        agent_ids: What agent sits there, by its id in the catalogue; empty for a person.
        occupants: Who sits there, as the log has it.
        mine: The seat on whose side the window is: the participant's, or the first.
        other: The seat whose face is shown then.
    """

    names: Mapping[Seat, str]
    public_names: Mapping[Seat, str]
    agent_ids: Mapping[Seat, str]
    occupants: Mapping[Seat, Occupant]
    mine: Seat
    other: Seat

    def name(self, sender: str, translate: Language) -> str:
        """What the experimenter calls whoever did something."""
        return displayed_name(sender, self.names, translate)

    def counterpart_names(self, seat: Seat) -> dict[Seat, str]:
        """What somebody at the table calls the other seats."""
        return {other: name for other, name in self.public_names.items() if other != seat}

    def view_name(self, observer: Observer, translate: Language) -> str:
        """What a view is called on its button."""
        if observer.raw:
            return translate("Everything")
        return self.names[observer.seat] if observer.seat else translate("Public view")


def participants_of(header: Header) -> Participants:
    """Who sits where."""
    bare = {seat: _name(seat, who) for seat, who in header.seats.items()}
    often = Counter(bare.values())
    # Two of one name are told apart by where they sit.
    names = {seat: name if often[name] == 1 else f"{name} ({role_name(seat)})" for seat, name in bare.items()}
    people = [seat for seat, who in header.seats.items() if who.kind == "human"]
    mine = people[0] if people else next(iter(header.seats))
    if header.view in header.seats:
        mine = header.view
    return Participants(
        names=names,
        public_names={seat: displayable(who.name) for seat, who in header.seats.items()},
        agent_ids={seat: displayable(who.agent or "") for seat, who in header.seats.items()},
        occupants=header.seats,
        mine=mine,
        other=next((seat for seat in header.seats if seat != mine), mine),
    )


def session_facts(header: Header, participants: Participants, translate: Language) -> str:
    """Who played, when, and under what number, in a line."""
    who = [
        translate("{name} ({kind})", name=name, kind=participants.agent_ids[seat])
        if participants.agent_ids[seat]
        else name
        for seat, name in participants.names.items()
    ]
    parts = [
        join_names(who, translate),
        _when(header.created_at, translate),
        translate("session {id}", id=header.session_id),
    ]
    return SEPARATOR.join(parts)


def _name(seat: Seat, who: Occupant) -> str:
    return truncate(displayable(who.participant or who.name or role_name(seat)), LONGEST_NAME)


def _when(created_at: str, translate: Language) -> str:
    try:
        when = datetime.fromisoformat(created_at).astimezone()
    except ValueError:
        return displayable(created_at)
    return f"{date_text(when, translate)}, {when:%H:%M}"
