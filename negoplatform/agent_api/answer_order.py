"""Order in which the seats of a game of more than two answer an offer.

If every seat answered every offer, each answer would get as many answers again. So an offer is answered by
the seat after its maker; if that seat accepts it, by the next one, and so on. A seat that is silent for long
is passed over. In a game of two seats nothing of this applies.
"""

from __future__ import annotations

from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.command_settings import TeamAcceptance
from negoplatform.domain.seat_map import Seat

ANSWER_SECONDS = 25.0
"""Seconds of silence after which the seat that is to answer an offer is passed over."""

SILENT_SEAT_SECONDS = 12.0
"""The same for a seat that has been passed over and has not done anything since."""

LATER_ANSWER_SECONDS = 4.0
"""Further seconds for each seat that is passed over, so that no two seats answer at once."""

FINAL_LOOK_SECONDS = 4.0
"""Seconds for which a final offer is looked at before the next one is made."""

OTHERS_FIRST_MS = 2500.0
"""Milliseconds for which an answer waits where the others may make a deal of the offer without this seat."""

OPENING_STEP_MS = 250.0
"""Milliseconds between the openings of two seats; only the first of them is made."""


class AnswerOrder:
    """Place of one seat in the order, and the silence so far.

    Args:
        at_once: Whether it is first for every offer, as an adviser is: the person decides when to answer.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        self._at_once = at_once
        self._quiet_since = 0.0
        self._seen_id: int | None = None
        self._silent: set[Seat] = set()
        self._accepted_id: int | None = None

    def record_activity(self, ctx: AgentContext, sender: Seat) -> None:
        """Record that another seat has done something.

        A reminder of the maker of the offer on the table does not count: it is the others who are to answer.
        """
        if len(ctx.game.seats) == 2:
            self._quiet_since = ctx.elapsed_time
            return
        self._silent.discard(sender)
        on_table = ctx.current_offer_sender == sender and ctx.current_offer_id == self._seen_id
        if not on_table:
            self._quiet_since = ctx.elapsed_time
        self._seen_id = ctx.current_offer_id

    def may_answer(self, ctx: AgentContext) -> bool:
        """Return whether this seat may answer the offer on the table with one of its own.

        In a game with turns, the seat whose turn it is may. Elsewhere, every seat may before the first offer,
        and with two seats. An offer that this seat has made itself, or has accepted, is not answered by it.
        """
        turn = ctx.turn
        if turn is not None:
            return turn == ctx.seat
        if len(ctx.game.seats) == 2 or ctx.current_offer_sender is None:
            return True
        before = self._seats_before(ctx)
        if not before or self._at_once:
            return before is not None
        usual = SILENT_SEAT_SECONDS if self._silent.issuperset(before) else ANSWER_SECONDS
        seconds = usual + LATER_ANSWER_SECONDS * (len(before) - 1)
        passes_over = self.quiet_seconds(ctx) >= seconds * ctx.game.rules.counterpart.pace
        if passes_over:
            self._silent |= set(before)
        return passes_over

    def may_offer_again(self, ctx: AgentContext) -> bool:
        """Return whether this seat may replace its own offer on the table because no other has answered it.

        With several others, each of them has had the time to answer first, the last one after all before it
        were passed over.
        """
        last = ctx.get_last_offer()
        if len(ctx.game.seats) == 2 or last is None:
            return True
        others = len(ctx.game.seats) - 1
        seconds = (ANSWER_SECONDS + LATER_ANSWER_SECONDS * others) * ctx.game.rules.counterpart.pace
        since = max(self._quiet_since, float(last["t"]))
        return ctx.elapsed_time - since >= seconds

    def may_accept(self, ctx: AgentContext) -> bool:
        """Return whether this seat may accept the offer on the table, if the rules allow it and it likes it.

        Its own offer is confirmed once the others that have to accept it have done so. Another's offer that
        all have to accept is accepted in the order of answers; where fewer are enough, at once. Allies whose
        acceptances wait for each other do not wait for the order too: none of them would come first.
        """
        if len(ctx.game.seats) == 2 and not self._at_once:
            return True
        if self.is_accepting(ctx):
            return False
        needed = ctx.game.acceptances_needed
        if ctx.current_offer_sender == ctx.seat:
            return len(ctx.accepted_by) + 1 >= needed
        return needed < len(ctx.game.seats) or self._is_vote(ctx) or self.may_answer(ctx)

    def waits_for_others(self, ctx: AgentContext) -> bool:
        """Return whether the others should have their say before this seat replaces the offer on the table.

        Where fewer acceptances than all make a deal, the others may make it without this seat.
        """
        seats = len(ctx.game.seats)
        waits = seats > 2 and ctx.game.acceptances_needed < seats and ctx.turn is None
        return waits and not self._at_once

    def record_acceptance(self, ctx: AgentContext) -> None:
        """Record that this seat has decided to accept the offer on the table."""
        self._accepted_id = ctx.current_offer_id

    def is_overtaking(self, ctx: AgentContext, hurry: float) -> bool:
        """Return whether a final offer would overtake those of other seats, shortly before the end.

        At a table of several without turns, the seats make their final offers one after the other, and each
        is looked at for a few seconds. With two seats the answer is always no.

        Args:
            ctx: The context.
            hurry: The seconds before the deadline at which the first final offer is made.
        """
        count = len(ctx.game.seats)
        if count == 2 or ctx.turn is not None:
            return False
        begins = hurry * (1 - ctx.game.seats.index(ctx.seat) / (count + 1))
        recent = ctx.current_offer_sender != ctx.seat and self.quiet_seconds(ctx) < FINAL_LOOK_SECONDS
        return recent or (ctx.remaining_time or 0.0) > begins

    def forget_acceptance(self) -> None:
        """Forget an acceptance that was dropped before it was sent."""
        self._accepted_id = None

    def quiet_seconds(self, ctx: AgentContext) -> float:
        """Return the seconds since the last action of another seat."""
        return ctx.elapsed_time - self._quiet_since

    def is_accepting(self, ctx: AgentContext) -> bool:
        """Return whether this seat has decided to accept the offer on the table."""
        return self._accepted_id is not None and self._accepted_id == ctx.current_offer_id

    def may_speak(self, ctx: AgentContext) -> bool:
        """Return whether this seat says something with its acceptance; of several seats only the next one."""
        return self._at_once or len(ctx.game.seats) == 2 or ctx.next_to_answer in (None, ctx.seat)

    def opening_delay_ms(self, ctx: AgentContext) -> float:
        """Return the milliseconds for which its opening offer waits: 0 with two seats, and for the first."""
        seats = ctx.game.seats
        return 0.0 if len(seats) == 2 or self._at_once else OPENING_STEP_MS * seats.index(ctx.seat)

    def _is_vote(self, ctx: AgentContext) -> bool:
        """Return whether only allies answer before this seat, and an acceptance waits for their votes."""
        team = ctx.game.team_of(ctx.seat)
        if team is None or team.accept is TeamAcceptance.ANY or ctx.turn is not None:
            return False
        before = self._seats_before(ctx)
        return before is not None and set(before) <= set(team.members)

    def _seats_before(self, ctx: AgentContext) -> list[Seat] | None:
        """Return the seats that are to answer the offer before this one; None if this one is not to."""
        sender = ctx.current_offer_sender
        if sender in (None, ctx.seat) or ctx.seat in ctx.accepted_by or self.is_accepting(ctx):
            return None
        seats = ctx.game.seats
        at = seats.index(sender)
        order = (*seats[at + 1 :], *seats[:at])
        return [seat for seat in order[: order.index(ctx.seat)] if seat not in ctx.accepted_by]
