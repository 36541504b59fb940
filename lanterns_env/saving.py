"""A game as bytes and back: a header that says whose they are, the state, and a checksum."""

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from lanterns_env import kernels

if TYPE_CHECKING:
    from lanterns_env.aec import GameEnv

MAGIC = b"lanterns_env game\n"
DIGEST_BYTES = 16
BY_AGENT = ("rewards", "_cumulative_rewards", "terminations", "truncations")
BOOKKEEPING = (*BY_AGENT, "agents", "agent_selection", "_skip_agent_selection", "_ended")


def dump(env: "GameEnv") -> bytes:
    """Magic line, header as one line of JSON, the tables of the game, digest."""
    batch = env._dealt()
    header = {
        **_identity(env),
        "reasons": {agent: info["illegal"] for agent, info in env.infos.items() if "illegal" in info},
        "bookkeeping": {name: getattr(env, name) for name in BOOKKEEPING},
    }
    body = MAGIC + json.dumps(header).encode() + b"\n" + batch._states.tobytes() + batch._reports.tobytes()
    return body + _digest(body)


def load(env: "GameEnv", data: bytes) -> None:
    """Everything is checked before anything changes.

    The checksum tells damage, not intent: as with pickle, only load what comes from a source you trust.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ValueError(f"a saved game is bytes, not {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MAGIC):
        raise ValueError("this is not a saved game of lanterns_env")
    body, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
    if _digest(body) != digest:
        raise ValueError("the saved game is damaged: its checksum does not fit")
    line, _, payload = body[len(MAGIC) :].partition(b"\n")
    header = json.loads(line)
    _compare(env, header)
    size = env.game.state.itemsize
    states = np.frombuffer(payload[:size], env.game.state).copy()
    reports = np.frombuffer(payload[size:], kernels.report_dtype(env.game.max_players)).copy()
    for record in (states[0], reports[0]):
        if len(states) != len(reports) or not 0 <= record.player < env.num_players:
            raise ValueError("the saved game is damaged: its player does not exist")
    if states[0].num_players != env.num_players or not set(header["bookkeeping"]["agents"]) <= set(env.possible_agents):
        raise ValueError("the saved game is damaged: its players are not those of the header")
    _adopt(env, header, states, reports)


def _identity(env: "GameEnv") -> dict[str, Any]:
    """What must be the same for a saved game to go on."""
    return {
        "game": env.game.name,
        "version": env.game.version,
        "layout": env.game.state_layout,
        "num_players": env.num_players,
        "options": env.options,
        "reward": env.reward,
    }


def _compare(env: "GameEnv", header: dict[str, Any]) -> None:
    for name, own in _identity(env).items():
        if header.get(name) != own:
            raise ValueError(f"the saved game has {name} {header.get(name)!r}, this environment {own!r}")


def _adopt(env: "GameEnv", header: dict[str, Any], states: Any, reports: Any) -> None:
    env._deal(0)
    batch = env._dealt()
    batch._states[:] = states
    batch._kernel(kernels.show_rows)(*batch._tables)
    batch._reports[:] = reports
    for name in BOOKKEEPING:
        setattr(env, name, header["bookkeeping"][name])
    env.infos = {agent: {"action_mask": env._no_actions} for agent in env.agents}
    for agent, reason in header["reasons"].items():
        env.infos[agent]["illegal"] = reason
    if not env._ended:
        env._select(batch)


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:DIGEST_BYTES]
