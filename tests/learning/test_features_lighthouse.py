"""The features of Lighthouse Architects are what they say."""

import numpy as np
import pytest
from lanterns_agents.features import compute_features
from lanterns_agents.lighthouse.columns import (
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
    FIRST_BEGUN,
    IN_ALL,
    OPTIONS,
    POINTS_LEFT,
    POSITIONS,
    ROUND,
    ROWS,
    TURN_ENDS,
    UNIT,
    WHOLE_TURN,
)
from lanterns_agents.lighthouse.order_values import (
    BURIED,
    CERTAIN,
    HELD,
    LAID_BY_NEXT,
    LAID_BY_OTHERS,
    LAID_BY_VIEWER,
    NUM_WHERE,
    OWN,
    PUBLIC,
    STAKES,
    UNKNOWN,
    find_stakes,
)
from lanterns_agents.lighthouse.race import LAID_BITS, after_capture, after_own, after_public, chance_to_win, race_of
from lanterns_agents.lighthouse.reach_features import fill_reach, fill_rest
from lanterns_agents.lighthouse.reachable import BEGINS, NEAR, REACH, find_orders
from lanterns_agents.lighthouse.scene import SCENE, after_option, set_dangers, set_scene

from lanterns_env import GAMES, Batch
from lanterns_env.games.lighthouse.components import (
    CARDS,
    FIRST_TOWER,
    MAX_PLAYERS,
    NO_COLOUR,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_STACKS,
    POINTS,
    STACKS,
)
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    destination,
    is_tower,
    keeps_duty,
    landed,
    lifted,
    stack_on,
    step_cost,
    stone_at,
    with_stack,
)
from lanterns_env.games.lighthouse.observation import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.rules import LAY, MOVE, STOP
from lanterns_env.games.lighthouse.rules import PLACES as PLACEMENTS
from tests.conftest import COMPILED
from tests.learning.stages import GAMES_AT_ONCE, MOVES, played
from tests.lighthouse.table import table
from tests.positions import copy_of

# -- what is within reach -------------------------------------------------------------------------------------


def board_of(*stacks):
    """The islands from the first on, of words as "RWB", bottom first."""
    board = 0
    for island, stack in enumerate(stacks):
        board = with_stack(board, island, number_of(stack))
    return board


def number_of(stack):
    return STACKS.index(tuple("RWB".index(stone) for stone in stack))


def found_within(points, board, harbour):
    """The orders that can be finished, as bits."""
    reach = np.zeros(1, REACH)[0]
    find_orders(int(board), int(harbour), points, False, NEAR, reach)
    return int(np.bitwise_or.reduce(reach.orders))


def orders_of(bits):
    """The orders that bits stand for, as words."""
    return {"".join("RWB"[colour] for colour in CARDS[card]) for card in orders_in(bits)}


def orders_in(bits):
    return {card for card in range(NUM_CARDS) if int(bits) >> card & 1}


@pytest.mark.parametrize(
    ("harbour", "board", "points", "orders"),
    [
        ("", ["R", "WBW"], 1, {"WBWR"}),  # the next island
        ("", ["R", "", "WBW"], 2, {"WBWR"}),
        ("", ["R", "", "", "", "WBW"], 4, {"WBWR"}),
        ("", ["R", "RWRW", "WBW"], 2, {"WBWR"}),  # over a full island
        ("R", ["WBW"], 1, {"WBWR"}),  # out of the harbour
        ("", ["WR", "WBW"], 1, {"WBWR"}),
        ("", ["RB", "", "WBW"], 3, {"WBWR"}),  # the stone below the top, after a point for the top
        ("", ["R", "WBWB"], 2, {"WBWR"}),  # the tower's own top goes first
        ("", ["B", "R", "WB"], 3, {"WBRB"}),
        ("", ["B", "W", "RB"], 3, {"RBWB"}),  # two stones for three points
        ("", ["RW", "RB"], 2, {"RBWR"}),  # both from the next stack
        ("", ["R", "", "W", "WB"], 4, {"WBWR"}),  # two stones for four points
        ("", ["RW", "", "RB"], 4, {"RBWR"}),
        ("", ["RWB", "W"], 3, {"WBWR"}),  # three stones from the stack before
        ("", ["RWBR", ""], 4, {"RBWR"}),  # a whole tower moves on
        ("", ["R", "BW", "B"], 4, {"BWRB", "BRWB", "BWBR"}),  # two from the stack before, one from further off
        ("W", ["RB", "", "", "", "", "", "", "R"], 2, {"RBRW", "RBWR"}),  # a stone of the last island and the harbour's
        ("R", ["BR", "", "", "", "", "", "", "BW"], 2, {"BRWR"}),  # the white stone lets the harbour's go
        ("", ["WR", "BW"], 2, {"BWRW"}),
        ("", ["R", "WRWB", "BR", "B"], 4, {"WRWR"}),  # its own colour goes on first, then the tower's top
        ("", ["WBR", "", "W", "WRW"], 4, {"WRWB"}),  # the second stone from three islands before
        ("", ["WBR", "WBW", "W", "WRW"], 4, {"WRWB"}),  # over the tower that the first one finishes
        ("", ["BWBR", "B", "RBR"], 4, {"RBRW"}),  # the third stone from two before
        ("", ["BWBW", "W", "", "", "", "", "", "RWB"], 4, {"BWBW"}),  # its top follows another that jumps over it
        ("W", ["", "", "R", "", "", "WBW"], 4, {"WBWR"}),  # LH-22: three points, and one for the harbour stone
    ],
)
def test_orders_within_reach(harbour, board, points, orders):
    stone = "RWB".index(harbour) if harbour else NO_COLOUR
    assert orders <= orders_of(found_within(points, board_of(*board), stone))


