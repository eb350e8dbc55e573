"""Labelled sentences of the program's own agents, over the games of the other dialogues."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from benchmarks.talk import Dialogue, Label, Message
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.language.generation import VOICES, languages, offer_in_words, templates, title_in_words

_FOR_EACH_GAME = 40
_NO_SENTENCES = "clause_"
"""Prefix of kinds that are parts of sentences."""

_SLOTS = re.compile(r"{(\w+)}")
_ALL_TERMS = ({"offer"}, {"terms"})
"""Slots of sentences that state an offer."""

_NO_TERMS = {"issue", "first", "second", "value"}
"""Slots of sentences that state none."""


def agent_talk(games: Sequence[GameSpec], seed: int) -> list[Dialogue]:
    """Return single sentences of agents, in each language that agents speak."""
    random = Random(seed)
    return [
        Dialogue(f"{game.name}/agents {language} {i}", game, language, (message,))
        for game in games
        for language in languages()
        for i, message in enumerate(_sentences(game, language, random))
    ]


def _sentences(game: GameSpec, language: str, random: Random) -> Iterator[Message]:
    sentences = [
        sentence
        for voice in VOICES
        for kind, some in templates(language, voice).items()
        if not kind.startswith(_NO_SENTENCES)
        for sentence in some
    ]
    with_terms = [s for s in sentences if set(_SLOTS.findall(s)) in _ALL_TERMS]
    others = [s for s in sentences if set(_SLOTS.findall(s)) <= _NO_TERMS]
    for i in range(_FOR_EACH_GAME):
        seat = random.choice(game.seats)
        if i % 2:
            yield _with_terms(random.choice(with_terms), game, seat, language, random)
        else:
            yield _without_terms(random.choice(others), game, seat, language, random)


def _with_terms(template: str, game: GameSpec, seat: str, language: str, random: Random) -> Message:
    issues = random.sample(list(game.issues), random.randint(1, len(game.issues)))
    offer = Offer({issue.name: _term(issue, game, random) for issue in issues})
    words = offer_in_words(offer, game, seat, language=language)
    text = template.format(offer=words, terms=words, issue=title_in_words(issues[0], language))
    meant = {name: (term,) for name, term in offer.terms}
    labels = {
        Label.OFFER: True,
        Label.REPORT: False,
        Label.JEST: False,
        Label.TALK: False,
        Label.SEVERAL: False,
    }
    return Message(seat, text, f"{game.name}/agents", meant, offer, labels)


def _term(issue: Issue, game: GameSpec, random: Random) -> Term:
    if isinstance(issue, QuantityIssue):
        first, second = game.seats
        units = random.randint(0, issue.quantity)
        return Allocation({first: units, second: issue.quantity - units})
    return random.choice(issue.values)


def _without_terms(template: str, game: GameSpec, seat: str, language: str, random: Random) -> Message:
    first, second = random.choice(game.issues), random.choice(game.issues)
    names = {"issue": first, "first": first, "second": second}
    text = template.format(
        **{name: title_in_words(issue, language) for name, issue in names.items()}, value="12"
    )
    labels = dict.fromkeys((Label.OFFER, Label.WISH, Label.LIMIT, Label.SEVERAL), False)
    return Message(seat, text, f"{game.name}/agents", {}, EMPTY_OFFER, labels)
