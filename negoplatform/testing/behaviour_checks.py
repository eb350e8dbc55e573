"""Checks of an agent's behaviour in a situation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import negoplatform
from negoplatform.agent_api.actions import ACTIONS
from negoplatform.core.action_rules import EVENTS_PER_INSTANT
from negoplatform.core.events import Accepted, EndedBy, Ending, Event, EventType, OfferMade
from negoplatform.core.mechanisms.bargaining import is_bindable
from negoplatform.core.mechanisms.market import CANCEL_ORDER, DECIDE, PLACE_ORDER
from negoplatform.core.mechanisms.registry import BARGAINING, mechanism_of
from negoplatform.core.mechanisms.trading import (
    ACCEPT_PROPOSAL,
    DECLINE_PROPOSAL,
    PROPOSE,
    SUBMIT_TRANSACTION,
)
from negoplatform.domain.errors import AgentError, NegoError, NotVisible, text_of
from negoplatform.domain.game import Acceptance
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.testing.case_runner import CaseResult, CaseTimeout
from negoplatform.testing.check_harness import HandlerCall
from negoplatform.testing.finding import Remark, Severity

SLOW_SECONDS = 0.2
"""Seconds from which an answer is reported as slow."""

TOO_SLOW_SECONDS = 1.0
"""Seconds from which a slow answer is an error: it holds up the other side."""

ACTIONS_OF = {
    "bargaining": "return SendOffer(…) or FormalAccept()",
    "trading": "return CallForProposals(…), Propose(…), AcceptProposal(…), DeclineProposal(…) or "
    "SubmitTransaction(…)",
    "market": "return PlaceOrder(…), CancelOrder(…) or Decide(…)",
}
"""Actions of an agent in a kind of game, as the end of a sentence."""

ADVICE = {
    PROPOSE: "ask ctx.trading.can_trade(…) first",
    ACCEPT_PROPOSAL: "ask ctx.trading.is_waiting_for_me(proposal) and ctx.trading.can_do(proposal) first",
    DECLINE_PROPOSAL: "look it up first: ctx.trading.proposal(…) is None if it is no longer open",
    SUBMIT_TRANSACTION: "submit a proposal once, with ctx.trading.submit(proposal), and ask "
    "ctx.trading.can_do(proposal) first",
    PLACE_ORDER: "look at ctx.market.free_cash, free_units and own_orders, or ask ctx.market.order_fault(…)",
    CANCEL_ORDER: "cancel only what is in ctx.market.own_orders",
    DECIDE: "decide in on_decide, once, with a value for each of ctx.market.decisions",
}
"""Advice against refusals of an act of trading or a market, as the end of a sentence."""

_PACKAGE = Path(negoplatform.__file__).parent
_RETURNED = re.compile(r"returned (?:a list with )?(?:an? )?([\w']+)")


def behaviour_remarks(played: CaseResult) -> Iterator[Remark]:
    """Yield remarks on failures, refusals and floods in one situation, in any kind of game."""
    reported = set()
    for asked in played.calls:
        if asked.failure:
            reported.add(asked.failure)
            yield _failure(played, asked)
    for i, event in enumerate(played.events):
        where = f"{played.case.name}, at {event.t:g} s"
        if event.type == EventType.AGENT_FAILED and event.payload.reason not in reported:
            sentence = f"What it asked for could not be done: {event.payload.reason}"
            yield Remark(("failed", event.payload.reason), Severity.ERROR, where, sentence)
        elif event.type == EventType.ACTION_REFUSED and played.case.seat in event.to:
            if not _is_overtaken(played, i):
                yield _refusal(played, i, where)
        elif isinstance(event.payload, Ending) and event.payload.ended_by is EndedBy.ABORTED:
            sentence = (
                f"It floods the table, so the session was stopped: more than {EVENTS_PER_INSTANT:,} events "
                "at one instant; answer less, and let callbacks that schedule callbacks wait for a while."
            )
            yield Remark(("flood",), Severity.ERROR, where, sentence)
    if played.forgotten is not None:
        handler, t = played.forgotten
        sentence = (
            f"Restarted and given the same events again, {handler} does not answer as before; decide by the "
            "events, the settings and ctx.rng alone, and keep nothing in classes, modules and files."
        )
        yield Remark(("restart",), Severity.ERROR, f"{played.case.name}, at {t:g} s", sentence)


def bargaining_remarks(played: CaseResult) -> Iterator[Remark]:
    """Yield remarks on actions in bargaining that are against the agent's own interest."""
    for event in played.events:
        if event.sender == played.case.seat:
            where = f"{played.case.name}, at {event.t:g} s"
            yield from _reservation_value_remarks(played, event, where)
            yield from _offer_text_answer_remarks(played, event, where)


