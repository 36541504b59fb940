"""What is compiled is said: each thing once, whenever it begins, with about how long it takes."""

import types

import pytest

from lanterns_env import cli
from lanterns_env.engine import announcing, warmup
from lanterns_env.engine import compile as compiler
from lanterns_env.match.workers import _Shared
from tests.conftest import COMPILED


@pytest.fixture
def heard(monkeypatch):
    """What is said from now on, as if nothing had been."""
    said = []
    monkeypatch.setattr(announcing, "_said", set())
    monkeypatch.setattr(announcing, "_speaker", said.append)
    return said


@pytest.mark.parametrize(
    ("module", "function", "words"),
    [
        ("lanterns_env.engine.kernels", "step_rows_lumen", "the engine of Lumen (about 7 to 20 s, once"),
        ("lanterns_env.games.lanterns.rules", "deal", "the engine of Lanterns (about 9 to 27 s, once"),
        ("lanterns_env.search.tree", "simulate_lumen_plain", "plain search of Lumen (about 3 to 9 s, once"),
        ("lanterns_env.search.tree", "simulate_lumen_with_heuristics", "search with heuristics of Lumen (about"),
        ("lanterns_env.solve.walking", "walk_lumen", "what solves variants of Lumen (about 10 to 30 s, once"),
        ("lanterns_agents.lighthouse.expert", "choose_rows", "expert of Lighthouse Architects (about 6 to 16 s, once"),
        ("lanterns_agents.lanterns.rough_values", "value", "rough values of Lanterns (about 10 to 30 s, once"),
        ("lanterns_agents.training.self_play", "fill", "self play (about 10 to 30 s, once"),
    ],
)
def test_what_is_compiled_is_said_in_words_and_once(module, function, words, heard):
    announcing.announce(module, function)
    announcing.announce(module, function)
    (said,) = heard
    assert said.startswith(f"compiling {words}")
    assert said.endswith("on this machine) ...")


def test_every_other_thing_is_said_too_and_what_all_games_share_is_not(heard):
    announcing.announce("lanterns_env.engine.kernels", "row_seeds")
    announcing.announce("lanterns_env.engine.kernels", "deal_rows_lanterns")
    announcing.announce("lanterns_env.engine.kernels", "step_rows_lanterns")
    announcing.announce("lanterns_agents.lanterns.expert", "choose_rows")
    announcing.announce("lanterns_env.engine.kernels", "deal_rows_lighthouse")
    assert ["the engine of Lanterns", "expert of Lanterns", "the engine of Lighthouse Architects"] == [
        words.removeprefix("compiling ").partition(" (")[0] for words in heard
    ]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_the_compiler_is_heard_and_what_is_compiled_inside_is_not(heard):
    def inner(n):
        return n + 1

    inner.__module__ = "lanterns_agents.inside"
    compiled = compiler.jit(inner)
    outer = types.FunctionType((lambda n: inner_of(n) * 2).__code__, {"inner_of": compiled}, "outer")  # noqa: F821
    outer.__module__ = "lanterns_agents.outside"
    compiler.jit(outer)(3)
    assert ["compiling outside (about 10 to 30 s, once on this machine) ..."] == heard
    compiler.jit(outer)(3)
    assert 1 == len(heard)


def test_it_is_said_on_stderr(capsys):
    announcing.say("compiling")
    assert ("", "lanterns_env: compiling\n") == capsys.readouterr()


def test_of_several_processes_one_says_it(capsys):
    shared = _Shared(2)
    for words in ("compiling the engine", "compiling the engine", "compiling search", "compiling the engine"):
        shared.announce(words)
    assert "lanterns_env: compiling the engine\nlanterns_env: compiling search\n" == capsys.readouterr().err


def test_warming_up_says_the_time_of_each_step(monkeypatch, capsys, heard):
    def work():
        announcing.announce("lanterns_env.engine.kernels", "deal_rows_lumen")

    monkeypatch.setattr(warmup, "steps", lambda game: {"engine": work, "agent greedy": work})
    assert 0 == cli.main(["warmup", "lanterns", "lumen", "--workers", "1"])
    lines = capsys.readouterr().out.splitlines()
    expected = [f"{game}, {step:20}     0.0 s" for game in ("lumen", "lanterns") for step in ("engine", "agent greedy")]
    assert [*expected, "all is compiled, in 0 s"] == lines[1:]
    assert ["compiling the engine of Lumen (about 7 to 20 s, once on this machine) ..."] == heard


def test_the_steps_of_warming_up_are_the_engine_the_search_every_agent_and_solving():
    names = list(warmup.steps("lumen"))
    assert ["engine", "search"] == names[:2]
    assert {"agent greedy", "agent expert", "agent search", "agent champion"} <= set(names[2:-1])
    assert "solving" == names[-1]
