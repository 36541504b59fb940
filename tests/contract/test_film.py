"""Films of replays: a picture for every move, the eyes asked for, and refusals before anything is drawn."""

import sys

import numpy as np
import pytest

from lanterns_env.cli import main
from lanterns_env.envs.aec import make
from lanterns_env.film import CAPTION, LAST, film
from lanterns_env.games.raster import rgb_array
from lanterns_env.replay import record, save
from tests.play import decisions

Image = pytest.importorskip("PIL.Image")
MOVES, WIDTH, NEAR = 4, 120, 3


@pytest.fixture
def replay(name):
    env = make(name, False)
    return record(env, [action for _, action in decisions(env, 3, limit=MOVES)])


def frames(file):
    """The pictures of a film, and the milliseconds that each stays."""
    with Image.open(file) as images:
        for number in range(images.n_frames):
            images.seek(number)
            yield np.array(images.convert("RGB")), images.info["duration"]


@pytest.mark.parametrize("ending", ["gif", "apng", "png"])
def test_a_film_has_a_picture_for_the_deal_and_for_every_move(replay, ending, tmp_path):
    file, seen = tmp_path / f"film.{ending}", []
    count = film(replay, file, seconds=0.5, width=WIDTH, progress=lambda done, of: seen.append((done, of)))
    shown = list(frames(file))
    assert MOVES + 1 == count == len(shown)
    assert [(number, count) for number in range(1, count + 1)] == seen
    assert [500] * MOVES + [500 * LAST] == [round(stays) for _, stays in shown]
    assert all(drawn.shape[1] == WIDTH for drawn, _ in shown)


def test_an_apng_shows_what_the_environment_draws(replay, tmp_path):
    for player, eyes in (("all", "all"), (1, 1), ("player_1", 1)):
        film(replay, tmp_path / "film.png", player, width=WIDTH)
        for number, (drawn, _) in enumerate(frames(tmp_path / "film.png")):
            picture = replay.env(number, render_player=eyes).picture()
            expected = rgb_array(picture, WIDTH)[: -round(CAPTION * WIDTH)]
            assert np.abs(expected.astype(int) - drawn[: len(expected)]).max() <= NEAR


def test_from_one_seat_a_film_is_the_same_in_every_world_of_that_seat(replay, tmp_path):
    """Of a deal that differs in what the seat cannot know, as long as the same is heard."""
    film(replay, tmp_path / "all.png", "all", width=WIDTH)
    film(replay, tmp_path / "seat.png", 0, width=WIDTH)
    everything, own = (next(frames(tmp_path / f"{each}.png"))[0] for each in ("all", "seat"))
    world = replay.env(0, render_player=0).sample_hidden("player_0", 99)
    room = round(CAPTION * WIDTH)
    hidden = rgb_array(world.picture(), WIDTH)[:-room].astype(int)
    assert np.abs(hidden - own[: len(hidden)]).max() <= NEAR
    assert np.abs(everything.astype(int) - own).max() > NEAR


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"file": "film.mp4"}, r"\*\.gif, \*\.apng, \*\.png; not"),
        ({"seconds": 0}, "stays for 0.02 to 60 seconds, not 0"),
        ({"seconds": "slow"}, "seconds"),
        ({"width": 0}, "positive number of pixels, not 0"),
        ({"render_player": "player_9"}, "there is no agent"),
        ({"file": "nowhere/film.gif"}, "cannot be written"),
    ],
)
def test_what_makes_no_film_is_refused(replay, arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=words):
        film(replay, **{"file": "film.gif", **arguments})
    assert [] == list(tmp_path.iterdir())


def test_the_command_line_writes_films(replay, tmp_path, capsys):
    save(tmp_path / "game.jsonl", replay)
    file = tmp_path / "film.gif"
    words = ["replay", str(tmp_path / "game.jsonl"), "--film", str(file), "--width", "100", "--seat", "1"]
    assert main(words) == 0
    assert f"wrote {file}: {MOVES + 1} pictures" in capsys.readouterr().out
    assert MOVES + 1 == len(list(frames(file)))
    assert main([*words[:3], str(tmp_path / "film.avi")]) == 2
    assert "a film is a file named" in capsys.readouterr().err


def test_without_pillow_the_command_line_says_what_to_install(replay, tmp_path, capsys, monkeypatch):
    save(tmp_path / "game.jsonl", replay)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert main(["replay", str(tmp_path / "game.jsonl"), "--film", str(tmp_path / "film.gif")]) == 2
    assert "lanterns_env[render]" in capsys.readouterr().err
    assert not (tmp_path / "film.gif").exists()
