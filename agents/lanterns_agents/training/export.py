"""A trained network as one ONNX file that plays without torch, and its card beside it.

    lanterns export runs/lanterns_2p_quick
    lanterns export runs/lanterns_2p_quick my.onnx --pt2 --check 10000
    lanterns evaluate --agents my.onnx,greedy --json greedy.json
    lanterns export my.onnx --results greedy.json

The card, also inside the file, says what the network was made for and how: game, layout, versions, options, settings,
results.  The last line gives a file that is there already the results of its matches.  ``load("my.onnx")`` plays it.
"""

import argparse
import pathlib
from collections.abc import Sequence
from typing import Any

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch

from lanterns_agents.networks.base import load_network, read_network
from lanterns_agents.networks.export import COMPARED, MOST_COMPARED, Probabilities, check, export, write_card
from lanterns_agents.networks.model_card import last_evaluation, make_card, match_result
from lanterns_agents.networks.sealed import check_file
from lanterns_agents.onnx_agent import OnnxAgent
from lanterns_agents.training.folder import POLICY
from lanterns_agents.training.logging import LOG, read_log
from lanterns_agents.training.settings import check_range
from lanterns_env import GAMES
from lanterns_env.agent import EXPORTED
from lanterns_env.support.files import check_target


def read_policy(folder: pathlib.Path) -> tuple[Probabilities, dict[str, Any]]:
    """The network of a run, and its card."""
    saved = read_network(folder / POLICY)
    if saved.get("game") not in list(GAMES):
        raise ValueError(f"{folder / POLICY} is of no game that there is")
    try:
        network = Probabilities(load_network(GAMES[saved["game"]], saved).eval())
        return network, make_card(saved, last_evaluation(read_log(folder / LOG), saved["config"]))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{folder} cannot be exported: {error}") from None


def export_run(folder: pathlib.Path, file: pathlib.Path, pt2: bool, count: int) -> None:
    check_range("--check", count, 1, MOST_COMPARED)
    check_file(folder / POLICY)
    check_target(file)
    torch.set_num_threads(1)
    network, card = read_policy(folder)
    export(network, card, file, pt2)
    check(network, card, file, count, pt2)
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


def main(words: Sequence[str], program: str | None = None) -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(program, description=__doc__, formatter_class=raw)
    parser.add_argument("source", type=pathlib.Path, help="the folder of a run, or an exported file")
    parser.add_argument("file", type=pathlib.Path, nargs="?", help="to write (default: policy.onnx in the folder)")
    parser.add_argument("--results", nargs="+", default=[], metavar="JSON", help="of matches, for the card")
    parser.add_argument("--pt2", action="store_true", help="write torch's own program too, for torch.export.load")
    parser.add_argument("--check", type=int, default=COMPARED, metavar="N", help=f"positions ({COMPARED})")
    args = parser.parse_args(words)
    file = args.file or args.source / "policy.onnx"
    if args.source.suffix == EXPORTED:
        if args.file or args.pt2 or not args.results:
            raise ValueError(f"{args.source} is exported already: it can be given --results, nothing else")
        file = args.source
    else:
        export_run(args.source, file, args.pt2, args.check)
    if args.results:
        card = OnnxAgent(str(file)).card
        write_card(file, {**card, "results": [match_result(name, card) for name in args.results]})
        print(f"{file}: {len(args.results)} results on its card")
