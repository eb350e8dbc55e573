"""The two corpora on which interpretations are measured; neither is in the repository.

* CaSiNo (Chawla et al., NAACL 2021, CC BY 4.0): two people divide three packages each of food, water and
  firewood. The labels are this project's own, by dialogue and message (``benchmarks/data``).
* The Negochat corpus (Konovalov et al., LREC 2016, Apache-2.0): employers type to a job candidate that is a
  program. The labels are the corpus' own; the program's lines are context and are not measured.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.talk import Dialogue, Formal, Label, Message, last_terms
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled

LABELS = Path(__file__).parent / "data"
HELD_OUT_CASINO = 100
"""Number of held-out dialogues of CaSiNo's training part: those with the smallest hash of their number."""
HELD_OUT_NEGOCHAT = 20
"""The same for the training part of the Negochat corpus."""

_FORMAL = ("Submit-Deal", "Accept-Deal", "Reject-Deal", "Walk-Away")
_KINDS = ("food", "water", "firewood")
_ISSUES = {
    "Salary": "salary",
    "Job Description": "job",
    "Leased Car": "car",
    "Pension Fund": "pension",
    "Promotion Possibilities": "promotion",
    "Working Hours": "hours",
}
_VALUES = {"Project Manager": "Project manager", "Team Manager": "Team manager"}


def by_hash(name: str, numbers: Iterable[int]) -> list[int]:
    """Return numbers in the order of the SHA-256 of ``NAME/NUMBER``; the first ones are held out."""
    return sorted(numbers, key=lambda n: hashlib.sha256(f"{name}/{n}".encode()).hexdigest())


def casino(folder: Path) -> dict[str, list[Dialogue]]:
    """Return CaSiNo's dialogues by part: ``validation``, ``held out``, ``development``.

    Args:
        folder: The folder with casino_train.json and casino_valid.json.

    Raises:
        OSError: If a file cannot be read.
    """
    game = load_game(bundled("games") / "campsite.json")
    labels = _read_labels()
    train = {d["dialogue_id"]: d for d in json.loads((folder / "casino_train.json").read_text("utf-8"))}
    valid = json.loads((folder / "casino_valid.json").read_text("utf-8"))
    order = by_hash("understanding", train)
    parts = {
        "validation": valid,
        "held out": [train[n] for n in order[:HELD_OUT_CASINO]],
        "development": [train[n] for n in order[HELD_OUT_CASINO:]],
    }
    return {name: [_casino(each, game, labels) for each in some] for name, some in parts.items()}


def casino_strategies(folder: Path) -> dict[str, frozenset[str]]:
    """Return the strategies annotated in CaSiNo, by the place of the message.

    Raises:
        OSError: If a file cannot be read.
    """
    found: dict[str, frozenset[str]] = {}
    for name in ("casino_train.json", "casino_valid.json"):
        for dialogue in json.loads((folder / name).read_text("utf-8")):
            moves = [(i, move) for i, move in enumerate(dialogue["chat_logs"]) if move["text"] not in _FORMAL]
            for (index, _), said in zip(moves, dialogue.get("annotations") or (), strict=False):
                found[f"casino/{dialogue['dialogue_id']}/{index}"] = frozenset(said[1].split(","))
    return found


def _read_labels() -> dict[tuple[int, int], Mapping[str, Any]]:
    return {
        (label["dialogue"], label["message"]): label
        for file in sorted(LABELS.glob("casino_labels_*.json"))
        for label in json.loads(file.read_text(encoding="utf-8"))["labels"]
    }


def _casino(
    dialogue: Mapping[str, Any], game: GameSpec, labels: Mapping[tuple[int, int], Mapping[str, Any]]
) -> Dialogue:
    number = dialogue["dialogue_id"]
    seat_of: dict[str, Seat] = dict(zip(sorted(dialogue["participant_info"]), game.seats, strict=True))
    turns: list[Message | Formal] = []
    for index, move in enumerate(dialogue["chat_logs"]):
        seat, text = seat_of[move["id"]], move["text"]
        if text == "Submit-Deal":
            task = move["task_data"]
            mine = {kind: int(task["issue2youget"][kind.capitalize()]) for kind in _KINDS}
            yours = {kind: int(task["issue2theyget"][kind.capitalize()]) for kind in _KINDS}
            pairs = {kind: (mine[kind], yours[kind]) for kind in _KINDS}
            turns.append(Formal(seat, _shares(pairs, seat, game)))
        elif text not in _FORMAL:
            (other,) = game.others(seat)
            label, put_forward = labels.get((number, index)), last_terms(turns, other)
            turns.append(_casino_message(seat, text, f"casino/{number}/{index}", label, game, put_forward))
    return Dialogue(f"casino/{number}", game, "en", tuple(turns))


