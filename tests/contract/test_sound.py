"""What play can reach is sound, and what is not sound is refused: the games check states that come from outside."""

import dataclasses

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.engine.soundness import check_states
from tests.conftest import COMPILED
from tests.positions import copy_of

DAMAGED = "the test is damaged"
LONG = {"lanterns": 40, "lumen": 60, "lighthouse": 62}  # moves into a game: in the midst of a turn or a trick


def settings(name, num_players):
    """The default rules, presets, and every other value of every option alone, where it can be played."""
    yield {}
    presets = ({"preset": preset} for preset in GAMES[name].presets)
    yield from (options for options in presets if can_be_played(name, num_players, options))
    for option, known in GAMES[name].options.items():
        values = (1, 7, 40) if isinstance(known.values, range) else known.values
        yield from ({option: value} for value in values if can_be_played(name, num_players, {option: value}))


def can_be_played(name, num_players, options):
    try:
        return bool(GAMES[name].check_options(num_players, options))
    except ValueError:
        return False


def check(game, states):
    check_states(game, np.atleast_1d(states), "the test")


def middle(name, num_players, moves, seed=3, **options):
    """One game after some random moves."""
    batch = Batch(name, 1, num_players, seeds=[seed], **options)
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        batch.step(batch.sample(rng))
    return batch.states[0]


def test_every_position_and_every_redealt_world_is_sound(name, num_players):
    """To the end of games and beyond, under every option."""
    rows = 16 if COMPILED else 1
    for number, options in enumerate(settings(name, num_players)):
        batch = Batch(name, rows, num_players, seed=number, autoreset=False, **options)
        rng = np.random.default_rng(number)
        for _ in range(250 if COMPILED else 6):
            check(batch.game, batch.states)
            seat = int(rng.integers(num_players))
            check(batch.game, batch.worlds(np.arange(rows), seat, rng.integers(1 << 62, size=rows)).states)
            going = np.flatnonzero(~batch.dones)
            if not len(going):
                break
            batch.step(batch.sample(rng, going), going)


def test_ended_games_are_sound(name, num_players):
    batch = Batch(name, 40 if COMPILED else 2, num_players, seed=2, autoreset=False)
    rng = np.random.default_rng(2)
    while not batch.dones.all():
        going = np.flatnonzero(~batch.dones)
        batch.step(batch.sample(rng, going), going)
    check(batch.game, batch.states)


