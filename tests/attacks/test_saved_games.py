"""Saved games, damaged and made up: refused in a sentence with nothing changed, or played on without a fault."""

import copy
import json
import math

import numpy as np
import pytest

from lanterns_env.engine import serialization as saving
from lanterns_env.envs.aec import make
from tests.attacks.forging import forged, parts, play_on, somewhere, spoil, tables
from tests.attacks.scale import scaled
from tests.conftest import COMPILED
from tests.play import decisions, middle

DAMAGES = scaled(300 if COMPILED else 10, 20_000)  # of each kind, all games together
MOVES = 100  # that are played on from what was accepted
FROM_ONE = 50  # damages to one position


def everything(env):
    seen = [env.observe(agent) for agent in env.possible_agents]
    kept = [env.agents, env.agent_selection, env.rewards, env._cumulative_rewards, env.terminations, env.truncations]
    return env.get_state(), repr(kept), [one[key].tobytes() for one in seen for key in one]


def attempt(env, data):
    """Whether a saved game is accepted; if not, a sentence says why and nothing has changed."""
    before = everything(env)
    said = refusal(env, data)
    assert said is None or ("saved game" in said and everything(env) == before)
    return said is None


def refusal(env, data):
    """The sentence with which a saved game is refused, None if it is not."""
    try:
        env.set_state(data)
    except ValueError as error:
        return str(error)
    return None


