"""The engine against the slow reference, state for state, under policies that seek out the corners."""

from collections import Counter

import numpy as np
import pytest

from lanterns_env.games.lanterns import rules
from tests.lanterns.setup import COMPILED, GAME, TABLES, laid, legal_actions, new_state, slots
from tests.oracles import lanterns as oracle

GAMES_EACH = 15 if COMPILED else 2


def reference_of(state):
    """The reference at the same deal."""
    n = int(state.num_players)
    order = [*state.hands[:n].ravel(), *state.pile[: state.pile_left][::-1], *state.box]
    empty = next(iter({1, 2, 3} - set(state.chair[:3].tolist()))) if n == 3 else None
    return oracle.Lanterns(n, [int(tile) for tile in order if tile != rules.NO_TILE], empty, **smaller(state))


def smaller(state):
    """What the options of a game say to the reference, nothing for the full game."""
    if not state.placements:
        return {}
    left, columns, rows = (int(state[name]) for name in ("left", "columns", "rows"))
    cells = {(x - left, y) for x in range(columns) for y in range(rows)} if columns else None
    pile = int(state.num_players) * int(state.placements - state.hand)
    return {"hand": int(state.hand), "pile": pile, "stack": int(state.stack) or None, "cells": cells}


def of_engine(state):
    n = int(state.num_players)
    facts = {
        "chairs": state.chair[:n].tolist(),
        "turn": int(state.turn),
        "over": bool(state.over),
        "supply": state.supply.tolist(),
        "lanterns": state.lanterns[:n].tolist(),
        "favors": state.favors[:n].tolist(),
        "honor": state.honor[:n].tolist(),
        "taken": state.taken.tolist(),
        "hands": [[None if tile == rules.NO_TILE else int(tile) for tile in hand] for hand in state.hands[:n]],
        "pile": state.pile[: state.pile_left][::-1].tolist(),
        "box": state.box[state.box != rules.NO_TILE].tolist(),
        "lake": laid(state),
        "slots": slots(state),
        "touch": {
            (slot, chair): (int(state.touch[slot, chair]) - 1, bool(state.touch_platform[slot, chair]))
            for slot, chair in zip(*np.nonzero(state.touch), strict=True)
        },
        "result": result(state),
        "seats beyond": (state.lanterns[n:].sum(), state.honor[n:].sum(), state.hands[n:].max(initial=rules.NO_TILE)),
    }
    if not state.over:
        facts |= {"player": int(state.player), "phase": int(state.phase), "legal": legal_actions(state)}
    return facts


def result(state):
    points, share = np.full(4, 9, np.float32), np.full(4, 9, np.float32)
    GAME.score(state, points, share)
    n = int(state.num_players)
    assert not points[n:].any()
    assert not share[n:].any()
    return points[:n].tolist(), share[:n].tolist()


def of_oracle(game):
    honor, share = game.result()
    facts = {
        "chairs": game.chairs,
        "turn": game.turn,
        "over": game.over,
        "supply": game.supply,
        "lanterns": game.lanterns,
        "favors": game.favors,
        "honor": game.honor,
        "taken": game.taken,
        "hands": game.hands,
        "pile": game.pile,
        "box": game.box,
        "lake": game.lake,
        "slots": game.slots,
        "touch": touch(game),
        "result": (honor, [float(np.float32(part)) for part in share]),
        "seats beyond": (0, 0, rules.NO_TILE),
    }
    if not game.over:
        facts |= {"player": game.player, "phase": oracle.PHASES.index(game.phase), "legal": game.legal()}
    return facts


def touch(game):
    """What lies beside the free cells: by slot and chair the colour, and whether of a platform tile."""
    beside = {}
    for slot, cell in enumerate(game.slots):
        for chair in range(4 if cell is not None else 0):
            there = oracle.neighbour(cell, chair)
            if there in game.lake:
                colour = oracle.facing(*game.lake[there], (chair + 2) % 4)
                beside[slot, chair] = colour, oracle.PLATFORM[game.lake[there][0]]
    return beside


# -- policies: each takes the reference and its legal actions -------------------------------------------------


def at_random(game, legal, rng):
    return legal[rng.integers(len(legal))]


def by_matches(game, legal, rng):
    """Exchange at random if possible, never dedicate, place for favors and matches: full hands, empty stacks."""
    if legal[-1] == oracle.SKIP:
        return legal[rng.integers(len(legal) - 1)] if game.phase == "exchange" else oracle.SKIP
    return best_placement(game, legal, rng)


