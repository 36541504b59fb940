"""A game at the terminal: played by people and agents, or a replay that is looked at."""
