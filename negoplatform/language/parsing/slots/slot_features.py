"""Features of slots and of their candidates, for the models of :mod:`.trained_models`.

No feature contains a name, word or number of a game: issues, values and numbers appear as slots. The models
therefore generalize to games that they were not trained on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Allocation, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.dialogue_state import DialogueState
from negoplatform.language.parsing.grammar.allocation_claim_parser import extract_claims
from negoplatform.language.parsing.grammar.allocation_claim_types import Claim
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slots import (
    ALL_ISSUES,
    REST,
    CandidateKind,
    SegmentedText,
    Slot,
    TermCandidate,
)
from negoplatform.language.parsing.words.lexical_tagger import Tag

_BEFORE, _BEHIND = 6, 5
"""Numbers of spans before and behind a slot that its features cover."""
_LONGEST_HISTORY = 3
_PERSONS = frozenset(
    {
        Tag.SPEAKER,
        Tag.OTHER,
        Tag.WE,
        Tag.US,
        Tag.EACH_OF_US,
        Tag.MINE,
        Tag.YOURS,
        Tag.IS_MINE,
        Tag.IS_YOURS,
        Tag.MY,
        Tag.YOUR,
    }
)
_VERBS = frozenset(
    {
        Tag.GET,
        Tag.GIVE,
        Tag.LEAVE,
        Tag.LEAVING,
        Tag.TOOK,
        Tag.GAVE,
        Tag.TRADE,
        Tag.NEED,
        Tag.WANT,
        Tag.HAVE,
        Tag.HAVE_GOT,
        Tag.LET,
        Tag.DO,
        Tag.I_DO,
        Tag.SHARE,
        Tag.SPLIT,
    }
)
_KEYS = (
    _PERSONS
    | _VERBS
    | frozenset(
        {
            Tag.NOT,
            Tag.IF,
            Tag.FOR,
            Tag.EXCHANGE,
            Tag.BUT,
            Tag.SO,
            Tag.ABOUT,
            Tag.OR,
            Tag.REASON,
            Tag.MODAL,
            Tag.DENY,
            Tag.REPORT,
            Tag.WITHOUT,
            Tag.NONE_OF,
            Tag.EXCEPT,
            Tag.AND,
        }
    )
)
_ANYWHERE = (Tag.REPORT, Tag.DENY, Tag.JEST, Tag.NOT, Tag.REASON, Tag.IF, Tag.REFUSE)
_CLAIM_FLAGS = (
    "negated", "told", "asked", "conditional", "proposed", "flipped", "loose", "ultimatum", "supposed",
    "either", "own", "stale", "floor", "ceiling",
)  # fmt: skip


@dataclass(slots=True)
class FeatureContext:
    """Text under analysis, prepared for its features.

    Args:
        segmented: The text with its slots.
        words: The vocabulary of its game.
        state: The dialogue before the text.
        speaker: The speaker's seat.
        other: The other side.
        chosen: The candidates chosen so far, in slot order.
        named: The issues that the slots so far name, in order.
    """

    segmented: SegmentedText
    words: GameVocabulary
    state: DialogueState
    speaker: Seat
    other: Seat
    chosen: list[TermCandidate] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    tags: list[str] = field(init=False)
    norms: list[str] = field(init=False)
    sentence_bounds: list[tuple[int, int]] = field(init=False)
    claims: dict[int, Claim] = field(init=False)
    shared_features: list[str] = field(init=False)

    def __post_init__(self) -> None:
        spans, tokens = self.segmented.spans, self.segmented.tokens
        self.tags = [span.tag.value for span in spans]
        self.norms = ["_".join(token.norm for token in tokens[span.start : span.end]) for span in spans]
        for slot in self.segmented.slots:
            for i in range(slot.start, slot.end):
                self.tags[i], self.norms[i] = f"<{slot.form.value}>", "<>"
        self.sentence_bounds = _bounds([span.tag for span in spans])
        self.claims = {claim.amount.start: claim for claim in extract_claims(spans)}
        self.shared_features = list(self._shared_features())

    def tag(self, i: int) -> str:
        """Return the tag of a span; inside a slot, the slot's form."""
        return "^" if i < 0 else self.tags[i] if i < len(self.tags) else "$"

    def word(self, i: int) -> str:
        """Return the words of a span; none inside a slot."""
        return "^" if i < 0 else self.norms[i] if i < len(self.norms) else "$"

    def _shared_features(self) -> Iterator[str]:
        """Yield the features that all slots of the text share."""
        there = {span.tag for span in self.segmented.spans}
        yield from (f"any={tag.value}" for tag in _ANYWHERE if tag in there)
        yield f"n={min(len(self.segmented.slots), 6)}"
        yield f"len={min(len(self.tags) // 4, 8)}"
        yield f"lo={turn_signature(self.state, self.other)}"
        yield f"lm={turn_signature(self.state, self.speaker)}"
        if len(self.tags) <= 7:
            yield f"all={'|'.join(self.tags)}"
        if len(self.tags) <= 5:
            yield f"allw={'|'.join(self.norms)}"


