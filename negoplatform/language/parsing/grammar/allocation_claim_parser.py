"""Clause parser: assigns the amounts of a sentence to the parties that get them, from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from negoplatform.language.parsing.grammar.allocation_claim_types import (
    Claim,
    DialogueParty,
    Verb,
    tail_without_repeats,
)
from negoplatform.language.parsing.grammar.amount_phrases import Amount, Quantifier, amount_at
from negoplatform.language.parsing.grammar.clause_cursor import ClauseCursor
from negoplatform.language.parsing.grammar.clause_state import (
    CONFLICTING_LIST_CONFIDENCE,
    CONTINUED_LIST_CONFIDENCE,
    ELLIPSIS_CONFIDENCE,
    EXPLICIT_CONFIDENCE,
    OPENS_LIST,
    POSSIBILITY_CONFIDENCE,
    REASON_CONFIDENCE,
    SUFFICIENCY_CONFIDENCE,
    ULTIMATUM_CONFIDENCE,
    UNCOUNTED_REASON_CONFIDENCE,
    ClauseState,
)
from negoplatform.language.parsing.words.lexical_tagger import Tag, TaggedSpan

_PRONOUN_PARTIES = {
    Tag.SPEAKER: DialogueParty.SPEAKER,
    Tag.OTHER: DialogueParty.OTHER,
    Tag.WE: DialogueParty.BOTH,
    Tag.EACH_OF_US: DialogueParty.BOTH,
    Tag.US: DialogueParty.SPEAKER,
}
_OWNER_PARTIES = {
    Tag.MINE: DialogueParty.SPEAKER,
    Tag.IS_MINE: DialogueParty.SPEAKER,
    Tag.YOURS: DialogueParty.OTHER,
    Tag.IS_YOURS: DialogueParty.OTHER,
}
_TAG_VERBS = {
    Tag.GET: Verb.GET,
    Tag.HAVE: Verb.GET,
    Tag.TOOK: Verb.GET,
    Tag.NEED: Verb.NEED,
    Tag.WANT: Verb.WANT,
    Tag.HAVE_GOT: Verb.HAVE,
}
_GIVING = frozenset({Tag.GIVE, Tag.SHARE, Tag.TRADE, Tag.LEAVE, Tag.LEAVING, Tag.GAVE})
_ENDS_CLAUSE = frozenset(
    {Tag.SEP, Tag.AND, Tag.IF, Tag.SO, Tag.BUT, Tag.EXCEPT, Tag.END, Tag.OR, Tag.ABOUT, Tag.I_DO, Tag.REASON}
)


def extract_claims(spans: Sequence[TaggedSpan]) -> tuple[Claim, ...]:
    """Return the claims of a text in the order of the words."""
    parser = _ClaimParser(spans)
    parser.parse()
    return tuple(parser.claims)


class _ClaimParser(ClauseCursor):
    """Parser that reads the spans from left to right."""

    def __init__(self, spans: Sequence[TaggedSpan]) -> None:
        super().__init__(spans)
        self._sentence_claims_start = 0
        self._is_dividing = False

    def parse(self) -> None:
        """Parse all spans."""
        while self._position < len(self._spans):
            amount = amount_at(self._spans, self._position)
            if amount is not None:
                self._add_claim(amount)
                self._position = max(amount.end, self._position + 1)
            else:
                self._handle_tag(self._spans[self._position])
                self._position += 1

    def _add_claim(self, amount: Amount) -> None:
        clause = self._clause
        before = self._tag(-1)
        if before == Tag.COMPARE or (before == Tag.LESS and not clause.negated):
            return
        if clause.each and clause.receiver == DialogueParty.BOTH:
            amount = replace(amount, each=True)  # "We each get 1"
        named = amount.issue and amount.quantifier in (Quantifier.DEFINITE, Quantifier.BARE, Quantifier.ALL)
        if self._is_dividing and amount.of_each and not named:
            return  # "We need to divide 3 of each"
        far = clause.gap > (
            3 if amount.issue and amount.quantifier in (Quantifier.COUNT, Quantifier.ALL) else 0
        )
        receiver, verb = (DialogueParty.UNSPECIFIED, Verb.NONE) if far else (clause.receiver, clause.verb)
        if (
            amount.each
            and amount.quantifier == Quantifier.BARE
            and clause.recent_claims
            and receiver in (DialogueParty.SPEAKER, DialogueParty.OTHER)
        ):
            amount = replace(amount, each=False)  # "I take 1 food and water each": of each of them
        claim = self._claim(amount, DialogueParty.BOTH if amount.each else receiver, verb)
        self.claims.append(claim)
        clause.recent_claims.append(claim)
        clause.gap = 0

    def _claim(self, amount: Amount, receiver: DialogueParty, verb: Verb) -> Claim:
        """Return the claim that the clause makes of an amount at the current position."""
        clause, before = self._clause, self._tag(-1)
        # "If I cannot get 2" asks for 2.
        ultimatum = clause.conditional and receiver in (DialogueParty.SPEAKER, DialogueParty.OTHER)
        negated = (clause.negated and not ultimatum) or clause.denied or before == Tag.NOT
        least = negated and before == Tag.LESS  # "I cannot do with less than 2": 2, or more
        negated = negated and not least
        told = clause.told or clause.elsewhere or self._is_dividing
        claim = Claim(amount, receiver, verb, negated, told)
        claim.ultimatum = ultimatum and clause.negated
        claim.conditional, claim.proposed, claim.option = clause.conditional, clause.proposed, clause.option
        claim.flipped, claim.confidence, claim.gap = clause.flipped, clause.confidence, clause.gap
        claim.supposed, claim.own = clause.supposed, clause.own
        claim.either = Tag.OR in (before, self._tag(amount.end - self._position))
        claim.stale = (clause.stale and receiver == clause.receiver) or self._gives_receivers_own(claim)
        claim.loose = not self._opens_list(before, bool(amount.issue))
        if least:
            claim.confidence = min(claim.confidence, ULTIMATUM_CONFIDENCE)
        bounds = {span.bound for span in self._spans[amount.start : amount.end]}
        claim.floor = Tag.AT_LEAST in bounds
        claim.ceiling = Tag.AT_MOST in bounds
        if clause.reason:
            counted = amount.quantifier in (Quantifier.COUNT, Quantifier.ALL)
            claim.confidence = min(
                claim.confidence, REASON_CONFIDENCE if counted else UNCOUNTED_REASON_CONFIDENCE
            )
        return claim

    def _handle_tag(self, span: TaggedSpan) -> None:
        """Apply a span that is not part of an amount."""
        match span.tag:
            case Tag.END:
                self._end_sentence(span)
            case Tag.SPEAKER | Tag.OTHER | Tag.WE | Tag.US | Tag.EACH_OF_US:
                self._handle_pronoun(_PRONOUN_PARTIES[span.tag])
                self._clause.each = self._clause.each or span.tag == Tag.EACH_OF_US
            case Tag.MINE | Tag.YOURS:
                self._handle_possessive(_OWNER_PARTIES[span.tag])
            case Tag.IS_MINE | Tag.IS_YOURS:
                self._handle_ownership(_OWNER_PARTIES[span.tag])
            case Tag.GET | Tag.HAVE | Tag.NEED | Tag.WANT | Tag.HAVE_GOT | Tag.TOOK:
                self._handle_get(span.tag)
            case Tag.GIVE | Tag.TRADE | Tag.LEAVE | Tag.LEAVING | Tag.GAVE:
                self._handle_give(span.tag)
            case Tag.FOR | Tag.EXCHANGE:
                self._handle_exchange(span.tag)
            case Tag.SAME:
                self._handle_same()
            case Tag.SHARE if self._gives_away():
                self._handle_give(Tag.GIVE)
            case Tag.SPLIT | Tag.SHARE:
                self._is_dividing = True
            case Tag.EVENLY:
                pass  # Names no receiver.
            case Tag.WITH | Tag.DO | Tag.SUFFICE:
                self._handle_context_dependent(span.tag)
            case _:
                self._handle_modifier(span.tag)

    def _handle_context_dependent(self, tag: Tag) -> None:
        """Apply a word that determines a receiver in some contexts only."""
        if tag == Tag.WITH and self._tag(-1) == Tag.I_DO:
            self._clause.subject = DialogueParty.SPEAKER
            self._handle_get(Tag.GET)  # "I can do with 2 food"
        elif tag == Tag.DO and self._is_asked_in_return():
            self._clause.assign_receiver(DialogueParty.SPEAKER, Verb.GIVE)
        elif tag == Tag.SUFFICE and self._is_question():
            self._handle_sufficiency()
        else:
            self._handle_modifier(tag)

    def _handle_modifier(self, tag: Tag) -> None:
        """Apply a word that modifies what follows."""
        clause = self._clause
        supposed = clause.supposed and tag == Tag.SEP and self._next_amount() is not None
        clause.apply_tag(tag, self._position)
        clause.supposed = clause.supposed or supposed  # A list continues.
        match tag:
            case Tag.NOT if self._next_amount() is None:
                clause.negated = True
                self._negate_preceding()
            case Tag.REASON:
                clause.reason_comes_first = self._position <= self._sentence_start + 1
            case Tag.DENY:
                self._negate_preceding()
            case Tag.REFUSE:
                for claim in self.claims[self._sentence_claims_start :]:
                    claim.negated = claim.negated or (clause.conditional and not claim.ultimatum)
            case Tag.OR:
                self._handle_alternative()
            case _:
                pass

    def _negate_preceding(self) -> None:
        """Negate what precedes, unless it is asked: "All the wood will not work"."""
        clause = self._clause
        if clause.verb != Verb.NONE or clause.reason or self._tag(-1) in OPENS_LIST or self._is_question():
            return
        for claim in clause.recent_claims:
            claim.negated = True

    def _end_sentence(self, span: TaggedSpan) -> None:
        for claim in self.claims[self._sentence_claims_start :]:
            claim.asked = span.question
            claim.conditional = claim.conditional or self._clause.conditional
            if claim.ultimatum and not self._clause.refused:
                claim.confidence = min(claim.confidence, ULTIMATUM_CONFIDENCE)
        clause, said = self._clause, len(self.claims) > self._sentence_claims_start
        self._clause = ClauseState()
        if self._tag(-1) in (Tag.ABOUT, Tag.I_DO) and not said:
            self._clause.apply_tag(Tag.ABOUT, self._position)  # "How about ... I take 2"
        if (
            not said
            and clause.receiver != DialogueParty.UNSPECIFIED
            and self._position - self._sentence_start <= 2
        ):
            self._clause.assign_receiver(clause.receiver, clause.verb)  # "For me. 2 food …"
        self._sentence_claims_start, self._sentence_start = len(self.claims), self._position + 1
        self._is_dividing = False

    def _handle_pronoun(self, who: DialogueParty) -> None:
        """Apply a pronoun: the recipient, the beneficiary or the subject of what follows."""
        clause = self._clause
        clause.elsewhere = False
        before = self._tag(-1)
        if before in _GIVING and who != DialogueParty.BOTH:
            if (
                before == Tag.LEAVE
                and who == DialogueParty.OTHER
                and clause.subject == DialogueParty.UNSPECIFIED
            ):
                clause.negated = False  # "That would leave you with 1 food": the result of one's own offer
            clause.assign_receiver(who, Verb.GIVE)
        elif (
            before == Tag.GET and who in (DialogueParty.SPEAKER, DialogueParty.OTHER) and self._counts_next()
        ):
            clause.assign_receiver(who, Verb.GIVE)  # "I can get you 2 food"
        elif (
            before == Tag.WITH
            and clause.verb == Verb.GIVE
            and not clause.recent_claims
            and who != DialogueParty.BOTH
        ):
            clause.assign_receiver(who, Verb.GIVE)  # "I share with you 2 food"
        elif before in (Tag.FOR, Tag.TO) and not self._is_subject_of_next():
            self._assign_listed(who)
        elif self._receives_next(who):
            verb = Verb.GET if clause.verb in (Verb.NONE, Verb.GIVE) else clause.verb
            clause.assign_receiver(who, verb)
            clause.subject = who
        else:
            if before in _ENDS_CLAUSE:
                clause.negated = False
            if before == Tag.SEP:
                clause.denied = clause.reason = False
            elif (clause.reason_comes_first and clause.subject != DialogueParty.UNSPECIFIED) or (
                clause.reason_has_verb and (before == Tag.AND or self._tag(1) == Tag.MODAL)
            ):
                clause.reason = clause.told = False  # "Since you need more than I do I would …"
            if clause.supposed and clause.receiver != DialogueParty.UNSPECIFIED and self._tag(1) == Tag.MODAL:
                clause.supposed = False  # "If you like you can have 2"
            clause.stale = clause.receiver != DialogueParty.UNSPECIFIED and (
                who != clause.subject or before == Tag.IF
            )
            clause.subject = who

    def _handle_get(self, tag: Tag) -> None:
        clause = self._clause
        supposed, dreamt = clause.modal or clause.proposed or clause.letting, False
        if tag == Tag.TOOK:
            supposed = clause.conditional or clause.proposed
            dreamt = self._spans[self._sentence_start].tag == Tag.IF and not (
                clause.proposed or self._is_question()
            )
        if tag == Tag.HAVE and clause.subject != DialogueParty.UNSPECIFIED and self._tag(-2) != Tag.DO:
            supposed = supposed or self._is_question()  # "So I have 2 food?"
        if tag in (Tag.HAVE, Tag.TOOK) and not supposed:
            tag = Tag.HAVE_GOT
        sure, receiver = EXPLICIT_CONFIDENCE, clause.subject
        if receiver == DialogueParty.UNSPECIFIED:
            receiver, sure = (
                DialogueParty.SPEAKER,
                POSSIBILITY_CONFIDENCE if clause.modal and self._is_question() else ELLIPSIS_CONFIDENCE,
            )
            if self._opens_clause() and tag == Tag.GET and self._is_single():
                receiver, sure = DialogueParty.OTHER, 0.9  # "Take 2 food"; but "happy with 2 food"
        elif receiver == DialogueParty.BOTH and not clause.each:
            receiver, sure = DialogueParty.SPEAKER, 0.9  # "We will need 2 food": the speaker's people
        if tag == Tag.NEED and receiver == DialogueParty.OTHER:
            sure = 0.92
        self._is_dividing = False
        if dreamt:
            sure = min(sure, ULTIMATUM_CONFIDENCE)  # "If I had 2 food I would be happy"
        clause.assign_receiver(receiver, _TAG_VERBS[tag], sure)

    def _handle_give(self, tag: Tag) -> None:
        clause = self._clause
        sure, receiver = EXPLICIT_CONFIDENCE, clause.subject.opposite
        if clause.subject in (DialogueParty.UNSPECIFIED, DialogueParty.BOTH):
            receiver, sure = DialogueParty.OTHER, ELLIPSIS_CONFIDENCE
            opens = self._opens_clause() or self._tag(-1) == Tag.SEP
            if tag == Tag.GIVE and opens and self._is_single():
                receiver, sure = (
                    DialogueParty.SPEAKER,
                    0.9,
                )  # "Give 2 food"; "give up 2 food" may leave out an "I"
            if tag == Tag.LEAVE:
                clause.negated = True  # "That would leave me with 1 food": the result of the other's offer
        if tag == Tag.GAVE and not (clause.modal or clause.proposed):
            clause.told = True
        self._is_dividing = False
        clause.assign_receiver(receiver, Verb.GIVE, sure)

    def _handle_exchange(self, tag: Tag) -> None:
        """Reverse the direction for what follows: "2 food for 2 water"."""
        clause = self._clause
        amount = self._next_amount()
        given = [
            claim
            for claim in clause.recent_claims
            if claim.amount.quantifier not in (Quantifier.BARE, Quantifier.SOME)
        ]
        if amount is None or not (given or clause.receiver != DialogueParty.UNSPECIFIED):
            if tag == Tag.EXCHANGE:
                clause.receiver = clause.receiver.opposite
            return
        if (
            tag == Tag.FOR
            and amount.quantifier in (Quantifier.BARE, Quantifier.DEFINITE)
            and clause.verb not in (Verb.GIVE, Verb.NONE)
        ):
            return  # "I need water for the food": a purpose
        if tag == Tag.FOR and (
            clause.gap > 1 or not clause.recent_claims or (not given and clause.verb != Verb.GIVE)
        ):
            return
        clause.receiver = clause.receiver.opposite
        clause.flipped = not clause.flipped
        clause.gap = 0
        clause.recent_claims = []

    def _assign_listed(self, who: DialogueParty) -> None:
        """Assign a preceding list to a party: "2 food and 1 water for me"."""
        clause = self._clause
        if clause.reason:
            return  # "Since water matters to you"
        near = clause.gap <= (self._tag(0) in (Tag.MINE, Tag.YOURS))
        loosely = (Quantifier.BARE, Quantifier.SOME, Quantifier.DEFINITE)
        here = self._first_of_list() if near else len(clause.recent_claims)
        run = [
            claim
            for i, claim in enumerate(clause.recent_claims)
            if i >= here or claim.amount.quantifier not in loosely
        ]
        if self._tag(-2) in (Tag.AND, Tag.SEP) and self._opens_list_next():
            clause.recent_claims = run = []  # "2 food for me, and for you 1 water"
        run = tail_without_repeats(run)
        if run and all(claim.receiver == who and claim.verb == Verb.GIVE for claim in run):
            return  # "I give 2 food to you for 1 water"
        against = [
            claim
            for claim in run
            if claim.receiver not in (who, DialogueParty.UNSPECIFIED)
            and claim.confidence == EXPLICIT_CONFIDENCE
        ]
        if against and not near:
            return  # "Can I have 2 food, if that is a fair split for you?"
        if against:
            run = run[-1:]
        for claim in run:
            claim.receiver, claim.confidence, claim.flipped = who, EXPLICIT_CONFIDENCE, False
            claim.told = claim.told and not (self._is_dividing and len(run) == 1)
            claim.verb = claim.verb if claim.verb != Verb.NONE else Verb.GET
        if clause.gap > 1 if run else not self._opens_list_next():
            return
        if against:
            clause.confidence = min(
                clause.confidence, CONFLICTING_LIST_CONFIDENCE
            )  # "If you accept 2 food for me and 3 firewood"
        else:
            clause.assign_receiver(who, Verb.GET, CONTINUED_LIST_CONFIDENCE if run else EXPLICIT_CONFIDENCE)

    def _handle_possessive(self, who: DialogueParty) -> None:
        if self._is_subject_of_next():
            self._handle_pronoun(who)  # "Would you agree to me taking 2?"
        elif self._clause.verb != Verb.NONE or self._counted_before() or not self._is_question():
            self._assign_listed(who)  # "How important is the wood to you?" says nothing

    def _handle_ownership(self, who: DialogueParty) -> None:
        """Assign all units where no number limits them: "The food is mine"."""
        for claim in self._uncounted_before():
            claim.amount = replace(claim.amount, quantifier=Quantifier.ALL)
        self._assign_listed(who)

    def _handle_sufficiency(self) -> None:
        """Assign an amount to the other side unless a party is named: "Would 2 food be enough?"."""
        clause = self._clause
        if clause.receiver == DialogueParty.UNSPECIFIED and self._tag(1) not in (Tag.FOR, Tag.MINE):
            for claim in clause.recent_claims:
                claim.receiver, claim.verb, claim.confidence = (
                    DialogueParty.OTHER,
                    Verb.GET,
                    SUFFICIENCY_CONFIDENCE,
                )

    def _handle_same(self) -> None:
        following = self._next_amount()
        if (
            following is not None
            and following.issue
            and following.quantifier in (Quantifier.BARE, Quantifier.DEFINITE)
        ):
            self._position = following.end - 1

    def _handle_alternative(self) -> None:
        """Begin a new alternative, the preceding one being the first: "2 food or 2 water"."""
        clause, following = self._clause, self._next_amount()
        if self._position == self._sentence_start:
            before = self.claims[:]  # "I take 2 food. Otherwise I take 2 water"
        elif following is None and self._tag(1) in (*_PRONOUN_PARTIES, Tag.MODAL):
            # "Or you take 2": what the sentence claims so far is the first alternative.
            before = self.claims[self._sentence_claims_start :]
        elif following is not None:
            before = [
                claim
                for claim in clause.recent_claims[-1:]
                if claim.amount.quantifier not in (Quantifier.BARE, Quantifier.SOME)
            ]
        else:
            return
        if clause.option == 0 and before:
            clause.option = 1
            for claim in before:
                claim.option = 1
        clause.option += bool(before)
