"""The figures of the page "How far from optimal": which there are, and what each is called."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lanterns_env import GAMES
from lanterns_env.engine.game import Game

GAINS, TRAINING, CALIBRATION = "gains", "training", "calibration"  # kinds of figures
TINY, SMALL = "tiny", "small"
CONFIGS = {"lanterns": "tiny_lanterns_2p", "lumen": "tiny_lumen_3p", "lighthouse": "tiny_lighthouse_2p"}
SOLVED, PPO, SEARCH, DRAWN = (
    "solved",
    "ppo",
    "search",
    " drawn",
)  # agents; the last is added where actions are drawn by probabilities
NO_LOGITS = f"expert{DRAWN}"  # has no probabilities in Lanterns
QUICK, SLOW = ("random", "greedy", "expert", NO_LOGITS), (PPO, PPO + DRAWN, "champion", f"champion{DRAWN}")
SIMULATIONS, SEARCH_SEEDS = (10, 30, 100, 300, 1000, 3000), 10
ENT_COEFS, MAGNET_COEFS, TRAINING_SEEDS = (0.0, 0.01, 0.05), (0.0, 0.05, 0.2), 2
VICTIMS = ("random", "greedy", "expert", PPO, "champion", "search:30")


@dataclass(frozen=True)
class Variant:
    """A table of a small game."""

    game: str
    players: int
    preset: str
    changes: tuple[tuple[str, int], ...] = ()  # options that go before the preset's

    @property
    def name(self) -> str:
        return "-".join(
            [self.game, str(self.players), self.preset, *(f"{name}={value}" for name, value in self.changes)]
        )

    @property
    def the_game(self) -> Game:
        return GAMES[self.game]

    @property
    def given(self) -> dict[str, Any]:
        """The options as somebody would give them."""
        return {"preset": self.preset, **dict(self.changes)}

    @property
    def options(self) -> dict[str, Any]:
        """All of them."""
        return self.the_game.check_options(self.players, self.given)


@dataclass(frozen=True)
class Cell:
    """A figure: what is measured of whom on which variant."""

    kind: str
    variant: Variant
    agent: str
    seed: int = 0
    settings: tuple[tuple[str, float], ...] = ()  # of PPO

    @property
    def name(self) -> str:
        """Within its file."""
        return " ".join([self.agent, *(f"{name}={value:g}" for name, value in self.settings), f"seed={self.seed}"])


TABLES = (("lanterns", 2), ("lighthouse", 2), ("lumen", 3), ("lanterns", 3), ("lighthouse", 3))
TINIES = tuple(Variant(game, players, TINY) for game, players in TABLES)
SMALLS = tuple(Variant(game, players, SMALL) for game, players in TABLES)
LESS = (  # so small that much can be measured
    Variant("lanterns", 2, TINY, (("tiles", 5), ("first_tile", 1), ("columns", 5))),
    Variant("lighthouse", 2, TINY, (("cards", 4), ("max_turns", 4))),
    Variant("lumen", 3, TINY, (("hand", 1),)),
)


def cells() -> Iterator[Cell]:
    """All figures, those first that say most for their time."""
    for variant in LESS:
        yield from gains(variant, (*QUICK, SOLVED, *SLOW))
        yield from (Cell(CALIBRATION, variant, victim) for victim in VICTIMS)
    for variant in TINIES:
        yield from gains(variant, (*QUICK, SOLVED))
    for variant in LESS:
        yield from searches(variant, SIMULATIONS[:4])
        yield from trainings(variant)
    for variant in TINIES:
        yield from gains(variant, SLOW)
    for variant in LESS:
        yield from searches(variant, SIMULATIONS[4:])
    for variant in TINIES[:3]:
        yield from trainings(variant)
    for variant in SMALLS:
        yield from gains(variant, QUICK)


def gains(variant: Variant, agents: tuple[str, ...]) -> Iterator[Cell]:
    """Of agents without random numbers of their own."""
    known = [agent for agent in agents if agent != NO_LOGITS or variant.game != "lanterns"]
    yield from (Cell(GAINS, variant, agent) for agent in known)


def searches(variant: Variant, simulations: tuple[int, ...]) -> Iterator[Cell]:
    for number in simulations:
        yield from (Cell(GAINS, variant, f"{SEARCH}:{number}", seed) for seed in range(SEARCH_SEEDS))


def trainings(variant: Variant) -> Iterator[Cell]:
    for seed in range(TRAINING_SEEDS):
        for ent_coef in ENT_COEFS:
            for magnet_coef in MAGNET_COEFS:
                settings = ("ent_coef", ent_coef), ("magnet_coef", magnet_coef)
                yield Cell(TRAINING, variant, PPO, seed, settings)
