"""Secrets planted in a session, and a search for them in everything that another observer can reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from negoplatform.core.events import DecidedBy, Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import PLATFORM_PROPOSER, Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.visibility import EXPERIMENTER, Observer, observer_of, view_of
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import PrincipalSpec, TeamSpec
from negoplatform.domain.errors import NotVisible, Refused
from negoplatform.domain.game import GameSpec, Preferences, Profile, Rules, TimeCost, Visibility
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import SYSTEM, Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility, Interaction, InteractionUtility
from negoplatform.eventlog.observer_export import encode_log, filter_log
from tests.core.session_builder import Market
from tests.planted_secrets import (
    FRIEND,
    OWNER,
    SPY,
    WAYS_OUT,
    PlantedSession,
    Secrets,
    WayOut,
    from_exports,
    from_handlers,
    from_observations,
    from_playback,
    from_replay,
    from_tables,
    from_the_window,
    from_views,
)
from tests.proposers import issued

PREFERENCES = (
    *(7001.5, 7002.5, 7003.5),  # reservation value, opt-out, points per period
    *(7010.5, 7011.5, 7012.5, 7013.5, 7014.5, 7015.5, 7016.5, 7017.5),  # points of units, values and numbers
    7020.5,  # an interaction
)
"""Numbers of the owner's preferences; 32 bits hold each of them exactly."""

DERIVED = (7010.5 + 7012.5 + 7014.5, 7011.5 + 7013.5 + 7017.5 + 7020.5)
"""Numbers that follow from them: the lowest and the highest utility."""

NOT_CHOSEN = (7030.5,)
"""Number in a profile that was not chosen for the owner."""

TOLD = (7040,)
"""Number announced to the owner alone, and kept in the private part of the owner's typed state."""

STILL_TO_COME = (7041,)
"""Number announced to everyone, but later than this session lasts."""

OF_THE_EXPERIMENTER = (0.4375, 7050.5)
"""Time of an agent's decision, and a figure in a note."""

COMMANDED = (7060.5, 7061.5)
"""Numbers in the mandate of the owner, and in that of its principal."""

WORDS = (
    *("secret-mandate", "secret-order", "secret-advice", "secret-plan"),
    *("secret-profile", "secret-story", "secret-told", "secret-to-come", "secret-whisper"),
    *("secret-note", "secret-task", "secret-refused", "secret-proposal", "secret-annotation"),
    *("secret-demographics", "secret-reading"),
    *(
        "secret-command",
        "secret-setting",
        "secret-plugin",
        "secret_file",
        "secret-failure",
        "secret-issue",
        "secret_boulware",
        "secret_exponent",
        "P-SECRET-07",
    ),
)
"""Texts: commands, a coach, profile, story, announcements, a message to another seat, record, refusals,
failures, occupants."""

SECRETS = Secrets(
    frozenset([*PREFERENCES, *DERIVED, *NOT_CHOSEN, *TOLD, *STILL_TO_COME, *OF_THE_EXPERIMENTER, *COMMANDED]),
    WORDS,
)
found_in = SECRETS.found_in

DEAL = Offer({"day": "Sunday", "price": 2})


def owners_preferences() -> Preferences:
    tables: dict[str, Any] = {
        "crates": {0: 7010.5, 1: 7011.5},
        "day": {"Friday": 7012.5, "Sunday": 7013.5},
        "price": {1: 7014.5, 1.5: 7015.5, 2: 7017.5, 2.5: 7016.5},
    }
    together = Interaction(7020.5, (("day", frozenset({"Sunday"})), ("price", frozenset({2}))))
    utility = InteractionUtility(AdditiveUtility(OWNER, tables), [together])
    return Preferences(utility, 7001.5, 7002.5, TimeCost(7003.5, 1000))


def plain_preferences(seat: Seat, points: float = 1) -> Preferences:
    tables: dict[str, Any] = {
        "crates": {0: 0, 1: points},
        "day": {"Friday": 0, "Sunday": 1},
        "price": {1: 0, 1.5: 1, 2: 2, 2.5: 3},
    }
    return Preferences(AdditiveUtility(seat, tables), 0)


