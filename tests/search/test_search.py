"""Search: known best moves, the same numbers again, nothing hidden, stronger than quick play."""

import functools
import itertools

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.search import heuristics_of

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table
from lanterns_env.engine.compile import specialise, template
from lanterns_env.games.lanterns.rules import final_round
from lanterns_env.search.ismcts import LINE, Search
from lanterns_env.search.tree import LEAST_WEIGHT, ROOT, clear, expand, shares_from_values
from tests.agents.test_agents import win_share
from tests.conftest import COMPILED
from tests.search.small_games import (
    COIN_GAME,
    DOOR_GAME,
    HIGHEST,
    KEYS,
    LATER,
    MOST_TAKEN,
    NIM_GAME,
    OPEN,
    RIGHT_KEY,
    SAFE,
    SAFE_PART,
    WAIT,
)

SIMULATIONS = 400 if COMPILED else 20
ALL_HEAPS = [heaps for heaps in itertools.product(range(HIGHEST + 1), repeat=3) if any(heaps)]
needs_compiler = pytest.mark.skipif(not COMPILED, reason="thousands of simulations")


def searched(batch, seed=0, **settings):
    settings = settings or {"simulations": SIMULATIONS}
    return Search(batch.game, **settings).run(batch, np.arange(seed, seed + len(batch)))


# -- small games ------------------------------------------------------------------------------------------------


@functools.cache
def wins_of_nim(heaps, num_players):
    """The seats from the mover on that win when each plays for itself, by full enumeration."""
    for heap, taken in itertools.product(range(3), range(1, MOST_TAKEN + 1)):
        if heaps[heap] >= taken:
            left = tuple(sticks - taken * (heap == place) for place, sticks in enumerate(heaps))
            if not any(left) or wins_of_nim(left, num_players) == num_players - 1:
                return 0
    after = [
        wins_of_nim(tuple(s - t * (h == p) for p, s in enumerate(heaps)), num_players)
        for h, t in itertools.product(range(3), range(1, MOST_TAKEN + 1))
        if heaps[h] >= t
    ]
    return (after[0] + 1) % num_players


def nim(heaps, num_players=2):
    batch = Batch(NIM_GAME, 1, num_players, autoreset=False)
    batch._states["heaps"] = heaps
    batch.observe()
    return batch


