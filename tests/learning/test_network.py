"""The networks: illegal actions have no chance, what is alike is treated alike, and what they see is so."""

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.features import compute_features  # noqa: E402
from lanterns_agents.lighthouse.features import AROUND, AT_BEGUN, AT_LEFT, AT_START, COLUMNS, OPTIONS, ROUND, ROWS  # noqa: E402
from lanterns_agents.lighthouse.network import FIRST_OF_EQUALS  # noqa: E402
from lanterns_agents.networks.base import FLOOR, PlainNetwork, load_network, make_network, save_network  # noqa: E402

from lanterns_env import GAMES  # noqa: E402
from lanterns_env.games.lanterns.lake import NUM_SLOTS  # noqa: E402
from lanterns_env.games.lanterns.rules import PER_SLOT, PLACE, PLACES, SKIP  # noqa: E402
from lanterns_env.games.lighthouse.components import NUM_ISLANDS  # noqa: E402
from tests.learning.stages import GAMES_AT_ONCE, played  # noqa: E402
from tests.lighthouse.table import table  # noqa: E402
from tests.positions import view_of  # noqa: E402


def small(name, seed=0):
    torch.manual_seed(seed)
    return make_network(GAMES[name], hidden_size=24, entity_size=8)


def asked(network, batch, observations=None):
    given = torch.from_numpy(np.array(batch.observations if observations is None else observations))
    with torch.no_grad():
        return network(given, torch.from_numpy(batch.action_masks.copy()))


def test_illegal_actions_have_no_chance(name, num_players):
    batch = played(name, num_players)
    logits, values = asked(small(name), batch)
    legal = batch.action_masks.astype(bool)
    assert set(logits.numpy()[~legal].tolist()) <= {FLOOR}
    assert np.abs(logits.numpy()[legal]).max() < 100
    assert torch.isfinite(logits.log_softmax(1)).all()
    assert (len(batch), batch.game.max_players) == values.shape
    assert not logits.softmax(1).numpy()[~legal].any()


def test_a_fresh_network_has_no_opinion(name):
    batch = played(name)
    logits, values = asked(small(name), batch)
    assert np.abs(logits.numpy()[batch.action_masks.astype(bool)]).max() < 0.3
    assert values.abs().max() < 0.1


def test_observations_may_be_floats(name):
    batch = played(name)
    network = small(name)
    whole, floats = asked(network, batch), asked(network, batch, batch.observations.astype(np.float32))
    assert torch.equal(whole[0], floats[0])
    assert torch.equal(whole[1], floats[1])


def test_a_row_does_not_depend_on_the_others(name):
    batch = played(name)
    network = small(name)
    logits, values = asked(network, batch)
    for row in (0, 1, len(batch) - 1):
        given = torch.from_numpy(batch.observations[[row]].copy()), torch.from_numpy(batch.action_masks[[row]].copy())
        with torch.no_grad():
            alone = network(*given)
        assert torch.allclose(logits[row], alone[0][0], atol=1e-4)
        assert torch.allclose(values[row], alone[1][0], atol=1e-4)


def test_saved_and_loaded(name):
    batch = played(name)
    network = small(name)
    twin = load_network(GAMES[name], save_network(network))
    assert torch.equal(asked(network, batch)[0], asked(twin, batch)[0])
    network.value.weight.data += 1
    assert not torch.equal(asked(network, batch)[1], asked(twin, batch)[1])


def test_a_network_that_learnt_from_other_features_is_refused():
    """The view is the same, the features beside it are not."""
    game = GAMES["lighthouse"]
    saved = save_network(make_network(game, hidden_size=8, entity_size=4))
    assert load_network(game, saved).sizes == {"hidden_size": 8, "entity_size": 4}
    with pytest.raises(
        ValueError, match=r"was trained on other features of Lighthouse Architects \(none; now [0-9a-f]+"
    ):
        load_network(game, {**saved, "features": ""})


def test_another_layout_or_game_is_refused():
    saved = save_network(small("lumen"))
    with pytest.raises(ValueError, match=r"trained on another layout of Lumen .* train it anew"):
        load_network(GAMES["lumen"], {**saved, "layout": "0123"})
    with pytest.raises(ValueError, match="plays lumen, not lanterns"):
        load_network(GAMES["lanterns"], saved)
    with pytest.raises(ValueError, match="no saved network: it has no layout, features"):
        load_network(GAMES["lumen"], {key: saved[key] for key in ("game", "network", "weights")})


