"""What each word of a text does where units are divided: the stream that claims are read from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.issue import QuantityIssue
from negoplatform.language.lexicon import Lexicon
from negoplatform.language.tokens import Token


class Tag(StrEnum):
    """What a piece does; the words that do it are in the language's ``vocabulary.json`` under these names."""

    # Its text's own: an enumeration would look its name up in Python each time that a set is asked for it.
    __hash__ = str.__hash__

    ISSUE = "ISSUE"
    """Names an issue; the game says how."""
    TOPIC = "TOPIC"
    """Names an issue that is not divided, or a value of it."""
    NUMBER = "NUMBER"
    WORD = "WORD"
    """Any other word."""
    END = "END"
    """The end of a sentence."""

    SPEAKER = "SPEAKER"
    OTHER = "OTHER"
    US = "US"
    """The speaker's people, where they are given something."""
    WE = "WE"
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
    SECOND = "SECOND"
    THIRD = "THIRD"
    SEP = "SEP"
    SIGN = "SIGN"
    """Signs that mean nothing here."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One or several tokens that do one thing.

    Args:
        tag: What they do.
        start: The index of the first token.
        end: Behind the index of the last one.
        issue: The name of the issue that they name, if any.
        number: The number that they are, if any.
        question: Whether the sentence that ends here is a question.
    """

    tag: Tag
    start: int
    end: int
    issue: str = ""
    number: int = 0
    question: bool = False


_TAGS = {tag.value: tag for tag in Tag}
_DROPPED = frozenset({Tag.SIGN, Tag.SKIP})


def pieces_in(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Piece, ...]:
    """The pieces of a text, an END after each sentence; what changes nothing is left out."""
    found = [piece for piece in _all_pieces(tokens, lexicon) if piece.tag not in _DROPPED]
    if found and found[-1].tag != Tag.END:
        found.append(Piece(Tag.END, len(tokens), len(tokens)))
    return tuple(found)


def _all_pieces(tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[Piece]:
    of_game = _of_game(tokens, lexicon)
    norms = tuple(token.norm for token in tokens)
    i = 0
    while i < len(tokens):
        piece = _piece(tokens, norms, i, lexicon, of_game)
        yield piece
        i = piece.end


def _piece(
    tokens: Sequence[Token], norms: tuple[str, ...], i: int, lexicon: Lexicon, of_game: Mapping[int, Piece]
) -> Piece:
    """The longest piece that begins with a token; words of the game before words of the language."""
    if tokens[i].ends:
        return Piece(Tag.END, i, i + 1, question=tokens[i].asks)
    named = of_game.get(i)
    for phrase, name in lexicon.vocabulary.phrases_from(norms[i]):
        end = i + len(phrase)
        if named is not None and named.end >= end:
            break
        if norms[i:end] == phrase and not (
            name == Tag.NEUTRAL and end in of_game and _is_article(norms[end - 1], lexicon)
        ):
            return Piece(_TAGS[name], i, end)  # But "have a" means nothing only before what is no issue.
    return named or Piece(Tag.WORD if tokens[i].is_word else Tag.SEP, i, i + 1)


def _is_article(word: str, lexicon: Lexicon) -> bool:
    return any(name == Tag.A and phrase == (word,) for phrase, name in lexicon.vocabulary.phrases_from(word))


def _of_game(tokens: Sequence[Token], lexicon: Lexicon) -> dict[int, Piece]:
    """Mentions and numbers, by where they begin."""
    divided = {issue.name for issue in lexicon.issues if isinstance(issue, QuantityIssue)}
    found: dict[int, Piece] = {}
    for number in lexicon.numbers(tokens):
        whole = isinstance(number.value, int) and not (number.percent or number.money)
        tag = Tag.NUMBER if whole else Tag.TOPIC
        value = number.value if isinstance(number.value, int) else 0
        found[number.start] = Piece(tag, number.start, number.end, number=value)
    for mention in lexicon.mentions(tokens):
        name = mention.issue or ""
        tag = Tag.ISSUE if name in divided else Tag.TOPIC
        found[mention.start] = Piece(tag, mention.start, mention.end, issue=name)
    return found
