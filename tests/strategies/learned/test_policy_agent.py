"""Agent of a trained policy: what it refuses, confirms and keeps, in sessions, processes and logs."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.simulation.simulate import Result, Seatings, simulate
from negoplatform.cli.main import run
from negoplatform.core.events import EndedBy, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import read_log
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.training.policies.cross_entropy import Parameters
from negoplatform.training.policies.rollouts import SessionRollouts, make_rollouts
from negoplatform.training.policies.trainer import Training
from negoplatform.training.setup import find_settings, quiet
from tests.agents.seating import load, plugin
from tests.app.trusting import trusted_agents
from tests.strategies.learned.policies import constant_policy, write_policy

WAIT, OFFER, ACCEPT, QUIT, DEMAND = range(5)


def fail(error: BaseException) -> None:
    """Raise an error of an agent."""
    raise error


def policy_agent(folder: Path, document: dict[str, Any]) -> AgentPlugin:
    """Return the agent of a policy with this content."""
    return find_agent(str(write_policy(folder / "agents" / "policy.json", document)), folder)


def random_policy(game: str, seed: int, codec: str) -> dict[str, Any]:
    """Return a policy of the second seat with random weights, which often accepts and never quits."""
    seat = load(game).seats[1]
    document = constant_policy(game, seat=seat, codec=codec, draws=True)
    (layer,) = document["layers"]
    rng = Random(seed)
    columns = len(layer["weights"][0])
    layer["weights"] = [[rng.gauss(0, 0.02) for _ in range(columns)] for _ in layer["bias"]]
    layer["bias"] = [rng.gauss(0, 1) for _ in layer["bias"]]
    layer["bias"][ACCEPT] += 2
    layer["bias"][QUIT] = -1000.0
    return document


def played(game: GameSpec, agents: list[AgentPlugin], *, games: int, **how: Any) -> list[Result]:
    """Return the results of games in which no agent fails."""
    options = {"seed": 1, "logs": None, "report": fail, "how": Seatings.GIVEN, "measures": False} | how
    return [*simulate(game, agents, games=games, **options)]


@pytest.mark.parametrize("game", ["practice", "campsite", "job_candidate", "used_car"])
@pytest.mark.parametrize("codec", ["terms", "demand"])
def test_no_policy_makes_a_deal_that_is_worth_less_than_none(game: str, codec: str, tmp_path: Path) -> None:
    spec, seat = load(game), load(game).seats[1]
    deals = 0

    for number in range(3):
        folder = tmp_path / str(number)
        agent = policy_agent(folder, random_policy(game, number, codec))
        for result in played(spec, [plugin("random_bids"), agent], games=2):
            if result.deal is None:
                continue
            own = spec.resolve_profiles(result.seed).preferences[seat]
            deals += 1
            assert own.utility(result.deal) >= own.reservation_value

    assert deals


def test_a_policy_may_say_that_it_does_not_keep_its_reservation_value(tmp_path: Path) -> None:
    document = constant_policy("campsite", seat="agent", codec="terms", outputs={ACCEPT: 1.0})
    eager = policy_agent(tmp_path, document | {"keeps_reservation_value": False})
    game = load("campsite")

    (result,) = played(game, [plugin("boulware"), eager], games=1)

    own = game.resolve_profiles(result.seed).preferences["agent"]
    assert result.deal is not None
    assert own.utility(result.deal) < own.reservation_value


def test_a_policy_confirms_its_own_offer_once_the_other_has_accepted_it(tmp_path: Path) -> None:
    document = constant_policy(
        "campsite", seat="agent", codec="demand", outputs={OFFER: 1.0, ACCEPT: -5.0, DEMAND: -50.0}
    )
    game = load("campsite")

    (kept,) = played(game, [plugin("conceder"), policy_agent(tmp_path / "a", document)], games=1)
    document["confirms_own_offers"] = False
    (left,) = played(game, [plugin("conceder"), policy_agent(tmp_path / "b", document)], games=1)

    assert kept.ended_by is EndedBy.AGREEMENT
    assert left.ended_by is EndedBy.TIMEOUT


def test_a_policy_refuses_a_game_whose_numbers_are_others(tmp_path: Path) -> None:
    agent = policy_agent(tmp_path, constant_policy("campsite", seat="agent", codec="demand"))

    with pytest.raises(NegoError, match="it takes 65 numbers and gives 5, and the seat agent of practice"):
        played(load("practice"), [plugin("boulware"), agent], games=1)


def test_equal_seeds_give_equal_games_also_of_a_policy_that_draws(tmp_path: Path) -> None:
    agent = policy_agent(tmp_path, random_policy("campsite", 3, "terms"))
    agents = [plugin("fair"), agent]

    first = played(load("campsite"), agents, games=2)
    again = played(load("campsite"), agents, games=2)

    assert first == again


def test_a_policy_plays_the_same_game_in_a_process_with_its_sandbox(tmp_path: Path) -> None:
    agent = policy_agent(tmp_path, random_policy("campsite", 4, "terms"))
    agents = [plugin("boulware"), agent]

    here = played(load("campsite"), agents, games=1)
    there = played(load("campsite"), agents, games=1, isolated=True)

    assert [(r.deal, r.points, r.ended_by) for r in here] == [(r.deal, r.points, r.ended_by) for r in there]


def test_the_log_of_a_policy_verifies_and_runs_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = policy_agent(tmp_path, random_policy("campsite", 5, "terms"))
    played(load("campsite"), [plugin("fair"), agent], games=1, logs=tmp_path / "logs")
    (log,) = (tmp_path / "logs").iterdir()

    assert run(["log", "verify", str(log)]) == 0
    assert run(["resimulate", str(log), "--data-dir", str(tmp_path)]) == 0
    assert "Traceback" not in "".join(capsys.readouterr())


def test_a_policy_in_the_agents_folder_needs_no_trust_and_is_read_again_when_it_changes(
    tmp_path: Path,
) -> None:
    document = constant_policy("campsite", seat="agent", codec="demand", description="First.")
    file = write_policy(tmp_path / "agents" / "mine.json", document)
    before = find_agent("mine", tmp_path)

    write_policy(file, document | {"description": "Second."})
    after = find_agent("mine", tmp_path)

    assert (before.description, after.description) == ("First.", "Second.")
    assert before.sha256 != after.sha256
    assert [row.untrusted for row in trusted_agents(tmp_path) if row.name == "mine"] == [None]


def test_check_plays_a_policy_in_the_game_and_the_seat_of_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = constant_policy("practice", seat="agent", codec="demand", outputs={OFFER: 1.0, DEMAND: 3.0})
    file = write_policy(tmp_path / "sound.json", sound)
    lost = write_policy(tmp_path / "lost.json", sound | {"game": "nowhere"})

    assert run(["check", str(file), "--data-dir", str(tmp_path)]) == 0
    assert "No errors" in capsys.readouterr().out
    assert run(["check", str(file), "--game", "campsite", "--data-dir", str(tmp_path)]) == 1
    assert "was trained for the game practice" in capsys.readouterr().out
    assert run(["check", str(lost), "--data-dir", str(tmp_path)]) == 1
    assert "lost.json was trained for it; name its game with --game." in capsys.readouterr().err


def candidate(training: Training, seed: int) -> Parameters:
    """Return random parameters that offer, accept and wait."""
    found = training.network.first()
    found += np.random.default_rng(seed).normal(0, 1.5, len(found))
    return found


@pytest.mark.parametrize(
    ("game", "opponent", "codec"),
    [
        ("campsite", "boulware", "demand"),
        ("campsite", "fair", "demand"),
        ("practice", "conceder", "terms"),
        ("job_candidate", "linear", "demand"),
        ("tac_trading", "tac_baseline", None),
    ],
)
def test_a_policy_plays_as_in_its_training(
    game: str, opponent: str, codec: str | None, tmp_path: Path
) -> None:
    seat = load(game).seats[1]
    settings = find_settings(game, {}, opponent=opponent, learner=seat, step_seconds=5, codec=codec, log=None)
    training = Training([settings], seed=3)
    episodes = [SessionRollouts(training.settings, training.network, 15.0)]
    fastest = make_rollouts(training.settings, training.network, 15.0)

    for number in range(2):
        parameters = candidate(training, number)
        training._search.mean = parameters
        agent = quiet(policy_agent(tmp_path / str(number), training.document(name="Kim")))
        agents = [settings.opponents.get(each, agent) for each in settings.game.seats]
        results = played(settings.game, agents, games=2, seed=11)
        points = [result.points[seat] for result in results]

        for rollouts in (*episodes, fastest):
            shares = [float(rollouts.evaluate(parameters[None], [11 + i])[0][0]) for i in range(2)]
            assert shares == pytest.approx([share(settings.game, seat, one) for one in points], abs=1e-6)


def share(game: GameSpec, seat: str, points: Any) -> float:
    """Return points as a reward: a share of the range of the seat in a bargaining game."""
    if game.mechanism != "bargaining":
        return float(points)
    utility = game.resolve_profiles(11).preferences[seat].utility
    return float((points - utility.lowest) / (utility.highest - utility.lowest))


def test_a_policy_makes_the_offers_of_its_training(tmp_path: Path) -> None:
    settings = find_settings(
        "campsite", {}, opponent="fair", learner="agent", step_seconds=5, codec="demand", log=tmp_path / "in"
    )
    training = Training([settings], seed=3)
    rollouts = SessionRollouts(settings, training.network, 15.0)
    parameters = candidate(training, 1)
    training._search.mean = parameters
    agent = quiet(policy_agent(tmp_path, training.document(name="Kim")))

    rollouts.evaluate(parameters[None], [11])
    played(settings.game, [settings.opponents["human"], agent], games=1, seed=11, logs=tmp_path / "out")

    trained, later = (acts(tmp_path / name) for name in ("in", "out"))
    assert any(kind == EventType.SEND_OFFER for kind, *_ in trained)
    assert trained == later


def acts(folder: Path) -> list[tuple[Any, str, float, Any]]:
    """Return the acts about offers in the only log of a folder: type, sender, session time, offer."""
    (log,) = (read_log(path) for path in folder.iterdir())
    kinds = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT, EventType.FORMAL_QUIT)
    found = [event for event in log.events if event.type in kinds]
    return [(each.type, each.sender, each.t, getattr(each.payload, "offer", None)) for each in found]
