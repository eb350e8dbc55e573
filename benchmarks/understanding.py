"""Measures how well what people said in the CaSiNo negotiations is understood.

CaSiNo (Chawla et al., NAACL 2021, CC BY 4.0) holds negotiations of two people over three packages each of
food, water and firewood, typed freely before a deal is submitted. Measured are the validation part and 100
negotiations of the training part that nothing was developed on: those whose number has the smallest
SHA-256 of ``understanding/NUMBER``. The other 800 were open to development.

Run: ``python benchmarks/understanding.py FOLDER [--development]``; the folder holds casino_train.json and
casino_valid.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from negoplatform.app.folders import bundled
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.formats.games import load_game
from negoplatform.language.division import divisions_of
from negoplatform.language.lexicon import lexicon_of
from negoplatform.language.reading import SURE, Need, Reading
from negoplatform.language.situation import REMEMBERED, Said, Situation
from negoplatform.language.sureness import Reason, surest
from negoplatform.language.understanding import understand

KINDS = ("food", "water", "firewood")
FORMAL = ("Submit-Deal", "Accept-Deal", "Reject-Deal", "Walk-Away")
HELD_OUT = 100
DATA = Path(__file__).parent / "data"
M = MessageSubtype
SMALL_TALK = (M.GREETING, M.FAREWELL, M.THANKS, M.GENERIC_POS, M.GENERIC_NEG)
BARE = re.compile(r"\w+|[^\w\s]")
"""The cheapest way to cut a text: what the time of a reading is compared with."""

Label = Mapping[str, Any]
Labels = Mapping[tuple[int, int], Label]


@dataclass(frozen=True, slots=True)
class Heard:
    """One message, understood where it was said.

    Args:
        dialogue: The negotiation's number in the data.
        index: The message's place in it, from 0.
        speaker: Who said it.
        text: What was said.
        reading: What was understood.
        seconds: How long that took.
        bare: How long it took to cut the text into words.
        strategies: What the data's annotators called it; None if they did not.
        questioned: What would be sure but for the reasons to doubt it; None if nothing would.
        reasons: These reasons.
    """

    dialogue: int
    index: int
    speaker: Seat
    text: str
    reading: Reading
    seconds: float
    bare: float
    strategies: frozenset[str] | None
    questioned: Offer | None = None
    reasons: tuple[Reason, ...] = ()


@dataclass(slots=True)
class Part:
    """What was measured on a part of the data.

    Args:
        heard: The messages in words.
        deals: For each deal that was submitted, the deal and what had been said to be.
    """

    heard: list[Heard] = field(default_factory=list)
    deals: list[tuple[Offer, Offer]] = field(default_factory=list)


def in_order_of_hash(dialogues: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The training negotiations, those that are held out first."""

    def digest(dialogue: Mapping[str, Any]) -> str:
        return hashlib.sha256(f"understanding/{dialogue['dialogue_id']}".encode()).hexdigest()

    return sorted(dialogues, key=digest)


def listen(dialogues: Iterable[Mapping[str, Any]], game: GameSpec) -> Part:
    """Understands everything that was said in some negotiations."""
    part = Part()
    for dialogue in dialogues:
        _listen(dialogue, game, part)
    return part


def _listen(dialogue: Mapping[str, Any], game: GameSpec, part: Part) -> None:
    seat_of: dict[str, Seat] = dict(zip(sorted(dialogue["participant_info"]), game.seats, strict=True))
    strategies = iter(dialogue.get("annotations") or ())
    talk: list[Said] = []
    table, maker = EMPTY_OFFER, None
    said = EMPTY_OFFER
    for index, move in enumerate(dialogue["chat_logs"]):
        speaker, text = seat_of[move["id"]], move["text"]
        if text == "Submit-Deal":
            table, maker = _deal(move["task_data"], speaker, game), speaker
            part.deals.append((table, said))
            talk.append(Said(speaker, offer=table))
        elif text not in FORMAL:
            situation = Situation(game, speaker, table, maker, tuple(talk[-REMEMBERED:]))
            heard = _hear(dialogue, index, situation, text, next(strategies, None))
            part.heard.append(heard)
            talk.append(Said(speaker, text))
            if heard.reading.offer is not None:
                said = said.with_terms_of(heard.reading.offer)


