"""State of the clause parser within a sentence: subject, receiver, verb and modifiers."""

from __future__ import annotations

from dataclasses import dataclass, field

from negoplatform.language.parsing.grammar.allocation_claim_types import Claim, DialogueParty, Verb
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.words.lexical_tagger import Tag

OPENS_LIST = frozenset(
    {Tag.END, Tag.SEP, Tag.AND, Tag.ABOUT, Tag.I_DO, Tag.SO, Tag.OR, Tag.EXCHANGE, Tag.IF, Tag.NOT, Tag.DO}
)
"""Tags after which a list of amounts may begin."""
EXPLICIT_CONFIDENCE = 1.0
"""Confidence in a receiver that is named."""
ELLIPSIS_CONFIDENCE = 0.85
"""Confidence in a receiver whose pronoun was left out."""
REASON_CONFIDENCE = 0.91
"""Maximum confidence in a claim that is given as a reason: "because you get 2"."""
UNCOUNTED_REASON_CONFIDENCE = 0.7
"""The same without a number: "because you have the water"."""
ULTIMATUM_CONFIDENCE = 0.85
"""Maximum confidence in an ultimatum that does not mention walking away."""
CONFLICTING_LIST_CONFIDENCE = 0.85
"""Maximum confidence where a list continues after "for me" but its verb names another receiver."""
CONTINUED_LIST_CONFIDENCE = 0.92
"""Confidence in the continuation of such a list where no verb names another receiver."""
POSSIBILITY_CONFIDENCE = 0.92
"""Confidence in an unnamed receiver in a question: "would it be possible to get 2?"."""
SUFFICIENCY_CONFIDENCE = 0.92
"""Confidence that an amount which is asked to be enough is the other's."""
_CONNECTS = frozenset({Tag.SEP, Tag.AND, Tag.OR, Tag.FOR, Tag.EXCHANGE, Tag.ABOUT, Tag.I_DO})
_WIDENS_GAP = frozenset(
    {
        Tag.WORD,
        Tag.TOPIC,
        Tag.VALUE,
        Tag.FIGURE,
        Tag.NEUTRAL,
        Tag.UNIT,
        Tag.SOME,
        Tag.FEWER,
        Tag.ABOUT,
        Tag.OTHERS,
        Tag.REPORT,
        Tag.PART,
        Tag.THIRDS,
        Tag.SEAT,
    }
)
_ENDS_NEGATION = frozenset({Tag.IF, Tag.BUT, Tag.EXCEPT, Tag.SO, Tag.ABOUT, Tag.I_DO})
"""Tags that end a negation."""
_TAG_FLAGS = {
    Tag.DENY: ("denied",),
    Tag.IF: ("conditional", "supposed", "modal"),
    Tag.REASON: ("reason",),
    Tag.REPORT: ("told",),
    Tag.SOMEONE: ("elsewhere",),
    Tag.ABOUT: ("proposed", "modal"),
    Tag.I_DO: ("proposed", "modal", "own"),
    Tag.MODAL: ("modal",),
    Tag.LET: ("letting", "modal"),
    Tag.EACH: ("each",),
    Tag.BOTH: ("each",),
    Tag.REFUSE: ("refused",),
}


@dataclass(slots=True)
class ClauseState:
    """State of the parser within a sentence.

    Args:
        subject: The subject of the verb.
        receiver: The receiver of the amounts that follow.
        verb: The verb that governs them.
        confidence: How explicitly the receiver is stated, 0 to 1.
        flipped: Whether what follows is behind "for", as the return for something.
        negated: Whether the verb is negated, until the next clause.
        denied: Whether all that follows is denied: "I do not agree to".
        told: Whether the sentence reports something said or done.
        reason: Whether it states a reason.
        conditional: Whether it contains a condition.
        proposed: Whether it opens as a proposal.
        modal: Whether it is hypothetical, so that "have" means to get.
        letting: Whether it asks to let someone act: "let me have".
        refused: Whether it mentions walking away.
    """

    subject: DialogueParty = DialogueParty.UNSPECIFIED
    receiver: DialogueParty = DialogueParty.UNSPECIFIED
    verb: Verb = Verb.NONE
    confidence: float = EXPLICIT_CONFIDENCE
    flipped: bool = False
    negated: bool = False
    denied: bool = False
    told: bool = False
    reason: bool = False
    conditional: bool = False
    proposed: bool = False
    modal: bool = False
    letting: bool = False
    refused: bool = False
    reason_has_verb: bool = False
    """Whether the reason already has its verb."""
    each: bool = False
    own: bool = False
    """Whether the speaker names what they could do: "I can do 2 food and 1 water"."""
    elsewhere: bool = False
    """Whether the subject is a person who is not at the table."""
    option: int = 0
    list_start: int = 0
    """The index behind the last sign or word after which a list may begin."""
    gap: int = 0
    """The number of unknown words since the verb or the amount before."""
    reason_comes_first: bool = False
    """Whether the sentence begins with its reason: the next pronoun begins the consequence."""
    supposed: bool = False
    """Whether the condition itself continues: "if you get 2"."""
    stale: bool = False
    """Whether another person was named, without a verb, since the verb that determines the receiver."""
    recent_claims: list[Claim] = field(default_factory=list)
    """The claims since the last change of receiver, to which a following "for me" refers."""

    def assign_receiver(self, who: DialogueParty, verb: Verb, sure: float = EXPLICIT_CONFIDENCE) -> None:
        """Set the receiver and verb of the amounts that follow."""
        self.receiver, self.verb, self.confidence = who, verb, sure
        self.reason_has_verb = self.reason
        self.flipped = self.letting = self.stale = False
        self.gap = 0
        self.recent_claims = []

    def apply_tag(self, tag: Tag, at: int) -> None:
        """Apply the effect of a word on what follows it.

        Args:
            tag: The tag of the word.
            at: Its index among the spans.
        """
        if tag in OPENS_LIST:
            self.list_start = at + 1
        if tag in _CONNECTS and any(
            claim.amount.quantifier in (Quantifier.COUNT, Quantifier.ALL) for claim in self.recent_claims[-1:]
        ):
            self.gap = 0
        if tag in _WIDENS_GAP:
            self.gap += 1
        if tag in _ENDS_NEGATION:
            self.negated = self.denied = False
        if tag in (Tag.SEP, Tag.SO):
            self.supposed = False
        if tag in (Tag.SEP, Tag.IF) and self.reason_has_verb:
            self.reason = False
        for name in _TAG_FLAGS.get(tag, ()):
            setattr(self, name, True)
        if tag in (Tag.BUT, Tag.EXCEPT, Tag.SO, Tag.ABOUT, Tag.I_DO):
            self.reason = False
        if tag in (Tag.ABOUT, Tag.I_DO):
            self.told = False
            self.assign_receiver(DialogueParty.UNSPECIFIED, Verb.NONE)
        if tag in (Tag.LET, Tag.SO):
            self.recent_claims = []
        if tag == Tag.WITHOUT:
            self.negated = not self.negated
