"""The main job in a minute: bots play a game drawn in the terminal, then the measured speed."""

import sys
import time

import numpy as np
from lanterns_agents import load

from lanterns_env import Batch, lanterns_v0
from lanterns_env.agent import Table

NUM_PLAYERS, SEED = 4, 7
NUM_GAMES, SECONDS = 1024, 2.0


def play_one_game() -> None:
    """Four bots at one table; the lake is drawn at the start, in the middle and at the end."""
    env = lanterns_v0.env(num_players=NUM_PLAYERS)
    bot, rng = load("greedy"), np.random.default_rng(SEED)
    env.reset(seed=SEED)
    drawn_turns = {0, 16}
    while not env.terminations[env.agent_selection]:
        turn = int(env.view(env.agent_selection).turn)
        if turn in drawn_turns:
            drawn_turns.remove(turn)
            draw(env)
        action = int(bot.act(Table(env.batch, [0], [0]), rng)[0])
        print(f"  {env.agent_selection}: {env.describe(action)}")
        env.step(action)
    draw(env)
    for agent, reward in env.rewards.items():
        print(f"  {agent}: {env.view(agent).honor[0]} honor, reward {reward:+.2f}")


def draw(env) -> None:
    """The whole table, in colour where the terminal shows it."""
    views = [env.view(agent) for agent in env.possible_agents]
    print(env.game.draw(views, color=sys.stdout.isatty()), end="\n\n")


def measure() -> None:
    """Decisions a second of a batch, sampling included."""
    batch, rng = Batch("lanterns", NUM_GAMES, NUM_PLAYERS, seed=SEED), np.random.default_rng(SEED)
    batch.step(batch.sample(rng))
    decisions, games, begin = 0, 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        batch.step(batch.sample(rng))
        decisions += NUM_GAMES
        games += int(batch.overs.sum())
    spent = time.perf_counter() - begin
    print(
        f"\n{NUM_GAMES} games of {NUM_PLAYERS} players side by side, one thread, random moves: "
        f"{decisions / spent / 1e6:.2f} million decisions and {games / spent:,.0f} finished games a second"
    )


if __name__ == "__main__":
    play_one_game()
    measure()