def move_of_nim(heaps, action):
    return tuple(sticks - (action % MOST_TAKEN + 1) * (action // MOST_TAKEN == p) for p, sticks in enumerate(heaps))


@needs_compiler
@pytest.mark.parametrize("heaps", [heaps for heaps in ALL_HEAPS if wins_of_nim(heaps, 2) == 0][::4])
def test_nim_is_won_where_it_can_be(heaps):
    found = searched(nim(heaps), simulations=3000)
    left = move_of_nim(heaps, int(found.actions[0]))
    assert not any(left) or wins_of_nim(left, 2) == 1


@needs_compiler
def test_values_are_those_of_perfect_play():
    won, lost = searched(nim((1, 2, 0)), simulations=4000), searched(nim((1, 1, 0)), simulations=4000)
    assert won.values[0, won.actions[0]] == pytest.approx(1, abs=0.05)
    assert lost.values[0, lost.actions[0]] == pytest.approx(0, abs=0.05)


@needs_compiler
def test_every_player_looks_for_its_own_result():
    """Three players: the first cannot win, and search knows who does."""
    heaps = (1, 1, 0)
    assert wins_of_nim(heaps, 3) == 1
    found = searched(nim(heaps, 3), simulations=500)
    assert found.values[0].max() == 0
    winning = searched(nim((1, 0, 0), 3), simulations=10)
    assert winning.values[0, 0] == 1


def test_what_cannot_be_known_is_not_used():
    """Who sees the coin calls it; who does not takes the safe part, now, and knows what a call is worth."""
    found = searched(Batch(COIN_GAME, 1, 2, seed=5, autoreset=False), simulations=1500)
    assert found.actions[0] == SAFE
    assert found.values[0, SAFE] == pytest.approx(SAFE_PART)
    assert found.values[0, LATER] == pytest.approx(0.5, abs=0.12)


# -- the three games ----------------------------------------------------------------------------------------------


def some_way_in(name, num_players, decisions=25, rows=3):
    batch, rng = Batch(name, rows, num_players, seed=2), np.random.default_rng(0)
    for _ in range(decisions):
        batch.step(batch.sample(rng))
    return batch


def test_the_same_seed_gives_the_same_numbers(name, num_players):
    batch = some_way_in(name, num_players)
    first, again, other = searched(batch), searched(batch), searched(batch, seed=9)
    assert np.array_equal(first.visits, again.visits)
    assert np.array_equal(first.values, again.values)
    assert first.principal_variations == again.principal_variations
    assert not np.array_equal(first.values, other.values)


def test_a_row_is_searched_alike_alone_and_beside_others(name):
    batch = some_way_in(name, min(GAMES[name].players))
    together = searched(batch)
    alone = Search(batch.game, SIMULATIONS).run(batch.worlds([1], batch.current_players[1:2], [77]), [1])
    assert np.array_equal(together.visits[1], alone.visits[0])


def test_search_knows_no_more_than_its_player(name, num_players):
    """Redealt worlds give the same search, number for number."""
    batch = some_way_in(name, num_players, 12)
    worlds = batch.worlds(np.arange(3), batch.current_players, np.arange(50, 53))
    assert np.array_equal(searched(batch).visits, searched(worlds).visits)


def test_only_legal_actions_are_visited_and_all_simulations_counted(name, num_players):
    batch = some_way_in(name, num_players)
    found = searched(batch)
    assert np.array_equal(found.simulations, [SIMULATIONS] * 3)
    assert np.array_equal(found.visits.sum(axis=1), [SIMULATIONS - 1] * 3)  # the first looks at the root alone
    assert not found.visits[batch.action_masks == 0].any()
    assert ((found.values >= 0) & (found.values <= 1)).all()


def test_the_line_begins_with_the_choice_and_can_be_played(name, num_players):
    batch = some_way_in(name, num_players)
    found = searched(batch)
    assert found.actions.tolist() == [line[0] for line in found.principal_variations]
    for row, line in enumerate(found.principal_variations):
        world = batch.worlds([row], batch.current_players[[row]], [3])
        line = searched(world).principal_variations[0]
        assert 1 <= len(line) <= LINE
        for action in line:
            world.step([action])


def best_of_end(batch, row):
    """The shares of all actions in a final round of Lanterns, where nothing is hidden: by full enumeration."""

    def shares(world):
        if world.dones[0]:
            return world.scores()[1][0]
        player = int(world.current_players[0])
        return max(
            (shares(after(world, action)) for action in np.flatnonzero(world.action_masks[0])), key=lambda s: s[player]
        )

    def after(world, action):
        copy = world.copy()
        copy.step([action])
        return copy

    start = batch.worlds([row], batch.current_players[[row]], [0])
    legal = np.flatnonzero(start.action_masks[0])
    return {int(action): float(shares(after(start, action))[start.current_players[0]]) for action in legal}


@needs_compiler
def test_the_end_of_lanterns_is_played_perfectly():
    """Exchanges and dedications after the last tile, against enumeration."""
    batch, rng, checked = Batch("lanterns", 300, 2, seed=4), np.random.default_rng(1), 0
    for _ in range(80):
        ends = [row for row in range(300) if final_round(batch.states[row]) and batch.action_masks[row].sum() > 1]
        for row in ends[:3]:
            exact = best_of_end(batch, row)
            if len(set(exact.values())) > 1:
                found = searched(batch.worlds([row], batch.current_players[[row]], [0]), simulations=3000)
                assert exact[int(found.actions[0])] == max(exact.values())
                checked += 1
        if checked >= 12:
            return
        batch.step(batch.sample(rng))
    assert checked >= 12


@needs_compiler
def test_the_last_choice_of_a_round_of_lumen():
    """Two cards left, last to play: both choices are counted out over many worlds."""
    batch, checked = Batch("lumen", 400, 3, seed=8, autoreset=False), 0
    agent, rng = load("greedy"), np.random.default_rng(0)
    rows = np.arange(400)
    while checked < 8:
        states = batch.states
        late = (states["tricks_done"] == 8) & (states["round_number"] == 4) & (states["phase"] == 1)
        last = (states["table"][:, :3] >= 0).sum(axis=1) == 2
        for row in np.flatnonzero(late & last & (batch.action_masks.sum(axis=1) == 2) & ~batch.dones):
            exact = counted_out(batch, int(row))
            if abs(exact[0][1] - exact[1][1]) > 0.15:
                found = searched(batch.worlds([row], batch.current_players[[row]], [0]), simulations=2000)
                assert int(found.actions[0]) == max(exact, key=lambda pair: pair[1])[0]
                checked += 1
        rows = rows[~batch.dones[rows]]
        assert len(rows)
        batch.step(agent.act(Table(batch, rows, rows), rng), rows)


def counted_out(batch, row, worlds=500):
    """(action, mean share) of either card; all that follows is forced."""
    seat = int(batch.current_players[row])
    results = []
    for action in np.flatnonzero(batch.action_masks[row]):
        world = batch.worlds([row] * worlds, [seat] * worlds, np.arange(worlds))
        world.step([action] * worlds)
        while not world.dones.all():
            world.step(world.action_masks.argmax(axis=1)[~world.dones], np.flatnonzero(~world.dones))
        results.append((int(action), float(world.scores()[1][:, seat].mean())))
    return results


@needs_compiler
@pytest.mark.slow
def test_search_beats_greedy(name):
    share = win_share(name, load("search:300"), min(GAMES[name].players), 20, others="greedy")
    assert share >= {"lanterns": 0.75, "lumen": 0.55, "lighthouse": 0.75}.get(name, 0.5)


@needs_compiler
def test_playing_to_the_end_needs_no_evaluation(name):
    batch = some_way_in(name, min(GAMES[name].players))
    settings = {"simulations": 300, "heuristics": heuristics_of(batch.game)}
    found = searched(batch, rollout_to_end=True, **settings)
    assert np.array_equal(found.visits.sum(axis=1), [299] * 3)
    assert not np.array_equal(found.values, searched(batch, **settings).values)


# -- reuse, time, and an evaluator -------------------------------------------------------------------------------------


class Remembering:
    """A searching player at the first row of a batch; the others move at random."""

    def __init__(self, name, reuse):
        self.batch = Batch(name, 1, min(GAMES[name].players), seed=11, autoreset=False)
        self.search = Search(self.batch.game, SIMULATIONS, reuse=reuse)
        self.rng = np.random.default_rng(3)

    def results(self, decisions):
        """The numbers of visits at the root, decision by decision; between them another game is looked at."""
        visits, other = [], some_way_in(self.batch.game.name, min(self.batch.game.players), rows=1)
        for k in range(decisions):
            if self.batch.dones[0]:
                break
            if self.batch.current_players[0] == 0:
                found = self.search.run(self.batch.worlds([0], [0], [k]), [k], [7])
                self.search.run(other, [1], [8])
                visits.append(int(found.visits.sum()))
                self.batch.step(found.actions)
            else:
                self.batch.step(self.batch.sample(self.rng))
        return visits


def test_what_is_known_of_a_game_is_kept(name):
    decisions = 60 if COMPILED else 24
    fresh, known = (Remembering(name, reuse).results(decisions) for reuse in (False, True))
    assert set(fresh) == {SIMULATIONS - 1}
    assert min(known) == SIMULATIONS - 1  # the first, and after what the tree had not met
    assert max(known) > SIMULATIONS


def test_another_game_begins_anew():
    batch = some_way_in("lighthouse", 2, rows=1)
    search = Search(batch.game, SIMULATIONS, reuse=True)
    first = search.run(batch, [0], [1])
    again, other = search.run(batch, [0], [1]), search.run(batch, [0], [2])
    assert again.visits.sum() > first.visits.sum()
    assert np.array_equal(first.visits, other.visits)


def test_each_seat_of_a_game_begins_anew():
    batch = Batch("lanterns", 1, 2, seed=4, autoreset=False)
    search = Search(batch.game, SIMULATIONS, reuse=True)
    while batch.current_players[0] == 0:
        search.run(batch, [0], [1])
        batch.step(batch.sample(np.random.default_rng(0)))
    assert search.run(batch, [0], [1]).visits.sum() == SIMULATIONS - 1


def test_no_more_trees_are_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr("lanterns_env.search.ismcts.REMEMBERED", 2)
    batch = some_way_in("lighthouse", 2, rows=1)
    search = Search(batch.game, SIMULATIONS, reuse=True)
    first = [int(search.run(batch, [0], [number]).visits.sum()) for number in (1, 2, 1, 3, 2, 1)]
    anew = SIMULATIONS - 1
    assert [visits > anew for visits in first] == [False, False, True, False, False, False]


def test_a_limit_of_time_is_kept():
    batch = some_way_in("lumen", 3, rows=1)
    Search(batch.game, 2).run(batch, [0])
    found = Search(batch.game, milliseconds=30).run(batch, [0])
    assert found.simulations[0] > 0
    assert found.visits.sum() == found.simulations[0] - 1


class Oracle:
    """An evaluator that knows Nim: the values of all seats are true, its priors lead astray or not."""

    def __init__(self, right, num_players=2):
        self.right, self.num_players = right, num_players
        self.asked = []

    def policy_and_value(self, views, action_masks):
        self.asked.append(len(views))
        n, logits = self.num_players, np.zeros(action_masks.shape, np.float32)
        values = np.zeros((len(views), NIM_GAME.max_players), np.float32)
        for row, view in enumerate(views):
            heaps = tuple(int(sticks) for sticks in view["heaps"])
            if any(heaps):
                values[row, :n] = -1 / (n - 1)
                values[row, wins_of_nim(heaps, n)] = 1
            for action in np.flatnonzero(action_masks[row]):
                left = move_of_nim(heaps, action)
                wins = not any(left) or wins_of_nim(left, n) == n - 1
                logits[row, action] = 2 if wins == self.right else 0
        return logits, values


@pytest.mark.parametrize(("right", "simulations"), [(True, 10), (False, 300)])
def test_an_evaluator_leads_the_search(right, simulations):
    heaps = (1, 2, 4)
    assert wins_of_nim(heaps, 2) == 0
    evaluator = Oracle(right)
    found = searched(nim(heaps), simulations=simulations, evaluator=evaluator, c_puct=0.5)
    left = move_of_nim(heaps, int(found.actions[0]))
    assert wins_of_nim(left, 2) == 1
    assert found.values[0, found.actions[0]] > 0.5
    assert evaluator.asked == [1] * simulations


@pytest.mark.parametrize("num_players", [2, 3])
def test_every_seat_gets_its_own_value(num_players):
    """Of the first move tried, seen by who moves next: whether the searching player wins there, not that it may."""
    expected, found = [], []
    for heaps, right in itertools.product([each for each in ALL_HEAPS if sum(each) > 1], (True, False)):
        result = searched(nim(heaps, num_players), simulations=2, evaluator=Oracle(right, num_players))
        left = move_of_nim(heaps, int(result.actions[0]))
        expected.append(float(not any(left) or wins_of_nim(left, num_players) == num_players - 1))
        found.append(float(result.values[0].max()))
    assert expected == found
    assert set(expected) == {0.0, 1.0}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 0, 0], [1 / 3, 1 / 3, 1 / 3]),
        ([1, -0.5, -0.5], [1, 0, 0]),
        ([-0.5, 0.25, 0.25], [0, 0.5, 0.5]),
        ([0.1, 0.2, -0.3], [0.4, 7 / 15, 2 / 15]),
        ([3, -1, -2], [1, 0, 0]),  # what is impossible ends at what is possible
        ([-2, 1, 1], [0, 0.5, 0.5]),
        ([-1, -1, -1], [1 / 3, 1 / 3, 1 / 3]),
        ([np.inf, 0, -np.inf], [0.75, 0.25, 0]),
    ],
    ids=str,
)
@pytest.mark.parametrize("player", range(3))
def test_shares_come_from_values_and_are_1_in_all(values, expected, player):
    """In turn order from who is to move."""
    state, shares = np.zeros(1, NIM_GAME.state)[0], np.full(4, 9, np.float32)
    state.num_players, state.player = 3, player
    shares_from_values(state, np.array(values, np.float32), shares)
    assert expected == pytest.approx(np.roll(shares[:3], -player).tolist(), abs=1e-6)
    assert shares[3] == 9


