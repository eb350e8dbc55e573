"""The fixed situations that an agent is played through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from negoplatform.core.events import Expression, MessageSubtype, Preference, Relation
from negoplatform.core.mechanisms.bargaining import bargaining
from negoplatform.domain.game import Acceptance, GameSpec
from negoplatform.domain.seat import Seat
from negoplatform.testing.check_harness import Stage


@dataclass(frozen=True, slots=True)
class Situation:
    """What the others at the table do.

    Args:
        name: What findings call it.
        play: Does it; a function of a module, so that another process can be told to do the same.
        games: How many games the agent plays one after another; the last one is looked at.
        needs_deadline: Whether it makes sense only where time runs out.
        in_another_process: Whether it is also played in a process whose sets are in another order.
    """

    name: str
    play: Callable[[Stage], None]
    games: int = 1
    needs_deadline: bool = False
    in_another_process: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A situation in a game, with the agent in one of its seats."""

    game: GameSpec
    seat: Seat
    situation: Situation

    @property
    def name(self) -> str:
        """What findings call it."""
        return f"{self.game.name}, as {self.seat}, {self.situation.name}"


def scenes(games: Sequence[GameSpec]) -> list[Scene]:
    """Every situation in every game; two-seat games from both sides, others from the last seat."""
    return [
        Scene(game, seat, situation)
        for game in games
        for seat in (game.seats if len(game.seats) == 2 else game.seats[-1:])
        for situation in SITUATIONS
        if game.rules.deadline_seconds is not None or not situation.needs_deadline
    ]


def silence(stage: Stage) -> None:
    """Nobody but the agent does anything."""
    stage.wait_for_the_end()


def chat(stage: Stage) -> None:
    """The other says something of every kind."""
    issue = stage.game.issues[0].name
    for subtype in MessageSubtype:
        preference, batna = None, None
        if subtype in (MessageSubtype.PREF_INFO, MessageSubtype.PREF_REQUEST):
            asks = subtype is MessageSubtype.PREF_REQUEST
            preference = Preference(issue, Relation.BEST, is_question=asks)
        elif subtype is MessageSubtype.BATNA_INFO:
            batna = 5
        words = subtype.replace("_", " ").capitalize()
        stage.says(f"{words}{'?' if 'REQUEST' in subtype else '.'}", subtype, preference, batna)
        stage.wait(3)


def burst(stage: Stage) -> None:
    """The other says several things before the agent can answer the first."""
    stage.wait(2)
    for words in ("Hello?", "Are you there?", "…", "What do you think?"):
        stage.says(words)
        stage.wait(0.3)
    stage.wait(10)


def good_offer(stage: Stage) -> None:
    """The other offers the best that the agent can get, and stands for it."""
    stage.wait(2)
    stage.offers(stage.good)
    stage.wait(4)
    stage.accept()
    stage.wait(10)


def bad_offer(stage: Stage) -> None:
    """The other offers next to nothing, and stands for it."""
    stage.wait(2)
    stage.offers(stage.bad)
    stage.accept()
    stage.wait(10)


def bad_offer_late(stage: Stage) -> None:
    """The other offers next to nothing shortly before the end."""
    stage.wait(stage.length - 4)
    stage.offers(stage.bad)
    stage.accept()
    stage.wait_for_the_end()


def partial_offer(stage: Stage) -> None:
    """The other leaves something undecided."""
    stage.wait(2)
    stage.offers(stage.partial)
    stage.wait(10)
    stage.accept()
    stage.wait(10)


def replaced_offer(stage: Stage) -> None:
    """The other replaces a good offer by a bad one before the agent's answer is out."""
    stage.wait(2)
    stage.offers(stage.good)
    stage.wait(0.5)
    stage.offers(stage.bad)
    stage.accept()
    stage.wait(10)


def words_and_offer(stage: Stage) -> None:
    """The other presses "Send as offer": what they typed and the offer that it means come at once."""
    stage.wait(6)
    stage.says_and_offers(stage.demand(1))
    stage.wait(10)


def own_offer_accepted(stage: Stage) -> None:
    """The other asks for an offer and accepts what the agent proposes."""
    stage.wait(3)
    stage.says("What do you propose?", MessageSubtype.OFFER_REQUEST_POS)
    for second in range(round(stage.length) - 20):
        if not stage.running:
            return
        stands_for = bargaining(stage.table.state)
        on_table = stands_for.on_table
        if on_table and on_table.sender == stage.seat and stage.game.is_complete(on_table.offer):
            stage.accept()
            stage.wait(10)
            if stage.game.rules.acceptance is Acceptance.BOTH_CONFIRM:
                ending = stage.table.state.ending
                stage.confirmed = ending is not None and ending.deal_id == on_table.offer_id
            return
        if second == 20:
            stage.offers(stage.demand(1))
        stage.wait(1)


def stubborn(stage: Stage) -> None:
    """The other asks for everything, again and again, to the end."""
    while stage.running and stage.now < stage.length - 10:
        stage.offers(stage.demand(1))
        stage.wait(10)
    stage.wait_for_the_end()


def conceding(stage: Stage) -> None:
    """The other gives way step by step, and takes what is as good as their own offer."""
    steps = 10
    for step in range(steps + 1):
        share = 1 - step / steps
        stage.offers(stage.demand(share))
        for _ in range(8):
            stage.wait(1)
            if not stage.running:
                stage.wait(6)
                return
            if stage.others_would_take(share):
                stage.accept()
    stage.wait_for_the_end()


def expressions(stage: Stage) -> None:
    """The other shows every emotion."""
    stage.wait(2)
    for expression in Expression:
        stage.shows(expression)
        stage.wait(3)


def drafting(stage: Stage) -> None:
    """The other types and builds an offer, and sends it in the end."""
    stage.wait(2)
    for _ in range(3):
        stage.works_on(stage.partial)
        stage.wait(2)
    stage.offers(stage.demand(0.5))
    stage.wait(10)


def other_quits(stage: Stage) -> None:
    """The other walks away while the agent is about to answer."""
    stage.wait(2)
    stage.offers(stage.demand(0.5))
    stage.wait(0.5)
    stage.quits()
    stage.wait(6)


def goodbye(stage: Stage) -> None:
    """It is over, by a deal or by a walk-out, and the other says goodbye."""
    stage.wait(2)
    stage.offers(stage.good)
    stage.wait(4)
    stage.accept()
    if stage.running:
        stage.quits()
    stage.wait(1.5)
    stage.says("Goodbye, and thank you!")
    stage.wait(6)


SITUATIONS = (
    Situation("the other is silent", silence, in_another_process=True),
    Situation("the other says something of every kind", chat, in_another_process=True),
    Situation("the other says four things at once", burst),
    Situation("a good offer", good_offer),
    Situation("a bad offer", bad_offer),
    Situation("a bad offer shortly before the end", bad_offer_late, needs_deadline=True),
    Situation("a partial offer", partial_offer),
    Situation("an offer that is replaced at once", replaced_offer),
    Situation("words and the offer that they mean", words_and_offer),
    Situation("the agent's own offer is accepted", own_offer_accepted),
    Situation("a stubborn other", stubborn),
    Situation("a conceding other", conceding, in_another_process=True),
    Situation("the other shows every emotion", expressions),
    Situation("the other builds an offer", drafting),
    Situation("the other walks away", other_quits),
    Situation("the other says goodbye when it is over", goodbye),
    Situation("a second game", conceding, games=2),
)
