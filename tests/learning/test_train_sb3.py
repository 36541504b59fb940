"""The trainer with stable-baselines3: settings, the same run twice, a run that was broken off, and that it learns."""

import copy
import json
import pathlib
import re

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("matplotlib")

import train_sb3  # noqa: E402
from lanterns_agents.networks.base import load_network, read_network  # noqa: E402
from lanterns_agents.training import evaluate, ppo  # noqa: E402
from lanterns_agents.training.arguments import make_config, read_arguments  # noqa: E402
from lanterns_agents.training.inference import ask  # noqa: E402
from sb3_contrib import MaskablePPO  # noqa: E402
from train_sb3 import Config, EarlierSelves, SeatPPO  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table  # noqa: E402
from lanterns_env.support.files import LOCK  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
TINY = {
    "num_games": 8,
    "batch_size": 64,
    "minibatch_size": 32,
    "hidden_size": 16,
    "entity_size": 4,
    "pool_size": 2,
    "snapshot_every": 1,
    "eval_every": 0,
    "eval_deals": 2,
    "eval_opponents": ["random"],
    "tensorboard": False,
}
compiled = pytest.mark.skipif(not COMPILED, reason="thousands of decisions")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def configured(**settings):
    return make_config({**TINY, **settings}, Config)


def tiny_run(**settings):
    return SeatPPO(configured(**settings))


def same_weights(left, right):
    left, right = left.network.state_dict(), right.network.state_dict()
    return all(torch.equal(left[name], right[name]) for name in left)


