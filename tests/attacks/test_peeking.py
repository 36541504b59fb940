"""Agents that try to see more than their seat may know: of the hidden cards they find what anybody would guess."""

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table
from lanterns_env.match.playing import deal_seeds, make_match
from lanterns_env.match.result import first_difference, play_match, run
from lanterns_env.seat import SeatEnv, SeatVectorEnv
from tests.attacks import players
from tests.attacks.scale import scaled
from tests.conftest import COMPILED

POSITIONS = scaled(200, 2000) if COMPILED else 20
CHANCE = 0.05  # of the positions: now and then a redealt world has the same hidden cards
SEED = 5_000_011  # too large to be met by trying small numbers
STEPS = 8
HIDDEN = {  # of states: what the seat to move cannot know, [row, ...]
    "lanterns": lambda states: states["hands"][np.arange(len(states)), (states["player"] + 1) % states["num_players"]],
    "lumen": lambda states: states["fans"][np.arange(len(states)), 0, states["player"]],
    "lighthouse": lambda states: states["place"],
}


def positions(name, num_players=None, seed=5):
    batch = Batch(name, POSITIONS, num_players, seed=seed, autoreset=False)
    rng = np.random.default_rng(0)
    for _ in range(STEPS):
        batch.step(batch.sample(rng))
    return batch


def found(name, worlds, true):
    """In how many rows the hidden cards are the true ones."""
    return int((HIDDEN[name](worlds) == HIDDEN[name](true)).reshape(len(true), -1).all(1).sum())


def test_what_a_table_hands_out_cannot_be_written_and_worlds_are_of_the_seat_to_move(name):
    batch = positions(name)
    table = Table(batch, np.arange(POSITIONS), np.arange(POSITIONS))
    honest = table.worlds(np.arange(POSITIONS)).states
    players.Writing.worlds.clear()
    players.Writing().act(table, np.random.default_rng(0))
    assert honest.tobytes() == players.Writing.worlds[0]
    for array in (table.views, table.action_masks, table.game_ids):
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    assert found(name, honest, batch.states) <= CHANCE * POSITIONS


def test_a_table_holds_no_true_state_anywhere(name):
    """Neither what it is made of nor anything that this leads to has the hidden cards."""
    batch = positions(name)
    table = Table(batch, np.arange(POSITIONS), np.arange(POSITIONS))
    seen, waiting, states = set(), [table], []
    while waiting:
        each = waiting.pop()
        if id(each) in seen or (callable(each) and not hasattr(each, "__dict__")):
            continue
        seen.add(id(each))
        if isinstance(each, np.ndarray):
            states += [each] if each.dtype == batch.game.state and len(each) == POSITIONS else []
            waiting.append(each.base)
        elif isinstance(each, dict):
            waiting += list(each.values())
        elif isinstance(each, list | tuple):
            waiting += list(each)
        elif type(each).__module__.startswith("lanterns_env") and each is not batch.game:
            waiting.append(getattr(each, "__dict__", {}))
            waiting += [getattr(each, name, None) for name in getattr(type(each), "__slots__", ())]
    assert states
    assert all(found(name, each, batch.states) <= CHANCE * POSITIONS for each in states)


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
def test_the_random_stream_of_an_agent_leads_to_no_deal(name):
    deals = scaled(16, 200) if COMPILED else 1
    players.Seeding.tried.clear()
    agents = [players.Seeding, "random"]
    play_match(name, agents, deals=deals, seed=SEED, **short(name))
    dealt = deal_seeds(make_match(name, ["seeding", "random"], deals=deals, seed=SEED, **short(name)), 0, deals)
    assert players.Seeding.tried
    assert not players.Seeding.tried & set(dealt.tolist())


@pytest.mark.parametrize("environment", ["seat", "vector", "sb3"])
def test_the_random_stream_of_an_opponent_leads_to_no_deal(name, environment):
    players.Seeding.tried.clear()
    for seed in range(scaled(4, 100) if COMPILED else 1):
        dealt = begin(environment, name, 1_000_003 * (seed + 1))
        assert not players.Seeding.tried & dealt
    assert players.Seeding.tried


def begin(environment, name, seed):
    """The seeds of deals in which the opponent is asked at once or after a move."""
    arguments = {"opponents": players.Seeding, "seat": 1}
    if environment == "sb3":
        from lanterns_env.sb3 import SeatVecEnv

        envs = SeatVecEnv(name, 2, seed=seed, **arguments)
        envs.reset()
        dealt = set(envs.seats.batch.seeds.tolist())
        envs.step(envs.seats.batch.sample(np.random.default_rng(0)))
    elif environment == "vector":
        envs = SeatVectorEnv(name, 2, **arguments)
        envs.reset(seed=seed)
        dealt = set(envs.seats.batch.seeds.tolist())
        envs.step(envs.seats.batch.sample(np.random.default_rng(0)))
    else:
        env = SeatEnv(name, **arguments)
        env.reset(seed=seed)
        dealt = set(env.seats.batch.seeds.tolist())
        env.step(env.seats.batch.sample(np.random.default_rng(0))[0])
    return dealt