def planted_game(visibility: Visibility) -> GameSpec:
    """Return a game in which the owner's side is full of secrets."""
    chosen = Profile("secret-profile", owners_preferences(), "secret-story")
    other = Profile("secret-profile-too", plain_preferences(OWNER, NOT_CHOSEN[0]), "secret-story-too")
    return GameSpec(
        name="planted",
        issues=(
            QuantityIssue("crates", 1),
            CategoricalIssue("day", ("Friday", "Sunday")),
            NumberIssue("price", 1, 2.5, 0.5),
        ),
        seats=(OWNER, SPY, FRIEND),
        preferences=SeatMap((seat, plain_preferences(seat)) for seat in (OWNER, SPY, FRIEND)),
        profiles=SeatMap({OWNER: (chosen, other)}),
        chosen=SeatMap({OWNER: "secret-profile"}),
        visibility=SeatMap({OWNER: visibility}),
        rules=Rules(),
        title="Planted",
        announcements=(
            Announcement(1.0, "tax-set", '{"tax": 5}', "The tax is 5."),
            Announcement(1.0, "hint-given", '{"hint": 7040}', "secret-told", (OWNER,)),
            Announcement(500.0, "tax-set", '{"tax": 7041}', "secret-to-come"),
        ),
        own_state=GameStateReference(Market, "state.py", "0" * 64),
        principals=SeatMap(
            {
                BOSS: PrincipalSpec(BOSS, (OWNER,), settings={"style": "secret-setting"}),
                RIVAL: PrincipalSpec(RIVAL, (SPY,)),
                BOARD: PrincipalSpec(BOARD, (BOSS,)),
            }
        ),
        teams=(TeamSpec((OWNER, FRIEND)),),
        assistants=SeatMap(
            {
                "coach": AssistantSpec(
                    "coach",
                    "secret-plugin",
                    OWNER,
                    coach=True,
                    settings={"style": "secret-setting"},
                    kind=AssistantKind.AGENDA,
                ),
                "assistant": AssistantSpec("assistant", seat=OWNER, kind=AssistantKind.INSIGHTS),
            }
        ),
    )


BOSS, RIVAL, BOARD = "boss", "rival", "board"
"""The principal of the owner, that of the spy, and the principal over the first."""


def negotiate(planted: PlantedSession) -> None:
    """Let the owner use every kind of secret."""
    planted.table.wait(2)
    session, by_agent = planted.table.session, ActionOrigin(DecidedBy.AGENT, 1, 0.4375)
    owner = Proposer(ProposerKind.SEAT, OWNER)
    assistant = Proposer(ProposerKind.ASSISTANT, "assistant")
    session.send_message(OWNER, Message("Hello, all."), by_agent)
    session.send_message(OWNER, Message("secret-whisper"), by_agent._replace(to=(FRIEND,)))
    session.send_offer(OWNER, DEAL, by_agent)
    session.offer_in_progress(OWNER, Offer({"day": "Friday"}))
    refused(lambda: session.send_offer(OWNER, Offer({"secret-issue": "x"}), by_agent))
    refused(
        lambda: session.propose_change(issued(session, owner), {"deal": {"x": "secret-refused"}}, 0, by_agent)
    )
    session.propose_change(issued(session, owner), {"notes": {OWNER: {"mine": "secret-note"}}}, 0, by_agent)
    session.propose_change(issued(session, owner), {"tasks": [a_task("t1", "secret-task")]}, 0, by_agent)
    session.propose_change(
        issued(session, PLATFORM_PROPOSER), {"tasks": [a_task("t2", "secret-proposal")]}, 100, by_agent
    )
    session.propose_change(
        issued(session, assistant), {"annotations": {"assistant": {"seen": "secret-annotation"}}}, 100
    )
    session.propose_change(
        issued(session, Proposer(ProposerKind.WIZARD, "w")), {"commands": {"do": "secret-command"}}, 100
    )
    command(
        session, BOSS, OWNER, {"mandate": {"reservation_value": 7060.5}, "info": {"why": "secret-mandate"}}
    )
    command(session, BOARD, BOSS, {"mandate": {"budget": 7061.5}, "info": {"why": "secret-order"}})
    coach = Proposer(ProposerKind.ASSISTANT, "coach")
    plan = {
        "annotations": {"coach": "secret-advice"},
        "tasks": [{**a_task("t3", "secret-plan"), "agent_origin": "coach"}],
    }
    session.propose_change(issued(session, coach), plan, 100)
    told = {"participant": {"demographics": {SPY: "secret-demographics"}}}
    session.propose_change(issued(session, PLATFORM_PROPOSER), told, 100)
    read = {"subtype": "PREF_INFO", "sure": 0.9, "issue": "secret-reading"}
    session.note(NoteKind.READING, seat=OWNER, text="I like it.", acts=[read])
    session.send_message(OWNER, Message("I like it."), by_agent)
    session.note(NoteKind.WARNING_SHOWN, about="accept", points=7050.5)
    session.record_agent_failure(OWNER, "secret-failure")
    session.send_message(SPY, Message("I was told nothing."))
    planted.table.wait(1)
    session.formal_quit(OWNER, by_agent)
    session.send_message(OWNER, Message("Goodbye."), by_agent)