def _casino_message(
    seat: Seat, text: str, place: str, label: Mapping[str, Any] | None, game: GameSpec, put_forward: Offer
) -> Message:
    """Return a labelled message; its one label gives its main function, and further functions are unknown.

    Args:
        put_forward: The other side's last proposal, which an acceptance agrees to.
    """
    if label is None:
        return Message(seat, text, place, {}, EMPTY_OFFER, {})
    name = label["label"]
    offers = label.get("offers", [label["offer"]] if name in ("offer", "soft") else [])
    read = [put_forward] if name == "accept" else [_shares(offer, seat, game) for offer in offers]
    meant: dict[str, tuple[Term, ...]] = {}
    for offer in read:
        for issue, term in offer.terms:
            meant[issue] = (*meant.get(issue, ()), term)
    known = {
        Label.OFFER: name == "offer",
        Label.WISH: name == "soft",
        Label.SEVERAL: name == "several",
        Label.VAGUE: name == "vague",
    }
    if name in ("accept", "none", "reject", "vague"):
        known[Label.ACCEPT] = name == "accept"
    if name in ("accept", "reject"):
        known[Label.REFUSE] = name == "reject"
    return Message(seat, text, place, meant, read[0] if len(read) == 1 else EMPTY_OFFER, known)


def _shares(offer: Mapping[str, Any], seat: Seat, game: GameSpec) -> Offer:
    (other,) = game.others(seat)
    return Offer(
        {n: Allocation({seat: mine, other: yours}, 3 - mine - yours) for n, (mine, yours) in offer.items()}
    )


def negochat(folder: Path) -> dict[str, list[Dialogue]]:
    """Return the dialogues of the Negochat corpus by part: ``held out`` and ``development``.

    Args:
        folder: The folder with its numbered files.

    Raises:
        OSError: If a file cannot be read.
    """
    game = load_game(bundled("games") / "job_candidate.json")
    files = {int(file.stem): file for file in folder.glob("*.json") if file.stem.isdigit()}
    order = by_hash("negochat", files)
    parts = {"held out": order[:HELD_OUT_NEGOCHAT], "development": order[HELD_OUT_NEGOCHAT:]}
    return {name: [_negochat(n, files[n], game) for n in some] for name, some in parts.items()}


def _negochat(number: int, file: Path, game: GameSpec) -> Dialogue:
    turns: list[Message | Formal] = []
    for index, turn in enumerate(json.loads(file.read_text("utf-8"))["turns"]):
        text = turn.get("input") or turn.get("data")
        if isinstance(text, str):
            seat = "employer" if turn["role"] == "Employer" else "candidate"
            (other,) = game.others(seat)
            place = f"negochat/{number}/{index}"
            turns.append(_negochat_message(seat, text, place, turn["output"], last_terms(turns, other)))
    return Dialogue(f"negochat/{number}", game, "en", tuple(turns))


def _negochat_message(
    seat: Seat, text: str, place: str, acts: Iterable[Mapping[str, Any]], put_forward: Offer
) -> Message:
    offered: dict[str, Term] = {}
    agreed: dict[str, Term] = {}
    done = {name for act in acts for name in act}
    for act in acts:
        for name, what in act.items():
            if name == "Offer" and isinstance(what, Mapping):
                offered |= _terms(what)
            elif name == "Accept" and isinstance(what, Mapping):
                agreed |= _terms(what)
            elif name == "Accept":
                agreed |= {n: t for n, t in put_forward.terms if what is True or n == _ISSUES.get(what)}
    meant = {
        issue: tuple(term for some in (agreed, offered) for n, term in some.items() if n == issue)
        for issue in {**agreed, **offered}
    }
    known = {
        Label.OFFER: "Offer" in done,
        Label.ACCEPT: "Accept" in done,
        Label.REFUSE: "Reject" in done,
        Label.TALK: "Greet" in done,
    }
    if "Query" in done:
        known[Label.ASK] = True
    return Message(seat, text, place, meant, Offer({**agreed, **offered}), known)


def _terms(said: Mapping[str, str]) -> dict[str, Term]:
    return {_ISSUES[name]: _VALUES.get(value, value) for name, value in said.items() if name in _ISSUES}
