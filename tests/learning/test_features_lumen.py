"""The features of Lumen are what they say."""

import numpy as np
import pytest
from lanterns_agents.features import compute_features
from lanterns_agents.lumen.features import (
    AT_BEATS,
    AT_CHANCES,
    AT_OTHERS,
    AT_STRENGTH,
    AT_SURPLUS,
    AT_WINS,
    AT_WORST,
    BASES,
    BY_CHANCE,
    COLUMNS,
    OF_PLAYERS,
    UNIT,
)

from lanterns_env.games.lumen.components import HAND, TRUMP
from tests.conftest import COMPILED
from tests.learning.stages import played


def fans(batch):
    """What is seen of the slots, and of the players."""
    features = compute_features(batch.game, batch.observations)
    return features[:, :-OF_PLAYERS].reshape(-1, HAND, COLUMNS), features[:, -OF_PLAYERS:]


def test_what_is_seen_of_a_card():
    """Its colour, held, its value; the trick; how many of its colour there are in hand; who holds which of these."""
    batch = played("lumen", 5)
    slots, _ = fans(batch)
    for view, seen in zip(batch.views, slots, strict=True):
        for slot, columns in enumerate(seen):
            colours = view.slot_colour[slot].astype(bool)
            same = (view.slot_colour[:, colours].any(1) & view.held.astype(bool)) if colours.any() else np.zeros(HAND)
            best = (view.trick_value[:, None] * view.trick_colour)[:, colours].max(initial=0)
            expected = [
                *view.slot_colour[slot],
                view.held[slot],
                view.slot_value[slot] / 12,
                best,
                view.led[colours].any(),
            ]
            expected += [same[:slot].sum() / HAND, same.sum() / HAND]
            assert expected == pytest.approx(columns[:AT_BEATS], abs=1e-6)
            others = view.hands[:, colours].any(1) if colours.any() else np.zeros((4, 12))
            assert others.flatten().tolist() == columns[AT_OTHERS:AT_WINS].tolist()


@pytest.mark.parametrize("num_players", [3, 5])
def test_the_chances_of_own_values_are_exact(num_players):
    """The same as the game's own belief."""
    batch = played("lumen", num_players)
    slots, _ = fans(batch)
    for row, views in enumerate(batch.views):
        expected = batch.belief(row, int(batch.current_players[row])) * views.held[:, None]
        assert expected == pytest.approx(slots[row, :, AT_CHANCES:AT_OTHERS], abs=1e-5)


def test_a_slot_sees_what_it_beats():
    """The chance to be the highest of its colour in the trick, and to be higher than all that others hold of it."""
    batch = played("lumen", 4)
    slots, _ = fans(batch)
    for row, views in enumerate(batch.views):
        chances = batch.belief(row, int(batch.current_players[row]))
        for slot in np.flatnonzero(views.held):
            colour = int(views.slot_colour[slot].argmax())
            played_best = (views.trick_value * views.trick_colour[:, colour]).max()
            held_by_others = views.hands[:, colour].sum(0)
            higher = np.array([held_by_others[value:].sum() for value in range(1, 13)])
            expected = [
                chances[slot, played_best:].sum(),
                chances[slot, higher == 0].sum(),
                chances[slot] @ higher / 10,
            ]
            assert expected == pytest.approx(slots[row, slot, AT_BEATS:AT_CHANCES], abs=1e-5)


@pytest.mark.parametrize("num_players", [3, 5])
def test_a_slot_sees_whether_its_card_takes_the_trick_whatever_the_others_play(num_players):
    """At worst: by trying every card of every other player. By chance: at least as likely."""
    batch = played("lumen", num_players)
    wins = fans(batch)[0][:, :, AT_WINS:AT_STRENGTH]
    sure = 0
    for row, views in enumerate(batch.views):
        chances = batch.belief(row, int(batch.current_players[row]))
        for slot in np.flatnonzero(views.held & (views.phase == 1)):
            colour = int(views.slot_colour[slot].argmax())
            expected = sum(
                chances[slot, value - 1] for value in range(1, 13) if takes_the_trick(views, colour, value, num_players)
            )
            assert expected == pytest.approx(wins[row, slot, AT_WORST], abs=1e-5)
            assert wins[row, slot, BY_CHANCE] >= wins[row, slot, AT_WORST] - 1e-5
            likely = sum(
                chances[slot, value - 1] * stays_best(views, colour, value, num_players) for value in range(1, 13)
            )
            assert likely == pytest.approx(wins[row, slot, BY_CHANCE], abs=1e-5)
            sure += expected > 0
    assert sure


def takes_the_trick(view, colour, value, num_players):
    """A card of the viewer, against the cards that lie and the best answer of each player to come."""
    led = int(view.led.argmax()) if view.led.any() else colour
    strength = [
        (int(view.trick_colour[player].argmax()), int(view.trick_value[player]))
        for player in range(1, num_players)
        if view.trick_value[player]
    ]
    for player in range(1, num_players):
        if not view.trick_value[player]:
            cards = [(c, v + 1) for c, v in np.argwhere(view.hands[player - 1])]
            strength += [card for card in cards if card[0] == led] or cards
    own = worth_in_trick((colour, value), led)
    return own > 0 and all(worth_in_trick(card, led) < own for card in strength)


def stays_best(view, colour, value, num_players):
    """The same if each player to come plays by chance: who needs tricks trumps with 0.7, who does not with 0.4."""
    led = int(view.led.argmax()) if view.led.any() else colour
    lies = [
        worth_in_trick((int(view.trick_colour[player].argmax()), int(view.trick_value[player])), led)
        for player in range(1, num_players)
        if view.trick_value[player]
    ]
    if worth_in_trick((colour, value), led) <= max(lies, default=0):
        return 0.0
    stays = 1.0
    for player in range(1, num_players):
        hand = view.hands[player - 1]
        if view.trick_value[player] or (colour != led and hand[led].any()):
            continue
        if hand[colour].any():
            stays *= 1 - hand[colour, value:].sum() / hand[colour].sum()
        elif hand[TRUMP].any():
            needed = int(view.bid[player]) - int(view.tricks[player]) + (0 if view.has_bid[player] else 0.5)
            stays *= 1 - (0.7 if needed > 0 else 0.4)
    return stays


def worth_in_trick(card, led):
    colour, value = card
    return value + 100 if colour == TRUMP else value if colour == led else 0


def test_hands_expect_tricks():
    """Of the highest card that nobody can trump: one. A player's bid less what it expects is what it has too few."""
    batch = played("lumen", 4)
    slots, players = fans(batch)
    expected, surplus = UNIT * players.reshape(-1, 2, 5, BASES).swapaxes(0, 1)
    strength = slots[:, :, AT_STRENGTH:AT_SURPLUS]
    highest = 0
    for row, views in enumerate(batch.views):
        assert strength[row].sum(0) == pytest.approx(expected[row, 0], abs=1e-4)
        for slot in np.flatnonzero(views.held):
            higher = views.hands[:, TRUMP].sum((0, 1)) if views.slot_colour[slot, TRUMP] else 1
            if not higher:
                highest += 1
                assert strength[row, slot] == pytest.approx(1, abs=1e-4)
        needed = views.bid - views.tricks + 0.5 * (1 - views.has_bid)
        scaled = expected[row] * views.held.sum() / (expected[row].sum(0) + 1e-3)
        assert scaled - needed[:, None] == pytest.approx(surplus[row], abs=1e-4)
    assert highest or not COMPILED
