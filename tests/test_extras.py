"""What is not installed is said in one sentence, everywhere the same."""

import pathlib
import re
import subprocess
import sys
import tomllib

import pytest

from lanterns_env.support.extras import EXTRAS, MissingExtra, check_installed, missing, needed_by
from tests.conftest import COMPILED

ROOT = pathlib.Path(__file__).parents[1]
SENTENCE = re.compile(r"^.+ needs [\w, -]+: pip install 'lanterns_env\[\w+\]'$")
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({list(EXTRAS)}))\n"  # None there: the import fails
EVERY_MODULE = """
import importlib, pkgutil
import lanterns_env, lanterns_agents
from lanterns_env.support.extras import MissingExtra

for package in (lanterns_env, lanterns_agents):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if found.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(found.name)
        except MissingExtra as error:
            print(found.name, error, sep="|")
"""
DOORS = {  # that need more than the core, and the project that they name first
    "lanterns_env.sb3": "stable-baselines3",
    "lanterns_env.openspiel": "open_spiel",
    "lanterns_agents.networks.base": "torch",
    "lanterns_agents.networks.arrays": "safetensors",
    "lanterns_agents.networks.export": "onnx",
    "lanterns_agents.networks.sb3_policy": "sb3-contrib",
    "lanterns_agents.networks.sb3_model": "stable-baselines3",
    "lanterns_agents.training.ppo": "torch",
    "lanterns_agents.lanterns.network": "torch",
}
COMMANDS = {
    "train lanterns_2p_quick": (
        "lanterns train needs torch, safetensors, tyro, tomli_w: pip install 'lanterns_env[train]'"
    ),
    "ladder --plot ratings.png": "--plot as .png (.svg does not) needs Pillow: pip install 'lanterns_env[render]'",
    "evaluate --agents sb3:model.zip,random --workers 1": (
        "a model of stable-baselines3 needs stable-baselines3: pip install 'lanterns_env[sb3]'"
    ),
    "evaluate --agents champion,random --workers 1 --deals 1": "needs onnxruntime: pip install 'lanterns_env[learned]'",
    "evaluate --agents policy.safetensors,random --workers 1": (
        "the run policy.safetensors needs torch, safetensors: pip install 'lanterns_env[train]'"
    ),
}


def python(code, folder):
    return subprocess.run([sys.executable, "-c", WITHOUT + code], cwd=folder, capture_output=True, text=True)


def test_every_module_imports_without_extras_or_names_the_one_that_it_needs(tmp_path):
    done = python(EVERY_MODULE, tmp_path)
    assert "" == done.stderr
    said = dict(line.split("|", 1) for line in done.stdout.splitlines())
    assert [] == [sentence for sentence in said.values() if not SENTENCE.match(sentence)]
    for module, project in DOORS.items():
        assert said[module].startswith(f"{module} needs {project}: ") or module.endswith("sb3_model")
    assert "lanterns_env.agent" not in said
    assert "lanterns_agents.sb3_agent" not in said


@pytest.mark.skipif(not COMPILED, reason="plays a game")
@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_says_what_it_needs(words, tmp_path):
    for name in ("model.zip", "policy.safetensors"):
        (tmp_path / name).touch()
    code = f"from lanterns_env.cli import main; sys.exit(main({words.split()}))"
    done = python(code, tmp_path)
    assert 2 == done.returncode
    (said,) = (line for line in done.stderr.splitlines() if "compiling" not in line)
    assert COMMANDS[words] in said


def test_pixels_need_pillow(tmp_path):
    code = "from lanterns_env.games import raster, svg; raster.rgb_array(svg.Picture(1.0, 1.0, []))"
    assert python(code, tmp_path).stderr.endswith(
        "MissingExtra: rgb_array needs Pillow: pip install 'lanterns_env[render]'\n"
    )


def test_the_extras_are_those_of_the_package():
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for project, extra in EXTRAS.values():
        names = {re.match(r"[\w-]+", wanted)[0].lower() for wanted in known[extra]}
        assert project.lower() in names


def test_a_sentence_for_several_and_none_for_what_is_there():
    assert "x needs torch, tyro: pip install 'lanterns_env[train]'" == missing("x", "torch", "tyro")
    assert "x needs torch, onnx: pip install 'lanterns_env[export]'" == missing("x", "torch", "onnx", extra="export")
    check_installed("x", "json", "numpy")


def test_another_module_that_is_missing_stays_an_error_of_its_own():
    with pytest.raises(ModuleNotFoundError, match="nothing_that_there_is"), needed_by("x"):
        import nothing_that_there_is  # noqa: F401
    assert issubclass(MissingExtra, ImportError)
    assert issubclass(MissingExtra, ValueError)
