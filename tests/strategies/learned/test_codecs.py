"""Codecs: any action of their dimensions is performed or refused in a sentence, at any moment of any game."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.strategies.learned.codec_choice import CODECS, codec_of
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training.episode import Episode, EpisodeSettings
from tests.agents.seating import load

GAMES = {
    "terms": ("campsite", "used_car", "three_way"),
    "demand": ("practice", "land_sale", "three_way"),
    "order": ("grain_market",),
    "trade": ("tac_trading", "tac_market"),
}


@pytest.mark.parametrize(("codec", "game"), [(name, game) for name in GAMES for game in GAMES[name]])
def test_any_action_is_performed_or_refused_in_a_sentence(codec: str, game: str) -> None:
    episode = Episode(EpisodeSettings(load(game), codec=codec), 5)
    rng = Random(f"{codec}/{game}")

    for _ in range(12):
        actions: dict[str, VectorAction] = {}
        for seat, learner in episode.learners.items():
            action = learner.codec.init_action()
            heads = [i for i, head in enumerate(learner.codec.heads) if head != "quit"]
            others = [rng.randrange(count) for count in action.ncats[1:]]
            action.set_values(
                {"c": [rng.random() for _ in range(action.dim_c)], "d": [rng.choice(heads), *others]}
            )
            actions[seat] = action
        episode.act(actions)
        assert all(sentence.strip().endswith(".") for sentence in episode.refused.values()), episode.refused
        episode.advance()

    episode.finish()


@pytest.mark.parametrize(("codec", "game"), [(name, games[0]) for name, games in GAMES.items()])
def test_a_neutral_action_waits_and_is_always_open(codec: str, game: str) -> None:
    episode = Episode(EpisodeSettings(load(game), codec=codec), 5)
    (seat, *_) = episode.learners
    own = episode.learners[seat].codec
    ctx = episode.context(seat)

    assert own.heads[own.init_action().d[0]] == "wait"
    assert own.decode(own.init_action(), ctx) == []
    assert own.masks(ctx)[0][0] == 1
    assert [len(mask) for mask in own.masks(ctx)] == [*own.ncats]


@pytest.mark.parametrize("codec", CODECS)
def test_a_codec_refuses_games_of_another_kind(codec: str) -> None:
    game = load("tac_trading" if CODECS[codec].mechanism != "trading" else "campsite")

    with pytest.raises(NegoError, match=f"The codec {codec} is for games of the kind"):
        codec_of(game, game.seats[0], codec)


def test_an_action_of_other_dimensions_is_refused() -> None:
    episode = Episode(replace(EpisodeSettings(load("campsite")), codec="terms"), 5)
    learner = episode.learners["human"]

    with pytest.raises(NegoError, match="An action of human has 0 continuous values"):
        learner.codec.decode(VectorAction(1, 1, ((0.0,), (1.0,)), 4), episode.context("human"))
