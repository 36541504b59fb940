"""Models of stable-baselines3 and networks of runs as agents: by file, by folder, and as they are in memory."""

import copy
import importlib
import pickle
import sys

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
torch = pytest.importorskip("torch")

from lanterns_agents.networks.base import make_network, save_network, write_network  # noqa: E402
from lanterns_agents.networks.one_thread import on_one_thread  # noqa: E402
from lanterns_agents.networks.sb3_policy import NetworkPolicy  # noqa: E402
from lanterns_agents.sb3_agent import SB3Agent  # noqa: E402
from sb3_contrib import ARS, QRDQN, TRPO, MaskablePPO, RecurrentPPO  # noqa: E402
from stable_baselines3 import A2C, DQN, PPO  # noqa: E402
from stable_baselines3.common.vec_env import VecNormalize  # noqa: E402

import lanterns_env.agent  # noqa: E402
from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table, fresh, load  # noqa: E402
from lanterns_env.engine.observations import Observer  # noqa: E402
from lanterns_env.match import first_difference, play_match  # noqa: E402
from lanterns_env.sb3 import SeatVecEnv  # noqa: E402
from lanterns_env.seat import Seats  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
ROWS = 40
SMALL = {"net_arch": [8]}
MATCH = {"num_players": 2, "deals": 40, "seed": 3}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Models that have learnt for a moment, through the two doors."""
    folder = tmp_path_factory.mktemp("models")
    seat = gymnasium.make("lanterns_env/Lanterns-v0", num_players=2)
    model = MaskablePPO("MultiInputPolicy", seat, n_steps=64, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(256).save(folder / "seat.zip")
    envs = SeatVecEnv("lanterns", 8, num_players=2, seed=1)
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(512).save(folder / "vector.zip")
    return folder


def table_of(game, num_players=None, rows=ROWS, moves=7):
    """Some positions some moves into games of a batch."""
    batch = Batch(game, rows, num_players, seed=5)
    rng = np.random.default_rng(0)
    for _ in range(moves):
        batch.step(batch.sample(rng))
    return Table(batch, np.arange(rows), np.arange(rows))


def acted(agent, table):
    return agent.act(table, np.random.default_rng(0)).tolist()


# -- matches --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["seat.zip", "vector.zip"])
def test_a_saved_model_plays_a_match_on_any_number_of_processes(saved, file, monkeypatch):
    monkeypatch.chdir(saved)
    result = play_match("lanterns", [f"sb3:{file}", "random"], workers=1, **MATCH)
    row = result.rows[0]
    assert (f"sb3:{file}", 80) == (row.agent, row.games)
    assert 0 <= row.interval[0] < row.win_share < row.interval[1] <= 1
    assert "" == result.why_not_reproducible
    assert "" == first_difference(result, play_match("lanterns", [f"sb3:{file}", "random"], workers=2, **MATCH))


@pytest.mark.slow
def test_a_model_in_memory_plays_as_its_file_does(saved):
    model = MaskablePPO.load(saved / "vector.zip", device="cpu")
    by_file = play_match("lanterns", [str(saved / "vector.zip"), "random"], workers=1, **MATCH)
    result = play_match("lanterns", [model, "random"], **MATCH)
    assert ["<MaskablePPO>", "random"] == [row.agent for row in result.rows]
    assert np.array_equal(by_file.records.shares, result.records.shares)
    assert "given as an object" in result.why_not_reproducible
    isolated = play_match("lanterns", [model, "random"], isolate=True, **{**MATCH, "deals": 4})
    assert not isolated.forfeits
    assert np.array_equal(
        result.records.shares[:4], play_match("lanterns", [model, "random"], **MATCH).records.shares[:4]
    )


def test_it_decides_as_the_model_does(saved):
    table = table_of("lanterns", 2)
    numbers, masks = GAMES["lanterns"].to_array(table.views).copy(), table.action_masks.copy()
    observations = {"seat.zip": {"observation": numbers, "action_mask": masks}}
    observations["vector.zip"] = Observer(GAMES["lanterns"], "flat").encode(table.views)
    for file, seen in observations.items():
        model = MaskablePPO.load(saved / file, device="cpu")
        expected, _ = model.predict(seen, action_masks=masks, deterministic=True)
        for agent in (load(f"sb3:{saved / file}"), load(str(saved / file)), fresh(model)):
            assert expected.tolist() == acted(agent, table)


# -- algorithms and observations ------------------------------------------------------------------------------


def of_actor(model, seen):
    """The log-probability of every action, asked one by one."""
    each = [torch.full((len(seen),), action) for action in range(model.action_space.n)]
    return torch.stack([model.policy.evaluate_actions(torch.tensor(seen), actions)[1] for actions in each], 1)


def of_critic(model, seen):
    return model.q_net(torch.tensor(seen))


def of_quantiles(model, seen):
    return model.quantile_net(torch.tensor(seen)).mean(dim=1)


def of_layers(model, seen):
    return model.policy.action_net(torch.tensor(seen))


ALGORITHMS = {
    "PPO": (PPO, of_actor, {"n_steps": 8, "batch_size": 16}),
    "A2C": (A2C, of_actor, {}),
    "TRPO": (TRPO, of_actor, {"n_steps": 8, "batch_size": 16}),
    "DQN": (DQN, of_critic, {"buffer_size": 100}),
    "QRDQN": (QRDQN, of_quantiles, {"buffer_size": 100}),
    "ARS": (ARS, of_layers, {}),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_algorithms_without_masks_play_their_best_legal_action(algorithm, tmp_path):
    kind, preferred_by, settings = ALGORITHMS[algorithm]
    envs = SeatVecEnv("lighthouse", 2, num_players=2, seed=1)
    model = kind("MlpPolicy", envs, seed=1, device="cpu", policy_kwargs=dict(SMALL), **settings)
    model.save(tmp_path / "model.zip")
    table = table_of("lighthouse", 2)
    with torch.no_grad():
        found = preferred_by(model, Observer(GAMES["lighthouse"], "flat").encode(table.views)).numpy()
    expected = [
        max(np.flatnonzero(mask), key=lambda action: row[action])
        for row, mask in zip(found, table.action_masks, strict=True)
    ]
    assert expected == acted(load(f"sb3:{tmp_path / 'model'}"), table)  # SB3 puts in the ending


def test_the_networks_of_this_package_as_policies_play_too(tmp_path):
    """As scripts/train_sb3.py trains them."""
    envs = SeatVecEnv("lanterns", 2, num_players=2, seed=1, observation="named")
    sizes = {"game": "lanterns", "hidden_size": 16, "entity_size": 4}
    model = MaskablePPO(NetworkPolicy, envs, policy_kwargs=sizes, n_steps=8, batch_size=16, seed=1, device="cpu")
    model.save(tmp_path / "model.zip")
    table = table_of("lanterns", 2)
    seen = {"observation": GAMES["lanterns"].to_array(table.views).copy(), "action_mask": table.action_masks.copy()}
    expected, _ = model.predict(seen, action_masks=seen["action_mask"], deterministic=True)
    assert expected.tolist() == acted(load(str(tmp_path / "model.zip")), table)


def test_a_recurrent_model_remembers_every_game_by_itself():
    envs = SeatVecEnv("lighthouse", 2, num_players=2, seed=1)
    model = RecurrentPPO("MlpLstmPolicy", envs, n_steps=8, batch_size=16, seed=1, device="cpu")
    first, second = table_of("lighthouse", 2), table_of("lighthouse", 2, moves=9)
    agent, state = fresh(model), None
    observer = Observer(GAMES["lighthouse"], "flat")
    with on_one_thread():
        for number, table in enumerate((first, second)):
            seen = observer.encode(table.views)
            preferred = agent._preferences(seen, table.game_ids.tolist())
            own, state = model.predict(seen, state, np.full(ROWS, number == 0), deterministic=True)
            assert own.tolist() == preferred.argmax(1).tolist()
        again = agent._preferences(seen[::-1].copy(), table.game_ids[::-1].tolist())
    assert not np.allclose(preferred, again[::-1])  # it has seen the position twice now
    assert {} == copy.deepcopy(agent)._memories


@pytest.mark.parametrize("observation", ["bare", "planes"])
def test_bare_views_and_images_are_recognised(observation):
    """As PettingZoo's tutorial for stable-baselines3 takes observations, and as image networks do."""
    game, table = GAMES["lanterns"], table_of("lanterns", 2)
    observer = Observer(game, "planes" if observation == "planes" else "named")
    model = PPO(
        "MlpPolicy", Declared(observer.space, game.num_actions), n_steps=8, batch_size=8, policy_kwargs=dict(SMALL)
    )
    assert table.action_masks[np.arange(ROWS), acted(fresh(model), table)].all()
    model._last_obs = observer.encode(table_of("lanterns", 3).views)  # as if it had learnt from these
    with pytest.raises(ValueError, match=r"^PPO was trained at tables of 3 players, not 2$"):
        acted(fresh(model), table)