# -- settings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["oponents=greedy"], "there is no setting 'oponents'; did you mean 'opponents'?"),
        (["pool_fraction=0.5"], "there is no setting 'pool_fraction'; did you mean"),
        (["update_epochs=0.5"], "setting update_epochs must be a whole number, not 0.5"),
        (["game=chess"], "there is no game 'chess'; there are: lanterns"),
        (["num_players=[2, 3]"], "num_players must be one number here, not [2, 3]"),
        (["batch_size=1000"], "batch_size must be a multiple of num_games, not 1000 of 512"),
        (
            ["num_players=4", "opponents=['self', 'random']"],
            "opponents must be one for all other seats, or one for each",
        ),
    ],
)
def test_wrong_settings_are_refused(words, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_arguments(words, Config)


def test_an_unknown_opponent_is_refused():
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        tiny_run(opponents=["nobody"])


# -- who plays ------------------------------------------------------------------------------------------------


def test_opponents_sit_where_they_are_named():
    run = tiny_run(num_players=4, opponents=["random", "self", "greedy"])
    kinds = [type(agent).__name__ for agent in run.envs.seats.opponents]
    assert ["Uniform", "EarlierSelves", "Greedy"] == kinds
    assert [EarlierSelves] * 2 == [type(agent) for agent in tiny_run(num_players=3).envs.seats.opponents]


@pytest.mark.slow
def test_each_game_meets_one_of_the_earlier_selves():
    """The second of two prefers the first legal action above all."""
    run = tiny_run(game="lighthouse")
    batch = Batch("lighthouse", 6, 2, seed=1)
    first = batch.action_masks.argmax(1)

    class Stubborn:
        def __call__(self, observations, masks, features):
            return 1e3 * torch.nn.functional.one_hot(masks.argmax(1), masks.shape[1]), torch.zeros(len(masks), 4)

    run.pool.networks.append(Stubborn())
    table = Table(batch, np.arange(6), np.arange(10, 16))
    drawn = [EarlierSelves(run.pool).act(table, np.random.default_rng(seed)) for seed in range(20)]
    always_first = (np.array(drawn) == first).all(0)
    assert [False, True] * 3 == always_first.tolist()


def test_copies_of_earlier_selves_are_of_the_same_pool():
    agent = EarlierSelves(tiny_run().pool)
    twin = copy.deepcopy(agent)
    assert twin is not agent
    assert twin.pool is agent.pool


@compiled
def test_the_pool_holds_the_network_as_it_was():
    run = tiny_run(pool_size=1)
    train_sb3.update(run)
    kept = {name: weight.clone() for name, weight in run.pool.networks[0].state_dict().items()}
    assert all(torch.equal(weight, run.network.state_dict()[name]) for name, weight in kept.items())
    before = run.pool.networks[0]
    train_sb3.update(run)
    assert all(torch.equal(weight, before.state_dict()[name]) for name, weight in kept.items())
    assert any(not torch.equal(weight, run.network.state_dict()[name]) for name, weight in kept.items())


# -- the same again -------------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("game", list(GAMES))
def test_same_seed_same_weights(game):
    runs = [tiny_run(game=game, num_players=max(GAMES[game].players), seed=seed) for seed in (5, 5, 6)]
    for run in runs:
        for _ in range(3):
            train_sb3.update(run)
    assert same_weights(runs[0], runs[1])
    assert not same_weights(runs[0], runs[2])


@compiled
@pytest.mark.slow
def test_a_resumed_run_equals_one_that_was_never_interrupted():
    settings = {
        **TINY,
        "game": "lighthouse",
        "num_players": 3,
        "opponents": ["self", "greedy"],
        "total_decisions": 6 * 64,
    }
    whole, folder = opened(make_config({**settings, "run_name": "whole"}, Config), False, SeatPPO)
    ppo.train(whole, folder, train_sb3.update)
    config = make_config({**settings, "run_name": "broken"}, Config)
    broken, folder = opened(config, False, SeatPPO)

    def stop(run):
        run.stopped = run.updates == 2
        return train_sb3.update(run)

    ppo.train(broken, folder, stop)
    assert 3 == broken.updates
    resumed, _ = opened(config, True, SeatPPO)
    ppo.train(resumed, folder, train_sb3.update)
    assert (6, whole.games) == (resumed.updates, resumed.games)
    assert same_weights(whole, resumed)
    assert np.array_equal(whole.envs.seats.batch.seeds, resumed.envs.seats.batch.seeds)
    updates = [json.loads(line)["update"] for line in (folder / "log.jsonl").read_text().splitlines()]
    assert list(range(1, 7)) == updates


# -- files ----------------------------------------------------------------------------------------------------


@compiled
def test_the_files_of_a_run():
    train_sb3.main(
        [*[f"{key}={json.dumps(value)}" for key, value in TINY.items()], "total_decisions=100", "run_name=mine"]
    )
    folder = pathlib.Path("runs/mine")
    files = {file.name for file in folder.iterdir()}
    written = {"config.toml", "log.jsonl", "checkpoint.safetensors", "policy.safetensors", "model.zip", "curves.png"}
    assert written | {LOCK} == files
    line = json.loads((folder / "log.jsonl").read_text().splitlines()[-1])
    assert ["random 2p"] == list(line["results"])
    assert 128 == line["decisions"]
    assert line["losses/entropy"] > 0
    saved = read_network(folder / "policy.safetensors")
    network = load_network(GAMES["lanterns"], saved)
    model = MaskablePPO.load(folder / "model.zip", device="cpu")
    batch = Batch("lanterns", 3, 2, seed=4)
    seen, masks = batch.observations.copy(), batch.action_masks.copy()
    named = {"observation": seen, "action_mask": masks}
    chosen, _ = model.predict(named, action_masks=masks, deterministic=True)
    logits, _ = ask(network, seen, masks)
    assert logits.argmax(1).tolist() == chosen.tolist()
    with pytest.raises(ValueError, match="is there already: --resume"):
        opened(configured(run_name="mine"), False, SeatPPO)


# -- learning -------------------------------------------------------------------------------------------------

LEARNS = {
    "num_games": 64,
    "batch_size": 4096,
    "minibatch_size": 512,
    "hidden_size": 64,
    "entity_size": 16,
    "learning_rate": 2e-3,
}
LEARNT = 0.85  # of the wins against random


@pytest.mark.slow
@compiled
def test_it_learns_to_beat_random():
    """Lanterns against earlier selves; an untrained network is about as good as random."""
    run = tiny_run(**LEARNS, reward="margin", gae_lambda=0.9, pool_size=1, total_decisions=60_000, eval_deals=50)
    while run.goes_on():
        train_sb3.update(run)
    assert evaluate.evaluate(run)["random 2p"][0] >= LEARNT
