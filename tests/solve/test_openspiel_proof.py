"""Two ways to the same numbers: OpenSpiel walks the games state by state, our solver its compiled tree."""

import functools

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability  # noqa: E402
from open_spiel.python.policy import TabularPolicy  # noqa: E402

from lanterns_env import GAMES  # noqa: E402
from lanterns_env.openspiel import register  # noqa: E402
from lanterns_env.solve import Policy, Tree, nash_conv, policy_of, solve  # noqa: E402
from lanterns_env.solve.policy import sums_of  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.solve.poker import KUHN_GAME, KUHN_STACK, LEDUC_GAME, LEDUC_STACK  # noqa: E402
from tests.solve.recorded import Recorded  # noqa: E402

for game in (KUHN_GAME, LEDUC_GAME):
    register(game)

LAKE = {"placements": 1, "hand": 1}
RING = {"islands": 3, "tower": 2, "hand": 1, "max_turns": 4}
ROUND = {"colours": 2, "top_value": 2, "hand": 1, "rounds": 1, "first_dark_plus": 0, "bead_limit": True, "beads": 1}
POKER = {  # OpenSpiel's own, our game, players, and how many chips an outcome of 1 stands for
    "kuhn": ("kuhn_poker(players=2)", KUHN_GAME, 2, KUHN_STACK),
    "kuhn for three": ("kuhn_poker(players=3)", KUHN_GAME, 3, 2 * KUHN_STACK),
    "leduc": ("leduc_poker(suit_isomorphism=true)", LEDUC_GAME, 2, LEDUC_STACK),
}
VARIANTS = {
    "kuhn": (KUHN_GAME, 2, {}),
    "kuhn for three": (KUHN_GAME, 3, {}),
    "leduc": (LEDUC_GAME, 2, {}),
    "lanterns": (GAMES["lanterns"], 2, {**LAKE, "tiles": 4, "columns": 3, "rows": 2}),
    "lanterns for three": (GAMES["lanterns"], 3, {**LAKE, "tiles": 3, "columns": 4, "rows": 1, "empty_chair": 2}),
    "lighthouse": (GAMES["lighthouse"], 2, {**RING, "colours": 2, "stones": 2, "cards": 2, "move_points": 2}),
    "lighthouse for three": (GAMES["lighthouse"], 3, {**RING, "stones": 1, "cards": 4, "move_points": 1}),
    "lumen": (GAMES["lumen"], 3, ROUND),
}
SLOW = {"leduc", "lanterns", "lighthouse for three", "lumen"}  # to be walked a hundred times
SINGLE = 1e-6  # shares of the bridge are in single precision: a third is not exact


def histories_alike(ours, theirs, unseen, stack, pairs):
    """How many decisions there are from here on: all by the same player, with the same actions, and the same ends.

    The information states of both sides go into ``pairs``.  Where the other side draws a card, it is the unseen one.
    """
    if theirs.is_chance_node():
        theirs = theirs.child(int(unseen[0]))
    assert theirs.current_player() == ours.current_player()
    assert theirs.legal_actions() == ours.legal_actions()
    if theirs.is_terminal():
        assert theirs.returns() == pytest.approx([stack * outcome for outcome in ours.returns()], abs=SINGLE)
        return 0
    pairs.add((theirs.information_state_string(), ours.information_state_string()))
    rest = (histories_alike(ours.child(a), theirs.child(a), unseen, stack, pairs) for a in ours.legal_actions())
    return 1 + sum(rest)


@pytest.mark.parametrize("table", POKER)
def test_poker_is_openspiels_own(table):
    own, game, players, stack = POKER[table]
    theirs = Recorded(pyspiel.load_game(own)).root
    ours = Recorded(pyspiel.load_game(f"python_{game.name}(players={players})")).root
    pairs = set()
    decisions = 0
    for number, order in enumerate(game.deals(players, {}).orders):
        dealt = theirs
        for card in order[:players]:
            dealt = dealt.child(int(card))
        decisions += histories_alike(ours.child(number), dealt, order[players:], stack, pairs)
    assert {"kuhn": 6 * 4, "kuhn for three": 24 * 12, "leduc": 24 * (6 + 5 * 6)}[table] == decisions
    assert {"kuhn": 12, "kuhn for three": 48, "leduc": 288}[table] == len(pairs)
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


