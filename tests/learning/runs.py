"""Runs for tests: opened, and let go of at once."""

from run_folder import open_run
from run_settings import RUNS
from train_ppo import Run


def opened(config, resume=False, kind=Run):
    """A run and its folder."""
    with open_run(config, resume, RUNS, kind) as (run, folder):
        return run, folder
