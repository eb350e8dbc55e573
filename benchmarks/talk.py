"""Labelled negotiations and their text format.

A file contains dialogues of two seats over one game, with the labels of each message in the line below it::

    game: bakery
    seats: A=owner B=baker

    dialogue: terse
    A: how about 3 ovens for me and you get the van
    = offer ovens 3-1, van=With van
    B> ovens 2-2, van=Without van
    A: no. deal if you throw in the van
    = refuse; offer ovens 2-2, van=With van

``A:`` and ``B:`` begin a message, ``A>`` a formal offer, ``A+`` a formal acceptance of the offer on the
table. Units are written speaker first: ``ovens 3-1`` gives three to the speaker. A value or a number is
written ``day=Sunday``. docs/understanding.md explains the labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term, number_from_decimal
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.games import load_game
from negoplatform.language import MAX_HISTORY, DialogueContext, DialogueTurn
from negoplatform.plugins.program_and_user_folders import bundled


class Label(StrEnum):
    """Label of a message."""

    OFFER = "offer"
    """A proposal of terms, as a statement, a question or a condition."""
    WISH = "wish"
    """A statement of the units or values that the speaker needs or wants."""
    LIMIT = "limit"
    """A statement of the most or the least that the speaker agrees to."""
    SEVERAL = "several"
    """A proposal of two or more alternatives."""
    VAGUE = "vague"
    """A statement about the division without an amount."""
    ACCEPT = "accept"
    """An acceptance of all of the last proposal, or of the terms that follow."""
    REFUSE = "refuse"
    """A refusal of all of the last proposal, or of the terms that follow."""
    ASK = "ask"
    """A question that is not a proposal."""
    REPORT = "report"
    """A report about others, the past or an earlier statement, without a proposal."""
    JEST = "jest"
    """Irony, or the opposite of what the words say."""
    TALK = "talk"
    """All other messages: greetings, arguments, complaints, small talk."""


OFFERING = frozenset({Label.OFFER, Label.WISH, Label.LIMIT})
"""Labels whose terms the speaker would take."""


@dataclass(frozen=True, slots=True)
class Message:
    """Labelled message.

    Args:
        seat: The sender's seat.
        text: The text as it was typed.
        place: Its position for people: set, dialogue and number.
        meant: For each issue that it mentions, the terms that an interpretation may have.
        terms: The definite terms that it proposes or agrees to.
        labels: Whether it has each label; a missing one is unknown.
    """

    seat: Seat
    text: str
    place: str
    meant: Mapping[str, tuple[Term, ...]]
    terms: Offer
    labels: Mapping[Label, bool]

    @property
    def proposes(self) -> bool:
        """Whether it proposes terms in any form."""
        return any(self.labels.get(label) for label in (*OFFERING, Label.SEVERAL))

    def allows(self, offer: Offer) -> bool:
        """Return whether an offer states nothing that the message does not."""
        return all(term in self.meant.get(name, ()) for name, term in offer.terms)


@dataclass(frozen=True, slots=True)
class Formal:
    """Formal offer.

    Args:
        seat: The seat that made it.
        offer: The offer.
    """

    seat: Seat
    offer: Offer


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Negotiation of two seats.

    Args:
        name: The set and the dialogue.
        game: The game.
        language: The language of the texts.
        turns: The messages and offers, in order.
    """

    name: str
    game: GameSpec
    language: str
    turns: tuple[Message | Formal, ...]

    def situations(self) -> Iterator[tuple[Message, DialogueContext]]:
        """Yield each message with its context."""
        talk: list[DialogueTurn] = []
        table, maker = EMPTY_OFFER, None
        for turn in self.turns:
            if isinstance(turn, Formal):
                table, maker = turn.offer, turn.seat
                talk.append(DialogueTurn(turn.seat, offer=turn.offer))
            else:
                yield (
                    turn,
                    DialogueContext(
                        self.game, turn.seat, table, maker, tuple(talk[-MAX_HISTORY:]), self.language
                    ),
                )
                talk.append(DialogueTurn(turn.seat, turn.text))


class TalkError(Exception):
    """Raised for a line of a talk file that cannot be parsed."""


@dataclass(frozen=True, slots=True)
class _Act:
    """Label of a message with its terms."""

    label: Label
    offers: tuple[Offer, ...] = ()


