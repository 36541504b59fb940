"""The compiled engine: what a game is, its randomness, batches of games."""

from lanterns_env.engine import announcing  # from the first compiled function on it hears what is compiled

__all__ = ["announcing"]
