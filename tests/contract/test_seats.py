"""One seat as a Gymnasium environment, alone and in thousands."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from lanterns_env import Batch
from lanterns_env.agent import Table
from lanterns_env.envs.aec import make
from lanterns_env.seat import SeatEnv, Seats, SeatVectorEnv
from tests.conftest import COMPILED
from tests.play import choose


class First:
    """An agent without chance: the first legal action.  It remembers which seats and games it was asked for."""

    def __init__(self):
        self.asked = []

    def act(self, table, rng):
        assert table.action_masks.any(axis=1).all()
        self.asked += list(zip(table.game_ids.tolist(), table.seats.tolist(), strict=True))
        return table.action_masks.argmax(axis=1)


def gym_id(name):
    return f"lanterns_env/{name.capitalize()}-v0"


def make_seat(name, **arguments):
    return gymnasium.make(gym_id(name), disable_env_checker=True, **arguments)


@pytest.mark.filterwarnings("ignore:.*an illegal action")  # it chooses by chance, whatever is legal
@pytest.mark.parametrize("seat", [0, "random"])
def test_gymnasiums_own_check(name, num_players, seat):
    env = gymnasium.make(gym_id(name), num_players=num_players, seat=seat)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("reward", ["outcome", "points"])
def test_a_seat_gets_what_falls_to_it_until_it_is_asked_again(name, num_players, reward):
    """Every seat of the game played by hand through the AEC interface, with the same opponents."""
    for seat in range(num_players):
        env = make_seat(name, num_players=num_players, seat=seat, opponents=First(), reward=reward)
        single = make(name, False, num_players=num_players, reward=reward)
        single.reset(seed=4)
        rng = np.random.default_rng(4)
        own = single.possible_agents[seat]

        def to_own_turn(single=single, own=own):
            fallen = 0.0
            while not (single._ended or single.agent_selection == own):
                single.step(int(single.observe(single.agent_selection)["action_mask"].argmax()))
                fallen += single.rewards[own]
            return fallen

        to_own_turn()
        observation, info = env.reset(seed=4)
        over, steps = False, 0
        while not over and steps < (10**6 if COMPILED else 10):
            seen = single.observe(own)
            assert np.array_equal(observation["observation"], seen["observation"])
            assert np.array_equal(observation["action_mask"], seen["action_mask"])
            assert np.array_equal(info["action_mask"], seen["action_mask"])
            assert info["seat"] == seat
            action = choose(observation["action_mask"], rng)
            observation, gained, terminated, truncated, info = env.step(action)
            single.step(action)
            fallen = single.rewards[own]
            fallen += to_own_turn()
            assert gained == pytest.approx(fallen, abs=1e-5)
            over, steps = terminated or truncated, steps + 1
            assert (terminated, truncated) == (single.terminations[own], single.truncations[own])


def test_a_list_of_opponents_sits_in_turn_order_after_the_seat(name):
    game = make(name, False).game
    n = max(game.players)
    agents = []

    def first():
        agents.append(First())
        return agents[-1]

    seat = 1
    seats = Seats(name, 3, n, seat, [first] * (n - 1))
    seats.deal(seeds=[1, 2, 3])
    for _ in range(12):
        seats.step(seats.batch.sample(np.random.default_rng(0)))
    for place, agent in enumerate(agents):
        assert {player for _, player in agent.asked} == {(seat + 1 + place) % n}
        assert {number for number, _ in agent.asked} == {0, 1, 2}


def test_games_have_numbers_that_stay_and_are_never_used_again(name):
    agent = First()
    seats = Seats(name, 2, None, 0, agent)
    seats.deal(seeds=[1, 2])
    first = seats.games.tolist()
    seats.deal(np.array([1]))
    assert seats.games[0] == first[0]
    assert seats.games[1] not in first


def test_a_random_seat_is_drawn_from_the_deal(name, num_players):
    seats = Seats(name, 300, num_players, "random")
    seats.deal(seeds=range(300))
    counts = np.bincount(seats.seats, minlength=num_players)
    expected = 300 / num_players
    assert (abs(counts - expected) < 5 * np.sqrt(expected)).all()
    again = Seats(name, 1, num_players, "random")
    again.deal(seeds=[17])
    assert again.seats[0] == seats.seats[17]


def test_the_same_seed_gives_the_same_games_opponents_included(name, num_players):
    def game():
        env = make_seat(name, num_players=num_players, seat="random", opponents="random")
        rng = np.random.default_rng(1)
        observation, _ = env.reset(seed=8)
        seen = [observation["observation"].tobytes()]
        over = False
        while not over and len(seen) < 40:
            observation, _, ended, cut, _ = env.step(choose(observation["action_mask"], rng))
            over = ended or cut
            seen.append(observation["observation"].tobytes())
        env.reset()
        return seen, env.unwrapped.seats.batch.seeds.tolist()

    assert game() == game()


def test_an_illegal_action_ends_the_game_of_a_single_seat(name):
    env = make_seat(name)
    observation, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    with pytest.warns(UserWarning, match="MaskablePPO"):
        observation, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "is illegal" in info["illegal"]
    assert not observation["action_mask"].any()
    with pytest.raises(ResetNeeded, match="over"):
        env.step(0)
    env.reset()
    for nonsense in (-1, 10**6, 0.5, None):
        with pytest.raises(ValueError, match="action"):
            env.unwrapped.step(nonsense)


def test_bad_arguments_are_said(name):
    cases = {
        "seat must be": {"seat": 9},
        "opponents, not 7": {"opponents": ["random"] * 7},
        "no agent 'nobody'": {"opponents": "nobody"},
        "no option 'nonsense'": {"nonsense": 1},
        "no option 'seeds'": {"seeds": [5]},
        "must be an integer": {"num_players": [2, 3]},
    }
    for words, arguments in cases.items():
        with pytest.raises(ValueError, match=words):
            make_seat(name, **arguments)
    with pytest.raises(ValueError, match="render_mode"):
        SeatEnv(name, render_mode="smell")
    with pytest.raises(ValueError, match="drawn"):
        SeatVectorEnv(name, 2, render_mode="ansi")


def test_a_table_is_of_one_decision(name):
    """Kept and read later it shows what it showed then, not what the next to move sees."""
    batch = Batch(name, 2, autoreset=False)
    table = Table(batch, [0, 1], [0, 1])
    views, masks, players, worlds = (
        batch.views.copy(),
        batch.action_masks.copy(),
        batch.current_players.copy(),
        table.worlds([1, 2]),
    )
    batch.step(table.sample(np.random.default_rng(1)))
    assert np.array_equal(views, table.views)
    assert np.array_equal(masks, table.action_masks)
    assert np.array_equal(players, table.seats)
    assert worlds.states.tobytes() == table.worlds([1, 2]).states.tobytes()
    with pytest.raises(ValueError, match="row"):
        Table(batch, [-1], [0])


class Illegal:
    def act(self, table, rng):
        return (table.action_masks == 0).argmax(axis=1)


def test_an_opponent_that_fails_leaves_nobody_elses_actions_to_the_seat(name):
    seats = Seats(name, 1, None, 0, Illegal())
    with pytest.raises(ResetNeeded, match="deal"):
        seats.step([0])

    def play():
        for seed in range(100):
            seats.deal(seeds=[seed])
            seats.step(seats.batch.sample(np.random.default_rng(1)))

    with pytest.raises(ValueError, match="is illegal"):
        play()
    with pytest.raises(ResetNeeded, match="deal"):
        seats.step(seats.batch.sample(np.random.default_rng(1)))


def test_a_game_that_ends_before_the_seat_is_asked_is_followed_by_the_next():
    options = {"max_turns": 1, "start_player": "drawn"}
    seats = Seats("lighthouse", 20, 2, 1, **options)
    seats.deal()
    assert not seats.dones.any()
    assert (seats.batch.current_players == 1).all()
    never = Seats("lighthouse", 1, 2, 1, max_turns=1)
    with pytest.raises(ValueError, match="never comes to move"):
        never.deal()


def test_a_seat_is_drawn_from_its_own_eyes(name):
    env = make_seat(name, seat=1, render_mode="ansi")
    env.reset(seed=1)
    game = make(name, False, render_mode="ansi", render_player=1)
    game.reset(seed=1)
    if env.unwrapped.seats.batch.current_players[0] == game.batch.current_players[0]:
        assert env.render() == game.render()
    assert env.unwrapped.view.seat == 1


# -- many games -----------------------------------------------------------------------------------------------


def test_make_vec_finds_the_native_environment(name):
    envs = gymnasium.make_vec(gym_id(name), num_envs=3)
    assert isinstance(envs, SeatVectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    assert observations["action_mask"].shape == (3, envs.single_action_space.n)
    assert infos["action_mask"] is observations["action_mask"]
    assert infos["_action_mask"].all()


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
def test_every_row_is_a_single_seat_in_all_modes_of_restarting(name, num_players, mode):
    rows, steps = 3, 90 if COMPILED else 12
    arguments = {"num_players": num_players, "opponents": First()}
    envs = SeatVectorEnv(name, rows, mode, **arguments)
    singles = [make_seat(name, **arguments) for _ in range(rows)]
    observations, infos = envs.reset(seed=20)
    shown = [single.reset(seed=20 + row) for row, single in enumerate(singles)]
    rng = np.random.default_rng(2)
    over = np.zeros(rows, bool)
    for _ in range(steps):
        actions = np.array([choose(mask, rng) if mask.any() else 0 for mask in observations["action_mask"]])
        waiting = over.copy()
        if mode == AutoresetMode.DISABLED and over.any():
            observations, infos = envs.reset(options={"reset_mask": over})
            for row in np.flatnonzero(over):
                shown[row] = singles[row].reset()
            over[:] = False
        else:
            observations, rewards, ended, cut, infos = envs.step(actions)
            over = ended | cut
            for row, single in enumerate(singles):
                if mode == AutoresetMode.NEXT_STEP and waiting[row]:
                    shown[row] = single.reset()
                    assert rewards[row] == 0
                    assert not over[row]
                    continue
                seen, gained, one_ended, one_cut, info = single.step(actions[row])
                assert (rewards[row], ended[row], cut[row]) == (gained, one_ended, one_cut)
                if mode == AutoresetMode.SAME_STEP and over[row]:
                    assert infos["_final_obs"][row]
                    assert np.array_equal(infos["final_obs"][row]["observation"], seen["observation"])
                    assert not infos["final_obs"][row]["action_mask"].any()
                    seen, info = single.reset()
                shown[row] = seen, info
        for row, (seen, info) in enumerate(shown):
            assert np.array_equal(observations["observation"][row], seen["observation"])
            assert np.array_equal(observations["action_mask"][row], seen["action_mask"])
            assert infos["seat"][row] == info["seat"]


def test_a_disabled_restart_refuses_to_go_on(name):
    envs = SeatVectorEnv(name, 2, AutoresetMode.DISABLED, opponents=First())
    observations, _ = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    over = np.zeros(2, bool)
    while not over.any():
        observations, _, ended, cut, _ = envs.step([choose(mask, rng) for mask in observations["action_mask"]])
        over = ended | cut
    with pytest.raises(ValueError, match="reset them"):
        envs.step([0, 0])
    for mask in (np.zeros(2, bool), [True], np.array([1, 0])):
        with pytest.raises(ValueError, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})


def test_an_illegal_action_of_one_row_leaves_all_games_unchanged(name):
    envs = SeatVectorEnv(name, 3)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0, 0])
    observations, _ = envs.reset(seed=1)
    good = [choose(mask, np.random.default_rng(1)) for mask in observations["action_mask"]]
    before = envs.seats.batch.states.tobytes()
    with pytest.raises(ValueError, match=r"row 2: .* is illegal"):
        envs.step([*good[:2], int(np.flatnonzero(observations["action_mask"][2] == 0)[0])])
    assert envs.seats.batch.states.tobytes() == before
    envs.step(good)


def test_what_is_handed_out_is_the_callers_own(name):
    envs = SeatVectorEnv(name, 2)
    observations, _ = envs.reset(seed=1)
    kept = observations["observation"].copy(), observations["action_mask"].copy()
    envs.step([choose(mask, np.random.default_rng(1)) for mask in observations["action_mask"]])
    assert np.array_equal(observations["observation"], kept[0])
    assert np.array_equal(observations["action_mask"], kept[1])
