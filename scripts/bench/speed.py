"""All that is measured of speed, one after the other, into docs/results/speed.json; then what shows it, anew.

    python scripts/bench/speed.py
    python scripts/bench/speed.py --brief --folder build/try  # to try it, in another folder

The engine with every game, seats with stable-baselines3 and Gymnasium, and training.  The machine should be idle.
README, docs/guides/speed.md and the figures take their numbers from the file.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

from lanterns_env import GAMES
from lanterns_env.support.files import check_target, write_whole

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
RESULTS, NAME = ROOT / "docs" / "results", "speed.json"
PAGES = ("readme.py", "figures.py")  # what is written from it
PLAYERS = 4  # of every game
BRIEF = ["--rounds", "1", "--seconds", "0.02"]
BRIEF_TRAINING = ["--rounds", "1", "--steps", "128", "--minibatch-size", "128", "--batch-size", "4096"]


def measured(script: str, *words: object) -> dict[str, Any]:
    """What a script of this folder writes."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / NAME
        command = [sys.executable, HERE / script, *words, "--json", file]
        print(f"{script} {' '.join(map(str, words))}", file=sys.stderr)
        done = subprocess.run([str(word) for word in command])
        if done.returncode:
            raise SystemExit(done.returncode)
        report: dict[str, Any] = json.loads(file.read_text())
        return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brief", action="store_true", help="one short round: numbers that say little")
    parser.add_argument("--folder", type=pathlib.Path, default=RESULTS, help="where the file goes")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    check_target(arguments.folder / NAME)
    brief, training = (BRIEF, BRIEF_TRAINING) if arguments.brief else ([], [])
    report = {
        "engine": {game: measured("engine.py", "--game", game, "--players", PLAYERS, *brief) for game in GAMES},
        "seats": measured("seats.py", *brief),
        "training": measured("training.py", *training),
    }
    write_whole(arguments.folder / NAME, json.dumps(report, indent=1) + "\n")
    if arguments.folder == RESULTS:
        for name in PAGES:
            subprocess.run([sys.executable, ROOT / "scripts" / "pages" / name], check=True)


if __name__ == "__main__":
    main()
