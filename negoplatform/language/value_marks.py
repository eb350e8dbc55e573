"""What the words of a text do where values are settled: the stream that terms are read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from negoplatform.language.game_values import Values
from negoplatform.language.lexicon import Mention, NumberMention
from negoplatform.language.tokens import Sentence, Token
from negoplatform.language.vocabulary import Phrase, understanding_data


class Role(StrEnum):
    """What a mark does; the words that do it are in the language's ``values.json`` under these names."""

    # Its text's own: an enumeration would look its name up in Python each time that a set is asked for it.
    __hash__ = str.__hash__

    ISSUE = "ISSUE"
    """Names an issue that is settled by a value."""
    UNITS = "UNITS"
    """Names an issue whose units are divided; no term of this part comes of it."""
    VALUE = "VALUE"
    NUMBER = "NUMBER"
    UNKNOWN = "UNKNOWN"
    """A word that the grammar does not know; many of them make a reading unsure."""

    NOT = "NOT"
    WITHOUT = "WITHOUT"
    NEEDLESS = "NEEDLESS"
    """Like WITHOUT, but a wish: no need for."""
    WITH = "WITH"
    GET = "GET"
    """To get, give or settle: what follows is meant as a term."""
    NEED = "NEED"
    """To need: like GET, but a wish."""
    CUE = "CUE"
    """Other words of a proposal."""
    SOFT = "SOFT"
    """A wish."""
    PREF = "PREF"
    """Speaks of what matters, not of a deal."""
    REPORT = "REPORT"
    """Tells of something else: the past, other people, minutes, points."""
    BAD = "BAD"
    """Refuses what was named before it: too low."""
    ASK = "ASK"
    """Opens a question that proposes nothing: why."""
    RANGE = "RANGE"
    COMPARE = "COMPARE"
    BUT = "BUT"
    IF = "IF"
    OR = "OR"
    AND = "AND"
    INSTEAD = "INSTEAD"
    """Takes back what was named before it."""
    AS_IS = "AS_IS"
    """As it stands on the table."""
    OPEN = "OPEN"
    """To be spoken of later."""
    AM = "AM"
    """Says what somebody is: a number behind it is an age."""
    JEST = "JEST"
    """Takes back or refuses what the text says besides: no way, just kidding."""
    A = "A"
    SEP = "SEP"
    SMALL = "SMALL"
    """Words that change nothing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One or several tokens that do one thing.

    Args:
        role: What they do.
        start: The index of the first token.
        end: Behind the index of the last one.
        mention: The mention of an issue or value that they are.
        number: The number that they are.
    """

    role: Role
    start: int
    end: int
    mention: Mention | None = None
    number: NumberMention | None = None


def marks_in(
    tokens: Sequence[Token],
    sentence: Sentence,
    mentions: Mapping[int, Mention],
    numbers: Mapping[int, NumberMention],
    values: Values,
    language: str,
) -> list[Mark]:
    """The marks of a sentence.

    Args:
        tokens: The tokens of the text.
        sentence: Which of them.
        mentions: What names something of the game, by its first token.
        numbers: The numbers, by their first token.
        values: The values of the game's issues.
        language: The language of the words.
    """
    found: list[Mark] = []
    i = sentence.start
    while i < sentence.end:
        mark = _of_game(tokens, i, mentions, numbers, values) or _of_language(
            tokens, i, sentence.end, language
        )
        parts = values.parts.get(tokens[i].norm, ()) if mark.role == Role.UNKNOWN else ()
        if parts:
            mark = Mark(Role.VALUE, i, mark.end, Mention(i, mark.end, parts))
        elif mark.role == Role.UNKNOWN and values.is_unit(tokens[i].norm):
            mark = Mark(Role.SMALL, i, mark.end)
        found.append(mark)
        i = mark.end
    return found


def _of_game(
    tokens: Sequence[Token],
    i: int,
    mentions: Mapping[int, Mention],
    numbers: Mapping[int, NumberMention],
    values: Values,
) -> Mark | None:
    mention, number = mentions.get(i), numbers.get(i)
    if number is not None and (mention is None or mention.end <= number.end):
        if mention is not None and mention.end == number.end and any(m.value for m in mention.meanings):
            return Mark(Role.VALUE, mention.start, mention.end, mention)
        return Mark(Role.NUMBER, number.start, number.end, number=number)
    if mention is None or (mention.end == i + 1 and values.polarity_of(tokens[i].norm) is not None):
        return None  # "yes" and "no" say something about the issue that is named with them
    if any(meaning.issue in values.divided for meaning in mention.meanings):
        return Mark(Role.UNITS, mention.start, mention.end, mention)
    role = Role.VALUE if all(meaning.value for meaning in mention.meanings) else Role.ISSUE
    return Mark(role, mention.start, mention.end, mention)


def _of_language(tokens: Sequence[Token], i: int, end: int, language: str) -> Mark:
    for phrase, role in _phrases(language).get(tokens[i].norm, ()):
        behind = i + len(phrase)
        if (
            behind <= end
            and tokens[behind - 1].norm == phrase[-1]
            and all(tokens[i + k].norm == word for k, word in enumerate(phrase))
        ):
            return Mark(role, i, behind)
    return Mark(Role.UNKNOWN if tokens[i].is_word else Role.SMALL, i, i + 1)


@cache
def _phrases(language: str) -> Mapping[str, tuple[tuple[Phrase, Role], ...]]:
    """The phrases that do something, by their first word, the longest first; the first role named counts."""
    roles: dict[Phrase, Role] = {}
    for name, written in understanding_data(language, "values")["tags"].items():
        for text in written:
            roles.setdefault(tuple(text.split(" ")), Role(name))
    found: dict[str, list[tuple[Phrase, Role]]] = {}
    for phrase, role in roles.items():
        found.setdefault(phrase[0], []).append((phrase, role))
    return {first: tuple(sorted(some, key=lambda pair: -len(pair[0]))) for first, some in found.items()}
