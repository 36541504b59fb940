"""Pickles of batches and environments: plain bytes under a checksum, and what is damaged in them is refused."""

import copy
import io
import pickle
import pickletools

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.engine import serialization as saving
from lanterns_env.envs.aec import make
from lanterns_env.envs.parallel import GameParallelEnv
from tests.attacks.forging import options_by_chance, play_on, somewhere, tables
from tests.attacks.scale import scaled
from tests.conftest import COMPILED
from tests.play import middle

DAMAGES = scaled(300 if COMPILED else 20, 20_000)
FROM_ONE = 100  # damages to one pickle
ALLOWED = {"builtins", "lanterns_env.envs.aec", "lanterns_env.engine.batch", "lanterns_env.envs.parallel", "copyreg"}


def a_batch(name, num_players, rng):
    batch = Batch(name, 3, num_players, seed=int(rng.integers(1 << 60)), **options_by_chance(name, num_players, rng))
    for _ in range(rng.integers(30)):
        batch.step(batch.sample(rng))
    return batch


def modules_named(data):
    """The modules that a pickle imports from."""
    strings, found = [], set()
    for code, argument, _ in pickletools.genops(data):
        if isinstance(argument, str):
            strings.append(argument)
        if code.name == "STACK_GLOBAL":
            found.add(strings[-2])
        if code.name == "GLOBAL":
            found.add(argument.split()[0])
    return found


def test_a_pickle_holds_plain_data_alone(name, num_players):
    """No array, no record, no generator of NumPy or Gymnasium; the game by its name."""
    env = middle(name, num_players)
    env.action_space("player_0").sample()
    parallel = GameParallelEnv(name, num_players=num_players)
    parallel.reset(seed=1)
    parallel.observation_space("player_0").sample()
    for thing in (a_batch(name, num_players, np.random.default_rng(1)), env, make(name, True), parallel):
        assert modules_named(pickle.dumps(thing)) <= ALLOWED


def contents(thing):
    if isinstance(thing, Batch):
        shown = (thing.views, thing.action_masks, thing.current_players, thing.rewards, thing.dones, thing.truncations)
        names = ("autoreset", "reward", "observation", "options", "num_seats")
        settings = (thing.game.name, *(getattr(thing, name) for name in names))
        return [thing.states.tobytes(), settings, *(array.tobytes() for array in shown)]
    return [thing.get_state(), thing.guarded, thing.render_mode, thing.render_player]