def _hear(
    dialogue: Mapping[str, Any], index: int, situation: Situation, text: str, annotation: Sequence[str] | None
) -> Heard:
    begun = time.perf_counter()
    reading = understand(text, situation)
    read = time.perf_counter()
    BARE.findall(text)
    cut = time.perf_counter()
    strategies = None if annotation is None else frozenset(annotation[1].split(","))
    questioned, reasons = _doubted(text, situation)
    return Heard(
        dialogue["dialogue_id"],
        index,
        situation.speaker,
        text,
        reading,
        read - begun,
        cut - read,
        strategies,
        questioned,
        reasons,
    )


def _doubted(text: str, situation: Situation) -> tuple[Offer | None, tuple[Reason, ...]]:
    """What would be sure but for the reasons to doubt it, and these reasons."""
    lexicon = lexicon_of(situation.game, situation.language)
    ways = divisions_of(lexicon.tokens(text), situation, lexicon)
    way = ways[0]
    plain = len(ways) == 1 and bool(way.terms) and way.unquestioned >= SURE
    return Offer(way.terms) if plain else None, way.reasons


def _deal(deal: Mapping[str, Any], mine: Seat, game: GameSpec) -> Offer:
    (other,) = game.others(mine)
    return Offer(
        {
            kind: Allocation(
                {
                    mine: int(deal["issue2youget"][kind.capitalize()]),
                    other: int(deal["issue2theyget"][kind.capitalize()]),
                }
            )
            for kind in KINDS
        }
    )


def read_labels(*files: Path) -> dict[tuple[int, int], Label]:
    """The hand labels of files, by dialogue and message."""
    found: dict[tuple[int, int], Label] = {}
    for file in files:
        for label in json.loads(file.read_text(encoding="utf-8"))["labels"]:
            found[label["dialogue"], label["message"]] = label
    return found


def is_right(heard: Heard, label: Label, game: GameSpec) -> bool:
    """Whether a sure reading says exactly what the label says."""
    return heard.reading.offer is not None and _is_said(heard.reading.offer, heard.speaker, label, game)


def _is_said(offer: Offer, speaker: Seat, label: Label, game: GameSpec) -> bool:
    if label["label"] not in ("offer", "soft"):
        return False
    (other,) = game.others(speaker)
    said = {
        name: [term.of(speaker), term.of(other)] for name, term in offer.terms if isinstance(term, Allocation)
    }
    return said == dict(label["offer"])


def reason_lines(part: Part, labels: Labels, game: GameSpec) -> Iterator[str]:
    """For each reason to doubt, how often readings that it keeps from being sure would be right."""
    found: dict[Reason, list[bool]] = {}
    for heard in part.heard:
        label = labels.get((heard.dialogue, heard.index))
        if label is not None and heard.questioned is not None:
            right = _is_said(heard.questioned, heard.speaker, label, game)
            for reason in heard.reasons:
                found.setdefault(reason, []).append(right)
    yield "reasons to doubt, of labelled readings that would be sure without them:"
    for reason in Reason:
        seen = found.get(reason, [])
        most = surest((reason,), "en")
        yield f"  {reason.value:<9} makes it at most {most:.2f}; right {share(sum(seen), len(seen))}"


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); 0 to 1 of nothing."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, right / of
    middle = share + z * z / (2 * of)
    width = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def share(right: int, of: int) -> str:
    """A share as people read it: "190/200 = 0.950 [0.911, 0.973]"."""
    low, high = wilson(right, of)
    return f"{right}/{of} = {right / of if of else 0:.3f} [{low:.3f}, {high:.3f}]"


