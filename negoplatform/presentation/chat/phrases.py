"""Phrases for participants.

Every message subtype has a phrase here, except GENERIC for typed text, and PREF_INFO,
PREF_SPECIFIC_REQUEST and BATNA_INFO, which are built from issues or a number. The menu never changes, so that
a phrase keeps its place; one that makes no sense now is shown disabled. This applies only to answers to an
offer while the other side has no offer on the table.
"""

from __future__ import annotations

from dataclasses import dataclass

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.i18n import Language

M = MessageSubtype


PREFERENCES_GROUP, NO_DEAL_GROUP = "matters", "no_deal"
"""Groups with more than phrases: statements about issues, and the value of no deal."""

SMALL_TALK_GROUP = "everyday"
"""Group of phrases that fit every kind of game."""


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
        groups: Groups of phrases; at least one.
        issues: Name and title of each issue.
        no_deal: Points that no deal gives the participant now; None if unknown.
        can_talk: Whether messages can be sent now.
        hint: What pressing a phrase does.
    """

    groups: tuple[PhraseGroup, ...]
    issues: tuple[tuple[str, str], ...]
    no_deal: float | None
    can_talk: bool
    hint: str = ""


def phrases_view(
    game: GameSpec, translate: Language, *, their_offer: bool, no_deal: float | None, can_talk: bool
) -> PhrasesView:
    """Return the menu of a game; ``their_offer``: whether another side's offer is on the table."""
    issues = tuple((issue.name, translate.translate_plugin_text(issue.title)) for issue in game.issues)
    groups = phrase_groups(translate, their_offer=their_offer, several=len(game.seats) > 2)
    hint = translate("Sent as a message, not as an offer.")
    return PhrasesView(groups, issues, no_deal, can_talk, hint)


def phrase_groups(
    translate: Language, *, their_offer: bool, several: bool = False
) -> tuple[PhraseGroup, ...]:
    """Return all phrases, in the order in which a first negotiation needs them.

    ``several``: whether there are several others.
    """
    if their_offer:
        why_not = ""
    elif several:
        why_not = translate("None of the others has an offer on the table now.")
    else:
        why_not = translate("The other side has no offer on the table now.")
    return (
        _preferences_group(translate),
        _no_deal_group(translate),
        _offers_group(translate, why_not),
        _favours_group(translate),
        _friendly_group(translate, several=several),
        _firm_group(translate, several=several),
        *common_groups(translate),
    )


def common_groups(translate: Language, *, trades: bool = False) -> tuple[PhraseGroup, ...]:
    """Return the phrases that make sense in every kind of game; ``trades``: whether goods are traded."""
    return _progress_group(translate), _small_talk_group(translate, trades=trades)


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


def _friendly_group(translate: Language, *, several: bool) -> PhraseGroup:
    keep_trying = (
        translate("Let's keep trying: I'm sure there's a deal that's good for all of us.")
        if several
        else translate("Let's keep trying: I'm sure there's a deal that's good for both of us.")
    )
    phrases = (
        Phrase(translate("Let's split everything evenly."), M.GENERIC_POS),
        Phrase(translate("Let's each get what matters most to us."), M.GENERIC_POS),
        Phrase(keep_trying, M.GENERIC_POS),
        Phrase(translate("I'd be glad if you were a little fairer to me."), M.GENERIC_POS),
        Phrase(translate("I'd love to hear an offer from you."), M.OFFER_REQUEST_POS),
        Phrase(translate("I'd hate to, but I may have to walk away."), M.THREAT_POS),
    )
    return PhraseGroup("friendly", translate("Friendly"), phrases)


def _firm_group(translate: Language, *, several: bool) -> PhraseGroup:
    my_share = (
        translate("Split it evenly. I won't take less than my share.")
        if several
        else translate("Split it evenly. I won't take less than half.")
    )
    phrases = (
        Phrase(my_share, M.GENERIC_NEG),
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


def _small_talk_group(translate: Language, *, trades: bool) -> PhraseGroup:
    hello = (
        translate("Hello! I'm looking forward to trading with you.")
        if trades
        else translate("Hello! I'm looking forward to negotiating with you.")
    )
    phrases = (
        Phrase(hello, M.GREETING),
        Phrase(translate("Thank you."), M.THANKS),
        Phrase(translate("I'm sorry."), M.APOLOGY),
        Phrase(translate("All right, I understand."), M.CONFIRMATION),
        Phrase(translate("Let me put it more clearly."), M.CLARIFICATION),
        Phrase(translate("It was a pleasure. Goodbye!"), M.FAREWELL),
    )
    return PhraseGroup(SMALL_TALK_GROUP, translate("Small talk"), phrases)
