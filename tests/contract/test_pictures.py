"""Pictures: the same shapes as SVG and as pixels, drawn from views alone, nothing outside the frame."""

import xml.etree.ElementTree as ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RenderCollection
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from PIL import ImageFont

from lanterns_env.envs.aec import make
from lanterns_env.games.letters import BOLD, FILES, FIRST, REGULAR, UNIT, WIDEST, length
from lanterns_env.games.raster import FONTS, rgb_array
from lanterns_env.games.svg import Circle, Fade, Glow, Line, Picture, Polygon, Rectangle, Text, grid, legend, svg
from tests.conftest import COMPILED
from tests.play import decisions, middle

LINE = 0.6  # of the size of letters: texts closer than this stand in one line
LARGEST = 150_000  # letters of an SVG
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
        case Polygon(points) | Line(points):
            return points
        case Glow():
            return ()  # nothing is left of it at its rim
        case Circle((x, y), radius):
            return (x - radius, y - radius), (x + radius, y + radius)
        case Rectangle((x, y), width, height):
            return (x, y), (x + width, y + height)
        case Text():
            left, right = span(shape)
            y, size = shape.middle[1], shape.size
            return (left, y - size / 2), (right, y + size / 2)


def span(text):
    """Where a text begins and ends in the widest letters that a machine may have."""
    width = WIDEST * length(text.words, text.size, text.bold)
    left = text.middle[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    return left, left + width


def test_everything_lies_inside_the_frame(name, num_players):
    for picture in pictures(name, num_players):
        for shape in picture.shapes:
            for x, y in corners(shape):
                assert -1 <= x <= picture.width + 1, shape
                assert -1 <= y <= picture.height + 1, shape


def test_no_text_runs_into_another_whatever_the_letters(name, num_players):
    for picture in pictures(name, num_players):
        texts = [shape for shape in picture.shapes if isinstance(shape, Text) and shape.words]
        spans, rows, sizes = (
            np.array(numbers)
            for numbers in (
                [span(text) for text in texts],
                [text.middle[1] for text in texts],
                [text.size for text in texts],
            )
        )
        beside = np.abs(rows[:, None] - rows) < LINE * (sizes[:, None] + sizes) / 2
        apart = np.minimum(spans[:, None, 1], spans[:, 1]) <= np.maximum(spans[:, None, 0], spans[:, 0])
        found = np.argwhere(beside & ~apart & (np.arange(len(texts))[:, None] < np.arange(len(texts))))
        assert [] == [(texts[one].words, texts[other].words) for one, other in found]


def test_letters_have_the_measured_widths():
    for bold in (False, True):
        font = ImageFont.truetype(FONTS / FILES[bold], round(UNIT))
        drawn = [round(font.getlength(chr(FIRST + place))) for place in range(len(REGULAR))]
        assert list(BOLD if bold else REGULAR) == drawn


def test_an_svg_says_the_length_of_its_words(name):
    for element in ElementTree.fromstring(middle(name, 3)._repr_svg_()):
        if element.tag.endswith("text") and len(element.text or "") > 1:
            measured = length(element.text, float(element.attrib["font-size"]), "font-weight" in element.attrib)
            assert abs(measured - float(element.attrib["textLength"])) < 0.02 * measured + 0.1


def test_of_letters_that_are_not_measured_an_svg_says_no_length():
    lines = [Text((50, 20), words, 10) for words in ("cafe", "café", "囲碁")]
    drawn = ElementTree.fromstring(svg(Picture(100, 40, lines)))
    assert [True, False, False] == ["textLength" in each.attrib for each in drawn if each.tag.endswith("text")]


def test_an_svg_stays_small(name, num_players):
    assert max(len(svg(picture)) for picture in pictures(name, num_players)) < LARGEST


def test_a_legend_keeps_its_words_apart():
    texts = list(legend(["K black", "golden ring", "x,y: free cell"], (5, 10), 12, 8, "#000000"))
    ends = [span(text) for text in texts]
    assert [5.0, *(right + 8 for _, right in ends[:-1])] == pytest.approx([left for left, _ in ends])


def test_svg_and_pixels_show_the_same_shapes(name):
    env = middle(name, make(name, False).num_players)
    picture = env.picture()
    root = ElementTree.fromstring(svg(picture, 500))
    assert root.attrib["width"] == "500"
    assert sum(not element.tag.endswith("defs") for element in root) == len(picture.shapes) + 1  # and the background
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


def test_light_fades_from_the_middle_and_colours_shine_through():
    shapes = [
        Rectangle((0, 0), 100, 50, Fade("#000000", "#ff0000")),
        Glow((50, 75), 20, "#ffffff"),
        Rectangle((0, 60), 20, 20, "#00ff0080"),
        Line(((80, 60), (80, 90)), "#0000ff", 4),
    ]
    picture = Picture(100, 100, shapes, "#000000")
    pixels = rgb_array(picture, 100).astype(int)
    red = pixels[[0, 12, 25, 37, 49], 50, 0]
    assert np.abs(np.array([0, 64, 128, 192, 255]) - red).max() <= 8
    light = pixels[75, [50, 54, 58, 62, 66, 71], 0]
    assert np.abs(np.array([255, 199, 115, 51, 15, 0]) - light).max() <= 16
    assert np.abs(np.array([0, 128, 0]) - pixels[70, 10]).max() <= 2
    assert [0, 0, 255] == pixels[75, 80].tolist()
    drawn = svg(picture)
    assert 'fill="url(#glow-ffffff)"' in drawn
    assert '<stop stop-color="#000000"/><stop offset="1" stop-color="#ff0000"/>' in drawn
    assert 'fill="#00ff00" fill-opacity="0.502"' in drawn


def test_a_grid_shows_its_pictures_side_by_side():
    pictures = [
        Picture(50, 20, [Circle((25, 10), 5, colour)], "#ffffff") for colour in ("#ff0000", "#00ff00", "#0000ff")
    ]
    whole = grid(pictures, 2)
    pixels = rgb_array(whole, 200)
    corner = round(whole.height * 4)
    places = [(corner // 4, 50), (corner // 4, 150), (3 * corner // 4, 50)]
    assert [[255, 0, 0], [0, 255, 0], [0, 0, 255]] == [pixels[place].tolist() for place in places]


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
