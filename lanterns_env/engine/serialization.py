"""Games as bytes and back: a first line that says what they are, a header, the games, and a checksum over all of it.

Whatever comes back is checked before anything changes, the games themselves too: the checksum tells damage, not that
somebody has made the bytes up.
"""

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine import kernels
from lanterns_env.engine.checks import check_reward
from lanterns_env.engine.game import Game
from lanterns_env.engine.observations import check_observation
from lanterns_env.engine.soundness import are_flags, check_states
from lanterns_env.engine.tables import empty_block
from lanterns_env.envs.bookkeeping import BOOKKEEPING, fits
from lanterns_env.games import find_game
from lanterns_env.support.files import parse_json

if TYPE_CHECKING:
    from lanterns_env.engine.batch import Batch
    from lanterns_env.envs.aec import GameEnv

FORMAT = 3
MAGIC, BATCH, ENV = b"lanterns_env game\n", b"lanterns_env batch\n", b"lanterns_env environment\n"
NAMES = {MAGIC: "saved game", BATCH: "pickled batch", ENV: "pickled environment"}
DIGEST_BYTES = 16
LAST_GAME = ("last_length", "last_seed", "last_points", "last_shares")  # of a report, where the last step ended a game
LAST_STEP = ("rewards", "over", "truncated", "ended", "length", *LAST_GAME)  # the rest follows from the state
ARGUMENTS = ("num_players", "render_mode", "reward", "render_player", "guarded", "observation")


# -- the game of an environment ---------------------------------------------------------------------------------


def dump(env: "GameEnv") -> bytes:
    batch = env._dealt()
    header = {
        **_identity(env),
        "reasons": {agent: info["illegal"] for agent, info in env.infos.items() if "illegal" in info},
        "bookkeeping": {name: getattr(env, name) for name in BOOKKEEPING},
    }
    with batch._gate:
        return _sealed(MAGIC, header, _packed(batch))


def load(env: "GameEnv", data: bytes) -> None:
    """Go on from a saved game; ValueError, and nothing changed, if it is not one of this environment's."""
    header, payload = _opened(MAGIC, data)
    identity = _identity(env)
    _compare(identity, header, "this environment")
    _check_keys(header, (*identity, "reasons", "bookkeeping"), MAGIC)
    states, reports = _unpacked(env.game, 1, payload, MAGIC)
    if states["num_players"][0] != env.num_players or not _have_options(env.game, states, env.options):
        raise _damaged(MAGIC, "its players or options are not those of the header")
    if not fits(env.possible_agents, header["bookkeeping"], header["reasons"], states[0], reports[0]):
        raise _damaged(MAGIC, "its agents, rewards or ends do not fit the game")
    _adopt(env, header, states, reports)


def _identity(env: "GameEnv") -> dict[str, Any]:
    """What must be the same for a saved game to go on."""
    table = {"num_players": env.num_players, "options": env.options, "reward": env.reward}
    return {**_kind(env.game), **table}


def _adopt(env: "GameEnv", header: dict[str, Any], states: NDArray[Any], reports: NDArray[Any]) -> None:
    env._deal(0)
    env._dealt()._take_over(states, reports)
    for name in BOOKKEEPING:
        setattr(env, name, header["bookkeeping"][name])
    env.infos = {agent: {"action_mask": env._no_actions} for agent in env.agents}
    for agent, reason in header["reasons"].items():
        env.infos[agent]["illegal"] = reason
    if not env._ended:
        env._select(env._dealt())


# -- a batch, and an environment, pickled -----------------------------------------------------------------------


def dump_batch(batch: "Batch") -> bytes:
    game = batch.game
    header = {
        **_kind(game),
        "game": game.registered_name,
        "num_games": len(batch),
        "num_seats": batch.num_seats,
        "options": _codes(game, batch.options),
        "autoreset": bool(batch.autoreset),
        "reward": batch.reward,
        "observation": batch.observation,
    }
    return _sealed(BATCH, header, _packed(batch))


def load_batch(batch: "Batch", data: bytes) -> None:
    header, payload = _opened(BATCH, data)
    game = find_game(header.get("game"))
    kind = _kind(game)
    _compare(kind, header, "this package", BATCH)
    _check_keys(header, (*kind, "num_games", "num_seats", "options", "autoreset", "reward", "observation"), BATCH)
    if type(header["num_games"]) is not int or type(header["autoreset"]) is not bool:
        raise _damaged(BATCH, "its settings are of another kind")
    seats = game.check_players(header["num_seats"])
    options = _values(game, seats, header["options"], BATCH)
    reward, observation = check_reward(header["reward"]), check_observation(game, header["observation"])
    states, reports = _unpacked(game, header["num_games"], payload, BATCH)
    if (states["num_players"] > seats).any() or not _have_options(game, states, options):
        raise _damaged(BATCH, "its players or options are not those of the header")
    batch.game, batch.num_seats, batch.options = game, seats, options
    batch.autoreset, batch.reward, batch.observation = header["autoreset"], reward, observation
    batch._bind(empty_block(game, len(states)), len(states), game.blank(options))
    batch._take_over(states, reports)


def dump_env(env: "GameEnv") -> bytes:
    """The arguments it is made with, and its game if one has been dealt."""
    header = {
        "format": FORMAT,
        "game": env.game.registered_name,
        "options": _codes(env.game, env.options),
        "render_width": env._renderer.width,
        **{name: getattr(env, name) for name in ARGUMENTS},
    }
    return _sealed(ENV, header, b"" if env._batch is None else dump(env))


