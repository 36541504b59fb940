"""How a run is stopped from outside: Ctrl-C, SIGTERM or SIGHUP, within seconds and with nothing lost but an update.

The update under way is finished and saved, an evaluation under way is given up.  What takes too long is given up too:
what was whole before is saved, and the process ends.  A second signal ends the process at once.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lanterns_agents.training.folder import Keeper

GRACE = 3.0  # seconds that the update under way is given
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
SIGNALLED = 128  # the exit status of a process that a signal has ended, and the number of the signal
SHOW_CURSOR = b"\x1b[?25h"  # a panel on the terminal hides it


@contextmanager
def stopping(run: Any, keeper: Keeper) -> Iterator[None]:
    """Signals end the run inside.  Python's own handlers wait while compiled code runs: a thread watches over them."""

    def handle(*_: Any) -> None:
        run.stopped = True
        if run.evaluating:
            run.evaluating = False
            raise KeyboardInterrupt

    reader, writer = socket.socketpair()
    writer.setblocking(False)
    woken = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    wanted = [each for each in SIGNALS if signal.getsignal(each) != signal.SIG_IGN]  # nohup's stay ignored
    before = {each: signal.signal(each, handle) for each in wanted}
    watcher = threading.Thread(target=watch, args=(reader, keeper), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        signal.set_wakeup_fd(woken)
        writer.close()
        watcher.join()
        reader.close()


def watch(reader: socket.socket, keeper: Keeper) -> None:
    """Wait for a signal, then for the end of the run or another signal; at the end nothing comes."""
    if not reader.recv(1):
        return
    reader.settimeout(GRACE)
    try:
        again = reader.recv(1)
    except TimeoutError:
        give_up(keeper)
    else:
        if again:
            leave(SIGNALLED + again[0])


def give_up(keeper: Keeper) -> None:
    """Save what was whole before, and end the process, whatever goes on in it."""
    status, said = 0, f"{keeper.folder}: stopped; what was not finished in {GRACE:g} s is given up"
    try:
        keeper.save()
    except ValueError as error:
        status, said = 1, str(error)
    os.write(sys.stderr.fileno(), f"{said}\n".encode())  # print() might wait for the thread that is left behind
    leave(status)


def leave(status: int) -> None:
    if sys.stdout.isatty():
        os.write(sys.stdout.fileno(), SHOW_CURSOR)
    os._exit(status)
