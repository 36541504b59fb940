"""How often an attack is tried: small in the suite, at full size by ``make attack``."""

import os

FULL = os.environ.get("LANTERNS_ATTACK") == "full"


def scaled(small: int, full: int) -> int:
    return full if FULL else small