def turn_signature(state: DialogueState, seat: Seat) -> str:
    """Return a short code of a seat's last turn."""
    turn = state.last.get(seat)
    if turn is None:
        return "-"
    signs = (
        "?" if turn.is_question else "",
        "T" if turn.terms else "",
        "i" if turn.issues else "",
        "F" if turn.formal else "",
    )
    return "".join(signs) + ("A" if turn.accepted else "")


def _bounds(tags: Sequence[Tag]) -> list[tuple[int, int]]:
    """Return, for each span, the first index of its sentence and the index of the sentence's END."""
    found: list[tuple[int, int]] = []
    start = 0
    for i, tag in enumerate(tags):
        if tag == Tag.END:
            found += [(start, i)] * (i + 1 - start)
            start = i + 1
    return found + [(start, len(tags))] * (len(tags) - start)


def slot_features(text: FeatureContext, k: int) -> list[str]:
    """Return the features around a slot; each has one weight per kind of candidate."""
    slot = text.segmented.slots[k]
    found = [
        "bias",
        f"form={slot.form.value}{'+' if slot.issue else ''}",
        f"nth={min(k, 4)}",
        *text.shared_features,
    ]
    found += [name for name in ("each", "of_each", "owned", "loose", "less") if getattr(slot, name)]
    bound = text.segmented.spans[slot.start].bound or text.segmented.spans[slot.end - 1].bound
    if bound is not None:
        found.append(f"bound={bound.value}")
    found += _window_features(text, slot)
    found += _sentence_features(text, slot)
    found += _claim_features(text.claims.get(slot.start))
    found.append(f"prev={text.chosen[-1].kind.value if text.chosen else '-'}")
    return found


def _window_features(text: FeatureContext, slot: Slot) -> Iterator[str]:
    before: list[str] = []
    for n in range(1, _BEFORE + 1):
        tag = text.tag(slot.start - n)
        before.append(tag)
        if n < _BEFORE:
            yield f"t-{n}={tag}"
            yield f"w-{n}={text.word(slot.start - n)}"
        if tag in ("END", "^"):
            break
    behind: list[str] = []
    for n in range(_BEHIND):
        tag = text.tag(slot.end + n)
        behind.append(tag)
        if n < _BEHIND - 1:
            yield f"t+{n}={tag}"
            yield f"w+{n}={text.word(slot.end + n)}"
        if tag in ("END", "$"):
            break
    for n in (2, 3, 4):
        yield f"b{n}={'|'.join(before[:n])}"
    for n in (2, 3):
        yield f"a{n}={'|'.join(behind[:n])}"
    yield f"bw={text.word(slot.start - 2)} {text.word(slot.start - 1)}"
    yield f"aw={text.word(slot.end)} {text.word(slot.end + 1)}"
    yield f"ba={before[0]}>{behind[0]}"
    yield f"ba2={'|'.join(before[:2])}>{'|'.join(behind[:2])}"


