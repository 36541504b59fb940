"""The trainer: advantages by hand, the same run twice, a run that was broken off, settings, and that it learns."""

import copy
import io
import json
import pathlib
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Mapping

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import run_folder  # noqa: E402
import run_settings  # noqa: E402
import train_ppo  # noqa: E402
from run_settings import make_config as make  # noqa: E402
from run_settings import read_arguments, write_config  # noqa: E402
from train_ppo import END, OPEN, Config, Record, Run, advantages  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import load  # noqa: E402
from lanterns_env.engine.streams import stream  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
CONFIGS = sorted(file for file in (ROOT / "configs").glob("*.toml") if not file.stem.endswith("_sb3"))
TINY = {
    "num_games": 8,
    "rollout": 150,
    "minibatch": 64,
    "hidden": 16,
    "item": 4,
    "evaluate_every": 0,
    "evaluate_deals": 2,
    "evaluate_against": ["random"],
    "tensorboard": False,
}
MIXED = {"share_self": 0.4, "share_pool": 0.3, "share_bots": 0.3, "bots": ["greedy"], "pool_every": 1, "pool_size": 2}
compiled = pytest.mark.skipif(not COMPILED, reason="thousands of decisions")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def make_config(values):
    return make(values, Config)


def tiny_run(**settings):
    return Run(make_config({**TINY, **settings}))


def weights(run):
    return [weight.detach().numpy().copy() for weight in run.network.parameters()]


def same(left, right):
    """Bit for bit, whatever it consists of."""
    if isinstance(left, Mapping):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, torch.Tensor):
        left, right = left.numpy(), right.numpy()
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and left.tobytes() == right.tobytes()
    if isinstance(left, np.random.Generator):
        return left.bit_generator.state == right.bit_generator.state
    return left == right


# -- advantages -----------------------------------------------------------------------------------------------


def recorded(num_seats, movers, ends=(), pay=()):
    """A record of one game at a time: who moved, with values 1, 2, 3 ...; games end after the named moves."""
    batch = Batch({2: "lighthouse", 3: "lanterns", 4: "lanterns", 5: "lumen"}[num_seats], 1, num_seats)
    record = Record(batch, 50)
    row = np.zeros(1, np.int64)
    for move, seat in enumerate(movers):
        record.add(row, np.array([seat]), batch.observations, batch.action_masks, [0], [0.0], [move + 1.0])
        if move in ends:
            record.end(row, np.array([pay[ends.index(move)]], np.float32))
    return record


def gains(record, discount=1.0, trace=1.0):
    n = record.count
    return advantages(record.values[:n], record.rewards[:n], record.successors[:n], discount, trace).tolist()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_decision_is_followed_by_the_next_of_the_same_seat(seats):
    """Everybody moves twice, the last seat ends the game; each is paid its seat + 1."""
    record = recorded(seats, [*range(seats)] * 2, [2 * seats - 1], [range(1, seats + 1)])
    assert [*range(seats, 2 * seats), *[END] * seats] == record.successors[: record.count].tolist()
    first = [paid - value for paid, value in zip(range(1, seats + 1), range(1, seats + 1), strict=True)]
    last = [paid - (seats + value) for paid, value in zip(range(1, seats + 1), range(1, seats + 1), strict=True)]
    assert first + last == gains(record)


def test_advantages_of_uneven_turns_by_hand():
    """Seat 0 moves twice before seat 1, which ends the game: discount and trace of one half."""
    record = recorded(2, [0, 0, 1, 0, 1], [4], [(8, -8)])
    last_0, last_1 = 8 - 4, -8 - 5
    second_0 = 0.5 * 4 - 2 + 0.25 * last_0
    first_0 = 0.5 * 2 - 1 + 0.25 * second_0
    first_1 = 0.5 * 5 - 3 + 0.25 * last_1
    assert [first_0, second_0, first_1, last_0, last_1] == gains(record, 0.5, 0.5)