def hang_remark(timeout: CaseTimeout, patience: float) -> Remark:
    """Return the remark on an agent that did not come to an end."""
    sentence = (
        f"{timeout.handler} did not answer within {patience:g} s, so the check was given up here; look for a "
        "loop that does not end, for sleep() and for input(), and wait with Schedule instead."
    )
    return Remark(("hung",), Severity.ERROR, f"{timeout.case.name}, at {timeout.t:g} s", sentence)


def slow_remarks(pairs: Iterable[tuple[CaseResult, CaseResult]]) -> list[Remark]:
    """Return remarks on the slowest answer of each handler.

    Each situation was played twice, and the shorter time counts: a busy computer is not the agent's fault.
    """
    slowest: dict[str, tuple[float, str]] = {}
    for once, again in pairs:
        for asked, same in zip(once.calls, again.calls, strict=False):
            if asked.handler != same.handler:
                break
            seconds = min(asked.seconds, same.seconds)
            if seconds > slowest.get(asked.handler, (0.0, ""))[0]:
                slowest[asked.handler] = seconds, f"{once.case.name}, at {asked.t:g} s"
    remarks = []
    for handler, (seconds, where) in slowest.items():
        if seconds >= SLOW_SECONDS:
            severity = Severity.ERROR if seconds > TOO_SLOW_SECONDS else Severity.WARNING
            sentence = (
                f"{handler} took {seconds:.2g} s; an answer should take less than {SLOW_SECONDS:g} s: work "
                "things out once, in on_game_start, and look at fewer outcomes."
            )
            remarks.append(Remark(("slow", handler), severity, where, sentence))
    return remarks


def bargaining_silence_remarks(games: Sequence[CaseResult]) -> list[Remark]:
    """Return remarks on actions in bargaining that the agent performed in no situation at all."""
    done = {event.type for played in games for event in played.events if event.sender == played.case.seat}
    where = f"all {len(games)} situations"
    if not done:
        sentence = (
            "It never answers: no handler returned an action that was performed; override on_game_start and "
            "on_send_offer, and return lists of actions."
        )
        return [Remark(("never", "answers"), Severity.WARNING, where, sentence)]
    remarks = []
    if EventType.SEND_OFFER not in done:
        sentence = (
            "It never makes an offer; return [SendOffer(ctx.make_offer(…))] from on_game_start or "
            "on_send_offer."
        )
        remarks.append(Remark(("never", "offers"), Severity.WARNING, where, sentence))
    chances = [played.confirmed for played in games if played.confirmed is not None]
    if EventType.FORMAL_ACCEPT not in done:
        sentence = (
            "It never formally accepts, not even the best offer that it could get, so few deals can close; "
            "return [FormalAccept()] if ctx.can_formally_accept() and the offer is good enough."
        )
        remarks.append(Remark(("never", "accepts"), Severity.WARNING, where, sentence))
    elif not any(_accepts_another(played) for played in games):
        sentence = (
            "It never accepts an offer of the other, not even the best that it could get; compare its worth "
            "with ctx.reservation_value, or its share with a share: get_agent_utility_percent() is 0 to 1."
        )
        remarks.append(Remark(("never", "accepts"), Severity.WARNING, where, sentence))
    elif chances and not any(chances):
        sentence = (
            "It never confirms an offer of its own that the other has accepted, and without that no such "
            "deal can close under both_confirm; return [FormalAccept()] from on_formal_accept."
        )
        where = f"the agent's own offer is accepted, {len(chances)} times"
        remarks.append(Remark(("never", "confirms"), Severity.WARNING, where, sentence))
    return remarks