def test_values_of_absent_seats_are_0_and_all_sum_to_0(name, num_players):
    """Whatever the scores are from which they come, for every number of players at one table."""
    batch, network = played(name, num_players), loud(name)
    values = asked(network, batch)[1].numpy()
    assert not values[:, num_players:].any()
    assert np.abs(values[:, :num_players]).min() > 0
    assert values.sum(1) == pytest.approx(0, abs=1e-4 * float(np.abs(values).max()))


def test_a_score_of_the_viewer_alone_is_its_value_and_the_others_share_the_rest_alike(name, num_players):
    batch, network = played(name, num_players), loud(name)
    for part in (network.value.weight, network.value.bias):
        part.data[1:] = 0
    with torch.no_grad():
        _, scores = network.evaluate(network.views(torch.from_numpy(batch.observations.copy())))
    expected = np.zeros(scores.shape, np.float32)
    expected[:, :num_players] = -scores[:, :1].numpy() / (num_players - 1)
    expected[:, 0] = scores[:, 0].numpy()
    assert np.array_equal(expected, asked(network, batch)[1].numpy())


def test_a_game_whose_view_does_not_say_how_many_play_is_refused():
    fields = tuple(field for field in GAMES["lumen"].fields if field.name != "num_players")
    game = dataclasses.replace(GAMES["lumen"], name="lantern", fields=fields)
    with pytest.raises(ValueError, match="no network can play Lumen: its view needs a field 'num_players'"):
        make_network(game)
    for_three = dataclasses.replace(game, players=range(3, 4))
    with torch.no_grad():
        _, values = make_network(for_three)(torch.ones(2, for_three.view.itemsize), torch.ones(2, game.num_actions))
    assert (2, 3) == values.shape
    assert values.sum(1).numpy() == pytest.approx(0, abs=1e-6)


def test_another_game_gets_a_plain_network():
    game = dataclasses.replace(GAMES["lighthouse"], name="lightship")
    network = make_network(game, hidden_size=8)
    assert isinstance(network, PlainNetwork)
    assert asked(network, played("lighthouse"))[0].shape == (GAMES_AT_ONCE, game.num_actions)


# -- Lanterns -------------------------------------------------------------------------------------------------


def loud(name):
    """Weights such that what is not alike would be seen."""
    network = small(name)
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    return network


