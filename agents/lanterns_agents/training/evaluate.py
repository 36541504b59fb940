"""How strong a learner is: matches against fixed agents, on deals that training does not see."""

import time
from typing import Any

import numpy as np

from lanterns_agents.networks.base import Network
from lanterns_agents.training.inference import ask
from lanterns_agents.training.logging import Results
from lanterns_agents.training.run import Run
from lanterns_env.agent import Table
from lanterns_env.match.result import play_match

EVALUATION_SEED = 1_000_000  # the deals of training come from streams of other seeds


class BestMoves:
    """A network as an agent that always takes the likeliest action."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def __deepcopy__(self, memo: Any) -> "BestMoves":
        """At every seat another agent, of the same network."""
        return BestMoves(self.network)

    def act(self, table: Table, rng: np.random.Generator) -> Any:
        given = table.game.to_array(table.views), table.action_masks  # read-only arrays, which torch does not know
        logits, _ = ask(self.network, *(each.copy() for each in given))
        return logits.argmax(1)


def evaluate(run: Run) -> Results:
    """The win share of one learner among bots, with its interval; every deal is played once from every seat."""
    results = {}
    config, learner = run.config, BestMoves(run.network)
    for name in config.eval_opponents:
        for players in sorted(set(config.num_players)):
            agents, deals = (learner, name), config.eval_deals
            match = play_match(run.game, agents, players, deals, EVALUATION_SEED, **config.game_options)
            if not match.complete:
                raise KeyboardInterrupt
            results[f"{name} {players}p"] = [match.rows[0].win_share, *match.rows[0].interval]
    return results


def evaluate_unless_stopped(run: Run) -> Results:
    """Nothing if a signal ends it."""
    begun = time.perf_counter()
    try:
        run.evaluating = True
        results = evaluate(run)
        run.evaluating = False
    except KeyboardInterrupt:
        results = {}
    run.seconds += time.perf_counter() - begun
    return results