def by_pairs(game, legal, rng):
    """Dedicate three pairs whenever possible, seldom else: that pile is used up."""
    pairs = [action for action in legal if oracle.DEDICATE_PAIRS <= action < oracle.DEDICATE_SEVEN]
    if pairs:
        return pairs[rng.integers(len(pairs))]
    return oracle.SKIP if legal[-1] == oracle.SKIP else best_placement(game, legal, rng)


def by_fours(game, legal, rng):
    """Dedicate four of a kind, skip exchanges."""
    if game.phase == "dedicate":
        return legal[0]
    return oracle.SKIP if legal[-1] == oracle.SKIP else best_placement(game, legal, rng)


def by_stinginess(game, legal, rng):
    """Hold on to lanterns until the final round, then use everything: refilled stacks, late choices."""
    if legal[-1] == oracle.SKIP:
        final = not any(tile is not None for hand in game.hands for tile in hand)
        return legal[rng.integers(len(legal) - 1)] if final else oracle.SKIP
    return at_random(game, legal, rng)


def best_placement(game, legal, rng):
    """Of some placements that with the most favors, then matches; of discards any."""
    some = [legal[k] for k in rng.integers(len(legal), size=24)]
    return max(some, key=lambda action: worth(game, action))


def worth(game, action):
    if action < oracle.PLACE:
        return 0
    slot, rest = divmod(action - oracle.PLACE, 12)
    cell, tile = game.slots[slot], game.hands[game.player][rest // 4]
    game.lake[cell] = (tile, (rest % 4 - game.chairs[game.player]) % 4)
    matches = game._matches(cell)
    del game.lake[cell]
    favors = sum(oracle.PLATFORM[other] for _, other in matches) + (oracle.PLATFORM[tile] and bool(matches))
    return 10 * favors + len(matches)


POLICIES = {  # with the corners that each must have come to
    at_random: {"exchange": 1},
    by_matches: {"exchange": 10, "empty stacks": 3, "longest run of discards": 3, "hand": 15},
    by_pairs: {"generic token": 3, "favors": 8},
    by_fours: {"generic token": 1, "favors": 8},
    by_stinginess: {"exchange": 1, "longest run of discards": 3, "final turns": 5},
}


def whole_game(num_players, options, policy, seed, seen):
    """Play one game on both; count in `seen` which corners it came to."""
    state = new_state(num_players, seed, **options)
    game = reference_of(state)
    rng = np.random.default_rng(seed)
    discards = 0
    assert of_oracle(game) == of_engine(state)
    while not game.over:
        action = policy(game, game.legal(), rng)
        kind = oracle.dedication(action)[0] if oracle.DEDICATE_FOUR <= action < oracle.DISCARD else None
        seen["generic token"] += kind is not None and game.taken[kind] == len(oracle.TOKENS[num_players][kind])
        seen["exchange"] += action < oracle.DEDICATE_FOUR
        discards = discards + 1 if oracle.DISCARD <= action < oracle.PLACE else 0
        seen["longest run of discards"] = max(seen["longest run of discards"], discards)
        game.play(action)
        GAME.play(state, action)
        assert of_oracle(game) == of_engine(state)
        seen["empty stacks"] = max(seen["empty stacks"], game.supply.count(0))
        seen["favors"] = max(seen["favors"], *game.favors)
        seen["hand"] = max(seen["hand"], *map(sum, game.lanterns))
        seen["final turns"] += game.turn >= game.total_turns - num_players and not game.over


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.__name__)
@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_engine_and_reference_agree(num_players, options, policy):
    seen = Counter()
    for seed in range(GAMES_EACH):
        whole_game(num_players, options, policy, seed, seen)
    short = {corner: seen[corner] for corner, least in POLICIES[policy].items() if seen[corner] < least}
    assert short == {}


SMALLER = [
    (2, {"preset": "tiny"}),
    (3, {"preset": "small"}),
    (2, {"tiles": 16, "first_tile": 12, "placements": 7, "hand": 2, "stack": 4, "columns": 5, "left": 2, "rows": 3}),
    (4, {"tiles": 20, "first_tile": 8, "placements": 4, "hand": 1}),
]


@pytest.mark.parametrize("policy", [at_random, by_matches, by_stinginess], ids=lambda policy: policy.__name__)
@pytest.mark.parametrize(("num_players", "options"), SMALLER)
def test_engine_and_reference_agree_on_smaller_games(num_players, options, policy):
    for seed in range(GAMES_EACH):
        whole_game(num_players, options, policy, seed, Counter())
