"""What networks are told of Lighthouse Architects is so."""

import numpy as np
import pytest
from lanterns_agents.lighthouse_near import NUM_HARBOURS
from lanterns_agents.lighthouse_places import (
    BURIED,
    CERTAIN,
    HELD,
    LAID_BY_NEXT,
    LAID_BY_OTHERS,
    LAID_BY_VIEWER,
    NUM_WHERE,
    OWN,
    PUBLIC,
    UNKNOWN,
)
from lanterns_agents.lighthouse_race import LAID_BITS, after_capture, after_own, after_public, chance_to_win, race_of
from lanterns_agents.lighthouse_reach import BEGUN, BOARD, COMING, NEAR, NEAR_HARBOUR, find_orders
from lanterns_agents.sights import see
from lanterns_agents.sights_lighthouse import (
    AROUND,
    AS_IT_IS,
    AT_BEGUN,
    AT_FINISHED,
    AT_LANDING,
    AT_LEFT,
    AT_REACH,
    AT_REST,
    AT_STAKE,
    AT_START,
    AT_WORTH,
    COLUMNS,
    IN_ALL,
    OPTIONS,
    POSITIONS,
    ROUND,
    ROWS,
    SCENE,
    TURN_ENDS,
    UNIT,
    build,
    look,
    see_reach,
    see_rest,
)

from lanterns_env import Batch
from lanterns_env.games.lighthouse.components import (
    CARDS,
    FIRST_TOWER,
    MAX_PLAYERS,
    NO_COLOUR,
    NUM_CARDS,
    NUM_ISLANDS,
    NUM_STACKS,
    POINTS,
    STACKS,
)
from lanterns_env.games.lighthouse.encoding import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    destination,
    is_tower,
    landed,
    lifted,
    stack_on,
    step_cost,
    stone_at,
)
from lanterns_env.games.lighthouse.rules import LAY, STOP
from lanterns_env.games.lighthouse.rules import PLACES as PLACEMENTS
from tests.conftest import COMPILED
from tests.learning.stages import GAMES_AT_ONCE, MOVES, played

# -- what is within reach -------------------------------------------------------------------------------------


def board_of(*stacks):
    """The harbour and the first islands, of words as "RWB", bottom first."""
    numbers = [STACKS.index(tuple("RWB".index(stone) for stone in stack)) for stack in stacks]
    return numbers + [0] * (POSITIONS - len(numbers))


def kinds_of(stacks):
    """The orders of each kind on this board, as bits."""
    board = np.zeros(1, BOARD)[0]
    board.stacks[:] = stacks
    find_orders(board, NEAR, NEAR_HARBOUR)
    return [int(np.bitwise_or.reduce(orders)) for orders in board.within] + [int(orders) for orders in board.begun]


def orders_of(bits):
    """The orders that bits stand for, as words."""
    return {"".join("RWB"[colour] for colour in CARDS[card]) for card in orders_in(bits)}


def orders_in(bits):
    return {card for card in range(NUM_CARDS) if int(bits) >> card & 1}