def test_nothing_crosses_the_end_of_a_game():
    record = recorded(2, [0, 1, 0, 1], [1, 3], [(1, -1), (-1, 1)])
    assert [1 - 1, -1 - 2, -1 - 3, 1 - 4] == gains(record)


def test_an_open_decision_waits_and_lends_its_value():
    record = recorded(3, [0, 1, 2, 0, 1], [], [])
    assert [3, 4, OPEN, OPEN, OPEN] == record.successors[:5].tolist()
    assert [4 - 1, 5 - 2, 0, 0, 0] == gains(record)


def test_open_decisions_are_learnt_from_in_the_next_rollout():
    record = recorded(3, [0, 1, 2, 0, 1], [], [])
    record.keep_open()
    assert [3.0, 4.0, 5.0] == record.values[: record.count].tolist()
    row = np.zeros(1, np.int64)
    batch = Batch("lanterns", 1, 3)
    record.add(row, np.array([2]), batch.observations, batch.action_masks, [0], [0.0], [6.0])
    record.end(row, np.array([[1, 2, -3]], np.float32))
    assert [3, END, END, END] == record.successors[:4].tolist()
    assert [-3 - 3, 1 - 4, 2 - 5, -3 - 6] == gains(record)


def test_a_cut_game_is_an_end():
    """Lighthouse, cut after three turns: every decision but the open ones of new games is followed or paid."""
    run = tiny_run(game="lighthouse", options={"max_turns": 3}, rollout=300)
    train_ppo.play(run)
    n = run.record.count
    assert (run.record.successors[:n] == END).sum() > 20
    assert (run.record.successors[:n] == OPEN).sum() <= 8 * 2
    gained = gains(run.record)
    ended = run.record.successors[:n] == END
    assert np.array_equal((run.record.rewards - run.record.values)[:n][ended], np.array(gained, np.float32)[ended])


def test_every_decision_is_learnt_from_once():
    """Of one rollout after the other: all decisions made, but those that are still open."""
    run = tiny_run(game="lumen", players=[3, 5])
    learnt, n = 0, 0
    for _ in range(4):
        train_ppo.play(run)
        n = run.record.count
        learnt += int((run.record.successors[:n] != OPEN).sum())
        run.record.keep_open()
    assert learnt + run.record.count == run.decisions


def test_rewards_add_up_to_nothing():
    """Outcomes of a game, whoever moved last: all seats have decided, so all are in the record."""
    run = tiny_run(game="lumen", players=[4], rollout=8 * 4 * 50)
    train_ppo.play(run)
    rewards = run.record.rewards[: run.record.count]
    assert rewards.any()
    assert rewards.sum() == pytest.approx(0, abs=1e-4)


def test_a_judged_round_of_lumen_is_an_end():
    """Seats are paid at the end of every round; all but the last by the game's judgement, which takes sides less."""
    run = tiny_run(game="lumen", players=[3], judged=True, rollout=8 * 3 * 44 * 2)
    train_ppo.play(run)
    n = run.record.count
    ends, rewards = run.record.successors[:n] == END, run.record.rewards[:n]
    paid = rewards[ends]
    assert not rewards[~ends].any()
    outright = np.isclose(paid, 1) | np.isclose(paid, -0.5)
    assert 0.2 < outright.mean() < 0.3
    assert abs(paid.mean()) < 1e-3  # seats that had not decided yet are not paid
    assert paid.min() >= -0.5 - 1e-6


# -- what a teacher would do ----------------------------------------------------------------------------------------


class Teacher:
    """Wants the first legal action three times as much as the last."""

    def act(self, table, rng):
        return table.action_masks.argmax(1)

    def weigh(self, table):
        weights = np.zeros(table.action_masks.shape, np.float32)
        weights[np.arange(len(table)), table.action_masks.argmax(1)] += 0.75
        weights[np.arange(len(table)), table.action_masks.shape[1] - 1 - table.action_masks[:, ::-1].argmax(1)] += 0.25
        return weights


