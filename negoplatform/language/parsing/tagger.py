"""The pieces of a text: what each of its words does, as one stream of tags."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from negoplatform.domain.issue import QuantityIssue
from negoplatform.language.parsing.lexicon import Lexicon, Mention, NumberMention
from negoplatform.language.parsing.tokenizer import Token


class Tag(StrEnum):
    """What a piece does; the words that do it are in the language's ``vocabulary.json`` under these names."""

    # Its text's own: an enumeration would look its name up in Python each time that a set is asked for it.
    __hash__ = str.__hash__

    ISSUE = "ISSUE"
    """Names an issue; the game says how."""
    TOPIC = "TOPIC"
    """Names an issue that is settled by a value or a number."""
    VALUE = "VALUE"
    """Names a value."""
    NUMBER = "NUMBER"
    """A whole number, which may count units."""
    FIGURE = "FIGURE"
    """Any other number: money, percent, fractions."""
    WORD = "WORD"
    """Any other word."""
    END = "END"
    """The end of a sentence."""

    SPEAKER = "SPEAKER"
    OTHER = "OTHER"
    US = "US"
    """The speaker's people, where they are given something."""
    WE = "WE"
    EACH_OF_US = "EACH_OF_US"
    """Every seat, each so many."""
    SOMEONE = "SOMEONE"
    """Somebody who does not sit at the table: who, they."""
    MINE = "MINE"
    YOURS = "YOURS"
    MY = "MY"
    YOUR = "YOUR"
    GET = "GET"
    """To get: the subject will have what follows."""
    GIVE = "GIVE"
    """To give: the other, or who is named, will have what follows."""
    LEAVE = "LEAVE"
    """To give where a person leaves, to tell what comes of an offer where the offer does."""
    LEAVING = "LEAVING"
    TOOK = "TOOK"
    """To get, in a supposition ("if I took"); a tale elsewhere."""
    GAVE = "GAVE"
    TRADE = "TRADE"
    """To give one thing for another."""
    NEED = "NEED"
    WANT = "WANT"
    HAVE = "HAVE"
    """To get in a proposal ("you can have"), a state elsewhere ("I have")."""
    HAVE_GOT = "HAVE_GOT"
    """A state: what somebody owns."""
    LET = "LET"
    MODAL = "MODAL"
    IF = "IF"
    BUT = "BUT"
    SO = "SO"
    DO = "DO"
    """May open a list: I can do 2 food."""
    REASON = "REASON"
    """What follows is why, not what."""
    ABOUT = "ABOUT"
    """Opens a proposal: how about."""
    I_DO = "I_DO"
    """Opens a list of what the speaker would have, as a rule: I can do."""
    AND = "AND"
    WITH = "WITH"
    OR = "OR"
    FOR = "FOR"
    EXCHANGE = "EXCHANGE"
    """Between what is given and what is got for it."""
    TO = "TO"
    OF = "OF"
    DET = "DET"
    A = "A"
    UNIT = "UNIT"
    SKIP = "SKIP"
    """Changes no number: just, only."""
    EXTRA = "EXTRA"
    """Changes no number; but "the extra food" need not be all of it."""
    MORE = "MORE"
    ANOTHER = "ANOTHER"
    """One on top of what was spoken of."""
    ALL = "ALL"
    ALL_OF_IT = "ALL_OF_IT"
    """All of what was spoken of."""
    EVERYTHING = "EVERYTHING"
    REST = "REST"
    ELSE = "ELSE"
    """All of what nobody spoke of: everything else."""
    OTHERS = "OTHERS"
    BOTH = "BOTH"
    HALF = "HALF"
    EACH = "EACH"
    OF_EACH = "OF_EACH"
    OF_OTHERS = "OF_OTHERS"
    """Of each issue that nothing was said of."""
    COMPOUND = "COMPOUND"
    """Makes another word of the issue before it: the food situation."""
    SPLIT = "SPLIT"
    SHARE = "SHARE"
    """To give, with a number; to split without one."""
    EVENLY = "EVENLY"
    HOW_MANY = "HOW_MANY"
    """Asks for a number."""
    SOME = "SOME"
    """So many that nobody can tell."""
    COMPARE = "COMPARE"
    SUFFICE = "SUFFICE"
    """Asks whether what stands before it is enough for the other: would 2 be enough?"""
    LESS = "LESS"
    """A comparison that says a number where it is denied: not less than 2."""
    NONE_OF = "NONE_OF"
    NOT = "NOT"
    EXCUSED = "EXCUSED"
    """Looks like a negation and is none."""
    DENY = "DENY"
    """Denies all that follows: I do not agree to."""
    WITHOUT = "WITHOUT"
    REFUSE = "REFUSE"
    """What comes of a condition that is not wanted: then I walk away."""
    REPORT = "REPORT"
    """Tells of the past."""
    NEUTRAL = "NEUTRAL"
    """Words that would do something if they stood alone."""
    SAME = "SAME"
    SWAPPED = "SWAPPED"
    MIDDLE = "MIDDLE"
    """A value between those of both sides: halfway."""
    SECOND = "SECOND"
    THIRD = "THIRD"
    THIRDS = "THIRDS"
    """Behind a number: two thirds."""
    PART = "PART"
    """Another part of all units, which need not be a whole number: a quarter of."""
    EXCEPT = "EXCEPT"
    """Takes something out of what was named before it."""
    AT_LEAST = "AT_LEAST"
    AT_MOST = "AT_MOST"
    FEWER = "FEWER"
    """Fewer than something that is not named: one less."""
    IS_MINE = "IS_MINE"
    """Says of what was named before it whose it is: the food is mine."""
    IS_YOURS = "IS_YOURS"
    JEST = "JEST"
    """Takes back what was said, at the end of a sentence: just kidding."""
    RATIO = "RATIO"
    """What follows is told for each unit of something: for each."""
    SEAT = "SEAT"
    """Names a seat, at a table of more than two."""
    SEP = "SEP"
    SIGN = "SIGN"
    """Signs that mean nothing here."""


