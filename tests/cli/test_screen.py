"""Lines that end between words, and drawings that find room on a low terminal."""

import re

import numpy as np
import pytest

from lanterns_env import GAMES, cli
from lanterns_env.cli import terminal
from lanterns_env.cli.screen import menu
from lanterns_env.cli.terminal import Screen
from lanterns_env.envs.aec import make
from tests.cli.playing import dealt, played, repl_of
from tests.conftest import COMPILED
from tests.play import decisions

COLUMNS, LINES = 80, 24
LOW = Screen(size=lambda: (COLUMNS, LINES))
CODES = re.compile(r"\033\[[0-9;]*m")
PROMPT = 1
LONG = 240  # decisions of games that may take hundreds
USUAL_ROWS, USUAL_COLUMNS = 10, 11  # of a lake, free cells included


def views_of(env):
    return [env.view(agent) for agent in env.possible_agents]


def positions(name, num_players, every, limit=10**6):
    """Positions of a game with the views of all, the mover's first."""
    env = make(name, False, num_players=num_players)
    for number, (agent, _) in enumerate(decisions(env, seed=5, limit=limit)):
        if number % every == 0:
            views, seat = views_of(env), env.possible_agents.index(agent)
            yield env, [*views[seat:], *views[:seat]]
    yield env, views_of(env)


# -- lines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("one two three", 9, "one two\nthree"),
        ("one two three", 0, "one two three"),
        ("  one two three", 9, "  one two\n  three"),
        ("  why X  the rule that forbids", 20, "  why X  the rule\n         that\n         forbids"),
        ("a\n\nbb cc", 3, "a\n\nbb\ncc"),
        ("/a/very/long/path-with-hyphens and more", 10, "/a/very/long/path-with-hyphens\nand more"),
    ],
)
def test_lines_end_between_words(text, columns, expected):
    assert expected == terminal.wrap(text, columns)


def test_whatever_a_session_says_is_wrapped():
    narrow = Screen(size=lambda: (40, 0))
    lines = (
        "help",
        "rules",
        "sing",
        "moves 77",
        "why not play slot 3",
        "99",
        "",
        "undo",
        "hint nobody",
        "save",
        "quit",
        "",
    )
    seats = ("me", "random", "random")
    _, keyboard = played(dealt("lumen", seats, first_dark_plus=2), *lines, screen=narrow)
    said = [text for text in keyboard.written if not text.startswith("\nLumen")]
    assert len(said) > len(lines)
    words = set(re.findall(r"\w+", GAMES["lumen"].rules))
    assert words <= set(re.findall(r"\w+", " ".join(said)))
    assert max(len(line) for text in said for line in text.splitlines()) <= 40


def test_errors_are_wrapped_where_somebody_reads(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "50")
    words = ["play", "lumen", "--option", "recal=no"]
    assert cli.main(words) == 2
    assert 1 == capsys.readouterr().err.count("\n")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert cli.main(words) == 2
    shown = capsys.readouterr().err
    assert max(map(len, shown.splitlines())) <= 50
    assert "did you mean 'recall'?" in " ".join(shown.split())


# -- compact drawings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("all_seeing", [False, True])
def test_a_compact_drawing_keeps_to_80_columns_and_colour_adds_colour_alone(name, num_players, all_seeing):
    for env, views in positions(name, num_players, every=9, limit=LONG if COMPILED else 40):
        shown = views if all_seeing else views[:1]
        plain, coloured = env.game.draw_compact(shown), env.game.draw_compact(shown, color=True)
        assert max(map(len, plain.splitlines())) <= COLUMNS
        assert plain == CODES.sub("", coloured)
        assert plain != coloured


@pytest.mark.parametrize(("game", "players"), [("lumen", 3), ("lumen", 5), ("lighthouse", 2), ("lighthouse", 4)])
def test_drawing_menu_and_prompt_find_room_on_24_lines(game, players):
    for env, views in positions(game, players, every=7, limit=LONG if COMPILED else 60):
        assert screen_lines(env, views) <= LINES


def test_a_lake_of_usual_height_leaves_room_too():
    """Only where tiles lie in long lines does the upper end of the lake scroll away."""
    fits = []
    for env, views in positions("lanterns", 4, every=5):
        lake = env.game.draw_compact(views[:1]).splitlines()
        rows = [line for line in lake if re.match(r" *-?\d+ [ +OGPWBRK]", line[:5])]
        columns = re.findall(r"-?\d+", lake[1].partition("O")[0])
        fits.append(screen_lines(env, views) <= LINES)
        assert fits[-1] or len(rows) > USUAL_ROWS or len(columns) > USUAL_COLUMNS
    assert sum(fits) > len(fits) / 2


def screen_lines(env, views):
    drawing = LOW.drawn(env.game, views[:1], LINES)
    moves = menu.numbered([env.describe(int(action)) for action in np.flatnonzero(env.batch.action_masks[0])])
    listed = menu.listed(moves, COLUMNS, LOW.room_below(drawing)) if moves else []
    return drawing.count("\n") + 1 + len(listed) + PROMPT


def test_the_lake_and_the_hand_stand_beside_each_other():
    for env, views in positions("lanterns", 4, every=12, limit=LONG if COMPILED else 50):
        lines = env.game.draw_compact(views[:1]).splitlines()
        lake = [k for k, line in enumerate(lines) if re.match(r" *-?\d+ .*[OGPWBRK]{3}", line)]
        (hand,) = (k for k, line in enumerate(lines) if f"tiles of {views[0].seat}" in line or "holds no" in line)
        assert lake[0] < hand <= max(lake[-1] + 9, 15)