def test_a_teachers_weights_of_all_actions_are_learnt(monkeypatch):
    for module in (train_ppo, run_settings):
        monkeypatch.setattr(module, "load", lambda name: Teacher())
    settings = {"warm_bot": "teacher", "warm_decisions": 10_000, "warm_epochs": 3, "minibatch": 150}
    run = tiny_run(game="lanterns", learning_rate=3e-3, **settings)
    train_ppo.play(run)
    n, teacher_probs = run.record.count, run.record.teacher_probs[: run.record.count]
    assert teacher_probs.sum(1) == pytest.approx(np.ones(n))
    assert not teacher_probs[run.record.action_masks[:n] == 0].any()
    assert np.array_equal(run.record.action_masks[:n].argmax(1), run.record.actions[:n])
    chosen = np.arange(n)
    loss, figures = train_ppo.imitation_loss(run, chosen, None, np.zeros(n, np.float32))
    logits, values = run.network(*(torch.from_numpy(a[:n]) for a in (run.record.observations, run.record.action_masks)))
    by_hand = -(teacher_probs * logits.log_softmax(1).detach().numpy()).sum(1).mean()
    assert by_hand == pytest.approx(figures["policy"].item(), rel=1e-3)
    assert loss.item() == pytest.approx(by_hand + 0.5 * values.square().mean().item(), rel=1e-3)
    run.record.forget()
    losses = [train_ppo.update(run)[0]["policy"] for _ in range(80)]
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) - 0.15


def test_a_run_may_begin_with_the_network_of_another():
    settings = {**TINY, "game": "lumen", "players": [3], "decisions": 400}
    first, folder = opened(make_config({**settings, "name": "first"}), False)
    train_ppo.train(first, folder)
    start = str(folder / "policy.safetensors")
    settings |= {"seed": 1, "start": start, "name": "second"}
    second, folder = opened(make_config(settings), False)
    assert same(weights(first), weights(second))
    assert [(first.config.name, first.decisions)] == [
        (each["config"]["name"], each["decisions"]) for each in second.before
    ]
    train_ppo.train(second, folder)
    assert not same(weights(first), weights(second))
    pathlib.Path(start).unlink()
    resumed, _ = opened(make_config(settings), True)  # needs nothing but its own checkpoint
    assert same(second.saved(), resumed.saved())


def test_a_network_that_does_not_fit_is_no_beginning():
    settings = {**TINY, "game": "lumen", "players": [3], "decisions": 150}
    first, folder = opened(make_config({**settings, "name": "first"}), False)
    run_folder.write_state(first.saved(), folder)
    settings |= {"start": str(folder / "policy.safetensors"), "name": "second"}
    for message, change in {
        "start: .* there is no file nowhere.safetensors": {"start": "nowhere.safetensors"},
        "start: the network in .* has the sizes": {"hidden": 24},
        "plays lumen, not lighthouse": {"game": "lighthouse"},
    }.items():
        with pytest.raises(ValueError, match=message):
            opened(make_config({**settings, **change}), False)


# -- who decides ----------------------------------------------------------------------------------------------


def test_drawn_actions_are_legal_and_so_likely(name):
    batch, rng = Batch(name, 64, seed=2), np.random.default_rng(0)
    logits = rng.normal(size=batch.action_masks.shape).astype(np.float32) * 5
    actions, logps = np.empty(64, np.int64), np.empty(64, np.float32)
    for chance in (0.0, 0.3, 1 - 1e-16):
        train_ppo.draw_actions(logits, batch.action_masks.copy(), np.full(64, chance), actions, logps)
        assert batch.action_masks[np.arange(64), actions].all()
    masked = torch.from_numpy(logits).masked_fill(torch.from_numpy(batch.action_masks.copy()) == 0, -1e9)
    expected = masked.log_softmax(1).numpy()[np.arange(64), actions]
    assert expected == pytest.approx(logps, abs=1e-4)


