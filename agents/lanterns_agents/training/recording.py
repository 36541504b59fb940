"""What goes on around the updates of a run: every one is logged at once, and saved before anything that takes long."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lanterns_agents.training.curves import draw_curves
from lanterns_agents.training.evaluate import evaluate_unless_stopped
from lanterns_agents.training.folder import Keeper
from lanterns_agents.training.logging import (
    LOG,
    SPEED,
    EventWriter,
    Figures,
    Results,
    Show,
    add_line,
    change_last_line,
    line_of,
    screen,
)
from lanterns_agents.training.run import Run
from lanterns_agents.training.stopping import stopping


@contextmanager
def recording(run: Run, folder: Path) -> Iterator[Callable[[Figures], None]]:
    """What is to be called with the figures of every update.  Signals end the run inside."""
    keeper = Keeper(folder)
    with stopping(run, keeper), screen(folder.name) as show:
        recorder = Recorder(run, keeper, show)
        recorder.begin()
        try:
            yield recorder.record
        except Exception:
            keeper.save()  # what was learnt before
            raise
        keeper.save()
        recorder.writer.close()
        run.end(folder)
        draw_curves(folder)


class Recorder:
    """Logs, saves and evaluates after an update, as the settings say."""

    def __init__(self, run: Run, keeper: Keeper, show: Show) -> None:
        self.run, self.keeper, self.show = run, keeper, show
        self.writer = EventWriter(run, keeper.folder)
        self.saved = time.monotonic()

    def begin(self) -> None:
        """How strong a network is that has learnt nothing yet, nothing to save: there the learning curves begin."""
        if self.run.updates or not self.run.config.eval_every:
            return
        line = self.log({})
        results = self.measure(line)
        self.run.seconds = 0.0  # a short limit is for training
        self.show(self.run, {SPEED: 0.0}, results)
        self.writer.write(line, results)

    def record(self, figures: Figures) -> None:
        run = self.run
        self.keeper.take(run.saved())
        line = self.log(figures)
        measured = self.is_measured()
        if measured or run.stopped or time.monotonic() - self.saved >= 60 * run.config.checkpoint_minutes:
            self.keeper.save()
            self.saved = time.monotonic()
        results = self.measure(line) if measured and not run.stopped else {}
        if results:
            self.keeper.take(run.saved())  # with the time that it took
        self.show(run, figures, results)
        self.writer.write(line, results)

    def log(self, figures: Figures) -> dict[str, Any]:
        """A line."""
        line = line_of(self.run, figures)
        add_line(self.keeper.folder / LOG, line)
        return line

    def measure(self, line: dict[str, Any]) -> Results:
        """An evaluation, which the last line of the log is given."""
        results = evaluate_unless_stopped(self.run)
        if results:
            change_last_line(self.keeper.folder / LOG, line | {"results": results})
        return results

    def is_measured(self) -> bool:
        """Whether it is time to evaluate: now and then, and when a limit is reached."""
        every = self.run.config.eval_every
        return self.run.used() >= 1 or bool(every and self.run.updates % every == 0)
