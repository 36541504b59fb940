"""The compiled engine: what a game is, its randomness, batches of games."""
