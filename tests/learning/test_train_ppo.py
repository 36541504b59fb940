"""The trainer: where it begins, who decides, the same run twice, a run that was broken off, and that it learns."""

import copy
import json
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.networks.masked_softmax import draw_actions  # noqa: E402
from lanterns_agents.training import evaluate, folder, logging, ppo, recording  # noqa: E402
from lanterns_agents.training.arguments import read_arguments  # noqa: E402
from lanterns_agents.training.config import Config  # noqa: E402
from lanterns_agents.training.opponents import Pool  # noqa: E402
from lanterns_agents.training.ppo import PPO  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.engine.streams import stream  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import MIXED, TINY, opened, same, tiny_config, tiny_run, weights  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
compiled = pytest.mark.skipif(not COMPILED, reason="thousands of decisions")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# -- where it begins -------------------------------------------------------------------------------------------


def test_a_run_may_begin_with_the_network_of_another():
    settings = {"game": "lumen", "num_players": [3], "total_decisions": 400}
    first, path = opened(tiny_config(**settings, run_name="first"), False)
    ppo.train(first, path)
    start = str(path / "policy.safetensors")
    settings |= {"seed": 1, "init_from": start, "run_name": "second"}
    second, path = opened(tiny_config(**settings), False)
    assert same(weights(first), weights(second))
    assert [(first.config.run_name, first.decisions)] == [
        (each["config"]["run_name"], each["decisions"]) for each in second.initialised_from
    ]
    ppo.train(second, path)
    assert not same(weights(first), weights(second))
    pathlib.Path(start).unlink()
    resumed, _ = opened(tiny_config(**settings), True)  # needs nothing but its own checkpoint
    assert same(second.saved(), resumed.saved())


def test_a_network_that_does_not_fit_is_no_beginning():
    settings = {"game": "lumen", "num_players": [3], "total_decisions": 150}
    first, path = opened(tiny_config(**settings, run_name="first"), False)
    folder.write_state(first.saved(), path)
    settings |= {"init_from": str(path / "policy.safetensors"), "run_name": "second"}
    for message, change in {
        "init_from: .* there is no file nowhere.safetensors": {"init_from": "nowhere.safetensors"},
        "init_from: the network in .* has the sizes": {"hidden_size": 24},
        "plays lumen, not lighthouse": {"game": "lighthouse"},
    }.items():
        with pytest.raises(ValueError, match=message):
            opened(tiny_config(**{**settings, **change}), False)


# -- who decides ----------------------------------------------------------------------------------------------


def test_drawn_actions_are_legal_and_so_likely(name):
    batch, rng = Batch(name, 64, seed=2), np.random.default_rng(0)
    logits = rng.normal(size=batch.action_masks.shape).astype(np.float32) * 5
    actions, logps = np.empty(64, np.int64), np.empty(64, np.float32)
    for chance in (0.0, 0.3, 1 - 1e-16):
        draw_actions(logits, batch.action_masks.copy(), np.full(64, chance), actions, logps)
        assert batch.action_masks[np.arange(64), actions].all()
    masked = torch.from_numpy(logits).masked_fill(torch.from_numpy(batch.action_masks.copy()) == 0, -1e9)
    expected = masked.log_softmax(1).numpy()[np.arange(64), actions]
    assert expected == pytest.approx(logps, abs=1e-4)


def test_draws_follow_the_softmax():
    logits = np.tile(np.log([[1, 2, 3, 4]]).astype(np.float32), (4000, 1))
    masks = np.tile(np.array([[1, 1, 0, 1]], np.int8), (4000, 1))
    actions, logps = np.empty(4000, np.int64), np.empty(4000, np.float32)
    draw_actions(logits, masks, np.random.default_rng(0).random(4000), actions, logps)
    assert np.bincount(actions, minlength=4) / 4000 == pytest.approx(np.array([1, 2, 0, 4]) / 7, abs=0.03)


def test_only_the_learners_own_seats_are_recorded():
    """Against a bot on every table: what is recorded are the seats drawn for the learner."""
    run = tiny_run(
        game="lanterns",
        num_players=[2, 3, 4],
        self_play_fraction=0,
        bot_fraction=1,
        bot_opponents=["random"],
        num_games=30,
    )
    assert (run.seating.own.sum(1) >= 1).all()
    assert (run.seating.own[np.arange(30), :].sum(1) < run.batch.num_players).all()
    ppo.collect(run)
    asked = run.buffer.last_index != ppo.NONE
    assert asked.any()
    assert not (asked & ~run.seating.own).any()