@pytest.mark.parametrize(
    ("harbour", "board", "points"),
    [
        ("", ["R", "", "", "", "", "WBW"], 4),  # too far
        ("", ["W", "WBW"], 1),  # not onto its own colour
        ("", ["R", "WRWR"], 1),  # not onto a full island
        ("", ["R", "", "", "", "WBW"], 3),
        ("R", ["WR", "BW"], 2),  # LH-22: once the red one goes on, the harbour stone has to go
        ("W", ["", "R", "", "", "", "WBW"], 4),  # LH-22: the harbour stone takes a point
        ("W", ["", "", "R", "", "", "WBW"], 3),
    ],
)
def test_orders_out_of_reach(harbour, board, points):
    stone = "RWB".index(harbour) if harbour else NO_COLOUR
    assert set() == orders_of(found_within(points, board_of(*board), stone))


def test_a_blocked_harbour_stone_takes_no_point():
    """LH-24."""
    board = board_of("R", "B", "", "", "", "WBW")
    assert "WBWB" in orders_of(found_within(POINTS, board, "RWB".index("R")))
    assert "WBWB" not in orders_of(found_within(POINTS, board, "RWB".index("W")))


@pytest.mark.parametrize(
    ("stack", "height", "orders"),
    [
        ("R", 1, {"RWRW", "RWRB", "RWBR", "RWBW", "RBRW", "RBRB", "RBWR", "RBWB"}),
        ("RW", 2, {"RWRW", "RWRB", "RWBR", "RWBW"}),
        ("RWB", 3, {"RWBR", "RWBW"}),
        ("RWBR", 3, set()),
        ("RWB", 2, set()),
    ],
)
def test_orders_begun(stack, height, orders):
    assert orders == orders_of(BEGINS[0, height - 1, number_of(stack)])


def within_reach(board, harbour, points, duty=False):
    """All orders that some sequence of legal steps finishes, by trying all, as bits."""
    found = 0
    duty = duty or step_cost(board, harbour, HARBOUR) <= points
    for source in range(HARBOUR, NUM_ISLANDS):
        left = points - step_cost(board, harbour, source)
        if left < 0 or (duty and source != HARBOUR and not keeps_duty(board, harbour, source, points, False)):
            continue
        island, _ = destination(board, source)
        then = board if source == HARBOUR else lifted(board, source)
        then = landed(then, stone_at(board, harbour, source), island)
        if is_tower(then, island):
            found |= 1 << stack_on(then, island) - FIRST_TOWER
        if left:
            rest = (NO_COLOUR, False) if source == HARBOUR else (harbour, duty)
            found |= within_reach(then, rest[0], left, rest[1])
    return found


def test_the_orders_within_reach_are_all_that_legal_steps_finish():
    batch = played("lighthouse", 3, 4 * MOVES)
    there = 0
    for state in batch.states:
        board, harbour = int(state.board), int(state.harbour)
        for points in range(1, POINTS + 1):
            expected = orders_of(within_reach(board, harbour, points))
            assert expected == orders_of(found_within(points, board, harbour))
            there += len(expected)
    assert there > (100 if COMPILED else 0)


def options_of(batch):
    """What is seen of every option."""
    return rows_of(batch)[:, :OPTIONS]


