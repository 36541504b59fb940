"""The games as OpenSpiel's, judged by OpenSpiel's own test, and searched by its IS-MCTS."""

import pickle

import numpy as np
import pytest

from tests.conftest import COMPILED

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.engine.game import MAX_SEED  # noqa: E402
from lanterns_env.envs.aec import make  # noqa: E402
from lanterns_env.openspiel import BYTE, SEED_BYTES, register  # noqa: E402
from tests.bridges import pages  # noqa: E402
from tests.solve.poker import LEDUC_GAME  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="OpenSpiel's own tests play many games")

SHORT = {"lighthouse": {"max_turns": 20}}


def load(name, **params):
    short = {} if "preset" in params else SHORT.get(name, {})
    return pyspiel.load_game(f"python_{name}", {**short, **params})


def dealt(name, deal=3, steps=0, **params):
    """A state some random moves into a game."""
    state = load(name, **params).new_initial_state()
    draw(state, deal)
    rng = np.random.default_rng(deal)
    for _ in range(steps):
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def draw(state, seed):
    """Let the chance nodes draw the deal of a seed."""
    for byte in seed.to_bytes(SEED_BYTES, "big"):
        assert state.is_chance_node()
        state.apply_action(byte)


def test_random_sim_test(name, num_players):
    pyspiel.random_sim_test(load(name, players=num_players), num_sims=1, serialize=True, verbose=False)


def playable(game, players, preset):
    try:
        return bool(game.check_options(players, {"preset": preset}))
    except ValueError:
        return False


PRESETS = [
    (name, players, preset)
    for name, game in GAMES.items()
    for players in game.players
    for preset in game.presets
    if playable(game, players, preset)
]


@pytest.mark.parametrize(("game", "players", "preset"), PRESETS)
def test_random_sim_test_of_presets(game, players, preset):
    pyspiel.random_sim_test(load(game, players=players, preset=preset), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("reward", ["margin", "points"])
def test_random_sim_test_with_other_rewards(name, reward):
    pyspiel.random_sim_test(load(name, reward=reward), num_sims=1, serialize=False, verbose=False)


def test_a_deal_is_the_game_of_its_seed(name):
    env = make(name, guarded=False, **SHORT.get(name, {}))
    env.reset(seed=9)
    state = dealt(name, deal=9)
    bounds = np.maximum(np.abs(env.game.low.astype(np.float32)), env.game.high)
    rng = np.random.default_rng(0)
    while not state.is_terminal():
        agent = env.agent_selection
        seen = env.observe(agent)
        assert env.possible_agents.index(agent) == state.current_player()
        assert np.flatnonzero(seen["action_mask"]).tolist() == state.legal_actions()
        assert np.allclose(seen["observation"] / bounds, state.observation_tensor())
        action = int(rng.choice(state.legal_actions()))
        assert env.describe(action) == state.action_to_string(action)
        env.step(action)
        state.apply_action(action)
    assert [env.rewards[agent] for agent in env.possible_agents] == pytest.approx(state.returns())


def test_tensors_have_names(name):
    state = dealt(name, steps=10)
    observation = make_observation(state.get_game())
    observation.set_from(state, 1)
    game = GAMES[name]
    view = state.seen(1).view(game.view)[0]
    for field in game.fields:
        scaled = np.asarray(view[field.name]).reshape(field.shape or (1,)) / max(-field.low, field.high)
        assert np.allclose(scaled, observation.dict[field.name]), field.name
    assert np.array_equal(observation.tensor, np.float32(state.observation_tensor(1)))


def test_there_is_no_observer_for_a_part_of_the_view():
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert make_observation(load("lumen"), kind) is None


def test_information_states_never_repeat_and_are_never_shared(name):
    state = dealt(name)
    players = range(state.num_players())
    seen = set()
    rng = np.random.default_rng(1)
    decisions = 0
    while not state.is_terminal():
        seen |= {state.information_state_string(player) for player in players}
        state.apply_action(int(rng.choice(state.legal_actions())))
        decisions += 1
    assert decisions * len(players) == len(seen)


def test_a_player_remembers_how_it_came_about():
    """Two steps in either order lead to the same table, and to different memories."""
    pairs = 0
    for deal in range(20):
        state = dealt("lighthouse", deal, steps=12, players=2)
        for first in state.legal_actions():
            for second in state.legal_actions():
                one, other = after(state, first, second), after(state, second, first)
                if first < second and one and other and str(one) == str(other):
                    mover = state.current_player()
                    assert one.observation_string(mover) == other.observation_string(mover)
                    assert one.information_state_string(mover) != other.information_state_string(mover)
                    pairs += 1
    assert pairs > 0


def after(state, *actions):
    """A copy some actions on, None if one of them is illegal or somebody else's."""
    mover, copy = state.current_player(), state.clone()
    for action in actions:
        if copy.is_terminal() or copy.current_player() != mover or action not in copy.legal_actions():
            return None
        copy.apply_action(action)
    return copy


def test_resampling_keeps_what_a_player_knows_and_changes_the_rest(name):
    state = dealt(name, steps=10)
    rng = np.random.default_rng(0)
    for player in range(state.num_players()):
        worlds = [state.resample_from_infostate(player, rng.random) for _ in range(20)]
        for world in worlds:
            assert state.information_state_string(player) == world.information_state_string(player)
            assert state.information_state_tensor(player) == world.information_state_tensor(player)
            assert state.legal_actions(player) == world.legal_actions(player)
            assert state.current_player() == world.current_player()
        assert len({str(world) for world in worlds}) > 1
    before = state.clone()
    worlds[0].apply_action(worlds[0].legal_actions()[0])
    assert str(before) == str(state)


def test_resampling_repeats_itself(name):
    state = dealt(name, steps=10)
    one, same, other = (state.resample_from_infostate(0, lambda draw=draw: draw) for draw in (0.25, 0.25, 0.75))
    assert pyspiel.serialize_game_and_state(one.get_game(), one) == pyspiel.serialize_game_and_state(
        same.get_game(), same
    )
    assert str(one) != str(other)


def test_copies_go_on_alike(name):
    state = dealt(name, steps=15)
    game, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert str(state.get_game()) == str(game)
    copies = [state.clone(), pickle.loads(pickle.dumps(state)), restored]
    while not state.is_terminal():
        action = state.legal_actions()[-1]
        for twin in (state, *copies):
            twin.apply_action(action)
        for twin in copies:
            assert [state.information_state_string(p) for p in range(state.num_players())] == [
                twin.information_state_string(p) for p in range(state.num_players())
            ]
    assert [state.returns()] * 3 == [twin.returns() for twin in copies]


def test_a_history_can_be_replayed(name):
    state = dealt(name, steps=20)
    again = state.get_game().new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(state) == str(again)
    assert state.information_state_string(0) == again.information_state_string(0)


def test_ismcts_plays(name):
    game = load(name)
    rng = np.random.RandomState(0)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 1.5, 6, random_state=rng)
    state = dealt(name, steps=5)
    for _ in range(8):
        action = int(bot.step(state))
        assert action in state.legal_actions()
        state.apply_action(action)


