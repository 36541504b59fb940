"""The best of several numbers, the same whether it is compiled or not."""

from lanterns_env.engine.compile import jit

NOISE = 1e-9  # sums of compiled code may differ in their last digits: what is better by less is equal


@jit
def first_best(values):
    """The place of the first of the best."""
    best = 0
    for k in range(1, len(values)):
        if values[k] > values[best] + NOISE:
            best = k
    return best