def test_draws_follow_the_softmax():
    logits = np.tile(np.log([[1, 2, 3, 4]]).astype(np.float32), (4000, 1))
    masks = np.tile(np.array([[1, 1, 0, 1]], np.int8), (4000, 1))
    actions, logps = np.empty(4000, np.int64), np.empty(4000, np.float32)
    train_ppo.draw_actions(logits, masks, np.random.default_rng(0).random(4000), actions, logps)
    assert np.bincount(actions, minlength=4) / 4000 == pytest.approx(np.array([1, 2, 0, 4]) / 7, abs=0.03)


def test_only_the_learners_own_seats_are_recorded():
    """Against a bot on every table: what is recorded are the seats drawn for the learner."""
    run = tiny_run(game="lanterns", players=[2, 3, 4], share_self=0, share_bots=1, bots=["random"], num_games=30)
    assert (run.own.sum(1) >= 1).all()
    assert (run.own[np.arange(30), :].sum(1) < run.batch.num_players).all()
    train_ppo.play(run)
    asked = run.record.latest != train_ppo.NONE
    assert asked.any()
    assert not (asked & ~run.own).any()


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
    run = tiny_run(players=[2, 3, 4], share_self=0.5, share_bots=0.5, bots=bots, num_games=60, rollout=1200, seed=3)
    assert [["Uniform"] * 4, ["Greedy"] * 4] == [[type(agent).__name__ for agent in agents] for agents in run.bots]
    spies = run.bots = [[Spy() for _ in range(4)] for _ in range(2)]
    tables = [set(), set()]  # the numbers of players at them
    for _ in range(4 if COMPILED else 1):
        before = {number: (row, run.own[row].copy(), run.opponents[row]) for row, number in enumerate(run.game_numbers)}
        train_ppo.play(run)
        for which, at_seats in enumerate(spies):
            for its_seat, spy in enumerate(at_seats):
                assert {seat for _, seat in spy.asked} <= {its_seat}
                for row, own, opponent in (before[game] for game, _ in spy.asked if game in before):
                    assert opponent == run.config.pool_size + which
                    assert not own[its_seat]
                    tables[which].add(int(run.batch.num_players[row]))
                spy.asked.clear()
        run.record.forget()
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
    run = tiny_run(share_self=0, share_bots=1, bots=["random", "greedy"], seed=9, num_games=40, rollout=600)
    run.updates = 3
    listeners = run.bots = [[Listener() for _ in range(2)] for _ in range(2)]
    train_ppo.play(run)
    given = {}
    for bot, at_seats in enumerate(listeners):
        for seat, listener in enumerate(at_seats):
            steps = [stream("training bot", 9, 3, step, bot, seat) for step in range(300)]
            assert set(first_numbers(listener.given)) <= set(first_numbers(steps))
            given |= dict.fromkeys(first_numbers(listener.given), (bot, seat))
    assert len(given) == sum(len(listener.given) for at_seats in listeners for listener in at_seats) > 50
    assert 4 == len(set(given.values()))


def test_a_teacher_is_given_streams_that_lead_nowhere():
    run = tiny_run(warm_bot="random", warm_decisions=10_000, seed=9)
    assert ["Uniform"] * 2 == [type(agent).__name__ for agent in run.teachers]
    listeners = run.teachers = [Listener(), Listener()]
    train_ppo.play(run)
    for seat, listener in enumerate(listeners):
        steps = [stream("teacher", 9, 0, step, seat) for step in range(300)]
        assert listener.given
        assert set(first_numbers(listener.given)) <= set(first_numbers(steps))


def test_copies_of_the_learner_play_by_its_network():
    """Which learns on while they are at the table."""
    learner = train_ppo.BestMoves(tiny_run().network)
    twin = copy.deepcopy(learner)
    assert twin is not learner
    assert twin.network is learner.network


def test_earlier_selves_that_win_are_met_more_often():
    run = tiny_run()
    pool, rng = train_ppo.Pool(2), np.random.default_rng(0)
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
    runs = [tiny_run(game=game, players=players, seed=seed, **MIXED) for seed in (5, 5, 6)]
    for run in runs:
        for _ in range(3):
            train_ppo.update(run)
    assert same(weights(runs[0]), weights(runs[1]))
    assert not same(weights(runs[0]), weights(runs[2]))


