"""Fixed situations of the agent check in bargaining."""

from __future__ import annotations

from negoplatform.core.events import Expression, MessageSubtype, Preference, Relation
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.domain.game import Acceptance
from negoplatform.testing.bargaining_harness import BargainingHarness
from negoplatform.testing.check_harness import CheckSituation


def silence(harness: BargainingHarness) -> None:
    """Wait: no seat but the agent's acts."""
    harness.wait_until_closed()


def chat(harness: BargainingHarness) -> None:
    """Send messages of every kind."""
    issue = harness.game.issues[0].name
    for subtype in MessageSubtype:
        preference, batna = None, None
        if subtype in (MessageSubtype.PREF_INFO, MessageSubtype.PREF_REQUEST):
            asks = subtype is MessageSubtype.PREF_REQUEST
            preference = Preference(issue, Relation.BEST, is_question=asks)
        elif subtype is MessageSubtype.BATNA_INFO:
            batna = 5
        words = subtype.replace("_", " ").capitalize()
        harness.says(f"{words}{'?' if 'REQUEST' in subtype else '.'}", subtype, preference, batna)
        harness.wait(3)


def burst(harness: BargainingHarness) -> None:
    """Send several messages before the agent can answer the first."""
    harness.wait(2)
    for words in ("Hello?", "Are you there?", "…", "What do you think?"):
        harness.says(words)
        harness.wait(0.3)
    harness.wait(10)


def good_offer(harness: BargainingHarness) -> None:
    """Offer the best that the agent can get, and accept it."""
    harness.wait(2)
    harness.offers(harness.best_offer)
    harness.wait(4)
    harness.accept()
    harness.wait(10)


def bad_offer(harness: BargainingHarness) -> None:
    """Offer next to nothing, and accept it."""
    harness.wait(2)
    harness.offers(harness.worst_offer)
    harness.accept()
    harness.wait(10)


def bad_offer_late(harness: BargainingHarness) -> None:
    """Offer next to nothing shortly before the end."""
    harness.wait(harness.length - 4)
    harness.offers(harness.worst_offer)
    harness.accept()
    harness.wait_until_closed()


def partial_offer(harness: BargainingHarness) -> None:
    """Make an offer with an undecided part."""
    harness.wait(2)
    harness.offers(harness.partial_offer)
    harness.wait(10)
    harness.accept()
    harness.wait(10)


def replaced_offer(harness: BargainingHarness) -> None:
    """Replace a good offer by a bad one before the agent's answer is sent."""
    harness.wait(2)
    harness.offers(harness.best_offer)
    harness.wait(0.5)
    harness.offers(harness.worst_offer)
    harness.accept()
    harness.wait(10)


def words_and_offer(harness: BargainingHarness) -> None:
    """Press "Send as offer": the typed text and the offer that it means come at once."""
    harness.wait(6)
    harness.says_and_offers(harness.demand(1))
    harness.wait(10)


def own_offer_accepted(harness: BargainingHarness) -> None:
    """Ask for an offer and accept the agent's proposal."""
    harness.wait(3)
    harness.says("What do you propose?", MessageSubtype.OFFER_REQUEST_POS)
    for second in range(round(harness.length) - 20):
        if not harness.running:
            return
        stands_for = bargaining_state(harness.table.state)
        on_table = stands_for.on_table
        if on_table and on_table.sender == harness.seat and harness.game.is_complete(on_table.offer):
            harness.accept()
            harness.wait(10)
            if harness.game.rules.acceptance is Acceptance.BOTH_CONFIRM:
                ending = harness.table.state.ending
                harness.confirmed = ending is not None and ending.deal_id == on_table.offer_id
            return
        if second == 20:
            harness.offers(harness.demand(1))
        harness.wait(1)


def stubborn(harness: BargainingHarness) -> None:
    """Ask for everything, again and again, to the end."""
    while harness.running and harness.now < harness.length - 10:
        harness.offers(harness.demand(1))
        harness.wait(10)
    harness.wait_until_closed()


def conceding(harness: BargainingHarness) -> None:
    """Concede step by step, and accept any offer as good as one's own."""
    steps = 10
    for step in range(steps + 1):
        share = 1 - step / steps
        harness.offers(harness.demand(share))
        for _ in range(8):
            harness.wait(1)
            if not harness.running:
                harness.wait(6)
                return
            if harness.is_other_satisfied(share):
                harness.accept()
    harness.wait_until_closed()


def expressions(harness: BargainingHarness) -> None:
    """Show every emotion."""
    harness.wait(2)
    for expression in Expression:
        harness.shows(expression)
        harness.wait(3)


def drafting(harness: BargainingHarness) -> None:
    """Type and build an offer, and send it in the end."""
    harness.wait(2)
    for _ in range(3):
        harness.works_on(harness.partial_offer)
        harness.wait(2)
    harness.offers(harness.demand(0.5))
    harness.wait(10)


def other_quits(harness: BargainingHarness) -> None:
    """Walk away while the agent is about to answer."""
    harness.wait(2)
    harness.offers(harness.demand(0.5))
    harness.wait(0.5)
    harness.quits()
    harness.wait(6)


def goodbye(harness: BargainingHarness) -> None:
    """Say goodbye after the end, by a deal or by a walk-out."""
    harness.wait(2)
    harness.offers(harness.best_offer)
    harness.wait(4)
    harness.accept()
    if harness.running:
        harness.quits()
    harness.wait(1.5)
    harness.says("Goodbye, and thank you!")
    harness.wait(6)


SITUATIONS = (
    CheckSituation("the other is silent", silence, in_another_process=True),
    CheckSituation("the other says something of every kind", chat, in_another_process=True),
    CheckSituation("the other says four things at once", burst),
    CheckSituation("a good offer", good_offer),
    CheckSituation("a bad offer", bad_offer),
    CheckSituation("a bad offer shortly before the end", bad_offer_late, needs_deadline=True),
    CheckSituation("a partial offer", partial_offer),
    CheckSituation("an offer that is replaced at once", replaced_offer),
    CheckSituation("words and the offer that they mean", words_and_offer),
    CheckSituation("the agent's own offer is accepted", own_offer_accepted),
    CheckSituation("a stubborn other", stubborn),
    CheckSituation("a conceding other", conceding, in_another_process=True),
    CheckSituation("the other shows every emotion", expressions),
    CheckSituation("the other builds an offer", drafting),
    CheckSituation("the other walks away", other_quits),
    CheckSituation("the other says goodbye when it is over", goodbye),
    CheckSituation("a second game", conceding, games=2),
)
