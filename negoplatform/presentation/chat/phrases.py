"""What a participant can say by choosing: phrases, sentences about what matters, the value of no deal.

Every kind of message but GENERIC, which is what is typed, has a phrase or is built here: PREF_INFO and
PREF_SPECIFIC_REQUEST out of issues, BATNA_INFO out of a number. The menu is the same at any moment, so that a
phrase is found again where it was; one that would make no sense now can be read and not pressed. That is the
answer to an offer, while no offer of the other side is on the table; nothing else depends on what happened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from negoplatform.core.action_rules import LARGEST_STATED
from negoplatform.core.events import Message, MessageSubtype, Preference, Relation
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import number
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.noun_forms import in_sentence

M = MessageSubtype

TYPED = frozenset({M.GENERIC})
"""What is typed, and never chosen."""

BUILT = frozenset({M.PREF_INFO, M.PREF_SPECIFIC_REQUEST, M.BATNA_INFO})
"""What is put together out of issues or a number, so that no ready phrase says it."""

MATTERS, NO_DEAL = "matters", "no_deal"
"""The groups that hold more than phrases: sentences about issues, and the value of no deal."""

COMPARISONS = (Relation.GREATER, Relation.LESS, Relation.EQUAL)
"""The relations that need a second issue."""

POINTS = re.compile(r"[+-]?\d+([.,]\d{1,2})?", re.ASCII)
LONGEST = 24
"""Characters of what was typed that a sentence repeats."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence that is said at one press.

    Args:
        text: Its words, in the language of the window.
        subtype: What it does.
        why_not: Why it makes no sense now; empty if it does.
    """

    text: str
    subtype: MessageSubtype
    why_not: str = ""

    @property
    def message(self) -> Message:
        """What is sent."""
        return Message(self.text, self.subtype)


@dataclass(frozen=True, slots=True)
class Group:
    """Phrases that belong together; ``name`` stays the same in every language."""

    name: str
    title: str
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class PhrasesView:
    """What the menu shows.

    Args:
        groups: The phrases.
        issues: Name and title of each issue.
        no_deal: The points that no deal gives the participant now; None if nobody can say.
        can_talk: Whether anything may be said now.
    """

    groups: tuple[Group, ...]
    issues: tuple[tuple[str, str], ...]
    no_deal: float | None
    can_talk: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """What stands in the preference builder; always a sentence that can be said.

    Args:
        issues: The names of all issues of the game.
        first: The issue that is spoken of.
        relation: How it relates.
        second: The one that it is compared with: another, or ``first`` itself where there is no other.
    """

    issues: tuple[str, ...]
    first: str
    relation: Relation
    second: str

    @classmethod
    def about(cls, issues: tuple[str, ...]) -> Comparison:
        """How the builder starts: the first issue with the second, or by itself if there is no other."""
        relation = relations_for(len(issues))[0]
        return cls(issues, issues[0], relation, issues[1] if len(issues) > 1 else issues[0])

    @property
    def compares(self) -> bool:
        """Whether the second issue is part of the sentence."""
        return self.relation in COMPARISONS

    def with_first(self, name: str) -> Comparison:
        """Another first issue; if it was the second, the two change places."""
        return replace(self, first=name, second=self.first if name == self.second else self.second)

    def with_second(self, name: str) -> Comparison:
        """Another second issue; if it was the first, the two change places."""
        return replace(self, second=name, first=self.second if name == self.first else self.first)

    def with_relation(self, relation: Relation) -> Comparison:
        """Another relation; the second issue stays, for when it is needed again."""
        return replace(self, relation=relation)

    def preference(self, *, is_question: bool) -> Preference:
        """What it states or asks."""
        return Preference(self.first, self.relation, self.second if self.compares else None, is_question)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number of points as it was typed.

    Args:
        points: The number; None if it is none that can be stated.
        problem: A sentence that says why; empty if it can, or if nothing was typed.
    """

    points: float | None = None
    problem: str = ""


def phrases_view(
    game: GameSpec, say: Language, *, their_offer: bool, no_deal: float | None, can_talk: bool
) -> PhrasesView:
    """The menu for a game; ``their_offer``: an offer that somebody else sent is on the table."""
    issues = tuple((issue.name, say.own(issue.title)) for issue in game.issues)
    return PhrasesView(phrase_groups(say, their_offer=their_offer), issues, no_deal, can_talk)


