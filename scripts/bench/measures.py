"""How each figure of the page "How far from optimal" is measured: on the whole tree of a variant, exactly."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from distances import CALIBRATION, CONFIGS, DRAWN, GAINS, PPO, SEARCH, SOLVED, TRAINING, Cell, Variant
from lanterns_agents.exploit.api import exploit
from lanterns_agents.networks.base import Network
from lanterns_agents.training import ppo
from lanterns_agents.training.arguments import find_config, make_config, read_toml
from lanterns_agents.training.config import Config
from lanterns_agents.training.evaluate import BestMoves
from lanterns_agents.training.folder import CHECKPOINT, open_run
from lanterns_agents.training.inference import ask
from numpy.typing import NDArray

from lanterns_env.agent import Table, load
from lanterns_env.solve import NashConv, Policy, Tree, best_response, evaluate, nash_conv, policy_of, view_response
from lanterns_env.solve.solving import solving

RUNS = Path("runs") / "optimal"  # of networks that are measured more than once
RUN_DECISIONS, POINTS = 400_000, 7  # of a run that is measured on the way, each time at twice as many decisions
MAGNET_EVERY = 10  # updates
SOLVE_SECONDS, SOLVE_TARGET = 100.0, 1e-4  # of the payoff range
ALGORITHM, ITS_NAME = "predictive", "predictive CFR+"
EXPLOIT = {"decisions": 400_000, "seeds": 2, "validation_deals": 400, "deals": 400}
OWN_DECISIONS = "own decisions"
DIGITS = 6

Entry = dict[str, Any]


def measure(cell: Cell) -> tuple[Entry, Entry]:
    """What is to be said of the variant, and the figure."""
    tree = tree_of(cell.variant)
    return shape_of(tree), MEASURES[cell.kind](cell, tree)


@lru_cache(1)
def tree_of(variant: Variant) -> Tree:
    return Tree(variant.the_game, variant.players, **variant.given)


def shape_of(tree: Tree) -> Entry:
    payoffs = tree.form.utilities
    return {
        "histories": tree.num_histories,
        "information_sets": [len(tree.information_sets(seat)) for seat in range(tree.num_players)],
        "payoffs": [float(payoffs.min()), float(payoffs.max())],
    }


# -- agents -----------------------------------------------------------------------------------------------------------


class Acting:
    """An agent as it plays in matches, whatever else it could say of its actions."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = self.agent.act(table, rng)
        return actions


class Probable(Acting):
    """A network whose actions are drawn by its probabilities."""

    def __init__(self, network: Network) -> None:
        super().__init__(BestMoves(network))
        self.network = network

    def action_probabilities(self, table: Table) -> NDArray[np.float64]:
        given = table.game.to_array(table.views), table.action_masks
        logits, _ = ask(self.network, *(each.copy() for each in given))
        return softmax(logits.astype(np.float64), table.action_masks)


class ProbableChampion(Acting):
    """The champion of the full game, its actions drawn by its probabilities."""

    def action_probabilities(self, table: Table) -> NDArray[np.float64]:
        logits, _ = self.agent.evaluator(table.game.name).policy_and_value(table.views, table.action_masks)
        return softmax(logits.astype(np.float64), table.action_masks)


def softmax(logits: NDArray[np.float64], legal: NDArray[np.int8]) -> NDArray[np.float64]:
    """Over legal actions."""
    powers = np.where(legal, np.exp(logits - logits.max(1, keepdims=True)), 0.0)
    probabilities: NDArray[np.float64] = powers / powers.sum(1, keepdims=True)
    return probabilities


def agent_of(cell: Cell) -> Any:
    """By its name in a figure."""
    name, drawn = cell.agent.removesuffix(DRAWN), cell.agent.endswith(DRAWN)
    if name == PPO:
        network = trained(cell.variant)[0]
        return Probable(network) if drawn else BestMoves(network)
    if name == "champion":
        return (ProbableChampion if drawn else Acting)(load(name))
    return load(name) if drawn else Acting(load(name))


def settings_for(variant: Variant, **settings: Any) -> Config:
    """Those of the game's settings file, on this variant."""
    table = {"num_players": [variant.players], "game_options": variant.given}
    unwatched = {"eval_every": 0, "eval_opponents": [], "tensorboard": False}
    given = read_toml(find_config(CONFIGS[variant.game]))
    return make_config({**given, **table, **unwatched, "run_name": variant.name, **settings}, Config)


@lru_cache(2)
def trained(variant: Variant) -> tuple[Network, Path]:
    """The network that PPO has learnt on a variant, and the folder of its run; it goes on where it was left."""
    config = settings_for(variant)
    resume = (RUNS / variant.name / CHECKPOINT).exists()
    with open_run(config, resume, RUNS, ppo.PPO) as (run, folder):
        if run.goes_on():
            ppo.train(run, folder)
        if run.stopped:
            raise KeyboardInterrupt
        return run.network.eval(), folder


# -- gains ------------------------------------------------------------------------------------------------------------


def policy_for(cell: Cell, tree: Tree) -> Policy:
    if cell.agent == "random":
        return Policy.uniform(tree)
    return policy_of(tree, agent_of(cell), cell.seed)