def apart_from_the_clock(run):
    arrays, card = run.saved()
    config = {name: value for name, value in card["config"].items() if name not in ("name", "checkpoint_minutes")}
    return arrays, {**card, "config": config, "seconds": 0}


@compiled
def test_a_resumed_run_equals_one_that_was_never_interrupted():
    settings = {**TINY, **MIXED, "game": "lumen", "players": [3, 4], "warm_bot": "greedy", "warm_decisions": 300}
    whole, folder = opened(make_config({**settings, "name": "whole", "decisions": 1500}), False)
    train_ppo.train(whole, folder)
    config = make_config({**settings, "name": "broken", "decisions": 1500, "checkpoint_minutes": 0.0})
    broken, folder = opened(config, False)
    updates = 0

    def stop(run):
        nonlocal updates
        updates += 1
        run.stopped = updates == 6  # after the teacher's part
        return train_ppo.update(run)

    train_ppo.train(broken, folder, stop)
    assert broken.decisions < whole.decisions
    with (folder / "log.jsonl").open("a") as log:  # of updates after the last checkpoint
        log.write(json.dumps({"update": 99, "minutes": 1}) + "\n")
    resumed, _ = opened(config, True)
    train_ppo.train(resumed, folder)
    assert same(apart_from_the_clock(whole), apart_from_the_clock(resumed))
    updates = [json.loads(line)["update"] for line in (folder / "log.jsonl").read_text().splitlines()]
    assert list(range(1, resumed.updates + 1)) == updates


@compiled
def test_a_killed_run_goes_on(tmp_path):
    """A process that dies without a word leaves a whole checkpoint behind."""
    settings = [f"{key}={json.dumps(value)}" for key, value in TINY.items()]
    command = [sys.executable, str(ROOT / "scripts" / "train_ppo.py"), *settings, "name=dies", "checkpoint_minutes=0"]
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
    train_ppo.update(run)


def test_a_checkpoint_is_written_whenever_its_time_has_come(monkeypatch):
    """Updates of 25 seconds each, a checkpoint a minute: a lost process loses three updates at most."""
    now, saved = [0.0], []

    def update(run):
        now[0] += 25
        run.updates += 1
        run.decisions += 1
        return {}, 1.0

    monkeypatch.setattr(train_ppo, "evaluate", lambda run: {})
    monkeypatch.setattr(run_folder, "write_state", lambda state, folder: saved.append(state[1]["updates"]))
    monkeypatch.setattr(train_ppo.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(train_ppo, "draw_curves", lambda folder: None)
    config = make_config({**TINY, "name": "clock", "decisions": 10, "checkpoint_minutes": 1.0})
    train_ppo.train(*opened(config, False), update)
    assert [3, 6, 9, 10] == saved


# -- measuring and showing -------------------------------------------------------------------------------------


@compiled
def test_the_learner_is_measured_at_one_seat_among_bots(monkeypatch):
    """With greedy in the place of the learner: it beats random at every size of table, and random loses to it."""
    monkeypatch.setattr(train_ppo, "BestMoves", lambda network: load("greedy"))
    settings = {"players": [2, 4], "evaluate_against": ["random", "greedy"], "evaluate_deals": 30}
    results = train_ppo.evaluate(tiny_run(**settings))
    assert ["random 2p", "random 4p", "greedy 2p", "greedy 4p"] == list(results)
    for share, low, high in results.values():
        assert 0 <= low <= share <= high <= 1
    assert [0.5, 0.25] == pytest.approx([results["greedy 2p"][0], results["greedy 4p"][0]], abs=1e-6)
    assert results["random 2p"][1] > 0.9
    assert results["random 4p"][1] > 0.8


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, monkeypatch):
    """What a run half over shows on its way."""
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    run = tiny_run(minutes=4)
    run.seconds, run.updates, run.decisions = 60.0, 7, 12345
    run.spent = {"games": 1.0, "policy": 3.0}
    with train_ppo.screen("mine") as show:
        show(run, {"entropy": 0.5}, 2000.0, {"random 2p": [0.75, 0.7, 0.8]})
        run.seconds = 120.0
        show(run, {"entropy": 0.25}, 3000.0, {})
    return stream.getvalue()


