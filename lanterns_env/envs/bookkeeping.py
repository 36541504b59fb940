"""PettingZoo's bookkeeping of a saved game: agents, rewards, terminations, and whether they fit the game."""

import math
from typing import Any

BY_AGENT = ("rewards", "_cumulative_rewards", "terminations", "truncations")
BOOKKEEPING = (*BY_AGENT, "agents", "agent_selection", "_skip_agent_selection", "_ended")


def fits(everybody: list[str], kept: Any, reasons: Any, state: Any, report: Any) -> bool:
    """Whether bookkeeping read from a file is that of an environment with this state after this last step."""
    if not isinstance(kept, dict) or {*kept} != {*BOOKKEEPING} or type(kept["_ended"]) is not bool:
        return False
    if (report["over"], report["truncated"]) != (state["over"], state["truncated"]):
        return False
    if state["over"] and not kept["_ended"]:
        return False
    if not isinstance(kept["agents"], list) or kept["agents"] != _there(everybody, kept):
        return False
    refused = kept["_ended"] and not state["over"]  # an illegal action was chosen, and everybody got the reason
    informed = kept["agents"] if refused else []
    if not _is_by_agent(reasons, informed) or not all(isinstance(reason, str) for reason in reasons.values()):
        return False
    return _has_turn(everybody, kept, state) and _has_figures(kept, bool(state["truncated"]))


def _there(everybody: list[str], kept: dict[str, Any]) -> list[str]:
    """Everybody, or once the game is over those who have not left; they leave in order."""
    return everybody[len(everybody) - len(kept["agents"]) :] if kept["_ended"] else everybody


def _is_by_agent(values: Any, agents: list[str]) -> bool:
    return isinstance(values, dict) and list(values) == agents


def _has_turn(everybody: list[str], kept: dict[str, Any], state: Any) -> bool:
    """Whether the turn is with who is to move; once the game is over with the first who is there, if anybody is."""
    turn, after = kept["agent_selection"], kept["_skip_agent_selection"]
    if not kept["_ended"]:
        return bool(turn == everybody[state["player"]] and after is None)
    if not kept["agents"]:
        return turn in everybody and after is None
    return turn == kept["agents"][0] and after in everybody


def _has_figures(kept: dict[str, Any], cut: bool) -> bool:
    """Whether everybody has rewards that are numbers, and the game has ended for all alike or for none."""
    if not all(_is_by_agent(kept[name], kept["agents"]) for name in BY_AGENT):
        return False
    rewards = [*kept["rewards"].values(), *kept["_cumulative_rewards"].values()]
    ended = all(value is (kept["_ended"] and not cut) for value in kept["terminations"].values())
    truncated = all(value is (kept["_ended"] and cut) for value in kept["truncations"].values())
    return ended and truncated and all(map(_is_reward, rewards))


def _is_reward(value: Any) -> bool:
    """A number; PettingZoo clears rewards to a whole 0."""
    return (type(value) is float and math.isfinite(value)) or (type(value) is int and value == 0)
