"""Phrases for participants, statements about preferences, and the value of no deal.

Each message subtype except GENERIC, which is for typed text, has a phrase or is built here: PREF_INFO and
PREF_SPECIFIC_REQUEST from issues, BATNA_INFO from a number. The menu never changes, so that a phrase keeps
its
place; one that makes no sense now is shown disabled. This applies only to answers to an offer while the
other side has no offer on the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from negoplatform.core.action_rules import MAX_STATED_POINTS
from negoplatform.core.events import Message, MessageSubtype, Preference, Relation
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import number_from_decimal
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.noun_forms import title_in_sentence

M = MessageSubtype

TYPED_SUBTYPES = frozenset({M.GENERIC})
"""Subtypes of typed messages only."""

BUILDER_SUBTYPES = frozenset({M.PREF_INFO, M.PREF_SPECIFIC_REQUEST, M.BATNA_INFO})
"""Subtypes of messages built from issues or a number; no ready phrase has them."""

PREFERENCES_GROUP, NO_DEAL_GROUP = "matters", "no_deal"
"""Groups with more than phrases: statements about issues, and the value of no deal."""

COMPARISONS = (Relation.GREATER, Relation.LESS, Relation.EQUAL)
"""Relations that need a second issue."""

POINTS_PATTERN = re.compile(r"[+-]?\d+([.,]\d{1,2})?", re.ASCII)
MAX_POINTS_LENGTH = 24
"""Maximum length of typed text that a sentence quotes, in characters."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Sentence that is sent by one press.

    Args:
        text: Text in the window's language.
        subtype: Subtype of the message.
        unavailable_reason: Reason why it makes no sense now; empty if it does.
    """

    text: str
    subtype: MessageSubtype
    unavailable_reason: str = ""

    @property
    def message(self) -> Message:
        """Message to send."""
        return Message(self.text, self.subtype)


@dataclass(frozen=True, slots=True)
class PhraseGroup:
    """Group of phrases; ``name`` is the same in every language."""

    name: str
    title: str
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class PhrasesView:
    """View of the menu.

    Args:
        groups: Groups of phrases.
        issues: Name and title of each issue.
        no_deal: Points that no deal gives the participant now; None if unknown.
        can_talk: Whether messages can be sent now.
    """

    groups: tuple[PhraseGroup, ...]
    issues: tuple[tuple[str, str], ...]
    no_deal: float | None
    can_talk: bool


@dataclass(frozen=True, slots=True)
class PreferenceStatement:
    """State of the preference builder; always a valid sentence.

    Args:
        issues: Names of all issues of the game.
        first: First issue.
        relation: Relation between the issues.
        second: Issue for comparison; equal to ``first`` if the game has only one issue.
    """

    issues: tuple[str, ...]
    first: str
    relation: Relation
    second: str

    @classmethod
    def default_for(cls, issues: tuple[str, ...]) -> PreferenceStatement:
        """Return the builder's initial state: the first two issues, or the only one by itself."""
        relation = relations_for(len(issues))[0]
        return cls(issues, issues[0], relation, issues[1] if len(issues) > 1 else issues[0])

    @property
    def has_second_issue(self) -> bool:
        """Whether the second issue is part of the sentence."""
        return self.relation in COMPARISONS

    def with_first(self, name: str) -> PreferenceStatement:
        """Return the state with another first issue; if it was the second, the two are exchanged."""
        return replace(self, first=name, second=self.first if name == self.second else self.second)

    def with_second(self, name: str) -> PreferenceStatement:
        """Return the state with another second issue; if it was the first, the two are exchanged."""
        return replace(self, second=name, first=self.second if name == self.first else self.first)

    def with_relation(self, relation: Relation) -> PreferenceStatement:
        """Return the state with another relation; the second issue is kept for later."""
        return replace(self, relation=relation)

    def preference(self, *, is_question: bool) -> Preference:
        """Return the stated or requested preference."""
        return Preference(
            self.first, self.relation, self.second if self.has_second_issue else None, is_question
        )


@dataclass(frozen=True, slots=True)
class ParsedPoints:
    """Typed number of points.

    Args:
        points: The number; None if there is none or it cannot be stated.
        problem: Sentence about an invalid number; empty if it is valid or nothing was typed.
    """

    points: float | None = None
    problem: str = ""


def phrases_view(
    game: GameSpec, translate: Language, *, their_offer: bool, no_deal: float | None, can_talk: bool
) -> PhrasesView:
    """Return the menu of a game; ``their_offer``: whether another side's offer is on the table."""
    issues = tuple((issue.name, translate.translate_plugin_text(issue.title)) for issue in game.issues)
    return PhrasesView(phrase_groups(translate, their_offer=their_offer), issues, no_deal, can_talk)


