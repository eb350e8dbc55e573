"""Replay of a kind of game that has no words of its own: acts are shown with their fields, in every view."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.playback.playback import Playback, TimelineMarkKind
from negoplatform.cli.main import run as run_command
from negoplatform.core.visibility import EXPERIMENTER, Observer
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.replay.event_details import event_details
from negoplatform.presentation.replay.replay_presenter import ReplayPresenter
from negoplatform.presentation.replay.seat_occupant_names import participants_of
from tests.mechanisms.auction_games import AUCTION, build, logs_of
from tests.mechanisms.sealed_bid import GIVE_MONEY, PLACE_BID


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play an auction of three agents."""
    return logs_of(build(AUCTION), tmp_path_factory.mktemp("auction"), isolated=False, games=1)[0]


@pytest.fixture
def playback(log: Path) -> Playback:
    return Playback.open(log)


def shown_as(playback: Playback, observer: Observer) -> ReplayPresenter:
    return ReplayPresenter(playback, observer, participants_of(playback.header, ENGLISH), ENGLISH)


def test_the_command_shows_acts_with_their_fields_to_those_who_saw_them(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["replay", str(log)])
    everything = capsys.readouterr().out
    run_command(["replay", "--step", "--view", "ann", str(log)])
    as_ann = capsys.readouterr().out

    bids = {f"{seat} ({seat.title()}) acts: place bid (price " for seat in ("ann", "ben", "cho")}
    assert all(bid in everything for bid in bids)
    assert "acts to ann: give money (amount 5)" in everything
    assert [bid for bid in sorted(bids) if bid in as_ann] == ["ann (Ann) acts: place bid (price "]
    assert "says only to ben [GENERIC]: Round 1." in everything


def test_the_window_shows_acts_with_their_fields_and_the_state_in_words(playback: Playback) -> None:
    everything = shown_as(playback, EXPERIMENTER)
    last = len(playback.events)

    lines = [line.text for line in everything.lines]
    frame = everything.frame_at(last, playback.time_at(last))

    for event in playback.events:
        if event.type == PLACE_BID:
            assert f"{event.sender.title()}: place bid (price {event.payload.price})" in lines
        elif event.type == GIVE_MONEY:
            to = event.to[0].title()
            assert f"{event.sender.title()}, only to {to}: give money (amount 5)" in lines
    assert frame.offer.startswith("round 4 of 4  ·  ann: ")
    assert frame.header.points_words == "points: Ann, Ben and Cho"
    assert frame.header.points.count(" · ") == 2


def test_the_window_shows_a_seat_what_that_seat_could_see(playback: Playback) -> None:
    as_ben = shown_as(playback, Observer("ben"))
    frame = as_ben.frame_at(0, 0.0)
    last = as_ben.frame_at(len(playback.events), playback.seconds)

    lines = [line.text for line in as_ben.lines]

    assert any(line.startswith("Ben: place bid") for line in lines)
    assert not any(line.startswith(("Ann: place bid", "Cho: place bid")) for line in lines)
    assert (frame.header.subtitle, last.header.points_words) == ("What Ben could see", "points: Ben")
    assert "ann" not in last.offer


def test_the_details_of_an_act_are_its_fields_and_not_those_of_an_announcement(playback: Playback) -> None:
    moment = next(m for m in playback.observed_events(EXPERIMENTER) if m.event.type == PLACE_BID)

    facts, contents = event_details(moment, playback.game, participants_of(playback.header, ENGLISH), ENGLISH)

    assert moment.mark is TimelineMarkKind.ACT
    assert ("Kind", "Act") in facts
    assert contents == (("price", str(moment.event.payload.price)),)
