"""The page "How far from optimal": what it says of figures that there are, and nothing of others."""

import json

import pytest

pytest.importorskip("torch")

import calibrate
import distances
import optimal
from optimal_parts import figures, line_charts
from optimal_parts.data import measured

from lanterns_env.support.files import sealed

ABOUT = {
    "game": "lanterns",
    "players": 2,
    "given": {"preset": "tiny"},
    "options": {"empty_chair": 2},
    "histories": 123456,
    "information_sets": [1000, 2000],
    "payoffs": [-1.0, 1.0],
}

LESS = distances.LESS[0].name


def gain(agent, seed, *gains):
    return {"agent": agent, "seed": seed, "nash_conv": sum(gains), "gains": gains, "command": f"measure {agent} {seed}"}


def write(folder, kind, cells, **more):
    data = {"kind": kind, **ABOUT, **more, "cells": {str(number): cell for number, cell in enumerate(cells)}}
    (folder / f"{kind}-{data['game']}-{data['players']}-tiny.json").write_text(json.dumps(data))


def table(page, title):
    """The rows below a heading, cell by cell."""
    lines = page[page.index(title) :].splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("| "))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("| "):
            return rows
        rows.append([cell.strip() for cell in line.split("|")[1:-1]])
    return rows


# -- the committed page -----------------------------------------------------------------------------------------


def test_the_page_is_current():
    assert optimal.page() == optimal.PAGE.read_text()
    for file, drawing in figures.figures().items():
        assert drawing == file.read_text(), file


def test_every_figure_that_is_kept_is_one_that_can_be_measured():
    names = {(f"{cell.kind}-{cell.variant.name}.json", cell.name) for cell in distances.cells()}
    kept = {(file.name, name) for file in calibrate.FOLDER.glob("*-*-[0-9]-*.json") for name in cells_in(file)}
    assert set() == kept - names


def cells_in(file):
    return json.loads(file.read_text())["cells"]


# -- made-up figures --------------------------------------------------------------------------------------------


def test_without_figures_there_are_words_alone(tmp_path):
    page = optimal.page(tmp_path)
    assert page.startswith("# How far from optimal\n")
    assert "|" not in page.replace("`", "")
    assert "image" not in page
    for word in ("## Agents", "## Search", "## PPO", "## Calibration", "## Champions"):
        assert word not in page
    assert {} == figures.figures(tmp_path, tmp_path)


def test_seeds_become_a_mean_with_the_lowest_and_highest(tmp_path):
    search = [gain("search:10", seed, 0.1 * seed, 0.2) for seed in range(3)]
    write(tmp_path, "gains", [gain("greedy", 0, 0.25, 0.5), *search])
    page = optimal.page(tmp_path)
    assert [
        ["`greedy`", "0.750", "0.250", "0.500", "1"],
        ["`search:10`", "0.300 (0.200 to 0.400)", "0.100 (0.000 to 0.200)", "0.200 (0.200 to 0.200)", "3"],
    ] == table(page, "## Agents")
    assert [["Lanterns, 2 players, tiny", "123,456", "1,000, 2,000", "-1 to 1", "`empty_chair=2`"]] == table(
        page, "## The variants"
    )
    assert "measure greedy 0\nmeasure search:10 0\n" in page
    assert "## Search" not in page  # one number of simulations is no line


def test_search_is_shown_over_its_simulations(tmp_path):
    cells = [gain(f"search:{n}", seed, 1 / n, seed / n) for n in (100, 10) for seed in range(2)]
    write(tmp_path, "gains", [*cells, gain("search:10+champion", 0, 9, 9)])
    assert [["Lanterns, 2 players, tiny", "0.150 (0.100 to 0.200)", "0.015 (0.010 to 0.020)"]] == table(
        optimal.page(tmp_path), "## Search"
    )
    lines = figures.search_lines(measured("gains", tmp_path))
    assert [10, 100] == [point.x for point in lines["lanterns, 2p"]]
    assert {"optimal-search.svg", "optimal-search-dark.svg"} == {
        file.name for file in figures.figures(tmp_path, tmp_path)
    }


def training(ent_coef, seed, *numbers):
    points = [
        {"decisions": 1000 * (k + 1), "drawn": {"nash_conv": number}, "best": {"nash_conv": 2 * number}}
        for k, number in enumerate(numbers)
    ]
    settings = {"ent_coef": ent_coef, "magnet_coef": 0.2 * (ent_coef > 0), "magnet_every": 5}
    return {"agent": "ppo", "seed": seed, "settings": settings, "points": points, "command": f"train {ent_coef} {seed}"}


def test_runs_are_shown_by_their_settings(tmp_path):
    write(tmp_path, "training", [training(0.0, 0, 1, 0.5), training(0.0, 1, 1, 0.3), training(0.05, 0, 1, 0.1)])
    variant = "Lanterns, 2 players, tiny"
    assert [
        [variant, "0 / 0", "2,000", "0.400 (0.300 to 0.500)", "0.800 (0.600 to 1.000)", "2"],
        [variant, "0.05 / 0.2", "2,000", "0.100", "0.200", "1"],
    ] == table(optimal.page(tmp_path), "## PPO")
    lines = figures.training_lines(measured("training", tmp_path)[0])
    assert [1.0, 0.4] == [point.y for point in lines["0 / 0"]]


def calibration(agent, found, low=0.5, high=0.5):
    gains = {"perfect_recall": [0.7, 0.5], "own_decisions": [high, high], "view_alone": [low, low]}
    gains |= {"view_alone_at_most": [high, high], "found": [found, found]}
    return {"agent": agent, "seed": 0, **gains, "command": f"calibrate {agent}"}


