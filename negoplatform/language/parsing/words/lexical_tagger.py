"""Tagger: assigns a tag to each word or phrase of a text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from negoplatform.domain.issue import QuantityIssue
from negoplatform.language.parsing.words.lexicon import Lexicon, Mention, NumberMention
from negoplatform.language.parsing.words.tokenizer import Token


class Tag(StrEnum):
    """Function of a span; the words of each tag are in the language's ``vocabulary.json`` under its name."""

    # That of the text: an enumeration's own hash is computed in Python at each look-up in a set.
    __hash__ = str.__hash__

    ISSUE = "ISSUE"
    """Name of a quantity issue; the game defines the names."""
    TOPIC = "TOPIC"
    """Name of an issue that takes a value or a number."""
    VALUE = "VALUE"
    """Name of a value."""
    NUMBER = "NUMBER"
    """A whole number, which may count units."""
    FIGURE = "FIGURE"
    """Any other number: money, percentages, fractions."""
    WORD = "WORD"
    """Any other word."""
    END = "END"
    """The end of a sentence."""

    SPEAKER = "SPEAKER"
    OTHER = "OTHER"
    US = "US"
    """The speaker's group as a recipient."""
    WE = "WE"
    EACH_OF_US = "EACH_OF_US"
    """Every seat, each with that many."""
    SOMEONE = "SOMEONE"
    """A person who is not at the table: who, they."""
    MINE = "MINE"
    YOURS = "YOURS"
    MY = "MY"
    YOUR = "YOUR"
    GET = "GET"
    """To get: the subject gets what follows."""
    GIVE = "GIVE"
    """To give: the other side, or the named recipient, gets what follows."""
    LEAVE = "LEAVE"
    """To give with a person as subject; with an offer as subject, its consequence."""
    LEAVING = "LEAVING"
    TOOK = "TOOK"
    """To get, in a hypothesis ("if I took"); a report elsewhere."""
    GAVE = "GAVE"
    TRADE = "TRADE"
    """To give one thing for another."""
    NEED = "NEED"
    WANT = "WANT"
    HAVE = "HAVE"
    """To get in a proposal ("you can have"), a state elsewhere ("I have")."""
    HAVE_GOT = "HAVE_GOT"
    """A state: possession."""
    LET = "LET"
    MODAL = "MODAL"
    IF = "IF"
    BUT = "BUT"
    SO = "SO"
    DO = "DO"
    """Possible opening of a list: I can do 2 food."""
    REASON = "REASON"
    """Opening of a reason."""
    ABOUT = "ABOUT"
    """Opening of a proposal: how about."""
    I_DO = "I_DO"
    """Usual opening of a list of what the speaker would take: I can do."""
    AND = "AND"
    WITH = "WITH"
    OR = "OR"
    FOR = "FOR"
    EXCHANGE = "EXCHANGE"
    """Between what is given and its return."""
    TO = "TO"
    OF = "OF"
    DET = "DET"
    A = "A"
    UNIT = "UNIT"
    SKIP = "SKIP"
    """Words that do not change a number: just, only."""
    EXTRA = "EXTRA"
    """The same; but "the extra food" need not be all of it."""
    MORE = "MORE"
    ANOTHER = "ANOTHER"
    """An additional unit of what was mentioned."""
    ALL = "ALL"
    ALL_OF_IT = "ALL_OF_IT"
    """All of what was mentioned."""
    EVERYTHING = "EVERYTHING"
    REST = "REST"
    ELSE = "ELSE"
    """All of what was not mentioned: everything else."""
    OTHERS = "OTHERS"
    BOTH = "BOTH"
    HALF = "HALF"
    EACH = "EACH"
    OF_EACH = "OF_EACH"
    OF_OTHERS = "OF_OTHERS"
    """Of each issue that was not mentioned."""
    COMPOUND = "COMPOUND"
    """Second part of a compound with the issue before it: the food situation."""
    SPLIT = "SPLIT"
    SHARE = "SHARE"
    """To give, with a number; to split, without one."""
    EVENLY = "EVENLY"
    HOW_MANY = "HOW_MANY"
    """Question for a number."""
    SOME = "SOME"
    """An indefinite quantity."""
    COMPARE = "COMPARE"
    SUFFICE = "SUFFICE"
    """Question whether the amount before it is enough for the other side: would 2 be enough?"""
    LESS = "LESS"
    """A comparison that names a number if it is negated: not less than 2."""
    NONE_OF = "NONE_OF"
    NOT = "NOT"
    EXCUSED = "EXCUSED"
    """A phrase that resembles a negation but is none."""
    DENY = "DENY"
    """Negation of all that follows: I do not agree to."""
    WITHOUT = "WITHOUT"
    REFUSE = "REFUSE"
    """Consequence of an unwanted condition: then I walk away."""
    REPORT = "REPORT"
    """A report about the past."""
    NEUTRAL = "NEUTRAL"
    """Words that would have another tag on their own."""
    SAME = "SAME"
    SWAPPED = "SWAPPED"
    MIDDLE = "MIDDLE"
    """A value between those of both sides: halfway."""
    SECOND = "SECOND"
    THIRD = "THIRD"
    THIRDS = "THIRDS"
    """Denominator behind a number: two thirds."""
    PART = "PART"
    """Another fraction of all units, not necessarily a whole number: a quarter of."""
    EXCEPT = "EXCEPT"
    """Exclusion from what was named before it."""
    AT_LEAST = "AT_LEAST"
    AT_MOST = "AT_MOST"
    FEWER = "FEWER"
    """Fewer than an unnamed number: one less."""
    IS_MINE = "IS_MINE"
    """Owner of what was named before it: the food is mine."""
    IS_YOURS = "IS_YOURS"
    JEST = "JEST"
    """Retraction at the end of a sentence: just kidding."""
    RATIO = "RATIO"
    """Distribution per unit: for each."""
    SEAT = "SEAT"
    """Name of a seat, in a game of more than two."""
    SEP = "SEP"
    SIGN = "SIGN"
    """A sign without meaning here."""