def test_the_attack_on_streams_finds_what_can_be_found(name):
    """A generator that begins with the seed of a deal gives it away: the test above could fail."""
    players.Seeding.hits.clear()
    players.Seeding.tried.clear()
    batch = Batch(name, 4, seeds=[7, 8, 9, 10], autoreset=False)
    players.Seeding().act(Table(batch, np.arange(4), np.arange(4)), np.random.default_rng(7))
    assert [True] == players.Seeding.hits
    assert players.Seeding.tried & set(batch.seeds.tolist())


def test_no_object_is_asked_for_two_sides_of_a_deal(name, num_players):
    """Every object sits in one seat, and meets every deal of its chunk once."""
    deals, made = 3 if COMPILED else 1, []

    class Noting(players.Uniform):
        def __init__(self):
            self.seats, self.games = set(), set()
            made.append(self)

        def act(self, table, rng):
            self.seats |= set(table.seats.tolist())
            self.games |= set(table.game_ids.tolist())
            return table.sample(rng)

    result = play_match(name, [Noting, Noting], num_players, deals=deals, **short(name))
    assert len(result.match.chunks) * num_players * num_players == len(made)
    assert all(len(each.seats) <= 1 and len(each.games) <= deals for each in made)
    numbers = [game for each in made for game in each.games]
    assert len(set(numbers)) == len(numbers)  # nobody knows a game by the number that another knows it by


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="flat Monte Carlo plays some thousand games")
def test_flat_monte_carlo_with_memory_gains_nothing(name):
    deals = scaled(4, 60)
    honest, remembering = (
        play_match(name, [agent, "random"], 3, deals, seed=2, **short(name)).records
        for agent in (players.FlatMonteCarlo, players.Remembering)
    )
    assert np.array_equal(honest.points, remembering.points)
    assert np.array_equal(honest.decisions, remembering.decisions)


@pytest.mark.slow
def test_objects_that_conspire_cannot_match_games_by_number_or_order(name):
    """What two objects saw first under the same number, or at the same place of a table, is seldom of one deal."""
    players.Conspirators.seen.clear()
    players.Conspirators.guesses.clear()
    deals = POSITIONS // 2
    match = make_match(name, ["one"], min(GAMES[name].players), deals, 1, chunk=deals, **short(name))
    run(match, 1, agents=[players.Conspirators])
    players_ = match.num_players
    batch = Batch(name, deals, players_, seed=1, autoreset=False, **match.options)
    of_deal = {}  # which deal a first observation is of
    for seat in range(players_):
        rows = np.arange(deals)
        of_deal |= {row.tobytes(): deal for deal, row in enumerate(batch.observe(rows, np.full(deals, seat)))}
    pairs = [(kind, of_deal.get(one), of_deal.get(other)) for kind, one, other in players.Conspirators.guesses]
    known = [(kind, one, other) for kind, one, other in pairs if one is not None and other is not None]
    assert not [pair for pair in known if pair[0] == "id"]
    by_order = [one == other for kind, one, other in known if kind == "row"]
    assert np.sum(by_order) <= 3 + 3 * len(by_order) / deals


@pytest.mark.slow
def test_results_stay_paired_and_come_out_again(name):
    """Agents without chance of their own: both rotations of a deal are the same game with the seats exchanged."""
    deals = 3 if COMPILED else 1
    one, two = (play_match(name, ["greedy", "greedy"], deals=deals, seed=5, **short(name)) for _ in range(2))
    assert "" == first_difference(one, two)
    assert all(np.array_equal(one.records.points[:, 0], each) for each in np.moveaxis(one.records.points, 1, 0))


@pytest.mark.slow
def test_with_a_secret_the_deals_cannot_be_worked_out_from_the_seed():
    plain, secret, other = (
        play_match("lanterns", ["greedy", "random"], 2, deals=4, seed=5, secret=each)
        for each in (None, "ours", "theirs")
    )
    assert not np.array_equal(plain.records.points, secret.records.points)
    assert not np.array_equal(other.records.points, secret.records.points)
    again = play_match("lanterns", ["greedy", "random"], 2, deals=4, seed=5, secret="ours")
    assert "" == first_difference(secret, again)
    assert "ours" == secret.to_json()["secret"]
    drawn = play_match("lanterns", ["random"], 2, deals=1, secret="random").match.secret
    assert 32 == len(drawn)
    for nonsense in ("", 5, "x" * 2000):
        with pytest.raises(ValueError, match="secret must be a text of 1 to"):
            play_match("lanterns", ["random"], 2, deals=1, secret=nonsense)


def short(name):
    """Options that keep games of random players short."""
    return {"max_turns": 30} if name == "lighthouse" else {}
