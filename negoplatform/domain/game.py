"""A game: issues, seats, their preferences, and the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from math import prod
from pathlib import Path
from random import Random
from typing import Any, Final, assert_never

from negoplatform.domain.agent_limits import DEFAULT_BUDGET, AgentBudget
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns, acceptances_needed
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.assistant_settings import AssistantSpec
from negoplatform.domain.briefing import NO_BRIEFING, Briefing
from negoplatform.domain.command_settings import PrincipalSpec, TeamSpec
from negoplatform.domain.counterpart_settings import DEFAULT_COUNTERPART, CounterpartSettings
from negoplatform.domain.errors import NegoError, OfferError
from negoplatform.domain.game_description import (
    GameDescription,
    interaction_documents,
    issue_document,
    json_number,
)
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue, complete_offers
from negoplatform.domain.offer import Allocation, Offer, Term, TermsMemo
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Economy
from negoplatform.domain.utility import InteractionUtility, Points, UtilityFunction


class Acceptance(StrEnum):
    """Formal accepts that a deal needs."""

    BOTH_CONFIRM = "both_confirm"
    """The seats that make up the agreement formally accept the same offer, its maker too."""
    MAKER_ACCEPTS = "maker_accepts"
    """Sending an offer that may be bound is its maker's acceptance."""


MAKER_ACCEPTS: Final = Acceptance.MAKER_ACCEPTS
"""Member for code that runs at every event: a look-up in the class takes long in Python 3.11."""


class Visibility(StrEnum):
    """Audience of a part of a game or of its state."""

    PUBLIC = "public"
    """All seats."""
    OWNER = "owner"
    """The owner alone."""
    UPPER_LEVEL = "upper_level"
    """The owner's registered principal, one level above."""
    TEAM = "team"
    """The owner and the other seats of its team."""
    SYSTEM = "system"
    """The platform's own level: the experimenter's tools."""


