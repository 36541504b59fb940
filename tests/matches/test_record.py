"""Matches recorded as replays, shown as tables, and how far they are."""

import math

import pytest

from lanterns_env import cli, replay
from lanterns_env.cli import tables
from lanterns_env.match import Progress, play_ladder, play_match
from lanterns_env.match.playing import deal_seeds
from lanterns_env.match.progress import Standing
from tests.conftest import COMPILED

compiled = pytest.mark.skipif(not COMPILED, reason="hundreds of games")
SHORT = {"num_players": 2, "max_turns": 4}  # games of Lighthouse Architects


# -- replays --------------------------------------------------------------------------------------------------


def test_every_game_of_a_match_can_be_seen_again(name, num_players, tmp_path):
    options = {"max_turns": 9} if name == "lighthouse" else {}
    file, deals = tmp_path / "games.jsonl", 2 if COMPILED else 1
    result = play_match(name, ["greedy", "random"], num_players, deals, seed=5, workers=1, record=file, **options)
    games = replay.read(file)  # which plays them once more
    seeds = deal_seeds(result.match, 0, deals).tolist()
    places = [(deal, turn) for deal in range(deals) for turn in range(num_players)]
    for game, (deal, turn) in zip(games, places, strict=True):
        assert (name, num_players, seeds[deal]) == (game.game, game.players, game.seed)
        assert result.match.options == game.options
        assert ["greedy" if seat == 0 else "random" for seat in result.match.seatings[turn]] == list(game.agents)
        assert result.records.decisions[deal, turn].sum() == len(game)
        assert result.records.points[deal, turn].tolist() == list(game.points)
        assert result.records.shares[deal, turn].tolist() == list(game.shares)


@compiled
def test_two_processes_record_the_same_games_in_the_same_order(tmp_path):
    settings = {"deals": 20, "seed": 2, **SHORT}
    for workers in (1, 2):
        play_match("lighthouse", ["greedy", "random"], workers=workers, record=tmp_path / f"match{workers}", **settings)
        agents = ["greedy", "random", "expert"]
        play_ladder("lighthouse", agents, workers=workers, record=tmp_path / f"ladder{workers}", **settings)
    for kind, games in (("match", 40), ("ladder", 120)):
        one, two = ((tmp_path / f"{kind}{workers}").read_bytes() for workers in (1, 2))
        assert one == two
        assert 1 + games == one.count(b"\n")


def test_recording_changes_no_result(tmp_path):
    settings = {"agents": ["greedy", "random"], "deals": 3, "seed": 1, "workers": 1, **SHORT}
    plain = play_match("lighthouse", **settings).to_json()
    recorded = play_match("lighthouse", record=tmp_path / "games.jsonl", **settings).to_json()
    assert {**plain, "timing": None} == {**recorded, "timing": None}


def test_a_match_played_again_can_be_recorded(tmp_path, capsys):
    file, games = tmp_path / "match.json", tmp_path / "games.jsonl"
    play_match("lighthouse", ["greedy", "random"], deals=2, workers=1, **SHORT).save(file)
    assert 0 == cli.main(["evaluate", "--reproduce", str(file), "--workers", "1", "--record", str(games)])
    assert 4 == len(replay.read(games))
    capsys.readouterr()
    assert 0 == cli.main(["replay", str(games)])
    listed = capsys.readouterr().out.splitlines()
    assert "(greedy, random), max_turns=4, seed" in listed[0]
    assert "(random, greedy), max_turns=4, seed" in listed[1]
    assert 5 == len(listed)
    assert 0 == cli.main(["replay", str(games), "--game-number", "3", "--moves"])


@compiled
def test_a_game_that_was_lost_by_a_crash_ends_where_it_was_given_up(tmp_path):
    from tests.attacks import players

    file = tmp_path / "games.jsonl"
    result = play_match("lumen", [players.Illegal, "random"], 3, deals=1, isolate=True, record=file)
    games = replay.read(file)
    assert 3 == len(games) == len(result.forfeits)
    assert [None] * 3 == [game.points for game in games]
    assert "<Illegal>" == games[0].agents[result.forfeits[0].seat]


def test_a_record_that_cannot_be_written_is_said_before_the_games(tmp_path):
    def fail(table, rng):
        pytest.fail("a game was begun")

    agent = type("Agent", (), {"act": fail})
    with pytest.raises(ValueError, match="games cannot be written: there is no folder"):
        play_match("lighthouse", [agent], record=tmp_path / "no" / "games", **SHORT)


# -- tables ---------------------------------------------------------------------------------------------------


