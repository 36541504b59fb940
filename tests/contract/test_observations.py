"""The same position is the same array at every door, in every format."""

import importlib
import pickle
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Box
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from lanterns_env import GAMES, Batch
from lanterns_env.engine.observations import FORMATS, Observer
from lanterns_env.seat import SeatEnv, SeatVectorEnv
from lanterns_env.testing import check_env as check_game
from tests.conftest import COMPILED, TABLES
from tests.play import choose, decisions

FLOATS = ("flat", "planes")
KINDS = [(name, n, kind) for name, n in TABLES for kind in FORMATS if kind != "planes" or GAMES[name].planes]
IDS = [f"{name}-{n}-{kind}" for name, n, kind in KINDS]
every_kind = pytest.mark.parametrize("table", KINDS, ids=IDS)
STEPS = 150 if COMPILED else 12


class First:
    """An agent without chance."""

    def act(self, table, rng):
        return table.action_masks.argmax(axis=1)


def door(name, kind="env"):
    return getattr(importlib.import_module(f"lanterns_env.{name}_v0"), kind)


def array_of(seen):
    """What a network is given, without the mask."""
    return seen["observation"] if isinstance(seen, dict) else seen


@every_kind
def test_environments_and_batches_show_the_same_bytes(table):
    name, num_players, kind = table
    arguments = {"num_players": num_players, "observation": kind}
    env, parallel = door(name)(**arguments), door(name, "parallel_env")(**arguments)
    seen, _ = parallel.reset(seed=5)
    batch, observer = Batch(name, 1, seeds=[5], autoreset=False, **arguments), Observer(GAMES[name], kind)
    for agent, action in decisions(env, 5, STEPS):
        mover = env.agent_selection
        assert env.last()[0] is not None
        assert array_of(env.last()[0]).tobytes() == batch.observations[0].tobytes()
        for seat, each in enumerate(env.possible_agents):
            expected = observer.encode(np.array([env.view(each)], batch.game.view).view(batch.game.view))[0]
            shown = array_of(env.observe(each)), batch.observe(seats=seat)[0], array_of(seen[each])
            assert [expected.tobytes()] * 3 == [array.tobytes() for array in shown]
            assert env.observation_space(each).contains(env.observe(each))
            assert parallel.observation_space(each).contains(seen[each])
        assert batch.observations.dtype == observer.space.dtype
        mask = env.last()[4]["action_mask"]
        assert np.array_equal(batch.action_masks[0], mask)
        batch.step([action])
        seen, *_, infos = parallel.step({each: action if each == mover else parallel.wait for each in parallel.agents})
        assert agent == mover
        assert all(info["action_mask"].any() for info in infos.values())


@every_kind
def test_seats_show_the_same_bytes(table):
    """One game, many games, and the game itself with the opponents' moves made by hand."""
    name, num_players, kind = table
    arguments = {"num_players": num_players, "observation": kind}
    single = gymnasium.make(f"lanterns_env/{name}-v0", opponents=First(), disable_env_checker=True, **arguments)
    many = SeatVectorEnv(name, 2, opponents=First(), **arguments)
    game = door(name, "raw_env")(**arguments)
    game.reset(seed=8)
    own, info = single.reset(seed=8)
    rows, infos = many.reset(seed=8)
    rng = np.random.default_rng(8)
    assert single.observation_space == many.single_observation_space == game.observation_space("player_0")
    for _ in range(STEPS):
        while game.agent_selection != "player_0":
            game.step(int(game.infos[game.agent_selection]["action_mask"].argmax()))
            if game._ended:
                return
        expected = array_of(game.observe("player_0")).tobytes()
        assert [expected] * 2 == [array_of(own).tobytes(), array_of(rows)[0].tobytes()]
        assert single.observation_space.contains(own)
        assert many.observation_space.contains(rows)
        assert np.array_equal(info["action_mask"], single.get_wrapper_attr("action_masks")())
        actions = [choose(mask, rng) for mask in infos["action_mask"]]
        own, _, ended, cut, info = single.step(actions[0])
        rows, _, _, _, infos = many.step(actions)
        if ended or cut:
            assert array_of(own).tobytes() == array_of(infos["final_obs"][0]).tobytes()
            return
        game.step(actions[0])


@every_kind
def test_numbers_are_those_of_the_view_over_their_bounds(table):
    name, num_players, kind = table
    game = GAMES[name]
    batch = Batch(name, 20 if COMPILED else 1, num_players, observation=kind, seed=3)
    rng = np.random.default_rng(3)
    bounds = np.concatenate([np.full(f.size, max(-f.low, f.high)) for f in game.fields])
    space = Observer(game, kind).space
    for _ in range(STEPS):
        flat = (game.to_array(batch.views) / bounds).astype(np.float32)
        if kind == "named":
            assert batch.views.tobytes() == batch.observations.tobytes()
        elif kind == "flat":
            assert np.array_equal(flat, batch.observations)
        else:
            constants = [f.name not in game.planes.drawn for f in game.fields for _ in range(f.size)]
            first = space.shape[0] - sum(constants)
            assert np.array_equal(flat[:, constants], batch.observations[:, first:, 0, 0])
            assert (batch.observations[:, first:] == batch.observations[:, first:, :1, :1]).all()
        assert all(map(space.contains, batch.observations))
        assert kind == "named" or abs(batch.observations).max() <= 1
        batch.step(batch.sample(rng))


