"""Benchmark of the parser of typed messages, on dialogues that it was not developed on.

* ``benchmarks/data/talk/test``: dialogues over games with other items than the shipped ones, written for this
  benchmark without knowledge of the parser: three games in the style of study participants, three by authors
  who were asked for unusual wordings, one in German.
* CaSiNo (``--casino FOLDER`` with casino_train.json and casino_valid.json): its validation part, and 100
  dialogues of its training part.
* The Negochat corpus (``--negochat FOLDER`` with its numbered files): 20 of its 70 dialogues.

Run: ``python -m benchmarks.understanding [--casino FOLDER] [--negochat FOLDER] [--development]``.
docs/understanding.md explains the figures.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from benchmarks.corpora import casino, casino_strategies, negochat
from benchmarks.talk import Dialogue, Label, Message, TalkError, read_talk
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.errors import NegoError
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import Interpretation, Need, Parser, parse

TALK = Path(__file__).parent / "data" / "talk"
M = MessageSubtype
SMALL_TALK = (M.GREETING, M.FAREWELL, M.THANKS, M.GENERIC_POS, M.GENERIC_NEG)
BARE = re.compile(r"\w+|[^\w\s]")
"""Simplest tokenizer, with which the parser's time is compared."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Message with its interpretation.

    Args:
        message: The message with its labels.
        reading: The interpretation.
        seconds: The time of parsing.
        bare: The time of the simplest tokenizer.
    """

    message: Message
    reading: Interpretation
    seconds: float
    bare: float

    @property
    def is_right(self) -> bool:
        """Whether a confident interpretation states nothing that the message does not."""
        return self.reading.offer is not None and self.message.allows(self.reading.offer)

    @property
    def inverts(self) -> bool:
        """Whether a confident interpretation gives units to the wrong side, or has a wrong value."""
        return self.reading.offer is not None and bool(_inverted(self.message, self.reading.offer))


def _inverted(message: Message, offer: Offer) -> list[str]:
    """Return the issues for which an offer states the opposite, or another value, than the message."""
    seat = message.seat
    found = []
    for name, term in offer.terms:
        meant = message.meant.get(name, ())
        if not meant or term in meant:
            continue
        if isinstance(term, Allocation):
            more = _lead(term, seat)
            if all(isinstance(m, Allocation) and _lead(m, seat) * more < 0 for m in meant):
                found.append(name)
        else:
            found.append(name)
    return found


def _lead(term: Allocation, seat: str) -> int:
    """Return the difference between a seat's units and the others'."""
    return 2 * term.of(seat) - sum(term.units.values())


def measure(dialogues: Iterable[Dialogue], parser: Parser = parse) -> list[Measured]:
    """Parse every message that a person typed in some dialogues, each in its context."""
    found: list[Measured] = []
    for dialogue in dialogues:
        program = "candidate" if dialogue.name.startswith("negochat/") else None
        for message, situation in dialogue.situations():
            begun = time.perf_counter()
            reading = parser(message.text, situation)
            read = time.perf_counter()
            BARE.findall(message.text)
            cut = time.perf_counter()
            if message.seat != program:
                found.append(Measured(message, reading, read - begun, cut - read))
    return found


def wilson(right: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927); 0 to 1 of nothing."""
    if not of:
        return 0.0, 1.0
    z, portion = 1.959964, right / of
    middle = portion + z * z / (2 * of)
    width = z * sqrt(portion * (1 - portion) / of + z * z / (4 * of * of))
    return (middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def share(right: int, of: int) -> str:
    """Return a share as people read it: "190/200 = 0.950 [0.911, 0.973]"."""
    low, high = wilson(right, of)
    return f"{right}/{of} = {right / of if of else 0:.3f} [{low:.3f}, {high:.3f}]"


def offer_lines(some: Sequence[Measured]) -> Iterator[str]:
    """Yield how often confident interpretations are right, and how many offers have one."""
    sure = [each for each in some if each.reading.offer is not None]
    offers = [each for each in some if each.message.proposes]
    covered = sum(each.reading.offer is not None for each in offers)
    asked = sum(
        each.reading.offer is None and bool(each.reading.offers or each.reading.doubt is not None)
        for each in offers
    )
    armed = [each for each in sure if each.reading.plain]
    yield f"  nothing wrong in sure readings: {share(sum(each.is_right for each in sure), len(sure))}"
    yield f"    of those that Enter confirms: {share(sum(each.is_right for each in armed), len(armed))}"
    yield f"  coverage of offers: {share(covered, len(offers))}; asked about {asked},"
    yield f"    silent {len(offers) - covered - asked}"
    yield f"  inversions in sure readings: {sum(each.inverts for each in sure)}"


def refuses(reading: Interpretation) -> bool:
    """Return whether an interpretation contains a refusal."""
    return reading.refuses or reading.has(M.OFFER_REJECT)


def accepts(reading: Interpretation) -> bool:
    """Return whether an interpretation contains an acceptance: of the offer on the table or of terms."""
    return reading.accepts or reading.echoes or reading.has(M.OFFER_ACCEPT)


def act_line(some: Sequence[Measured], label: Label, found: Callable[[Interpretation], bool]) -> str:
    """Return precision and recall of one act, where its label is known."""
    pairs = [
        (each.message.labels[label], found(each.reading)) for each in some if label in each.message.labels
    ]
    both = sum(said and read for said, read in pairs)
    precision = share(both, sum(read for _, read in pairs))
    return f"  {label.value}: precision {precision}, recall {share(both, sum(said for said, _ in pairs))}"


def time_line(some: Sequence[Measured]) -> str:
    """Return the time of parsing a message."""
    taken = sorted(each.seconds for each in some)
    mean = sum(taken) / len(taken)
    slow = taken[int(len(taken) * 0.99)]
    ratio = sum(taken) / sum(each.bare for each in some)
    return (
        f"  time of a message: mean {mean * 1000:.2f} ms, 99 % within {slow * 1000:.2f} ms,"
        f" worst {taken[-1] * 1000:.2f} ms; {ratio:.0f} times a bare cut into words"
    )


def report(name: str, some: Sequence[Measured]) -> list[str]:
    """Return all figures of a set; only messages with labels count."""
    some = [each for each in some if each.message.labels]
    if not some:
        return [f"{name}: nothing was said"]
    offers = sum(each.message.proposes for each in some)
    return [
        f"{name}: {len(some)} messages, {offers} offers",
        *offer_lines(some),
        act_line(some, Label.REFUSE, refuses),
        act_line(some, Label.ACCEPT, accepts),
        time_line(some),
    ]


def pooled_lines(some: Sequence[Measured]) -> Iterator[str]:
    """Yield the figures over all sets, with the upper bound of the share of inversions."""
    some = [each for each in some if each.message.labels]
    yield from report("all sets", some)
    sure = sum(each.reading.offer is not None for each in some)
    inverted = sum(each.inverts for each in some)
    yield f"  inversions: {inverted} of {sure} sure readings; at most {wilson(inverted, sure)[1]:.4f} (95 %)"


def strategies_of(reading: Interpretation) -> frozenset[str]:
    """Return the strategies annotated in CaSiNo that correspond to an interpretation's acts."""
    need = {Need.SELF: "self-need", Need.OTHERS: "other-need", Need.NONE: "no-need"}
    found = {need[act.need] for act in reading.acts if act.need is not None}
    if reading.has(M.PREF_REQUEST, M.PREF_SPECIFIC_REQUEST):
        found.add("elicit-pref")
    if reading.has(*SMALL_TALK):
        found.add("small-talk")
    return frozenset(found)


def strategy_lines(some: Sequence[Measured], annotated: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield precision, recall and F1 of the dialogue acts against CaSiNo's annotated strategies."""
    known = [
        (strategies_of(e.reading), annotated[e.message.place]) for e in some if e.message.place in annotated
    ]
    yield f"  messages with annotated strategies: {len(known)}"
    for name in ("self-need", "other-need", "no-need", "elicit-pref", "small-talk"):
        both = sum(name in ours and name in theirs for ours, theirs in known)
        ours_all, theirs_all = (
            sum(name in ours for ours, _ in known),
            sum(name in theirs for _, theirs in known),
        )
        precision, recall = both / ours_all if ours_all else 0, both / theirs_all if theirs_all else 0
        f1 = 2 * precision * recall / (precision + recall) if both else 0
        yield f"    {name:<12} precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f} (of {theirs_all})"


def sets_of(
    casino_folder: Path | None, negochat_folder: Path | None, *, development: bool
) -> dict[str, list[Dialogue]]:
    """Return the dialogues to measure, by set; or the training dialogues, with ``development``.

    Raises:
        OSError: If a file cannot be read.
        TalkError: If a talk file is malformed.
        NegoError: If a game is invalid.
    """
    files = sorted((TALK / ("train" if development else "test")).glob("*.txt"))
    sets = {file.stem: read_talk(file) for file in files}
    wanted = ("development",) if development else ("validation", "held out")
    if casino_folder is not None:
        sets |= {f"CaSiNo, {name}": some for name, some in casino(casino_folder).items() if name in wanted}
    if negochat_folder is not None:
        sets |= {
            f"Negochat, {name}": some for name, some in negochat(negochat_folder).items() if name in wanted
        }
    return sets


def main(args: Sequence[str] | None = None) -> int:
    """Print the figures; return 0 unless data are missing."""
    parser = argparse.ArgumentParser(description="Measures how well typed words are read.")
    parser.add_argument("--casino", type=Path, help="the folder with casino_train.json and casino_valid.json")
    parser.add_argument("--negochat", type=Path, help="the folder with the Negochat corpus' numbered files")
    parser.add_argument("--development", action="store_true", help="measure what was learned from instead")
    given = parser.parse_args(args)
    try:
        sets = sets_of(given.casino, given.negochat, development=given.development)
        annotated = {} if given.casino is None else casino_strategies(given.casino)
    except (OSError, NegoError, TalkError) as error:
        print(f"understanding: {error}", file=sys.stderr)
        return 1
    pooled: list[Measured] = []
    for name, dialogues in sets.items():
        some = measure(dialogues)
        print("\n".join(report(name, some)))
        if any(each.message.place in annotated for each in some):
            print("\n".join(strategy_lines(some, annotated)))
        print(flush=True)
        pooled += some
    print("\n".join(pooled_lines(pooled)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
