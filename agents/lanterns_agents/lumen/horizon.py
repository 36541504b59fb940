"""Where training may end a trajectory of Lumen before the game does: between two rounds, when only totals count."""

from typing import Any

from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.rules import BID, NO_BID


@jit
def ends_here(state: Any) -> Any:
    return state.phase == BID and state.bid[state.starter] == NO_BID