def test_rows_that_move_alone_and_deals_are_shown(name):
    for kind in FLOATS if GAMES[name].planes else FLOATS[:1]:
        batch, observer = Batch(name, 5, seed=1, observation=kind, autoreset=False), Observer(GAMES[name], kind)
        rng = np.random.default_rng(1)
        for _ in range(STEPS // 10):
            rows = rng.permutation(5)[:2]
            batch.step(batch.sample(rng, rows), rows)
            assert np.array_equal(observer.encode(batch.views), batch.observations)
            batch.deal([3])
            assert np.array_equal(observer.encode(batch.views), batch.observations)
        for twin in (batch.copy(), pickle.loads(pickle.dumps(batch))):
            assert (kind, True) == (twin.observation, np.array_equal(twin.observations, batch.observations))
            twin.step(twin.sample(np.random.default_rng(2)))
            assert np.array_equal(observer.encode(twin.views), twin.observations)
        worlds = batch.worlds([0, 0], [1, 1], [4, 5])
        assert worlds.views.tobytes() == worlds.observations.tobytes()
        with pytest.raises(ValueError, match="read-only"):
            batch.observations[0] = 0


@every_kind
def test_a_copy_of_an_environment_shows_the_same(table):
    name, num_players, kind = table
    env = door(name)(num_players=num_players, observation=kind)
    for _ in decisions(env, 2, 7):
        pass
    game = env.unwrapped
    another = door(name)(num_players=num_players, observation=kind)
    another.reset(options={"state": game.get_state()})
    for twin in (game.clone(), pickle.loads(pickle.dumps(env)), another):
        for agent in env.possible_agents:
            assert array_of(env.observe(agent)).tobytes() == array_of(twin.observe(agent)).tobytes()
    assert game.state_space.contains(game.state())
    assert len(game.state()) == num_players * len(array_of(env.observe("player_0")))


@every_kind
def test_pettingzoos_own_tests(table):
    name, num_players, kind = table
    arguments = {"num_players": num_players, "observation": kind}
    cycles = 100 if COMPILED else 10
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Dict observations, of images and of its own deprecated arguments
        api_test(door(name)(**arguments), num_cycles=cycles)
        seed_test(lambda: door(name)(**arguments), num_cycles=cycles)
        parallel_api_test(door(name, "parallel_env")(**arguments), num_cycles=cycles)
        parallel_seed_test(lambda: door(name, "parallel_env")(**arguments), num_cycles=cycles)


@pytest.mark.filterwarnings("ignore:.*an illegal action")  # it chooses by chance, whatever is legal
@every_kind
def test_gymnasiums_own_check(table):
    name, num_players, kind = table
    env = gymnasium.make(f"lanterns_env/{name}-v0", num_players=num_players, observation=kind)
    check_env(env.unwrapped, skip_render_check=True)


@every_kind
def test_sb3s_own_check(table):
    name, num_players, kind = table
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(SeatEnv(name, num_players=num_players, observation=kind), skip_render_check=True)


@pytest.mark.skipif(not COMPILED, reason="thousands of actions are tried")
def test_the_conformance_kit_finds_nothing(name):
    limits = {"seeds": (0,), "max_steps": 60, "positions_per_game": 3, "actions_per_position": 60}
    assert [] == check_game(lambda: door(name)(observation="flat"), **limits)


def test_other_formats_are_refused(name):
    for kind in ("Flat", None, 3, ["flat"]):
        for make in (door(name), lambda **a: Batch(name, **a), lambda **a: SeatEnv(name, **a)):
            with pytest.raises(ValueError, match="observation must be one of 'named', 'flat', 'planes'; not"):
                make(observation=kind)


def test_lumen_says_why_it_has_no_planes():
    for make in (door("lumen"), lambda **a: Batch("lumen", **a), lambda **a: SeatVectorEnv("lumen", 2, **a)):
        with pytest.raises(ValueError, match=r"Lumen has no planes: a hand of cards .* observation='flat'"):
            make(observation="planes")


def test_spaces_are_alike_for_all_numbers_of_players_and_no_bound_is_empty(name):
    for kind in FLOATS if GAMES[name].planes else FLOATS[:1]:
        spaces = {str(door(name)(num_players=n, observation=kind).observation_space("player_0")) for n in (3, 4)}
        assert 1 == len(spaces)
        space = Observer(GAMES[name], kind).space
        assert isinstance(space, Box)
        assert (space.low < space.high).all()


@pytest.mark.parametrize("written", [str.capitalize, str.lower])
def test_both_spellings_of_the_ids_are_found(name, written):
    named = f"lanterns_env/{written(name)}-v0"
    assert GAMES[name] is gymnasium.make(named).unwrapped.seats.game
    assert GAMES[name] is gymnasium.make_vec(named, 2).seats.game
    for kind in ("aec", "parallel"):
        assert pettingzoo.make(kind, named).possible_agents


def test_a_number_of_players_under_another_name_is_guessed(name):
    doors = (door(name), door(name, "parallel_env"), lambda **a: Batch(name, **a), lambda **a: SeatEnv(name, **a))
    for make in doors:
        with pytest.raises(ValueError, match=r"no option 'players'; did you mean num_players\?"):
            make(players=3)


def test_the_first_illegal_action_of_a_seat_names_maskable_ppo(name):
    env = SeatEnv(name)

    def go_wrong():
        _, info = env.reset(seed=1)
        return env.step(int(info["action_mask"].argmin()))

    with pytest.warns(UserWarning, match="MaskablePPO") as said:
        go_wrong()
    assert 1 == len(said)
    assert "is illegal" in go_wrong()[4]["illegal"]