class Wide(Oracle):
    """An evaluator of a game with one action more."""

    def policy_and_value(self, views, action_masks):
        return np.zeros((len(views), action_masks.shape[1] + 1)), np.zeros((len(views), NIM_GAME.max_players))


class OfOne(Oracle):
    """An evaluator that has a value for who is to move alone."""

    def policy_and_value(self, views, action_masks):
        return np.zeros(action_masks.shape), np.zeros(len(views))


@pytest.mark.parametrize(
    ("kind", "words"), [(Wide, r"not \(1, 10\) and \(1, 3\)"), (OfOne, r"not \(1, 9\) and \(1,\)")]
)
def test_an_evaluator_of_the_wrong_size_is_refused(kind, words):
    expected = r"an evaluator gives logits of the shape \(1, 9\) and values of every seat, \(1, 3\), "
    with pytest.raises(ValueError, match=expected + words):
        searched(nim((1, 2, 4)), simulations=2, evaluator=kind(True))


def test_a_prior_counts_where_nothing_else_is_known():
    few = [searched(nim((1, 2, 4)), simulations=2, evaluator=Oracle(right)) for right in (True, False)]
    wins = [wins_of_nim(move_of_nim((1, 2, 4), int(found.actions[0])), 2) == 1 for found in few]
    assert [True, False] == wins


