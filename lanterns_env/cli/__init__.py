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
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import NoReturn, TextIO

import lanterns_env
from lanterns_env.cli.terminal import wrap
from lanterns_env.support.files import printable

PROGRAM = "lanterns"
COMMANDS = (
    *("play", "rules", "replay", "evaluate", "ladder", "score", "solve"),
    *("agents", "check", "benchmark", "warmup"),
)
FOLDER = pathlib.Path(__file__).parent
ENTRY_POINTS = "lanterns_env.commands"  # of commands that other packages add
FAILED, INTERRUPTED, BROKEN_PIPE = 2, 130, 141  # statuses: an error, Ctrl-C, nobody reads on (128 and the signal)
TERMINATED = 143
PATIENCE = 2.0  # seconds in which a second signal is that of somebody who pressed Ctrl-C twice
AGAIN = 0.05  # seconds after which an interrupt that was dropped comes once more


class Terminated(KeyboardInterrupt):
    """SIGTERM: what can be kept is kept, as after Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """Errors as one line, with the nearest of what there is."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, _wrapped(f"{self.prog}: error: {message}\ntry: {self.prog} --help", sys.stderr) + "\n")

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
        with _interruptible() as signals, _nothing_dropped():
            status = _status(words)
            sys.stdout.flush()  # a reader that has left is noticed here
        status = TERMINATED if signal.SIGTERM in signals else status
    except KeyboardInterrupt as interrupt:  # one that came while the command was ending
        return _interrupted(interrupt)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it ends
        return BROKEN_PIPE
    return status


@contextmanager
def _interruptible() -> Iterator[list[int]]:
    """Let Ctrl-C and SIGTERM interrupt what is done, once for several that come together; those that came."""
    came: list[int] = []
    last = -PATIENCE

    def interrupt(number: int, _: object) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before < PATIENCE:
            return
        came.append(number)
        raise Terminated("terminated") if number == signal.SIGTERM else KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # as with nohup
    numbers = [signal.SIGTERM] if ignored else [signal.SIGTERM, signal.SIGINT]
    handlers = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield came
    finally:
        for number, before in handlers.items():
            signal.signal(number, before)


@contextmanager
def _nothing_dropped() -> Iterator[None]:
    """Python drops what is raised while a library calls back, as the compiler does: interrupts come once more."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    usual, before = sys.unraisablehook, signal.getsignal(signal.SIGALRM)

    def heed(dropped: "sys.UnraisableHookArgs") -> None:
        if not isinstance(dropped.exc_value, KeyboardInterrupt):
            usual(dropped)
            return
        kind, words = type(dropped.exc_value), dropped.exc_value.args

        def ring(*_: object) -> None:
            raise kind(*words)

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)

    sys.unraisablehook = heed
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = usual


def _status(words: list[str]) -> int:
    try:
        return _run(words)
    except KeyboardInterrupt as interrupt:
        return _interrupted(interrupt)
    except SystemExit as ended:  # argparse has said what there is to say
        return ended.code if isinstance(ended.code, int) else FAILED


def _interrupted(interrupt: KeyboardInterrupt) -> int:
    """What was kept, if that is a question."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)  # it need not come once more
    print("\n".join(["", *getattr(interrupt, "__notes__", ())]), file=sys.stderr)
    return INTERRUPTED


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
        from lanterns_env.match.workers import WorkerLost  # not before: it loads the compiler
        from lanterns_env.support.failures import AgentFailed

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
    print(_wrapped(f"{PROGRAM} {command}: error: " + "\n".join(lines), sys.stderr), file=sys.stderr)


def _wrapped(text: str, stream: TextIO) -> str:
    """Lines that end between words, where somebody reads them."""
    return wrap(text, get_terminal_size().columns) if stream.isatty() else text


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
    text = "\n".join(["commands:", *lines, "", f"{PROGRAM} command --help says more about a command."])
    return _wrapped(text, sys.stdout)
