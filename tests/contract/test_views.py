"""Views: bounds, completeness of writing, one layout; redealing changes nothing a player gets."""

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.envs.aec import make
from tests.conftest import COMPILED
from tests.play import decisions


def test_every_number_keeps_its_bounds(name, num_players):
    game = GAMES[name]
    batch = Batch(name, 64 if COMPILED else 2, num_players, seed=1)
    rng = np.random.default_rng(1)
    low, high = game.high.astype(int), game.low.astype(int)
    for _ in range(400 if COMPILED else 60):
        batch.step(batch.sample(rng))
        for seat in range(num_players):
            seen = batch.observe(seats=seat)
            low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
    assert (low >= game.low).all()
    assert (high <= game.high).all()


def test_observe_writes_every_field(name, num_players):
    """A view that held something else before comes out the same."""
    game = GAMES[name]
    batch = Batch(name, 1, num_players, seed=2)
    rng = np.random.default_rng(2)
    for _ in range(30):
        batch.step(batch.sample(rng))
    state = batch.states[0]
    for seat in range(num_players):
        clean, dirty = np.zeros(1, game.view), np.zeros(1, game.view)
        game.to_array(dirty)[:] = 77
        game.observe(state, seat, clean[0])
        game.observe(state, seat, dirty[0])
        assert clean.tobytes() == dirty.tobytes()


def test_fields_fill_the_view_and_are_explained(name):
    game = GAMES[name]
    assert [field.name for field in game.fields] == list(game.view.names)
    assert sum(field.size for field in game.fields) == game.view.itemsize == len(game.low) == len(game.high)
    assert all(field.meaning and -128 <= field.low < field.high <= 127 for field in game.fields)
    assert all(game.view.fields[field.name][0].base == np.int8 for field in game.fields)


def test_a_redeal_changes_nothing_that_its_player_gets(name, num_players):
    """View, mask, words, reasons, drawing, and what others can do about it: the public score."""
    env = make(name, False, num_players=num_players, render_mode="ansi")
    for number, _ in enumerate(decisions(env, 4)):
        if number % (3 if COMPILED else 29):
            continue
        for seat, agent in enumerate(env.possible_agents):
            world = env.sample_hidden(agent, number)
            world.render_player = env.render_player = seat
            assert np.array_equal(world.observe(agent)["observation"], env.observe(agent)["observation"])
            assert np.array_equal(world.observe(agent)["action_mask"], env.observe(agent)["action_mask"])
            assert world.render() == env.render()
            assert world.agent_selection == env.agent_selection
            assert np.array_equal(world._batch.scores(), env._batch.scores())


def test_a_redeal_depends_on_what_is_known_and_on_the_seed_alone(name, num_players):
    """redeal(redeal(s, p, j), p, k) equals redeal(s, p, k) byte for byte, and seeds differ."""
    batch = Batch(name, 8 if COMPILED else 1, num_players, seed=5)
    rng = np.random.default_rng(5)
    rows = np.arange(len(batch))
    for _ in range(40 if COMPILED else 6):
        for seat in range(num_players):
            first = batch.worlds(rows, seat, rows + 100)
            again = first.worlds(rows, seat, rows + 500)
            assert again.states.tobytes() == batch.worlds(rows, seat, rows + 500).states.tobytes()
        batch.step(batch.sample(rng))
    assert first.states.tobytes() != again.states.tobytes()


def test_from_the_bytes_of_an_observation_the_whole_view_comes_back(name, num_players):
    """By names, in print and as the drawing of that player's eyes."""
    env = make(name, False, num_players=num_players, render_mode="ansi")
    for number, _ in enumerate(decisions(env, 8, 60)):
        if number % 20:
            continue
        for seat, agent in enumerate(env.possible_agents):
            env.render_player = seat
            observation = env.observe(agent)["observation"]
            view = env.game.view_from(observation)
            assert env.game.draw([view]) == env.render()
            assert str(view) == str(env.view(agent))
            said = dict(line.split(" ", 1) for line in str(view).splitlines())
            assert list(said) == [field.name for field in env.game.fields]
            assert int(said["seat"]) == seat
    with pytest.raises(ValueError, match="numbers"):
        env.game.view_from(observation[:-1])


def test_the_deals_seed_is_in_no_view_and_in_no_redealt_world(name, num_players):
    seed = 0x5EED5EED5EED5EED
    batch = Batch(name, 1, num_players, seeds=[seed])
    world = batch.worlds([0], [0], [3])
    assert world.seeds.tolist() == [3]
    needle = np.uint64(seed).tobytes()
    assert needle in batch.states.tobytes()
    assert needle not in world.states.tobytes()
    assert needle not in batch.observations.tobytes()


def test_layout_changes_with_fields_and_version(name):
    import dataclasses

    game = GAMES[name]
    assert dataclasses.replace(game).layout == game.layout
    assert dataclasses.replace(game, version=99).layout != game.layout
    assert dataclasses.replace(game, fields=game.fields[:-1]).layout != game.layout


@pytest.mark.parametrize("color", [False, True])
def test_drawings_fit_a_terminal_and_color_adds_color_alone(name, num_players, color):
    import re

    env = make(name, False, num_players=num_players)
    for number, _ in enumerate(decisions(env, 6)):
        if number % 25:
            continue
        for seats in (range(num_players), [0], [num_players - 1]):
            views = env._views(seats)
            plain, text = env.game.draw(views), env.game.draw(views, color=color)
            assert re.sub(r"\033\[[0-9;]*m", "", text) == plain
            assert max(len(line) for line in plain.splitlines()) <= 80
            assert ("\033[" in text) == color