def command(session: Session, giver: str, to: str, given: dict[str, Any]) -> None:
    """Give a command in the name of a principal."""
    proposer = issued(session, Proposer(ProposerKind.PRINCIPAL, giver))
    session.propose_change(proposer, {"commands": {giver: {"1": {"to": to, **given}}}}, 0)


def refused(act: Callable[[], object]) -> None:
    with pytest.raises(Refused):
        act()


def a_task(task_id: str, intent: str) -> dict[str, Any]:
    return {
        "task_id": task_id,
        "timestamp": 0.5,
        "agent_origin": OWNER,
        "intent": intent,
        "status": "pending",
        "metadata": {},
    }


def session_with(visibility: Visibility, *watchers: str) -> PlantedSession:
    """Return a new session; its observers are the spy, its principal and the public unless given."""
    return PlantedSession(planted_game(visibility), negotiate, watchers or (SPY, RIVAL, "public"))


@cache
def planted(visibility: Visibility) -> PlantedSession:
    """Return a session that tests share."""
    return session_with(visibility)


@pytest.mark.parametrize("way", WAYS_OUT)
@pytest.mark.parametrize(
    "visibility", [Visibility.OWNER, Visibility.TEAM, Visibility.UPPER_LEVEL, Visibility.SYSTEM]
)
def test_nothing_of_another_seat_is_found_on_any_way_out(way: WayOut, visibility: Visibility) -> None:
    held = list(way(session_with(visibility)))

    assert len(held) > 2
    assert found_in(*held) == (set(), set())


@pytest.mark.parametrize("way", [from_handlers, from_the_window, from_views, from_exports])
def test_public_preferences_are_found_and_nothing_else_is(way: WayOut) -> None:
    numbers, words = found_in(*way(session_with(Visibility.PUBLIC)))

    assert numbers - set(DERIVED) == set(PREFERENCES)
    assert words == set()


def test_an_observation_shows_public_preferences_and_nothing_else() -> None:
    numbers, words = found_in(*from_observations(planted(Visibility.PUBLIC)))

    assert numbers - set(DERIVED) == set(PREFERENCES)
    assert words == set()


def test_an_agents_own_side_of_the_game_is_never_the_others_even_where_that_is_public() -> None:
    ctx = planted(Visibility.PUBLIC).table.context(SPY)

    assert found_in(ctx.game, ctx._own_preferences) == (set(), set())


ADDRESSED = {"secret-whisper", "secret-told", "secret-issue"}
"""Words of what only the owner and some others heard."""

SEEN_BY: dict[str, tuple[set[float], set[str], set[Visibility]]] = {
    SPY: (set(), set(), set()),
    RIVAL: (set(), set(), set()),
    "public": (set(), set(), set()),
    FRIEND: (set(), {"secret-whisper"}, {Visibility.TEAM}),
    BOSS: (
        {*TOLD, *COMMANDED},
        {*ADDRESSED, "secret-mandate", "secret-order"},
        {Visibility.UPPER_LEVEL},
    ),
    BOARD: ({*TOLD, 7061.5}, {*ADDRESSED, "secret-order"}, {Visibility.SYSTEM}),
    SYSTEM: (
        {*TOLD, *COMMANDED},
        {*ADDRESSED, "secret-mandate", "secret-order"},
        {Visibility.SYSTEM},
    ),
}
"""Secrets of the owner that each observer sees: numbers, words, and the visibilities of its preferences
with which it sees these too."""


