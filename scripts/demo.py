"""The main job in a few minutes: train a network by self-play, see how strong it is, watch it play, measure the speed.

    python scripts/demo.py
    python scripts/demo.py --minutes 0.2 --deals 20 --runs build/runs

Every demo has a run of its own: runs/demo, runs/demo_2, and so on.
"""

import argparse
import itertools
import pathlib
import shlex
import subprocess
import sys
import time

import numpy as np
from lanterns_agents import load

from lanterns_env import Batch, lanterns_v0
from lanterns_env.agent import Table
from lanterns_env.cli.tables import show_table
from lanterns_env.match import play_match
from lanterns_env.replay import record, save

ROOT = pathlib.Path(__file__).parents[1]
CONFIG = "configs/lanterns_2p_quick.toml"
MINUTES, DEALS = 2.0, 200  # of training; of each match, played from both seats
OPPONENTS = ("random", "greedy", "champion")
SEED = 7
DRAWN_TURNS = (0, 12)  # and the end
NUM_GAMES, NUM_PLAYERS, SECONDS = 1024, 4, 2.0  # of the measured speed


def fresh(runs: pathlib.Path) -> pathlib.Path:
    """A folder that no run has used."""
    names = itertools.chain(["demo"], (f"demo_{number}" for number in itertools.count(2)))
    return next(runs / name for name in names if not (runs / name).exists())


def from_here(words: object) -> str:
    """With paths as short as they can be written here."""
    return str(words).replace(f"{pathlib.Path.cwd()}/", "")


def show_command(*words: object) -> None:
    print(f"\n$ {shlex.join(map(from_here, words))}", flush=True)


def train(folder: pathlib.Path, minutes: float) -> pathlib.Path:
    """The exported network of a new run in the folder."""
    settings = ["--runs", folder.parent, f"run_name={folder.name}", f"max_minutes={minutes}"]
    for script, *words in (["train_ppo", ROOT / CONFIG, *settings], ["export", folder]):
        command = (ROOT / "scripts" / f"{script}.py", *words)
        show_command("python", *command)
        subprocess.run([sys.executable, *map(str, command)], check=True)
    return folder / "policy.onnx"


def measure_strength(network: pathlib.Path, deals: int) -> None:
    """One match against each opponent; the results are kept beside the network."""
    rows = []
    for opponent in OPPONENTS:
        try:
            result = play_match("lanterns", [str(network), opponent], 2, deals, SEED)
        except ValueError as error:
            print(f"no match against {opponent}: {error}")
            continue
        result.save(network.with_name(f"against-{opponent}.json"))
        won = result.rows[0]
        low, high = won.interval
        cells = [f"{won.win_share:.3f}", f"{low:.3f} to {high:.3f}", f"{won.mean_margin:+.1f}", str(won.games)]
        rows.append([opponent, *cells])
    print()
    columns = ("against", "win share", "95 % interval", "margin", "games")
    show_table("What it has learnt: two players, every deal from both seats", columns, rows)


def play_one_game(network: pathlib.Path, file: pathlib.Path) -> None:
    """The network against greedy; the lake is drawn at the start, later on and at the end."""
    env = lanterns_v0.env(num_players=2)
    names, rng = (str(network), "greedy"), np.random.default_rng(SEED)
    players = dict(zip(env.possible_agents, map(load, names), strict=True))
    env.reset(seed=SEED)
    drawn_turns, actions = set(DRAWN_TURNS), []
    while not env.terminations[env.agent_selection]:
        turn = int(env.view(env.agent_selection).turn)
        if turn in drawn_turns:
            drawn_turns.remove(turn)
            draw(env)
        actions.append(int(players[env.agent_selection].act(Table(env.unwrapped.batch, [0], [0]), rng)[0]))
        print(f"  {env.agent_selection}: {heard(env, actions[-1])}")
        env.step(actions[-1])
    draw(env)
    for (agent, reward), name in zip(env.rewards.items(), names, strict=True):
        print(f"  {agent} ({pathlib.Path(name).name}): {env.view(agent).honor[0]} honor, reward {reward:+.2f}")
    save(file, record(env, actions, [network.name, "greedy"]))


def heard(env, action: int) -> str:
    """A move by the cells and sides of the drawing, which is seen by player 0."""
    views = [env.view(agent) for agent in env.possible_agents]
    return env.game.describe_move(views, env.possible_agents.index(env.agent_selection), 0, action)


def draw(env) -> None:
    """The whole table, in colour where the terminal shows it."""
    views = [env.view(agent) for agent in env.possible_agents]
    print(f"\n{env.game.draw(views, color=sys.stdout.isatty())}\n")


def measure_speed() -> None:
    """Decisions a second of a batch, sampling included."""
    batch, rng = Batch("lanterns", NUM_GAMES, NUM_PLAYERS, seed=SEED), np.random.default_rng(SEED)
    batch.step(batch.sample(rng))
    decisions, games, begin = 0, 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        batch.step(batch.sample(rng))
        decisions += NUM_GAMES
        games += int(batch.dones.sum())
    spent = time.perf_counter() - begin
    print(
        f"\n{NUM_GAMES} games of {NUM_PLAYERS} players side by side, one thread, random moves: "
        f"{decisions / spent / 1e6:.2f} million decisions and {games / spent:,.0f} finished games a second"
    )


def show_what_is_there(folder: pathlib.Path) -> None:
    """The files, and the commands to look at them."""
    if (folder / "curves.png").exists():
        print(f"\nlearning curve: {from_here(folder / 'curves.png')}")
    print(f"replay: {from_here(folder / 'game.jsonl')}")
    show_command("lanterns", "replay", folder / "game.jsonl")
    show_command("lanterns", "play", "lanterns", "--players", 2, "--seats", f"me,{folder / 'policy.onnx'}")
    show_command("lanterns", "evaluate", "--reproduce", folder / "against-greedy.json")


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"of training ({MINUTES})")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"of each match, from both seats ({DEALS})")
    parser.add_argument("--runs", type=pathlib.Path, default=ROOT / "runs", help="where the new run's folder goes")
    args = parser.parse_args(words)
    folder = fresh(args.runs.resolve())
    network = train(folder, args.minutes)
    measure_strength(network, args.deals)
    play_one_game(network, folder / "game.jsonl")
    measure_speed()
    show_what_is_there(folder)


if __name__ == "__main__":
    main()
