"""Lighthouse Architects for PettingZoo: ``env()`` with guards, ``raw_env()`` without, ``parallel_env()`` turn-based."""

from lanterns_env.envs.entry import entry_points

env, raw_env, parallel_env = entry_points("lighthouse", __name__)
