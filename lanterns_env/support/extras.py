"""What this package can use beyond what it depends on, and the sentence that says that it is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

EXTRAS = {  # module -> the project that has it, and the extra of this package that installs it
    "PIL": ("Pillow", "render"),
    "cma": ("cma", "tune"),
    "matplotlib": ("matplotlib", "train"),
    "onnx": ("onnx", "export"),
    "onnxruntime": ("onnxruntime", "learned"),
    "onnxscript": ("onnxscript", "export"),
    "open_spiel": ("open_spiel", "openspiel"),
    "pygame": ("pygame-ce", "render"),
    "pyspiel": ("open_spiel", "openspiel"),
    "rich": ("rich", "cli"),
    "safetensors": ("safetensors", "train"),
    "sb3_contrib": ("sb3-contrib", "sb3"),
    "stable_baselines3": ("stable-baselines3", "sb3"),
    "tensorboard": ("tensorboard", "train"),
    "tomli_w": ("tomli_w", "train"),
    "torch": ("torch", "train"),
    "tyro": ("tyro", "train"),
}


class MissingExtra(ImportError, ValueError):
    """To Python an import that failed; to commands a sentence for the user, as every ``ValueError``."""


def missing(what: str, *modules: str, extra: str = "") -> str:
    """The sentence: what cannot be done, what it needs, and how that is installed: by an extra, or the first's own."""
    projects = ", ".join(dict.fromkeys(EXTRAS[module][0] for module in modules))
    return f"{what} needs {projects}: pip install 'lanterns_env[{extra or EXTRAS[modules[0]][1]}]'"


def check_installed(what: str, *modules: str, extra: str = "") -> None:
    """Refuse, before anything is done, what needs modules that are not installed."""
    absent = [module for module in modules if find_spec(module) is None]
    if absent:
        raise MissingExtra(missing(what, *absent, extra=extra))


@contextmanager
def needed_by(what: str) -> Iterator[None]:
    """Around imports: one that is not installed is said in the same sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        raise MissingExtra(missing(what, module)) from None
