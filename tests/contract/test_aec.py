"""One environment: seeds, purity, copies, saved games, bad input."""

import copy
import pickle
import random

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.utils import wrappers

from lanterns_env import GAMES
from lanterns_env.envs.aec import make
from tests.play import choose, decisions, middle, play_to_end, same


def everything(env):
    """All that can be asked of an environment without changing it."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    numbers = [seen_one[key].tolist() for seen_one in seen for key in sorted(seen_one)]
    return [env.get_state(), env.agent_selection, env.rewards, env._cumulative_rewards, env.terminations, numbers]


def test_the_same_seed_gives_the_same_game_the_first_and_the_hundredth_time(name, num_players):
    env = make(name, True, num_players=num_players)
    env.reset(seed=7)
    first = everything(env)
    for seed in range(98):
        env.reset(seed=seed)
    env.reset(seed=7)
    assert everything(env) == first


def test_reset_without_seed_goes_on_in_the_stream(name, num_players):
    left, right = (make(name, True, num_players=num_players) for _ in range(2))
    left.reset(seed=7)
    right.reset(seed=7)
    games = []
    for _ in range(5):
        left.reset()
        right.reset()
        assert left.get_state() == right.get_state()
        games.append(left.get_state())
    assert len(set(games)) == 5


def test_reset_without_any_seed_differs_from_environment_to_environment(name):
    games = set()
    for _ in range(4):
        env = make(name, True)
        env.reset()
        games.add(env.get_state())
    assert len(games) == 4


def test_no_global_generator_is_read_or_written(name, num_players):
    def game():
        env = make(name, True, num_players=num_players)
        play_to_end(env, 5)
        env.reset()
        return env.get_state()

    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    first = game()
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002
    random.seed(2)
    np.random.seed(2)  # noqa: NPY002
    assert game() == first


def test_asking_changes_nothing(name, num_players):
    env = middle(name, num_players, render_mode="ansi")
    before = everything(env)
    for agent in env.possible_agents:
        env.observe(agent)["observation"][:] = 99  # what is handed out is the asker's own
        env.observe(agent)["action_mask"][:] = 1
        env.view(agent)
        env.sample_hidden(agent, 3)
    env.last()[0]["action_mask"][:] = 1
    env.state()[:] = 99
    env.render()
    env.clone().step(choose(env.observe(env.agent_selection)["action_mask"], np.random.default_rng(0)))
    assert everything(env) == before


def test_state_holds_the_views_of_all(name, num_players):
    env = middle(name, num_players)
    views = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert np.array_equal(env.state(), np.concatenate(views))
    assert env.state_space.contains(env.state())


def wrapped(name, num_players):
    env = make(name, False, num_players=num_players)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


COPIES = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("outside", [False, True], ids=["bare", "wrapped"])
def test_a_copy_is_the_same_game_and_goes_its_own_way(name, num_players, how, outside):
    env = wrapped(name, num_players) if outside else make(name, True, num_players=num_players)
    for _ in decisions(env, 3, 12):
        pass
    before = everything(env)
    twin = COPIES[how](env)
    assert everything(twin) == before
    rng = np.random.default_rng(4)
    for _ in range(10):
        action = choose(twin.observe(twin.agent_selection)["action_mask"], rng)
        twin.step(action)
    assert everything(env) == before
    rng = np.random.default_rng(4)
    for _ in range(10):
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))
    assert everything(env) == everything(twin)


def test_a_copy_taken_while_agents_leave_goes_on_leaving(name, num_players):
    env = make(name, True, num_players=num_players)
    play_to_end(env, 3)
    env.step(None)
    rewards = [env._cumulative_rewards[agent] for agent in env.agents]
    twin = copy.deepcopy(env)
    fresh = make(name, True, num_players=num_players)
    fresh.set_state(env.get_state())
    for one in (env, twin, fresh):
        gone = []
        for agent in one.agent_iter():
            gone.append((agent, one.last()[1]))
            one.step(None)
        assert gone == list(zip(env.possible_agents[1:], rewards, strict=True))
        assert one.agents == []


def test_a_saved_game_goes_on_the_same(name, num_players):
    env = middle(name, num_players, reward="points")
    saved = env.get_state()
    other = make(name, False, num_players=num_players, reward="points")
    other.reset(options={"state": saved})
    assert everything(other) == everything(env)
    rng = np.random.default_rng(9)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        action = choose(env.observe(env.agent_selection)["action_mask"], rng)
        env.step(action)
        other.step(action)
        assert env.get_state() == other.get_state()
    env.reset()
    other.reset()
    assert env.get_state() == other.get_state()


def test_set_state_refuses_what_is_not_its_own_and_changes_nothing(name, num_players):
    env = middle(name, num_players)
    saved, before = env.get_state(), everything(env)
    others = [n for n in GAMES[name].players if n != num_players]
    foreign = [middle(name, n).get_state() for n in others[:1]]
    foreign += [middle(game, min(GAMES[game].players)).get_state() for game in GAMES if game != name][:1]
    old = copy.deepcopy(env)
    old.game = copy.copy(env.game)
    object.__setattr__(old, "game", type("Old", (), {**vars(env.game), "version": -1, "state_layout": "old"}))
    damaged = bytearray(saved)
    damaged[len(saved) // 2] ^= 1
    for data in (b"", b"nothing", saved[:-1], saved + b"x", bytes(damaged), "text", None, *foreign):
        with pytest.raises(ValueError, match="saved game"):
            env.set_state(data)
        assert everything(env) == before
    with pytest.raises(ValueError, match="version"):
        env.set_state(old.get_state())
    assert everything(env) == before


def test_a_forged_saved_game_with_a_good_checksum_is_refused(name):
    """Its player does not exist: compiled code would read beyond the records."""
    env = middle(name, GAMES[name].default_players)
    before = everything(env)
    forged = env.clone()
    forged._batch._states["player"] = 77
    data = forged.get_state()
    with pytest.raises(ValueError, match="damaged"):
        env.set_state(data)
    assert everything(env) == before


def test_infos_of_a_redealt_world_are_its_own(name, num_players):
    env = make(name, False, num_players=num_players)
    for number, (mover, _) in enumerate(decisions(env, 9, 60)):
        for agent in env.possible_agents:
            world = env.sample_hidden(agent, number)
            assert np.array_equal(world.infos[mover]["action_mask"], world.observe(mover)["action_mask"])


def test_a_person_is_shown_every_change(name, capsys):
    env = make(name, True, render_mode="human")
    env.reset(seed=1)
    assert env.game.title in capsys.readouterr().out
    env.step(choose(env.observe(env.agent_selection)["action_mask"], np.random.default_rng(1)))
    assert env.game.title in capsys.readouterr().out


def test_bad_arguments_are_said(name):
    game = GAMES[name]
    cases = {
        "players": {"num_players": max(game.players) + 1},
        "must be an integer": {"num_players": 2.5},
        "no option": {"nonsense": 1},
        "reward": {"reward": "gold"},
        "render_mode": {"render_mode": "smell"},
        "no agent": {"render_player": "player_9"},
    }
    for words, arguments in cases.items():
        with pytest.raises(ValueError, match=words):
            make(name, True, **arguments)
    for option in game.options:
        with pytest.raises(ValueError, match=option):
            make(name, True, **{option: "nonsense"})


def test_what_needs_a_game_asks_for_reset(name):
    env = make(name, True, render_mode="ansi")
    agent = env.possible_agents[0]
    calls = [
        lambda: env.step(0),
        lambda: env.observe(agent),
        env.state,
        env.render,
        env.get_state,
        lambda: env.view(agent),
        lambda: env.why_illegal(0),
        env.last,
        env.agent_iter,
    ]
    for call in calls:
        with pytest.raises(ResetNeeded, match="reset"):
            call()


def test_bad_seeds_are_said(name):
    env = make(name, True)
    env.reset(seed=1)
    before = everything(env)
    for seed in (-1, 2**64, 1.5, "7", True):
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=seed)
    assert everything(env) == before
    env.reset(seed=2**64 - 1)
    env.reset(seed=np.int32(5))


@pytest.mark.parametrize("guarded", [True, False])
def test_what_is_no_action_raises_and_changes_nothing(name, num_players, guarded):
    env = middle(name, num_players, guarded=guarded)
    before = everything(env)
    for action in (None, -1, env.game.num_actions, 1.0, "skip", True, [1], np.array([1, 2])):
        with pytest.raises(ValueError, match="action"):
            env.step(action)
        assert everything(env) == before


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.int32, np.array], ids=str)
def test_any_kind_of_integer_is_an_action(name, kind):
    env = make(name, True)
    env.reset(seed=1)
    action = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])
    if action < 256:
        env.step(kind(action))
        assert env.get_state() != b""


def test_an_illegal_action_raises_in_raw_env_and_ends_the_game_in_env(name, num_players):
    raw, env = (middle(name, num_players, guarded=guarded) for guarded in (False, True))
    agent = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0])
    before = everything(raw)
    with pytest.raises(ValueError, match=f"action {illegal} .*is illegal: "):
        raw.step(illegal)
    assert everything(raw) == before
    env.step(illegal)
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.possible_agents}
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert "is illegal" in env.infos[agent]["illegal"]
    assert not any(env.observe(other)["action_mask"].any() for other in env.possible_agents)
    assert env.why_illegal(0) == "the game is over"
    twin = pickle.loads(pickle.dumps(env))
    assert everything(twin) == everything(env)
    for _ in env.agent_iter():
        env.step(None)
    env.reset()
    assert not any(env.terminations.values())


def test_rewards_of_a_game_sum_to_the_documented_figure(name, num_players):
    """Outcome: (n share - 1) / (n - 1), zero-sum; margin: own points less the best other's, scaled; points."""
    sums = {}
    for reward in ("outcome", "margin", "points"):
        env = make(name, True, num_players=num_players, reward=reward)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for _ in decisions(env, 11):
            total = {agent: total[agent] + env.rewards[agent] for agent in total}
        total = {agent: total[agent] + env.rewards[agent] for agent in total}
        points, share = (figures[0] for figures in env._batch.scores())
        sums[reward] = list(total.values())
    n = num_players
    assert sums["outcome"] == pytest.approx([(n * part - 1) / (n - 1) for part in share], abs=1e-6)
    assert sum(sums["outcome"]) == pytest.approx(0, abs=1e-6)
    best_other = [max(np.delete(points, seat)) for seat in range(n)]
    margins = [(points[seat] - best_other[seat]) / env.game.margin_scale for seat in range(n)]
    assert sums["margin"] == pytest.approx(margins, abs=1e-5)
    assert sums["points"] == pytest.approx(points.tolist(), abs=1e-4)


