"""Agents by name: they play legal actions, see no more than they may, and greedy beats random."""

from importlib.util import find_spec

import gymnasium
import numpy as np
import pytest
from lanterns_agents import AGENTS, load
from lanterns_agents.per_game import module_for

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table
from tests.conftest import COMPILED

# Of the wins of one greedy seat against random ones, at the game's smallest number of players.
AT_LEAST = {"lanterns": 0.97, "lumen": 0.6, "lighthouse": 0.85}
DEALS = 150
CHAMPION = pytest.param("champion", marks=pytest.mark.skipif(find_spec("onnxruntime") is None, reason="no onnxruntime"))


def win_share(name, agent, num_players, deals, others="random"):
    """One seat against others, each deal once from every seat."""
    games = deals * num_players
    batch = Batch(name, games, num_players, seeds=np.repeat(np.arange(deals), num_players), autoreset=False)
    seats, rows, rng = np.arange(games) % num_players, np.arange(games), np.random.default_rng(1)
    opponent = load(others)
    while len(rows):
        own = batch.current_players[rows] == seats[rows]
        actions = np.empty(len(rows), np.int64)
        actions[own] = agent.act(Table(batch, rows[own], rows[own]), rng)
        actions[~own] = opponent.act(Table(batch, rows[~own], rows[~own]), rng)
        batch.step(actions, rows)
        rows = rows[~batch.dones[rows]]
    return batch.scores()[1][np.arange(games), seats].mean()


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
def test_greedy_beats_random(name):
    share = win_share(name, load("greedy"), min(GAMES[name].players), DEALS)
    assert share >= AT_LEAST.get(name, 0.5)


@pytest.mark.parametrize("agent", ["random", "greedy", "expert", "search:8", CHAMPION])
def test_an_agent_plays_legal_actions_of_its_view_alone(name, num_players, agent):
    """The same in a world in which all that its seat cannot know has been dealt anew."""
    batch = Batch(name, 16 if COMPILED else 2, num_players, seed=6)
    rows = np.arange(len(batch))
    player = load(agent)
    for _ in range(150 if COMPILED else 20):
        poisoned = batch.worlds(rows, batch.current_players, rows + 1000)
        actions = player.act(Table(batch, rows, rows), np.random.default_rng(3))
        assert batch.action_masks[rows, actions].all()
        assert np.array_equal(actions, player.act(Table(poisoned, rows, rows), np.random.default_rng(3)))
        batch.step(actions)


def test_agents_are_found_by_name():
    learnt = {"onnx", "run", "sb3", "champion", "tabular"}
    assert {"random", "greedy", "expert", "search", "counter", *learnt} == set(AGENTS)
    assert "nobody" not in AGENTS
    with pytest.raises(ValueError, match=r"there is no agent 'nobody'; there are: .*random"):
        load("nobody")


WRONG = {
    "": "there is no agent ''; there are: champion, counter, expert, greedy",
    ":": "there is no agent ''",
    "x" * 10**6: "there is no agent 'x{59}; there are",
    "random:3": "agent 'random' takes no argument",
    "greedy:x": "agent 'greedy' takes no argument",
    "expert:nofile": "the weights 'nofile' cannot be read: there is no such file",
    "expert:.": "the weights '.' cannot be read: there is no such file",
    "expert:\0": r"the weights '\\x00' cannot be read",
    "expert:/dev/zero": "the weights '/dev/zero' cannot be read",
    "search:0": "'0' is not understood; write simulations, at most 1000000, or milliseconds, at most 3600000",
    "search:0ms": "a search of '0ms' is not understood",
    "search:1e9": "a search of '1e9' is not understood",
    "search:1000001": "a search of '1000001' is not understood",
    "search:99999999999999999999": "a search of '9+' is not understood",
    "search:3600001ms": "a search of '3600001ms' is not understood",
    "search:\u0663": "is not understood",
    "search:5+": r"a search of '5\+' is not understood",
    "search:5+random": "'random' cannot evaluate for a search",
    "search:5+nofile.onnx": "there is no file nofile.onnx",
    "search:5+" * 2000 + "random": "cannot be loaded: RecursionError",
    "onnx": "is the name of its file",
    "\0.onnx": "there is no file",
}