def test_damage_within_a_pickle_is_said():
    """Bits, gaps, zeros and strange bytes in what stands for the batch or the environment."""
    rng, known = np.random.default_rng(DAMAGES), tables()
    for k in range(DAMAGES):
        if k % FROM_ONE == 0:
            name, num_players = known[k // FROM_ONE % len(known)]
            thing = a_batch(name, num_players, rng) if k // FROM_ONE % 2 else somewhere(name, num_players, rng)
            before, good = contents(thing), pickle.dumps(thing)
            first = good.index(saving.BATCH if isinstance(thing, Batch) else saving.ENV)
            last = first + len(thing.__getstate__())
        damaged = bytearray(good)
        for _ in range(rng.integers(1, 4)):
            at = int(rng.integers(first, last))
            damaged[at] ^= int(rng.integers(1, 256))
        if damaged == good:
            continue
        with pytest.raises(ValueError, match=r"pickled|saved game"):
            pickle.loads(bytes(damaged))
        assert contents(thing) == before


def test_a_pickle_cut_short_is_refused(name):
    for thing in (Batch(name, 2), middle(name, GAMES[name].default_players)):
        good = pickle.dumps(thing)
        for length in np.linspace(0, len(good) - 1, scaled(40, 2000)).astype(int):
            with pytest.raises((EOFError, pickle.UnpicklingError, ValueError)):
                pickle.loads(good[:length])


def test_what_is_taken_apart_by_hand_is_checked(name):
    """The bytes of one are not those of the other, and nothing else is taken for them."""
    batch, env = Batch(name, 2), middle(name, GAMES[name].default_players)
    for thing, others in (
        (batch, (env.__getstate__(), env.get_state())),
        (env, (batch.__getstate__(), env.get_state())),
    ):
        before = contents(thing)
        for state in (*others, b"", b"nothing", {}, None, 5, [batch.states], "text"):
            with pytest.raises(ValueError, match="pickled"):
                thing.__setstate__(state)
            assert contents(thing) == before


def resealed(thing, magic, **changes):
    """What an object is pickled as, with something else in its header and the right checksum."""
    header, payload = saving._opened(magic, thing.__getstate__())
    return saving._sealed(magic, {**header, **changes}, payload)


def test_settings_made_up_are_refused(name):
    batch, env = Batch(name, 2), middle(name, GAMES[name].default_players)
    option = next(iter(batch.options))
    other = next(game for game in GAMES if game != name)
    none, below = {**dict.fromkeys(batch.options, 0), option: -1}, dict.fromkeys(batch.options, 0.0)
    wrong = {
        "game": (other, "chess", 5),
        "version": (-1,),
        "layout": ("",),
        "format": (1,),
        "num_games": (3, -2, 2.0, 10**30),
        "num_seats": (1, 99),
        "options": ({}, none, below, 5),
        "autoreset": (1,),
        "reward": ("gold",),
        "observation": ("Flat", 5),
        "more": (1,),
    }
    for key, value in ((key, value) for key, values in wrong.items() for value in values):
        with pytest.raises(ValueError, match=r"pickled|game|players|reward|observation"):
            Batch(name).__setstate__(resealed(batch, saving.BATCH, **{key: value}))
    wrong = {
        "game": ("chess",),
        "format": (1,),
        "num_players": (99, "2"),
        "options": ({},),
        "reward": ("gold",),
        "observation": ("Flat", 5),
        "render_mode": ("smell",),
        "render_player": (99, []),
        "render_width": (0, "wide"),
        "guarded": (1,),
        "more": (1,),
    }
    for key, value in ((key, value) for key, values in wrong.items() for value in values):
        with pytest.raises(ValueError, match=r"pickled|game|players|reward|observation|render|agent|width"):
            make(name, True).__setstate__(resealed(env, saving.ENV, **{key: value}))


def test_arguments_and_settings_come_back(name, num_players):
    """Those of an environment before and after its first deal, and of a batch with games of several sizes."""
    arguments = {
        "num_players": num_players,
        "render_mode": "ansi",
        "render_player": 1,
        "render_width": 300,
        "reward": "points",
    }
    env = make(name, True, **arguments)
    for _ in range(2):
        twin = pickle.loads(pickle.dumps(env))
        assert (twin.num_players, twin.render_mode, twin.render_player, twin.reward, twin.guarded) == (
            num_players,
            "ansi",
            1,
            "points",
            True,
        )
        assert (twin._renderer.width, twin.options) == (300, env.options)
        assert (twin._batch is None) == (env._batch is None)
        env.reset(seed=4)
    batch = Batch(name, 4, [*GAMES[name].players][:2] * 2, seed=1, reward="margin", autoreset=False)
    rng = np.random.default_rng(1)
    for _ in range(400 if COMPILED else 20):
        going = np.flatnonzero(~batch.dones)
        batch.step(batch.sample(rng, going), going) if len(going) else None
    for twin in (pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch)):
        assert contents(twin) == contents(batch)
    empty = batch.worlds([], [], [])
    assert len(pickle.loads(pickle.dumps(empty))) == 0


def test_a_pickle_goes_on_the_same(name, num_players):
    env = middle(name, num_players, reward="points")
    twin = pickle.loads(pickle.dumps(env))
    for one in (env, twin):
        play_on(one, 40, np.random.default_rng(3))
    assert twin.get_state() == env.get_state()


def test_every_protocol_of_pickle_serves(name):
    for thing in (Batch(name, 2), middle(name, GAMES[name].default_players)):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            stream = io.BytesIO()
            pickle.Pickler(stream, protocol).dump(thing)
            assert contents(pickle.loads(stream.getvalue())) == contents(thing)