def phrase_groups(say: Language, *, their_offer: bool) -> tuple[Group, ...]:
    """All phrases, in the order in which a first negotiation needs them."""
    return (
        _matters(say),
        _no_deal(say),
        _offers(say, "" if their_offer else say("The other side has no offer on the table now.")),
        _favours(say),
        _friendly(say),
        _firm(say),
        _so_far(say),
        _everyday(say),
    )


def _matters(say: Language) -> Group:
    phrases = (
        Phrase(say("What do you care about most?"), M.PREF_REQUEST),
        Phrase(say("What do you care about least?"), M.PREF_REQUEST),
        Phrase(say("I'd rather not say what matters to me."), M.PREF_WITHHOLD),
    )
    return Group(MATTERS, say("What matters"), phrases)


def _no_deal(say: Language) -> Group:
    phrases = (
        Phrase(say("What do you get if we don't reach a deal?"), M.BATNA_REQUEST),
        Phrase(say("How many points do you need at least?"), M.BATNA_REQUEST),
    )
    return Group(NO_DEAL, say("Without a deal"), phrases)


def _offers(say: Language, why_not: str) -> Group:
    phrases = (
        Phrase(say("What would you suggest? Please send me an offer."), M.OFFER_REQUEST_POS),
        Phrase(say("I've got an idea. I'm putting an offer together."), M.OFFER_PROPOSE),
        Phrase(say("I like it, but I'm not ready to commit."), M.OFFER_ACCEPT, why_not),
        Phrase(say("That doesn't work for me as it stands."), M.OFFER_REJECT, why_not),
    )
    return Group("offers", say("Offers"), phrases)


def _favours(say: Language) -> Group:
    phrases = (
        Phrase(say("Could you do me a favour this time?"), M.FAVOR_REQUEST),
        Phrase(say("Yes, I'll do you that favour."), M.FAVOR_ACCEPT),
        Phrase(say("I'm afraid I can't do you that favour."), M.FAVOR_REJECT),
        Phrase(say("You did me a favour, so here's one in return."), M.FAVOR_RETURN),
        Phrase(say("If you help me now, I promise I'll make it up to you."), M.PROMISE),
    )
    return Group("favours", say("Favours"), phrases)


def _friendly(say: Language) -> Group:
    phrases = (
        Phrase(say("Let's split everything evenly."), M.GENERIC_POS),
        Phrase(say("Let's each get what matters most to us."), M.GENERIC_POS),
        Phrase(say("Let's keep trying: I'm sure there's a deal that's good for both of us."), M.GENERIC_POS),
        Phrase(say("I'd be glad if you were a little fairer to me."), M.GENERIC_POS),
        Phrase(say("I'd love to hear an offer from you."), M.OFFER_REQUEST_POS),
        Phrase(say("I'd hate to, but I may have to walk away."), M.THREAT_POS),
    )
    return Group("friendly", say("Friendly"), phrases)


def _firm(say: Language) -> Group:
    phrases = (
        Phrase(say("Split it evenly. I won't take less than half."), M.GENERIC_NEG),
        Phrase(say("You can't have it all. Each of us gets what matters most to us."), M.GENERIC_NEG),
        Phrase(say("You're not even trying to find a deal that works for me."), M.GENERIC_NEG),
        Phrase(say("You're being unfair, and I don't like it."), M.GENERIC_NEG),
        Phrase(say("I've waited long enough. Make me an offer now."), M.OFFER_REQUEST_NEG),
        Phrase(say("Do better, or I walk away."), M.THREAT_NEG),
        Phrase(say("I don't need this deal. It has to be worth it to me."), M.THREAT),
    )
    return Group("firm", say("Firm"), phrases)


def _so_far(say: Language) -> Group:
    phrases = (
        Phrase(say("I'm happy with how this is going."), M.GENERIC_POS),
        Phrase(say("I'm not happy with how this is going."), M.GENERIC_NEG),
        Phrase(say("That doesn't fit what you said before."), M.CONFUSION),
        Phrase(say("I'm thinking. Please give me a moment."), M.TIMING_INFO),
        Phrase(say("Do you need more time to think?"), M.TIMING_REQUEST),
        Phrase(say("Let's wrap this up."), M.TIMING),
    )
    return Group("so_far", say("Progress and time"), phrases)


def _everyday(say: Language) -> Group:
    phrases = (
        Phrase(say("Hello! I'm looking forward to negotiating with you."), M.GREETING),
        Phrase(say("Thank you."), M.THANKS),
        Phrase(say("I'm sorry."), M.APOLOGY),
        Phrase(say("All right, I understand."), M.CONFIRMATION),
        Phrase(say("Let me put it more clearly."), M.CLARIFICATION),
        Phrase(say("It was a pleasure. Goodbye!"), M.FAREWELL),
    )
    return Group("everyday", say("Small talk"), phrases)


