"""The parts of a text: words that were read as terms, words that were not, and words against an offer."""

from __future__ import annotations

from collections.abc import Iterator

from negoplatform.language.amounts import How
from negoplatform.language.answers import Speech
from negoplatform.language.interpretation import Interpretation
from negoplatform.language.pieces import Piece, Tag
from negoplatform.language.reading import Part, PartKind, Reading
from negoplatform.language.slots import Candidate, Form, GameWords, Kind, Slot

_KINDS = {
    Tag.NOT: PartKind.REFUSAL,
    Tag.NONE_OF: PartKind.REFUSAL,
    Tag.DENY: PartKind.REFUSAL,
    Tag.REFUSE: PartKind.REFUSAL,
    Tag.WITHOUT: PartKind.REFUSAL,
    Tag.LESS: PartKind.REFUSAL,
    Tag.REPORT: PartKind.REPORT,
    Tag.JEST: PartKind.IRONY,
    Tag.MORE: PartKind.UNREAD,
    Tag.ANOTHER: PartKind.UNREAD,
    Tag.FEWER: PartKind.UNREAD,
    Tag.SAME: PartKind.UNREAD,
    Tag.PART: PartKind.UNREAD,
    Tag.RATIO: PartKind.UNREAD,
    Tag.EXCEPT: PartKind.UNREAD,
    Tag.SOME: PartKind.UNREAD,
}
"""What words outside of slots are to a reading: amounts that are not told are unread."""
_MOST_TAG_WORDS = 3
"""A question of so many words at the end of a text only asks for a yes: "Deal?", "ok with you?"."""
_NEUTRAL = frozenset({Form.EVEN, How.SOME, How.BARE, How.THE, Form.TOPIC})
"""Slots that say nothing by themselves where their issue has a term anyway: "the salary: 90k"."""
_JOINS = frozenset({Tag.END, Tag.SEP, Tag.AND})
_SHORTEST_LIST = 2
_LONGEST_YES = 8
"""So many words and signs an acceptance has at most that one key may confirm."""
_PLAINLY, _LEAST_PROPOSED = 0.9, 0.4
"""A plain reading is so sure at least, and so likely to propose or accept something."""
_LEAST_CHANCE = 0.8
"""A term is read plainly if its slot was chosen with so much probability."""
_AGAINST = {"refuse": 0.35, "report": 0.3, "jest": 0.2, "ask": 0.5, "several": 0.3, "vague": 0.35}
"""With more probability for one of these acts a reading is not plain."""


def parts_of(said: Interpretation, words: GameWords) -> tuple[Part, ...]:
    """The parts of a text that were read as terms, or may speak against them, in the order of the words."""
    found = [*_of_slots(said, words), *_of_pieces(said), *_of_questions(said), *_of_unknown(said, words)]
    return tuple(sorted(found, key=lambda part: (part.start, part.end)))


def _span(said: Interpretation, first: int, last: int) -> tuple[int, int]:
    tokens = said.cut.tokens
    return tokens[first].start, tokens[last - 1].end


def _of_slots(said: Interpretation, words: GameWords) -> Iterator[Part]:
    for slot, candidate in zip(said.cut.slots, said.chosen, strict=True):
        start, end = _span(said, slot.first, slot.last)
        if candidate.kind != Kind.NONE:
            issue = candidate.issue if candidate.issue in words.issues else ""
            yield Part(start, end, PartKind.TERM, issue)
        elif not _is_neutral(slot, said):
            issue = slot.issue or (slot.meanings[0].issue if slot.meanings else "")
            yield Part(start, end, PartKind.UNREAD, issue)


def _is_neutral(slot: Slot, said: Interpretation) -> bool:
    """Whether a slot without a term leaves nothing unread: its issue has a term, or it names none."""
    names = {slot.issue} if slot.issue else {meaning.issue for meaning in slot.meanings}
    if slot.form in _NEUTRAL:
        return all(name in said.composed.terms for name in names)
    return False