def test_cumulative_rewards_are_what_fell_since_the_agents_own_last_step(name, num_players):
    env = make(name, True, num_players=num_players, reward="points")
    waiting = dict.fromkeys(env.possible_agents, 0.0)
    for agent, _ in decisions(env, 12):
        fallen = env.rewards
        waiting = {other: waiting[other] + fallen[other] for other in waiting}
        assert env.last()[1] == pytest.approx(waiting[agent])
        waiting[agent] = 0.0


def test_view_is_the_named_record_behind_the_observation(name, num_players):
    env = middle(name, num_players)
    for seat, agent in enumerate(env.possible_agents):
        view = env.view(agent)
        assert view.tobytes() == env.observe(agent)["observation"].tobytes()
        assert (view.seat, view.num_players) == (seat, num_players)
        assert env.possible_agents[(seat + view.to_move) % num_players] == env.agent_selection


def test_belief_is_offered_or_refused_in_words(name):
    env = make(name, True)
    env.reset(seed=1)
    if env.game.belief is None:
        with pytest.raises(ValueError, match="belief"):
            env.belief("player_0")
    else:
        assert env.belief("player_0").shape == env.game.belief_shape


def test_sample_hidden_is_a_game_that_can_be_played(name, num_players):
    env = middle(name, num_players)
    agent = env.possible_agents[-1]
    world = env.sample_hidden(agent, 5)
    assert same(world.observe(agent), env.observe(agent))
    assert world.get_state() == env.sample_hidden(agent, 5).get_state()
    rng = np.random.default_rng(1)
    while not (world.terminations[world.agent_selection] or world.truncations[world.agent_selection]):
        world.step(choose(world.observe(world.agent_selection)["action_mask"], rng))