class Spy:
    """Plays at random, and notes which seats of which games it was asked for."""

    def __init__(self):
        self.asked = []

    def act(self, table, rng):
        self.asked += zip(table.game_ids.tolist(), table.seats.tolist(), strict=True)
        return table.sample(rng)


def test_bots_are_asked_at_tables_of_two_three_and_four():
    """Only for games and seats that are theirs; the learner is paid at tables of every size."""
    bots = ["random", "greedy"]
    run = tiny_run(
        num_players=[2, 3, 4],
        self_play_fraction=0.5,
        bot_fraction=0.5,
        bot_opponents=bots,
        num_games=60,
        batch_size=1200,
        seed=3,
    )
    assert [["Uniform"] * 4, ["Greedy"] * 4] == [
        [type(agent).__name__ for agent in agents] for agents in run.seating.bots
    ]
    spies = run.seating.bots = [[Spy() for _ in range(4)] for _ in range(2)]
    tables = [set(), set()]  # the numbers of players at them
    for _ in range(4 if COMPILED else 1):
        before = {
            number: (row, run.seating.own[row].copy(), run.seating.opponents[row])
            for row, number in enumerate(run.seating.game_ids)
        }
        ppo.collect(run)
        for which, at_seats in enumerate(spies):
            for its_seat, spy in enumerate(at_seats):
                assert {seat for _, seat in spy.asked} <= {its_seat}
                for row, own, opponent in (before[game] for game, _ in spy.asked if game in before):
                    assert opponent == run.config.pool_size + which
                    assert not own[its_seat]
                    tables[which].add(int(run.batch.num_players[row]))
                spy.asked.clear()
        run.buffer.last_index[:], run.buffer.count = ppo.NONE, 0
    assert [{2, 3, 4}] * 2 == tables


class Listener:
    """Plays the first legal action, and notes which random numbers it is given."""

    def __init__(self):
        self.given = []

    def act(self, table, rng):
        self.given.append(rng)
        return table.action_masks.argmax(1)


def first_numbers(rngs):
    return [rng.bit_generator.state["state"]["state"] for rng in rngs]


def test_bots_are_given_streams_that_lead_nowhere():
    """One for every update, step, bot and seat, from a hash; the run's own numbers, and so its deals, are not in it."""
    run = tiny_run(
        self_play_fraction=0, bot_fraction=1, bot_opponents=["random", "greedy"], seed=9, num_games=40, batch_size=600
    )
    run.updates = 3
    listeners = run.seating.bots = [[Listener() for _ in range(2)] for _ in range(2)]
    ppo.collect(run)
    given = {}
    for bot, at_seats in enumerate(listeners):
        for seat, listener in enumerate(at_seats):
            steps = [stream("training bot", 9, 3, step, bot, seat) for step in range(300)]
            assert set(first_numbers(listener.given)) <= set(first_numbers(steps))
            given |= dict.fromkeys(first_numbers(listener.given), (bot, seat))
    assert len(given) == sum(len(listener.given) for at_seats in listeners for listener in at_seats) > 50
    assert 4 == len(set(given.values()))


def test_copies_of_the_learner_play_by_its_network():
    """Which learns on while they are at the table."""
    learner = evaluate.BestMoves(tiny_run().network)
    twin = copy.deepcopy(learner)
    assert twin is not learner
    assert twin.network is learner.network


def test_earlier_selves_that_win_are_met_more_often():
    run = tiny_run()
    pool, rng = Pool(2), np.random.default_rng(0)
    pool.add(run.network)
    pool.add(run.network)
    pool.report(np.array([0] * 20 + [1] * 20), np.array([1.0] * 20 + [0.0] * 20))
    met = np.bincount(pool.draw(rng, 1000), minlength=2)
    assert met[1] > 5 * met[0] > 0
    pool.add(run.network)  # in the place of the oldest
    assert len(pool.networks) == 2
    assert pool.won.tolist() == [1, 1]


