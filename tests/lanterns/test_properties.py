"""What holds in every game, and at the bounds that the rules set."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanterns_env.games.lanterns import components, rules
from tests.lanterns.setup import (
    COMPILED,
    GAME,
    TABLES,
    TOWARDS_CHAIR,
    laid,
    legal_actions,
    line,
    new_state,
    set_lanterns,
    slots,
    start_turn,
    view_of,
)

EXAMPLES = 60 if COMPILED else 10
seeds = st.integers(0, 2**64 - 1)


@st.composite
def habits(draw):
    """How a table plays: how much each kind of action weighs."""
    return {kind: draw(st.sampled_from([0.01, 1, 30])) for kind in ("exchange", "dedicate", "place", "skip")}


def kind_of(action):
    if action == 884:
        return "skip"
    return "exchange" if action < 42 else "dedicate" if action < 85 else "place"


def played(table, seed, weights):
    """Every decision of a game: the state before, and the action."""
    num_players, options = table
    state = new_state(num_players, seed, **options)
    rng = np.random.default_rng(seed)
    while not state.over:
        actions = legal_actions(state)
        chances = np.array([weights[kind_of(action)] for action in actions])
        action = int(rng.choice(actions, p=chances / chances.sum()))
        yield state, action
        GAME.play(state, action)


def check_numbers(state):
    """Tiles, lanterns and tokens are neither made nor lost."""
    n = int(state.num_players)
    tiles = [*state.laid[: state.num_laid], *state.hands[:n].ravel(), *state.pile, *state.box]
    assert list(range(36)) == sorted(int(tile) for tile in tiles if tile != rules.NO_TILE)
    assert state.num_laid == len(laid(state))
    assert (state.supply + state.lanterns.sum(0) == components.STACK[n - 2]).all()
    assert state.supply.min() >= 0
    assert state.lanterns.min() >= 0
    assert state.favors.min() >= 0
    assert (state.taken <= components.TOKENS_IN_PILE[n - 2]).all()


def check_view(state):
    low, high = GAME.low, GAME.high
    for seat in range(state.num_players):
        flat = GAME.to_array(view_of(state, seat).reshape(1))
        assert (low <= flat).all()
        assert (flat <= high).all()


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(TABLES), seeds, habits())
def test_every_game_keeps_its_numbers_and_ends(table, seed, weights):
    num_players = table[0]
    turns, each = {2: (24, 11), 3: (30, 9), 4: (36, 8)}[num_players]
    placed, honor = [0] * num_players, np.zeros(4, int)
    for decisions, (state, action) in enumerate(played(table, seed, weights)):
        check_numbers(state)
        assert (state.honor >= honor).all()
        honor = state.honor.copy()
        if 92 <= action < 884:
            assert state.lanterns[state.player].sum() <= 12  # the hand limit
            placed[state.player] += 1
        assert decisions < turns * (3 + 8)  # exchange, dedication, placement, discards
    check_numbers(state)
    check_view(state)
    assert turns == state.turn
    assert [each] * num_players == placed
    assert (state.hands == rules.NO_TILE).all()
    assert not state.truncated


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(TABLES), seeds, habits())
def test_free_cells_are_exactly_the_neighbours_of_the_lake(table, seed, weights):
    for state, action in played(table, seed, weights):
        if action < 92 or action == 884:
            continue
        cells = laid(state)
        free = {(x + a, y + b) for x, y in cells for a, b in TOWARDS_CHAIR} - set(cells)
        assert free == set(slots(state)) - {None}
        assert len(free) == len([cell for cell in slots(state) if cell is not None])
        assert len(free) <= 2 * len(cells) + 2
    assert not state.slot_open.any()  # after the last placement none is kept


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(TABLES), seeds, habits())
def test_honor_is_the_sum_of_tokens(table, seed, weights):
    """All tokens taken from the piles, and fours."""
    *_, (state, _) = played(table, seed, weights)
    n = int(state.num_players)
    from_piles = sum(
        int(components.TOKEN_VALUES[n - 2, kind, :taken].sum()) for kind, taken in enumerate(state.taken.tolist())
    )
    rest = int(state.honor.sum()) - from_piles
    assert rest >= 0
    assert rest % 4 == 0


@settings(max_examples=EXAMPLES)
@given(st.integers(2, 4), seeds, st.lists(st.integers(0, 20), min_size=12, max_size=12))
def test_the_winner_is_the_greatest(num_players, seed, numbers):
    state = new_state(num_players, seed)
    state.honor[:num_players] = [number // 7 for number in numbers[:num_players]]
    state.favors[:num_players] = [number // 7 for number in numbers[4 : 4 + num_players]]
    state.lanterns[:] = 0
    state.lanterns[:num_players, 0] = numbers[8 : 8 + num_players]
    points, share = np.zeros(4, np.float32), np.zeros(4, np.float32)
    GAME.score(state, points, share)
    ranks = [(state.honor[seat], state.favors[seat], state.lanterns[seat, 0]) for seat in range(num_players)]
    winners = [rank == max(ranks) for rank in ranks]
    np.testing.assert_allclose(np.array(winners) / sum(winners), share[:num_players], rtol=1e-6)


# -- at the bounds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chair", range(4))
def test_the_longest_line_reaches_the_bounds_of_the_view(chair):
    """The lake's last cell is 32 away, and the 66 slots are all in use."""
    state = new_state(4)
    most = 0
    for cells in line(state, chair):
        most = max(most, len(cells))
        check_numbers(state)
        check_view(state)
    check_view(state)
    assert (66, 66) == (most, len(state.slot_open))
    assert 32 == max(abs(coordinate) for cell in laid(state) for coordinate in cell)
    for seat in range(4):
        view = view_of(state, seat)
        assert 32 == max(abs(view.lake_x).max(), abs(view.lake_y).max())