def positions(number):
    """So many environments in turn, each somewhere in a game; one for several damages."""
    rng, known = np.random.default_rng(number), tables()
    for k in range(number):
        if k % FROM_ONE == 0:
            env = somewhere(*known[k // FROM_ONE % len(known)], rng)
        yield env, rng


def test_a_damaged_saved_game_is_refused():
    for env, rng in positions(DAMAGES):
        saved = env.get_state()
        damaged = bytearray(saved)
        for _ in range(rng.integers(1, 4)):
            if damaged:
                spoil(damaged, rng)
        assert attempt(env, bytes(damaged)) == (damaged == saved)


def test_made_up_states_are_refused_or_can_be_played_on():
    """Bytes of a state, changed under a right checksum: nothing reads or writes out of bounds from there on."""
    accepted = 0
    for env, rng in positions(2 * DAMAGES):
        header, payload = parts(env.get_state())
        state = bytearray(payload)
        for _ in range(rng.integers(1, 3)):
            at = int(rng.integers(24, env.game.state.itemsize))
            state[at] = (state[at] + int(rng.choice([1, -1, 2, 128, rng.integers(256)]))) % 256
        twin = env.clone()
        if attempt(twin, forged(header, bytes(state))):
            accepted += 1
            for seat in range(env.num_players):
                world = twin.sample_hidden(f"player_{seat}", accepted)
                play_on(world, MOVES // 10, rng)
            play_on(twin, MOVES, rng)
    print(f"accepted: {accepted} of {2 * DAMAGES}")


def test_numbers_moved_within_a_state_are_refused_or_can_be_played_on():
    """Single fields, to other values near by or from elsewhere in the same field: nearer to what a game looks like."""
    accepted = 0
    for env, rng in positions(2 * DAMAGES):
        header, payload = parts(env.get_state())
        states = np.zeros(1, env.game.state)
        states.view(np.uint8)[:] = np.frombuffer(payload[: states.nbytes], np.uint8)
        fields = [name for name in states.dtype.names if name != "seed"]
        for _ in range(rng.integers(1, 3)):
            field = states[fields[rng.integers(len(fields))]].reshape(-1)
            first, second = rng.integers(len(field), size=2)
            if rng.random() < 0.5:
                field[first], field[second] = field[second], field[first]
            else:
                field.view(np.uint8)[first * field.itemsize :][:1] += rng.integers(-2, 3, dtype=np.int8).view(np.uint8)
        moved, twin = states.tobytes() + payload[states.nbytes :], env.clone()
        if attempt(twin, forged(header, moved)) and moved != payload:
            accepted += 1
            play_on(twin, MOVES, rng)
    print(f"accepted: {accepted} of {2 * DAMAGES}")


VALUES = (
    0,
    1,
    -1,
    2,
    1.5,
    1e308,
    math.inf,
    math.nan,
    10**400,
    True,
    False,
    None,
    "",
    "a",
    "player_0",
    "player_9",
    [],
    {},
)


def places(data, path=()):
    yield path
    if isinstance(data, dict):
        for key in data:
            yield from places(data[key], (*path, key))
    if isinstance(data, list):
        for number in range(len(data)):
            yield from places(data[number], (*path, number))


def changed(header, rng):
    """A header in which something is missing, is called something else, or is another value."""
    header = copy.deepcopy(header)
    *way, last = list(places(header))[1 + rng.integers(len(list(places(header))) - 1)]
    here = header
    for key in way:
        here = here[key]
    kept = here.pop(last)
    if rng.random() < 0.2:
        return header
    name = "else" if isinstance(here, dict) and rng.random() < 0.1 else last
    value = VALUES[rng.integers(len(VALUES))] if rng.random() < 0.8 else [kept]
    here.insert(last, value) if isinstance(here, list) else here.update({name: value})
    return header


def test_made_up_headers_are_refused():
    """Or they say the same: another reward that is a number, or other words for why a game has ended."""
    for env, rng in positions(2 * DAMAGES):
        header, payload = parts(env.get_state())
        twin = env.clone()
        if attempt(twin, forged(changed(header, rng), payload)):
            assert set(twin.agents) <= {*twin.possible_agents}
            assert all(math.isfinite(reward) for reward in (*twin.rewards.values(), *twin._cumulative_rewards.values()))
            assert parts(twin.get_state())[1] == payload
            play_on(twin, MOVES, rng)


def test_what_a_header_says_must_fit_the_game(name, num_players):
    """Each is a header whose parts are all of the right kind."""
    env, ended, refused = (middle(name, num_players, guarded=True) for _ in range(3))
    for _ in decisions(ended, 3):
        pass
    refused.step(int(np.flatnonzero(refused._batch.action_masks[0] == 0)[0]))
    agents = env.possible_agents
    everybody = dict.fromkeys(agents, True)
    wrong = {
        "the turn of another": (env, {"agent_selection": agents[env._batch.current_players[0] - 1]}),
        "somebody has left": (env, {"agents": agents[1:]}),
        "another order": (env, {"agents": agents[::-1]}),
        "over, and is not": (env, {"_ended": True}),
        "ended for all, and has not": (env, {"terminations": everybody}),
        "a turn after the end": (env, {"_skip_agent_selection": agents[0]}),
        "not over, and is": (ended, {"_ended": False}),
        "ended and cut": (ended, {"terminations": everybody, "truncations": everybody}),
        "ended for none": (
            ended,
            {"terminations": dict.fromkeys(agents, False), "truncations": dict.fromkeys(agents, False)},
        ),
        "the first to leave is another": (ended, {"agent_selection": agents[1]}),
        "no reward": (env, {"rewards": {}}),
        "a reward of nobody": (env, {"_cumulative_rewards": dict.fromkeys([*agents[1:], "player_9"], 0.0)}),
        "a reward without end": (env, {"rewards": dict.fromkeys(agents, math.inf)}),
    }
    for why, (one, other) in wrong.items():
        header, payload = parts(one.get_state())
        assert attempt(env.clone(), forged(header, payload)), why
        header["bookkeeping"].update(other)
        assert not attempt(env.clone(), forged(header, payload)), why
    header, payload = parts(refused.get_state())
    assert attempt(env.clone(), forged(header, payload))
    assert not attempt(env.clone(), forged({**header, "reasons": {}}, payload))
    header, payload = parts(env.get_state())
    assert not attempt(env.clone(), forged({**header, "reasons": {agents[0]: "because"}}, payload))


@pytest.mark.parametrize("header", [None, 5, "text", [], {}, {"game": []}], ids=repr)
def test_a_header_that_is_none_is_refused(name, header):
    env = middle(name, max(make(name, False).game.players))
    _, payload = parts(env.get_state())
    assert not attempt(env, forged(header, payload))


def test_a_header_without_end_is_refused(name):
    env = make(name, False)
    env.reset(seed=1)
    for line in (b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b"", b"{" + b"9" * 10_000):
        body = saving.MAGIC + line + b"\n"
        assert not attempt(env, body + saving._digest(body))


def test_the_last_step_must_be_one(name, num_players):
    """Rewards that are numbers, and the ends of the state."""
    env = middle(name, num_players)
    header, payload = parts(env.get_state())
    size, fields = env.game.state.itemsize, saving._last_step(env.game).fields
    figures = [(name, number) for name in ("rewards", "last_points") for number in (b"\0\0\xc0\x7f", b"\0\0\x80\x7f")]
    flags = [(name, number) for name in ("over", "truncated", "ended") for number in (b"\1", b"\2")]
    for name, number in (*figures, *flags, ("last_seed", b"\1"), ("length", b"\xff" * 4)):
        last, first = bytearray(payload[size:]), fields[name][1]
        last[first : first + len(number)] = number
        assert not attempt(env, forged(header, payload[:size] + bytes(last)))
    for other in (payload[:-1], payload + b"\0", payload + payload, b""):
        assert not attempt(env, forged(header, other))


def test_bytes_of_any_kind_and_nothing_else_are_a_saved_game(name):
    env = make(name, False)
    env.reset(seed=1)
    saved = env.get_state()
    for same in (bytearray(saved), memoryview(saved)):
        assert attempt(env, same)
    for other in (saved.decode("latin1"), [*saved], np.frombuffer(saved, np.uint8), json.loads("null"), 5):
        assert not attempt(env, other)