def _of_pieces(said: Interpretation) -> Iterator[Part]:
    inside = {i for slot in said.cut.slots for i in range(slot.start, slot.end)}
    for i, piece in enumerate(said.cut.pieces):
        kind = _KINDS.get(piece.tag)
        if kind is not None and i not in inside and not _is_term(said, i, piece):
            start, end = _span(said, piece.start, piece.end)
            yield Part(start, end, kind)
        elif _is_something_for_it(said, i):
            start, end = _span(said, piece.start, piece.end)
            yield Part(start, end, PartKind.UNREAD)


def _is_something_for_it(said: Interpretation, i: int) -> bool:
    """Whether a "for it" ends a sentence: what is got or given for something that is not named."""
    tags = [piece.tag for piece in said.cut.pieces[max(i - 1, 0) : i + 2]]
    return tags in ([Tag.FOR, Tag.DET, Tag.END], [Tag.FOR, Tag.DET])


def _is_term(said: Interpretation, i: int, piece: Piece) -> bool:
    """Whether a "no" or "without" belongs to the value that was read behind it."""
    if piece.tag not in (Tag.NONE_OF, Tag.WITHOUT, Tag.NOT):
        return False
    following = next(
        (
            candidate
            for slot, candidate in zip(said.cut.slots, said.chosen, strict=True)
            if i < slot.start <= i + 2
        ),
        None,
    )
    return following is not None and following.kind == Kind.WITHOUT


def _of_unknown(said: Interpretation, words: GameWords) -> Iterator[Part]:
    """Words that nobody knows and that stand alone in a list of terms: "programmer; blue; 10 hours"."""
    pieces, tokens = said.cut.pieces, said.cut.tokens
    if sum(one.kind != Kind.NONE for one in said.chosen) < _SHORTEST_LIST:
        return
    for i, piece in enumerate(pieces):
        if piece.tag != Tag.WORD or words.lexicon.knows(tokens[piece.start].norm):
            continue
        before = i == 0 or pieces[i - 1].tag in _JOINS
        behind = i + 1 == len(pieces) or pieces[i + 1].tag in _JOINS
        if before and behind and tokens[piece.start].is_word:
            start, end = _span(said, piece.start, piece.end)
            yield Part(start, end, PartKind.UNREAD)


def _of_questions(said: Interpretation) -> Iterator[Part]:
    """The question marks, but for one behind a few words at the end that only ask for a yes."""
    ends = [i for i, piece in enumerate(said.cut.pieces) if piece.tag == Tag.END]
    begun = 0
    for i in ends:
        piece = said.cut.pieces[i]
        slots_there = any(begun <= slot.start < i for slot in said.cut.slots)
        tag = i == ends[-1] and begun > 0 and i - begun <= _MOST_TAG_WORDS and not slots_there
        if piece.question and not tag and piece.end <= len(said.cut.tokens) and piece.end > piece.start:
            start, end = _span(said, piece.start, piece.end)
            yield Part(start, end, PartKind.QUESTION)
        begun = i + 1


def is_plain(reading: Reading, said: Interpretation, speech: Speech) -> bool:
    """Whether a reading may be confirmed by Enter.

    Every amount, issue and value word is part of a term, and nothing refuses, asks, reports or is ironic.
    """
    if any(part.kind != PartKind.TERM for part in reading.parts):
        return False
    if any(said.acts[name] >= most for name, most in _AGAINST.items()):
        return False
    if not reading.offers:
        short = len(said.cut.tokens) <= _LONGEST_YES and not speech.hedged
        agrees = speech.is_yes or (short and said.acts["accept"] >= _LEAST_CHANCE)
        return reading.accepts and agrees and not said.cut.slots
    chosen: list[tuple[Candidate, float]] = list(zip(said.chosen, said.probabilities, strict=True))
    doubtful = any(chance < _LEAST_CHANCE for candidate, chance in chosen if candidate.kind != Kind.NONE)
    proposed = max(said.acts["offer"], said.acts["accept"]) >= _LEAST_PROPOSED
    sure = reading.sure >= _PLAINLY and len(reading.offers) == 1
    return sure and proposed and not (reading.soft or doubtful)
