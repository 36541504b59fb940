"""Arrays that another thread writes to, arrays that can only be read, and threads that share a batch."""

import copy
import pickle
import threading

import numpy as np
import pytest

from lanterns_env import Batch
from lanterns_env.engine.checks import check_seeds, integers
from lanterns_env.envs.aec import make
from tests.attacks.processes import run
from tests.attacks.scale import scaled
from tests.conftest import COMPILED
from tests.play import middle

CALLS = scaled(200 if COMPILED else 5, 20_000)
ROWS = 2000 if COMPILED else 20


# -- the caller's arrays --------------------------------------------------------------------------------------

WRITER = f"""
rows = {ROWS}
batch, rng = Batch("lanterns", rows, 4, seed=1), np.random.default_rng(0)
numbers, zeros, seeds = np.arange(rows), np.zeros(rows, int), np.arange(rows).astype(np.uint64)
moves, over = batch.sample(rng), []
def write():
    while not over:
        for array in (numbers, zeros, moves):
            kept, array[-1] = array[-1], 1 << 40
            array[-1] = kept
        seeds[-1] += 1
def step():
    moves[:-1] = batch.sample(rng)[:-1]
    batch.step(moves)
calls = [
    lambda: batch.step(batch.sample(rng), numbers),
    step,
    lambda: batch.deal(numbers, seeds),
    lambda: batch.observe(numbers, zeros),
    lambda: batch.sample(rng, numbers),
    lambda: batch.worlds(numbers, zeros, seeds),
    lambda: batch.belief(numbers[-1:], 0) if batch.game.belief else batch.scores(),
]
threading.Thread(target=write, daemon=True).start()
done = refused = 0
for number in range({CALLS} * len(calls)):
    try:
        calls[number % len(calls)]()
        done += 1
    except ValueError:
        refused += 1
over.append(True)
assert batch.action_masks.sum(1, dtype=int).tolist() == batch._reports["legal"].tolist()
print(done + refused)
"""


def test_another_thread_may_write_to_the_arrays_of_a_call():
    assert int(run(WRITER)) == 7 * CALLS


def test_another_thread_may_write_to_the_action_of_an_environment():
    code = f"""
env, rng = make("lumen", False), np.random.default_rng(0)
env.reset(seed=1)
action, over = np.array(0), []
def write():
    while not over:
        kept, action[()] = action[()], 1 << 40
        action[()] = kept
threading.Thread(target=write, daemon=True).start()
for _ in range({CALLS}):
    if not env.agents or env._ended:
        env.reset()
    try:
        action[()] = rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))
        env.step(action)
    except ValueError:
        pass
over.append(True)
"""
    assert run(code) == ""


INTEGERS = {
    "int64": np.arange(6),
    "int16": np.arange(6, dtype=np.int16),
    "uint64": np.arange(6, dtype=np.uint64),
    "big-endian": np.arange(6, dtype=">i8"),
    "strided": np.arange(12)[::2],
    "backwards": np.arange(6)[::-1],
    "subclass": np.ma.masked_array(np.arange(6)),
}


class Lender(list):
    """A list that hands NumPy an array of its own."""

    array = np.arange(6)

    def __array__(self, dtype=None, copy=None):
        return self.array


@pytest.mark.parametrize("kind", INTEGERS)
def test_what_is_checked_is_memory_of_its_own(kind):
    given = INTEGERS[kind]
    for taken in (integers(given, "rows"), check_seeds(given, 6)):
        assert taken.tolist() == given.tolist()
        assert not np.shares_memory(taken, given)
        assert taken.flags.writeable
        assert taken.flags.c_contiguous
    for lent in (memoryview(np.arange(6)), Lender()):
        assert not np.shares_memory(integers(lent, "rows"), np.asarray(lent))
        assert not np.shares_memory(check_seeds(lent, 6), np.asarray(lent))


def test_the_row_numbers_that_are_given_away_are_copies(name):
    batch = Batch(name, 3)
    batch.check_rows(None)[:] = 1 << 40
    batch.observe()
    assert batch.check_rows(None).tolist() == [0, 1, 2]


# -- arrays that can only be read -----------------------------------------------------------------------------

SHOWN = ("views", "observations", "action_masks", "current_players", "rewards", "dones", "truncations")


def reached(array):
    """An array, what it is made of, and what NumPy makes of it."""
    made = [array, array.T, array.view(), memoryview(array), np.asarray(array), np.asarray(memoryview(array))]
    if isinstance(array, np.ndarray):
        made += [array[:1], np.lib.stride_tricks.as_strided(array, writeable=True), array.view(np.recarray)]
    for one in made:
        while one is not None:
            yield one
            one = getattr(one, "obj", None) if isinstance(one, memoryview) else getattr(one, "base", None)


def assert_only_read(array):
    for one in reached(array):
        if isinstance(one, np.ndarray):
            with pytest.raises(ValueError, match="WRITEABLE"):
                one.flags.writeable = True
            with pytest.raises(ValueError, match="WRITEABLE"):
                one.setflags(write=True)
            with pytest.raises(ValueError, match="read-only"):
                one[...] = one
        if isinstance(one, memoryview):
            assert one.readonly
        assert isinstance(one, (np.ndarray, np.void, memoryview, bytes)) or not has_buffer(one)


def has_buffer(thing):
    try:
        memoryview(thing)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("how", ["new", "copied", "redealt", "unpickled"])
def test_what_a_batch_shows_cannot_be_made_writable(name, how):
    batch = Batch(name, 3)
    batch = {
        "new": lambda: batch,
        "copied": batch.copy,
        "redealt": lambda: batch.worlds([0, 1, 2], 0, [1, 2, 3]),
        "unpickled": lambda: pickle.loads(pickle.dumps(batch)),
    }[how]()
    for shown in SHOWN:
        array = getattr(batch, shown)
        assert len(array) == 3
        assert_only_read(array)
    assert_only_read(batch.views[0])
    assert_only_read(batch.views[0][batch.views.dtype.names[-1]])
    assert_only_read(batch.rewards[1:, 0])