@pytest.mark.parametrize("way", [from_views, from_exports, from_observations, from_replay, from_playback])
@pytest.mark.parametrize(
    "visibility", [Visibility.OWNER, Visibility.TEAM, Visibility.UPPER_LEVEL, Visibility.SYSTEM]
)
@pytest.mark.parametrize("name", SEEN_BY)
def test_every_observer_finds_what_its_level_may_see_and_nothing_else(
    way: WayOut, visibility: Visibility, name: str
) -> None:
    numbers, words, sees_preferences_of = SEEN_BY[name]

    found_numbers, found_words = found_in(*way(watched(visibility, name)))

    sees_preferences = visibility in sees_preferences_of
    assert found_numbers <= numbers | ({*PREFERENCES, *DERIVED} if sees_preferences else set())
    assert found_words <= words
    if way in (from_views, from_exports):
        assert found_numbers >= numbers | (set(PREFERENCES) if sees_preferences else set())
        assert found_words == words
    if way is from_observations:
        assert bool(found_numbers & set(PREFERENCES)) is sees_preferences


@cache
def watched(visibility: Visibility, name: str) -> PlantedSession:
    """Return a session with one observer, which tests share."""
    return session_with(visibility, name)


def test_the_tables_of_an_observer_hold_what_it_may_see() -> None:
    seen = {name: found_in(*from_tables(watched(Visibility.UPPER_LEVEL, name))) for name in SEEN_BY}

    for name, (numbers, words) in seen.items():
        allowed = SEEN_BY[name]
        assert words <= allowed[1], name
        assert numbers <= allowed[0] | ({*PREFERENCES, *DERIVED} if name == BOSS else set()), name


def test_asking_for_what_is_not_visible_says_nothing_of_it() -> None:
    ctx = planted(Visibility.OWNER).table.context(SPY)

    with pytest.raises(NotVisible) as told:
        ctx.get_opponent_utility(DEAL, OWNER)

    assert found_in(str(told.value)) == (set(), set())


def test_what_is_looked_for_can_be_found_where_it_may_be_known() -> None:
    party = planted(Visibility.OWNER)
    everything = view_of(party.table.state, EXPERIMENTER)

    in_log = found_in(party.log.header, party.log.events, encode_log(party.log))
    in_state = found_in(everything)

    assert in_log[0] >= {*PREFERENCES, *TOLD, *STILL_TO_COME, *OF_THE_EXPERIMENTER}
    assert in_log[1] == set(WORDS)
    assert in_state[0] >= {*PREFERENCES, *DERIVED, *TOLD, *STILL_TO_COME}


def test_the_owner_knows_all_of_it_but_the_experimenters_part() -> None:
    party = planted(Visibility.OWNER)

    numbers, words = found_in(
        view_of(party.table.state, observer_of(party.table.state.game, OWNER)),
        party.table.context(OWNER).state,
    )

    assert numbers >= {*PREFERENCES, *TOLD}
    assert not numbers & {*STILL_TO_COME, *OF_THE_EXPERIMENTER, *NOT_CHOSEN}
    assert {"secret-note", "secret-task", "secret-proposal", "secret-whisper", "secret-told"} <= words
    assert {"secret-mandate", "secret-advice", "secret-plan"} <= words, "its principal's, and its coach's"
    assert "secret-order" not in words
    assert not words & {"secret-command", "secret-annotation", "secret-failure", "secret-to-come"}
    assert not words & {"secret-demographics", "secret-reading"}


def test_a_whisper_is_found_by_the_one_it_is_for() -> None:
    party = planted(Visibility.OWNER)

    _, words = found_in(
        view_of(party.table.state, Observer(FRIEND)), encode_log(filter_log(party.log, FRIEND))
    )

    assert words == {"secret-whisper"}


def test_a_profile_that_was_not_chosen_is_found_nowhere_once_the_game_is_settled() -> None:
    party = planted(Visibility.OWNER)

    numbers, _ = found_in(party.log.header, view_of(party.table.state, EXPERIMENTER))

    assert not numbers & set(NOT_CHOSEN)
    assert NOT_CHOSEN[0] in found_in(planted_game(Visibility.OWNER))[0]