def rest_of(batch):
    """The islands, what is at stake in all, nothing more."""
    rest = rows_of(batch)[:, OPTIONS:].reshape(len(batch), -1)
    assert not rest[:, ROUND + IN_ALL :].any()
    return rest[:, :ROUND].reshape(-1, NUM_ISLANDS, AROUND), rest[:, ROUND : ROUND + IN_ALL]


def rows_of(batch):
    return compute_features(batch.game, batch.observations).reshape(-1, ROWS, COLUMNS)


def scene_of(view):
    scene = np.zeros(1, SCENE)[0]
    set_scene(view, scene)
    return scene


def test_the_rest_of_the_turn_leaves_the_next_player_little():
    """Step by step with plain sets: each changes what it changes by itself, the one that leaves least is next."""
    batch, rng = played("lighthouse", 2), np.random.default_rng(0)
    features, reach, compared = np.zeros((len(batch), OPTIONS, COLUMNS)), np.zeros(1, REACH)[0], 0
    for row, view in enumerate(batch.views):
        scene = scene_of(view)
        stakes = np.zeros(1, STAKES)[0]
        find_stakes(view, stakes)
        set_dangers(stakes, scene)
        fill_reach(scene, reach, NEAR, features[row])
        scene.left[:] = rng.choice([0, 2, 3], size=OPTIONS)  # the last step is tried out, see below
        scene.placing = 0
        fill_rest(scene, reach, NEAR, features[row])
        there = [orders_in(orders) for orders in scene.where]
        now = [orders_in(orders) for orders in scene.now]
        changes = [[orders_in(orders) for orders in scene.changed[option]] for option in range(OPTIONS)]
        possible = {step for step in range(POSITIONS) if scene.possible[step]}
        for option in np.flatnonzero(scene.possible):
            ends, steps = rest_by_sets(now, changes, there, possible, scene, option, stakes.losses)
            assert [*ends[0], *ends[-1]] == features[row, option, AT_REST:AT_FINISHED].tolist()
            compared += steps
    assert compared


def rest_by_sets(now, changes, there, possible, scene, option, losses):
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
            found = {step: counted(all_orders(now, after[step]), there) for step in after}
            best = min(after, key=lambda step: (danger_of(found[step], losses), step))
            changed, points = after[best], points - int(scene.cost[best])
            free.remove(best)
            steps += 1
        ends.append([len(all_orders(now, changed) & place) for place in there])
    return ends, steps


