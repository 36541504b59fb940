"""Pictures: the same shapes as SVG and as pixels, drawn from views alone, nothing outside the frame."""

import xml.etree.ElementTree as ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RenderCollection
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from lanterns_env.envs.aec import make
from lanterns_env.games.raster import rgb_array
from lanterns_env.games.svg import Circle, Picture, Polygon, Rectangle, Text, svg
from tests.conftest import COMPILED
from tests.play import decisions, middle

EVERY = 31 if COMPILED else 60


def pictures(name, num_players):
    env = make(name, False, num_players=num_players)
    for number, _ in enumerate(decisions(env, 7)):
        if number % EVERY == 0:
            yield env.game.picture(env._views(range(num_players)))
            yield env.game.picture(env._views([num_players - 1]))
    yield env.game.picture(env._views(range(num_players)))


def corners(shape):
    match shape:
        case Polygon(points):
            return points
        case Circle((x, y), radius):
            return (x - radius, y - radius), (x + radius, y + radius)
        case Rectangle((x, y), width, height):
            return (x, y), (x + width, y + height)
        case Text((x, y), words, size, _, anchor):
            width = 0.52 * size * len(words)
            back = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width
            return (x - back, y - size / 2), (x - back + width, y + size / 2)


def test_everything_lies_inside_the_frame(name, num_players):
    for picture in pictures(name, num_players):
        for shape in picture.shapes:
            for x, y in corners(shape):
                assert -1 <= x <= picture.width + 1, shape
                assert -1 <= y <= picture.height + 1, shape


def test_svg_and_pixels_show_the_same_shapes(name):
    env = middle(name, make(name, False).num_players)
    picture = env.picture()
    root = ElementTree.fromstring(svg(picture, 500))
    assert root.attrib["width"] == "500"
    assert len(root) == len(picture.shapes) + 1  # and the background
    shown = [element.text or "" for element in root if element.tag.endswith("text")]
    assert shown == [shape.words for shape in picture.shapes if isinstance(shape, Text)]
    assert env._repr_svg_() == picture._repr_svg_() == svg(picture)
    pixels = rgb_array(picture, 500)
    assert pixels.shape == (round(500 * picture.height / picture.width), 500, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20


def test_shapes_come_out_where_and_as_they_are():
    shapes = [
        Rectangle((0, 0), 50, 100, "#ff0000"),
        Circle((75, 25), 10, "#00ff00"),
        Polygon(((60, 60), (90, 60), (90, 90), (60, 90)), "#0000ff"),
        Text((25, 50), "<&>", 30, "#ffffff"),
    ]
    pixels = rgb_array(Picture(100, 100, shapes), 100)
    assert pixels[5, 5].tolist() == [255, 0, 0]
    assert pixels[25, 75].tolist() == [0, 255, 0]
    assert pixels[75, 75].tolist() == [0, 0, 255]
    assert pixels[5, 95].tolist() == [255, 255, 255]
    assert pixels[35:65, 5:45].reshape(-1, 3).tolist().count([255, 255, 255]) > 20
    assert "&lt;&amp;&gt;" in svg(Picture(100, 100, shapes))


def test_a_picture_from_one_players_eyes_shows_nothing_hidden(name, num_players):
    env = middle(name, num_players)
    for seat, agent in enumerate(env.possible_agents):
        world = env.sample_hidden(agent, 5)
        world.render_player = env.render_player = seat
        assert world._repr_svg_() == env._repr_svg_()


def test_render_modes_and_sizes(name, capsys, monkeypatch):
    env = make(name, True, render_mode="rgb_array", render_width=400)
    env.reset(seed=1)
    assert env.render().shape[1] == 400
    for display in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(display, raising=False)
    env = make(name, True, render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert env.game.title in capsys.readouterr().out


def test_a_window_opens_where_there_is_a_display(name, monkeypatch):
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = make(name, True, render_mode="human", render_width=300)
    env.reset(seed=1)
    env.render()
    assert env._renderer._window.get_size()[0] == 300
    assert env.clone()._renderer._window is None
    env.close()
    assert env._renderer._window is None


def test_gymnasiums_and_pettingzoos_recorders_get_frames(name):
    seat = gymnasium.make(
        f"lanterns_env/{name.capitalize()}-v0", render_mode="rgb_array", render_width=200, disable_env_checker=True
    )
    recorded = RenderCollection(seat)
    recorded.reset(seed=1)
    assert recorded.render()[0].shape[1:] == (200, 3)
    env = OrderEnforcingWrapper(make(name, False, render_mode="rgb_array", render_width=200))
    env.reset(seed=1)
    assert env.render().dtype == np.uint8
    assert env.metadata["render_fps"] > 0


def test_the_recorders_write_films(name, tmp_path):
    pytest.importorskip("moviepy", reason="an extra of Gymnasium and PettingZoo that holds Pillow back")
    from gymnasium.wrappers import RecordVideo
    from pettingzoo.utils.wrappers import RecordVideo as RecordAEC

    arguments = {"render_mode": "rgb_array", "render_width": 200}
    seat = gymnasium.make(f"lanterns_env/{name.capitalize()}-v0", disable_env_checker=True, **arguments)
    films = RecordVideo(seat, str(tmp_path / "seat"), episode_trigger=lambda _: True)
    films.reset(seed=1)
    films.close()
    films = RecordAEC(make(name, True, **arguments), str(tmp_path / "aec"), episode_trigger=lambda _: True)
    films.reset(seed=1)
    films.step(int(films.last()[0]["action_mask"].argmax()))
    films.close()
    for folder in ("seat", "aec"):
        assert [file.suffix for file in (tmp_path / folder).iterdir()] == [".mp4"]