def test_a_drawing_is_compact_where_the_usual_one_finds_no_room():
    env = make("lumen", False, num_players=4)
    env.reset(seed=1)
    views = views_of(env)[:1]
    usual, compact = "\n" + env.game.draw(views) + "\n", env.game.draw_compact(views)
    high = usual.count("\n") + 1
    for lines, below, forced, expected in [
        (0, 0, False, usual),
        (high, 0, False, usual),
        (high - 1, 0, False, compact),
        (high, 1, False, compact),
        (0, 0, True, compact),
    ]:
        screen = Screen(size=lambda lines=lines: (COLUMNS, lines), compact=forced)
        assert expected == screen.drawn(env.game, views, below)


def test_a_game_without_a_compact_drawing_is_drawn_as_usual():
    import dataclasses

    env = make("lighthouse", False)
    env.reset(seed=1)
    game = dataclasses.replace(env.game, draw_compact=None)
    assert "\n" + game.draw(views_of(env)) + "\n" == Screen(compact=True).drawn(game, views_of(env))


def test_a_long_menu_becomes_a_paragraph_on_a_low_terminal():
    moves = menu.numbered([f"bid {number}" for number in range(22)])
    assert 22 == len(menu.listed(moves, 0))
    lines = menu.listed(moves, COLUMNS, most=3)
    assert lines[0].startswith("1 bid 0; 2 bid 1; ")
    assert [str(number) for number in range(1, 23)] == re.findall(r"(\d+) bid", " ".join(lines))
    assert max(map(len, lines)) <= COLUMNS


def test_many_groups_become_a_line_on_a_low_terminal():
    moves = menu.numbered([f"place tile 5 at ({x}, {y}), red facing me" for x in range(9) for y in range(9)])
    assert 82 == len(menu.listed(moves, COLUMNS))
    expected = ["  81 moves  place tile 5 at ...; 'moves WORDS' lists some, 'moves all' every one"]
    assert expected == menu.listed(moves, COLUMNS, most=20)


# -- what a compact drawing shows -----------------------------------------------------------------------------


def test_the_lake_can_be_read_back_from_a_compact_drawing():
    from lanterns_env.games.lanterns.components import PLATFORM, TILES

    for env, views in positions("lanterns", 4, every=11, limit=LONG if COMPILED else 40):
        view = views[0]
        lines = env.game.draw_compact([view]).splitlines()
        columns = {int(x): 5 + 4 * k for k, x in enumerate(re.findall(r"-?\d+", lines[1].partition("O")[0]))}
        rows = {
            int(line[:3]): k for k, line in enumerate(lines) if re.match(r" *-?\d+ [ +OGPWBRK]", line[:5]) and k > 1
        }
        for k in np.flatnonzero(view.lake_tile >= 0):
            tile, turn = int(view.lake_tile[k]), int(view.lake_turn[k])
            near, left, far, right = ("OGPWBRK"[TILES[tile, (turn + side) % 4]] for side in range(4))
            at, line = columns[int(view.lake_x[k])], rows[int(view.lake_y[k])]
            assert left + near + right == lines[line][at - 1 : at + 2]
            assert far + ("*" if PLATFORM[tile] else "") == lines[line - 1][at : at + 2].strip()
        for slot in np.flatnonzero(view.slot_open):
            assert "+" == lines[rows[int(view.slot_y[slot])]][columns[int(view.slot_x[slot])]]


def test_islands_and_orders_can_be_read_back_from_a_compact_drawing():
    from lanterns_env.games.lighthouse.components import CARDS
    from lanterns_env.games.lighthouse.text import stack_of

    for env, views in positions("lighthouse", 2, every=11, limit=LONG if COMPILED else 60):
        view = views[0]
        text = env.game.draw_compact([view])
        names = next(k for k, line in enumerate(text.splitlines()) if line.startswith("harbour >"))
        levels = text.splitlines()[names - 4 : names][::-1]
        for island in range(8):
            column = 11 + 8 * island
            stones = "".join(line[column : column + 1] for line in levels).replace(".", "").strip()
            assert "".join("RWB"[colour] for colour in stack_of(view, island)) == stones
        open_orders = ["".join("RWB"[c] for c in CARDS[k]) for k in np.flatnonzero(view.order[:, :7].any(axis=1))]
        assert set(open_orders) <= set(re.findall(r"\b[RWB]{4}\b", text))


def test_a_compact_drawing_of_lumen_shows_the_last_trick_and_every_hand():
    repl, _ = repl_of(dealt("lumen", ("random",) * 4), screen=Screen(compact=True))
    env = repl.session.env
    while int(env.view("player_0").tricks_done) < 2:
        repl._carry_out(repl.session.choice())
    assert ["trick 2"] == re.findall(r"^trick \d", env.game.draw_compact([env.view("player_1")]), re.MULTILINE)
    repl._carry_out(repl.session.choice())
    lines = env.game.draw_compact([env.view("player_1")]).splitlines()
    assert ["trick 2", "trick 3"] == [line[:7] for line in lines if line.startswith("trick")]
    rows = [line for line in lines if re.match(r"[ >]player \d ", line)]
    assert list("1230") == [line.split("player ")[1][0] for line in rows]
    usual = env.game.draw([env.view("player_1")])
    for line in rows[1:]:
        cards = line[35:].strip()
        assert cards in usual