@pytest.mark.parametrize("seat", range(4))
def test_all_cells_lie_open_just_before_the_end_on_any_bent_line(seat):
    """A line that turns: still no cell is lost where the grid is wound around itself."""
    state = new_state(4, seed=seat)
    x, y, cells = 0, 0, {(0, 0)}
    while (state.hands != rules.NO_TILE).any():
        while state.phase != rules.PLACE:
            GAME.play(state, legal_actions(state)[-1])
        dx, dy = TOWARDS_CHAIR[seat if len(cells) % 2 else (seat + 1) % 4]  # a staircase
        x, y = x + dx, y + dy
        assert {(a + c, b + d) for a, b in cells for c, d in TOWARDS_CHAIR} - cells == set(slots(state)) - {None}
        cells.add((x, y))
        slot = slots(state).index((x, y))
        GAME.play(state, next(action for action in legal_actions(state) if action >= 92 + 12 * slot))
    assert cells == set(laid(state))


@pytest.mark.parametrize(("num_players", "most"), [(2, 18), (3, 19), (4, 20)])
def test_the_fullest_hand(num_players, most):
    """12 lanterns when placing, four matches, one for the own side, and one from every other player."""
    state = new_state(num_players)
    colours = np.minimum(components.STACK[num_players - 2], 6)
    held = dict.fromkeys(components.COLOURS, 0)
    for k in range(most):
        held[components.COLOURS[k // colours]] += 1
    state.lanterns[:] = 0
    state.supply[:] = components.STACK[num_players - 2]
    set_lanterns(state, 0, **held)
    start_turn(state, 0)
    GAME.play(state, rules.SKIP)
    for left in range(most, 12, -1):
        assert (rules.DISCARD, left) == (state.phase, state.lanterns[0].sum())
        check_view(state)
        GAME.play(state, legal_actions(state)[0])
    assert rules.PLACE == state.phase


def test_the_highest_counts_fit_a_view():
    """No game can bring more than 5 favors a placement and 10 honor a turn."""
    for num_players in (2, 3, 4):
        state = new_state(num_players)
        placements = int(components.PLACEMENTS[num_players - 2])
        state.favors[:num_players] = 5 * placements
        state.honor[:num_players] = 10 * (placements + 1)
        state.turn = num_players * (placements + 1)
        check_view(state)
        assert (5 * placements, 10 * (placements + 1)) == (view_of(state, 0).favors[0], view_of(state, 0).honor[0])