def _sentence_features(text: FeatureContext, slot: Slot) -> Iterator[str]:
    """Yield the features of the rest of the slot's sentence: persons, verbs and joining words, in order."""
    start, end = text.sentence_bounds[slot.start]
    spans = text.segmented.spans
    left = [spans[i].tag for i in range(start, slot.start) if text.norms[i] != "<>"]
    right = [spans[i].tag for i in range(slot.end, end) if text.norms[i] != "<>"]
    keys = [tag.value for tag in left if tag in _KEYS]
    acting = [tag.value for tag in left if tag in _PERSONS or tag in _VERBS]
    following = [tag.value for tag in right if tag in _KEYS]
    for n in (1, 2, 3, 4):
        yield f"L{n}={'|'.join(keys[-n:])}"
    for n in (1, 2, 3):
        yield f"P{n}={'|'.join(acting[-n:])}"
        yield f"R{n}={'|'.join(following[:n])}"
    person = next((tag.value for tag in reversed(left) if tag in _PERSONS), "-")
    verb = next((tag.value for tag in reversed(left) if tag in _VERBS), "-")
    yield f"pv={person}/{verb}"
    yield f"LR={'|'.join(acting[-2:])}>{'|'.join(following[:2])}"
    asks = end < len(spans) and spans[end].question
    yield "q" if asks else "nq"
    yield f"first={text.word(start)}"
    yield f"first2={text.word(start)} {text.word(start + 1)}{'?' if asks else ''}"
    yield from (f"has={tag.value}" for tag in set(left))
    yield from (f"rhas={tag.value}" for tag in set(right))
    yield from (f"sw={word}" for word in {text.norms[i] for i in range(start, end)} if word != "<>")


def _claim_features(claim: Claim | None) -> Iterator[str]:
    """Yield the features of the clause grammar's claim about a slot."""
    if claim is None:
        yield "G-"
        return
    receiver = claim.receiver.value
    yield f"Gr={receiver}"
    yield f"Gv={claim.verb.value}"
    yield f"Grv={receiver}{claim.verb.value}"
    yield f"Gs={claim.confidence:.2f}"
    yield f"Grs={receiver}{claim.confidence:.2f}"
    yield f"Gg={min(claim.gap, 3)}"
    for flag in _CLAIM_FLAGS:
        if getattr(claim, flag):
            yield f"G{flag}"
            yield f"Gr{flag}={receiver}"


def candidate_features(text: FeatureContext, k: int, candidate: TermCandidate) -> list[str]:
    """Return the features of one candidate: its fit to the slot, to the text so far and to the dialogue."""
    kind = candidate.kind.value
    if candidate.kind == CandidateKind.NONE:
        return [f"kind={kind}", f"none^prev={text.chosen[-1].kind.value if text.chosen else '-'}"]
    if candidate.issue == ALL_ISSUES or candidate.issue.startswith(REST):
        return [f"kind={kind}", f"{kind}^{candidate.issue[:4]}"]
    slot = text.segmented.slots[k]
    found = ["named"] if slot.issue else list(_unnamed_issue_features(text, k, candidate))
    if candidate.note:
        found.append(f"note={candidate.note}")
    found += _history_features(text, slot, candidate)
    found += _number_features(text, slot, candidate)
    found += _neighbour_features(text, k, candidate)
    return [f"kind={kind}", *(f"{kind}^{feature}" for feature in found)]


def _unnamed_issue_features(text: FeatureContext, k: int, candidate: TermCandidate) -> Iterator[str]:
    """Yield the reasons for this issue where the slot names none."""
    issue, state = candidate.issue, text.state
    if issue in text.named:
        yield f"near={min(text.named[::-1].index(issue), 2)}"
    elif not text.named:
        yield "noname"
    for slot in text.segmented.slots[k + 1 : k + 3]:
        if slot.issue or slot.referents:
            if slot.issue == issue or any(meaning.issue == issue for meaning in slot.referents):
                yield "next"
            break
    yield f"rank={min(state.recent_issues.index(issue), 3) if issue in state.recent_issues else '-'}"
    for who, seat in (("o", text.other), ("m", text.speaker)):
        turn = state.last.get(seat)
        if turn is None:
            continue
        if issue in turn.issues:
            yield f"{who}i{'1' if len(set(turn.issues)) == 1 else 'n'}{'?' if turn.is_question else ''}"
            if turn.issues[-1] == issue:
                yield f"{who}last"
        if issue in turn.terms:
            yield f"{who}t{'1' if len(turn.terms) == 1 else 'n'}"
    yield type(text.words.issues[issue]).__name__
    if len(text.words.issues) == 1:
        yield "only"


