"""The figures of the page "How far from optimal": which there are, and what each is called."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
PLAYING = ("random", "greedy", "expert", "champion")
PROBABLE = {"lanterns": ("champion",), "lumen": ("expert", "champion"), "lighthouse": ("expert", "champion")}
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


FIRST = (Variant("lanterns", 2, TINY), Variant("lighthouse", 2, TINY), Variant("lumen", 3, TINY))
THREE = (Variant("lanterns", 3, TINY), Variant("lighthouse", 3, TINY))
LARGER = tuple(replace(each, preset=SMALL) for each in (*FIRST, *THREE))


def cells() -> Iterator[Cell]:
    """All figures, the most important ones first."""
    for variant in (*FIRST, *THREE):
        yield from gains(variant)
    for variant in FIRST:
        yield from (Cell(CALIBRATION, variant, agent) for agent in VICTIMS)
        yield from searches(variant, SIMULATIONS[:4])
        yield from trainings(variant)
    for variant in LARGER:
        yield from gains(variant)
    for variant in FIRST:
        yield from searches(variant, SIMULATIONS[4:])


def gains(variant: Variant) -> Iterator[Cell]:
    """Of agents without random numbers of their own, what is learnt, what is solved."""
    drawn = [agent + DRAWN for agent in (*PROBABLE[variant.game], PPO)]
    yield from (Cell(GAINS, variant, agent) for agent in (*PLAYING, PPO, *drawn, SOLVED))


def searches(variant: Variant, simulations: tuple[int, ...]) -> Iterator[Cell]:
    for number in simulations:
        yield from (Cell(GAINS, variant, f"{SEARCH}:{number}", seed) for seed in range(SEARCH_SEEDS))


def trainings(variant: Variant) -> Iterator[Cell]:
    for seed in range(TRAINING_SEEDS):
        for ent_coef in ENT_COEFS:
            for magnet_coef in MAGNET_COEFS:
                settings = ("ent_coef", ent_coef), ("magnet_coef", magnet_coef)
                yield Cell(TRAINING, variant, PPO, seed, settings)