@pytest.mark.parametrize(
    ("board", "kind", "orders"),
    [
        (["", "R", "WBW"], 0, {"WBWR"}),  # the next island
        (["", "R", "", "WBW"], 1, {"WBWR"}),
        (["", "R", "", "", "", "WBW"], 3, {"WBWR"}),
        (["", "R", "RWRW", "WBW"], 1, {"WBWR"}),  # over a full island
        (["R", "WBW"], 0, {"WBWR"}),  # out of the harbour
        (["", "WR", "WBW"], 0, {"WBWR"}),
        (["", "RB", "", "WBW"], 2, {"WBWR"}),  # the stone below the top, after a point for the top
        (["", "R", "WBWB"], 1, {"WBWR"}),  # the tower's own top goes first
        (["", "B", "R", "WB"], 2, {"WBRB"}),
        (["", "B", "W", "RB"], 2, {"RBWB"}),  # two stones for three points
        (["", "RW", "RB"], 1, {"RBWR"}),  # both from the next stack
        (["", "R", "", "W", "WB"], 3, {"WBWR"}),  # two stones for four points
        (["", "RW", "", "RB"], 3, {"RBWR"}),
        (["", "RWB", "W"], 2, {"WBWR"}),  # three stones from the stack before
        (["", "RWBR", ""], 3, {"RBWR"}),  # a whole tower moves on
        (["", "R", "BW", "B"], 3, {"BWRB", "BRWB", "BWBR"}),  # two from the stack before, one from further off
        (
            ["W", "RB", "", "", "", "", "", "", "R"],
            1,
            {"RBRW", "RBWR"},
        ),  # one stone of the last island, and the harbour's
        (["", "R", "WRWB", "BR", "B"], 3, {"WRWR"}),  # its own colour goes on first, then the tower's top
        (["", "WBR", "", "W", "WRW"], 3, {"WRWB"}),  # the second stone from three islands before
        (["", "WBR", "WBW", "W", "WRW"], 3, {"WRWB"}),  # over the tower that the first one finishes
        (["", "BWBR", "B", "RBR"], 3, {"RBRW"}),  # the third stone from two before
        (["", "BWBW", "W", "", "", "", "", "", "RWB"], 3, {"BWBW"}),  # its top follows another stone that jumps over it
        (["", "R"], 4, {"RWRW", "RWRB", "RWBR", "RWBW", "RBRW", "RBRB", "RBWR", "RBWB"}),  # begun by one stone
        (["", "RW"], 5, {"RWRW", "RWRB", "RWBR", "RWBW"}),
        (["", "RWB"], 6, {"RWBR", "RWBW"}),
        (["", "W", "", "R"], 7, {"RWRW", "RWRB", "RWBR", "RWBW"}),  # two stones, the second could come
        (["", "B", "RW"], 8, {"RWBR", "RWBW"}),
    ],
)
def test_orders_within_reach(board, kind, orders):
    assert orders <= orders_of(kinds_of(board_of(*board))[kind])


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        (["", "R", "", "", "", "", "WBW"], 3),  # too far
        (["", "W", "WBW"], 0),  # not onto its own colour
        (["", "R", "WRWR"], 0),  # not onto a full island
    ],
)
def test_orders_out_of_reach(board, kind):
    assert set() == orders_of(kinds_of(board_of(*board))[kind])


def within_reach(board, harbour, points=POINTS):
    """All orders that some sequence of steps finishes, by trying all, as bits."""
    found = 0
    for source in range(HARBOUR, NUM_ISLANDS):
        left = points - step_cost(board, harbour, source)
        if left < 0:
            continue
        island, _ = destination(board, source)
        then = board if source == HARBOUR else lifted(board, source)
        then = landed(then, stone_at(board, harbour, source), island)
        if is_tower(then, island):
            found |= 1 << stack_on(then, island) - FIRST_TOWER
        found |= within_reach(then, NO_COLOUR if source == HARBOUR else harbour, left) if left else 0
    return found


def test_orders_within_two_points_are_all_seen_and_nearly_all_beyond():
    batch = played("lighthouse", 3, 4 * MOVES)
    there, right, wrong = np.zeros((3, POINTS), int)
    for state in batch.states:
        seen = kinds_of(stacks_of(state))
        for points in range(1, POINTS + 1):
            exact = within_reach(int(state.board), int(state.harbour), points)
            found = seen[points - 1]
            there[points - 1] += exact.bit_count()
            right[points - 1] += (exact & found).bit_count()
            wrong[points - 1] += (found & ~exact).bit_count()
    assert there[-1] > (100 if COMPILED else 0)
    assert there[:2].tolist() == right[:2].tolist()
    assert [0, 0] == wrong[:2].tolist()
    assert (right >= 0.95 * there).all()
    assert (wrong <= 0.03 * there).all()


def stacks_of(state):
    """A stone in the harbour is a stack of one."""
    return [int(state.harbour) + 1, *(int(stack_on(int(state.board), island)) for island in range(NUM_ISLANDS))]