class Declared(gymnasium.Env):
    """Spaces alone."""

    def __init__(self, space, num_actions):
        self.observation_space, self.action_space = space, gymnasium.spaces.Discrete(num_actions)


# -- what does not fit ----------------------------------------------------------------------------------------


def test_another_game_another_table_and_a_wrapper_are_one_sentence_each(saved, tmp_path):
    agent = load(str(saved / "vector.zip"))
    with pytest.raises(ValueError, match=r"^vector.zip was trained on Lanterns and cannot play Lumen$"):
        acted(agent, table_of("lumen", 3))
    for file in ("vector.zip", "seat.zip"):
        with pytest.raises(ValueError, match=rf"^{file} was trained at tables of 2 players, not 3$"):
            acted(load(str(saved / file)), table_of("lanterns", 3))
    envs = VecNormalize(SeatVecEnv("lanterns", 2, num_players=2, seed=1))
    model = MaskablePPO("MlpPolicy", envs, n_steps=8, batch_size=16, n_epochs=1, device="cpu").learn(32)
    with pytest.raises(
        ValueError, match=r"^MaskablePPO was trained on observations that a wrapper has changed, as Vec"
    ):
        acted(fresh(model), table_of("lanterns", 2))
    cart = PPO("MlpPolicy", "CartPole-v1", n_steps=8, batch_size=8, device="cpu")
    with pytest.raises(ValueError, match=r"PPO was trained on float32\[4\], and that is no observation of Lanterns"):
        play_match("lanterns", [cart, "random"], 2, deals=1)


