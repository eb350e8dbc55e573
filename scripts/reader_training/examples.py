"""Training examples: slots with the right candidates, and messages as the parser fills their slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isclose

from benchmarks.talk import Dialogue, Formal, Label, Message
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.dialogue_state import DialogueState, InterpretedTurn
from negoplatform.language.parsing.slots.message_features import message_features
from negoplatform.language.parsing.slots.offer_composition import ComposedTerms, compose_terms
from negoplatform.language.parsing.slots.slot_detection import game_vocabulary
from negoplatform.language.parsing.slots.slot_features import (
    FeatureContext,
    candidate_features,
    slot_features,
)
from negoplatform.language.parsing.slots.slot_filling import choose_candidates, record_choice, slot_candidates
from negoplatform.language.parsing.slots.slots import ALL_ISSUES, REST, CandidateKind, TermCandidate
from negoplatform.language.parsing.trained_models import SlotNetwork


@dataclass(slots=True)
class SlotExample:
    """Slot with its candidates.

    Args:
        around: The features around it.
        options: The kind and the features of each candidate.
        right: The indices of the right candidates.
        weight: The weight of the example.
    """

    around: list[str]
    options: list[tuple[str, list[str]]]
    right: frozenset[int]
    weight: float


@dataclass(slots=True)
class ReadExample:
    """Message whose slots are filled by a slot network.

    Args:
        message: The message.
        dialogue: Its dialogue.
        text: The text with the chosen candidates.
        probabilities: The probabilities of the chosen candidates.
        composed: The composed terms.
        features: The features for classifying its acts.
    """

    message: Message
    dialogue: Dialogue
    text: FeatureContext
    probabilities: list[float]
    composed: ComposedTerms
    features: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether all terms are right; False if there are none."""
        return bool(self.composed.terms) and self.message.allows(self.composed.terms)


def weight_of(dialogue: Dialogue) -> float:
    """Return the weight of a dialogue's messages: a large set counts less than its size."""
    if "/agents " in dialogue.name:
        return 0.6
    return 0.7 if dialogue.name.startswith("casino") else 1.0 if dialogue.name.startswith("negochat") else 1.2


def slot_examples(dialogues: Sequence[Dialogue]) -> list[SlotExample]:
    """Return the slots of all labelled messages, each in the dialogue as labelled."""
    found: list[SlotExample] = []
    for dialogue in dialogues:

        def take(message: Message, text: FeatureContext, dialogue: Dialogue = dialogue) -> Offer:
            for k in range(len(text.segmented.slots)):
                options = slot_candidates(text, k)
                right = _right(message, text, k, options)
                if message.labels:
                    fitting = [(one.kind.value, candidate_features(text, k, one)) for one in options]
                    found.append(
                        SlotExample(slot_features(text, k), fitting, frozenset(right), weight_of(dialogue))
                    )
                record_choice(text, k, options[right[0]])
            return message.terms

        _walk(dialogue, take)
    return found


def read_examples(dialogues: Sequence[Dialogue], network: SlotNetwork) -> list[ReadExample]:
    """Return all labelled messages with slots filled by a network, as are the messages before them."""
    found: list[ReadExample] = []
    for dialogue in dialogues:

        def take(message: Message, text: FeatureContext, dialogue: Dialogue = dialogue) -> Offer:
            likely = choose_candidates(text, network)
            composed = compose_terms(text.segmented.slots, text.chosen, text.words, text.speaker, text.other)
            if message.labels:
                features = message_features(text, composed.terms, message.text)
                found.append(ReadExample(message, dialogue, text, likely, composed, features))
            return composed.terms

        _walk(dialogue, take)
    return found