@dataclass(frozen=True, slots=True)
class TaggedSpan:
    """Tokens with a common tag.

    Args:
        tag: The tag.
        start: The index of the first token.
        end: The index behind the last token.
        issue: The name of the issue, if it names one.
        number: The number, if it is one.
        question: Whether the sentence that ends here is a question.
        bound: AT_LEAST or AT_MOST if such a phrase is next to it.
        mention: The mention, if it is one.
        figure: The number with its unit and sign, if it is one.
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
"""A dash behind one of these is not a minus sign in front of counted units."""


def tag_tokens(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[TaggedSpan, ...]:
    """Return the tagged spans of a text, with an END after each sentence and without meaningless ones."""
    found: list[TaggedSpan] = []
    bound: Tag | None = None
    for span in _tag_all(tokens, lexicon):
        if span.tag in _BOUNDS:
            bound = span.tag
        elif span.tag not in _DROPPED:
            if bound is not None and span.tag in _BEHIND_LIST and found:
                found[-1] = replace(found[-1], bound=bound)  # "2 food at least"
            found.append(span if bound is None else replace(span, bound=bound))
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
        span = _longest_span(tokens, norms, i, lexicon, of_game)
        yield span
        i = span.end


def _longest_span(
    tokens: Sequence[Token],
    norms: tuple[str, ...],
    i: int,
    lexicon: Lexicon,
    of_game: Mapping[int, TaggedSpan],
) -> TaggedSpan:
    """Return the longest span that begins at a token; words of the game precede words of the language."""
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
            return TaggedSpan(_TAGS[name], i, end)  # "have a" is neutral only if no issue follows.
    return named or TaggedSpan(Tag.WORD if tokens[i].is_word else Tag.SEP, i, i + 1)


def _is_article(word: str, lexicon: Lexicon) -> bool:
    return any(name == Tag.A and phrase == (word,) for phrase, name in lexicon.vocabulary.phrases_from(word))


def _game_spans(tokens: Sequence[Token], lexicon: Lexicon) -> dict[int, TaggedSpan]:
    """Return mentions and numbers by the index of their first token."""
    divided = {issue.name for issue in lexicon.issues if isinstance(issue, QuantityIssue)}
    found: dict[int, TaggedSpan] = {}
    for mention in lexicon.mentions(tokens):
        name = mention.issue or _joint_name(mention, divided)
        found[mention.start] = TaggedSpan(
            _tag_of(mention, name, divided), mention.start, mention.end, issue=name, mention=mention
        )
    for start, end in lexicon.seats(tokens):
        found.setdefault(start, TaggedSpan(Tag.SEAT, start, end))
    behind = {span.end for span in found.values() if span.tag == Tag.ISSUE}
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
        # A number that is a name counts as a name.
        found.setdefault(
            number.start, TaggedSpan(tag, number.start, number.end, number=max(value, 0), figure=number)
        )
    return found


def _tag_of(mention: Mention, name: str, divided: Collection[str]) -> Tag:
    if name in divided or (name and not mention.issue):
        return Tag.ISSUE
    return Tag.VALUE if all(meaning.value for meaning in mention.referents) else Tag.TOPIC


def _joint_name(mention: Mention, divided: Collection[str]) -> str:
    """Return a joint name for issues that share a word; empty if one of them takes values."""
    names = [meaning.issue for meaning in mention.referents]
    return "/".join(names) if divided and all(name in divided for name in names) else ""


def _opens_list(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a token begins a line or an item of a list."""
    return i == 0 or tokens[i - 1].ends_sentence or tokens[i - 1].norm in _LISTS