@pytest.mark.parametrize("agent", WRONG, ids=range(len(WRONG)))
def test_a_wrong_argument_is_refused_in_a_sentence(agent):
    with pytest.raises(ValueError, match=WRONG[agent]) as caught:
        load(agent)
    assert len(str(caught.value)) < 400


def test_an_agent_is_named_by_a_text():
    with pytest.raises(ValueError, match="an agent is named by a text, not by 5"):
        load(5)


def test_what_goes_wrong_in_a_constructor_names_the_agent(monkeypatch):
    def needs(argument):
        return [][int(argument)]

    monkeypatch.setattr("lanterns_env.agent.AGENTS", {"mine": type("Entry", (), {"load": lambda self: needs})()})
    for agent, words in {
        "mine": "agent 'mine' needs an argument: mine:...",
        "mine:3": "'mine:3' .*: IndexError",
    }.items():
        with pytest.raises(ValueError, match=words):
            load(agent)


def test_too_many_games_at_once_for_a_search_with_an_evaluator(monkeypatch):
    """Every game has a tree of its own; without an evaluator one tree is used again and again."""

    class Evaluator:
        def evaluator(self, game):
            return self

        def check(self, game):
            pass

    agent, batch = load("search:1000000"), Batch("lumen", 5)
    agent._evaluator = Evaluator()
    with pytest.raises(
        ValueError, match="1000000 simulations with an evaluator are too many for 5 games at once: at most 800000"
    ):
        agent.act(Table(batch, np.arange(5), np.arange(5)), np.random.default_rng(0))


def test_random_is_uniform():
    batch = Batch("lighthouse", 3000 if COMPILED else 300, 2, seeds=np.full(3000 if COMPILED else 300, 4))
    table = Table(batch, np.arange(len(batch)), np.arange(len(batch)))
    actions = load("random").act(table, np.random.default_rng(2))
    counts = np.bincount(actions, minlength=15)[np.flatnonzero(batch.action_masks[0])]
    assert counts.sum() == len(batch)
    assert counts.min() > 0.8 * len(batch) / len(counts)


@pytest.mark.parametrize("agent", ["greedy", "expert"])
def test_a_game_that_an_agent_cannot_play(agent):
    with pytest.raises(ValueError, match=f"no {agent} play for 'chess'"):
        module_for(agent, "chess")


def test_opponents_by_name(name):
    env = gymnasium.make(f"lanterns_env/{name.capitalize()}-v0", opponents="greedy", seat="random")
    observation, _ = env.reset(seed=3)
    for _ in range(5):
        observation, *_ = env.step(int(observation["action_mask"].argmax()))
    assert observation["action_mask"].any()


def self_played(name, num_players, deals):
    """Games with the greedy agent on every seat, at their ends."""
    batch = Batch(name, deals, num_players, seed=21, autoreset=False)
    agent, rng, rows = load("greedy"), np.random.default_rng(1), np.arange(deals)
    while len(rows):
        batch.step(agent.act(Table(batch, rows, rows), rng), rows)
        rows = rows[~batch.dones[rows]]
    return batch


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize(("num_players", "honor"), [(2, 42), (3, 43), (4, 44)])
def test_greedy_lanterns_among_themselves(num_players, honor):
    end = self_played("lanterns", num_players, 1000)
    assert end.scores()[0].mean() >= honor


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize(("num_players", "share"), [(3, 0.46), (4, 0.51), (5, 0.56)])
def test_greedy_lumen_meets_its_bids(num_players, share):
    end = self_played("lumen", num_players, 500)
    ends = end.states  # the tables of the last round stay as they are
    met = (ends["bid"] == ends["tricks"])[:, :num_players]
    extra = (ends["extra"] == 1)[:, :num_players] & (ends["bid"] + 1 == ends["tricks"])[:, :num_players]
    assert (met | extra).mean() >= share


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize(("num_players", "turns"), [(2, 40), (3, 50), (4, 50)])
def test_greedy_lighthouse_is_not_slow(num_players, turns):
    end = self_played("lighthouse", num_players, 400)
    assert np.median(end.states["turn"]) <= turns