@dataclass(slots=True)
class _Reader:
    """Parser of one file, line by line."""

    name: str
    game: GameSpec
    language: str
    seats: dict[str, Seat]
    dialogue: str = ""
    turns: list[Message | Formal] = field(default_factory=list)
    done: list[Dialogue] = field(default_factory=list)

    def begin(self, dialogue: str) -> None:
        """End the current dialogue and begin another."""
        if self.turns:
            name = f"{self.name}/{self.dialogue}"
            self.done.append(Dialogue(name, self.game, self.language, tuple(self.turns)))
        self.dialogue, self.turns = dialogue, []

    def offer(self, speaker: Seat, terms: str) -> None:
        """Add a formal offer."""
        self.turns.append(Formal(speaker, self._terms(speaker, terms)))

    def message(self, speaker: Seat, text: str, label: str) -> None:
        """Add a message with its label."""
        acts = [self._act(speaker, part) for part in label.split(";")]
        (other,) = self.game.others(speaker)
        put_forward = last_terms(self.turns, other)
        meant: dict[str, list[Term]] = {}
        agreed = said = EMPTY_OFFER
        for act in acts:
            whole = act.label == Label.ACCEPT and not act.offers
            offers = (put_forward,) if whole else act.offers
            if act.label in (*OFFERING, Label.SEVERAL, Label.ACCEPT):
                for offer in offers:
                    for name, term in offer.terms:
                        meant.setdefault(name, []).append(term)
            if act.label == Label.ACCEPT:
                agreed = agreed.with_terms_of(offers[0])
            elif act.label in OFFERING:
                said = said.with_terms_of(offers[0])
        count = sum(isinstance(turn, Message) for turn in self.turns)
        self.turns.append(
            Message(
                speaker,
                text,
                f"{self.name}/{self.dialogue}/{count + 1}",
                {name: tuple(terms) for name, terms in meant.items()},
                agreed.with_terms_of(said),
                {name: any(act.label == name for act in acts) for name in Label},
            )
        )

    def _act(self, speaker: Seat, text: str) -> _Act:
        word, _, terms = text.strip().partition(" ")
        try:
            label = Label(word)
        except ValueError:
            raise TalkError(f"'{word}' is no label") from None
        offers = tuple(self._terms(speaker, each) for each in terms.split("|")) if terms.strip() else ()
        if label in OFFERING and len(offers) != 1:
            raise TalkError(f"'{word}' needs its terms")
        if label == Label.SEVERAL and len(offers) < 2:
            raise TalkError("'several' needs alternatives with | between them")
        if offers and label not in {*OFFERING, Label.SEVERAL, Label.ACCEPT, Label.REFUSE}:
            raise TalkError(f"'{word}' has no terms")
        return _Act(label, offers)

    def _terms(self, speaker: Seat, text: str) -> Offer:
        # A comma between digits belongs to a value.
        parts = re.split(r",(?!\d{3}\b)\s*", text.strip())
        return Offer(dict(self._term(speaker, part.strip()) for part in parts))

    def _term(self, speaker: Seat, text: str) -> tuple[str, Term]:
        units = re.fullmatch(r"(\S+) (\d+)-(\d+)", text)
        name, _, value = text.partition("=")
        issue = next((each for each in self.game.issues if each.name == (units[1] if units else name)), None)
        if issue is None:
            raise TalkError(f"'{text}' names no issue of the game")
        if isinstance(issue, QuantityIssue):
            if units is None or int(units[2]) + int(units[3]) > issue.quantity:
                raise TalkError(f"'{text}': write '{issue.name} MINE-YOURS', at most {issue.quantity} in all")
            (other,) = self.game.others(speaker)
            mine, theirs = int(units[2]), int(units[3])
            return issue.name, Allocation({speaker: mine, other: theirs}, issue.quantity - mine - theirs)
        if isinstance(issue, CategoricalIssue):
            if value not in issue.values:
                raise TalkError(f"'{text}': the values are {', '.join(issue.values)}")
            return issue.name, value
        try:
            wanted = number_from_decimal(Decimal(value))
        except InvalidOperation:
            raise TalkError(f"'{text}': '{value}' is no number") from None
        if wanted not in issue.allowed:
            raise TalkError(f"'{text}': {issue.low} to {issue.high} in steps of {issue.step}")
        return issue.name, wanted


def last_terms(turns: Sequence[Message | Formal], seat: Seat) -> Offer:
    """Return a seat's last proposal: its last terms in words, with its formal offer if that still stands."""
    said = formal = EMPTY_OFFER
    for turn in reversed(turns):
        if isinstance(turn, Formal):
            formal = turn.offer if turn.seat == seat else EMPTY_OFFER
            break
        if turn.seat == seat and turn.terms:
            said = turn.terms.with_terms_of(said)
        elif said:
            break
    return formal.with_terms_of(said) if formal else said


def read_talk(path: Path) -> list[Dialogue]:
    """Return the labelled dialogues of a file in order.

    Args:
        path: The file. Its game is NAME.json in the same folder, or comes with the program.

    Raises:
        TalkError: If a line cannot be parsed; with the file, the line and the reason.
        OSError: If the file cannot be read.
        NegoError: If its game cannot be read.
    """
    head: dict[str, str] = {}
    reader: _Reader | None = None
    waiting: tuple[Seat, str] | None = None
    for at, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if waiting is not None and reader is not None:
                if not line.startswith("= "):
                    raise TalkError("a message needs its label in the line below it")
                reader.message(*waiting, line[2:])
                waiting = None
                continue
            key, _, rest = line.partition(":")
            if key in ("game", "seats", "language"):
                head[key] = rest.strip()
            elif key == "dialogue":
                reader = reader or _reader(path, head)
                reader.begin(rest.strip())
            elif reader is None or line[0] not in reader.seats or line[1:2] not in (":", ">", "+"):
                raise TalkError("a line begins with 'dialogue:', 'A:', 'A>', 'A+', 'B:', 'B>' or 'B+'")
            elif line[1] == ":":
                waiting = reader.seats[line[0]], line[2:].strip()
            elif line[1] == ">":
                reader.offer(reader.seats[line[0]], line[2:])
        except TalkError as error:
            raise TalkError(f"{path}, line {at}: {error}.") from None
    if waiting is not None:
        raise TalkError(f"{path}: the last message has no label.")
    if reader is None:
        return []
    reader.begin("")
    return reader.done


def _reader(path: Path, head: dict[str, str]) -> _Reader:
    name = head.get("game", path.stem)
    games = bundled("games")
    places = (path.with_name(f"{name}.json"), games / f"{name}.json", games / name / "game.json")
    game = load_game(next((place for place in places if place.exists()), places[0]))
    seats = dict(zip("AB", game.seats, strict=False))
    for pair in head.get("seats", "").split():
        letter, _, seat = pair.partition("=")
        if seat not in game.seats:
            raise TalkError(f"the game has no seat '{seat}'")
        seats[letter] = seat
    return _Reader(path.stem, game, head.get("language", "en"), seats)