# -- the same again -------------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("game", list(GAMES))
def test_same_seed_same_weights(game):
    players = [min(GAMES[game].players), max(GAMES[game].players)]
    runs = [tiny_run(game=game, num_players=players, seed=seed, **MIXED) for seed in (5, 5, 6)]
    for run in runs:
        for _ in range(3):
            ppo.update(run)
    assert same(weights(runs[0]), weights(runs[1]))
    assert not same(weights(runs[0]), weights(runs[2]))


def apart_from_the_clock(run):
    arrays, card = run.saved()
    config = {name: value for name, value in card["config"].items() if name not in ("run_name", "checkpoint_minutes")}
    return arrays, {**card, "config": config, "seconds": 0}


@compiled
def test_a_resumed_run_equals_one_that_was_never_interrupted():
    settings = {**MIXED, "game": "lumen", "num_players": [3, 4], "magnet_coef": 0.1, "magnet_every": 2}
    whole, path = opened(tiny_config(**settings, run_name="whole", total_decisions=1500), False)
    ppo.train(whole, path)
    config = tiny_config(**settings, run_name="broken", total_decisions=1500, checkpoint_minutes=0.0)
    broken, path = opened(config, False)
    updates = 0

    def stop(run):
        nonlocal updates
        updates += 1
        run.stopped = updates == 4
        return ppo.update(run)

    ppo.train(broken, path, stop)
    assert broken.decisions < whole.decisions
    with (path / "log.jsonl").open("a") as log:  # of updates after the last checkpoint
        log.write(json.dumps({"update": 99, "minutes": 1}) + "\n")
    resumed, _ = opened(config, True)
    ppo.train(resumed, path)
    assert same(apart_from_the_clock(whole), apart_from_the_clock(resumed))
    updates = [json.loads(line)["update"] for line in (path / "log.jsonl").read_text().splitlines()]
    assert list(range(1, resumed.updates + 1)) == updates


@compiled
def test_a_killed_run_goes_on(tmp_path):
    """A process that dies without a word leaves a whole checkpoint behind."""
    settings = [f"{key}={json.dumps(value)}" for key, value in TINY.items()]
    command = [
        sys.executable,
        str(ROOT / "scripts" / "train_ppo.py"),
        *settings,
        "run_name=dies",
        "checkpoint_minutes=0",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while not (tmp_path / "runs" / "dies" / "checkpoint.safetensors").exists():
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    config, resume, _ = read_arguments(["--resume", "runs/dies"], Config)
    logged = [
        json.loads(line)["update"] for line in (tmp_path / "runs" / "dies" / "log.jsonl").read_text().splitlines()
    ]
    run, _ = opened(config, resume)
    assert run.updates >= 1
    assert logged[-1] - run.updates in (0, 1)  # what was logged and not yet saved
    ppo.update(run)


def test_a_checkpoint_is_written_whenever_its_time_has_come(monkeypatch):
    """Updates of 25 seconds each, a checkpoint a minute: a lost process loses three updates at most."""
    now, saved = [0.0], []

    def update(run):
        now[0] += 25
        run.updates += 1
        run.decisions += 1
        return {logging.SPEED: 1.0}

    monkeypatch.setattr(evaluate, "evaluate", lambda run: {})
    monkeypatch.setattr(folder, "write_state", lambda state, _: saved.append(state[1]["updates"]))
    monkeypatch.setattr(recording.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(recording, "draw_curves", lambda folder: None)
    config = tiny_config(run_name="clock", total_decisions=10, checkpoint_minutes=1.0)
    ppo.train(*opened(config, False), update)
    assert [3, 6, 9, 10] == saved


# -- learning -------------------------------------------------------------------------------------------------

LEARNS = {
    "num_games": 128,
    "batch_size": 4096,
    "minibatch_size": 512,
    "hidden_size": 64,
    "entity_size": 16,
    "learning_rate": 2e-3,
}
LEARNT = 0.85  # of the wins against random


def learnt_share(decisions=90_000):
    """The win share against random after so many decisions of Lanterns, about 15 seconds."""
    settings = {
        **LEARNS,
        "num_players": [2],
        "margin_weight": 0.5,
        "total_decisions": decisions,
        "eval_deals": 50,
    }
    run = PPO(tiny_config(**settings))
    while run.goes_on():
        ppo.update(run)
    return evaluate.evaluate(run)["random 2p"][0]


@compiled
def test_it_learns_to_beat_random():
    assert learnt_share() >= LEARNT
