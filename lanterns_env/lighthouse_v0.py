"""Lighthouse Architects as PettingZoo environments: ``env()`` with guards, ``raw_env()`` without."""

from lanterns_env.aec import entry_points

env, raw_env = entry_points("lighthouse")
