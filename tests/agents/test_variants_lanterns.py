"""Smaller games of Lanterns: agents find what is left of a game in the view, and play legal actions to its end."""

from importlib.util import find_spec

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.lanterns.outlook import placements_each, turns_left
from lanterns_agents.lanterns.rough_values import dedications_left

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table
from lanterns_env.games.lanterns import rules
from tests.conftest import COMPILED

GAME = GAMES["lanterns"]
NO_ONNX = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="no onnxruntime")
NETWORKS = [pytest.param(agent, marks=NO_ONNX) for agent in ("champion", "search:4+champion")]
PRESETS = [(num_players, {"preset": name}) for num_players in (2, 3) for name in GAME.presets]
OTHERS = [
    (2, {"tiles": 12, "first_tile": 20, "hand": 1, "placements": 6, "stack": 2}),
    (3, {"tiles": 9, "first_tile": 9, "hand": 2, "placements": 3, "columns": 5, "left": 2, "rows": 2}),
    (4, {"tiles": 5, "hand": 1, "placements": 1, "rows": 1}),
    *([(4, {"placements": 5, "stack": 3})] if COMPILED else []),
]
SEARCH = "search:8" if COMPILED else "search:2"


def positions(num_players, options, games):
    """Batches of random games, after every step until all are over."""
    batch = Batch("lanterns", games, num_players, seed=5, autoreset=False, **options)
    rng = np.random.default_rng(5)
    while not batch.dones.all():
        yield batch
        going = np.flatnonzero(~batch.dones)
        batch.step(batch.sample(rng, going), going)
    yield batch


@pytest.mark.parametrize(("num_players", "options"), [(2, {}), (3, {}), (4, {}), *PRESETS, *OTHERS])
def test_what_is_left_of_a_game_can_be_seen(num_players, options):
    """How many tiles each player places, and how often each may still dedicate, once the present turn has ended."""
    each = GAME.check_options(num_players, options)["placements"] or {2: 11, 3: 9, 4: 8}[num_players]
    for batch in positions(num_players, options, games=2 if COMPILED else 1):
        for row, state in enumerate(batch.states):
            for seat in range(num_players):
                view = batch.observe([row], seat).view(GAME.view)[0, 0]
                assert each == placements_each(view) == rules.placements_each(state)
                if state.over:
                    continue
                present = seat == state.player and state.phase <= rules.DEDICATE
                assert dedications_left(state, seat) - present == turns_left(view, 0)


@pytest.mark.parametrize("agent", ["random", "greedy", "expert", SEARCH, *NETWORKS])
@pytest.mark.parametrize(("num_players", "options"), [*PRESETS, *OTHERS])
def test_agents_play_to_the_end(num_players, options, agent):
    """A batch refuses illegal actions."""
    games = 6 if COMPILED else 1
    batch = Batch("lanterns", games, num_players, seed=8, autoreset=False, **options)
    player, rng, rows = load(agent), np.random.default_rng(1), np.arange(games)
    while len(rows):
        batch.step(player.act(Table(batch, rows, rows), rng), rows)
        rows = rows[~batch.dones[rows]]
    assert batch.dones.all()
    np.testing.assert_allclose(batch.scores()[1].sum(1), 1, rtol=1e-6)
