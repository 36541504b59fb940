"""The native stable-baselines3 VecEnv, and a learner on it."""

import gymnasium
import numpy as np
import pytest

from lanterns_env import GAMES
from lanterns_env.engine.observations import Observer
from lanterns_env.seat import Seats

sb3_contrib = pytest.importorskip("sb3_contrib")
torch = pytest.importorskip("torch")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402

from lanterns_env.sb3 import SeatVecEnv  # noqa: E402
from tests.bridges import pages  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.play import choose  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")


@pytest.mark.parametrize("kind", ["flat", "named", "planes"])
def test_rows_are_seats_and_masks_are_theirs(name, kind):
    if kind == "planes" and not GAMES[name].planes:
        pytest.skip("this game has none")
    envs, seats = SeatVecEnv(name, 5, seed=3, observation=kind), Seats(name, 5)
    seats.seed_opponents(*range(3, 8))
    encode = Observer(GAMES[name], kind).encode
    observations = envs.reset()
    seats.deal(seeds=range(3, 8))
    rng = np.random.default_rng(0)
    for _ in range(150):
        assert np.array_equal(encode(seats.views()), array_of(observations))
        assert all(map(envs.observation_space.contains, rows_of(observations)))
        assert is_masking_supported(envs)
        masks = get_action_masks(envs)
        assert np.array_equal(masks, seats.action_masks)
        actions = np.array([choose(mask, rng) for mask in masks])
        observations, rewards, dones, infos = envs.step(actions)
        seats.step(actions)
        assert np.array_equal(rewards, seats.rewards)
        assert np.array_equal(dones, seats.dones)
        ended = np.flatnonzero(seats.dones)
        last, finished = encode(seats.views()), seats.finished(ended)
        for place, row in enumerate(ended):
            assert np.array_equal(last[row], array_of(infos[row]["terminal_observation"]))
            assert infos[row]["episode"]["l"] > 0
            assert finished["seed"][place] == infos[row]["finished"]["seed"]
            assert np.array_equal(finished["points"][place], infos[row]["finished"]["points"])
        if len(ended):
            seats.deal(ended)


def array_of(seen):
    return seen["observation"] if isinstance(seen, dict) else seen


def rows_of(seen):
    """What each row sees."""
    named = isinstance(seen, dict)
    return [{key: seen[key][row] for key in seen} if named else seen[row] for row in range(len(array_of(seen)))]


@pytest.mark.parametrize("kind", ["flat", "named", "planes"])
def test_a_model_of_one_door_fits_the_other(name, kind):
    """Trained on the native environment, it plays on the Gymnasium seat; what both show of a deal is the same."""
    if kind == "planes" and not GAMES[name].planes:
        pytest.skip("this game has none")
    torch.set_num_threads(1)
    envs = SeatVecEnv(name, 1, seed=7, observation=kind)
    env = gymnasium.make(f"lanterns_env/{name}-v0", observation=kind)
    assert env.observation_space == envs.observation_space
    policy = "MultiInputPolicy" if kind == "named" else "MlpPolicy"
    narrow = {"net_arch": [8]}  # images are flattened here
    model = sb3_contrib.MaskablePPO(policy, envs, n_steps=32, batch_size=16, n_epochs=1, policy_kwargs=narrow, seed=1)
    model.learn(32)
    envs.seed(7)
    rows, (seen, info) = envs.reset(), env.reset(seed=7)
    over = False
    while not over:
        assert array_of(rows)[0].tobytes() == array_of(seen).tobytes()
        action, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
        same, _ = model.predict(rows, action_masks=get_action_masks(envs), deterministic=True)
        assert [action] == same
        rows, _, dones, _ = envs.step(same)
        seen, _, ended, cut, info = env.step(action)
        over = ended or cut
        assert over == dones[0]


def test_evaluation_finds_returns_as_those_of_a_monitor(name):
    """evaluate_policy would warn otherwise."""
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    envs = SeatVecEnv(name, 4, seed=1)
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", envs, n_steps=8, batch_size=16, policy_kwargs={"net_arch": [8]}, seed=1
    )
    returns, lengths = evaluate_policy(model, envs, n_eval_episodes=4, return_episode_rewards=True)
    assert 4 == len(returns) == len(lengths)
    assert all(-1 <= gained <= 1 for gained in returns)


def test_an_illegal_action_names_maskable_ppo(name):
    envs = SeatVecEnv(name, 2, seed=1)
    envs.reset()
    with pytest.raises(ValueError, match=r"row 0: .* is illegal.*MaskablePPO"):
        envs.step(envs.action_masks().argmin(axis=1))


def test_without_a_seed_every_one_plays_other_deals(name):
    first, second = SeatVecEnv(name, 2), SeatVecEnv(name, 2)
    first.reset()
    second.reset()
    assert not set(first.seats.batch.seeds.tolist()) & set(second.seats.batch.seeds.tolist())


def test_maskable_ppo_learns_on_it_and_repeats_itself(name):
    def learn():
        envs = SeatVecEnv(name, 8, seed=1)
        model = sb3_contrib.MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
        model.learn(256)
        masks = get_action_masks(envs)
        actions, _ = model.predict(envs.reset(), action_masks=masks, deterministic=True)
        return [parameter.detach().clone() for parameter in model.policy.parameters()], actions, masks

    torch.set_num_threads(1)
    weights, actions, masks = learn()
    assert masks[np.arange(8), actions].all()
    assert all(torch.equal(left, right) for left, right in zip(weights, learn()[0], strict=True))


def test_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.set_num_threads(1)
    names = pages.run("sb3.md")
    assert all(result in (-1, 0, 1) for result in names["results"])
    assert names["row"].games == 40
    assert (tmp_path / "model.zip").is_file()
    assert names["model"].num_timesteps == 3 * 1024
