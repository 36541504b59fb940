"""Attacks that may end in a crash: each in a process of its own."""

import os
import subprocess
import sys
import textwrap

from tests.attacks.scale import scaled

HEAD = """
import faulthandler, threading, numpy as np
from lanterns_env import Batch
from lanterns_env.envs.aec import make
faulthandler.enable()
"""
SECONDS = scaled(300, 7200)


def run(code: str, **environment: str) -> str:
    """What a process prints; it has to end with exit code 0."""
    command = [sys.executable, "-c", HEAD + textwrap.dedent(code)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