def test_a_number_far_out_of_its_range_is_refused_wherever_it_stands(name):
    """Every number of a state but its seed."""
    num_players = max(GAMES[name].players)
    state = middle(name, num_players, LONG[name])
    for field in state.dtype.names:
        kind = state.dtype[field].base
        if field == "seed" or kind == np.bool_:
            continue
        for value in {np.iinfo(kind).min, np.iinfo(kind).max} - {0}:
            for place in range(0, np.size(state[field]), 1 if COMPILED else 1 + np.size(state[field]) // 6):
                wrong = np.array([state])
                numbers = wrong[field].reshape(-1)
                if numbers[place] == value:
                    continue
                numbers[place] = value
                with pytest.raises(ValueError, match=DAMAGED):
                    check(GAMES[name], wrong)


def test_a_truth_value_is_a_0_or_a_1(name):
    state = middle(name, GAMES[name].default_players, 5)
    flags = [field for field in state.dtype.names if state.dtype[field] == np.bool_]
    assert {"over", "truncated"} <= {*flags}
    for field in flags:
        wrong = np.array([state])
        wrong[field].view(np.uint8)[:] = 2
        with pytest.raises(ValueError, match=f"{DAMAGED}: what can only be yes or no"):
            check(GAMES[name], wrong)


def test_a_game_without_a_check_of_its_own_is_asked_for_players_flags_and_options_alone(name):
    game = dataclasses.replace(GAMES[name], sound=None)
    state = middle(name, game.default_players, 5)
    other = copy_of(state)
    other.player = game.default_players
    with pytest.raises(ValueError, match="players do not exist"):
        check(game, np.array([other]))
    option = next(iter(game.options))
    other = copy_of(state)
    other[option] = -1
    with pytest.raises(ValueError, match=f"option {option}"):
        check(game, np.array([other]))
    own = next(field for field in state.dtype.names if field not in ("seed", "player", "num_players", *game.options))
    assert own == "over"
    other = copy_of(state)
    other.phase = 99
    check(game, np.array([other]))
    with pytest.raises(ValueError, match=DAMAGED):
        check(GAMES[name], np.array([other]))


# -- what looks all right, and is not -------------------------------------------------------------------------


def swap(array, first, second):
    array[first], array[second] = array[second], array[first]


def lanterns_twice(state):
    state.box[0] = state.pile[0]


def lanterns_too_many(state):
    state.lanterns[0, 2] += 1


def lanterns_number_laid(state):
    state.num_laid += 1


def lanterns_turn(state):
    state.turn -= 4


def lanterns_hand(state):
    state.hands[0, 0], state.hands[1, 0] = -1, state.hands[0, 0]


def lanterns_cell(state):
    state.laid_x[1] += 1


def lanterns_grid(state):
    state.grid[20, 20] = 3


def lanterns_slot(state):
    state.slot_open[int(state.slot_open.argmin())] = 1


def lanterns_touch(state):
    slot = int(state.slot_open.argmax())
    state.touch[slot] = (state.touch[slot] + 1) % 8


def lanterns_platform(state):
    state.touch_platform[int(state.slot_open.argmax()), 0] ^= 1


def lanterns_chair(state):
    swap(state.chair, 0, 1)


def lanterns_tokens(state):
    state.taken[0] += 1


def lanterns_honor(state):
    state.honor[0] += 1


def lanterns_favors(state):
    state.favors[0] = 56


def lanterns_no_choice(state):
    state.phase, state.favors[state.player] = 0, 0


def lanterns_no_dedication(state):
    state.phase = 1
    rest = state.lanterns[state.player].copy()
    state.lanterns[state.player] = 0
    state.supply += rest


def lanterns_no_discard(state):
    state.phase = 2


def lanterns_over_the_limit(state):
    state.phase = 3
    state.lanterns[state.player] += state.supply
    state.supply[:] = 0
    assert state.lanterns[state.player].sum() > 12


def lanterns_pile_left(state):
    state.pile_left -= 1


def lanterns_put_back(state):
    seat, place = np.argwhere(state.hands >= 0)[0]
    state.pile[state.pile_left], state.hands[seat, place] = state.hands[seat, place], -1


def lanterns_box_shuffled_away(state):
    swap(state.box, 0, len(state.box) - 1)


def lanterns_held_and_laid(state):
    state.hands[0, 0] = state.laid[1]


def lumen_card_twice(state):
    state.fans[3, 1] = state.fans[3, 0]


def lumen_unsorted(state):
    swap(state.fans[state.round_number - 1, 0], 0, 1)


def lumen_too_high(state):
    state.fans[0, 0, 9] = 59  # purple 12 is in no game of four


def lumen_undealt(state):
    swap(state.undealt, int(state.undealt.argmin()), int(state.undealt.argmax()))


def lumen_bid_missing(state):
    state.bid[1] = -1


def lumen_tricks(state):
    state.tricks[0] += 1


def lumen_tricks_done(state):
    state.tricks_done += 1


def lumen_two_cards_in_a_trick(state):
    held = int((state.trick_of[0] == 0).argmax())
    state.trick_of[0, held] = 1


def lumen_table(state):
    state.table[state.player] = 0


def lumen_leader(state):
    state.leader = (state.leader + 1) % 4


def lumen_starter(state):
    state.starter = (state.starter + 1) % 4


def lumen_total(state):
    state.total[0] += 1


def lumen_total_too_high(state):
    state.total[0] = 105


def lumen_last_score(state):
    state.last_score[0] = 45


def lighthouse_stone(state):
    state.supply[0] += 1


def lighthouse_stack(state):
    state.board |= 63


def lighthouse_harbour(state):
    state.harbour = -1


def lighthouse_order(state):
    state.place[int((state.place == 0).argmax())] = 1


def lighthouse_order_before_nobody(state):
    state.place[int((state.place == 0).argmax())] = 7


def lighthouse_hand(state):
    state.hand_size[0] -= 1


def lighthouse_pile(state):
    state.pile_size[0] -= 1


def lighthouse_pile_of_another(state):
    state.piles[0, 0], state.piles[1, 0] = state.piles[1, 0], state.piles[0, 0]


def lighthouse_proved_open(state):
    state.proved[state.piles[0, state.pile_size[0] - 1]] = 1


def lighthouse_claim(state):
    state.claim_card = 3


def lighthouse_asked(state):
    state.phase, state.claim_card, state.claim_island, state.built = 2, 3, 0, True


def lighthouse_points(state):
    state.points = 0


def lighthouse_duty(state):
    state.duty = not state.duty


def lighthouse_ended(state):
    state.ended_by = 0


def lighthouse_turn(state):
    state.turn = 500


NEAR = [function for kind, function in list(globals().items()) if kind.startswith((*LONG,))]


@pytest.mark.parametrize("spoil", NEAR, ids=lambda spoil: spoil.__name__)
def test_a_state_that_contradicts_itself_is_refused(spoil):
    """Each is one slip away from a position of a game, its numbers all in range."""
    name = spoil.__name__.partition("_")[0]
    state = middle(name, 4, LONG[name])
    check(GAMES[name], np.array([state]))
    spoiled = copy_of(state)
    spoil(spoiled)
    assert spoiled != state
    with pytest.raises(ValueError, match=f"{DAMAGED}: no game"):
        check(GAMES[name], np.array([spoiled]))


# -- a game of Lanterns, early and late -----------------------------------------------------------------------


def after(turns):
    """A game of four after so many turns: the lake is full after 32, the pile used up after 20."""
    batch = Batch("lanterns", 1, 4, seeds=[3], autoreset=False)
    rng = np.random.default_rng(3)
    while batch.states["turn"][0] < turns:
        batch.step(batch.sample(rng))
    return batch.states[0]


def test_a_pile_has_no_gap():
    state = after(10)
    check(GAMES["lanterns"], state)
    assert 10 == state.pile_left
    swap(state.pile, 0, 10)
    with pytest.raises(ValueError, match=f"{DAMAGED}: no game"):
        check(GAMES["lanterns"], state)


def test_hands_are_as_full_as_the_turns_of_their_seats_have_it():
    """Where the pile is used up: one more in one hand, one less in another."""
    state = after(22)
    check(GAMES["lanterns"], state)
    counts = (state.hands >= 0).sum(1).tolist()
    assert [2, 2, 3, 3] == counts
    swap(state.hands[0], 0, int((state.hands[0] >= 0).argmax()))
    state.hands[2, 0], state.hands[0, int((state.hands[0] < 0).argmax())] = -1, state.hands[2, 0]
    assert [3, 2, 2, 3] == (state.hands >= 0).sum(1).tolist()
    with pytest.raises(ValueError, match=f"{DAMAGED}: no game"):
        check(GAMES["lanterns"], state)


def test_a_full_lake_has_no_more_tiles_than_it_can_hold():
    state = after(32)
    check(GAMES["lanterns"], state)
    assert len(state.laid) == state.num_laid
    state.num_laid += 1
    with pytest.raises(ValueError, match=f"{DAMAGED}: no game"):
        check(GAMES["lanterns"], state)


def test_before_a_placement_a_player_may_hold_too_many_lanterns():
    state = middle("lanterns", 4, LONG["lanterns"])
    state.lanterns[state.player] += state.supply
    state.supply[:] = 0
    for phase, sound in ((1, True), (2, True), (3, False)):
        state.phase = phase
        if sound:
            check(GAMES["lanterns"], state)
        else:
            with pytest.raises(ValueError, match=DAMAGED):
                check(GAMES["lanterns"], state)
