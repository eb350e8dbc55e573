"""The parts of a text: words that were read as terms, words that were not, and words against an offer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.language.parsing.contextual_acts import Speech
from negoplatform.language.parsing.grammar.quantifiers import How
from negoplatform.language.parsing.interpretation import Part, PartKind, Reading
from negoplatform.language.parsing.plain_text import is_closing, strange_parts
from negoplatform.language.parsing.slot_filling import Interpretation
from negoplatform.language.parsing.slots import Candidate, Form, GameWords, Kind, Slot
from negoplatform.language.parsing.tagger import Piece, Tag

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
_NEUTRAL = frozenset({Form.EVEN, How.SOME, How.BARE, How.THE, Form.TOPIC})
"""Slots that say nothing by themselves where their issue has a term anyway: "the salary: 90k"."""
_JOINS = frozenset({Tag.END, Tag.SEP, Tag.AND})
_SHORTEST_LIST = 2
_MOST_OTHER_WORDS = 3
"""A text of one named value that has more other words may be about anything."""
_LONGEST_YES = 8
"""So many words and signs an acceptance has at most that one key may confirm."""
_PLAINLY, _LEAST_PROPOSED = 0.9, 0.4
"""A plain reading is so sure at least, and so likely to propose or accept something."""
_LEAST_CHANCE = 0.8
"""A term is read plainly if its slot was chosen with so much probability."""
_AGAINST = {"refuse": 0.35, "report": 0.3, "jest": 0.2, "ask": 0.5, "several": 0.3, "vague": 0.35}
"""With more probability for one of these acts a reading is not plain."""


def parts_of(text: str, said: Interpretation, words: GameWords) -> tuple[Part, ...]:
    """The parts of a text that were read as terms, or may speak against them, in the order of the words."""
    found = [
        *_of_slots(said, words),
        *_of_pieces(said),
        *_of_questions(text, said, words.language),
        *_of_unknown(said, words),
        *_of_conditions(said),
        *strange_parts(text, said, words.language),
    ]
    return tuple(_without_overlaps(sorted(dict.fromkeys(found), key=lambda part: (part.start, -part.end))))


def _without_overlaps(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts without those that lie within another."""
    last = 0
    for part in parts:
        if part.end > last:
            yield part
            last = part.end


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
    """Unknown words that stand alone in a list of terms: "programmer; blue; 10 hours"."""
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


def _of_conditions(said: Interpretation) -> Iterator[Part]:
    """Conditions in which no term was read: "150k if you clear it"."""
    pieces = said.cut.pieces
    used = {
        slot.start for slot, one in zip(said.cut.slots, said.chosen, strict=True) if one.kind != Kind.NONE
    }
    for i, piece in enumerate(pieces):
        if piece.tag == Tag.IF:
            end = next((k for k in range(i, len(pieces)) if pieces[k].tag in (Tag.END, Tag.SEP)), len(pieces))
            if not used & set(range(i, end)):
                start, last = _span(said, piece.start, pieces[end - 1].end)
                yield Part(start, last, PartKind.UNREAD)


def _of_questions(text: str, said: Interpretation, language: str) -> Iterator[Part]:
    """The question marks, but for one behind words at the end that only ask for a yes: "Deal?", ", ok?"."""
    pieces, tokens = said.cut.pieces, said.cut.tokens
    ends = [i for i, piece in enumerate(pieces) if piece.tag == Tag.END]
    for i in ends:
        piece = pieces[i]
        if not piece.question or piece.end > len(tokens) or piece.end == piece.start:
            continue
        breaks = [k for k in range(i) if pieces[k].tag in (Tag.END, Tag.SEP)]
        if i == ends[-1] and breaks:
            words = text[tokens[pieces[breaks[-1]].end - 1].end : tokens[piece.start].start]
            if is_closing(words, language):
                continue
        start, end = _span(said, piece.start, piece.end)
        yield Part(start, end, PartKind.QUESTION)


def is_plain(reading: Reading, said: Interpretation, speech: Speech, words: GameWords) -> bool:
    """Whether a reading may be confirmed by Enter.

    Every amount, issue and value word is part of a term, and nothing refuses, asks, reports or is ironic.

    Args:
        reading: The reading, with its parts.
        said: The text that it is of.
        speech: What the text does.
        words: The words of its game.
    """
    if any(part.kind != PartKind.TERM for part in reading.parts):
        return False
    if not reading.offers:
        return reading.accepts and is_plain_yes(reading.parts, said, speech, words)
    if any(said.acts[name] >= most for name, most in _AGAINST.items()) or _is_beside_the_point(said):
        return False
    chosen: list[tuple[Candidate, float]] = list(zip(said.chosen, said.probabilities, strict=True))
    doubtful = any(chance < _LEAST_CHANCE for candidate, chance in chosen if candidate.kind != Kind.NONE)
    proposed = max(said.acts["offer"], said.acts["accept"]) >= _LEAST_PROPOSED
    sure = reading.sure >= _PLAINLY and len(reading.offers) == 1
    return sure and proposed and not (reading.soft or doubtful)


def is_plain_yes(parts: Sequence[Part], said: Interpretation, speech: Speech, words: GameWords) -> bool:
    """Whether a text is a yes and nothing more: short, of known words, without a doubt or a game's name."""
    if parts or said.cut.slots or speech.hedged or len(said.cut.tokens) > _LONGEST_YES:
        return False
    if any(said.acts[name] >= most for name, most in _AGAINST.items()):
        return False
    strange = (token for token in said.cut.tokens if token.is_word and not words.lexicon.knows(token.norm))
    return next(strange, None) is None and (speech.is_yes or said.acts["accept"] >= _LEAST_CHANCE)


def _is_beside_the_point(said: Interpretation) -> bool:
    """Whether a text may only use a word of the game: "no car accidents", "see you next month"."""
    used = [slot for slot, one in zip(said.cut.slots, said.chosen, strict=True) if one.kind != Kind.NONE]
    pieces = said.cut.pieces
    named = [slot for slot in used if slot.form in (Form.VALUE, Form.TOPIC)]
    if any(slot.end < len(pieces) and pieces[slot.end].tag == Tag.WORD for slot in named):
        return True
    if any(slot.form == Form.VALUE and slot.loose for slot in used) and len(used) < _SHORTEST_LIST:
        return True
    others = sum(piece.tag == Tag.WORD for piece in pieces)
    return len(used) == len(named) == 1 and others > _MOST_OTHER_WORDS