def test_what_is_no_model_is_one_sentence(tmp_path):
    (tmp_path / "model.zip").write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match=r"model.zip is no saved model of stable-baselines3: "):
        load(f"sb3:{tmp_path / 'model.zip'}")


OWN_POLICY = """from stable_baselines3.common.policies import ActorCriticPolicy


class Own(ActorCriticPolicy):
    pass
"""


def test_a_policy_of_the_current_folder_is_found_and_one_that_is_gone_is_said(tmp_path, monkeypatch):
    (tmp_path / "my_policies.py").write_text(OWN_POLICY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    kind = importlib.import_module("my_policies").Own
    envs = SeatVecEnv("lighthouse", 2, num_players=2, seed=1)
    PPO(kind, envs, n_steps=8, batch_size=16, device="cpu", policy_kwargs=dict(SMALL)).save("own.zip")
    monkeypatch.delitem(sys.modules, "my_policies")
    sys.path.remove(str(tmp_path))
    table = table_of("lighthouse", 2)
    assert table.action_masks[np.arange(ROWS), acted(load("sb3:own.zip"), table)].all()
    monkeypatch.delitem(sys.modules, "my_policies")
    (tmp_path / "my_policies.py").unlink()
    (tmp_path / "own.zip").touch()
    with pytest.raises(ValueError, match=r"cannot be loaded: ModuleNotFoundError: No module named 'my_policies'"):
        load("sb3:own.zip")


# -- as opponents ---------------------------------------------------------------------------------------------


def spoilt(model):
    """The same object, after it has learnt something else."""
    with torch.no_grad():
        for weight in model.policy.parameters():
            weight.neg_()


def test_a_model_as_opponent_plays_as_it_was(saved):
    model = MaskablePPO.load(saved / "vector.zip", device="cpu")
    table = table_of("lanterns", 2)
    before = acted(fresh(model), table)
    doors = [
        SeatVecEnv("lanterns", 4, num_players=2, opponents=model, seed=1).seats,
        gymnasium.make("lanterns_env/Lanterns-v0", num_players=2, opponents=model).unwrapped.seats,
        gymnasium.make_vec("lanterns_env/Lanterns-v0", num_envs=3, num_players=2, opponents=model).unwrapped.seats,
        Seats("lanterns", 2, 3, opponents=[model, "random"]),
    ]
    spoilt(model)
    assert before != acted(fresh(model), table)
    for seats in doors:
        assert before == acted(seats.opponents[0], table)


def test_self_play_against_oneself_learns(saved):
    """The model that learns is its own opponent, as it was when the environment was made."""
    model = MaskablePPO.load(saved / "vector.zip", device="cpu")
    envs = SeatVecEnv("lanterns", 8, num_players=2, opponents=model, seed=2)
    before = acted(envs.seats.opponents[0], table_of("lanterns", 2))
    model.set_env(envs)
    model.learn(256)
    assert before == acted(envs.seats.opponents[0], table_of("lanterns", 2))


def test_learning_while_a_match_is_played_changes_nothing(saved):
    model = MaskablePPO.load(saved / "vector.zip", device="cpu")
    undisturbed = play_match("lanterns", [model, "random"], **MATCH)
    disturbed = play_match("lanterns", [model, "random"], progress=lambda _: spoilt(model), **MATCH)
    assert np.array_equal(undisturbed.records.shares, disturbed.records.shares)


def test_a_model_is_pickled_with_its_weights_or_by_its_file(saved):
    table = table_of("lanterns", 2)
    by_file, given = load(str(saved / "vector.zip")), fresh(MaskablePPO.load(saved / "vector.zip", device="cpu"))
    assert len(pickle.dumps(by_file)) < 500
    for agent in (by_file, given):
        twin = pickle.loads(pickle.dumps(agent))
        assert acted(agent, table) == acted(twin, table)
    assert copy.deepcopy(by_file)._trained is load(str(saved / "vector.zip"))._trained  # in memory once


def test_a_model_without_the_agent_that_plays_it(saved, monkeypatch):
    model = MaskablePPO.load(saved / "vector.zip", device="cpu")
    monkeypatch.setattr(lanterns_env.agent, "AGENTS", {})
    with pytest.raises(ValueError, match="<MaskablePPO> is a model of stable-baselines3, and no agent that plays such"):
        fresh(model)
    assert isinstance(SB3Agent(model), SB3Agent)


# -- runs -----------------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path, monkeypatch):
    torch.manual_seed(1)
    folder = tmp_path / "mine"
    folder.mkdir()
    network = make_network(GAMES["lanterns"], hidden_size=16, entity_size=4)
    write_network(folder / "policy.safetensors", save_network(network))
    monkeypatch.chdir(tmp_path)
    return network


@pytest.mark.parametrize("given", ["mine", "run:mine", "mine/policy.safetensors"])
def test_the_folder_of_a_run_is_an_agent(run, given):
    table = table_of("lanterns", 3)
    logits, _ = run(torch.from_numpy(GAMES["lanterns"].to_array(table.views).copy()), torch.tensor(table.action_masks))
    assert logits.argmax(1).tolist() == acted(load(given), table)
    with pytest.raises(ValueError, match="plays Lanterns, not Lumen"):
        acted(load(given), table_of("lumen", 3))


def test_a_run_plays_a_match_on_any_number_of_processes(run):
    result = play_match("lanterns", ["mine", "random"], workers=1, **MATCH)
    assert "mine" == result.rows[0].agent
    assert "" == first_difference(result, play_match("lanterns", ["mine", "random"], workers=2, **MATCH))
