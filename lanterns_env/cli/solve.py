"""``lanterns solve``: exact answers for small variants."""

import argparse
import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from lanterns_env.cli import INTERRUPTED
from lanterns_env.cli.arguments import add_options, game_name, options_of
from lanterns_env.cli.tables import count_line, show_table, status_line
from lanterns_env.engine.game import PRESET, Game
from lanterns_env.games import GAMES
from lanterns_env.match.workers import STOPPING, held_back
from lanterns_env.support.files import check_target, printable, write_whole

if TYPE_CHECKING:
    from lanterns_env.solve import NashConv, Policy, Tree
    from lanterns_env.solve.enumerating import Estimate
    from lanterns_env.solve.measuring import Measured

HELP = "solve a small variant, or compute exactly what can be gained against an agent there"
GAME, TINY = "lanterns", "tiny"
TARGET = 0.001  # NashConv as a share of the payoff range, unless other ends are given
TWO = 2  # players: for more, nothing says that a policy comes near an equilibrium
MINUTES, MINUTES_OF_MORE = 10.0, 1.0  # unless other ends are given
MINUTE, MEGA = 60, 1e6
OF_SOLVING = ("iterations", "minutes", "target", "out")  # arguments
THINNED = 1.9  # by how much iterations grow between two lines of the table


class Line(NamedTuple):
    """How solving stood at a moment."""

    iterations: int
    seconds: float
    nash_conv: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from lanterns_env.solve.enumerating import MOST_HISTORIES
    from lanterns_env.solve.measuring import SEEDS
    from lanterns_env.solve.solving import ALGORITHMS, FASTEST

    parser.add_argument("--game", type=game_name, default=GAME, help=f"(default: {GAME})")
    parser.add_argument("--players", type=int, metavar="N", help="at the table (default: as few as can play)")
    add_options(parser)
    parser.add_argument(
        "--agent", action="append", metavar="NAME", help="what can be gained against this agent; may be given again"
    )
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help=f"of agents that draw ({SEEDS})")
    parser.add_argument("--iterations", type=int, metavar="N", help="stop after so many")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop after so long")
    parser.add_argument(
        "--target", type=float, metavar="SHARE", help=f"stop at this NashConv, a share of the payoff range ({TARGET:g})"
    )
    parser.add_argument("--algorithm", choices=ALGORITHMS, default=FASTEST, help=f"(default: {FASTEST})")
    parser.add_argument(
        "--limit", type=int, default=MOST_HISTORIES, metavar="N", help="histories at most (%(default)s)"
    )
    parser.add_argument("--out", metavar="FILE", help="keep the solved policy: the agent tabular:FILE plays it")
    parser.add_argument("--json", metavar="FILE", help="keep the figures")


def run(args: argparse.Namespace) -> int:
    _check(args)
    game = GAMES[args.game]
    players = game.check_players(min(game.players) if args.players is None else args.players)
    texts = args.option or ([f"{PRESET}={TINY}"] if TINY in game.presets else [])
    options = options_of(game, texts, players)
    changed = [f"{name}={value}" for name, value in options.items() if value != game.options[name].default]
    print(", ".join([f"{game.title}, {players} players", *args.option, *changed]))
    begin = time.perf_counter()
    tree = _tree(game, players, args.limit, options)
    seconds = time.perf_counter() - begin
    sets = " + ".join(f"{len(tree.information_sets(seat)):,}" for seat in range(players))
    print(f"{tree.num_histories:,} histories of {len(tree.deals.orders):,} deals, {sets} information sets")
    print(f"enumerated in {seconds:.1f} s, {tree.num_histories / seconds / MEGA:.2f} M histories a second")
    figures = {**_figures(tree), "enumeration_seconds": seconds}
    return _judge(args, tree, figures) if args.agent else _solve(args, tree, figures)


def _check(args: argparse.Namespace) -> None:
    """Refuse what does not go together, before any work."""
    for target in (args.out, args.json):
        check_target(target)
    given = [name for name in OF_SOLVING if getattr(args, name) is not None]
    if args.agent and given:
        raise ValueError(f"with --agent nothing is solved: leave out {', '.join(f'--{name}' for name in given)}")
    for name in ("iterations", "minutes", "target", "seeds", "limit"):
        number = getattr(args, name)
        if number is not None and not number > 0:
            raise ValueError(f"--{name} must be more than 0, not {number:g}")


def _tree(game: Game, players: int, limit: int, options: dict[str, Any]) -> "Tree":
    from lanterns_env.solve import Tree

    with count_line("histories, about") as show:
        return Tree(game, players, limit, _announce, lambda done, of: show(done, round(of)), **options)


def _announce(estimate: "Estimate") -> None:
    print(estimate, flush=True)


def _figures(tree: "Tree") -> dict[str, Any]:
    """What the tree is."""
    return {
        "game": tree.game.name,
        "players": tree.num_players,
        "options": tree.options,
        "histories": tree.num_histories,
        "information_sets": [len(tree.information_sets(seat)) for seat in range(tree.num_players)],
        "deals": len(tree.deals.orders),
        "size_in_bytes": tree.size_in_bytes,
        "payoff_range": tree.payoff_range,
    }


# -- what can be gained against agents ------------------------------------------------------------------------------


