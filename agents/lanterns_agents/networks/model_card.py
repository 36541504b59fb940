"""The card of a network: what it was made for and how, and how it did.  It lies in its file and beside it."""

import hashlib
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import lanterns_env
from lanterns_agents.features import FEATURES
from lanterns_env import GAMES
from lanterns_env.agent import EXPORTED
from lanterns_env.match.saved import read
from lanterns_env.match.statistics import command, first_interval

DIGITS = 16  # of the fingerprint of weights
LONGEST = 40  # letters of a layout
CARD_KINDS = {  # what a card must say
    "game": str,
    "game_version": int,
    "layout": str,
    FEATURES: str,
    "players": list,
    "options": dict,
    "weights": str,
    "results": list,
}
COPIED = ("layout", FEATURES, "network", "config", "decisions", "seconds", "initialised_from")  # from the saved network
CHAMPION = "champion"  # agents whose name begins with it play by a network too


def make_card(saved: Mapping[str, Any], training_eval: list[dict[str, Any]]) -> dict[str, Any]:
    """Of a saved network, with the results of the last evaluation while it was trained."""
    config, game = saved["config"], GAMES[saved["game"]]
    players = sorted(set(config["num_players"]))
    return {
        "game": game.name,
        "game_version": game.version,
        "package_version": lanterns_env.__version__,
        "weights": fingerprint(saved["weights"]),
        "players": players,
        "options": game.check_options(min(players), config["game_options"]),
        **{name: saved[name] for name in COPIED},
        "training_eval": training_eval,
        "results": [],
    }


def fingerprint(weights: Mapping[str, Any]) -> str:
    """By which results are known to be of these weights."""
    whole = hashlib.sha256()
    for name, weight in sorted(weights.items()):
        whole.update(name.encode() + np.asarray(weight).tobytes())
    return whole.hexdigest()[:DIGITS]


def last_evaluation(log: Iterable[Mapping[str, Any]], config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Who was met while training ended, how often the network won, and of how many games."""
    evaluations: list[Mapping[str, Any]] = [line["results"] for line in log if "results" in line]
    found = []
    for name, (share, *interval) in evaluations[-1].items() if evaluations else ():
        against, _, players = name.rpartition(" ")
        count = int(players.removesuffix("p"))
        games = config["eval_deals"] * count
        found.append({"against": against, "players": count, "win_share": share, "interval": interval, "games": games})
    return found


def match_result(file: str, card: Mapping[str, Any]) -> dict[str, Any]:
    """What a saved match says of the network: its first agent."""
    match = read(file)
    data, row = match.to_json(), match.rows[0]
    if data["game"] != card["game"]:
        raise ValueError(f"{file} is a match of {data['game']}, the network plays {card['game']}")
    if not (row.agent.endswith(EXPORTED) or row.agent.partition(":")[0] == CHAMPION):
        raise ValueError(f"{file}: the first agent must be the network, not {row.agent!r}")
    return {
        **{key: data[key] for key in ("players", "agents", "options", "deals", "seed", "complete", "version")},
        "games": data["games"],
        "win_share": row.win_share,
        "interval": first_interval(data),
        "mean_margin": row.mean_margin,
        "margin_interval": row.margin_interval,
        "command": command(data),
    }


def check_card(card: Any, name: str) -> dict[str, Any]:
    """Refuse a card that does not say what every card says."""
    if not isinstance(card, dict):
        raise ValueError(f"the card of {name} is none: it holds {type(card).__name__}")
    for key, kind in CARD_KINDS.items():
        if type(card.get(key)) is not kind:
            raise ValueError(f"the card of {name} is not whole: {key} must be of the kind {kind.__name__}")
    if card["game"] not in GAMES:
        raise ValueError(
            f"{name} plays {reprlib.repr(card['game'])}, and there is no such game; there are: {', '.join(GAMES)}"
        )
    if not all(type(count) is int for count in card["players"]):
        raise ValueError(f"the card of {name} is not whole: players must be a list of numbers")
    for key in ("layout", FEATURES):
        if len(card[key]) > LONGEST or not card[key].isprintable():
            raise ValueError(f"the card of {name} is not whole: {key} must be a fingerprint")
    return card
