"""PettingZoo environments over the engine."""
