"""Agents for the games of lanterns_env."""

from lanterns_env.agent import AGENTS, load

__all__ = ["AGENTS", "load"]