def deal_lines(part: Part) -> Iterator[str]:
    """How often what was said last is what was submitted."""
    exact = sum(said == deal for deal, said in part.deals)
    complete = sum(len(said) == len(KINDS) for _, said in part.deals)
    terms = Counter(
        "unsaid" if said.get(kind) is None else "right" if said.get(kind) == deal.get(kind) else "wrong"
        for deal, said in part.deals
        for kind in KINDS
    )
    none_wrong = sum(
        bool(said) and all(said.get(kind) in (None, deal.get(kind)) for kind in KINDS)
        for deal, said in part.deals
    )
    yield f"deals submitted: {len(part.deals)}; said before in full: {complete}"
    yield f"  the last words are the deal exactly: {share(exact, len(part.deals))}"
    yield f"  the last words are the deal or parts of it: {share(none_wrong, len(part.deals))}"
    yield (
        f"  kinds: right {terms['right']}, wrong {terms['wrong']}, unsaid {terms['unsaid']};"
        f" right of those said {share(terms['right'], terms['right'] + terms['wrong'])}"
    )


def _is_offer(reading: Reading) -> bool:
    """Whether words are surely an offer of their own, and no yes to one that was said."""
    return reading.offer is not None and not reading.echoes


def label_lines(part: Part, labels: Labels, game: GameSpec) -> Iterator[str]:
    """How often sure readings are right, and how many offers have one."""
    known = [(heard, labels[key]) for heard in part.heard if (key := (heard.dialogue, heard.index)) in labels]
    sure = [(heard, label) for heard, label in known if _is_offer(heard.reading)]
    right = sum(is_right(heard, label, game) for heard, label in sure)
    offers = [(heard, label) for heard, label in known if label["label"] in ("offer", "several")]
    answered = sum(_is_offer(heard.reading) for heard, _ in offers)
    asked = sum(
        not _is_offer(heard.reading) and bool(heard.reading.offers or heard.reading.doubt)
        for heard, _ in offers
    )
    yield f"labelled messages: {len(known)}; offers among them: {len(offers)}"
    yield f"  precision of sure readings: {share(right, len(sure))}"
    plain = [(heard, label) for heard, label in sure if not label.get("unsure")]
    right = sum(is_right(heard, label, game) for heard, label in plain)
    yield f"    where the labeller was sure: {share(right, len(plain))}"
    yield f"  coverage of offers: {share(answered, len(offers))}; asked about {asked},"
    yield f"    silent {len(offers) - answered - asked}"
    yield from _sentence_lines(known, game)
    yield _echo_line(known, game)
    wrong = Counter(label["label"] for heard, label in sure if not is_right(heard, label, game))
    yield f"  wrong by label: {', '.join(f'{name} {n}' for name, n in sorted(wrong.items())) or 'none'}"


def _sentence_lines(known: Sequence[tuple[Heard, Label]], game: GameSpec) -> Iterator[str]:
    """How it does on messages that make one offer, everything else left aside."""
    offers = [(heard, label) for heard, label in known if label["label"] == "offer"]
    plain = [(heard, label) for heard, label in offers if not label.get("unsure")]
    for name, some in (("offer messages alone", offers), ("  where the labeller was sure", plain)):
        answered = [(heard, label) for heard, label in some if _is_offer(heard.reading)]
        right = sum(is_right(heard, label, game) for heard, label in answered)
        yield f"  {name}: precision {share(right, len(answered))},"
        yield f"    coverage {share(len(answered), len(some))}, exactly right {share(right, len(some))}"


def _echo_line(known: Sequence[tuple[Heard, Label]], game: GameSpec) -> str:
    """How often a yes to terms in words is one to those that were labelled last."""
    last: dict[int, tuple[Seat, Label]] = {}
    right: list[bool] = []
    for heard, label in known:
        if heard.reading.echoes and heard.reading.offer is not None:
            maker, said = last.get(heard.dialogue, (heard.speaker, {"label": "none"}))
            right.append(maker != heard.speaker and _is_said(heard.reading.offer, maker, said, game))
        if label["label"] in ("offer", "several", "soft"):
            last[heard.dialogue] = heard.speaker, label
    return f"  a yes to terms in words: they are the last ones {share(sum(right), len(right))}"


