"""Counterfactual regret minimisation on a tree in sequence form, compiled.

Of a set of sequences regrets depend on nothing but what these lead to: a pass over the ends of all lines of play, then
one over the player's own sets from the last to the first, is an iteration for a player.
"""

from typing import Any, NamedTuple

from lanterns_env.engine.compile import jit
from lanterns_env.solve.passes import gather, reach

CFR, CFR_PLUS, PREDICTIVE = range(3)  # Zinkevich 2007, Tammelin 2014, Farina, Kroer and Sandholm 2021
LEAST_WEIGHT = 1e-300  # a sum of averages below this is as good as none


class Work(NamedTuple):
    """What is known after some iterations."""

    regrets: Any  # float64[entries]
    predicted: Any  # float64[entries]: of the next iteration
    averages: Any  # float64[entries]: sums of plans, weighed by iteration
    current: Any  # float64[entries]: the probabilities that come next
    plans: Any  # float64[n + entries]
    gains: Any  # float64[n + entries]


@jit
def begin(form, work):
    """The uniform policy."""
    for number in range(len(form.parents)):
        first, last = form.firsts[number], form.firsts[number + 1]
        for entry in range(first, last):
            work.current[entry] = 1 / (last - first)
    for seat in range(len(form.bounds) - 1):
        reach(form, seat, work.current, work.plans)


@jit
def iterate(form, work, kind, alternating, first, last):
    """The iterations first .. last - 1; the first of all is number 1."""
    n = len(form.bounds) - 1
    for iteration in range(first, last):
        for seat in range(n):
            gather(form, seat, work.plans, work.gains)
            add_averages(form, work, kind, seat, iteration)
            add_regrets(form, work, kind, seat)
            if alternating:
                match_regrets(form, work, seat)
        if not alternating:
            for seat in range(n):
                match_regrets(form, work, seat)


@jit
def add_averages(form, work, kind, seat, iteration):
    """The plans of this iteration; of CFR+ later ones count more, of predictive CFR+ more still."""
    n = len(form.bounds) - 1
    weight = 1.0
    if kind == CFR_PLUS:
        weight = float(iteration)
    elif kind == PREDICTIVE:
        weight = float(iteration) * iteration
    for entry in range(form.firsts[form.bounds[seat]], form.firsts[form.bounds[seat + 1]]):
        work.averages[entry] += weight * work.plans[n + entry]


@jit
def add_regrets(form, work, kind, seat):
    """How much better each action would have been, added to what is known."""
    n = len(form.bounds) - 1
    for number in range(form.bounds[seat + 1] - 1, form.bounds[seat] - 1, -1):
        first, last = form.firsts[number], form.firsts[number + 1]
        value = 0.0
        for entry in range(first, last):
            value += work.current[entry] * work.gains[n + entry]
        for entry in range(first, last):
            regret = work.gains[n + entry] - value
            work.predicted[entry] = regret if kind == PREDICTIVE else 0.0
            total = work.regrets[entry] + regret
            work.regrets[entry] = total if kind == CFR else max(total, 0.0)
        work.gains[form.parents[number]] += value


@jit
def match_regrets(form, work, seat):
    """The next policy: actions in proportion to positive regrets, all alike where there is none."""
    for number in range(form.bounds[seat], form.bounds[seat + 1]):
        first, last = form.firsts[number], form.firsts[number + 1]
        total = 0.0
        for entry in range(first, last):
            total += max(work.regrets[entry] + work.predicted[entry], 0.0)
        for entry in range(first, last):
            wanted = max(work.regrets[entry] + work.predicted[entry], 0.0)
            work.current[entry] = wanted / total if total > 0 else 1 / (last - first)
    reach(form, seat, work.current, work.plans)


@jit
def average(form, averages, probabilities):
    """The average policy, uniform where nobody has ever gone."""
    for number in range(len(form.parents)):
        first, last = form.firsts[number], form.firsts[number + 1]
        total = 0.0
        for entry in range(first, last):
            total += averages[entry]
        for entry in range(first, last):
            probabilities[entry] = averages[entry] / total if total > LEAST_WEIGHT else 1 / (last - first)