def measure_gains(cell: Cell, tree: Tree) -> Entry:
    if cell.agent == SOLVED:
        return solved(tree)
    return in_numbers(nash_conv(tree, policy_for(cell, tree)))


def in_numbers(found: NashConv) -> Entry:
    return {"nash_conv": short(found.total), "gains": shorts(found.gains), "values": shorts(found.values)}


def short(number: float) -> float:
    return round(float(number), DIGITS)


def shorts(numbers: Any) -> list[float]:
    return [short(number) for number in numbers]


def solved(tree: Tree) -> Entry:
    """What solving ends with, within a time or at a target."""
    target = SOLVE_TARGET * tree.payoff_range
    *_, standing = solving(tree, seconds=SOLVE_SECONDS, target=target, algorithm=ALGORITHM, best=True)
    took = {"algorithm": ITS_NAME, "iterations": standing.iterations, "solve_seconds": round(standing.seconds, 1)}
    return in_numbers(standing.nash_conv) | took


# -- training ---------------------------------------------------------------------------------------------------------


def measure_training(cell: Cell, tree: Tree) -> Entry:
    """A run of PPO, measured on the way."""
    changed = {"seed": cell.seed, "total_decisions": RUN_DECISIONS, "magnet_every": MAGNET_EVERY, **dict(cell.settings)}
    run = ppo.PPO(settings_for(cell.variant, **changed))
    run.begin()
    total = run.config.total_decisions
    due = [total >> number for number in reversed(range(POINTS))]
    points = []
    while run.goes_on():
        ppo.update(run)
        if run.decisions >= due[len(points)]:
            points.append(point_of(run, tree))
    settings = {name: getattr(run.config, name) for name in ("ent_coef", "magnet_coef", "magnet_every")}
    return {"settings": settings, "points": points, "training_seconds": round(run.seconds, 1)}


def point_of(run: ppo.PPO, tree: Tree) -> Entry:
    """How far the network is from optimal by now: its actions drawn by their probabilities, and its best ones."""
    drawn = policy_of(tree, Probable(run.network.eval()), 0)
    played = {"drawn": drawn, "best": best_of(drawn)}
    return {"decisions": run.decisions} | {how: in_numbers(nash_conv(tree, each)) for how, each in played.items()}


def best_of(policy: Policy) -> Policy:
    """The most probable action of every information set."""
    tree = policy.tree
    best = np.zeros(tree.num_entries)
    sets = np.repeat(np.arange(tree.num_sets), np.diff(tree.form.firsts))
    order = np.lexsort((-np.arange(tree.num_entries), policy.probabilities, sets))
    best[order[np.append(sets[1:] != sets[:-1], True)]] = 1  # the last of each set, the first where several are alike
    return Policy(tree, best)


# -- what the tool finds ----------------------------------------------------------------------------------------------


def measure_calibration(cell: Cell, tree: Tree) -> Entry:
    """What can be gained against a victim, and what the exploiter that was learnt gains, all exactly."""
    victim = victim_of(cell)
    policy = Policy.uniform(tree) if victim == "random" else policy_of(tree, Acting(load(victim)), 0)
    found, seats = nash_conv(tree, policy), range(tree.num_players)
    own = [best_response(tree, policy, seat, OWN_DECISIONS).value - found.values[seat] for seat in seats]
    alone = [view_response(tree, policy, seat) for seat in seats]
    low = [each.value - value for each, value in zip(alone, found.values, strict=True)]
    high = [low[seat] if alone[seat].exact else own[seat] for seat in seats]
    learnt, exploiter = exploited(cell, victim)
    replies = policy_of(tree, Acting(exploiter), 0)
    gained = [evaluate(tree, policy.replaced(seat, replies))[seat] - found.values[seat] for seat in seats]
    return {
        "perfect_recall": shorts(found.gains),
        "own_decisions": shorts(own),
        "view_alone": shorts(low),
        "view_alone_at_most": shorts(high),
        "found": shorts(gained),
        "exploit": learnt,
    }


def exploited(cell: Cell, victim: str) -> tuple[Entry, Any]:
    """What `lanterns exploit` does, and the agent that it learns."""
    variant = cell.variant
    folder = RUNS / f"exploit-{variant.name}-{cell.agent.replace(':', '-')}"
    found = exploit(victim, variant.game, variant.players, variant.given, out=folder, workers=1, say=print, **EXPLOIT)
    scale = variant.players / (variant.players - 1)  # from shares of the win to outcomes
    interval = [short(scale * end) for end in found.interval]
    return {"victim": victim, **EXPLOIT, "gain": short(found.outcome_gain), "interval": interval}, load(found.agent)


def victim_of(cell: Cell) -> str:
    """As agents are named."""
    kind, _, argument = cell.agent.partition(":")
    if kind == SEARCH:
        return f"fixed_search:FixedSearch:{argument}"
    return str(trained(cell.variant)[1]) if kind == PPO else cell.agent


MEASURES = {GAINS: measure_gains, TRAINING: measure_training, CALIBRATION: measure_calibration}