def _walk(dialogue: Dialogue, take: Callable[[Message, FeatureContext], Offer]) -> None:
    """Go through a dialogue; ``take`` returns the terms of a message."""
    state = DialogueState()
    words = game_vocabulary(dialogue.game, dialogue.language)
    for turn in dialogue.turns:
        if isinstance(turn, Formal):
            state = state.after_turn(turn.seat, InterpretedTurn(turn.offer, turn.offer.issues, formal=True))
            continue
        (other,) = dialogue.game.others(turn.seat)
        text = FeatureContext(words.segment(turn.text), words, state, turn.seat, other)
        terms = take(turn, text)
        named = tuple(dict.fromkeys(text.named))
        accepted = bool(turn.labels.get(Label.ACCEPT))
        state = state.after_turn(
            turn.seat, InterpretedTurn(terms, named, is_question="?" in turn.text, accepted=accepted)
        )


def _right(message: Message, text: FeatureContext, k: int, options: Sequence[TermCandidate]) -> list[int]:
    """Return the candidates that are right by the label; the last one, no term, if none is."""
    right = [i for i, option in enumerate(options[:-1]) if _is_right(message, text, k, option)]
    return right or [len(options) - 1]


def _is_right(message: Message, text: FeatureContext, k: int, option: TermCandidate) -> bool:
    if option.issue == ALL_ISSUES:
        return _each_is_right(message, text, k, option)
    if option.issue.startswith(REST):
        return _rest_is_right(message, text, k, option)
    return option.term in message.meant.get(option.issue, ())


def _each_is_right(message: Message, text: FeatureContext, k: int, option: TermCandidate) -> bool:
    less = dict(text.segmented.slots[k].less)
    seat, opposite = _sides(text, option)
    meant = [name for name in text.words.units if name in message.meant and (name not in less or less[name])]
    units = {
        name: text.words.units[name] - less.get(name, 0) if option.units is None else option.units
        for name in meant
    }
    return bool(meant) and all(
        units[name] <= text.words.units[name]
        and text.words.allocation(name, seat, units[name], opposite) in message.meant[name]
        for name in meant
    )


def _rest_is_right(message: Message, text: FeatureContext, k: int, option: TermCandidate) -> bool:
    """Return whether a side gets all of the unnamed issues, or what the other side leaves of one."""
    seat, opposite = _sides(text, option)
    _, _, issue = option.issue.partition(":")
    others = [slot for i, slot in enumerate(text.segmented.slots) if i != k]
    named = {slot.issue for slot in others}
    left = [name for name in message.meant if name in text.words.units and name not in named]
    if not issue and left:
        whole = {name: text.words.allocation(name, seat, text.words.units[name], opposite) for name in left}
        return all(term == whole[name] for name in left for term in message.meant[name])
    numbers = {slot.number for slot in others if slot.number is not None}
    return any(
        term.of(opposite) in numbers and not isclose(term.of(opposite), term.of(seat))
        for terms in message.meant.values()
        for term in terms
        if isinstance(term, Allocation)
    )


def _sides(text: FeatureContext, option: TermCandidate) -> tuple[Seat, Seat]:
    return (text.speaker, text.other) if option.kind == CandidateKind.MINE else (text.other, text.speaker)


def counted(example: ReadExample) -> bool:
    """Return whether a person typed it: the program's lines in the Negochat corpus are context only."""
    return not (example.dialogue.name.startswith("negochat") and example.message.seat == "candidate")


def groups(dialogues: Sequence[Dialogue], folds: int) -> Iterator[tuple[list[Dialogue], list[Dialogue]]]:
    """Yield training and test parts: whole games of the written sets, every n-th dialogue of the corpora."""
    names = sorted({d.name.split("/")[0] for d in dialogues if not _of_corpus(d)})
    fold_of = {name: i % folds for i, name in enumerate(names)}
    places = [
        i % folds if _of_corpus(dialogue) else fold_of[dialogue.name.split("/")[0]]
        for i, dialogue in enumerate(dialogues)
    ]
    for fold in range(folds):
        yield (
            [d for d, place in zip(dialogues, places, strict=True) if place != fold],
            [d for d, place in zip(dialogues, places, strict=True) if place == fold],
        )


def _of_corpus(dialogue: Dialogue) -> bool:
    return dialogue.name.startswith(("casino/", "negochat/"))
