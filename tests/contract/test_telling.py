"""What others hear of a move is what becomes public by it."""

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.envs.aec import make
from lanterns_env.games.lanterns.components import COLOURS, TILES
from tests.play import decisions


def views_of(env):
    return [env.view(agent) for agent in env.possible_agents]


def test_a_listener_hears_the_same_in_every_world_that_shows_it_the_same_afterwards(name, num_players, few):
    """Words may only depend on what the listener's own view holds after the move."""
    compared = 0
    for env, action in middles(name, num_players, few):
        mover = env.possible_agents.index(env.agent_selection)
        for listener, agent in enumerate(env.possible_agents):
            world = env.sample_hidden(agent, seed=5)
            if listener == mover or world.why_illegal(action):
                continue
            if after(env, action, agent) != after(world, action, agent):
                continue
            heard = [env.game.describe_move(views_of(each), mover, listener, action) for each in (env, world)]
            assert heard[0] == heard[1]
            came = [outcome_of(each, action, listener) for each in (env, world)]
            assert came[0] == came[1]
            compared += 1
    assert compared > 0


def middles(name, num_players, games):
    """Positions of some games with the action that is taken there."""
    for seed in range(games // 4 or 1):
        env = make(name, False, num_players=num_players)
        for number, (_, action) in enumerate(decisions(env, seed)):
            if number % 3 == 0:
                yield env, action


def outcome_of(env, action, listener):
    """What is said to have come of an action."""
    mover, twin = env.possible_agents.index(env.agent_selection), env.clone()
    twin.step(action)
    return env.game.describe_outcome(views_of(env), mover, action, listener, views_of(twin))


def after(env, action, agent):
    twin = env.clone()
    twin.step(action)
    return twin.view(agent).tobytes()


def test_a_card_of_lumen_is_said_by_the_value_that_lies_on_the_table():
    env = make("lumen", False, num_players=4)
    said = 0
    for agent, action in decisions(env, seed=4, limit=60):
        mover = env.possible_agents.index(agent)
        words = env.game.describe_move(views_of(env), mover, mover, action)
        twin = env.clone()
        twin.step(action)
        value = int(twin.view(agent).slot_value[action - 22]) if action >= 22 else 0
        if value:
            assert words.split()[2] == str(value)
            said += 1
    assert said > 20


def test_a_tile_of_lanterns_is_said_where_the_listener_sees_it():
    env = make("lanterns", False, num_players=4)
    for agent, action in decisions(env, seed=4):
        mover = env.possible_agents.index(agent)
        if not env.describe(action).startswith("place"):
            continue
        before, twin = views_of(env), env.clone()
        twin.step(action)
        for listener in range(4):
            view = twin.view(f"player_{listener}")
            last = int((view.lake_tile >= 0).sum()) - 1
            tile, turn = int(view.lake_tile[last]), int(view.lake_turn[last])
            colours = [COLOURS[TILES[tile, (turn + side) % 4]] for side in range(4)]
            sides = "{} near, {} left, {} far, {} right".format(*colours)
            words = env.game.describe_move(before, mover, listener, action)
            assert words == f"place tile {tile} at ({view.lake_x[last]}, {view.lake_y[last]}): {sides}"


def test_a_game_without_words_of_its_own_is_said_as_described():
    import dataclasses

    game = dataclasses.replace(GAMES["lighthouse"], describe_to=None)
    batch = Batch("lighthouse", 1, 2, seed=1)
    action = int(np.flatnonzero(batch.action_masks[0])[0])
    views = batch.observe([0, 0], [0, 1]).view(game.view).ravel()
    assert game.describe_move(views, int(batch.current_players[0]), 1, action) == game.describe(batch.views[0], action)


@pytest.mark.parametrize("choice", [13, 14])
def test_a_claim_is_said_by_its_order(choice):
    env = make("lighthouse", False, num_players=2)
    for agent, action in decisions(env, seed=1):
        if env.describe(action) in ("claim", "decline"):
            words = env.game.describe_move(views_of(env), env.possible_agents.index(agent), 0, choice)
            assert words.split(" the order ")[0] == env.describe(choice)
            assert len(words.split()[-1]) == 4
            return
    raise AssertionError("no claim in this game")
