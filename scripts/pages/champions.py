"""Make the trained networks that come with the package, play their matches, and write docs/champions.md.

    python scripts/pages/champions.py lanterns runs/lanterns_2p  # its network becomes the champion of its game
    python scripts/pages/champions.py  # those in the package: missing matches, and the page

A champion is three files in agents/lanterns_agents/<game> and configs: network, card, settings (those
of a run that it began with must be in configs already, under the name of the run); its learning curve and every
result are JSON files in docs/results, and the curve a picture in docs/images.  What is there already, complete and of
the same network, settings and version, is kept, so that the script can be stopped and started again.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tomllib
from typing import Any

from charts import THEMES
from curve_figure import curve_figure
from lanterns_agents.champion import NAME, champion_file, champions
from lanterns_agents.training.arguments import CONFIG
from lanterns_agents.training.folder import POLICY
from lanterns_agents.training.logging import LOG
from learning_curve import LOST, PICTURE, phases_of, with_matches
from results_cache import code, figure, folded, image, kept_match

from lanterns_env import GAMES
from lanterns_env.games.svg import svg
from lanterns_env.support.files import check_target, read_json, write_whole

ROOT = pathlib.Path(__file__).parents[2]
EXPORT = pathlib.Path(__file__).parents[1] / "export.py"
SEED = 1
NUM_GAMES = 2000  # of a match, roughly: every deal is played once from every seat
OPPONENTS = ("greedy", "expert")

HEAD = """# Champions

<!-- written by make champions -->

`champion` is an agent that plays every game with a pretrained network. It needs `onnxruntime`
(`pip install lanterns_env[learned]`). Every network plays at all numbers of players of its game, and was trained at
those named here. Its card, `champion.json` beside it in `agents/lanterns_agents/<game>`, holds all settings and
figures.