def placements(logits):
    return logits[:, PLACES:SKIP].reshape(-1, NUM_SLOTS, PER_SLOT // 4, 4)


def all_logits(network, views):
    with torch.no_grad():
        observations = torch.from_numpy(GAMES["lanterns"].to_array(views).copy())
        return network.evaluate(network.views(observations))


def placing():
    """Views in which a tile is to be placed."""
    views = played("lanterns").views.copy()
    views["phase"] = PLACE
    return views


def test_lanterns_slots_are_interchangeable():
    views = placing()
    network, other = loud("lanterns"), views.copy()
    order = np.random.default_rng(0).permutation(NUM_SLOTS)
    for field in ("slot_open", "slot_x", "slot_y", "touch", "touch_platform"):
        other[field] = views[field][:, order]
    logits, values = all_logits(network, views)
    others, other_values = all_logits(network, other)
    is_open = torch.from_numpy(other["slot_open"].astype(bool))
    assert torch.allclose(values, other_values, atol=1e-3)
    assert torch.allclose(placements(logits)[:, order][is_open], placements(others)[is_open], atol=1e-2)


def test_lanterns_tiles_in_hand_are_interchangeable():
    views = placing()
    network, other = loud("lanterns"), views.copy()
    for field in ("hand_tile", "hand_sides", "hand_platform"):
        other[field] = views[field][:, [2, 0, 1]]
    logits, values = all_logits(network, views)
    others, other_values = all_logits(network, other)
    assert torch.allclose(values, other_values, atol=1e-3)
    assert torch.allclose(placements(logits)[:, :, [2, 0, 1]], placements(others), atol=1e-2)


def test_lanterns_what_touches_what():
    """A network that likes nothing but matches counts them, one more for each with a platform."""
    network = small("lanterns")
    for weight in network.parameters():
        torch.nn.init.zeros_(weight)
    network.colour_says.bias.data[0] = 1  # a match
    network.colour_says.bias.data[1] = 2  # a match with a platform
    views = placing()
    found = placements(all_logits(network, views)[0])
    for row, view in enumerate(views):
        for slot in np.flatnonzero(view.slot_open):
            for position, side in np.ndindex(3, 4):
                turned = np.roll(view.hand_sides[position], -side)
                matches = (turned == view.touch[slot]) & (turned > 0)
                expected = matches.sum() + (matches & view.touch_platform[slot].astype(bool)).sum()
                assert expected == found[row, slot, position, side]


def test_lanterns_no_slot_in_use_is_overlooked(monkeypatch):
    views = placing()
    network = loud("lanterns")
    few = all_logits(network, views)
    assert network.slots_in_use(torch.from_numpy(views["slot_open"])) < NUM_SLOTS
    monkeypatch.setattr(network, "slots_in_use", lambda slot_open: NUM_SLOTS)
    every = all_logits(network, views)
    is_open = torch.from_numpy(views["slot_open"].astype(bool))
    assert torch.allclose(placements(few[0])[is_open], placements(every[0])[is_open], atol=1e-3)
    assert torch.allclose(few[1], every[1], atol=1e-3)


def test_lanterns_only_who_places_a_tile_judges_placements():
    views = placing()
    views["phase"] = np.arange(len(views)).reshape(views["phase"].shape) % 4
    network, there = loud("lanterns"), (views["phase"] == PLACE).flatten()
    judged = placements(all_logits(network, views)[0])
    assert there.tolist() == judged.flatten(1).any(1).tolist()
    alone, is_open = placements(all_logits(network, views[there])[0]), torch.from_numpy(views["slot_open"][there] == 1)
    assert torch.allclose(alone[is_open], judged[torch.from_numpy(there)][is_open], atol=1e-3)


def test_lighthouse_islands_are_seen_from_where_an_option_starts():
    """The islands beginning after that position, among the columns of the option, with the weights of that place."""
    batch, network = played("lighthouse"), loud("lighthouse")
    features = torch.from_numpy(compute_features(batch.game, batch.observations)).reshape(-1, ROWS, COLUMNS)
    lying = features[:, OPTIONS:].flatten(1)[:, :ROUND]
    islands = lying.reshape(-1, NUM_ISLANDS, AROUND)
    with torch.no_grad():
        found = network.see_options(features, lying)
        for option, start in enumerate([0, 1, 2, 3, 4, 5, 6, 7, 0, 0]):
            columns, around = features[:, option], islands.roll(-start, 1).flatten(1)
            expected = network.option(torch.cat([columns[:, :AT_BEGUN], around, columns[:, AT_BEGUN:]], 1))
            assert torch.allclose(expected, found[:, option], atol=1e-3)


def test_lighthouse_options_that_are_not_possible_count_for_nothing():
    """Whatever their features are: neither for the other options nor for the values."""
    batch, network = played("lighthouse"), loud("lighthouse")
    features = torch.from_numpy(compute_features(batch.game, batch.observations))
    changed = features.clone().reshape(-1, ROWS, COLUMNS)
    impossible = changed[:, :OPTIONS, AT_LEFT:AT_START].sum(2) == 0
    changed[:, :OPTIONS, :AT_LEFT][impossible] += 5
    observations, masks = torch.from_numpy(batch.observations.copy()), torch.from_numpy(batch.action_masks.copy())
    with torch.no_grad():
        as_it_is, otherwise = (network(observations, masks, each) for each in (features, changed.flatten(1)))
    assert impossible.any()
    assert all(torch.allclose(*pair) for pair in zip(as_it_is, otherwise, strict=True))


def test_lighthouse_the_first_of_two_stones_that_are_alike():
    """On opposite islands of an empty lake: but for rounding, nothing tells one from the other."""
    game, network = GAMES["lighthouse"], loud("lighthouse")
    state = table({1: "R", 5: "R"})
    observations = game.to_array(view_of(game, state).reshape(1))
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(observations.copy()), torch.ones(1, game.num_actions, dtype=torch.int8))
    first, second = logits[0, [1, 5]].tolist()
    assert 4 * FIRST_OF_EQUALS == pytest.approx(first - second, abs=FIRST_OF_EQUALS)
