"""Features of Lumen: for every slot what its card may be and do, for every player what its hand may win.

Colours are yellow (trump) first; players are the viewer and the others in turn order.  The viewer's cards count by the
chances of their values.
"""

import numpy as np

from lanterns_agents.lumen.endgame import OUTCOMES, find_outcomes
from lanterns_agents.lumen.rollout import ROUND
from lanterns_agents.lumen.trials import ROUNDS_AT_ONCE
from lanterns_agents.lumen.worlds import NO_COLOUR, WORLD, colour_of_slot, own_chances, take_in_own
from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE, NUM_COLOURS, TRUMP

OTHERS = MAX_PLAYERS - 1
FALLS = np.array([[0.85, 0.35], [0.7, 0.6]])  # [view, trump or plain]: a card's strength left for each higher one
RUFFED = np.array([0.55, 0.8])  # in two views; and for every player that may trump it
BASES = len(RUFFED)
RUFF_EAGER, RUFF_SHY = 0.7, 0.4  # how likely one who needs tricks trumps, and one who does not
OPEN_BID = 0.5  # tricks that one needs beyond those won before it has bid
AT_WORST, BY_CHANCE = range(2)  # how the others choose among the cards that they may play
UNIT = 4.0  # tricks
SOME = 1e-3

# The columns of a slot, from: its colour, held, its value if revealed, the best of its colour in the trick, led; how
# many of its colour are in hand below and in all; chances to beat that card, and all others, how many beat it; the
# chances of its values; what each other player holds of its colour; chances to win the trick, the tricks that it may
# win in all, the hand's surplus of these, what would be off if it were played now, and the square of that.
AT_COLOUR = 0
AT_HELD = AT_COLOUR + NUM_COLOURS
AT_VALUE = AT_HELD + 1
AT_BEST = AT_VALUE + 1
AT_LED = AT_BEST + 1
AT_GROUP = AT_LED + 1
AT_BEATS = AT_GROUP + 2
AT_CHANCES = AT_BEATS + 3
AT_OTHERS = AT_CHANCES + MAX_VALUE
AT_WINS = AT_OTHERS + OTHERS * MAX_VALUE
AT_STRENGTH = AT_WINS + 2
AT_SURPLUS = AT_STRENGTH + BASES
AT_OFF = AT_SURPLUS + BASES
AT_OUTCOMES = AT_OFF + 2 * BASES
COLUMNS = AT_OUTCOMES + OUTCOMES
OF_PLAYERS = 2 * BASES * MAX_PLAYERS  # after all slots: tricks expected and surplus of each player
WIDTH = HAND * COLUMNS + OF_PLAYERS

FALLEN = FALLS[:, :, None] ** np.arange(OTHERS * HAND + 1)  # [view, trump or plain, how many are higher]

CARDS = (NUM_COLOURS, MAX_VALUE)
SCENE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("colour", np.int64, HAND),  # of each slot, or NO_COLOUR
                ("best", np.int64, NUM_COLOURS),  # the highest value in the trick
                ("count", np.float64, (OTHERS, NUM_COLOURS)),  # cards in hand
                ("above", np.float64, (OTHERS, *CARDS)),  # those of higher values
                ("of_others", np.float64, CARDS),  # cards of all others of higher values
                ("own", np.float64, CARDS),  # own cards to be expected
                ("ruffs", np.float64, (OTHERS, NUM_COLOURS)),  # has none, but trumps
                ("needed", np.float64, MAX_PLAYERS),  # tricks for the bid
                ("stays", np.float64, (2, *CARDS)),  # the chance that a card takes the trick if it is the best so far
                ("mine", np.float64, (BASES, *CARDS)),  # the tricks that an own card may win
                ("expected", np.float64, (MAX_PLAYERS, BASES)),
            ],
            align=True,
        ),
    )
)


