"""The commands that learn, as ``lanterns`` and the scripts start them.  Torch is imported when one begins."""

import sys
from collections.abc import Callable, Sequence

from lanterns_env.support.extras import check_installed

NEEDED = ("torch", "safetensors", "tyro", "tomli_w")
EXPORTING = ("onnxscript", "onnx", "torch", "safetensors", "onnxruntime")


def train(words: Sequence[str]) -> int:
    """train a network by self-play: lanterns train CONFIG key=value ..."""
    check_installed("lanterns train", *NEEDED)
    from lanterns_agents.training import ppo

    ppo.main(words, "lanterns train")
    return 0


def pretrain(words: Sequence[str]) -> int:
    """train a network to decide as an agent does, for train to begin with: lanterns pretrain CONFIG key=value ..."""
    check_installed("lanterns pretrain", *NEEDED)
    from lanterns_agents.training import bc

    bc.main(words, "lanterns pretrain")
    return 0


def export(words: Sequence[str]) -> int:
    """make one ONNX file of a trained network, which plays without torch: lanterns export RUN [FILE]"""
    check_installed("lanterns export", *EXPORTING, extra="export")
    from lanterns_agents.training.export import main

    main(words, "lanterns export")
    return 0


def as_command(name: str, main: Callable[[list[str]], object]) -> None:
    """Run a script; what it cannot do it says in a sentence."""
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        raise SystemExit(f"{name}: interrupted") from None
    except MemoryError:
        raise SystemExit(f"{name}: there is not enough memory for these settings") from None
    except OSError as error:
        raise SystemExit(f"{name}: {error.filename or 'a file'}: {error.strerror}") from None
    except ValueError as error:
        raise SystemExit(f"{name}: {error}") from None
