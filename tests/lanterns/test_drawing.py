"""The drawing: what is written where, within 80 columns, the same with and without colour."""

import re

import numpy as np
import pytest

from lanterns_env.games.lanterns import draw_text, rules
from lanterns_env.games.lanterns.components import COLOURS, KINDS, PLATFORM, TILES
from tests.lanterns.setup import (
    COMPILED,
    GAME,
    TABLES,
    legal_actions,
    line,
    new_state,
    set_hand,
    view_of,
)

COLUMNS = re.compile(r" {5}[-\d ]+")
ROW = re.compile(r"( {0,3}-?\d{1,2}) (.*)")
EVERY = 4 if COMPILED else 9


def positions(num_players, options, seed=2):
    state = new_state(num_players, seed, **options)
    rng = np.random.default_rng(seed)
    count = 0
    while not state.over:
        if count % EVERY == 0:
            yield state
        GAME.play(state, int(rng.choice(legal_actions(state))))
        count += 1
    yield state


def drawn_cells(text):
    """Read a drawing of the lake back: cell -> its three lines of five characters."""
    cells, columns, lines = {}, [], text.splitlines()
    for k, words in enumerate(lines):
        if COLUMNS.fullmatch(words):
            columns = [int(words[5 + 5 * j : 10 + 5 * j]) for j in range(-(-(len(words) - 5) // 5))]
        row = ROW.fullmatch(words)
        if row and columns:
            for j, x in enumerate(columns):
                part = [line[5 + 5 * j : 10 + 5 * j].ljust(5) for line in lines[k - 1 : k + 2]]
                if any(piece.strip() for piece in part):
                    cells[x, int(row[1])] = part
        if words.endswith("favors honor tiles"):
            break
    return cells


def expected_cells(view):
    cells = {}
    for k in range(33):
        tile = int(view.lake_tile[k])
        if tile == rules.NO_TILE:
            continue
        near, left, far, right = ("OGPWBRK"[TILES[tile, (view.lake_turn[k] + side) % 4]] for side in range(4))
        middle = "*" if PLATFORM[tile] else "."
        cells[int(view.lake_x[k]), int(view.lake_y[k])] = [f"  {far}  ", f" {left}{middle}{right} ", f"  {near}  "]
    for slot in np.flatnonzero(view.slot_open):
        cells[int(view.slot_x[slot]), int(view.slot_y[slot])] = ["     ", "  +  ", "     "]
    return cells


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_every_tile_and_free_cell_is_drawn_at_its_place(num_players, options):
    for state in positions(num_players, options):
        for seat in range(num_players):
            view = view_of(state, seat)
            assert expected_cells(view) == drawn_cells(GAME.draw([view]))


def widest(chair):
    """The lake of a game whose tiles lie in one line, before the last placement: 34 cells wide or high."""
    state = new_state(4)
    for cells in line(state, chair):
        if len(cells) == 66:
            break
    return state


@pytest.mark.parametrize("chair", range(4))
def test_a_lake_34_cells_wide(chair):
    state = widest(chair)
    for seat in range(4):
        view = view_of(state, seat)
        text = GAME.draw([view])
        assert expected_cells(view) == drawn_cells(text)
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(("num_players", "options"), TABLES)
@pytest.mark.parametrize("all_seeing", [False, True])
def test_80_columns_and_colour_adds_colour_alone(num_players, options, all_seeing):
    for state in positions(num_players, options):
        state.taken[:] = (state.turn // 3) % 10 if num_players == 4 else 0
        views = [view_of(state, seat) for seat in range(num_players)]
        for shown in [views] if all_seeing else [[view] for view in views]:
            plain, coloured = GAME.draw(shown), GAME.draw(shown, color=True)
            assert max(map(len, plain.splitlines())) <= 80
            assert "\033" not in plain
            assert plain == re.sub(r"\033\[[0-9;]*m", "", coloured)
            assert coloured.count("\033[0m") == coloured.count("\033[1;") > 0
            assert all(words == words.rstrip() for words in plain.splitlines())


def test_every_letter_has_its_colour():
    text = GAME.draw([view_of(new_state(4))], color=True)
    painted = set(re.findall(r"\033\[1;([0-9;]+)m *(\w+)\033", text))
    for code, letter, colour in zip(draw_text.TERMINAL, "OGPWBRK", COLOURS, strict=True):
        assert {letter, colour} == {words for used, words in painted if used == code}


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_players_supply_and_piles(num_players, options):
    for state in positions(num_players, options):
        for viewer in range(num_players):
            view = view_of(state, viewer)
            lines = GAME.draw([view]).splitlines()
            rows = [words for words in lines if re.match(r"[ >]player \d (near|left|far|right)", words)]
            assert num_players == len(rows)
            for step, words in enumerate(rows):
                seat = (viewer + step) % num_players
                side = ("near", "left", "far", "right")[(state.chair[seat] - state.chair[viewer]) % 4]
                numbers = [*state.lanterns[seat], state.favors[seat], state.honor[seat], view.hand_size[step]]
                assert ["player", str(seat), side, *map(str, numbers)] == words.strip(" >").split()
                assert (seat == state.player and not state.over) == words.startswith(">")
            assert ["supply", *map(str, state.supply)] in [words.split() for words in lines]
            assert f"draw pile: {state.pile_left} tiles" in lines
            for kind, words in enumerate(KINDS):
                line_of_kind = f"{words} {view.token_value[kind]} {view.tokens_left[kind]}"
                assert line_of_kind in [" ".join(words.split()) for words in lines]


def test_letters_stand_above_their_names():
    lines = GAME.draw([view_of(new_state(4))]).splitlines()
    k = next(k for k, words in enumerate(lines) if words.endswith("favors honor tiles"))
    for letter, colour in zip("OGPWBRK", COLOURS, strict=True):
        end = lines[k].index(colour) + len(colour)
        assert letter == lines[k - 1][end - 1]


def test_the_hand_is_drawn_with_side_0_up():
    state = new_state(4)
    set_hand(state, 2, 32, 27, 5)  # blue white orange red; black white black white, platform; red black green purple
    text = GAME.draw([view_of(state, 2)])
    expected = [
        "player 2 holds   tile 32  tile 27  tile 5",
        "                    B        K        R",
        "                   R.W      W*W      P.K",
        "                    O        K        G",
        "sides in hand: 0 up, 1 right, 2 down, 3 left; 'red 0' is the red side drawn up",
    ]
    assert expected == text.splitlines()[-5:]
    state.hands[2, :2] = rules.NO_TILE
    assert "player 2 holds   tile 5" in GAME.draw([view_of(state, 2)]).splitlines()
    state.hands[2] = rules.NO_TILE
    assert "player 2 holds no tiles" == GAME.draw([view_of(state, 2)]).splitlines()[-1]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_one_view_shows_one_hand_and_all_views_all(num_players):
    state = new_state(num_players)
    views = [view_of(state, seat) for seat in range(num_players)]
    for seat, view in enumerate(views):
        assert [str(seat)] == re.findall(r"player (\d) holds", GAME.draw([view]))
        assert set(state.hands[seat].tolist()) == {int(tile) for tile in re.findall(r"tile (\d+)", GAME.draw([view]))}
    together = GAME.draw(views)
    assert [str(seat) for seat in range(num_players)] == re.findall(r"player (\d) holds", together)
    assert set(state.hands[:num_players].ravel().tolist()) == {int(t) for t in re.findall(r"tile (\d+)", together)}
    assert drawn_cells(GAME.draw(views[:1])) == drawn_cells(together)  # the lake as the first viewer sees it
    assert "seen by player 0" in together


def test_the_heading_says_whose_turn_it_is():
    state = new_state(3)
    for seat in range(3):
        heading = GAME.draw([view_of(state, seat)]).splitlines()[0]
        assert "Lanterns, 3 players, turn 1 of 30: player 0 to move, the placement" == heading
    state.turn = 27
    assert "players, final turn 28 of 30: player" in GAME.draw([view_of(state)]).splitlines()[0]
    state.turn, state.over = 30, True
    assert "Lanterns, 3 players: the game is over after 30 turns" == GAME.draw([view_of(state)]).splitlines()[0]


def test_what_an_action_says_can_be_found_in_the_drawing():
    """Coordinates of words and drawing are the same: a tile laid by words stands where the words said."""
    for chair in range(4):
        state = new_state(4)
        set_hand(state, chair, 32)
        state.player = chair
        GAME.play(state, GAME.parse(view_of(state), "place tile 32 at (1, 0), orange facing me"))
        cells = drawn_cells(GAME.draw([view_of(state, chair)]))
        assert ["  B  ", " R.W ", "  O  "] == cells[1, 0]