def _history_features(text: FeatureContext, slot: Slot, candidate: TermCandidate) -> Iterator[str]:
    """Yield the candidate's relation to both sides' earlier proposals for the issue."""
    issue, term, state = candidate.issue, candidate.term, text.state
    for who, seat in (("o", text.other), ("m", text.speaker)):
        before = state.last_proposal(seat, issue)
        if before is None:
            continue
        same = "=" if before == term else "!"
        yield f"{who}{same}"
        yield f"{who}{same}{min(state.proposal_age(seat, issue), _LONGEST_HISTORY)}"
        if same == "!" and isinstance(before, Allocation) and isinstance(term, Allocation):
            yield f"{who}{'+' if term.of(text.speaker) > before.of(text.speaker) else '-'}"
            if slot.number is not None:
                if before.of(text.speaker) == slot.number:
                    yield f"{who}n=me"
                if before.of(text.other) == slot.number:
                    yield f"{who}n=you"
    mine, theirs = state.last_proposal(text.speaker, issue), state.last_proposal(text.other, issue)
    if mine is not None and theirs is not None:
        yield "agreed" if mine == theirs else "differ"
        place = _relative_position(term, mine, theirs, text.speaker)
        if place:
            yield f"place={place}"
    if issue in state.on_table:
        same = "=" if state.on_table.get(issue) == term else "!"
        yield f"table{same}{'o' if state.maker == text.other else 'm'}"


def _relative_position(term: Term | None, mine: Term, theirs: Term, speaker: Seat) -> str:
    """Return the position of a term between the speaker's last one and the other side's."""
    level, own, other = (_level(one, speaker) for one in (term, mine, theirs))
    if level is None or own is None or other is None or own == other:
        return ""
    way = (level - own) / (other - own)
    return (
        "own"
        if way == 0
        else "other"
        if way == 1
        else "between"
        if 0 < way < 1
        else "back"
        if way < 0
        else "past"
    )


def _level(term: Term | None, speaker: Seat) -> float | None:
    if isinstance(term, Allocation):
        return term.of(speaker)
    return term if isinstance(term, int | float) else None


def _number_features(text: FeatureContext, slot: Slot, candidate: TermCandidate) -> Iterator[str]:
    """Yield the fit of the number and its unit to the issue."""
    issue = text.words.issues[candidate.issue]
    figure, values = slot.figure, text.words.values
    if isinstance(issue, QuantityIssue):
        if slot.number is None:
            return
        quantity = issue.quantity
        yield "n0" if slot.number == 0 else "n=q" if slot.number == quantity else "n<q"
        yield "high" if slot.number * 2 > quantity else "low" if slot.number * 2 < quantity else "half"
        if slot.unit:
            yield "unit?"
    elif figure is not None:
        money = values.is_money(issue.name)
        yield f"money{'=' if money == figure.money else '!'}{'m' if money else ''}"
        yield f"digits={figure.digits}{'1' if figure.value == 1 else ''}"
        yield f"unit={values.is_unit_of(issue.name, slot.unit) if slot.unit else '-'}"


def _neighbour_features(text: FeatureContext, k: int, candidate: TermCandidate) -> Iterator[str]:
    """Yield the candidate's relation to the slots before and behind it."""
    slot, issue = text.segmented.slots[k], text.words.issues[candidate.issue]
    if text.chosen:
        previous = text.chosen[-1]
        alike = "s" if previous.issue == candidate.issue else "d"
        yield f"prev{alike}"
        yield f"prev{alike}={previous.kind.value}"
    else:
        yield "prev-"
    before = next(
        (
            one
            for one in reversed(text.chosen)
            if one.issue == candidate.issue and one.kind != CandidateKind.NONE
        ),
        None,
    )
    if before is not None:
        same = "=" if before.term == candidate.term else "!"
        yield f"again{same}"
        yield f"again{same}{before.kind.value}"
    elif text.chosen:
        yield "fresh"
    if isinstance(issue, QuantityIssue) and slot.number is not None:
        for later in text.segmented.slots[k + 1 :]:
            if (
                later.issue == candidate.issue
                and later.number is not None
                and later.form in (Quantifier.COUNT, Quantifier.ALL)
            ):
                yield "sum" if later.number + slot.number == issue.quantity else "no sum"
                break
