"""The agents of Lighthouse Architects in smaller games: they play them all, and see in the view how large they are."""

from contextlib import suppress
from importlib.util import find_spec

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.features import compute_features
from lanterns_agents.lighthouse.player_model import ALL_STONES, COLOUR_BITS, stones_of
from lanterns_agents.lighthouse.position import board_of
from lanterns_agents.lighthouse.reachable import NEAR, REACH, find_orders

from lanterns_env import Batch
from lanterns_env.agent import Table
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    destination,
    first_tower,
    is_tower,
    keeps_duty,
    landed,
    lifted,
    stack_on,
    step_cost,
    stone_at,
)
from lanterns_env.games.lighthouse.rules import MOVE
from tests.conftest import COMPILED
from tests.lighthouse.table import GAME, dealt, mask_of, random_game, view_of

CHAMPION = pytest.param("champion", marks=pytest.mark.skipif(find_spec("onnxruntime") is None, reason="no onnxruntime"))
AGENTS = ["random", "greedy", "expert", "search:8", CHAMPION]
SIZES = ("islands", "tower", "colours", "stones", "cards", "hand", "move_points", "asked")
VARIANTS = 3 if COMPILED else 1  # of each number of players, beside the presets
DECISIONS = {"random": 90, "greedy": 90, "expert": 60, "search:8": 8, "champion": 60} if COMPILED else {}
FEW = 3  # decisions, where nothing is compiled


def variant_by_chance(n, rng):
    """A smaller game that can be played, short."""
    while True:
        chosen = {"max_turns": int(rng.integers(8, 20))}
        for name in SIZES:
            values = GAME.options[name].values
            chosen[name] = values[int(rng.integers(len(values)))]
        with suppress(ValueError):
            return GAME.check_options(n, chosen)


def tables(rng):
    """Smaller games, by number of players and options."""
    yield from ((n, {"preset": preset}) for n in (2, 3) for preset in GAME.presets)
    yield from ((n, variant_by_chance(n, rng)) for n in GAME.players for _ in range(VARIANTS))


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_plays_smaller_games(agent):
    rng = np.random.default_rng(4)
    player = load(agent)
    for n, options in tables(rng):
        batch = Batch("lighthouse", 4 if COMPILED else 1, n, seed=n, **options)
        rows = np.arange(len(batch))
        for _ in range(DECISIONS.get(agent, FEW)):
            table = Table(batch, rows, rows)
            actions = player.act(table, rng)
            assert batch.action_masks[rows, actions].all()
            batch.step(actions)


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize("agent", ["greedy", "expert"])
@pytest.mark.parametrize("preset", GAME.presets)
def test_one_who_knows_the_game_wins_more_of_the_small_games_than_chance(agent, preset):
    """One seat against a random one, each deal from every seat."""
    seats = np.arange(600) % 2
    batch = Batch("lighthouse", len(seats), 2, seeds=np.arange(600) // 2, autoreset=False, preset=preset)
    rng, knowing, random = np.random.default_rng(2), load(agent), load("random")
    while not batch.dones.all():
        rows = np.flatnonzero(~batch.dones)
        actions = random.act(Table(batch, rows, rows), rng)
        own = batch.current_players[rows] == seats[rows]
        if own.any():
            actions[own] = knowing.act(Table(batch, rows[own], rows[own]), rng)
        batch.step(actions, rows)
    assert batch.scores()[1][np.arange(600), seats].mean() > 0.6


def positions(seed):
    rng = np.random.default_rng(seed)
    for k in range(60 if COMPILED else 4):
        n = GAME.players[k % 3]
        state = dealt(n, int(rng.integers(1 << 60)), **variant_by_chance(n, rng))
        for number, _ in enumerate(random_game(state, rng)):
            if number % 7 == 0:
                yield state


def test_a_view_says_how_large_the_game_is():
    for state in positions(1):
        view = view_of(state, int(state.player))
        assert int(state.board) == board_of(view)
        counts = [(stones_of(view) >> (COLOUR_BITS * colour)) & 31 for colour in range(3)]
        assert [int(state.stones)] * int(state.colours) == counts[: int(state.colours)]
        assert 0 == sum(counts[int(state.colours) :])


def test_the_full_game_has_all_stones():
    assert ALL_STONES == stones_of(view_of(dealt(2), 0))


def orders_within_reach(board, harbour, points, duty):
    """The orders that some row of legal steps can finish, towers on the way being taken to stand."""
    found = set()
    for source in range(HARBOUR, 8):
        if step_cost(board, harbour, source) > points:
            continue
        if duty and source != HARBOUR and not keeps_duty(board, harbour, source, points, False):
            continue
        island, cost = destination(board, source)
        then = landed(board if source == HARBOUR else lifted(board, source), stone_at(board, harbour, source), island)
        stone, left = -1 if source == HARBOUR else harbour, points - cost
        if is_tower(then, island):
            found.add(stack_on(then, island) - first_tower(then))
        must = (duty and source != HARBOUR) or step_cost(then, stone, HARBOUR) <= left
        found |= orders_within_reach(then, stone, left, must)
    return found


def test_orders_within_reach_are_those_of_all_rows_of_steps():
    looked = 0
    for state in positions(2):
        if state.phase != MOVE or state.over:
            continue
        board, harbour, points = int(state.board), int(state.harbour), int(state.points)
        reach = np.zeros(1, REACH)[0]
        find_orders(board, harbour, points, bool(state.duty), NEAR, reach)
        expected = orders_within_reach(board, harbour, points, bool(state.duty))
        assert sum(1 << card for card in expected) == np.bitwise_or.reduce(reach.orders)
        looked += 1
    assert looked > (100 if COMPILED else 2)


def test_features_of_smaller_games_are_finite():
    for state in positions(3):
        views = np.array([view_of(state, int(state.player))], GAME.view)
        features = compute_features(GAME, GAME.to_array(views))
        assert np.isfinite(features).all()
        assert mask_of(state).any()