@dataclass(frozen=True, slots=True)
class TaggedSpan:
    """One or several tokens that do one thing.

    Args:
        tag: What they do.
        start: The index of the first token.
        end: Behind the index of the last one.
        issue: The name of the issue that they name, if any.
        number: The number that they are, if any.
        question: Whether the sentence that ends here is a question.
        bound: AT_LEAST or AT_MOST where one of these stands beside it.
        mention: The mention that it is, if any.
        figure: The number that it is, with its unit and sign, if any.
    """

    tag: Tag
    start: int
    end: int
    issue: str = ""
    number: int = 0
    question: bool = False
    bound: Tag | None = None
    mention: Mention | None = None
    figure: NumberMention | None = None


_TAGS = {tag.value: tag for tag in Tag}
_DROPPED = frozenset({Tag.SIGN, Tag.SKIP})
_BOUNDS = frozenset({Tag.AT_LEAST, Tag.AT_MOST})
_BEHIND_LIST = frozenset({Tag.END, Tag.SEP, Tag.AND, Tag.BUT, Tag.FOR})
_LISTS = frozenset({":", ","})
"""A dash behind one of these is no minus where units are counted."""


def tag_tokens(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[TaggedSpan, ...]:
    """The pieces of a text, an END after each sentence; what changes nothing is left out."""
    found: list[TaggedSpan] = []
    bound: Tag | None = None
    for piece in _tag_all(tokens, lexicon):
        if piece.tag in _BOUNDS:
            bound = piece.tag
        elif piece.tag not in _DROPPED:
            if bound is not None and piece.tag in _BEHIND_LIST and found:
                found[-1] = replace(found[-1], bound=bound)  # "2 food at least"
            found.append(piece if bound is None else replace(piece, bound=bound))
            bound = None
    if found and bound is not None:
        found[-1] = replace(found[-1], bound=bound)
    if found and found[-1].tag != Tag.END:
        found.append(TaggedSpan(Tag.END, len(tokens), len(tokens)))
    return tuple(found)


def _tag_all(tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[TaggedSpan]:
    of_game = _game_spans(tokens, lexicon)
    norms = tuple(token.norm for token in tokens)
    i = 0
    while i < len(tokens):
        piece = _longest_span(tokens, norms, i, lexicon, of_game)
        yield piece
        i = piece.end


def _longest_span(
    tokens: Sequence[Token],
    norms: tuple[str, ...],
    i: int,
    lexicon: Lexicon,
    of_game: Mapping[int, TaggedSpan],
) -> TaggedSpan:
    """The longest piece that begins with a token; words of the game before words of the language."""
    if tokens[i].ends_sentence:
        return TaggedSpan(Tag.END, i, i + 1, question=tokens[i].is_question_mark)
    named = of_game.get(i)
    for phrase, name in lexicon.vocabulary.phrases_from(norms[i]):
        end = i + len(phrase)
        if named is not None and named.end >= end:
            break
        if norms[i:end] == phrase and not (
            name == Tag.NEUTRAL and end in of_game and _is_article(norms[end - 1], lexicon)
        ):
            return TaggedSpan(_TAGS[name], i, end)  # But "have a" means nothing only before what is no issue.
    return named or TaggedSpan(Tag.WORD if tokens[i].is_word else Tag.SEP, i, i + 1)


def _is_article(word: str, lexicon: Lexicon) -> bool:
    return any(name == Tag.A and phrase == (word,) for phrase, name in lexicon.vocabulary.phrases_from(word))


def _game_spans(tokens: Sequence[Token], lexicon: Lexicon) -> dict[int, TaggedSpan]:
    """Mentions and numbers, by where they begin."""
    divided = {issue.name for issue in lexicon.issues if isinstance(issue, QuantityIssue)}
    found: dict[int, TaggedSpan] = {}
    for mention in lexicon.mentions(tokens):
        name = mention.issue or _joint_name(mention, divided)
        found[mention.start] = TaggedSpan(
            _tag_of(mention, name, divided), mention.start, mention.end, issue=name, mention=mention
        )
    for start, end in lexicon.seats(tokens):
        found.setdefault(start, TaggedSpan(Tag.SEAT, start, end))
    behind = {piece.end for piece in found.values() if piece.tag == Tag.ISSUE}
    for number in lexicon.numbers(tokens):
        value = number.value if isinstance(number.value, int) else 0
        if (
            value < 0
            and number.end - number.start == 1
            and (number.start in behind or _opens_list(tokens, number.start))
        ):
            value = -value  # "-2 food" in a line of its own, "food -2": the dash of a list
        whole = isinstance(number.value, int) and not (number.percent or number.money or value < 0)
        tag = Tag.NUMBER if whole else Tag.FIGURE
        # A name that is a number is a name.
        found.setdefault(
            number.start, TaggedSpan(tag, number.start, number.end, number=max(value, 0), figure=number)
        )
    return found


def _tag_of(mention: Mention, name: str, divided: Collection[str]) -> Tag:
    if name in divided or (name and not mention.issue):
        return Tag.ISSUE
    return Tag.VALUE if all(meaning.value for meaning in mention.referents) else Tag.TOPIC


def _joint_name(mention: Mention, divided: Collection[str]) -> str:
    """A name for several issues that share a word, which is none of theirs; empty if one has values."""
    names = [meaning.issue for meaning in mention.referents]
    return "/".join(names) if divided and all(name in divided for name in names) else ""


def _opens_list(tokens: Sequence[Token], i: int) -> bool:
    """Whether a token begins a line, or a part of a list."""
    return i == 0 or tokens[i - 1].ends_sentence or tokens[i - 1].norm in _LISTS
