"""Position of the clause parser, and queries about the spans around it."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.language.parsing.grammar.allocation_claim_types import (
    MAX_LIST_GAP,
    Claim,
    DialogueParty,
    Verb,
    are_adjacent,
)
from negoplatform.language.parsing.grammar.amount_phrases import Amount, Quantifier, amount_at
from negoplatform.language.parsing.grammar.clause_state import OPENS_LIST, ClauseState
from negoplatform.language.parsing.words.lexical_tagger import Tag, TaggedSpan

_GOVERNS = frozenset({Tag.FOR, Tag.WITH, Tag.OF})


class ClauseCursor:
    """Position among the spans of a text.

    Args:
        spans: The spans.
    """

    def __init__(self, spans: Sequence[TaggedSpan]) -> None:
        self._spans = spans
        self.claims: list[Claim] = []
        """The claims up to the current position."""
        self._position = 0
        self._clause = ClauseState()
        self._sentence_start = 0
        """The index of the first span of the sentence."""

    def _tag(self, away: int) -> Tag:
        i = self._position + away
        return self._spans[i].tag if 0 <= i < len(self._spans) else Tag.END

    def _is_question(self) -> bool:
        """Return whether the sentence is a question."""
        end = next((span for span in self._spans[self._position :] if span.tag == Tag.END), None)
        return end is not None and end.question

    def _next_amount(self) -> Amount | None:
        return amount_at(self._spans, self._position + 1) if self._position + 1 < len(self._spans) else None

    def _counts_next(self) -> bool:
        """Return whether a count, or all, of an issue follows."""
        following = self._next_amount()
        return following is not None and following.quantifier in (
            Quantifier.COUNT,
            Quantifier.ALL,
            Quantifier.MORE,
        )

    def _opens_clause(self) -> bool:
        """Return whether the sentence begins here, apart from one word: "Fine, take 2"."""
        away = self._position - self._sentence_start
        return away == 0 or (away == 1 and self._tag(-1) in (Tag.WORD, Tag.SEP))

    def _is_single(self) -> bool:
        """Return whether the span is one word."""
        span = self._spans[self._position]
        return span.end - span.start == 1

    def _is_subject_of_next(self) -> bool:
        """Return whether the pronoun is the subject of a verb: "for you to have", "for me having"."""
        k = 2 if self._tag(1) == Tag.MODAL else 1
        return self._tag(k) in (Tag.GET, Tag.HAVE, Tag.GIVE)

    def _opens_list_next(self) -> bool:
        """Return whether "for me" opens a list: "for me 2 food", "for me, 2 food", or a sentence alone."""
        behind = self._position + 1 + (self._tag(1) == Tag.SEP)
        following = amount_at(self._spans, behind) if behind < len(self._spans) else None
        opens = (
            self._tag(1) == Tag.END
            if following is None
            else following.quantifier in (Quantifier.COUNT, Quantifier.ALL)
        )
        return opens and self._tag(-1) in (Tag.FOR, Tag.TO)

    def _gives_receivers_own(self, claim: Claim) -> bool:
        """Return whether a party is given something called theirs: "I exchange you one of your food"."""
        owner = {DialogueParty.SPEAKER: Tag.MY, DialogueParty.OTHER: Tag.YOUR}.get(claim.receiver)
        amount = self._spans[claim.amount.start : claim.amount.end]
        return claim.verb == Verb.GIVE and any(span.tag == owner for span in amount)

    def _opens_list(self, before: Tag, named: bool) -> bool:
        """Return whether a list of amounts begins or continues at this position."""
        clause = self._clause
        follows = bool(clause.recent_claims) and clause.recent_claims[-1].amount.end == self._position
        exchanged = before == Tag.FOR and clause.flipped
        if follows or before in (Tag.SEP, Tag.AND):
            stray = (
                clause.recent_claims[-1:]
                and clause.recent_claims[-1].loose
                and clause.recent_claims[-1].amount.end >= self._position - 1
            )
            return not (stray and clause.receiver == DialogueParty.UNSPECIFIED)
        early = (
            named
            and clause.verb == Verb.NONE
            and not clause.recent_claims
            and self._position - max(self._sentence_start, clause.list_start) <= 3
        )
        if self._spans[self._position].tag == Tag.A and not (clause.proposed or self._is_question()):
            return False  # "A package of water goes a long way"
        return before in OPENS_LIST or exchanged or (early and before not in _GOVERNS)

    def _counted_before(self) -> bool:
        return any(
            claim.amount.quantifier in (Quantifier.COUNT, Quantifier.ALL)
            for claim in self._clause.recent_claims
        )

    def _uncounted_before(self) -> list[Claim]:
        """Return the list without numbers that ends here: "the food and water"."""
        found: list[Claim] = []
        end = self._position
        for claim in reversed(self._clause.recent_claims):
            if not 0 <= end - claim.amount.end <= MAX_LIST_GAP or claim.amount.quantifier not in (
                Quantifier.BARE,
                Quantifier.DEFINITE,
            ):
                break
            found.append(claim)
            end = claim.amount.start
        return found

    def _first_of_list(self) -> int:
        """Return the index, among the recent claims, of the first one of the list that ends here."""
        run = self._clause.recent_claims
        return next((i for i in range(len(run) - 1, 0, -1) if not are_adjacent(run[i - 1], run[i])), 0)

    def _gives_away(self) -> bool:
        """Return whether an amount that is given away follows: "I can share 2 food with you"."""
        following = self._next_amount()
        if following is None:
            behind = self._tag(2) if self._tag(1) == Tag.WITH else self._tag(1)
            return behind in (Tag.OTHER, Tag.SPEAKER, Tag.US)
        return following.quantifier == Quantifier.COUNT and self._clause.subject != DialogueParty.BOTH

    def _is_asked_in_return(self) -> bool:
        """Return whether the other side is asked for a return: "if you can do 2 food, I give 1 water"."""
        clause = self._clause
        return clause.supposed and clause.subject == DialogueParty.OTHER and self._counts_next()

    def _receives_next(self, who: DialogueParty) -> bool:
        """Return whether a pronoun directly precedes an amount: "and you 1 food"."""
        following = self._next_amount()
        if following is None and self._position == self._sentence_start and self._tag(1) == Tag.SEP:
            following = (
                amount_at(self._spans, self._position + 2) if self._position + 2 < len(self._spans) else None
            )
        if (
            following is None
            or who == DialogueParty.BOTH
            or following.quantifier in (Quantifier.BARE, Quantifier.DEFINITE, Quantifier.SOME)
        ):
            return False
        opens = self._tag(-1) in (Tag.END, Tag.ABOUT, Tag.TRADE) and bool(following.issue)
        return self._clause.letting or bool(self.claims) or opens