def _judge(args: argparse.Namespace, tree: "Tree", figures: dict[str, Any]) -> int:
    from lanterns_env.solve.measuring import measure

    found = []
    for agent in args.agent:
        with count_line(f"information sets, {printable(agent)}") as show:
            found.append(measure(tree, agent, args.seeds, show))
    seats = range(tree.num_players)
    columns = ["agent", "NashConv", "of the range", *(f"gain of {seat}" for seat in seats), "seeds"]
    show_table("What can be gained against", columns, [_row(each, tree.payoff_range) for each in found])
    if any(len(each.runs) > 1 for each in found):
        print("of agents that draw random numbers: mean and standard deviation over seeds")
    _keep(args.json, {**figures, "agents": [_measured(each) for each in found]})
    return 0


def _row(found: "Measured", payoff_range: float) -> list[str]:
    from lanterns_env.solve.measuring import spread

    totals, gains = found.totals, found.gains
    several = len(totals) > 1
    cells = [f"{column.mean():.4f}" + f" ± {spread(column):.4f}" * several for column in (totals, *gains.T)]
    return [printable(found.agent), cells[0], f"{totals.mean() / payoff_range:.4f}", *cells[1:], str(len(totals))]


def _measured(found: "Measured") -> dict[str, Any]:
    return {
        "agent": found.agent,
        "nash_conv": found.totals.tolist(),
        "gains": found.gains.tolist(),
        "values": found.values.tolist(),
    }


# -- solving --------------------------------------------------------------------------------------------------------


def _solve(args: argparse.Namespace, tree: "Tree", figures: dict[str, Any]) -> int:
    from lanterns_env.solve import nash_conv
    from lanterns_env.solve.saved import save
    from lanterns_env.solve.tree import OWN_DECISIONS

    solved = tree.under(OWN_DECISIONS) if args.out else tree
    lines, policy, interrupted = _solved(args, solved)
    with held_back(*STOPPING):
        judged = nash_conv(tree, policy)
        if args.out:
            save(args.out, policy, judged)
        _keep(args.json, {**figures, **_answer(args, lines, judged)})
    _show_solved(tree, lines, judged)
    if args.out:
        _say_kept(args.out, tree, solved)
    return INTERRUPTED if interrupted else 0


def _solved(args: argparse.Namespace, tree: "Tree") -> tuple[list["Line"], "Policy", bool]:
    """How NashConv fell, the best policy, and whether somebody stopped it."""
    from lanterns_env.solve.solving import solving

    lines: list[Line] = []
    policy = None
    try:
        with status_line() as say:
            for standing in solving(tree, **_ends(args, tree), algorithm=args.algorithm, best=True):
                policy = standing.policy
                lines.append(Line(standing.iterations, standing.seconds, standing.nash_conv.total))
                say(f"{lines[-1].iterations} iterations, NashConv {lines[-1].nash_conv:.3g}")
    except KeyboardInterrupt:
        if policy is None:
            raise
        return lines, policy, True
    assert policy is not None
    return lines, policy, False


def _ends(args: argparse.Namespace, tree: "Tree") -> dict[str, Any]:
    """When to stop: as given, else at the target, or when enough time has gone by."""
    if args.iterations is None and args.minutes is None and args.target is None:
        minutes = MINUTES if tree.num_players == TWO else MINUTES_OF_MORE
        return {"target": TARGET * tree.payoff_range, "seconds": minutes * MINUTE}
    return {
        "iterations": args.iterations,
        "seconds": None if args.minutes is None else args.minutes * MINUTE,
        "target": None if args.target is None else args.target * tree.payoff_range,
    }


def _show_solved(tree: "Tree", lines: list["Line"], judged: "NashConv") -> None:
    rows = [
        [
            f"{line.iterations:,}",
            f"{line.seconds:.1f}",
            f"{line.nash_conv:.6f}",
            f"{line.nash_conv / judged.payoff_range:.6f}",
        ]
        for line in thinned(lines)
    ]
    show_table("Solving", ["iterations", "seconds", "NashConv", "of the range"], rows)
    seats = [
        [str(seat), f"{judged.values[seat]:+.6f}", f"{judged.gains[seat]:.6f}"] for seat in range(tree.num_players)
    ]
    show_table("What each seat gets, and could gain by deviating alone", ["seat", "value", "gain"], seats)
    print(f"NashConv {judged.total:.6f}, {judged.share:.6f} of the payoff range of {judged.payoff_range:g}")


def thinned(lines: list["Line"]) -> list["Line"]:
    """Some of many lines: the last, and of the others those that lie far enough from one another."""
    kept: list[Line] = []
    for line in lines:
        if not kept or line.iterations >= THINNED * kept[-1].iterations:
            kept.append(line)
    return kept if kept[-1] is lines[-1] else [*kept, lines[-1]]


def _say_kept(file: str, tree: "Tree", solved: "Tree") -> None:
    print(f"kept: lanterns evaluate --agents tabular:{printable(file)},random ...")
    if solved.num_sets < tree.num_sets:
        print(
            f"it is made for what players see where they decide, {solved.num_sets:,} information sets; deviators were "
            f"given all {tree.num_sets:,}"
        )


def _answer(args: argparse.Namespace, lines: list["Line"], judged: "NashConv") -> dict[str, Any]:
    return {
        "algorithm": args.algorithm,
        "curve": [line._asdict() for line in lines],
        "nash_conv": judged.total,
        "gains": judged.gains.tolist(),
        "values": judged.values.tolist(),
    }


def _keep(file: str | None, figures: dict[str, Any]) -> None:
    if file is not None:
        write_whole(file, json.dumps(figures, indent=1) + "\n")