def relations_for(issues: int) -> tuple[Relation, ...]:
    """The relations that can be stated about so many issues: nothing compares with itself."""
    return (*COMPARISONS, Relation.BEST, Relation.WORST) if issues > 1 else (Relation.BEST, Relation.WORST)


def relation_words(relation: Relation, say: Language) -> str:
    """A relation between the two issues that the builder names."""
    match relation:
        case Relation.GREATER:
            return say("more than")
        case Relation.LESS:
            return say("less than")
        case Relation.EQUAL:
            return say("as much as")
        case Relation.BEST:
            return say("most of all")
        case Relation.WORST:
            return say("least of all")


def preference_message(preference: Preference, titles: Mapping[str, str], say: Language) -> Message:
    """A preference in words that read well for one thing and for many: salary, bananas.

    Args:
        preference: What is stated or asked.
        titles: What people read, by the issue's name.
        say: The language.

    Raises:
        Refused: If it speaks of an issue that there is not, or compares one with nothing or with itself.
    """
    second = preference.issue2
    if preference.relation in COMPARISONS and (second is None or second == preference.issue1):
        raise Refused(say("Choose two different things to compare."))
    if any(name not in titles for name in (preference.issue1, *((second,) if second is not None else ()))):
        raise Refused(say("Choose what is negotiated in this game."))
    # Titles are data, in which a brace is a brace: they go in as values.
    names = {
        "first": in_sentence(titles[preference.issue1], say),
        "second": in_sentence(titles[second], say) if second is not None else "",
    }
    if preference.is_question:
        return Message(_question(preference.relation, names, say), M.PREF_SPECIFIC_REQUEST, preference)
    return Message(_statement(preference.relation, names, say), M.PREF_INFO, preference)


def _statement(relation: Relation, names: Mapping[str, str], say: Language) -> str:
    match relation:
        case Relation.GREATER:
            return say("I care more about {first} than about {second}.", **names)
        case Relation.LESS:
            return say("I care less about {first} than about {second}.", **names)
        case Relation.EQUAL:
            return say("I care as much about {first} as about {second}.", **names)
        case Relation.BEST:
            return say("I care most about {first}.", **names)
        case Relation.WORST:
            return say("I care least about {first}.", **names)


def _question(relation: Relation, names: Mapping[str, str], say: Language) -> str:
    match relation:
        case Relation.GREATER:
            return say("Do you care more about {first} than about {second}?", **names)
        case Relation.LESS:
            return say("Do you care less about {first} than about {second}?", **names)
        case Relation.EQUAL:
            return say("Do you care as much about {first} as about {second}?", **names)
        case Relation.BEST:
            return say("Do you care most about {first}?", **names)
        case Relation.WORST:
            return say("Do you care least about {first}?", **names)


def batna_message(points: float, say: Language) -> Message:
    """What one says to get without a deal.

    Raises:
        Refused: If it is no number that the session would take.
    """
    # Asked this way round, it refuses what is no number at all.
    if not abs(points) <= LARGEST_STATED:
        raise Refused(_too_large(say))
    text = say.count(
        "Without a deal I get {n} point.",
        "Without a deal I get {n} points.",
        points,
        n=say.number(points_field(points)),
    )
    return Message(text, M.BATNA_INFO, batna=points)


def points_field(points: float) -> str:
    """Points as they stand in the field, to two decimals: ``12``, ``2.5``."""
    return f"{number(round(Decimal(str(points)), 2))}"


def read_points(text: str, own: float | None, say: Language) -> Stated:
    """Points as somebody typed them; the own value, left as the field showed it, is exactly the own value."""
    bare = "".join(text.split()).replace("\N{MINUS SIGN}", "-")
    if not bare:
        return Stated()
    if own is not None and bare == points_field(own):
        return Stated(own)
    if not POINTS.fullmatch(bare):
        typed = text.strip()[:LONGEST]
        return Stated(problem=say("“{typed}” isn’t a number of points, such as 12 or 7.5.", typed=typed))
    points = Decimal(bare.replace(",", "."))
    if abs(points) > LARGEST_STATED:
        return Stated(problem=_too_large(say))
    return Stated(number(points))


def _too_large(say: Language) -> str:
    return say("The points can be from -{most} to {most}.", most=f"{LARGEST_STATED:,}")