A champion evaluates its network once and takes the most probable action; it searches no tree. Besides the observation
the networks of Lumen and Lighthouse Architects receive hand-written features. Late in a Lumen round these include
outcomes of short rollouts in sampled determinizations: [features](networks/lumen.md#features). `search:400+champion` is
tree search guided by a champion.

## How to read this page

**Matches**: one champion against copies of another agent; every deal is played once from every seat; in brackets 95 %
intervals over deals; n is the number of games. The games are kept in `docs/results`:
`lanterns evaluate --reproduce FILE` plays them again.

**Learning curves**: all runs that made a champion, one after the other, from the first decision. The points at 0 are
untrained networks, over 50 deals. A large dot with an interval is a match of about 2,000 games when a run had ended;
small dots are evaluations of some hundred games on the way; lines join what was measured.
Opponents are the agents as they were at that time.

**Commands**: the first part of each was imitation and self-play in one run; the commands do the same in two.
"""
MATCHES = ["| players | against | its win share | fair | its margin | n |", "|--:|---|---|--:|--:|--:|"]
SOURCES = {  # of a curve's points, where it is not the log
    PICTURE: "The logs of {names} were not kept: their small dots were read off the pictures that they had drawn.",
    LOST: "Of {names} no evaluation on the way was kept: the curve has no dots there.",
}


class Places:
    """Where everything goes."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.package = root / "agents" / "lanterns_agents"
        self.configs = root / "configs"
        self.results = root / "docs" / "results"
        self.images = root / "docs" / "images"
        self.page = root / "docs" / "champions.md"
        for folder in (self.package, self.configs, self.results, self.images):
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def agent(self) -> str:
        """The name by which the champions are asked to play."""
        return "champion" if self.root == ROOT else f"champion:{self.package}"

    def network(self, game: str) -> pathlib.Path:
        return champion_file(game, self.package)

    def config(self, game: str) -> pathlib.Path:
        return self.configs / f"champion_{game}.toml"

    def curve(self, game: str) -> pathlib.Path:
        return self.results / f"curve-{game}.json"

    def card(self, game: str) -> dict[str, Any]:
        card: dict[str, Any] = read_json(self.network(game).with_suffix(".json"))
        return card


def crown(places: Places, game: str, run: pathlib.Path) -> None:
    """Make the network of a run the champion of its game; a run that will not do changes nothing."""
    for name in (CONFIG, POLICY, LOG):
        if not (run / name).is_file():
            raise ValueError(f"there is no {run / name}: train to the end first")
    config = (run / CONFIG).read_text()
    made_for = tomllib.loads(config)["game"]
    if made_for != game:
        raise ValueError(f"the network in {run} plays {made_for}, not {game}")
    draft = run / "champion.onnx"
    export(run, draft)
    places.network(game).parent.mkdir(exist_ok=True)
    for suffix in (".onnx", ".json"):
        draft.with_suffix(suffix).replace(places.network(game).with_suffix(suffix))
    nameless = [line for line in config.splitlines(keepends=True) if not line.startswith("run_name = ")]
    write_whole(places.config(game), "".join(nameless))  # a new run is called after the file
    kept = read_json(places.curve(game))["phases"] if places.curve(game).is_file() else []
    write_curve(places, game, phases_of(run, places.card(game), kept))


def write_curve(places: Places, game: str, phases: list[dict[str, Any]]) -> None:
    """The evaluations of all runs, and their picture for light and dark pages."""
    data = {"game": game, "phases": phases}
    write_whole(places.curve(game), json.dumps(data, indent=1) + "\n")
    for theme in THEMES:
        write_whole(places.images / f"champion-{game}{theme.suffix}.svg", svg(curve_figure(data, theme)) + "\n")


def export(*words: object) -> None:
    """As the command does."""
    done = subprocess.run([sys.executable, EXPORT, *map(str, words)])
    if done.returncode:
        raise ValueError(f"scripts/export.py {' '.join(map(str, words))} did not succeed")


def play_matches(places: Places, game: str, deals: int | None, workers: int | None) -> None:
    """At every number of players that it was trained for; the results go onto its card."""
    card, files = places.card(game), []
    for players in card["players"]:
        for opponent in OPPONENTS:
            files.append(places.results / f"champion-{game}-{players}-{opponent}.json")
            kept_match(
                files[-1],
                GAMES[game],
                [places.agent, opponent],
                players,
                deals or NUM_GAMES // players,
                SEED,
                workers,
                options=card["options"],
                network=card["weights"],
            )
    export(places.network(game), "--results", *files)
    write_curve(places, game, with_matches(read_json(places.curve(game))["phases"], places.card(game)["results"]))


def section(places: Places, game: str) -> list[str]:
    """What the page says of one champion, from its card."""
    card = places.card(game)
    size = places.network(game).stat().st_size / 1e6
    commands = [f"lanterns {command_of(name)} {name}" for name in steps(places, game)]
    phases = read_json(places.curve(game))["phases"]
    return [
        f"\n## {GAMES[game].title}\n",
        f"`{places.network(game).relative_to(places.package)}`, {size:.1f} MB: trained",
        ", then\n".join(how_long(each) for each in (*card["initialised_from"], card)) + ".\n",
        *image(f"images/champion-{game}", f"Learning curve of the champion of {GAMES[game].title}"),
        *sources(phases),
        *MATCHES,
        *(line(result) for result in card["results"]),
        *folded("Commands of the matches", [result["command"] for result in card["results"]]),
        *folded("Commands of the training", commands),
    ]


def steps(places: Places, game: str) -> list[str]:
    """The settings files by which a champion is trained, the first one first: each names what it begins with."""
    names = [places.config(game).stem]
    while (before := read_config(places, names[0]).get("init_from", "")) not in ("", NAME):
        names.insert(0, pathlib.Path(before).parent.name)
    return names


def read_config(places: Places, name: str) -> dict[str, Any]:
    return tomllib.loads((places.configs / f"{name}.toml").read_text())


def command_of(config: str) -> str:
    """Which command a settings file is for."""
    return "pretrain" if config.endswith("_bc") else "train"


def sources(phases: list[dict[str, Any]]) -> list[str]:
    """Where the points of a curve are from, unless it is the logs."""
    lines = []
    for source, words in SOURCES.items():
        if names := [code(phase["name"]) for phase in phases if phase["source"] == source]:
            lines.append(words.format(names=", ".join(names)) + "\n")
    return lines


def how_long(trained: dict[str, Any]) -> str:
    """One run's part in a network."""
    players = ", ".join(map(str, sorted(set(trained["config"]["num_players"]))))
    minutes, decisions = trained["seconds"] / 60, trained["decisions"] / 1e6
    return f"with {players} players for {minutes:.1f} minutes, {decisions:.2f} million decisions"


def line(result: dict[str, Any]) -> str:
    """One match in the table."""
    cells = [
        str(result["players"]),
        code(result["agents"][1]),
        figure(result["win_share"], result["interval"], ".3f"),
        f"{1 / result['players']:.3f}",
        figure(result["mean_margin"], result["margin_interval"], "+.1f"),
        str(result["games"]),
    ]
    return f"| {' | '.join(cells)} |"


def written(places: Places) -> str:
    """The page as the cards of all champions have it."""
    lines = [HEAD.rstrip("\n")]
    for game in champions(places.package):
        lines += section(places, game)
    return "\n".join(lines) + "\n"


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=list(GAMES), help="(default: all that have a champion)")
    parser.add_argument("run", nargs="?", type=pathlib.Path, help="the folder of the run that made its new champion")
    parser.add_argument("--deals", type=int, help=f"of a match (default: {NUM_GAMES} games, whatever the players)")
    parser.add_argument("--workers", type=int, help="(default: one a core)")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the clone to write into")
    args = parser.parse_args(words)
    places = Places(args.root)
    check_target(places.page)
    if args.run:
        crown(places, args.game, args.run)
    for game in [args.game] if args.game else champions(places.package):
        play_matches(places, game, args.deals, args.workers)
    write_whole(places.page, written(places))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("interrupted: the next run goes on from here; the page is as it was") from None
    except ValueError as error:
        raise SystemExit(f"champions: {error}") from None