def phrase_groups(translate: Language, *, their_offer: bool) -> tuple[PhraseGroup, ...]:
    """Return all phrases, in the order in which a first negotiation needs them."""
    return (
        _preferences_group(translate),
        _no_deal_group(translate),
        _offers_group(
            translate, "" if their_offer else translate("The other side has no offer on the table now.")
        ),
        _favours_group(translate),
        _friendly_group(translate),
        _firm_group(translate),
        _progress_group(translate),
        _small_talk_group(translate),
    )


def _preferences_group(translate: Language) -> PhraseGroup:
    phrases = (
        Phrase(translate("What do you care about most?"), M.PREF_REQUEST),
        Phrase(translate("What do you care about least?"), M.PREF_REQUEST),
        Phrase(translate("I'd rather not say what matters to me."), M.PREF_WITHHOLD),
    )
    return PhraseGroup(PREFERENCES_GROUP, translate("What matters"), phrases)


def _no_deal_group(translate: Language) -> PhraseGroup:
    phrases = (
        Phrase(translate("What do you get if we don't reach a deal?"), M.BATNA_REQUEST),
        Phrase(translate("How many points do you need at least?"), M.BATNA_REQUEST),
    )
    return PhraseGroup(NO_DEAL_GROUP, translate("Without a deal"), phrases)


def _offers_group(translate: Language, why_not: str) -> PhraseGroup:
    phrases = (
        Phrase(translate("What would you suggest? Please send me an offer."), M.OFFER_REQUEST_POS),
        Phrase(translate("I've got an idea. I'm putting an offer together."), M.OFFER_PROPOSE),
        Phrase(translate("I like it, but I'm not ready to commit."), M.OFFER_ACCEPT, why_not),
        Phrase(translate("That doesn't work for me as it stands."), M.OFFER_REJECT, why_not),
    )
    return PhraseGroup("offers", translate("Offers"), phrases)


def _favours_group(translate: Language) -> PhraseGroup:
    phrases = (
        Phrase(translate("Could you do me a favour this time?"), M.FAVOR_REQUEST),
        Phrase(translate("Yes, I'll do you that favour."), M.FAVOR_ACCEPT),
        Phrase(translate("I'm afraid I can't do you that favour."), M.FAVOR_REJECT),
        Phrase(translate("You did me a favour, so here's one in return."), M.FAVOR_RETURN),
        Phrase(translate("If you help me now, I promise I'll make it up to you."), M.PROMISE),
    )
    return PhraseGroup("favours", translate("Favours"), phrases)


def _friendly_group(translate: Language) -> PhraseGroup:
    phrases = (
        Phrase(translate("Let's split everything evenly."), M.GENERIC_POS),
        Phrase(translate("Let's each get what matters most to us."), M.GENERIC_POS),
        Phrase(
            translate("Let's keep trying: I'm sure there's a deal that's good for both of us."), M.GENERIC_POS
        ),
        Phrase(translate("I'd be glad if you were a little fairer to me."), M.GENERIC_POS),
        Phrase(translate("I'd love to hear an offer from you."), M.OFFER_REQUEST_POS),
        Phrase(translate("I'd hate to, but I may have to walk away."), M.THREAT_POS),
    )
    return PhraseGroup("friendly", translate("Friendly"), phrases)


def _firm_group(translate: Language) -> PhraseGroup:
    phrases = (
        Phrase(translate("Split it evenly. I won't take less than half."), M.GENERIC_NEG),
        Phrase(translate("You can't have it all. Each of us gets what matters most to us."), M.GENERIC_NEG),
        Phrase(translate("You're not even trying to find a deal that works for me."), M.GENERIC_NEG),
        Phrase(translate("You're being unfair, and I don't like it."), M.GENERIC_NEG),
        Phrase(translate("I've waited long enough. Make me an offer now."), M.OFFER_REQUEST_NEG),
        Phrase(translate("Do better, or I walk away."), M.THREAT_NEG),
        Phrase(translate("I don't need this deal. It has to be worth it to me."), M.THREAT),
    )
    return PhraseGroup("firm", translate("Firm"), phrases)


def _progress_group(translate: Language) -> PhraseGroup:
    phrases = (
        Phrase(translate("I'm happy with how this is going."), M.GENERIC_POS),
        Phrase(translate("I'm not happy with how this is going."), M.GENERIC_NEG),
        Phrase(translate("That doesn't fit what you said before."), M.CONFUSION),
        Phrase(translate("I'm thinking. Please give me a moment."), M.TIMING_INFO),
        Phrase(translate("Do you need more time to think?"), M.TIMING_REQUEST),
        Phrase(translate("Let's wrap this up."), M.TIMING),
    )
    return PhraseGroup("so_far", translate("Progress and time"), phrases)


def _small_talk_group(translate: Language) -> PhraseGroup:
    phrases = (
        Phrase(translate("Hello! I'm looking forward to negotiating with you."), M.GREETING),
        Phrase(translate("Thank you."), M.THANKS),
        Phrase(translate("I'm sorry."), M.APOLOGY),
        Phrase(translate("All right, I understand."), M.CONFIRMATION),
        Phrase(translate("Let me put it more clearly."), M.CLARIFICATION),
        Phrase(translate("It was a pleasure. Goodbye!"), M.FAREWELL),
    )
    return PhraseGroup("everyday", translate("Small talk"), phrases)