def test_what_was_found_stands_beside_what_there_is(tmp_path):
    """Nine tenths are enough, or a hundredth less than all; the most that there may be counts."""
    cells = [calibration("greedy", 0.45), calibration("expert", 0.44, 0.45), calibration("random", 0.004, 0.0, 0.012)]
    write(tmp_path, "calibration", cells)
    page = optimal.page(tmp_path)
    variant = "Lanterns, 2 players, tiny"
    assert [
        [variant, "`greedy`", "0.600", "0.500", "0.500", "0.450", "90%"],
        [variant, "`expert`", "0.600", "0.500", "0.450 to 0.500", "0.440", "88%"],
        [variant, "`random`", "0.600", "0.012", "0.000 to 0.012", "0.004", "33%"],
    ] == table(page, "## Calibration")
    assert "In 2 of 3 cases" in page


EXPLOITED = {
    "kind": "exploit",
    "format": 1,
    "victim": "champion",
    "victim_digest": "0" * 16,
    "match": {},
    "own": {},
    "game": "lumen",
    "num_players": 3,
    "command": "lanterns exploit champion --minutes 30",
    "seeds": 2,
    "by": "",
    "gain": 0.125,
    "interval": [0.1, 0.15],
    "games": 2100,
    "timing": {"learning_seconds": 1700.0, "decisions": 3_000_000},
}


def test_gains_in_the_full_games_are_shown_with_their_commands(tmp_path):
    command = "lanterns exploit champion --by search:2000"
    searched = {"by": "search:2000", "gain": -0.01, "interval": [-0.03, 0.01], "command": command}
    for number, more in enumerate(({}, searched)):
        (tmp_path / f"exploit-{number}.json").write_text(json.dumps(sealed({**EXPLOITED, **more})))
    page = optimal.page(tmp_path)
    fair = ["0.333", "2,100"]
    assert [
        ["Lumen, 3", "`champion`", "learning, 2 seeds", "+0.125 (+0.100 to +0.150)", *fair, "3,000,000", "28"],
        ["Lumen, 3", "`champion`", "`search:2000`", "-0.010 (-0.030 to +0.010)", *fair, "", ""],
    ] == table(page, "## Champions")
    assert "lanterns exploit champion --minutes 30\nlanterns exploit champion --by search:2000\n" in page


# -- axes -------------------------------------------------------------------------------------------------------


def test_marks_enclose_all_numbers():
    assert [0.2, 0.5, 1.0] == line_charts.marks(0.21, 0.93)
    assert [0.05, 0.1, 1.0, 10.0, 20.0] == line_charts.marks(0.06, 11)
    assert [1.0, 2.0] == line_charts.marks(1, 1)


def test_numbers_lie_on_their_axis_by_their_logarithms():
    axis = line_charts.Axis([1, 100], 0.0, 50.0)
    assert [0.0, 25.0, 50.0] == pytest.approx([axis.place(number) for number in (1, 10, 100)])


def test_names_keep_apart_and_above_the_foot():
    assert {"a": 70.0, "b": 85.0, "c": 100.0} == line_charts.spread_out({"a": 80, "c": 99, "b": 84}, 100.0)
    assert {"a": 10.0, "b": 25.0, "c": 90.0} == line_charts.spread_out({"a": 10, "b": 11, "c": 90}, 100.0)


# -- measuring --------------------------------------------------------------------------------------------------


@pytest.fixture
def measuring(monkeypatch):
    """Figures that are made up, and what was asked for."""
    asked = []

    def measure(cell):
        asked.append(cell.name)
        return {"histories": 7}, {"nash_conv": len(asked)}

    monkeypatch.setattr(calibrate, "measure", measure)
    return asked


def test_figures_are_measured_once(measuring, tmp_path):
    words = ["gains", LESS, "search:10 "]
    calibrate.main([*words, "--folder", str(tmp_path)])
    assert [f"search:10 seed={seed}" for seed in range(10)] == measuring
    calibrate.main([*words, "--folder", str(tmp_path)])
    assert 10 == len(measuring)
    file = tmp_path / f"gains-{LESS}.json"
    data = json.loads(file.read_text())
    del data["cells"]["search:10 seed=4"]
    file.write_text(json.dumps(data))
    calibrate.main([*words, "--folder", str(tmp_path)])
    cells = json.loads(file.read_text())["cells"]
    assert [f"search:10 seed={seed}" for seed in range(10)] == list(cells)
    assert [1, 2, 3, 4, 11, 6, 7, 8, 9, 10] == [cell["nash_conv"] for cell in cells.values()]
    assert f"python scripts/bench/calibrate.py gains {LESS} 'search:10 seed=4'" == cells["search:10 seed=4"]["command"]


def test_figures_of_another_version_are_measured_anew(measuring, tmp_path, monkeypatch):
    words = ["gains", "lanterns-2-tiny", "greedy", "--folder", str(tmp_path)]
    calibrate.main(words)
    monkeypatch.setattr(calibrate.lanterns_env, "__version__", "99")
    calibrate.main(words)
    assert ["greedy seed=0"] * 2 == measuring


def test_no_figure_is_begun_when_the_time_is_up(measuring, tmp_path, capsys):
    calibrate.main(["search:10 ", "lumen", "--minutes", "0", "--folder", str(tmp_path)])
    assert [] == measuring
    assert "10 figures are missing: run this again\n" == capsys.readouterr().out


def test_words_that_fit_no_figure_are_an_error(tmp_path):
    with pytest.raises(ValueError, match="there is no figure of nobody; --list shows all"):
        calibrate.main(["nobody", "--folder", str(tmp_path)])
