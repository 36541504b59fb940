"""Expert play of Lumen: what is certain is played so, the worlds drawn are those of the rules."""

import numpy as np
import pytest
from lanterns_agents.lumen.expert import choose_rows
from lanterns_agents.lumen.rollout import ROUND, find_strengths, play_round, take_style
from lanterns_agents.lumen.trials import restore
from lanterns_agents.lumen.weights import BOUNDS, NUM_STYLE
from lanterns_agents.lumen.worlds import WORLD, draw_own, take_in, weigh_others
from lanterns_agents.weights import ANY_NUMBER, read_weights, weights_file

from lanterns_env import Batch
from lanterns_env.engine.rng import generator
from lanterns_env.games.lumen.components import HAND, MAX_VALUE
from lanterns_env.games.lumen.rules import EXTRA_BIDS, NUM_ACTIONS, PLAY, PLAYS, value_of
from tests.conftest import COMPILED
from tests.lumen import setup

MIDDLE = np.array([(low + high) / 2 for low, high in BOUNDS.values()])
PLAYERS = pytest.mark.parametrize("num_players", setup.PLAYERS)


def choice(state):
    """What an expert does, with weights that no tuning changes."""
    views, masks = np.zeros(1, setup.GAME.view), np.zeros((1, NUM_ACTIONS), np.int8)
    views[0] = setup.view_of(state)
    masks[0, setup.legal_actions(state)] = 1
    actions = np.empty(1, np.int64)
    choose_rows(views, masks, MIDDLE, actions)
    return int(actions[0])


def world_of(state):
    world = np.zeros(1, WORLD)[0]
    take_in(setup.view_of(state), world)
    return world


def reveal(world, state):
    """The own values as they truly are."""
    fan = state.fans[state.round_number - 1, state.player]
    for slot in world.held[0, : world.number[0]]:
        world.value[0, slot] = value_of(fan[slot])
        world.hands[0, world.colour[0, slot]] |= 1 << (value_of(fan[slot]) - 1)


def positions(num_players, seed, number, **options):
    """In the middle of games."""
    rng = np.random.default_rng(seed)
    for k in range(number):
        state = setup.new_state(num_players, seed + k, **options)
        setup.play_random(state, rng, int(rng.integers(44 * num_players)))
        yield state


# -- certain positions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bid", "card"), [(0, "R2"), (2, "R8")])
def test_a_sure_trick_is_taken_by_who_needs_it_alone(bid, card):
    """Red 2 and red 8 are the only ones unseen; seat 2 leads the red 5, and nobody holds yellow."""
    state = setup.new_state(3)
    setup.set_hands(state, {0: "R2 R8", 1: "G3 B3", 2: "R5 G8"}, leader=2)
    state.bid[:3] = [bid, 0, 8]
    setup.play_cards(state, "R5")
    assert card == setup.fan(state, 0)[choice(state) - PLAYS]


@pytest.mark.parametrize(("bid", "card"), [(1, "Y2"), (2, "Y8")])
def test_a_trick_already_trumped_is_trumped_higher_by_who_needs_both_alone(bid, card):
    """Yellow 2 and yellow 8 are the only ones unseen; either wins the last trick, when no other yellow is left."""
    state = setup.new_state(3)
    setup.set_hands(state, {0: "Y2 Y8", 1: "R3 G3", 2: "Y5 G8"}, leader=1)
    state.bid[:3] = [bid, 8, 0]
    state.tricks[:3] = [0, 8, 0]
    setup.play_cards(state, "R3", "Y5")
    assert card == setup.fan(state, 0)[choice(state) - PLAYS]


@pytest.mark.skipif(not COMPILED, reason="the bids of a whole round are tried out")
def test_no_trick_is_bid_against_one_who_wins_them_all():
    """Seat 1 has all trumps, the highest red and green, leads and has bid ten."""
    state = setup.new_state(3)
    setup.set_fan(state, 1, "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 R8 G8")
    state.bid[1:3] = [10, 0]
    state.starter = state.leader = 1
    state.player = 0
    assert choice(state) == 0


@pytest.mark.skipif(not COMPILED, reason="the bids of a whole round are tried out")
def test_with_all_trumps_at_least_those_tricks_are_bid():
    state = setup.new_state(3)
    setup.set_fan(state, int(state.player), "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 R1 G1")
    assert choice(state) in (8, 9, EXTRA_BIDS + 8)


# -- legal, of the view alone, the same compiled or not -------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="the bids of a whole round are tried out")
@pytest.mark.parametrize("options", [{}, {"recall": False, "bead_limit": True}])
@PLAYERS
def test_actions_are_legal_and_the_same_in_redealt_worlds(num_players, options):
    rows = np.arange(6)
    batch = Batch("lumen", len(rows), num_players, seed=4, **options)
    actions, again = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    for _ in range(60 * num_players):
        worlds = batch.worlds(rows, batch.current_players, rows + 50)
        choose_rows(batch.views, batch.action_masks, MIDDLE, actions)
        choose_rows(worlds.views, worlds.action_masks, MIDDLE, again)
        assert actions.tolist() == again.tolist()
        batch.step(actions)