def _accepts_another(played: CaseResult) -> bool:
    """Return whether the agent formally accepts an offer of another seat."""
    seat = played.case.seat
    others = {
        event.seq for event in played.events if isinstance(event.payload, OfferMade) and event.sender != seat
    }
    accepted = {
        event.payload.offer_id
        for event in played.events
        if isinstance(event.payload, Accepted) and event.sender == seat
    }
    return not others.isdisjoint(accepted)


def author_line(error: BaseException) -> int | None:
    """Return the line of the author's code that an error comes from; None if it comes from the platform's."""
    line, traceback = None, error.__traceback__
    while traceback is not None:
        file = Path(traceback.tb_frame.f_code.co_filename)
        if not file.is_relative_to(_PACKAGE) or file.is_relative_to(_PACKAGE / "_bundled"):
            # An error in a library is reported at the author's line that called it, not at its own.
            installed = "site-packages" in file.parts or "lib" in file.parts
            line = line if installed and line else traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _failure(played: CaseResult, asked: HandlerCall) -> Remark:
    error = asked.error
    where = f"{played.case.name}, at {asked.t:g} s"
    line = None if error is None else author_line(error)
    in_line = f" in line {line}" if line else ""
    about: tuple[str, ...] = ("failure", asked.handler, str(line), type(error).__name__)
    if isinstance(error, AgentError) and line is None:
        # The platform's own sentence about the returned value; normalize_actions is not in the author's code.
        reported = asked.failure if asked.failure.startswith("on_") else f"{asked.handler}: {asked.failure}"
        shape = _RETURNED.search(asked.failure)
        about = "returned", asked.handler, shape.group(1) if shape else asked.failure
        return Remark(about, Severity.ERROR, where, f"{reported}{_hint(asked.failure)}")
    text = "" if error is None else " ".join(text_of(error).split())[:300]
    if isinstance(error, NotVisible):
        sentence = (
            f"{asked.handler} asked for points that it may not see{in_line}: {text} Ask "
            "ctx.opponent_preferences_visible first."
        )
    elif isinstance(error, NegoError):
        sentence = f"{asked.handler} raised {type(error).__name__}{in_line}: {text}"
    else:
        sentence = f"{asked.handler} raised {type(error).__name__}{f' ({text})' if text else ''}{in_line}."
    return Remark(about, Severity.ERROR, where, sentence)


def _hint(failure: str) -> str:
    found = _RETURNED.search(failure)
    shape = found.group(1) if found else ""
    if shape in {action.__name__ for action in ACTIONS}:
        return f" Write brackets round it: return [{shape}(…)]."
    if "list with" in failure:
        return " Every item is an action, such as SendMessage(…)."
    return {
        "generator": " Write return and a list, in place of yield.",
        "coroutine": " Write def, in place of async def.",
        "Offer": " Write return [SendOffer(offer)].",
        "True": " Write return [FormalAccept()].",
        "False": " Write return [].",
    }.get(shape, " Write return [SendMessage(…)]." if shape.startswith("'") else "")


def _is_overtaken(played: CaseResult, i: int) -> bool:
    """Return whether an event that the agent could not know of came between its decision and the refusal."""
    refusal = played.events[i]
    if refusal.decided_at is None:
        return False
    deadline = played.case.game.rules.deadline_seconds
    if deadline is not None and refusal.decided_at < deadline <= refusal.t:
        return True
    if played.case.game.mechanism != BARGAINING:
        return _has_news(played, refusal)
    for event in reversed(played.events[:i]):
        if event.t < refusal.decided_at:
            return False
        if event.type == EventType.GAME_END and event.seq > (refusal.cause or 0):
            return True
        by_other = event.sender not in (played.case.seat, PLATFORM) and event.seq > (refusal.cause or 0)
        if (
            by_other
            and event.type == EventType.SEND_OFFER
            and refusal.payload.action == EventType.FORMAL_ACCEPT
        ):
            return True
    return False


def _has_news(played: CaseResult, refusal: Event) -> bool:
    """Return whether anything that the agent did not do itself came between decision and refusal.

    In trading and markets almost any act of another seat can make an act impossible: it takes an order,
    settles a trade, ends a phase.
    """
    facts = {*mechanism_of(played.case.game.mechanism).fact_types(played.case.game), EventType.GAME_END}
    own_act_at = -1.0
    for event in played.events[: refusal.seq - 1]:
        if event.sender == played.case.seat:
            own_act_at = event.t
        later = event.seq > (refusal.cause or 0) and event.t >= (refusal.decided_at or 0.0)
        # What follows from an act follows at the same time; time itself causes the rest.
        news = event.type in facts and event.t != own_act_at
        if later and (news or event.sender not in (played.case.seat, PLATFORM)):
            return True
    return False