@dataclass(frozen=True, slots=True)
class TimeCost:
    """Points that each completed period of session time costs.

    Args:
        points: Points per period, 0 or more.
        period_seconds: Length of a period in seconds, above 0.
    """

    points: Points
    period_seconds: float

    def at(self, seconds: float) -> Points:
        """Return the points lost after a time in seconds; only completed periods count."""
        # Exactly: in binary fractions 0.3 s hold only two periods of 0.1 s.
        return self.points * int(Decimal(str(seconds)) // Decimal(str(self.period_seconds)))


@dataclass(frozen=True, slots=True)
class Preferences:
    """A seat's private side of a game.

    Args:
        utility: The points of each offer.
        reservation_value: The points of a timeout.
        opt_out: The points of quitting; the reservation value unless given.
        time_cost: The cost of time, which lowers all three; None: nothing.
        discount_factor: All three are multiplied by its power of the game's progress, from 0 to 1. It is
            above 0 and at most 1, which changes nothing.
    """

    utility: UtilityFunction
    reservation_value: Points
    opt_out: Points | None = None
    time_cost: TimeCost | None = None
    discount_factor: float = 1.0
    known_points: TermsMemo[Points] = field(default_factory=TermsMemo, init=False, compare=False, repr=False)
    """Points of offers that the utility was asked for before."""

    @property
    def quit_value(self) -> Points:
        """Points of walking away, before discount and time costs."""
        return self.reservation_value if self.opt_out is None else self.opt_out

    @property
    def lose_over_time(self) -> bool:
        """Whether points change as time passes."""
        return self.time_cost is not None or self.discount_factor != 1

    def points_at(self, points: Points, seconds: float, progress: float) -> Points:
        """Return points after the discount and the cost of time.

        Args:
            points: Points before both, such as the utility of a deal.
            seconds: Session time in seconds.
            progress: Share of the game that is over, from 0 to 1; see :meth:`Rules.progress`.
        """
        if self.discount_factor != 1:  # else whole points stay int
            points = points * self.discount_factor**progress
        return points - self.cost_at(seconds)

    def cost_at(self, seconds: float) -> Points:
        """Return the points that time has cost after so many seconds."""
        return self.time_cost.at(seconds) if self.time_cost else 0


@dataclass(frozen=True, slots=True)
class Profile:
    """Preferences that a seat may be given, out of several.

    Args:
        name: Its name in files, commands and logs.
        preferences: The preferences.
        story: The story of the participant in the seat; the seat's own story where empty.
        briefing: Facts and reasons of this profile; the seat's own where it says nothing itself.
    """

    name: str
    preferences: Preferences
    story: str = ""
    briefing: Briefing = NO_BRIEFING


RANDOM_PROFILE = "drawn"
"""Placeholder for a profile that the seed draws."""

LAST_ANSWER_SECONDS = 60.0
"""Seconds of session time for the answer to the last offer of a game with ``deadline_offers``."""

MOST_OFFERS = 1_000_000
"""Largest number of offers that a game may be limited to."""

CLOSING_SECONDS = 5.0
"""Seconds of session time for closing messages after the end, where the rules set nothing else."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a game that its file may set.

    Args:
        acceptance: The formal accepts that a deal needs.
        allow_partial: Whether a partial offer may be accepted; its undecided units then go to no seat.
        deadline_seconds: Session time at which the game ends; None: no deadline.
        deadline_offers: Number of offers, of all seats together, after which no further one can be made;
            None: no such limit.
        time_tick_seconds: Session time between two TIME events.
        share_drafts: Whether OFFER_IN_PROGRESS carries the draft.
        reads_talk: Whether a participant's window interprets typed text, and shows the offer found in it.
        reading_language: The language of typed text, such as ``de``; empty: that of the window, and English
            where there is none.
        agents: The limits of this game's agents.
        help_pauses: Whether the session pauses while a participant reads the rules or the help.
        show_left_on_table: Whether a participant is shown at the end if another deal would have been better
            for both. This reveals something about the others' preferences.
        offer_requests: Whether a participant's window has buttons that ask the other side for an offer.
        opening_delay_seconds: Session time for which an agent's answer to the start waits, unless another
            seat acts earlier; None: it does not wait.
        closing_seconds: Session time for closing messages after the end; None: CLOSING_SECONDS.
        counterpart: Mood and pace of the agents of this game.
        talk: Whether the seats can talk: send messages, show expressions and that they are typing.
        agreement: The seats that have to accept the same offer, its maker among them, to make it a deal.
        outvoted: The consequence of a deal for the seats that have not accepted it.
        turns: The order in which the seats make offers and accept them; walking away is always open.
    """

    acceptance: Acceptance = Acceptance.BOTH_CONFIRM
    allow_partial: bool = False
    deadline_seconds: float | None = None
    deadline_offers: int | None = None
    time_tick_seconds: float = 5.0
    share_drafts: bool = False
    reads_talk: bool = True
    reading_language: str = ""
    agents: AgentBudget = DEFAULT_BUDGET
    help_pauses: bool = False
    show_left_on_table: bool = False
    offer_requests: bool = True
    opening_delay_seconds: float | None = None
    closing_seconds: float | None = None
    counterpart: CounterpartSettings = DEFAULT_COUNTERPART
    talk: bool = True
    agreement: Agreement | Quota = Agreement.UNANIMOUS
    outvoted: Outvoted = Outvoted.BOUND
    turns: Turns = Turns.FREE

    @property
    def effective_reading_language(self) -> str:
        """Language of typed text."""
        return self.reading_language or "en"

    def progress(self, seconds: float, offers: int) -> float:
        """Return the share of the game that is over, from 0 to 1; 0 without a deadline.

        That is the share of ``deadline_offers`` in a game with that rule, else of ``deadline_seconds``.

        Args:
            seconds: Session time in seconds.
            offers: Number of offers made so far, by all seats together.
        """
        if self.deadline_offers is not None:
            return min(1.0, offers / self.deadline_offers)
        return min(1.0, seconds / self.deadline_seconds) if self.deadline_seconds else 0.0

    @property
    def has_deadline(self) -> bool:
        """Whether the game ends without an act of a seat: after some time, or after the last offer."""
        return self.deadline_seconds is not None or self.deadline_offers is not None

    @property
    def closing(self) -> float:
        """Session time (s) for closing messages after the end."""
        return CLOSING_SECONDS if self.closing_seconds is None else self.closing_seconds


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The specification of a game.

    Args:
        name: Its name in files and commands.
        issues: The issues, in the order in which people read them.
        seats: The seats, in order; a participant takes ``human`` if there is one, else the first.
        preferences: Each seat's preferences; a redacted game holds only those that its reader may see.
        visibility: Who may see a seat's preferences besides itself; ``owner`` by default.
        rules: The rules.
        title: The game's name for people.
        description: One or two sentences about the game, public.
        stories: The story of the participant in each seat.
        mechanism: The kind of game.
        profiles: Preferences to choose from, by seat; none once they are settled.
        chosen: The name of each seat's profile, or ``drawn``.
        announcements: The platform's announcements in the course of the game, by time.
        own_state: The typed state that the game defines; None: none.
        debriefing: The participant's text after the session, in paragraphs; empty: nothing.
        folder: The folder of the game's file, for showing the game's own pictures; not part of the game, and
            None in the views of seats.
        briefings: Facts and reasons of each seat, private; none for a seat without any.
        economy: Goods, money and each seat's side of them, in a game without issues; None in a bargaining
            game.
        names: The names by which the seats call each other; where a seat has none, it is called by its own.
        fewest_seats: The fewest seats with which the game can be played, the first ones; 0: with all.
        principals: The principals, which command seats, by name.
        teams: The teams of allied seats; a seat is in one at most.
        assistants: The assistants, by name.
    """

    name: str
    issues: tuple[Issue, ...]
    seats: tuple[Seat, ...]
    preferences: SeatMap[Preferences]
    visibility: SeatMap[Visibility] = field(default_factory=SeatMap)
    rules: Rules = Rules()
    title: str = ""
    description: str = ""
    stories: SeatMap[str] = field(default_factory=SeatMap)
    mechanism: str = "bargaining"
    profiles: SeatMap[tuple[Profile, ...]] = field(default_factory=SeatMap)
    chosen: SeatMap[str] = field(default_factory=SeatMap)
    announcements: tuple[Announcement, ...] = ()
    own_state: GameStateReference | None = None
    debriefing: str = ""
    folder: Path | None = field(default=None, compare=False, repr=False)
    briefings: SeatMap[Briefing] = field(default_factory=SeatMap)
    economy: Economy | None = None
    names: SeatMap[str] = field(default_factory=SeatMap)
    fewest_seats: int = 0
    principals: SeatMap[PrincipalSpec] = field(default_factory=SeatMap)
    teams: tuple[TeamSpec, ...] = ()
    assistants: SeatMap[AssistantSpec] = field(default_factory=SeatMap)
    known_offers: TermsMemo[bool] = field(default_factory=TermsMemo, init=False, compare=False, repr=False)
    """Offers that :meth:`check_offer` has found to fit, and whether each is complete."""

    @property
    def acceptances_needed(self) -> int:
        """Number of seats that have to accept the same offer, its maker among them, to make it a deal."""
        return acceptances_needed(self.rules.agreement, len(self.seats))

    @property
    def known_seats(self) -> tuple[Seat, ...]:
        """Seats whose side is known here: their preferences, or their endowment in a game without issues."""
        known = self.preferences if self.economy is None else self.economy.endowments
        return tuple(seat for seat in self.seats if seat in known)

    def issue(self, name: str) -> Issue:
        """Return the issue of that name.

        Raises:
            OfferError: If the game has no such issue.
        """
        for issue in self.issues:
            if issue.name == name:
                return issue
        raise OfferError(f"This game has no issue {name!r}; it has {format_issue_names(self.issues)}.")

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other seats, in order."""
        return tuple(other for other in self.seats if other != seat)

    def allies_of(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other members of a seat's team, in the game's order; none without a team."""
        team = self.team_of(seat)
        return () if team is None else tuple(s for s in self.seats if s in team.members and s != seat)

    def team_of(self, seat: Seat) -> TeamSpec | None:
        """Return a seat's team; None: it has none."""
        return next((team for team in self.teams if seat in team.members), None)

    def sees_preferences(self, seat: Seat, owner: Seat) -> bool:
        """Return whether a seat may see a seat's preferences: its own, public ones, its team's."""
        match self.visibility.get(owner, Visibility.OWNER):
            case Visibility.PUBLIC:
                return True
            case Visibility.TEAM:
                return owner == seat or owner in self.allies_of(seat)
            case _:
                return owner == seat

    def upstream_of(self, name: str) -> str | None:
        """Return the principal directly above a seat or a principal; None: there is none."""
        return next((above for above, spec in self.principals.items() if name in spec.over), None)

    def level_of(self, name: str) -> int:
        """Return the level of a seat (1), a principal over seats (2) or over principals (3)."""
        spec = self.principals.get(name)
        return 1 if spec is None else 1 + max(self.level_of(below) for below in spec.over)

    def seats_below(self, name: str) -> tuple[Seat, ...]:
        """Return all seats that a principal commands, itself or through others, in the game's order."""
        spec = self.principals.get(name)
        below: set[Seat] = set()
        for member in () if spec is None else spec.over:
            below.update(self.seats_below(member) if member in self.principals else (member,))
        return tuple(seat for seat in self.seats if seat in below)

    def with_seats(self, count: int) -> GameSpec:
        """Return the same game with its first seats alone.

        Raises:
            NegoError: If it cannot be played with so many.
        """
        fewest = self.fewest_seats or len(self.seats)
        if count == len(self.seats):
            return replace(self, fewest_seats=0)
        if not fewest <= count <= len(self.seats):
            possible = f"{fewest} to {len(self.seats)}" if fewest < len(self.seats) else f"{fewest}"
            raise NegoError(f"{self.name} is played with {possible} seats, not with {count}.")
        seats = self.seats[:count]
        return replace(
            self,
            seats=seats,
            preferences=self.preferences.restricted_to(seats),
            visibility=self.visibility.restricted_to(seats),
            stories=self.stories.restricted_to(seats),
            profiles=self.profiles.restricted_to(seats),
            chosen=self.chosen.restricted_to(seats),
            briefings=self.briefings.restricted_to(seats),
            names=self.names.restricted_to(seats),
            economy=self.economy and self.economy.only_with(seats),
            fewest_seats=0,
            principals=_with_members(self.principals, seats),
            teams=_with_enough_members(self.teams, seats),
        )

    def resolve_profiles(self, seed: int, overrides: Mapping[Seat, str] | None = None) -> GameSpec:
        """Return the same game with one profile for each seat, and nothing left to choose or to draw.

        Args:
            seed: The seed of drawn profiles.
            overrides: Profiles by seat, in place of the game's own choice.

        Raises:
            NegoError: If a seat has no such profile.
        """
        asked = dict(overrides or {})
        preferences, stories, chosen = self.preferences, self.stories, self.chosen
        briefings = self.briefings
        for seat, profiles in self.profiles.items():
            name = asked.pop(seat, chosen.get(seat, profiles[0].name))
            profile = _profile(seat, profiles, name, seed)
            preferences = preferences.with_value(seat, profile.preferences)
            stories = stories.with_value(seat, profile.story) if profile.story else stories
            chosen = chosen.with_value(seat, profile.name)
            if profile.briefing:
                merged = profile.briefing.over(briefings.get(seat, NO_BRIEFING))
                briefings = briefings.with_value(seat, merged)
        if asked:
            there, odd = ", ".join(self.profiles) or "nobody", ", ".join(sorted(asked))
            raise NegoError(f"{self.name} has no profiles to choose for {odd}; it has some for {there}.")
        return replace(
            self,
            preferences=preferences,
            stories=stories,
            chosen=chosen,
            briefings=briefings,
            profiles=SeatMap(),
            economy=self.economy and self.economy.settled(self.seats, seed),
        )

    def profiles_of_seed(self, seed: int) -> tuple[str, ...]:
        """Return the names of the profiles that :meth:`resolve_profiles` gives the seats that have some.

        Raises:
            NegoError: If a seat has no such profile.
        """
        return tuple(
            _profile(seat, profiles, self.chosen.get(seat, profiles[0].name), seed).name
            for seat, profiles in self.profiles.items()
        )

    def redacted_for(self, seats: Iterable[Seat]) -> GameSpec:
        """Return the same game without every other seat's side, and without future announcements."""
        seats = tuple(seats)
        return replace(
            self,
            preferences=self.preferences.restricted_to(seats),
            stories=self.stories.restricted_to(seats),
            briefings=self.briefings.restricted_to(seats),
            profiles=SeatMap(),
            chosen=self.chosen.restricted_to(seats),
            announcements=(),
            folder=None,
            economy=self.economy and self.economy.redacted_for(seats),
            principals=_without_settings(self.principals),
            assistants=SeatMap(),
        )

    def describe(self, seat: Seat) -> GameDescription:
        """Return the game in words and as JSON values, with only what a seat may see.

        Raises:
            NegoError: If the game has no such seat, or no issues.
        """
        if seat not in self.seats or not self.issues:
            what = "no issues" if seat in self.seats else f"no seat {seat!r}; it has {', '.join(self.seats)}"
            raise NegoError(f"{self.name} cannot be described: it has {what}.")
        own = self.preferences.get(seat)
        public = {
            other: self.preferences[other].utility
            for other in self.others(seat)
            if other in self.preferences and self.sees_preferences(seat, other)
        }
        utility = None if own is None else own.utility
        cost = None if own is None else own.time_cost
        at_most = utility.at_most if isinstance(utility, InteractionUtility) else None
        return GameDescription(
            {
                "game": self.name,
                "title": self.title,
                "description": self.description,
                "story": self.stories.get(seat, ""),
                "seat": seat,
                "seats": list(self.seats),
                "issues": [issue_document(issue, utility) for issue in self.issues],
                "interactions": interaction_documents(utility),
                "at_most": None if at_most is None else json_number(at_most),
                "reservation_value": own and json_number(own.reservation_value),
                "quit_value": own and json_number(own.quit_value),
                "time_cost": cost
                and {"points": json_number(cost.points), "period_seconds": cost.period_seconds},
                "discount_factor": own and own.discount_factor,
                "best": utility and json_number(utility.highest),
                "worst": utility and json_number(utility.lowest),
                "points_of_others": {
                    other: [issue_document(issue, theirs) for issue in self.issues]
                    for other, theirs in public.items()
                },
                "rules": {"acceptances_needed": self.acceptances_needed, **_rules_document(self.rules)},
            }
        )

    def outcomes(self) -> Iterator[Offer]:
        """Return an iterator of every complete offer; a game may have more than memory holds."""
        return complete_offers(self.issues, self.seats)

    def count_outcomes(self) -> int:
        """Return the number of complete offers, without making them."""
        return prod(issue.count(self.seats) for issue in self.issues)

    def is_complete(self, offer: Offer) -> bool:
        """Return whether an offer decides every issue and every unit."""
        if len(offer.terms) != len(self.issues):
            return False
        for _, term in offer.terms:  # noqa: SIM110 - asked for every offer of every history: a loop is faster
            if type(term) is Allocation and term.undecided:
                return False
        return True

    def check_offer(self, offer: Offer) -> None:
        """Raise OfferError, with a sentence, if an offer does not fit this game."""
        if not isinstance(offer, Offer):
            raise OfferError(f"An offer was expected, not {type(offer).__name__}.")
        if not offer.terms:
            raise OfferError("The offer is empty; decide at least one issue.")
        known = self.known_offers.get(id(offer.terms))
        if known is not None and known[0] is offer.terms:
            return
        # Checked at every offer of every history, so the issues are looked up here.
        for name, term in offer.terms:
            for issue in self.issues:
                if issue.name == name:
                    break
            else:
                issue = self.issue(name)
            # Most terms are valid; only the others need a closer look.
            if type(term) is str and type(issue) is CategoricalIssue and term in issue.values:
                continue
            if type(term) is Allocation and type(issue) is QuantityIssue:
                units = term.undecided
                for seat, number in term.units.pairs:
                    units = units + number if seat in self.seats else -1
                    if units < 0:
                        break
                if units == issue.quantity:
                    continue
            self._check_term(issue, term)
        self.known_offers.keep(offer.terms, self.is_complete(offer))

    def _check_term(self, issue: Issue, term: Term) -> None:
        match issue:
            case QuantityIssue():
                if not isinstance(term, Allocation):
                    raise OfferError(f"{issue.title} is divided in units; {term!r} is no allocation.")
                for seat in term.units:
                    if seat not in self.seats:
                        raise OfferError(f"{issue.title}: there is no seat {seat!r}.")
                if term.total != issue.quantity:
                    raise OfferError(
                        f"{issue.title}: the units add up to {_digits(term.total)}, "
                        f"but there are {issue.quantity}."
                    )
            case CategoricalIssue():
                if term not in issue.values:
                    raise OfferError(f"{issue.title} is one of {', '.join(issue.values)}; not {term!r}.")
            case NumberIssue():
                if isinstance(term, str | Allocation) or term not in issue.allowed:
                    raise OfferError(
                        f"{issue.title} is a number from {issue.low} to {issue.high} in steps of "
                        f"{issue.step}; not {term!r}."
                    )
            case _:
                assert_never(issue)


def _with_members(principals: SeatMap[PrincipalSpec], seats: Iterable[Seat]) -> SeatMap[PrincipalSpec]:
    """Return the principals that still have something below them where only these seats are left."""
    there = {*seats, *principals}
    while True:
        left = [
            (name, replace(spec, over=tuple(below for below in spec.over if below in there)))
            for name, spec in principals.items()
            if name in there
        ]
        empty = {name for name, spec in left if not spec.over}
        if not empty:
            return SeatMap(left)
        there -= empty


def _with_enough_members(teams: Iterable[TeamSpec], seats: Collection[Seat]) -> tuple[TeamSpec, ...]:
    """Return the teams that still have two members or more where only these seats are left."""
    left = [replace(team, members=tuple(seat for seat in team.members if seat in seats)) for team in teams]
    return tuple(team for team in left if len(team.members) > 1)


def _without_settings(principals: SeatMap[PrincipalSpec]) -> SeatMap[PrincipalSpec]:
    """Return principals as every seat may know them: their names, their places and their protocols."""
    return SeatMap((name, replace(spec, agent="", settings={})) for name, spec in principals.items())


def _rules_document(rules: Rules) -> dict[str, Any]:
    """Return the rules of offers and deals as JSON values."""
    agreement = rules.agreement
    return {
        "acceptance": rules.acceptance.value,
        "agreement": agreement.quota if isinstance(agreement, Quota) else agreement.value,
        "outvoted": rules.outvoted.value,
        "turns": rules.turns.value,
        "allow_partial": rules.allow_partial,
        "deadline_seconds": rules.deadline_seconds,
        "deadline_offers": rules.deadline_offers,
        "talk": rules.talk,
    }


def _profile(seat: Seat, profiles: tuple[Profile, ...], name: str, seed: int) -> Profile:
    if name == RANDOM_PROFILE:
        return Random(f"{seed}/profile/{seat}").choice(profiles)
    for profile in profiles:
        if profile.name == name:
            return profile
    there = ", ".join([*(profile.name for profile in profiles), RANDOM_PROFILE])
    raise NegoError(f"There is no profile {name!r} for {seat}; there is {there}.")


def _digits(number: int) -> str:
    """Return a number for people; Python refuses to write out one of thousands of digits."""
    return str(number) if number < 10**12 else "far more"


def format_issue_names(issues: Iterable[Issue]) -> str:
    """Return the names of issues as a list for people."""
    return ", ".join(issue.name for issue in issues)


def economy_of(game: GameSpec) -> Economy:
    """Return the goods and money of a game that has some."""
    assert game.economy is not None
    return game.economy