def test_choices_are_those_recorded():
    """Compiled or not, the third last trick of this round; other choices mean that the play has changed."""
    state = setup.new_state(3)
    setup.bid_all(state, "3", "2 with extra", "4")
    setup.play_random(state, np.random.default_rng(1), 3 * (HAND - 3))
    chosen = []
    for _ in range(3):
        chosen.append(choice(state))
        setup.GAME.play(state, chosen[-1])
    assert [24, 26, 22] == chosen


# -- worlds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat_is", ["viewer", "other"])
@PLAYERS
def test_what_players_of_a_world_know_is_the_exact_belief(num_players, seat_is, few):
    """For the others once the own values are as they truly are."""
    for state in positions(num_players, 30, few):
        world = world_of(state)
        reveal(world, state)
        weigh_others(world, num_players)
        for player in range(num_players):
            if (player == 0) == (seat_is == "viewer"):
                seat = (int(state.player) + player) % num_players
                assert above_by_rules(state, seat) == pytest.approx(above_in(world, player))


def test_own_values_lie_below_the_nearest_revealed_one():
    """Red 4 and 6 have been played, next to each other in the fan: of what lies below them 4 is the bound."""
    state = setup.new_state(3)
    seat = int(state.player)
    setup.set_fan(state, seat, "Y1 Y2 Y3 Y4 Y5 Y6 R2 R4 R6 R8")
    state.trick_of[seat, 7:9] = [1, 2]
    state.phase, state.tricks_done = PLAY, 2
    world = world_of(state)
    assert above_by_rules(state, seat) == pytest.approx(above_in(world, 0))
    draw_own(setup.view_of(state), world, generator(np.uint64(3), 9))
    assert world.value[0, 6] < 4
    assert world.value[0, 9] > 6


def above_by_rules(state, seat):
    """The chance of every held card to be above 0, 1, ... 12."""
    chances = np.empty((HAND, MAX_VALUE))
    setup.GAME.belief(state, seat, chances)
    held = chances[np.asarray(state.trick_of[seat]) == 0]
    return np.array([[row[value:].sum() for value in range(MAX_VALUE + 1)] for row in held]).reshape(-1, MAX_VALUE + 1)


def above_in(world, player):
    return world.above[player, world.held[player, : world.number[player]]]


@PLAYERS
def test_own_hands_are_drawn_by_their_chances(num_players):
    (state,) = positions(num_players, 41, 1)
    world = world_of(state)
    rng = generator(np.uint64(3), 9)
    draws = 4000 if COMPILED else 100
    above = np.zeros((HAND, MAX_VALUE + 1))
    for _ in range(draws):
        draw_own(setup.view_of(state), world, rng)
        above += world.value[0][:, None] > np.arange(MAX_VALUE + 1)
    held = world.held[0, : world.number[0]]
    assert above_in(world, 0) == pytest.approx(above[held] / draws, abs=2.5 / np.sqrt(draws))


@PLAYERS
def test_without_recall_own_hands_are_drawn_in_order_and_from_what_is_unseen(num_players, few):
    rng = generator(np.uint64(3), 9)
    for state in positions(num_players, 60, few, recall=False):
        view, world = setup.view_of(state), world_of(state)
        draw_own(view, world, rng)
        held = world.held[0, : world.number[0]]
        cards = [(int(world.colour[0, slot]), int(world.value[0, slot])) for slot in held]
        assert sorted(set(cards)) == cards
        assert all(view.unseen[colour, value - 1] for colour, value in cards)


# -- playing out ----------------------------------------------------------------------------------------------


@PLAYERS
def test_forced_tricks_fall_as_by_the_rules(num_players, few):
    """The last of the game, one card left to each, in the true world."""
    rng = np.random.default_rng(2)
    for seed in range(few):
        state = setup.new_state(num_players, seed)
        setup.play_random(state, rng, 43 * num_players + int(rng.integers(num_players)))
        view, world, play = setup.view_of(state), world_of(state), np.zeros(1, ROUND)[0]
        viewer = int(state.player)
        reveal(world, state)
        take_style(play, MIDDLE)
        restore(view, world, play, num_players)
        find_strengths(world, play, num_players)
        play_round(world, play, num_players, 0, num_players - int((view.trick_value > 0).sum()))
        setup.play_random(state, rng)
        assert np.roll(state.tricks[:num_players], -viewer).tolist() == play.tricks[:num_players].tolist()


# -- the weights ----------------------------------------------------------------------------------------------


@PLAYERS
def test_the_tuned_weights_lie_within_their_bounds(num_players):
    vectors = read_weights(weights_file("lumen"), BOUNDS)
    vector = vectors.get(num_players, vectors.get(ANY_NUMBER))
    assert all(low <= weight <= high for weight, (low, high) in zip(vector, BOUNDS.values(), strict=True))


def test_the_style_comes_first_in_the_weights():
    assert list(BOUNDS)[NUM_STYLE - 1 : NUM_STYLE + 1] == ["whim", "heed"]