def _refusal(played: CaseResult, i: int, where: str) -> Remark:
    event = played.events[i]
    action, reason = event.payload.action, event.payload.reason
    kind = played.case.game.mechanism
    if action not in mechanism_of(kind).all_acts:
        sentence = (
            f"It returns {action}, which does not exist in games of the kind {kind}; {ACTIONS_OF[kind]}."
        )
        return Remark(("refused", action), Severity.ERROR, where, sentence)
    own_offer = any(
        other.type == EventType.SEND_OFFER and other.sender == played.case.seat
        for other in played.events[event.cause or 0 : i]
    )
    advice = ADVICE.get(action) or {
        EventType.FORMAL_ACCEPT: "let an offer of its own that still waits be dropped when the other acts: "
        "SendOffer(offer, flushable=True)"
        if own_offer
        else "ask ctx.can_formally_accept() first",
        EventType.SEND_OFFER: "make offers with ctx.make_offer(…), which checks them",
        EventType.SEND_MESSAGE: 'say one thing at most when it is over: ctx.state.meta.phase == "closing"'
        if any(other.type == EventType.GAME_END for other in played.events[:i])
        else "",
    }.get(action)
    # Numbers differ from one refusal to the next; the rest identifies it.
    about = "refused", action, re.sub(r"\d+", "#", reason)
    sentence = f"Its {action} was refused: “{reason}”{f' To avoid that, {advice}.' if advice else ''}"
    return Remark(about, Severity.WARNING, where, sentence)


def _offer_text_answer_remarks(played: CaseResult, event: Event, where: str) -> Iterator[Remark]:
    """Yield remarks on answers to a text whose offer was sent with it: "Send as offer" is answered twice."""
    if event.type != EventType.SEND_MESSAGE:
        return
    words = next((other for other in played.events if other.seq == event.cause), None)
    if words is None or words.type != EventType.SEND_MESSAGE:
        return
    # A callback that was scheduled by then has seen the offer: that is waiting, and right.
    at_once = event.decided_at is not None and event.decided_at <= words.t
    with_them = at_once and any(
        other.type == EventType.SEND_OFFER and other.sender == words.sender and other.t == words.t
        for other in played.events[words.seq : event.seq]
    )
    if with_them:
        sentence = (
            f"It answers “{event.get_text()[:100]}” to words whose offer was sent with them, as the window's "
            "“Send as offer” does; let that answer be dropped when the other acts: "
            "SendMessage(text, flushable=True)."
        )
        yield Remark(("answers words",), Severity.WARNING, where, sentence)


def _reservation_value_remarks(played: CaseResult, event: Event, where: str) -> Iterator[Remark]:
    """Yield remarks on accepting, or offering, less than the points of no deal."""
    game = played.case.game
    preferences = game.preferences[played.case.seat]
    least = preferences.reservation_value
    if event.type == EventType.FORMAL_ACCEPT:
        offer = next(e.get_offer() for e in played.events if e.seq == event.payload.offer_id)
        points = preferences.utility(offer)
        if points < least:
            sentence = (
                f"It accepts an offer worth {points:g} points to it, although no deal is worth {least:g}; "
                "compare ctx.get_agent_utility() with ctx.reservation_value before FormalAccept()."
            )
            yield Remark(("accepts below",), Severity.ERROR, where, sentence)
    elif event.type == EventType.SEND_OFFER:
        offer = event.get_offer()
        binds = is_bindable(game, offer) and game.rules.acceptance is Acceptance.MAKER_ACCEPTS
        points = preferences.utility(offer)
        if points < least and (binds or game.is_complete(offer)):
            sentence = (
                f"It proposes an offer worth {points:g} points to it, although no deal is worth {least:g}; "
                "compare ctx.utility(offer) with ctx.reservation_value before SendOffer(offer)."
            )
            yield Remark(("offers below",), Severity.WARNING, where, sentence)