PARTS = (
    "12,345",
    "2.0 k/s",
    "3.0 min left",
    "entropy 0.500",
    "games 25%  policy 75%",
    "random 2p 75.0% (70.0% to 80.0%)",
)


def test_a_line_now_and_then(monkeypatch):
    first, second = shown(io.StringIO(), monkeypatch).splitlines()
    assert [] == [part for part in PARTS if part not in first]
    assert "entropy 0.250" in second
    assert "random" not in second


def test_a_panel_on_a_terminal_keeps_the_last_results(monkeypatch):
    pytest.importorskip("rich")
    text = shown(Terminal(), monkeypatch)
    assert [] == [part for part in PARTS if part not in text]
    last = text[text.rindex("mine") :]
    assert [] == [part for part in ("2.0 min left", "entropy 0.250", "random 2p 75.0%") if part not in last]


# -- settings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", CONFIGS, ids=[file.stem for file in CONFIGS])
def test_settings_files_are_read_and_written(file):
    config, resume, _ = read_arguments([str(file)], Config)
    assert file.stem == config.name
    assert not resume
    assert config == make_config(tomllib.loads(write_config(config)))
    assert config.minutes or config.decisions
    Run(make_config({**tomllib.loads(file.read_text()), "num_games": 4, "rollout": 4}))


def test_there_are_settings_files():
    assert {
        f"{game}{purpose}" for game in ("lanterns_2p", "lumen_3p", "lighthouse_2p") for purpose in ("", "_quick")
    } | {"lanterns_4p"} <= {file.stem for file in CONFIGS}


def test_settings_on_the_command_line():
    words = [
        "game=lumen",
        "players=[3, 4]",
        "--learning_rate",
        "3e-4",
        "--epochs=3",
        "bots=greedy",
        "options={belief=true}",
    ]
    config, *_ = read_arguments(words, Config)
    assert ("lumen", (3, 4), 3e-4, 3, ("greedy",), {"belief": True}) == (
        config.game,
        config.players,
        config.learning_rate,
        config.epochs,
        config.bots,
        config.options,
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["learnin_rate=1"], "there is no setting 'learnin_rate'; did you mean 'learning_rate'?"),
        (["epochs=0.5"], "setting epochs must be a whole number, not 0.5"),
        (["game=chess"], "there is no game 'chess'; there are: lanterns"),
        (["share_bots=0.5"], "must add up to 1, not 1.5"),
        (["share_self=0", "share_bots=1"], "share_bots needs bots"),
        (["seed=1", "configs/lumen_3p.toml"], "configs/lumen_3p.toml: settings are key=value or --key value, after"),
        (["--epochs"], "epochs needs a value"),
    ],
)
def test_wrong_settings_are_refused(words, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_arguments(words, Config)


def test_a_run_is_not_overwritten():
    config = make_config({**TINY, "name": "mine"})
    run, folder = opened(config, False)
    run_folder.write_state(run.saved(), folder)
    with pytest.raises(ValueError, match="is there already: --resume"):
        opened(config, False)


# -- learning -------------------------------------------------------------------------------------------------

LEARNS = {"num_games": 128, "rollout": 4096, "minibatch": 512, "hidden": 64, "item": 16, "learning_rate": 2e-3}
LEARNT = 0.85  # of the wins against random


def learnt_share(decisions=90_000):
    """The win share against random after so many decisions of Lanterns, about 15 seconds."""
    settings = {**TINY, **LEARNS, "players": [2], "margin": 0.5, "decisions": decisions, "evaluate_deals": 50}
    run = Run(make_config(settings))
    while run.within(0, decisions) < 1:
        train_ppo.update(run)
    return train_ppo.evaluate(run)["random 2p"][0]


@compiled
def test_it_learns_to_beat_random():
    assert learnt_share() >= LEARNT