def options_of(batch):
    """What is seen of every option."""
    return rows_of(batch)[:, :OPTIONS]


def rest_of(batch):
    """The islands, what is at stake in all, nothing more."""
    rest = rows_of(batch)[:, OPTIONS]
    assert not rest[:, ROUND + IN_ALL :].any()
    return rest[:, :ROUND].reshape(-1, NUM_ISLANDS, AROUND), rest[:, ROUND : ROUND + IN_ALL]


def rows_of(batch):
    return see(batch.game, batch.observations).reshape(-1, ROWS, COLUMNS)


def scene_of(view):
    scene = np.zeros(1, SCENE)[0]
    look(view, scene)
    return scene


def test_the_rest_of_the_turn_leaves_the_next_player_little():
    """Step by step with plain sets: each changes what it changes by itself, the one that leaves least is next."""
    batch, rng = played("lighthouse", 2), np.random.default_rng(0)
    sights, board, compared = np.zeros((len(batch), OPTIONS, COLUMNS)), np.zeros(1, BOARD)[0], 0
    for row, view in enumerate(batch.views):
        scene = scene_of(view)
        see_reach(scene, board, NEAR, NEAR_HARBOUR, sights[row])
        scene.left[:] = rng.integers(POINTS, size=OPTIONS)
        scene.placing = 0
        see_rest(scene, sights[row])
        there = [orders_in(orders) for orders in scene.where]
        now = [orders_in(orders) for orders in scene.now]
        changes = [[orders_in(orders) for orders in scene.changed[option]] for option in range(OPTIONS)]
        possible = {step for step in range(POSITIONS) if scene.stacks[step] > 0 and scene.raised[step] > 0}
        for option in range(OPTIONS):
            ends, steps = rest_by_sets(now, changes, there, possible, scene, option)
            assert [*ends[0], *ends[-1]] == sights[row, option, AT_REST:AT_FINISHED].tolist()
            compared += steps
    assert compared


def rest_by_sets(now, changes, there, possible, scene, option):
    """How many orders are left in each place after one, two and three more steps; how many were made."""
    changed, free, points = changes[option], possible - {option}, int(scene.left[option])
    ends, steps = [], 0
    for _ in range(3):
        after = {
            step: [c | more for c, more in zip(changed, changes[step], strict=True)]
            for step in free
            if scene.cost[step] <= points
        }
        if after:
            best = min(after, key=lambda step: (danger_of(now, after[step], there), step))
            changed, points = after[best], points - int(scene.cost[best])
            free.remove(best)
            steps += 1
        ends.append([len(all_orders(now, changed) & place) for place in there])
    return ends, steps


def all_orders(now, changed):
    return set().union(*(was ^ change for was, change in zip(now, changed, strict=True)))


def danger_of(now, changed, there):
    """What the next player could lay for certain counts most."""
    orders = all_orders(now, changed)
    return 8 * sum(len(orders & there[place]) for place in CERTAIN) + len(orders & there[UNKNOWN])


# -- steps and islands ----------------------------------------------------------------------------------------


def boards_of(view):
    """The stacks after every option."""
    scene, board = scene_of(view), np.zeros(1, BOARD)[0]
    found = []
    for option in range(OPTIONS):
        build(scene, option, board)
        found.append(board.stacks.tolist())
    return found


def test_an_option_is_a_board_that_can_be():
    """Also where colours are placed and only three options are real: every number is one of a stack."""
    batch = Batch("lighthouse", GAMES_AT_ONCE, 3)
    both = [*batch.views, *played("lighthouse", 3).views]
    assert {0, 1} == {int(view.now[0]) for view in both}
    for view in both:
        boards = np.array(boards_of(view))
        assert boards[:, 0].max() < NUM_HARBOURS
        assert boards.min() >= 0
        assert boards.max() < NUM_STACKS