def load_env(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The arguments of an environment, and its saved game, if there is one."""
    header, payload = _opened(ENV, data)
    _compare({"format": FORMAT}, header, "this package", ENV)
    _check_keys(header, ("format", "game", "options", "render_width", *ARGUMENTS), ENV)
    game = find_game(header["game"])
    options = _values(game, game.check_players(header["num_players"]), header["options"], ENV)
    if type(header["guarded"]) is not bool:
        raise _damaged(ENV, "its settings are of another kind")
    return {"game": game, **{name: header[name] for name in ("render_width", *ARGUMENTS)}, **options}, payload


# -- headers ----------------------------------------------------------------------------------------------------


def _kind(game: Game) -> dict[str, Any]:
    """What decides how the records of a game are read."""
    return {"format": FORMAT, "game": game.name, "version": game.version, "layout": game.state_layout}


def _compare(expected: dict[str, Any], header: dict[str, Any], whose: str, magic: bytes = MAGIC) -> None:
    for name, own in expected.items():
        if header.get(name) != own:
            raise ValueError(f"the {NAMES[magic]} has {name} {header.get(name)!r}, {whose} {own!r}")


def _check_keys(data: dict[str, Any], keys: tuple[str, ...], magic: bytes) -> None:
    for name in {*data} ^ {*keys}:
        raise _damaged(magic, f"{name!r} is " + ("missing" if name in keys else "not known"))


def _codes(game: Game, options: dict[str, Any]) -> dict[str, int]:
    return {name: game.options[name].code(value) for name, value in options.items()}


def _values(game: Game, num_players: int, codes: Any, magic: bytes) -> dict[str, Any]:
    """Options by the numbers that stand for them."""
    if not isinstance(codes, dict) or {*codes} != {*game.options}:
        raise _damaged(magic, f"its options are not those of {game.title}")
    values = {}
    for name, option in game.options.items():
        if not option.has(codes[name]):
            raise _damaged(magic, f"its option {name} has no value {codes[name]!r}")
        values[name] = option.value(codes[name])
    return game.check_options(num_players, values)


def _have_options(game: Game, states: NDArray[Any], options: dict[str, Any]) -> bool:
    return all((states[name] == code).all() for name, code in _codes(game, options).items())


def _damaged(magic: bytes, why: str) -> ValueError:
    return ValueError(f"the {NAMES[magic]} is damaged: {why}")


# -- bytes ------------------------------------------------------------------------------------------------------


def _sealed(magic: bytes, header: dict[str, Any], payload: bytes) -> bytes:
    """The first line, the header as one line of JSON, what is kept, and the checksum."""
    body = magic + json.dumps(header).encode() + b"\n" + payload
    return body + _digest(body)


def _opened(magic: bytes, data: Any) -> tuple[dict[str, Any], bytes]:
    """Header and content of what has been sealed."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ValueError(f"a {NAMES[magic]} is bytes, not {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(magic):
        raise ValueError(f"this is not a {NAMES[magic]} of lanterns_env")
    body, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
    if _digest(body) != digest:
        raise _damaged(magic, "its checksum does not fit")
    line, _, payload = body[len(magic) :].partition(b"\n")
    header = parse_json(line, f"the {NAMES[magic]}")
    if not isinstance(header, dict):
        raise _damaged(magic, "its header is of another kind")
    return header, payload


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:DIGEST_BYTES]


def _packed(batch: "Batch") -> bytes:
    """The states, and what the last step brought."""
    last = np.zeros(len(batch), _last_step(batch.game))
    for name in LAST_STEP:
        last[name] = batch._reports[name]
    for name in LAST_GAME:  # what is left of earlier games is shown to nobody
        last[name][~last["ended"]] = 0
    return batch._states.tobytes() + last.tobytes()


def _unpacked(game: Game, num_games: int, payload: bytes, magic: bytes) -> tuple[NDArray[Any], NDArray[Any]]:
    """States and what the last step brought, both checked."""
    last, size = _last_step(game), num_games * game.state.itemsize
    if num_games < 0 or len(payload) != size + num_games * last.itemsize:
        raise _damaged(magic, f"its length is not that of {num_games} games")
    states = np.zeros(num_games, game.state)
    states.view(np.uint8)[:] = np.frombuffer(payload[:size], np.uint8)
    check_states(game, states, f"the {NAMES[magic]}")
    reports = np.frombuffer(payload[size:], last)
    if not _is_last_step(reports):
        raise _damaged(magic, "its last step is none")
    return states, reports


def _is_last_step(reports: NDArray[Any]) -> bool:
    """Whether these may be what a step has brought."""
    if not are_flags(reports) or (reports["truncated"] > reports["over"]).any():
        return False
    if any(reports[name][~reports["ended"]].any() for name in LAST_GAME):
        return False
    figures = (reports[name] for name in ("rewards", "last_points", "last_shares"))
    counted = all((reports[name] >= 0).all() for name in ("length", "last_length"))
    ended = (reports["ended"] <= reports["over"]).all()
    return bool(ended and counted and all(np.isfinite(figure).all() for figure in figures))


def _last_step(game: Game) -> np.dtype[Any]:
    report = kernels.report_dtype(game.max_players)
    return np.dtype([(name, report[name]) for name in LAST_STEP])
