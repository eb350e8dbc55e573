"""A sentence as far as it is read: who does what, and how what follows is meant."""

from __future__ import annotations

from dataclasses import dataclass, field

from negoplatform.language.parsing.grammar.claims import Claim, DialogueParty, Verb
from negoplatform.language.parsing.grammar.quantifiers import Quantifier
from negoplatform.language.parsing.tagger import Tag

OPENS_LIST = frozenset(
    {Tag.END, Tag.SEP, Tag.AND, Tag.ABOUT, Tag.I_DO, Tag.SO, Tag.OR, Tag.EXCHANGE, Tag.IF, Tag.NOT, Tag.DO}
)
"""A list of amounts may begin behind these."""
EXPLICIT_CONFIDENCE = 1.0
"""How sure a receiver is who is named."""
ELLIPSIS_CONFIDENCE = 0.85
"""How sure a receiver is where the pronoun was left out."""
REASON_CONFIDENCE = 0.91
"""How sure a claim is that is told as a reason: "because you get 2"."""
UNCOUNTED_REASON_CONFIDENCE = 0.7
"""The same without a number: "because you have the water"."""
ULTIMATUM_CONFIDENCE = 0.85
"""How sure one is that is told as what must not fail, without a word of walking away."""
CONFLICTING_LIST_CONFIDENCE = 0.85
"""The same where a list goes on after "for me", and the verb before says another."""
CONTINUED_LIST_CONFIDENCE = 0.92
"""The same where no verb says another."""
POSSIBILITY_CONFIDENCE = 0.92
"""The same in a question: "would it be possible to get 2?"."""
SUFFICIENCY_CONFIDENCE = 0.92
"""How sure it is that what is asked to be enough is the other's."""
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
"""After these a negation is over."""
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
    """Where the reading of a sentence stands.

    Args:
        subject: Who does what the verb says.
        receiver: Who gets the amounts that follow.
        verb: How the amounts are meant.
        confidence: How plainly the receiver is said, 0 to 1.
        flipped: Whether the words stand behind "for": what is got for something.
        negated: Whether the verb is denied, until the next clause.
        denied: Whether all that follows is: "I do not agree to".
        told: Whether it is a tale of what was said or done.
        reason: Whether it is why, not what.
        conditional: Whether there is a condition.
        proposed: Whether it opens as a proposal.
        modal: Whether something may or would be, so that "have" is to get.
        letting: Whether somebody is to be let: "let me have".
        refused: Whether somebody would walk away.
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
    """Whether a reason has its verb."""
    each: bool = False
    own: bool = False
    """Whether the speaker says what they would do: "I can do 2 food and 1 water"."""
    elsewhere: bool = False
    """Whether somebody is spoken of who does not sit at the table."""
    option: int = 0
    list_start: int = 0
    """The index behind the last sign or word that a list may begin after."""
    gap: int = 0
    """Words since the verb or the amount before."""
    reason_comes_first: bool = False
    """Whether the sentence begins with its reason: what the next pronoun does is what follows from it."""
    supposed: bool = False
    """Whether what follows stands in the condition itself: "if you get 2"."""
    stale: bool = False
    """Whether somebody else was named since the verb that says who gets what, and no verb with them."""
    recent_claims: list[Claim] = field(default_factory=list)
    """The claims since the last change of receiver: what "for me" behind them is about."""

    def assign_receiver(self, who: DialogueParty, verb: Verb, sure: float = EXPLICIT_CONFIDENCE) -> None:
        """From here on somebody gets what is named."""
        self.receiver, self.verb, self.confidence = who, verb, sure
        self.reason_has_verb = self.reason
        self.flipped = self.letting = self.stale = False
        self.gap = 0
        self.recent_claims = []

    def apply_tag(self, tag: Tag, at: int) -> None:
        """What a word changes in how what follows it is meant.

        Args:
            tag: What the word does.
            at: Its index among the pieces.
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
