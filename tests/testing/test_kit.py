"""The kit finds every defect by its name, and nothing where nothing is wrong."""

import functools
import importlib
import random
import warnings

import pytest
from pettingzoo.classic import connect_four_v3, tictactoe_v3
from pettingzoo.test import api_test, seed_test

from lanterns_env import GAMES
from lanterns_env.testing import CHECKS, Finding, assert_conforms, check_env
from lanterns_env.testing.play import global_generators
from tests.conftest import COMPILED
from tests.testing import broken_envs
from tests.testing.broken_envs import BROKEN, EndsBeforeItBegins, ShowsTheOtherHand, SpaceIsNew
from tests.testing.duel import Drum, Duel, GuardedDuel, InfoDuel

# These PettingZoo's own tests find, some of them only now and then; all others they pass every time.
NOTICED = {
    broken_envs.SeedTakenOnce,
    broken_envs.DealtFromWhatIsLeft,
    broken_envs.DealtByTheOperatingSystem,
    broken_envs.GlobalNumpy,
    broken_envs.LastLooksThroughOtherEyes,
    broken_envs.MaskAllowsTooMuch,
    broken_envs.MaskRunsEmpty,
    broken_envs.SpaceIsNew,
    broken_envs.OutOfBounds,
    broken_envs.WrongType,
    broken_envs.WrongTypeOfMask,
    broken_envs.ForgottenKey,
    broken_envs.RewardsPileUp,
    broken_envs.RewardsCrossed,
    broken_envs.SomeAreLeftBehind,
    broken_envs.RewardsForgetSomebody,
    broken_envs.NobodyLeaves,
    broken_envs.AllLeaveAtOnce,
    broken_envs.TheDeadAreNotTold,
    broken_envs.EndsBeforeItBegins,
}
# Ours, with the compiler off: one short game.
LIMITS = {} if COMPILED else {"seeds": [0], "max_steps": 12, "positions_per_game": 2, "actions_per_position": 10}
PETTINGZOO = {"tictactoe": tictactoe_v3, "connect_four": connect_four_v3}
OPEN = {"chance": False, "hidden": False, "zero_sum": True}  # both are such games


class Unfinished(Duel):
    def reset(self, seed=None, options=None):
        raise NotImplementedError("later")


class Blind(Duel):
    def observe(self, agent):
        raise NotImplementedError("later")


class Bare(ShowsTheOtherHand):
    sample_hidden = None


def draw_for(env, agent):
    return env.drawing_for(agent)


def named(findings):
    return {finding.check for finding in findings}


@pytest.mark.parametrize("env", [Duel, InfoDuel, GuardedDuel])
def test_nothing_is_found_in_a_correct_game(env):
    assert [] == check_env(env, zero_sum=True, draw_for=draw_for)


def test_nothing_is_found_where_there_are_no_masks_and_agents_drop_out():
    assert [] == check_env(Drum, chance=False)


@pytest.mark.parametrize("env", BROKEN, ids=lambda env: env.__name__)
def test_a_defect_is_named_by_its_check_and_by_no_other(env):
    assert BROKEN[env] == named(check_env(env, zero_sum=True, draw_for=draw_for))


def test_every_check_names_some_defect():
    assert set(CHECKS) == set().union(*BROKEN.values())
    assert all(CHECKS.values())


@pytest.mark.parametrize("env", [env for env in BROKEN if env not in NOTICED], ids=lambda env: env.__name__)
def test_pettingzoos_own_tests_pass_what_the_kit_finds(env):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(), num_cycles=50)
        seed_test(env)


def test_a_finding_can_be_played_to():
    finding = next(finding for finding in check_env(ShowsTheOtherHand) if finding.steps)
    assert finding.steps == len(finding.actions)
    env = ShowsTheOtherHand()
    env.reset(seed=finding.seed)
    for action in finding.actions:
        env.step(action)
    agent = next(agent for agent in env.agents if f"what {agent!r} cannot know" in finding.sentence)
    shown = {env.sample_hidden(agent, seed).observe(agent)["observation"].tobytes() for seed in range(9)}
    assert len(shown) > 1


def test_a_finding_is_one_sentence_with_seed_and_step():
    assert "flags: it is so (seed 3, after 12 steps)" == str(Finding("flags", "it is so", 3, 12))
    finding = check_env(SpaceIsNew)[0]
    assert "same_space: action_space('ann') returns another object than before (seed 0, after 1 steps)" == str(finding)


def test_assert_conforms_tells_all_sentences():
    assert_conforms(Duel)
    findings = check_env(ShowsTheOtherHand)
    with pytest.raises(AssertionError) as error:
        assert_conforms(ShowsTheOtherHand)
    assert [str(finding) for finding in findings] == str(error.value).splitlines()


def test_the_kit_does_not_crash():
    """What is no environment, or none that begins, is a finding."""

    assert {"start"} == named(check_env(Unfinished)) == named(check_env(lambda: 5)) == named(check_env(lambda: 1 / 0))
    assert {"start"} == named(check_env(EndsBeforeItBegins))
    assert {"observations"} == named(check_env(Blind))
    env = Duel()
    assert "make_env() returns the same environment" in check_env(lambda: env)[0].sentence


def test_global_generators_come_back_as_they_were():
    random.seed(4)
    before = global_generators()["random"], random.random()
    random.seed(4)
    check_env(Duel, seeds=[0])
    assert before == (global_generators()["random"], random.random())


def test_sample_hidden_can_be_given_from_outside():
    assert set() == named(check_env(Bare))
    assert {"no_leak"} == named(check_env(Bare, sample_hidden=Duel.sample_hidden))


def test_nothing_is_found_in_our_games(name):
    module = importlib.import_module(f"lanterns_env.{name}_v0")

    def draw_for(env, agent):
        return env.game.draw(env.view(agent).reshape(1))

    players = {min(GAMES[name].players), GAMES[name].default_players}
    for make in (module.env, module.raw_env):
        for num_players in sorted(players) if make is module.env else [min(players)]:
            make_env = functools.partial(make, num_players=num_players, render_mode="ansi")
            assert [] == check_env(make_env, zero_sum=True, draw_for=draw_for, **LIMITS)


@pytest.mark.parametrize("theirs", PETTINGZOO)
def test_what_is_known_of_pettingzoos_games(theirs):
    """Copies are new environments; and the wrapper around env() judges actions by the mask it has handed out."""
    module, copies = PETTINGZOO[theirs], {"deepcopy", "pickle"}
    for make, expected in ((module.env, copies | {"handed_out"}), (module.raw_env, copies)):
        findings = check_env(functools.partial(make, render_mode="rgb_array"), seeds=[0], **OPEN)
        assert expected == named(findings)
        assert all("is not the same game" in finding.sentence for finding in findings if finding.check in copies)
    assert copies | {"different_seeds"} == named(check_env(module.raw_env, seeds=[0], hidden=False))