def test_print_shows_the_table_of_the_command(tmp_path, capsys):
    words = "--game lighthouse --players 2 --option max_turns=4 --deals 2 --workers 1 --agents greedy,random"
    assert 0 == cli.main(["evaluate", *words.split()])
    shown = capsys.readouterr().out.splitlines()
    result = play_match("lighthouse", ["greedy", "random"], deals=2, workers=1, **SHORT)
    printed = str(result).splitlines()
    assert [line.split()[:-1] for line in shown[1:4]] == [
        line.split()[:-1] for line in printed[1:4]
    ]  # but for the time
    assert (shown[0], shown[4:]) == (printed[0], printed[4:])
    assert "Lighthouse Architects, 2 players, 4 games (2 deals)" == printed[0]
    assert 0 == cli.main(["ladder", *words.split()])
    assert (
        f"{play_ladder('lighthouse', ['greedy', 'random'], deals=2, workers=1, **SHORT)}\n" == capsys.readouterr().out
    )


def test_a_result_in_a_line_and_in_a_notebook():
    result = play_match(
        "lighthouse", [type("<b>", (), {"act": lambda self, table, rng: table.sample(rng)})], deals=1, **SHORT
    )
    assert "<MatchResult: Lighthouse Architects, <<b>>, 1 deal>" == repr(result)
    page = result._repr_html_()
    assert "&lt;&lt;b&gt;&gt; (each of 2)</td>" in page
    assert "<b>" not in page
    assert page.count("<tr>") == 1 + len(result.rows)
    ladder = play_ladder("lighthouse", ["greedy", "random"], deals=1, workers=1, **SHORT)
    assert "<LadderResult: Lighthouse Architects, greedy, random, 1 deal>" == repr(ladder)
    assert ">rating</th>" in ladder._repr_html_()


# -- progress -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=compiled)])
def test_progress_counts_games_from_the_beginning_to_the_end(workers, monkeypatch):
    monkeypatch.setattr("lanterns_env.match.workers.BEAT", 0.0 if workers == 1 else 0.01)
    seen = []
    play_match("lighthouse", ["greedy", "random"], deals=9, workers=workers, progress=seen.append, **SHORT)
    games = [each.games for each in seen]
    assert sorted(games) == games
    assert (0, 18, {18}) == (games[0], games[-1], {each.of for each in seen})
    assert [0, 1, 2, 4, 8, 9] == sorted({each.deals for each in seen})
    assert math.isnan(seen[0].win_share)
    assert 0 <= seen[-1].win_share <= 1
    assert {"greedy"} == {each.agent for each in seen}
    if workers == 1:
        assert {1, 3} < set(games)  # also inside a chunk, as games end


def test_progress_of_a_ladder_counts_the_games_of_all_tables():
    seen = []
    play_ladder("lighthouse", ["greedy", "random"], deals=3, workers=1, progress=seen.append, **SHORT)
    assert (0, 6) == (seen[0].games, seen[-1].games)
    assert (3, 6, "") == (seen[-1].deals, seen[-1].of, seen[-1].agent)


def test_how_long_is_left_is_judged_by_the_speed_since_the_first_games(monkeypatch):
    now, seen = [100.0], []
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    standing = Standing(seen.append, games=50)
    for seconds, games in ((0, 0), (20, 0), (30, 2), (31, 2), (34, 10), (50, 50)):
        now[0] = 100.0 + seconds
        standing.show(games)
    assert [math.isnan(each.seconds_left) for each in seen] == [True, True, False, False, False, False]
    assert [30 / 2 * 48, 31 / 2 * 48, 4 / 8 * 40, 0] == [each.seconds_left for each in seen[2:]]


def test_how_long_is_left_leaves_out_what_was_played_before(monkeypatch):
    now, seen = [0.0], []
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    standing = Standing(seen.append, games=50)
    standing.go_on(20)
    now[0] = 6.0
    standing.show(3)
    assert [(20, True), (23, False)] == [(each.games, math.isnan(each.seconds_left)) for each in seen]
    assert 6 / 3 * 27 == seen[1].seconds_left


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress(0, 40, 75.2, math.nan, 0), "1 min 15 s"),
        (Progress(1, 40, 0.1, 3.9, 0), "about 4 s left"),
        (
            Progress(2, 400, 60.0, 11940.0, 1, "me", 0.5, 0.1),
            "about 3 h 19 min left, me has a win share of 0.500 ± 0.100",
        ),
        (
            Progress(1, 1000, 600.0, 599400.0, 1, "\033[2J", 1.0, 0.0),
            r"about 6 d 22 h left, \x1b[2J has a win share of 1.000 ± 0.000",
        ),
    ],
)
def test_progress_in_words(progress, words):
    assert words == tables.in_words(progress)


def test_without_rich_progress_is_a_line(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("lanterns_env.cli.tables.find_spec", lambda name: None)
    monkeypatch.setenv("COLUMNS", "30")
    with tables.progress_bar() as update:
        update(Progress(3, 40, 10.0, 123.0, 1, "greedy", 0.5, 0.1))
    assert "3/40 games, about 2 min 3 s l\033[K\r\033[K\r" == capsys.readouterr().err


def test_where_nobody_looks_no_progress_is_shown(capsys):
    with tables.progress_bar() as update:
        update(Progress(3, 40, 10.0, 123.0, 1))
    assert "" == capsys.readouterr().err
