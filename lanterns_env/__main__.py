"""``python -m lanterns_env`` is the command ``lanterns``."""

import sys

from lanterns_env.cli import main

sys.exit(main())