def relations_for(issues: int) -> tuple[Relation, ...]:
    """Return the relations possible with a number of issues; comparisons need at least two."""
    return (*COMPARISONS, Relation.BEST, Relation.WORST) if issues > 1 else (Relation.BEST, Relation.WORST)


def relation_words(relation: Relation, translate: Language) -> str:
    """Return the words for a relation between the builder's two issues."""
    match relation:
        case Relation.GREATER:
            return translate("more than")
        case Relation.LESS:
            return translate("less than")
        case Relation.EQUAL:
            return translate("as much as")
        case Relation.BEST:
            return translate("most of all")
        case Relation.WORST:
            return translate("least of all")


def preference_message(preference: Preference, titles: Mapping[str, str], translate: Language) -> Message:
    """Return a message about a preference, worded for both one thing and many: salary, bananas.

    Args:
        preference: The preference, stated or requested.
        titles: Displayed titles by issue name.
        translate: Translation into the window's language.

    Raises:
        Refused: If an issue is unknown, or is compared with nothing or with itself.
    """
    second = preference.issue2
    if preference.relation in COMPARISONS and (second is None or second == preference.issue1):
        raise Refused(translate("Choose two different things to compare."))
    if any(name not in titles for name in (preference.issue1, *((second,) if second is not None else ()))):
        raise Refused(translate("Choose what is negotiated in this game."))
    # Titles are data and may contain braces, so they are passed as values.
    names = {
        "first": title_in_sentence(titles[preference.issue1], translate),
        "second": title_in_sentence(titles[second], translate) if second is not None else "",
    }
    if preference.is_question:
        return Message(_question(preference.relation, names, translate), M.PREF_SPECIFIC_REQUEST, preference)
    return Message(_statement(preference.relation, names, translate), M.PREF_INFO, preference)


def _statement(relation: Relation, names: Mapping[str, str], translate: Language) -> str:
    match relation:
        case Relation.GREATER:
            return translate("I care more about {first} than about {second}.", **names)
        case Relation.LESS:
            return translate("I care less about {first} than about {second}.", **names)
        case Relation.EQUAL:
            return translate("I care as much about {first} as about {second}.", **names)
        case Relation.BEST:
            return translate("I care most about {first}.", **names)
        case Relation.WORST:
            return translate("I care least about {first}.", **names)


def _question(relation: Relation, names: Mapping[str, str], translate: Language) -> str:
    match relation:
        case Relation.GREATER:
            return translate("Do you care more about {first} than about {second}?", **names)
        case Relation.LESS:
            return translate("Do you care less about {first} than about {second}?", **names)
        case Relation.EQUAL:
            return translate("Do you care as much about {first} as about {second}?", **names)
        case Relation.BEST:
            return translate("Do you care most about {first}?", **names)
        case Relation.WORST:
            return translate("Do you care least about {first}?", **names)


def batna_message(points: float, translate: Language) -> Message:
    """Return a message that states the sender's value of no deal.

    Raises:
        Refused: If the number is outside the session's limits.
    """
    # In this form the comparison is also false for NaN.
    if not abs(points) <= MAX_STATED_POINTS:
        raise Refused(_too_large(translate))
    text = translate.plural(
        "Without a deal I get {n} point.",
        "Without a deal I get {n} points.",
        points,
        n=translate.localize_number(points_entry_text(points)),
    )
    return Message(text, M.BATNA_INFO, batna=points)


def points_entry_text(points: float) -> str:
    """Return points as shown in the field, to two decimals: ``12``, ``2.5``."""
    return f"{number_from_decimal(round(Decimal(str(points)), 2))}"


def parse_points(text: str, own: float | None, translate: Language) -> ParsedPoints:
    """Parse typed points; the own value, unchanged from the field, gives exactly the own value."""
    bare = "".join(text.split()).replace("\N{MINUS SIGN}", "-")
    if not bare:
        return ParsedPoints()
    if own is not None and bare == points_entry_text(own):
        return ParsedPoints(own)
    if not POINTS_PATTERN.fullmatch(bare):
        typed = text.strip()[:MAX_POINTS_LENGTH]
        return ParsedPoints(
            problem=translate("“{typed}” isn’t a number of points, such as 12 or 7.5.", typed=typed)
        )
    points = Decimal(bare.replace(",", "."))
    if abs(points) > MAX_STATED_POINTS:
        return ParsedPoints(problem=_too_large(translate))
    return ParsedPoints(number_from_decimal(points))


def _too_large(translate: Language) -> str:
    return translate("The points can be from -{most} to {most}.", most=f"{MAX_STATED_POINTS:,}")