@pytest.mark.parametrize("num_players", [2, 4])
def test_the_last_step_is_the_one_that_leaves_the_next_player_least(num_players):
    """Every option after which a point is left, played; then every step and harbour stone that the rules allow."""
    compared = 0
    for moves in range(MOVES, 5 * MOVES, MOVES // 2):
        batch = played("lighthouse", num_players, moves)
        losses, features = rest_of(batch)[1][:, 1 + NUM_WHERE :], options_of(batch)
        for row in np.flatnonzero(batch.views["now"][:, 1]):
            places = places_of(batch.views[row])
            for option in np.flatnonzero(features[row, :, AT_LEFT + 1] * batch.action_masks[row, :OPTIONS]):
                ends = ends_after(batch.states[row], int(option))
                if not ends or features[row, option, AT_FINISHED:AT_LEFT].any():  # a tower may fall
                    continue
                turns = [turn for end in ends for turn in whole_turns(batch.views[row], *end, True)]
                expected = [counted(orders_in(orders), places) for orders in turns]
                columns = features[row, option, AT_REST:AT_FINISHED].reshape(2, NUM_WHERE)
                assert columns[0].tolist() == columns[1].tolist()
                assert columns[0].tolist() in expected
                least = min(danger_of(each, losses[row]) for each in expected)
                assert least == pytest.approx(danger_of(columns[0], losses[row]), abs=1e-5)
                compared += len(ends) > 1
    assert compared > (50 if COMPILED else 0)


def ends_after(before, option):
    """The boards and harbour stones that the last step of a turn may leave after this one; none if the turn is over."""
    game, state = GAMES["lighthouse"], copy_of(before)
    mask = np.zeros(game.num_actions, np.int8)
    game.play(state, option)
    if state.over or state.phase != MOVE or state.player != before.player:
        return []
    game.legal(state, mask)
    return [after_step(state, int(step)) for step in np.flatnonzero(mask[: STOP + 1])]


def after_step(state, step):
    """The board and the harbour stone."""
    board, harbour, source = int(state.board), int(state.harbour), step - 1
    if step == STOP:
        return board, harbour
    then = board if source == HARBOUR else lifted(board, source)
    then = landed(then, stone_at(board, harbour, source), destination(board, source)[0])
    return then, NO_COLOUR if source == HARBOUR else harbour


def all_orders(now, changed):
    return set().union(*(was ^ change for was, change in zip(now, changed, strict=True)))


def danger_of(counts, losses):
    """What the next player could lay counts by what it costs; of what may be in a hand, an eighth."""
    danger = counts[UNKNOWN] * 0.125 * -losses[UNKNOWN]
    for place in CERTAIN:
        danger += counts[place] * -losses[place]
    return danger


# -- steps and islands ----------------------------------------------------------------------------------------


def boards_of(view):
    """The board and the harbour stone after every option that is possible."""
    scene = scene_of(view)
    return {int(option): tuple(map(int, after_option(scene, option))) for option in np.flatnonzero(scene.possible)}


def test_an_option_is_a_board_that_can_be():
    """Also where colours are placed and at most three options are possible: every number is one of a stack."""
    both = [*Batch("lighthouse", GAMES_AT_ONCE, 3).views, *played("lighthouse", 3).views]
    assert {0, 1} == {int(view.now[0]) for view in both}
    for view in both:
        for board, harbour in boards_of(view).values():
            assert harbour in range(-1, NUM_COLOURS)
            assert max(stack_on(board, island) for island in range(NUM_ISLANDS)) < NUM_STACKS


def test_options_lead_where_the_game_leads():
    """Every step and placement, played: the stones are those that were seen after it."""
    batch, rng = played("lighthouse", 2), np.random.default_rng(0)
    compared = towers = 0
    for _ in range(3 * MOVES // 10):
        before, seen = batch.views.copy(), [boards_of(view) for view in batch.views]
        legal = [
            {option_of(action) for action in np.flatnonzero(mask[:LAY])} - {AS_IT_IS} for mask in batch.action_masks
        ]
        assert all(options <= set(boards) for options, boards in zip(legal, seen, strict=True))
        actions = batch.sample(rng)
        batch.step(actions)
        in_supply = before["supply"].sum(1)
        for row in np.flatnonzero((actions < LAY) & ~batch.dones.astype(bool) & (in_supply > 1)):
            now, (board, harbour) = batch.states[row], seen[row][option_of(actions[row])]
            if actions[row] < STOP and any(is_tower(board, i) > is_tower(seen[row][AS_IT_IS][0], i) for i in range(8)):
                towers += 1  # it may be demolished
                continue
            compared += 1
            assert (int(now.board), int(now.harbour)) == (board, harbour)
        batch.deal(np.flatnonzero(batch.dones))
    assert compared > (500 if COMPILED else 20)
    assert towers or not COMPILED


def option_of(action):
    """STOP leaves all as it is."""
    return int(action) if action <= STOP else int(action) - PLACEMENTS


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


def counted(orders, places):
    return [len(orders & place) for place in places]


def begun_by(stack):
    """The orders that begin with these stones."""
    stones = STACKS[stack]
    return {card for card in range(NUM_CARDS) if 0 < len(stones) < 4 and tuple(CARDS[card][: len(stones)]) == stones}


@pytest.mark.parametrize("num_players", [2, 4])
def test_what_is_seen_of_steps_and_islands(num_players):
    batch = played("lighthouse", num_players, 2 * MOVES)
    finished = 0
    for view, features, seen in zip(batch.views, options_of(batch), rest_of(batch)[0], strict=True):
        places, boards, scene = places_of(view), boards_of(view), scene_of(view)
        now = [*(stack_on(boards[AS_IT_IS][0], island) for island in range(NUM_ISLANDS)), boards[AS_IT_IS][1] + 1]
        points = int(view.points @ np.arange(POINTS + 1))
        assert [[*flags_of(stack), *counted(begun_by(stack), places)] for stack in now[:-1]] == seen.tolist()
        assert [option in boards for option in range(OPTIONS)] == features[:, AT_LEFT:AT_START].any(1).tolist()
        assert not features[[option not in boards for option in range(OPTIONS)]].any()
        for option, columns in ((option, features[option]) for option in boards):
            left = int(np.flatnonzero(columns[AT_LEFT:AT_START])[0])
            if option == AS_IT_IS or view.now[0]:
                assert left == TURN_ENDS
                assert not columns[AT_START:AT_WORTH].any()
                continue
            start, landing = now[option - 1], now[scene.island[option] - 1]
            raised = stack_on(boards[option][0], scene.island[option] - 1)
            assert points - int(scene.cost[option]) == left
            assert flags_of(start) == columns[AT_START:AT_LANDING].tolist()
            assert flags_of(landing) == columns[AT_LANDING:AT_BEGUN].tolist()
            tower = {raised - FIRST_TOWER} if raised >= FIRST_TOWER else set()
            assert counted(tower, places) == columns[AT_FINISHED:AT_LEFT].tolist()
            lower = STACKS.index(STACKS[start][:-1])
            expected = counted(begun_by(raised), places) + counted(begun_by(lower), places)
            assert expected == columns[AT_BEGUN:AT_WORTH].tolist()
            finished += len(tower)
    assert finished or not COMPILED


def flags_of(stack):
    """A flag for every level and colour."""
    stones = STACKS[stack]
    return [int(level < len(stones) and stones[level] == colour) for level in range(4) for colour in range(3)]


def test_orders_that_are_counted_where_they_are():
    """Within the points left and begun; within a whole turn, once there is a stone in the harbour."""
    batch = played("lighthouse", 3, 2 * MOVES)
    losses, filled = rest_of(batch)[1][:, 1 + NUM_WHERE :], 0
    for view, features, stakes in zip(batch.views, options_of(batch), losses, strict=True):
        places, boards, scene = places_of(view), boards_of(view), scene_of(view)
        for option, (board, harbour) in boards.items():
            columns = features[option, AT_REACH:AT_REST].reshape(-1, NUM_WHERE)
            stacks = [harbour + 1, *(stack_on(board, island) for island in range(NUM_ISLANDS))]
            for height in range(1, 4):
                begun = set().union(*(begun_by(stack) for stack in stacks if len(STACKS[stack]) == height))
                assert counted(begun, places) == columns[FIRST_BEGUN + height - 1].tolist()
            left = 0 if view.now[0] or option == AS_IT_IS else int(scene.left[option])
            this_turn = within_reach(board, harbour, left, view.duty == 1 and option > 0) if left else 0
            assert counted(orders_in(this_turn), places) == columns[POINTS_LEFT].tolist()
            ends = left == 0 and (option < AS_IT_IS or view.built == 1 or view.now[0])
            turns = [counted(orders_in(orders), places) for orders in whole_turns(view, board, harbour, ends)]
            assert columns[WHOLE_TURN].tolist() in turns
            least = min(danger_of(turn, stakes) for turn in turns)
            assert least == pytest.approx(danger_of(columns[WHOLE_TURN], stakes), abs=1e-5)
            filled += len(turns) > 1
    assert filled or not COMPILED


def test_a_duty_outlasts_a_blocked_harbour_stone():
    """LH-23: after the stone of I8 two points are left to clear I1 and leave the harbour; nothing else is possible."""
    state = table({1: "W", 4: "R", 5: "WBW", 8: "R"}, harbour="R", points=3, hands={0: ["WBWR", "BRWR", "BRBR"]})
    game, views = GAMES["lighthouse"], np.zeros(1, GAMES["lighthouse"].view)
    game.observe(state, 0, views[0])
    options = compute_features(game, game.to_array(views)).reshape(ROWS, COLUMNS)[:OPTIONS]
    found = options[:, AT_REACH:AT_REST].reshape(OPTIONS, -1, NUM_WHERE)
    assert [0, 1] == found[[8, 1], POINTS_LEFT, OWN].tolist()


def whole_turns(view, board, harbour, ends):
    """The orders that the next player can finish, with each stone that may come into an empty harbour."""
    if harbour != NO_COLOUR or not view.supply.any():
        return [found_within(POINTS, board, harbour)]
    if not ends:
        return [found_within(POINTS - 1, board, harbour)]
    return [found_within(POINTS, board, colour) for colour in np.flatnonzero(view.supply)]


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
            within = columns[AT_REACH:AT_REST].reshape(-1, NUM_WHERE)
            at_end = columns[AT_REST + NUM_WHERE : AT_FINISHED]
            feared = [(orders > 0) * losses for orders in (within[WHOLE_TURN], at_end)]
            hoped = [(orders > 0) * gains for orders in (within[POINTS_LEFT], within[WHOLE_TURN])]
            expected = [*feared[0], *feared[1], feared[0].min(), feared[1].min()]
            expected += [*hoped[0], *hoped[1], hoped[0].max(), hoped[1].max()]
            assert expected == pytest.approx(columns[AT_STAKE:], abs=1e-6)