def strategies_of(reading: Reading) -> frozenset[str]:
    """The annotated strategies that correspond to what a reading's acts do."""
    need = {Need.SELF: "self-need", Need.OTHERS: "other-need", Need.NONE: "no-need"}
    found = {need[act.need] for act in reading.acts if act.need is not None}
    if reading.has(M.PREF_REQUEST, M.PREF_SPECIFIC_REQUEST):
        found.add("elicit-pref")
    if reading.has(*SMALL_TALK):
        found.add("small-talk")
    return frozenset(found)


def strategy_lines(part: Part) -> Iterator[str]:
    """Precision, recall and F1 of the speech acts against the annotated strategies."""
    annotated = [(strategies_of(h.reading), h.strategies) for h in part.heard if h.strategies is not None]
    yield f"annotated messages: {len(annotated)}"
    for name in ("self-need", "other-need", "no-need", "elicit-pref", "small-talk"):
        both = sum(name in ours and name in theirs for ours, theirs in annotated)
        ours_all = sum(name in ours for ours, _ in annotated)
        theirs_all = sum(name in theirs for _, theirs in annotated)
        precision, recall = both / ours_all if ours_all else 0, both / theirs_all if theirs_all else 0
        f1 = 2 * precision * recall / (precision + recall) if both else 0
        yield f"  {name:<12} precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f} (of {theirs_all})"


def time_lines(part: Part) -> Iterator[str]:
    """How long a reading takes."""
    taken = sorted(heard.seconds for heard in part.heard)
    bare = sum(heard.bare for heard in part.heard)
    mean = sum(taken) / len(taken)
    yield (
        f"time of a message: mean {mean * 1000:.2f} ms,"
        f" 99 % within {taken[int(len(taken) * 0.99)] * 1000:.2f} ms,"
        f" worst {taken[-1] * 1000:.2f} ms; {sum(taken) / bare:.0f} times a bare cut into words"
    )


def report(name: str, part: Part, labels: Labels, game: GameSpec) -> list[str]:
    """All figures of a part."""
    if not part.heard:
        return [f"{name}: nothing was said"]
    return [
        f"{name}: {len({heard.dialogue for heard in part.heard})} negotiations, {len(part.heard)} messages",
        *deal_lines(part),
        *label_lines(part, labels, game),
        *strategy_lines(part),
        *time_lines(part),
    ]


def parts_in(folder: Path, *, development: bool) -> dict[str, list[Mapping[str, Any]]]:
    """The negotiations that are measured, by the name of their part.

    Raises:
        OSError: If a file is not there.
    """
    train = in_order_of_hash(json.loads((folder / "casino_train.json").read_text(encoding="utf-8")))
    if development:
        return {"development": train[HELD_OUT:]}
    valid = json.loads((folder / "casino_valid.json").read_text(encoding="utf-8"))
    return {"validation": valid, "held out": train[:HELD_OUT]}


def main(args: Sequence[str] | None = None) -> int:
    """Prints the figures; 0 unless the data are not there."""
    parser = argparse.ArgumentParser(description="Measures how well people's words are understood.")
    parser.add_argument("folder", type=Path, help="the folder with casino_train.json and casino_valid.json")
    parser.add_argument("--development", action="store_true", help="measure what was developed on instead")
    given = parser.parse_args(args)
    try:
        parts = parts_in(given.folder, development=given.development)
        labels = read_labels(*sorted(DATA.glob("casino_labels_*.json")))
        game = load_game(bundled("games") / "campsite.json")
    except (OSError, NegoError) as error:
        print(f"understanding: {error}", file=sys.stderr)
        return 1
    for name, dialogues in parts.items():
        part = listen(dialogues, game)
        print("\n".join(report(name, part, labels, game)))
        # The certainties are set on the development part; elsewhere they are only measured.
        if given.development:
            print("\n".join(reason_lines(part, labels, game)))
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
