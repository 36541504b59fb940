"""``lanterns agents``: who can be asked to play."""

import argparse

HELP = "list the agents that play by name"
MORE = (
    "Files are agents too: policy.onnx, model.zip of stable-baselines3, runs/mine or its policy.safetensors.",
    "So is a class of your own, in the current folder or installed: my_module:MyAgent, my_module:MyAgent:argument.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(args: argparse.Namespace) -> int:
    from lanterns_env.agent import AGENTS

    width = max((len(name) for name in AGENTS), default=0)
    for name in AGENTS:
        print(f"{name:{width}}  {described(name)}")
    print("\n".join(["", *MORE]))
    return 0


def described(name: str) -> str:
    """The first line that an agent says of itself, or why it cannot be loaded."""
    import inspect
    import sys

    from lanterns_env.agent import AGENTS
    from lanterns_env.support.failures import in_words

    try:
        made = AGENTS[name].load()
    except (Exception, SystemExit) as error:  # whatever the module of somebody else does
        return f"cannot be loaded: {in_words(error)}".partition("\n")[0]
    words = inspect.getdoc(made) or inspect.getdoc(sys.modules.get(getattr(made, "__module__", ""))) or ""
    return words.partition("\n")[0]
