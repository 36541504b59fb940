"""Lanterns for PettingZoo: ``env()`` with guards, ``raw_env()`` without, ``parallel_env()`` turn-based."""

from lanterns_env.envs.entry import entry_points, rules_of

env, raw_env, parallel_env = entry_points("lanterns", __name__)
rules = rules_of("lanterns", __name__)
__doc__ = f"{__doc__}\n\n{rules()}"
