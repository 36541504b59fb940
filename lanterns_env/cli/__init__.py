"""The command ``lanterns``: finds the module of a sub-command, hands it its arguments, says its errors.

A sub-command is a module of this package with ``HELP`` (one line), ``add_arguments(parser)`` and
``run(args) -> int``.  It is imported when it is called, not before: the help of all is read from the sources.
Other packages add commands by the entry-point group ``lanterns_env.commands``: functions of the words that follow,
which give a status, and whose docstrings begin with the line of help.
"""

import argparse
import ast
import difflib
import importlib
import os
import pathlib
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import NoReturn

import lanterns_env
from lanterns_env.engine.files import printable

PROGRAM = "lanterns"
COMMANDS = ("play", "replay", "evaluate", "ladder", "agents", "benchmark", "warmup")
FOLDER = pathlib.Path(__file__).parent
ENTRY_POINTS = "lanterns_env.commands"  # of commands that other packages add
FAILED, INTERRUPTED, BROKEN_PIPE = 2, 130, 141  # statuses: an error, Ctrl-C, nobody reads on (128 and the signal)
TERMINATED = 143


class Terminated(KeyboardInterrupt):
    """SIGTERM: what can be kept is kept, as after Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """Errors as one line, with the nearest of what there is."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"{self.prog}: error: {message}\ntry: {self.prog} --help\n")

    def parsed(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments; what is not known is named first, before its value is taken for something else."""
        known = [option for action in self._actions for option in action.option_strings]
        for word in words:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in (*known, "--"):
                self.error(f"unknown argument {name}{nearest(name, known)}")
        chosen, unknown = self.parse_known_args(words)
        if unknown:
            self.error(f"unknown argument{'s'[: len(unknown) > 1]} {' '.join(unknown)}")
        return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command; its status, 2 after an error of the user."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with _terminable() as signals:
            status = _status(words)
        status = TERMINATED if signals else status
        sys.stdout.flush()  # a reader that has left is noticed here
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it ends
        return BROKEN_PIPE
    return status


@contextmanager
def _terminable() -> Iterator[list[int]]:
    """Let SIGTERM interrupt what is done, where signals come in; those that came."""
    came: list[int] = []

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        raise Terminated("terminated")

    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield came
    finally:
        signal.signal(signal.SIGTERM, before)


def _status(words: list[str]) -> int:
    try:
        return _run(words)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except SystemExit as ended:  # argparse has said what there is to say
        return ended.code if isinstance(ended.code, int) else FAILED


def _run(words: list[str]) -> int:
    top = Parser(PROGRAM, description=lanterns_env.__doc__, allow_abbrev=False, epilog=_listed())
    top.formatter_class = argparse.RawDescriptionHelpFormatter
    top.add_argument("--version", action="version", version=f"lanterns_env {lanterns_env.__version__}")
    top.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    top.usage = f"{PROGRAM} [--version] [--help] command ..."
    start = next((number for number, word in enumerate(words) if not word.startswith("-")), len(words))
    top.parsed(words[:start])
    if start == len(words):
        top.print_help()
        return FAILED
    command = words[start]
    known = [*present(), *added()]
    if command not in known:
        top.error(f"there is no command {command!r}{nearest(command, known)}")
    return _run_command(command, words[start + 1 :])


def _run_command(command: str, words: list[str]) -> int:
    try:
        return int(_own(command, words) if command in present() else added()[command].load()(words))
    except BrokenPipeError:
        raise
    except OSError as error:
        _say_error(command, f"{error.strerror}: {error.filename}" if error.filename and error.strerror else str(error))
    except MemoryError:
        _say_error(command, "there is not enough memory")
    except ValueError as error:
        _say_error(command, str(error))
    except RuntimeError as error:
        from lanterns_env.engine.failures import AgentFailed
        from lanterns_env.match.workers import WorkerLost  # not before: it loads the compiler

        if not isinstance(error, (WorkerLost, AgentFailed)):
            raise
        _say_error(command, str(error))
    return FAILED


def _own(command: str, words: list[str]) -> int:
    module = importlib.import_module(f"{__name__}.{command}")
    parser = Parser(f"{PROGRAM} {command}", description=module.HELP, allow_abbrev=False)
    module.add_arguments(parser)
    status: int = module.run(parser.parsed(words))
    return status


def _say_error(command: str, message: str) -> None:
    sys.stdout.flush()
    lines = map(printable, message.splitlines() or [""])  # an agent that failed has lines of its own
    print(f"{PROGRAM} {command}: error:", "\n".join(lines), file=sys.stderr)


def present() -> list[str]:
    """The sub-commands of this package that are installed."""
    return [name for name in COMMANDS if (FOLDER / f"{name}.py").exists()]


@cache
def added() -> dict[str, EntryPoint]:
    """The sub-commands of other packages; none takes the name of one of this package."""
    found = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    return {name: found[name] for name in sorted(found) if name not in COMMANDS}


def help_of(command: str) -> str:
    """The line of help of a sub-command, read without importing it."""
    if command in added():
        return _help_of_added(added()[command])
    for node in ast.parse((FOLDER / f"{command}.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == "HELP" for target in targets):
                return str(ast.literal_eval(node.value))
    raise AssertionError(f"the command {command!r} says no HELP")


def _help_of_added(entry: EntryPoint) -> str:
    """The first line of the function's docstring."""
    top, *inner = entry.module.split(".")
    spec = find_spec(top)
    folders = (spec.submodule_search_locations if spec else None) or []
    files = [pathlib.Path(folder, *inner).with_suffix(".py") for folder in folders if inner]
    files += [pathlib.Path(spec.origin)] if spec and spec.origin and not inner else []
    for file in filter(pathlib.Path.is_file, files):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name == entry.attr:
                return (ast.get_docstring(node) or "").partition("\n")[0]
    return f"comes from {entry.module}"


def nearest(word: str, known: Iterable[str]) -> str:
    """What may have been meant, as the end of a message."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _listed() -> str:
    names = [*present(), *added()]
    width = max(map(len, names))
    lines = [f"  {name:{width}}  {help_of(name)}" for name in names]
    return "\n".join(["commands:", *lines, "", f"{PROGRAM} command --help says more about a command."])