# -- the same numbers -------------------------------------------------------------------------------------------


def tables(slow=frozenset()):
    """All variants; with the compiler off the smallest."""
    small = pytest.mark.skipif(not COMPILED, reason="plain Python walks Kuhn's poker alone")
    marks = {table: [small] * ("kuhn" not in table) + [pytest.mark.slow] * (table in slow) for table in VARIANTS}
    return [pytest.param(table, marks=marks[table]) for table in VARIANTS]


EXACT = 1e-9
ITERATIONS = 100


class Both:
    """A variant both ways: our tree, and the game that OpenSpiel walks through the bridge."""

    def __init__(self, game, players, **options):
        self.tree = Tree(game, players, **options)
        self.game = Recorded(pyspiel.load_game(f"python_{game.name}", {"players": players, **options}))
        self.keys = [self.key(*self.tree.history(number)) for number in range(self.tree.num_sets)]

    def key(self, deal, actions):
        """The information state of a line of play, as OpenSpiel is given it."""
        state = self.game.root.child(deal)
        for action in actions:
            state = state.child(action)
        return state.information_state_string()

    def tabular(self, policy):
        """A policy of our tree as one of OpenSpiel's."""
        table = TabularPolicy(self.game)
        table.action_probability_array[:] = 0
        for number, key in enumerate(self.keys):
            for action, probability in policy.at(number).items():
                table.policy_for_key(key)[action] = probability
        return table


@functools.cache
def both(table):
    game, players, options = VARIANTS[table]
    return Both(game, players, **options)


def some_policies(tree):
    rng = np.random.default_rng(0)
    drawn = rng.exponential(size=tree.num_entries)
    first = np.zeros(tree.num_entries)
    first[tree.form.firsts[:-1]] = 1
    yield Policy.uniform(tree)
    yield Policy(tree, drawn / np.repeat(sums_of(tree, drawn), np.diff(tree.form.firsts)))
    yield Policy(tree, first)
    yield solve(tree, iterations=ITERATIONS)
    if tree.game in GAMES.values():
        yield policy_of(tree, "greedy")


def judged_alike(sides, policy, table):
    """Value and gain of every seat, as OpenSpiel and as we compute them."""
    ours = nash_conv(sides.tree, policy)
    theirs = exploitability.nash_conv(sides.game, table, return_only_nash_conv=False)
    values = expected_game_score.policy_value(sides.game.root, [table] * sides.tree.num_players)
    assert values == pytest.approx(ours.values, abs=EXACT)
    assert theirs.player_improvements == pytest.approx(ours.gains, abs=EXACT)
    assert theirs.nash_conv == pytest.approx(ours.total, abs=EXACT)


@pytest.mark.parametrize("table", tables())
def test_information_sets_are_openspiels(table):
    sides = both(table)
    tree, theirs = sides.tree, TabularPolicy(sides.game)
    assert [len(states) for states in theirs.states_per_player] == [
        len(tree.information_sets(seat)) for seat in range(tree.num_players)
    ]
    for seat, states in enumerate(theirs.states_per_player):
        assert set(states) == {sides.keys[number] for number in tree.information_sets(seat)}
    for number, key in enumerate(sides.keys):
        mask = theirs.legal_actions_mask[theirs.state_lookup[key]]
        assert np.flatnonzero(mask).tolist() == tree.legal_actions(number)


@pytest.mark.parametrize("table", tables())
def test_gains_are_openspiels(table):
    sides = both(table)
    for policy in some_policies(sides.tree):
        judged_alike(sides, policy, sides.tabular(policy))


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
@pytest.mark.parametrize("table", tables(SLOW))
def test_regret_minimisation_is_openspiels(table, algorithm):
    sides = both(table)
    solver = {"cfr": cfr.CFRSolver, "cfr+": cfr.CFRPlusSolver}[algorithm](sides.game)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    judged_alike(sides, solve(sides.tree, iterations=ITERATIONS, algorithm=algorithm), solver.average_policy())
