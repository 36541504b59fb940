"""From a run to a champion, its matches and its page; and that the page in docs is of the networks in the package."""

import json
import tomllib

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")
pytest.importorskip("matplotlib")

from lanterns_agents.champion import champions  # noqa: E402
from lanterns_agents.training import ppo  # noqa: E402
from lanterns_agents.training.arguments import read_arguments  # noqa: E402
from lanterns_agents.training.config import Config  # noqa: E402

from lanterns_env import GAMES  # noqa: E402
from lanterns_env.match.statistics import save_json  # noqa: E402
from scripts.pages import champions as script  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened  # noqa: E402

TINY = ["num_players=2", "num_games=4", "batch_size=40", "hidden_size=16", "entity_size=4", "total_decisions=40"]
TINY = [*TINY, "eval_deals=1", "tensorboard=false", "eval_opponents=random", "run_name=small"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        ppo.train(*opened(read_arguments(["game=lanterns", *TINY], Config)[0]))
    return folder / "runs" / "small"


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="dozens of games")
def test_a_run_becomes_a_champion_with_a_page(run, tmp_path):
    words = ["--root", str(tmp_path), "--deals", "2", "--workers", "1"]
    script.main(["lanterns", str(run), *words])
    places = script.Places(tmp_path)
    card = places.card("lanterns")
    assert [["greedy", 4], ["expert", 4]] == [[result["agents"][1], result["games"]] for result in card["results"]]
    settings = read_arguments([str(places.config("lanterns"))], Config)[0]
    assert ("champion_lanterns", 40) == (settings.run_name, settings.batch_size)
    (phase,) = json.loads(places.curve("lanterns").read_text())["phases"]
    assert ("small", "log", card["decisions"]) == (phase["name"], phase["source"], phase["decisions"])
    first, last = phase["evaluations"]
    assert ["random 2p"] == list(first["results"])
    shares = {f"{each['agents'][1]} 2p": [each["win_share"], *each["interval"]] for each in card["results"]}
    assert shares == last["results"]
    assert (places.images / "champion-lanterns-dark.svg").read_text().startswith("<svg")
    page = places.page.read_text()
    for words_of_it in ("## Lanterns", "images/champion-lanterns.svg", "lanterns train champion_lanterns", "`expert`"):
        assert words_of_it in page
    files = sorted(places.results.glob("champion-*"))
    assert ["champion-lanterns-2-expert.json", "champion-lanterns-2-greedy.json"] == [file.name for file in files]
    times = [file.stat().st_mtime_ns for file in files]
    of_another = {**json.loads(files[0].read_text()), "network": "0123"}
    save_json(of_another, files[0])
    script.main(words)
    assert page == places.page.read_text()
    assert card["weights"] == json.loads(files[0].read_text())["network"]
    assert times[1] == files[1].stat().st_mtime_ns


def test_a_run_that_will_not_do_changes_nothing(run, tmp_path):
    with pytest.raises(ValueError, match=r"there is no nowhere.config\.toml: train to the end first"):
        script.main(["lanterns", "nowhere", "--root", str(tmp_path)])
    with pytest.raises(ValueError, match=r"the network in .* plays lanterns, not lumen"):
        script.main(["lumen", str(run), "--root", str(tmp_path)])
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_page_is_of_the_networks_in_the_package():
    places = script.Places(script.ROOT)
    assert script.written(places) == places.page.read_text()
    for name in champions():
        card = places.card(name)
        settings = tomllib.loads(places.config(name).read_text())
        assert settings == {key: card["config"][key] for key in settings}
        assert all((places.configs / f"{step}.toml").is_file() for step in script.steps(places, name))
        assert places.curve(name).is_file()
        for result in card["results"]:
            file = places.results / f"champion-{name}-{result['players']}-{result['agents'][1]}.json"
            kept = json.loads(file.read_text())
            assert (card["weights"], GAMES[name].layout) == (kept["network"], kept["layout"])
            assert (result["win_share"], result["games"]) == (kept["results"][0]["win_share"], kept["games"])
