"""How a text settles issues of named values and of numbers: "90k with a car, but no fast track"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from negoplatform.language.game_values import Values, values_of
from negoplatform.language.lexicon import Lexicon
from negoplatform.language.reading import Doubt
from negoplatform.language.settled import UNCLEAR, Found, Settled
from negoplatform.language.situation import Situation
from negoplatform.language.tokens import Sentence, Token, sentences
from negoplatform.language.value_context import Marks
from negoplatform.language.value_marks import Role, marks_in
from negoplatform.language.value_sentence import SentenceReader


def values_in(tokens: Sequence[Token], situation: Situation, lexicon: Lexicon) -> Settled:
    """How a text settles the issues of named values and of numbers.

    Args:
        tokens: The text, cut by the lexicon.
        situation: Where it is said.
        lexicon: The words of the game.
    """
    values = values_of(lexicon, situation.language)
    settled = Settled()
    if not values.issues:
        return settled
    mentions = {mention.start: mention for mention in lexicon.mentions(tokens)}
    numbers = {number.start: number for number in lexicon.numbers(tokens)}
    about: list[str] = []
    topic = _topic(situation, lexicon, values)
    softly: list[bool] = []
    taken_back = False
    for sentence in sentences(tokens):
        marks = marks_in(tokens, sentence, mentions, numbers, values, situation.language)
        reader = SentenceReader(
            Marks(tokens, marks, values),
            values,
            situation.on_table,
            sentence.question,
            about[-1] if about else topic,
        )
        found = reader.read(settled)
        taken_back = taken_back or any(mark.role == Role.JEST for mark in marks)
        taken_back = taken_back or bool(settled.terms and [mark.role for mark in marks] == [Role.NOT])
        about.extend(reader.about)
        softly.extend([reader.soft] * bool(found))
        settled.conditional = settled.conditional or (reader.conditional and bool(found))
        _gather(settled, found, corrected=reader.corrects)
        if not found and _is_listed(tokens, sentence) and [mark.role for mark in marks] == [Role.UNKNOWN]:
            settled.unsure(UNCLEAR, Doubt.WHICH_VALUE)  # "Programmer; fast; 10 hours"
    if taken_back and settled.terms:
        settled.unsure(UNCLEAR)
    settled.about = tuple(dict.fromkeys(about))
    settled.soft = bool(softly) and all(softly)
    return settled


def _is_listed(tokens: Sequence[Token], sentence: Sentence) -> bool:
    """Whether a stretch of words stands between the signs that part the terms of a list."""
    signs = [*tokens[sentence.start - 1 : sentence.start], *tokens[sentence.end : sentence.end + 1]]
    return sentence.start > 0 and any(sign.norm == ";" for sign in signs)


def _gather(settled: Settled, found: Sequence[Found], *, corrected: bool) -> None:
    """Puts what one sentence names to what those before it named."""
    for one in found:
        held = settled.choices.setdefault(one.issue, [])
        if one.term in held:
            continue
        if held and corrected:
            held.clear()
        held.append(one.term)
        settled.terms[one.issue] = held[0]
        settled.unsure(one.sure)
        if len(held) > 1:
            settled.unsure(UNCLEAR, Doubt.EITHER)


def _topic(situation: Situation, lexicon: Lexicon, values: Values) -> str | None:
    """The one issue that was spoken of last; None if there are several or none."""
    for said in islice(reversed(situation.talk), 2):
        if said.offer is not None:
            names = [name for name, _ in said.offer.terms if name in values.issues]
        else:
            mentions = lexicon.mentions(lexicon.tokens(said.text))
            meant = (mention.issue for mention in mentions)
            names = [name for name in meant if name is not None and name in values.issues]
        if names:
            return names[0] if len(set(names)) == 1 else None
    return None