def test_options_lead_where_the_game_leads():
    """Every step and placement, played: the stacks are those that were seen after it."""
    batch, rng = played("lighthouse", 2), np.random.default_rng(0)
    compared = towers = 0
    for _ in range(3 * MOVES // 10):
        before, seen = batch.views.copy(), [boards_of(view) for view in batch.views]
        actions = batch.sample(rng)
        batch.step(actions)
        after = [scene_of(view).stacks.tolist() for view in batch.views]
        in_supply = before["supply"].sum(1)
        for row in np.flatnonzero((actions < LAY) & ~batch.overs.astype(bool) & (in_supply > 1)):
            action = int(actions[row])
            option = action if action <= STOP else action - PLACEMENTS
            if action < STOP and any(FIRST_TOWER <= stack not in seen[row][AS_IT_IS] for stack in seen[row][option]):
                towers += 1  # it may be demolished
                continue
            compared += 1
            assert after[row] == seen[row][option]
        batch.deal(np.flatnonzero(batch.overs))
    assert compared > (500 if COMPILED else 20)
    assert towers or not COMPILED


def places_of(view):
    """The orders in each place, as sets, by the flags of the view."""
    order, found = view.order.astype(bool), [set() for _ in range(NUM_WHERE)]
    for card in range(NUM_CARDS):
        hidden = BURIED if view.proved_buried[card] else HELD if view.proved_held[card] else UNKNOWN
        laid = [LAID_BY_VIEWER, LAID_BY_NEXT, LAID_BY_OTHERS, LAID_BY_OTHERS]
        by_flag = {OWN_HAND: OWN, ON_PILE: PUBLIC, ON_PILE + 1: PUBLIC, HIDDEN: hidden}
        by_flag |= {LAID_BEFORE + seat: place for seat, place in enumerate(laid)}
        found[by_flag[int(np.flatnonzero(order[card])[0])]].add(card)
    return found


def told(orders, places):
    return [len(orders & place) for place in places]


def begun_by(stack):
    """The orders that begin with these stones."""
    stones = STACKS[stack]
    return {card for card in range(NUM_CARDS) if 0 < len(stones) < 4 and tuple(CARDS[card][: len(stones)]) == stones}


@pytest.mark.parametrize("num_players", [2, 4])
def test_what_is_seen_of_steps_and_islands(num_players):
    batch = played("lighthouse", num_players, 2 * MOVES)
    finished = 0
    for view, sights, seen in zip(batch.views, options_of(batch), rest_of(batch)[0], strict=True):
        places, boards, scene = places_of(view), boards_of(view), scene_of(view)
        now, points = boards[AS_IT_IS], int(view.points @ np.arange(POINTS + 1))
        assert [[*flags_of(stack), *told(begun_by(stack), places)] for stack in now[1:]] == seen.tolist()
        for option, columns in enumerate(sights):
            left = int(np.flatnonzero(columns[AT_LEFT:AT_START])[0])
            if option == AS_IT_IS or view.now[0]:
                assert left == TURN_ENDS
                assert not columns[AT_FINISHED:AT_LEFT].any()
                continue
            landing, raised = scene.island[option], boards[option][scene.island[option]]
            assert max(0, points - int(scene.cost[option])) == left
            assert flags_of(now[option]) == columns[AT_START:AT_LANDING].tolist()
            assert flags_of(now[landing]) == columns[AT_LANDING:AT_BEGUN].tolist()
            tower = {raised - FIRST_TOWER} if raised >= FIRST_TOWER else set()
            assert told(tower, places) == columns[AT_FINISHED:AT_LEFT].tolist()
            lower = STACKS.index(STACKS[now[option]][:-1])
            expected = told(begun_by(raised), places) + told(begun_by(lower), places)
            assert expected == columns[AT_BEGUN:AT_WORTH].tolist()
            finished += len(tower)
    assert finished or not COMPILED


def flags_of(stack):
    """A flag for every level and colour."""
    stones = STACKS[stack]
    return [int(level < len(stones) and stones[level] == colour) for level in range(4) for colour in range(3)]


def test_orders_that_are_counted_where_they_are():
    """Within four points, begun and coming: kinds by places."""
    batch = played("lighthouse", 3, 2 * MOVES)
    for view, sights in zip(batch.views, options_of(batch), strict=True):
        places, boards = places_of(view), boards_of(view)
        for option, columns in enumerate(sights):
            kinds = kinds_of(boards[option])
            assert len(kinds) == POINTS + BEGUN + len(COMING)
            assert [told(orders_in(bits), places) for bits in kinds] == columns[:AT_REST].reshape(
                -1, NUM_WHERE
            ).tolist()


# -- what is at stake -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_stakes_are_those_of_the_race(num_players):
    """What every order is worth that lies somewhere, laid in the own turn and in the next player's."""
    batch = played("lighthouse", num_players, 4 * MOVES)
    _, in_all = rest_of(batch)
    chance, gains, losses = np.split(in_all, [1, 1 + NUM_WHERE], axis=1)
    gains, losses = UNIT * gains, UNIT * losses
    compared = 0
    for row, views in enumerate(batch.views):
        race, following = race_of(views), 2 % num_players
        mine, theirs = chance_to_win(race, 1, num_players), chance_to_win(race, following, num_players)
        assert mine == pytest.approx(chance[row, 0], abs=1e-6)
        own, hidden = after_own(race, 0), after_own(race, 1)
        expected = [(gains, OWN, own, 1), (gains, PUBLIC, after_public(race, 0), 1)]
        expected += [(gains, UNKNOWN, hidden, 1), (gains, HELD, hidden, 1)]
        expected += [(losses, OWN, own, following), (losses, PUBLIC, after_public(race, 1), following)]
        expected += [(losses, UNKNOWN, hidden, following), (losses, HELD, hidden, following)]
        even = race + sum(1 << LAID_BITS * player for player in range(MAX_PLAYERS))  # one to be taken from each
        expected += [(gains, LAID_BY_NEXT, after_capture(even, 0, 1), 1)]
        expected += [(losses, LAID_BY_VIEWER, after_capture(even, 1, 0), following)]
        for found, place, then, mover in expected:
            now = mine if found is gains else theirs
            assert chance_to_win(then, mover, num_players) - now == pytest.approx(found[row, place], abs=1e-6)
            compared += abs(found[row, place]) > 0.01
        assert [0, 0] == [gains[row, LAID_BY_VIEWER], losses[row, LAID_BY_NEXT]]
        assert [0, 0] == [gains[row, BURIED], losses[row, BURIED]]
    assert compared


def test_what_is_at_stake_after_an_option():
    """Worth of what is begun and finished; where there are orders within reach, what they mean, and the extremes."""
    batch = played("lighthouse", 2, 2 * MOVES)
    _, in_all = rest_of(batch)
    for seen, options in zip(in_all, options_of(batch), strict=True):
        gains, losses = seen[1 : 1 + NUM_WHERE], seen[1 + NUM_WHERE :]
        for columns in options:
            landing, start = columns[AT_BEGUN:AT_WORTH].reshape(2, NUM_WHERE)
            finished = columns[AT_FINISHED:AT_LEFT] @ gains
            expected = [landing @ gains, landing @ losses, start @ gains, start @ losses, finished]
            assert expected == pytest.approx(columns[AT_WORTH:AT_STAKE], abs=1e-5)
            within = columns[AT_REACH : AT_REACH + POINTS * NUM_WHERE].reshape(POINTS, NUM_WHERE)
            left = int(np.flatnonzero(columns[AT_LEFT:AT_START])[0])
            this_turn = within[left - 1] if 0 < left < TURN_ENDS else np.zeros(NUM_WHERE)
            at_end = columns[AT_REST + NUM_WHERE : AT_FINISHED]
            feared = [(orders > 0) * losses for orders in (within[-1], at_end)]
            hoped = [(orders > 0) * gains for orders in (this_turn, within[-1])]
            expected = [*feared[0], *feared[1], feared[0].min(), feared[1].min()]
            expected += [*hoped[0], *hoped[1], hoped[0].max(), hoped[1].max()]
            assert expected == pytest.approx(columns[AT_STAKE:], abs=1e-6)