@jit
def compute_rows(views, features):
    scenes, worlds, rounds = np.zeros(1, SCENE), np.zeros(1, WORLD), np.zeros(ROUNDS_AT_ONCE, ROUND)
    for row in range(len(features)):
        view, scene, columns = views[row], scenes[0], features[row]
        slots = columns[: HAND * COLUMNS].reshape(HAND, COLUMNS)
        set_scene(view, scene)
        fill_cards(view, scene, slots)
        fill_chances(view, scene, worlds[0], slots)
        fill_beats(scene, slots)
        find_stays(view, scene)
        fill_strengths(view, scene, slots)
        fill_players(view, scene, slots, columns[HAND * COLUMNS :])
        find_outcomes(view, worlds[0], rounds, slots[:, AT_OUTCOMES:])


@jit
def set_scene(view, scene):
    """What is open to all but its owner."""
    for slot in range(HAND):
        scene.colour[slot] = colour_of_slot(view, slot)
    scene.best[:] = 0
    for colour in range(NUM_COLOURS):
        for player in range(MAX_PLAYERS):
            if view.trick_colour[player, colour]:
                scene.best[colour] = max(scene.best[colour], int(view.trick_value[player]))
        for other in range(OTHERS):
            above = 0.0
            for column in range(MAX_VALUE - 1, -1, -1):
                scene.above[other, colour, column] = above
                above += view.hands[other, colour, column]
            scene.count[other, colour] = above
        for column in range(MAX_VALUE):
            scene.of_others[colour, column] = 0.0
            for other in range(OTHERS):
                scene.of_others[colour, column] += scene.above[other, colour, column]
    for player in range(MAX_PLAYERS):
        scene.needed[player] = int(view.bid[player]) - int(view.tricks[player])
        scene.needed[player] += 0.0 if view.has_bid[player] else OPEN_BID
    for other in range(OTHERS):
        for colour in range(NUM_COLOURS):
            ruffs = scene.count[other, colour] == 0 and scene.count[other, TRUMP] > 0
            scene.ruffs[other, colour] = 1.0 if ruffs else 0.0


# -- the own cards --------------------------------------------------------------------------------------------


@jit
def fill_cards(view, scene, slots):
    slots[:] = 0.0
    for slot in range(HAND):
        columns, colour = slots[slot], scene.colour[slot]
        columns[AT_HELD] = view.held[slot]
        columns[AT_VALUE] = view.slot_value[slot] / MAX_VALUE
        if colour == NO_COLOUR:
            continue
        columns[AT_COLOUR + colour] = 1.0
        columns[AT_BEST] = scene.best[colour]
        columns[AT_LED] = view.led[colour]
        for other in range(HAND):
            if scene.colour[other] == colour and view.held[other]:
                columns[AT_GROUP] += (1.0 if other < slot else 0.0) / HAND
                columns[AT_GROUP + 1] += 1.0 / HAND
        others = columns[AT_OTHERS:AT_WINS].reshape(OTHERS, MAX_VALUE)
        others[:] = view.hands[:, colour]


@jit
def fill_chances(view, scene, world, slots):
    """LU-74: of the values of the slots held."""
    chances = np.zeros((HAND, MAX_VALUE))
    take_in_own(view, world)
    own_chances(view, world, chances)
    slots[:, AT_CHANCES:AT_OTHERS] = chances
    scene.own[:] = 0.0
    for slot in range(HAND):
        if view.held[slot]:
            scene.own[scene.colour[slot]] += chances[slot]


@jit
def fill_beats(scene, slots):
    """The chances to be the highest of its colour in the trick, and of all that others hold; how many are higher."""
    for slot in range(HAND):
        colour, columns = scene.colour[slot], slots[slot]
        for column in range(MAX_VALUE if colour != NO_COLOUR else 0):
            chance, higher = columns[AT_CHANCES + column], scene.of_others[colour, column]
            if column + 1 > scene.best[colour]:
                columns[AT_BEATS] += chance
            if higher == 0:
                columns[AT_BEATS + 1] += chance
            columns[AT_BEATS + 2] += chance * higher / HAND


# -- this trick -----------------------------------------------------------------------------------------------


