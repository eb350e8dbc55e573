"""A team of agents behind one seat: one script out of those of its members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    FormalQuit,
    Schedule,
    SendMessage,
    SendOffer,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType, Expression, Failure, FailureKind
from negoplatform.domain.agent_team_settings import AgentTeamSettings, JoinedOffers
from negoplatform.domain.command_settings import TeamAcceptance
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue
from negoplatform.domain.offer import Offer
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.responder_executors import InlineExecutor
from negoplatform.hosting.teams.averaged_offer import average_offer
from negoplatform.hosting.teams.team_responder import TeamMember, TeamResponder
from negoplatform.testing import TrialTable
from tests.games import make_game

MINE = {"bananas": 0, "grain": 0, "wood": 0, "spices": 0}
EVEN = {"bananas": 2, "grain": 2, "wood": 1, "spices": 1}
YOURS = {"bananas": 4, "grain": 4, "wood": 2, "spices": 2}
"""Units for the maker of the offer."""

Script = Callable[[AgentContext, Event], Sequence[Action]]


class Member(NegotiationAgent):
    """Agent that answers each kind of event with what a test says, and keeps what it has seen."""

    def __init__(self, **scripts: Script) -> None:
        super().__init__("agent")
        self.scripts = scripts
        self.seen: list[str] = []

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.seen.append(str(event.type))
        script = self.scripts.get(str(event.type).lower())
        return [] if script is None else [*script(ctx, event)]


def answer(*actions: Action) -> Script:
    return lambda _ctx, _event: actions


def offer_of(units: dict[str, int]) -> Script:
    return lambda ctx, _event: [SendOffer(ctx.make_offer(units))]


def broken(_ctx: AgentContext, _event: Event) -> Sequence[Action]:
    raise ValueError("no")


def seat_team(
    game: GameSpec, *members: Member, strikes: int = 3, settings: AgentTeamSettings | None = None
) -> TrialTable:
    """Return a table with a team in the seat ``agent``."""
    table = TrialTable(game, agents_may_fail=True)
    found = [TeamMember(f"m{i}", AgentRunner(one, Random(i)), strikes) for i, one in enumerate(members)]
    team = TeamResponder(found, settings or AgentTeamSettings())
    table.seat(
        members[0],
        executor_factory=lambda _make, on_response, past: InlineExecutor(lambda: team, on_response, past),
    )
    return table


def acts(table: TrialTable) -> list[str]:
    return [str(event.type) for event in table.events if event.sender == "agent"]


def units_for_agent(table: TrialTable) -> list[dict[str, int]]:
    offers = [event.get_offer() for event in table.events if event.sender == "agent"]
    return [{name: offer.units(name, "agent") for name in offer} for offer in offers if offer is not None]


def failures(table: TrialTable) -> list[Failure]:
    return [event.payload for event in table.events if event.type == EventType.AGENT_FAILED]


# Votes


def test_one_of_two_members_alone_does_not_accept(game: GameSpec) -> None:
    table = seat_team(game, Member(send_offer=answer(FormalAccept())), Member())

    table.human.offers(EVEN)
    table.wait(5)

    assert acts(table) == []


def test_the_team_accepts_once_most_members_want_to(game: GameSpec) -> None:
    accepts = answer(FormalAccept())
    table = seat_team(game, Member(send_offer=accepts), Member(send_offer=accepts))

    table.human.offers(EVEN)
    table.wait(5)

    assert acts(table) == ["FORMAL_ACCEPT"]


def test_a_vote_counts_until_another_member_votes_later(game: GameSpec) -> None:
    table = seat_team(
        game,
        Member(send_offer=answer(FormalAccept())),
        Member(send_message=answer(FormalAccept())),
    )

    table.human.offers(EVEN)
    table.wait(5)
    before = acts(table)
    table.human.says("Well?")
    table.wait(5)

    assert before == []
    assert acts(table) == ["FORMAL_ACCEPT"]


def test_a_vote_does_not_count_for_another_offer(game: GameSpec) -> None:
    votes = iter([[FormalAccept()], []])
    table = seat_team(
        game,
        Member(send_offer=lambda _ctx, _event: next(votes)),
        Member(send_message=answer(FormalAccept())),
    )

    table.human.offers(EVEN)
    table.wait(5)
    table.human.offers(MINE)
    table.wait(5)
    table.human.says("Well?")
    table.wait(5)

    assert acts(table) == []


def test_a_member_that_offers_takes_its_vote_back(game: GameSpec) -> None:
    table = seat_team(
        game,
        Member(send_offer=answer(FormalAccept()), send_expression=offer_of(EVEN)),
        Member(send_message=answer(FormalAccept())),
        Member(send_message=answer(FormalAccept())),
        settings=AgentTeamSettings(accept=TeamAcceptance.UNANIMOUS),
    )

    table.human.offers(YOURS)
    table.human.shows(Expression.HAPPY)
    table.wait(5)
    table.human.says("Well?")
    table.wait(5)

    assert acts(table) == ["SEND_OFFER"]


def test_a_single_member_is_enough_where_any_may_accept(game: GameSpec) -> None:
    table = seat_team(
        game,
        Member(send_offer=offer_of(MINE)),
        Member(send_offer=answer(FormalAccept())),
        settings=AgentTeamSettings(accept=TeamAcceptance.ANY),
    )

    table.human.offers(EVEN)
    table.wait(5)

    assert acts(table) == ["FORMAL_ACCEPT"]


def test_quitting_needs_the_same_votes(game: GameSpec) -> None:
    quits = answer(FormalQuit())
    table = seat_team(game, Member(send_message=quits), Member(send_message=quits, send_offer=quits))

    table.human.offers(MINE)
    table.wait(5)
    before = acts(table)
    table.human.says("Well?")
    table.wait(5)

    assert before == []
    assert acts(table) == ["FORMAL_QUIT"]


# Offers


def test_members_offer_in_turn(game: GameSpec) -> None:
    table = seat_team(game, Member(send_message=offer_of(EVEN)), Member(send_message=offer_of(YOURS)))

    for _ in range(3):
        table.human.says("And now?")
        table.wait(5)

    assert [units["bananas"] for units in units_for_agent(table)] == [2, 4, 2]


def test_a_member_without_an_offer_loses_its_turn_to_the_next(game: GameSpec) -> None:
    table = seat_team(
        game, Member(), Member(send_message=offer_of(YOURS)), Member(send_message=offer_of(EVEN))
    )

    for _ in range(3):
        table.human.says("And now?")
        table.wait(5)

    assert [units["bananas"] for units in units_for_agent(table)] == [4, 2, 4]


def test_the_average_of_offers_is_complete_and_legal(game: GameSpec) -> None:
    table = seat_team(
        game,
        Member(send_message=offer_of(MINE)),
        Member(send_message=offer_of({"bananas": 4, "grain": 5, "wood": 3, "spices": 1})),
        settings=AgentTeamSettings(offers=JoinedOffers.AVERAGE),
    )

    table.human.says("And now?")
    table.wait(5)

    # Halves go to the first seat of the game.
    assert units_for_agent(table) == [{"bananas": 2, "grain": 2, "wood": 1, "spices": 0}]


def test_values_are_averaged_by_majority_and_numbers_to_the_nearest_step() -> None:
    seats = ("a", "b")
    game = make_game(
        {seat: {"day": {"Mon": 0, "Tue": 1}, "price": {10: 0, 15: 1, 20: 2}} for seat in seats},
        issues=(CategoricalIssue("day", ("Mon", "Tue")), NumberIssue("price", 10, 20, 5)),
    )
    offers = [Offer({"day": day, "price": price}) for day, price in (("Tue", 10), ("Tue", 20), ("Mon", 20))]

    assert average_offer(game, offers) == Offer({"day": "Tue", "price": 15})
    assert average_offer(game, [Offer({"day": "Mon"})]) is None


# Talk, callbacks, events


def test_only_the_speaker_talks(game: GameSpec) -> None:
    table = seat_team(
        game,
        Member(game_start=answer(SendMessage("One."))),
        Member(game_start=answer(SendMessage("Two."))),
        settings=AgentTeamSettings(speaker=1),
    )

    table.wait(3)

    assert [event.get_text() for event in table.events if event.sender == "agent"] == ["Two."]


def test_the_speaker_does_not_announce_what_the_team_does_not_do(game: GameSpec) -> None:
    table = seat_team(game, Member(send_offer=answer(SendMessage("Deal!"), FormalAccept())), Member())

    table.human.offers(EVEN)
    table.wait(5)

    assert acts(table) == []


def test_each_member_gets_its_own_callbacks(game: GameSpec) -> None:
    def called(text: str) -> Script:
        return answer(Schedule(2000, lambda ctx: [SendMessage(text)]), Schedule(4000, offer_of_callback))

    def offer_of_callback(ctx: AgentContext) -> list[Action]:
        return [SendOffer(ctx.make_offer(EVEN))]

    table = seat_team(game, Member(game_start=called("First.")), Member(game_start=called("Second.")))

    table.wait(6)

    assert acts(table) == ["SEND_MESSAGE", "SEND_OFFER"]
    assert [event.get_text() for event in table.events if event.get_text()] == ["First."]


def thinks(milliseconds: float, units: dict[str, int]) -> Script:
    """Return a script that offers later, as most shipped agents do."""
    return answer(Schedule(milliseconds, lambda ctx: [SendOffer(ctx.make_offer(units))]))


def test_decisions_in_callbacks_of_about_the_same_time_are_joined(game: GameSpec) -> None:
    table = seat_team(game, Member(send_message=thinks(1000, EVEN)), Member(send_message=thinks(1500, YOURS)))

    for _ in range(2):
        table.human.says("And now?")
        table.wait(5)

    assert [units["bananas"] for units in units_for_agent(table)] == [2, 4]


def test_offers_in_callbacks_are_averaged_too(game: GameSpec) -> None:
    table = seat_team(
        game,
        Member(send_message=thinks(1000, MINE)),
        Member(send_message=thinks(1500, YOURS)),
        settings=AgentTeamSettings(offers=JoinedOffers.AVERAGE),
    )

    table.human.says("And now?")
    table.wait(5)

    assert [units["wood"] for units in units_for_agent(table)] == [1]


def test_a_decision_does_not_wait_for_a_callback_that_is_due_much_later(game: GameSpec) -> None:
    table = seat_team(
        game, Member(send_message=thinks(1000, EVEN)), Member(send_message=thinks(60_000, YOURS))
    )

    table.human.says("And now?")
    table.wait(3)

    assert [units["bananas"] for units in units_for_agent(table)] == [2]


def test_a_decision_that_waits_is_dropped_when_all_members_are_asked_again(game: GameSpec) -> None:
    table = seat_team(game, Member(send_message=thinks(1000, EVEN)), Member(send_message=thinks(3000, YOURS)))

    table.human.says("And now?")
    table.wait(2)
    table.human.shows(Expression.HAPPY)
    table.wait(2)

    assert [units["bananas"] for units in units_for_agent(table)] == [4]


# Failures


def test_a_member_that_fails_leaves_the_team_to_the_others(game: GameSpec) -> None:
    table = seat_team(game, Member(send_message=broken), Member(send_message=offer_of(EVEN)), strikes=2)

    for _ in range(4):
        table.human.says("And now?")
        table.wait(5)

    assert acts(table) == ["SEND_OFFER"] * 4
    assert [failure.kind for failure in failures(table)] == [FailureKind.MEMBER] * 2
    assert failures(table)[0].reason.startswith("m0: It raised ValueError (no)")
    assert failures(table)[1].reason.endswith("m0 is no longer asked.")


def test_the_last_member_decides_alone(game: GameSpec) -> None:
    table = seat_team(game, Member(send_message=broken), Member(send_offer=answer(FormalAccept())), strikes=1)

    table.human.says("Hello")
    table.human.offers(EVEN)
    table.wait(5)

    assert acts(table) == ["FORMAL_ACCEPT"]


def test_the_team_fails_when_no_member_is_left(game: GameSpec) -> None:
    table = seat_team(game, Member(send_message=broken), Member(send_message=broken), strikes=1)

    table.human.says("Hello")
    table.wait(5)

    assert [failure.kind for failure in failures(table)] == [FailureKind.LOST]
    assert table.state.ending is not None
    assert table.state.ending.ended_by == "agent_failure"
