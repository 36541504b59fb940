"""Arguments of every kind and size: done, or refused in a sentence with nothing changed."""

import decimal
import fractions

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from lanterns_env import GAMES, Batch
from lanterns_env.envs.aec import GameEnv, make
from lanterns_env.envs.parallel import GameParallelEnv
from tests.attacks.scale import scaled
from tests.conftest import COMPILED

TRIES = scaled(250 if COMPILED else 15, 20_000)  # of each kind, all games together
ROWS = 5


class Index:
    """Stands for a number, as a tensor does."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


class Boaster(int):
    """A number that says of itself whatever is asked of it."""

    def compared(self, other):
        return True

    __lt__ = __le__ = __gt__ = __ge__ = compared


class Shifting:
    """Another array each time it is asked."""

    def __init__(self, rng):
        self.rng = rng

    def __array__(self, dtype=None, copy=None):
        return np.arange(self.rng.integers(5))


EDGES = [2**bits + more for bits in (0, 7, 8, 15, 16, 31, 32, 53, 62, 63, 64, 100) for more in (-1, 0, 1)]
SINGLE = [
    *EDGES,
    *(-edge for edge in EDGES),
    *(0, 3, 63, 884, 885, 10**400, True, False, None, 0.0, -0.0, 1.5, float("nan"), float("inf"), 1j),
    *("", "0", "player_0", "player_9", "\u0663", "\0", "lumen", "outcome", "ansi", b"", b"0", bytearray(3)),
    *((), [], {}, set(), [0], [[0]], [None], ["a"], [1, [2]], {"state": 0}, range(3), slice(None), Ellipsis, object()),
    *(Index(0), Index(-1), Index(2**70), Boaster(10**6), Boaster(-5), fractions.Fraction(1, 2), decimal.Decimal(1)),
    *(np.int8(-1), np.uint8(255), np.uint64(2**64 - 1), np.int64(-(2**63)), np.float32(1), np.bool_(True)),
    *(np.datetime64("NaT"), np.str_("1"), np.void(b"12"), np.array(1), np.array([1, 2]), np.array("a")),
]
KINDS = ("i1", "u1", "i2", "u4", ">i8", "u8", "f4", "c8", "?", "O", "S3", "U2", "m8[s]", "M8[s]", "V4")


def one(rng):
    return SINGLE[rng.integers(len(SINGLE))]


def many(rng, limit):
    """Numbers for rows: too few, too many, of any kind and form, now and then one that is out of range."""
    numbers = rng.integers(0, limit, size=int(rng.choice([0, 1, ROWS, ROWS, ROWS, ROWS + 1])))
    if len(numbers) and rng.random() < 0.5:
        numbers[rng.integers(len(numbers))] = rng.choice([-1, limit, 2**31, -(2**31), 2**62, -(2**63), ROWS, 255])
    match rng.integers(12):
        case 0:
            return one(rng)
        case 1:
            return [one(rng) for _ in range(rng.integers(4))]
        case 2:
            with np.errstate(invalid="ignore"):
                return numbers.astype(KINDS[rng.integers(len(KINDS))])
        case 3:
            return np.repeat(numbers, 2)[::2][::-1]
        case 4:
            return numbers.reshape(-1, 1)
        case 5:
            return np.ma.masked_array(numbers, numbers > 1)
        case 6:
            return memoryview(numbers)
        case 7:
            return iter(numbers.tolist())
        case 8:
            return Shifting(rng)
        case 9:
            return tuple(numbers.tolist())
    return numbers


def words(env, rng):
    """What describes an action, with slips of the pen."""
    text = [*env.describe(int(rng.integers(env.game.num_actions)))]
    for _ in range(rng.integers(1, 4)):
        at, strange = int(rng.integers(len(text) + 1)), ("", "9" * 30, "-", "(", "\0", "\u0663", " ", "1e9", "tile")
        text[at : at + int(rng.integers(3))] = strange[rng.integers(len(strange))]
    return "".join(text)


def perhaps(rng, value):
    return value if rng.random() < 0.6 else None


def calls_of_batch(batch, rng):
    seats, actions = max(batch.game.players), batch.game.num_actions
    yield lambda: batch.step(perhaps(rng, batch.sample(rng)) if rng.random() < 0.3 else many(rng, actions))
    yield lambda: batch.step(many(rng, actions), many(rng, ROWS))
    yield lambda: batch.deal(perhaps(rng, many(rng, ROWS)), perhaps(rng, many(rng, 2**62)))
    yield lambda: batch.observe(perhaps(rng, many(rng, ROWS)), perhaps(rng, many(rng, seats)))
    yield lambda: batch.sample(rng if rng.random() < 0.7 else one(rng), perhaps(rng, many(rng, ROWS)))
    yield lambda: batch.worlds(many(rng, ROWS), many(rng, seats), many(rng, 2**62))
    yield lambda: batch.random_rollouts(one(rng))
    yield lambda: batch.belief(one(rng), one(rng))
    yield lambda: batch.check_rows(many(rng, ROWS))


def calls_of_env(env, rng):
    for method in ("step", "observe", "view", "describe", "parse", "why_illegal", "belief", "set_state"):
        yield lambda method=method: getattr(env, method)(one(rng))
        yield lambda method=method: getattr(env, method)(one(rng))
    yield lambda: env.parse(words(env, rng))
    yield lambda: env.sample_hidden(one(rng), one(rng))
    yield lambda: env.reset(seed=one(rng), options=perhaps(rng, one(rng)))
    yield lambda: env.action_space(one(rng))
    yield lambda: env.observation_space(one(rng))


def arguments(rng, names):
    chosen = rng.choice(names, size=rng.integers(1, 4), replace=False)
    return {str(name): one(rng) for name in chosen}


def calls_of_makers(name, rng):
    options = [*GAMES[name].options, "nonsense", "reward", "num_players", "game"]
    drawn = [*options, "render_mode", "render_player", "render_width"]
    yield lambda: GameEnv(**{"game": name, **arguments(rng, drawn)}).reset(seed=1)
    yield lambda: GameParallelEnv(**{"game": name, **arguments(rng, drawn)}).reset(seed=1)
    given = arguments(rng, [*options, "seed", "seeds", "autoreset", "num_games"])
    size = given.get("num_games")
    if (
        not isinstance(size, (int, np.integer)) or size <= 255 or size >= 2**31
    ):  # what memory there may be for is not asked
        yield lambda: Batch(**{"game": name, **given})


def refused(call):
    """Whether a call is refused; a sentence says why."""
    try:
        call()
    except (ValueError, ResetNeeded) as error:
        assert len(str(error)) > 10  # noqa: PT017
        return True
    return False


def whole(batch):
    """Masks say as many as reports, players are seats, and all of it is what the states say."""
    assert ((batch.current_players >= 0) & (batch.current_players < batch.num_players)).all()
    assert (batch.action_masks.sum(axis=1, dtype=int) == batch._reports["legal"]).all()
    assert not batch._reports["named"].any()
    assert np.array_equal(batch.observe(), batch.observations)


def test_arguments_of_a_batch(name):
    rng, num_players = np.random.default_rng(1), max(GAMES[name].players)
    batch = Batch(name, ROWS, num_players, seed=1)
    done = 0
    for number in range(TRIES // len(GAMES)):
        if number % 50 == 0:
            batch = Batch(name, ROWS, num_players, seed=number, autoreset=bool(number % 100))
        for call in calls_of_batch(batch, rng):
            before = batch._block.tobytes()
            if refused(call):
                assert batch._block.tobytes() == before
            else:
                done += 1
        whole(batch)
    assert done > TRIES // 100


def test_arguments_of_an_environment(name, num_players):
    rng, env = np.random.default_rng(1), make(name, False, num_players=num_players)
    for number in range(TRIES // sum(len(game.players) for game in GAMES.values())):
        if number % 30 == 0 or env._ended:
            env.reset(seed=number)
        for call in calls_of_env(env, rng):
            before = env.get_state()
            if refused(call):
                assert env.get_state() == before
        mask = env._batch.action_masks[0]
        if not env._ended:
            env.step(int(rng.choice(np.flatnonzero(mask))))


def test_arguments_of_what_makes_them(name):
    rng = np.random.default_rng(1)
    done = [refused(call) for _ in range(max(50, TRIES // len(GAMES))) for call in calls_of_makers(name, rng)]
    assert 0 < sum(done) < len(done)


WRONG = {
    "no game 5": lambda: Batch(5),
    "no game 'chess'": lambda: Batch("chess"),
    "no game None": lambda: GameEnv(None),
    "no game 'Lumen'": lambda: make("Lumen", True),
    "num_games must be": lambda: Batch("lumen", 2**70),
    "reward must be": lambda: Batch("lumen", reward=["outcome"]),
    "render_mode must be": lambda: GameEnv("lumen", render_mode=5),
    "width of a picture": lambda: GameEnv("lumen", render_width="wide"),
    "Generator": lambda: Batch("lumen").sample(5),
    "1 seats are needed": lambda: Batch("lumen").observe([0], [0, 1]),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_of_the_wrong_kind_is_said(words):
    with pytest.raises(ValueError, match=words):
        WRONG[words]()


def test_words_and_options_of_the_wrong_kind_are_said(name):
    env = make(name, True)
    env.reset(seed=1)
    for words in (5, None, b"skip", ["skip"], ...):
        with pytest.raises(ValueError, match="string of words"):
            env.parse(words)
    for options in (5, "state", [("state", b"")], {1}):
        with pytest.raises(ValueError, match="options must be"):
            env.reset(options=options)