@jit
def find_stays(view, scene):
    """How likely a card takes this trick, if it beats what lies there."""
    leads, trumped = True, False
    for colour in range(NUM_COLOURS):
        leads = leads and not view.led[colour]
    for player in range(MAX_PLAYERS):
        trumped = trumped or bool(view.trick_colour[player, TRUMP])
    for colour in range(NUM_COLOURS):
        follows = leads or bool(view.led[colour])
        able = 1.0 if colour == TRUMP or (follows and not trumped) else 0.0
        for column in range(MAX_VALUE):
            scene.stays[AT_WORST, colour, column] = able
            scene.stays[BY_CHANCE, colour, column] = able
        for other in range(OTHERS):
            to_play = view.trick_value[other + 1] == 0
            if to_play and (follows or (colour == TRUMP and is_void(view, scene, other))):
                answer(scene, other, colour)


@jit
def is_void(view, scene, other):
    """One has none of the colour led."""
    for colour in range(NUM_COLOURS):  # noqa: SIM110
        if view.led[colour] and scene.count[other, colour] == 0:
            return True
    return False


@jit
def answer(scene, other, colour):
    """One that is yet to play may beat it."""
    ruffs, count = scene.ruffs[other, colour], max(1.0, scene.count[other, colour])
    lure = RUFF_EAGER if scene.needed[other + 1] > 0 else RUFF_SHY
    for column in range(MAX_VALUE):
        higher = scene.above[other, colour, column]
        scene.stays[AT_WORST, colour, column] *= 0.0 if higher > 0 or ruffs > 0 else 1.0
        scene.stays[BY_CHANCE, colour, column] *= 1.0 - higher / count - ruffs * lure


# -- all tricks -----------------------------------------------------------------------------------------------


@jit
def ruffed(scene, base, colour):
    """What those who may trump a colour leave of its strength."""
    left = 1.0
    for other in range(OTHERS):
        if scene.ruffs[other, colour] > 0:
            left *= RUFFED[base]
    return left


@jit
def fill_strengths(view, scene, slots):
    """The tricks that each card may be expected to win, and each hand: less for every higher card."""
    scene.expected[:] = 0.0
    for colour in range(NUM_COLOURS):
        kind = 0 if colour == TRUMP else 1
        for base in range(BASES):
            strength, above_own = ruffed(scene, base, colour), 0.0
            for column in range(MAX_VALUE - 1, -1, -1):
                higher = scene.of_others[colour, column]
                scene.mine[base, colour, column] = strength * FALLEN[base, kind, int(higher)]
                for other in range(OTHERS):
                    if view.hands[other, colour, column]:
                        beaten_by = higher - scene.above[other, colour, column] + above_own
                        scene.expected[other + 1, base] += strength * FALLS[base, kind] ** beaten_by
                above_own += scene.own[colour, column]
    for slot in range(HAND):
        colour, columns = scene.colour[slot], slots[slot]
        for column in range(MAX_VALUE if colour != NO_COLOUR else 0):
            chance = columns[AT_CHANCES + column]
            for base in range(BASES):
                columns[AT_STRENGTH + base] += chance * scene.mine[base, colour, column]
            if column + 1 > scene.best[colour]:
                columns[AT_WINS + AT_WORST] += chance * scene.stays[AT_WORST, colour, column]
                columns[AT_WINS + BY_CHANCE] += chance * scene.stays[BY_CHANCE, colour, column]
        for base in range(BASES):
            scene.expected[0, base] += columns[AT_STRENGTH + base]


@jit
def fill_players(view, scene, slots, players):
    """Tricks expected, so that there are as many as are left, and what that is beyond the bids."""
    left = 0
    for slot in range(HAND):
        left += int(view.held[slot])
    for base in range(BASES):
        total = SOME
        for player in range(MAX_PLAYERS):
            total += scene.expected[player, base]
        for player in range(MAX_PLAYERS):
            surplus = scene.expected[player, base] * left / total - scene.needed[player]
            players[BASES * player + base] = scene.expected[player, base] / UNIT
            players[BASES * (MAX_PLAYERS + player) + base] = surplus / UNIT
        surplus = scene.expected[0, base] * left / total - scene.needed[0]
        for slot in range(HAND):
            columns = slots[slot]
            off = surplus + columns[AT_WINS + BY_CHANCE] - columns[AT_STRENGTH + base]
            columns[AT_SURPLUS + base] = surplus
            columns[AT_OFF + base] = off
            columns[AT_OFF + BASES + base] = off * off