def test_what_a_batch_shows_is_its_own_memory_and_outlives_it(name):
    """Nothing is copied: a step is seen at once.  And the memory is there for as long as anybody looks at it."""
    batch = Batch(name, 2, seed=1)
    shown = {name: getattr(batch, name) for name in SHOWN}
    for array, table in (
        ("views", "_views"),
        ("action_masks", "_masks"),
        ("current_players", "_reports"),
        ("dones", "_reports"),
    ):
        assert np.shares_memory(shown[array], getattr(batch, table))
    batch.step(batch.sample(np.random.default_rng(0)))
    kept = {name: array.copy() for name, array in shown.items()}
    assert all(kept[name].tobytes() == getattr(batch, name).tobytes() for name in SHOWN)
    del batch
    junk = [Batch(name, 2, seed=seed) for seed in range(20)]
    assert all(kept[name].tobytes() == array.tobytes() for name, array in shown.items())
    assert len(junk) == 20


def test_the_mask_of_those_who_wait_cannot_be_made_writable(name, num_players):
    env = middle(name, num_players)
    waiting = next(agent for agent in env.agents if agent != env.agent_selection)
    assert_only_read(env.infos[waiting]["action_mask"])


# -- threads --------------------------------------------------------------------------------------------------

WRITES = {
    "step": lambda batch: batch.step(batch.action_masks.argmax(axis=1)),
    "deal": lambda batch: batch.deal(),
}
READS = {
    "observe": lambda batch: batch.observe(),
    "sample": lambda batch: batch.sample(np.random.default_rng(0)),
    "worlds": lambda batch: batch.worlds([0], [0], [1]),
    "random_rollouts": lambda batch: batch.random_rollouts(1),
    "scores": lambda batch: batch.scores(),
    "states": lambda batch: batch.states,
    "seeds": lambda batch: batch.seeds,
    "copy": lambda batch: batch.copy(),
    "deepcopy": copy.deepcopy,
    "pickle": pickle.dumps,
    "belief": lambda batch: batch.belief(0, 0) if batch.game.belief else batch.scores(),
}


def in_another_thread(call):
    """What a call raises in another thread, None if nothing."""
    raised = []

    def work():
        try:
            call()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def everything(batch):
    return [table.tobytes() for table in batch._tables]


@pytest.mark.parametrize("call", [*WRITES, *READS])
def test_while_one_thread_writes_all_others_are_refused(name, call):
    batch = Batch(name, 2)
    before = everything(batch)
    batch._gate.enter()
    error = in_another_thread(lambda: {**WRITES, **READS}[call](batch))
    assert isinstance(error, ValueError)
    assert "in use in another thread" in str(error)
    assert everything(batch) == before
    batch._gate.leave()
    assert in_another_thread(lambda: {**WRITES, **READS}[call](batch)) is None


@pytest.mark.parametrize("call", [*WRITES, *READS])
def test_while_one_thread_reads_others_may_read_alone(name, call):
    batch = Batch(name, 2)
    before = everything(batch)
    with batch._gate:
        error = in_another_thread(lambda: {**WRITES, **READS}[call](batch))
        assert (error is None) == (call in READS)
        assert everything(batch) == before
    assert in_another_thread(lambda: {**WRITES, **READS}[call](batch)) is None


def test_a_thread_does_not_stand_in_its_own_way(name):
    batch = Batch(name, 2)
    batch._gate.enter()
    with batch._gate, batch._gate:
        for call in (*WRITES.values(), *READS.values()):
            call(batch)
    batch._gate.leave()
    assert in_another_thread(lambda: batch.deal()) is None


def test_an_environment_is_stepped_by_one_thread_at_a_time(name, num_players):
    env = middle(name, num_players)
    before = env.get_state()
    env._batch._gate.enter()
    error = in_another_thread(lambda: env.step(int(env._batch.action_masks[0].argmax())))
    assert "in use in another thread" in str(error)
    env._batch._gate.leave()
    assert env.get_state() == before


TWO_THREADS = f"""
import collections
said, names = collections.Counter(), ["lanterns", "lumen", "lighthouse"]
def consistent(batch):
    legal = batch.action_masks.sum(1, dtype=int) == batch._reports["legal"]
    return bool(legal.all() and not batch._reports["named"].any())
for name in names:
    batch, over = Batch(name, {ROWS}, 3, seed=1), []
    def work(number):
        rng = np.random.default_rng(number)
        calls = [lambda: batch.step(batch.sample(rng)), lambda: batch.deal(np.arange(0, len(batch), 2)),
                 lambda: batch.worlds([0], [0], [1]), lambda: batch.observe(), lambda: batch.copy()]
        for _ in range({CALLS} // 2):
            try:
                calls[rng.integers(len(calls)) if number else 0]()
                said["done"] += 1
            except ValueError as error:
                said["refused" if "another thread" in str(error) or "illegal" in str(error) else str(error)] += 1
    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert consistent(batch), name
assert set(said) <= {{"done", "refused"}}, said
print(sum(said.values()))
"""


def test_three_threads_on_one_batch_leave_every_row_whole():
    assert int(run(TWO_THREADS)) == 9 * (CALLS // 2)


def test_a_clone_is_not_in_use(name):
    env = make(name, False)
    env.reset(seed=1)
    env._batch._gate.enter()
    twin = env.clone()
    assert in_another_thread(lambda: twin.step(int(twin._batch.action_masks[0].argmax()))) is None
    env._batch._gate.leave()
