"""Labelled negotiations, and the text format that they are written in.

A file holds the talk of two seats over one game, with what each message means below it::

    game: bakery
    seats: A=owner B=baker

    dialogue: terse
    A: how about 3 ovens for me and you get the van
    = offer ovens 3-1, van=With van
    B> ovens 2-2, van=Without van
    A: no. deal if you throw in the van
    = refuse; offer ovens 2-2, van=With van

``A:`` and ``B:`` begin a message, ``A>`` a formal offer, ``A+`` a formal acceptance of the offer on the
table. Units are written speaker first: ``ovens 3-1`` gives three to whoever says it. A value or a number is
written ``day=Sunday``. docs/understanding.md has the labels.
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
from negoplatform.domain.seat import Seat
from negoplatform.formats.games import load_game
from negoplatform.language import MAX_HISTORY, DialogueContext, DialogueTurn
from negoplatform.plugins.paths import bundled


class Label(StrEnum):
    """What a message does."""

    OFFER = "offer"
    """It puts terms forward for a deal, as a statement, a question or a condition."""
    WISH = "wish"
    """It says which units or values its speaker needs or wants."""
    LIMIT = "limit"
    """It says the most or the least that its speaker agrees to."""
    SEVERAL = "several"
    """It puts forward two or more alternatives."""
    VAGUE = "vague"
    """It speaks of dividing without saying how much."""
    ACCEPT = "accept"
    """It agrees: to everything that was put forward last, or to the terms that follow."""
    REFUSE = "refuse"
    """It refuses: everything that was put forward last, or the terms that follow."""
    ASK = "ask"
    """It asks something that is no proposal."""
    REPORT = "report"
    """It tells of others, of the past or of what somebody said, and proposes nothing by it."""
    JEST = "jest"
    """It is ironic, or means the opposite of its words."""
    TALK = "talk"
    """Anything else: greetings, arguments, complaints, small talk."""


OFFERING = frozenset({Label.OFFER, Label.WISH, Label.LIMIT})
"""The labels whose terms are what the speaker would have."""


@dataclass(frozen=True, slots=True)
class Message:
    """One labelled message.

    Args:
        seat: Who said it.
        text: What was typed.
        place: Where it stands, for people to find it: set, dialogue and number.
        meant: For each issue that it speaks of, the terms that may be read from it.
        terms: What it puts forward or agrees to, as far as it is definite: what stands after it.
        labels: Whether it does each of the things that labels name; one that is missing is not known.
    """

    seat: Seat
    text: str
    place: str
    meant: Mapping[str, tuple[Term, ...]]
    terms: Offer
    labels: Mapping[Label, bool]

    @property
    def proposes(self) -> bool:
        """Whether it puts terms forward, in any form."""
        return any(self.labels.get(label) for label in (*OFFERING, Label.SEVERAL))

    def allows(self, offer: Offer) -> bool:
        """Whether an offer says nothing that the message does not say."""
        return all(term in self.meant.get(name, ()) for name, term in offer.terms)


@dataclass(frozen=True, slots=True)
class Formal:
    """A formal offer.

    Args:
        seat: Who made it.
        offer: The offer.
    """

    seat: Seat
    offer: Offer


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One negotiation.

    Args:
        name: The set and the dialogue.
        game: The game.
        language: The language of the words.
        turns: What was said and offered, in order.
    """

    name: str
    game: GameSpec
    language: str
    turns: tuple[Message | Formal, ...]

    def situations(self) -> Iterator[tuple[Message, DialogueContext]]:
        """Each message, and where it was said."""
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
    """Raised for a line of a talk file that cannot be read."""


@dataclass(frozen=True, slots=True)
class _Act:
    """One label of a message, with its terms."""

    label: Label
    offers: tuple[Offer, ...] = ()


@dataclass(slots=True)
class _Reader:
    """Reads one file, line by line."""

    name: str
    game: GameSpec
    language: str
    seats: dict[str, Seat]
    dialogue: str = ""
    turns: list[Message | Formal] = field(default_factory=list)
    done: list[Dialogue] = field(default_factory=list)

    def begin(self, dialogue: str) -> None:
        """Ends the dialogue before, and begins another."""
        if self.turns:
            name = f"{self.name}/{self.dialogue}"
            self.done.append(Dialogue(name, self.game, self.language, tuple(self.turns)))
        self.dialogue, self.turns = dialogue, []

    def offer(self, speaker: Seat, terms: str) -> None:
        """A formal offer."""
        self.turns.append(Formal(speaker, self._terms(speaker, terms)))

    def message(self, speaker: Seat, text: str, label: str) -> None:
        """A message with its label."""
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
    """What a seat put forward last: its last terms in words, with its formal offer if that still stands."""
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
    """The labelled dialogues of a file, in order.

    Args:
        path: The file. The game that it names lies beside it as NAME.json, or comes with the program.

    Raises:
        TalkError: If a line cannot be read; with the file, the line and the reason.
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
