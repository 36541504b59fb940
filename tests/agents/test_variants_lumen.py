"""The agents of Lumen in smaller games: they play all of them to the end, and know of the cards what the rules say."""

from importlib.util import find_spec

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.lumen.heuristics import evaluate, set_up
from lanterns_agents.lumen.quick_rollout import tricks_expected
from lanterns_agents.lumen.rollout import ROUND
from lanterns_agents.lumen.worlds import WORLD, hand_size

from lanterns_env import Batch
from lanterns_env.agent import Table
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE
from tests.conftest import COMPILED
from tests.lumen.setup import GAME, PLAYERS, new_state, play_random, variant_by_chance, view_of

CHAMPION = pytest.param("champion", marks=pytest.mark.skipif(find_spec("onnxruntime") is None, reason="no onnxruntime"))
AGENTS = ["random", "greedy", "expert", "search:8", CHAMPION]
VARIANTS = 2  # of each number of players, beside the presets
POSITIONS = 60 if COMPILED else 6


def tables(rng):
    """Smaller games, by number of players and options."""
    yield from ((3, {"preset": "tiny"}), (3, {"preset": "small"}), (4, {"preset": "small"}))
    if COMPILED:
        yield from ((n, variant_by_chance(n, rng)) for n in PLAYERS for _ in range(VARIANTS))
        yield 5, {"hand": 1, "rounds": 2}


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_plays_smaller_games_to_the_end(agent):
    rng = np.random.default_rng(4)
    player = load(agent)
    for n, options in tables(rng):
        batch = Batch("lumen", 8 if COMPILED else 1, n, seed=n, autoreset=False, **options)
        decisions = n * batch.options["rounds"] * (1 + batch.options["hand"])
        for _ in range(decisions):
            rows = np.arange(len(batch))
            actions = player.act(Table(batch, rows, rows), rng)
            assert batch.action_masks[rows, actions].all()
            batch.step(actions)
        assert batch.dones.all()


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize("agent", ["greedy", "expert"])
@pytest.mark.parametrize("preset", ["tiny", "small"])
def test_one_who_knows_lumen_wins_more_of_the_small_games_than_chance(agent, preset):
    """One seat against random ones, each deal from every seat."""
    seats = np.arange(600) % 3
    batch = Batch("lumen", len(seats), 3, seeds=np.arange(600) // 3, autoreset=False, preset=preset)
    rng, knowing, random = np.random.default_rng(2), load(agent), load("random")
    while not batch.dones.all():
        rows = np.arange(len(batch))
        actions = random.act(Table(batch, rows, rows), rng)
        own = rows[batch.current_players == seats]
        actions[own] = knowing.act(Table(batch, own, own), rng)
        batch.step(actions)
    assert batch.scores()[1][np.arange(600), seats].mean() > 0.45


def positions(seed):
    rng = np.random.default_rng(seed)
    for k in range(POSITIONS):
        n = PLAYERS[k % 3]
        state = new_state(n, seed=int(rng.integers(1 << 60)), **variant_by_chance(n, rng))
        play_random(state, rng, int(rng.integers(n * state.rounds * (1 + state.hand))))
        yield state


def test_a_view_says_how_many_cards_were_dealt():
    for state in positions(1):
        assert [state.hand] * int(state.num_players) == [
            hand_size(view_of(state, seat)) for seat in range(state.num_players)
        ]


def test_shares_of_the_win_and_tricks_go_round():
    for state in positions(2):
        n, values = int(state.num_players), np.full(MAX_PLAYERS, 9, np.float32)
        assert evaluate(state, values)
        assert values[:n].sum() == pytest.approx(1, abs=1e-6)
        assert not values[n:].any()
        assert sum(tricks_expected(state, seat) for seat in range(n)) == pytest.approx(state.hand)


def test_players_of_a_search_know_of_their_cards_what_the_rules_say():
    for state in positions(3):
        n = int(state.num_players)
        world, play = np.zeros(1, WORLD)[0], np.zeros(1, ROUND)[0]
        set_up(state, world, play, n)
        for seat in range(n):
            chances = np.zeros((HAND, MAX_VALUE))
            GAME.belief(state, seat, chances)
            held = chances[: state.hand][np.asarray(state.trick_of[seat, : state.hand]) == 0]
            above = world.above[seat, : world.number[seat], :MAX_VALUE]
            assert held[:, ::-1].cumsum(axis=1)[:, ::-1] == pytest.approx(above)
