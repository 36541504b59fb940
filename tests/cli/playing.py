"""A repl at a scripted keyboard."""

from lanterns_env.cli.screen.game_session import GameSession
from lanterns_env.cli.screen.repl import Repl
from lanterns_env.replay import Replay


class Keyboard:
    """Types the lines of a script, then nothing more; keeps what is written."""

    def __init__(self, *lines):
        self.lines = list(lines)
        self.prompts, self.written = [], []

    def read(self, prompt):
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        return line() if callable(line) else line

    def write(self, text):
        self.written.append(text)

    @property
    def text(self):
        return "\n".join(self.written)


def dealt(name, seats, seed=3, **options):
    return Replay(name, len(seats), seed, (), options, tuple(seats))


def repl_of(replay, *lines, **rest):
    keyboard = Keyboard(*lines)
    repl = Repl(GameSession(replay), keyboard.read, keyboard.write, **rest)
    return repl, keyboard


def played(replay, *lines, **rest):
    repl, keyboard = repl_of(replay, *lines, **rest)
    repl.run()
    return repl, keyboard
