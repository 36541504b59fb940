"""Whose eyes a drawing is made from, and what a notebook shows of everything that can be drawn."""

import warnings
import xml.etree.ElementTree as ElementTree

import gymnasium
import numpy as np
import pytest

from lanterns_env import Batch
from lanterns_env.envs.aec import make
from lanterns_env.envs.parallel import GameParallelEnv
from lanterns_env.games.svg import Text, svg
from lanterns_env.replay import Replay, record
from lanterns_env.seat import SeatEnv, SeatVectorEnv
from tests.conftest import COMPILED
from tests.play import decisions, middle, play_to_end

EVERY = 3 if COMPILED else 23


def words(picture):
    return [shape.words for shape in picture.shapes if isinstance(shape, Text)]


def test_by_default_a_drawing_is_the_same_in_all_worlds_of_who_is_to_move(name, num_players):
    env = make(name, False, num_players=num_players, render_mode="ansi")
    for number, (agent, _) in enumerate(decisions(env, 11)):
        if number % EVERY == 0:
            world = env.sample_hidden(agent, number)
            assert env.render() == world.render()
            assert env._repr_svg_() == world._repr_svg_()
            assert env.game.draw([env.view(agent)]) == env.render()


def test_of_a_game_that_is_over_the_whole_table_is_drawn_unless_eyes_are_asked_for(name, num_players):
    env = make(name, False, num_players=num_players, render_mode="ansi")
    play_to_end(env, 5)
    everybody = env.game.draw([env.view(agent) for agent in env.possible_agents])
    assert everybody == env.render()
    env.render_player = "player_1"
    assert env.game.draw([env.view("player_1")]) == env.render()


@pytest.mark.parametrize("player", [1, "player_1", np.int64(1)])
def test_an_agent_or_a_seat_fixes_the_eyes_and_all_shows_everything(name, player):
    fixed = make(name, False, render_mode="ansi", render_player=player)
    seen, whole = fixed.clone(), make(name, False, render_mode="ansi", render_player="all")
    assert fixed.render_player == 1
    for env in (fixed, seen, whole):
        for _ in decisions(env, 3, limit=9):
            pass
    views = [whole.view(agent) for agent in whole.possible_agents]
    assert fixed.game.draw([views[1]]) == fixed.render() == seen.render()
    assert whole.game.draw(views) == whole.render() != fixed.render()
    assert words(whole.game.picture(views)) == words(whole.picture())


@pytest.mark.parametrize("player", ["player_9", "everybody", 7, -1, 1.0, True, ["player_0"]])
def test_wrong_eyes_are_refused(name, player):
    for maker in (make, GameParallelEnv):
        arguments = {"guarded": True, "render_player": player}
        with pytest.raises(ValueError, match="there is no agent"):
            maker(name, **arguments)
    with pytest.raises(ValueError, match="there is no agent"):
        SeatEnv(name, render_player=player)
    env = middle(name, 3, render_mode="ansi")
    env.render_player = player
    with pytest.raises(ValueError, match="there is no agent"):
        env.render()


def test_the_parallel_environment_draws_what_who_is_to_move_sees(name):
    env = GameParallelEnv(name, render_mode="ansi")
    assert env._repr_svg_() is None
    env.reset(seed=4)
    mover = env.game_env.agent_selection
    assert env.game_env.game.draw([env.game_env.view(mover)]) == env.render()
    assert svg(env.picture()) == env._repr_svg_() == env.game_env._repr_svg_()


def test_a_seat_is_drawn_from_its_own_eyes_unless_others_are_asked_for(name):
    for player, seats in ((None, [1]), (0, [0]), ("player_0", [0]), ("all", [0, 1, 2])):
        env = SeatEnv(name, num_players=3, seat=1, render_mode="ansi", render_player=player)
        assert env._repr_svg_() is None
        env.reset(seed=2)
        views = env.seats.batch.observe(np.zeros(len(seats), int), seats).reshape(-1).view(env.seats.game.view)
        assert env.seats.game.draw(views) == env.render()
        assert svg(env.seats.game.picture(views)) == svg(env.picture()) == env._repr_svg_()


def test_a_seat_within_wrappers_is_shown_by_unwrapped(name):
    env = gymnasium.make(f"lanterns_env/{name.capitalize()}-v0", disable_env_checker=True)
    env.reset(seed=1)
    assert env.unwrapped._repr_svg_() == svg(env.unwrapped.picture())


def test_render_without_a_mode_warns_and_draws_nothing(name):
    for env in (make(name, False), SeatEnv(name), GameParallelEnv(name)):
        env.reset(seed=1)
        with pytest.warns(UserWarning, match="render_mode"):
            assert env.render() is None


# -- notebooks --------------------------------------------------------------------------------------------------


def texts(drawn):
    root = ElementTree.fromstring(drawn)
    return [element.text or "" for element in root if element.tag.endswith("text")]


def test_a_batch_shows_its_first_games_through_the_eyes_of_who_is_to_move(name):
    batch = Batch(name, 9, seed=3)
    pictures = [batch.game.picture(batch.views[row : row + 1]) for row in range(4)]
    assert [said for picture in pictures for said in words(picture)] == texts(batch._repr_svg_())
    assert words(pictures[0]) == texts(Batch(name, 1, seeds=batch.seeds[:1])._repr_svg_())


def test_a_batch_shows_all_of_a_game_that_is_over(name):
    env = make(name, False, num_players=3)
    play_to_end(env, 5)
    assert words(env.picture()) == texts(env.batch._repr_svg_())


def test_a_vector_environment_shows_what_its_seats_see(name):
    envs = SeatVectorEnv(name, 2, seat=1, num_players=3)
    assert envs._repr_svg_() is None
    envs.reset(seed=3)
    seen = envs.seats.batch.observe([0, 1], [1, 1]).reshape(-1).view(envs.seats.game.view)
    shown = [said for row in range(2) for said in words(envs.seats.game.picture(seen[row : row + 1]))]
    assert shown == texts(envs._repr_svg_())


def test_a_replay_shows_the_deal_and_the_last_position(name):
    env = make(name, False)
    actions = [action for _, action in decisions(env, 3, limit=8)]
    replay = record(env, actions)
    ends = [replay.env(moves, render_player="all").picture() for moves in (0, 8)]
    assert [said for picture in ends for said in words(picture)] == texts(replay._repr_svg_())
    assert Replay(name, env.num_players, 3, (10**6,))._repr_svg_() is None


def test_a_view_shows_a_table_and_prints_by_its_names(name):
    env = middle(name, 3)
    view = env.view("player_0")
    rows = ElementTree.fromstring(view._repr_html_().replace("<br>", "<br/>"))
    assert list(view.dtype.names) == [row[0].text for row in rows]
    first = view.dtype.names[0]
    assert [str(int(view[first]))] == [row[1].text for row in rows if row[0].text == first]
    assert str(view) == repr(view)


def test_what_has_no_picture_stays_quiet_in_a_notebook(name):
    import dataclasses

    bare = dataclasses.replace(make(name, False).game, picture=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make(bare, False)
        env.reset(seed=1)
        assert [None, None] == [env._repr_svg_(), Batch(bare, 2)._repr_svg_()]
