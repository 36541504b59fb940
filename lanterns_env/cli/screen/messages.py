"""What is said of a game: players by seat and name, moves as a listener hears them, the final scores."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lanterns_env.support.files import printable

if TYPE_CHECKING:
    from lanterns_env.envs.aec import GameEnv


def player_name(seat: int, agents: Sequence[str]) -> str:
    return f"player {seat} ({printable(agents[seat])})" if agents else f"player {seat}"


def describe_move(env: "GameEnv", action: int, listener: int) -> str:
    """The next move in words, before it is played: what the listener hears of it, and nothing hidden from it."""
    views = [env.view(agent) for agent in env.possible_agents]
    return env.game.describe_move(views, env.possible_agents.index(env.agent_selection), listener, action)


def outcome(env: "GameEnv", before: Sequence[Any], mover: int, action: int, listener: int) -> list[str]:
    """What came of a move that has just been played, from the views before it, as the listener has seen it."""
    if env.game.describe_outcome is None:
        return []
    after = [env.view(agent) for agent in env.possible_agents]
    return env.game.describe_outcome(before, mover, action, listener, after)


def addressed(line: str, seat: int) -> str:
    """A line for the player on a seat, who is "you"."""
    return re.sub(rf"\bplayer {seat}\b", "you", line)


def standings(env: "GameEnv", agents: Sequence[str]) -> list[str]:
    """Points and shares of the win of a game that is over."""
    points, shares = (result[0].tolist() for result in env.batch.scores())
    names = [player_name(seat, agents) for seat in range(env.num_players)]
    width = max(map(len, names))
    lines = [f"  {name:{width}} {points[seat]:8g} points{won(shares[seat])}" for seat, name in enumerate(names)]
    cut = any(env.truncations.values())
    return ["the game was cut, and is ranked as it stands:" if cut else "the game is over:", *lines]


def won(share: float) -> str:
    if share == 0:
        return ""
    return ", wins" if share == 1 else f", shares the win ({share:.2g})"