def test_rl_environment_plays(name):
    env = rl_environment.Environment(load(name))
    step = env.reset()
    rng = np.random.default_rng(0)
    while not step.last():
        seat = step.observations["current_player"]
        assert GAMES[name].view.itemsize == len(step.observations["info_state"][seat])
        step = env.step([int(rng.choice(step.observations["legal_actions"][seat]))])
    assert abs(sum(step.rewards)) < 1e-9


def test_options_are_parameters():
    assert load("lanterns", players=3, empty_chair=2).new_initial_state().get_game().options["empty_chair"] == 2
    assert load("lanterns").options["empty_chair"] == "drawn"
    assert load("lumen", recall=False).options["recall"] is False
    assert load("lighthouse", claims="forced").options["claims"] == "forced"
    with pytest.raises(ValueError, match="2 to 4 players"):
        load("lanterns", players=7)
    with pytest.raises(ValueError, match="0 for every deal"):
        load("lanterns", deals=-1)
    with pytest.raises(ValueError, match="no preset 'huge'"):
        load("lanterns", preset="huge")
    with pytest.raises(ValueError, match="empty_chair"):
        load("lanterns", empty_chair=5)


def test_any_seed_is_drawn_byte_by_byte():
    chances = [(byte, 1 / BYTE) for byte in range(BYTE)]
    for seed in (0, 7, 2**40 + 3, MAX_SEED):
        state = load("lumen").new_initial_state()
        for byte in seed.to_bytes(SEED_BYTES, "big"):
            assert chances == state.chance_outcomes()
            state.apply_action(byte)
        batch = Batch("lumen", seeds=[seed], num_players=state.num_players())
        assert batch.views[0].tobytes().hex() == state.observation_string()
    assert SEED_BYTES == state.get_game().max_chance_nodes_in_history()


def test_a_sample_of_deals_is_one_chance_node_of_seeds():
    state = load("lumen", deals=5).new_initial_state()
    assert [(seed, 0.2) for seed in range(5)] == state.chance_outcomes()
    state.apply_action(3)
    assert str(dealt("lumen", 3)) == str(state)


def test_a_variant_whose_deals_are_listed_has_one_chance_node_of_them_all():
    register(LEDUC_GAME)
    game = load("leduc")
    deals = LEDUC_GAME.deals(2, {})
    root = game.new_initial_state()
    assert list(enumerate(deals.weights)) == root.chance_outcomes()
    assert [1, len(deals.orders)] == [game.max_chance_nodes_in_history(), game.max_chance_outcomes()]
    for number, (own, other, _) in enumerate(deals.orders):
        views = [root.child(number).seen(seat).view(LEDUC_GAME.view)[0] for seat in (0, 1)]
        assert [own, other] == [view.rank for view in views]


def test_a_game_is_pickled_with_its_parameters():
    game = load("lighthouse", players=3, claims="forced", deals=5)
    assert str(game) == str(pickle.loads(pickle.dumps(game)))
    assert game.options == pyspiel.load_game(str(game)).options


def test_the_page():
    state = pages.run("openspiel.md")["state"]
    assert state.is_terminal()
    assert [1.0, -0.5, -0.5] == sorted(state.returns(), reverse=True)