class Doorkeeper:
    """An evaluator that knows which key is right, and counts how often it is shown the open door."""

    def __init__(self, surely):
        self.surely, self.shown = surely, 0

    def policy_and_value(self, views, action_masks):
        self.shown += int((views["opened"] * (1 - views["over"])).sum())
        logits = np.full(action_masks.shape, -self.surely, np.float32)
        logits[:, [OPEN, KEYS + RIGHT_KEY]] = 0
        return logits, np.zeros((len(views), DOOR_GAME.max_players), np.float32)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("surely", [3.0, 1e9, np.inf])
def test_an_evaluator_is_asked_where_the_game_goes_on_though_it_was_over_there_in_another_world(seed, surely):
    """Both are one node here.  The evaluator sees it once, whatever world comes first; then the key is known."""
    evaluator = Doorkeeper(surely)
    found = searched(Batch(DOOR_GAME, 1, 2, seed=1, autoreset=False), seed, simulations=100, evaluator=evaluator)
    assert evaluator.shown == 1
    assert found.visits.sum() == 99
    assert found.values[0, OPEN] > 0.8


@pytest.mark.parametrize(
    ("logits", "weights"),
    [
        ([0.0, 0.0], [1, 1]),
        ([-1e9, -1e9], [1, 1]),
        ([-np.inf, -np.inf], [1, 1]),
        ([100.0, 100.0 - np.log(4)], [1, 0.25]),
        ([-100.0, 100.0], [LEAST_WEIGHT, 1]),
        ([-3e38, 3e38], [LEAST_WEIGHT, 1]),
        ([0.0, -np.inf], [1, LEAST_WEIGHT]),
        ([np.inf, 0.0], [1, LEAST_WEIGHT]),
        ([np.nan, 0.0], [1, 1]),
    ],
    ids=str,
)
def test_weights_of_an_evaluator_are_above_0_whatever_it_says(logits, weights):
    """Beside the best legal action; an edge that another world adds gets their mean."""
    with Search(DOOR_GAME, 10, evaluator=Doorkeeper(0))._workspaces(1) as (workspace,):
        tree, scratch = workspace.both
    clear(tree, 0)
    specialise(legal_to, DOOR_GAME)(scratch)
    said = np.full(DOOR_GAME.num_actions, 1e9, np.float32)  # of illegal actions too
    said[[OPEN, WAIT]] = logits
    specialise(expand, DOOR_GAME)(scratch.world[0], ROOT, tree, scratch, said)
    assert tree.edges["weight"][:2].tolist() == pytest.approx(weights, rel=1e-5)
    assert tree.nodes["weight"][ROOT] == pytest.approx(sum(weights) / 2, rel=1e-5)


@template
def legal_to(scratch):
    legal(scratch.world[0], scratch.mask)  # noqa: F821


def test_a_search_needs_one_limit():
    for limits in ({}, {"simulations": 10, "milliseconds": 10}):
        with pytest.raises(ValueError, match="one limit: a number of simulations, or of milliseconds"):
            Search(GAMES["lumen"], **limits)


@pytest.mark.parametrize("budget", ["", "0", "many", "20x", "50ms+", "-5"])
def test_a_budget_that_is_none_is_explained(budget):
    with pytest.raises(ValueError, match="search:2000, search:50ms"):
        load(f"search:{budget}") if budget else load("search:0")
