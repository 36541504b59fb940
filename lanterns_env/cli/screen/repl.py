"""A game at the terminal: one person or several at one keyboard, among agents.

Reading and writing are handed in, so that a conversation can be scripted.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lanterns_env import replay
from lanterns_env.cli import nearest
from lanterns_env.cli.screen import menu
from lanterns_env.cli.screen.game_session import GameSession
from lanterns_env.cli.screen.messages import addressed, describe_move, outcome, player_name, standings
from lanterns_env.cli.terminal import Screen


class Command(NamedTuple):
    usage: str
    meaning: str


COMMANDS = {
    "moves": Command("moves [WORDS]", "the legal moves, or those that say the words; 'moves all': every one"),
    "why": Command("why not MOVE", "the rule that forbids a move"),
    "hint": Command("hint [AGENT]", "what an agent would do in your place, seeing what you see"),
    "undo": Command("undo", "back to the last decision of a person (agents answer as before if you repeat it)"),
    "table": Command("table", "draw the table again"),
    "rules": Command("rules", "how the game is played, on one screen"),
    "save": Command("save [FILE]", "save the game; it goes on with: lanterns play --resume FILE"),
    "help": Command("help", "this"),
    "quit": Command("quit", "leave the game"),
}
ALIASES = {"?": "help", "q": "quit", "exit": "quit", "m": "moves", "t": "table", "u": "undo", "h": "hint"}


class Repl:
    """Asks the people on their seats, lets the agents answer, says to everybody what happened."""

    def __init__(
        self,
        session: GameSession,
        read: Callable[[str], str],
        write: Callable[[str], None],
        path: str | None = None,
        screen: Screen | None = None,
        clear: Callable[[], None] = lambda: None,
    ) -> None:
        self.session = session
        self.read, self.write, self.clear = read, write, clear
        self.paths = [path] if path else []  # where the game is saved, also when it is left in whatever way
        self.screen = screen or Screen()
        self.left = False
        self.unsaved = False
        self._heard: dict[int, list[str]] = {seat: [] for seat in session.people}
        self._at_keyboard = session.people[0] if len(session.people) == 1 else -1

    def run(self) -> bool:
        """Play until the game is over or left; whether it is over."""
        try:
            while not (self.session.over or self.left):
                if self.session.seat in self.session.people:
                    self._ask()
                else:
                    self._carry_out(self.session.choice())
            if self.session.over:
                self._say_result()
            self._offer_to_save()
        except EOFError:
            self.write("")
        finally:
            self._keep()
        return self.session.over

    def _keep(self) -> None:
        """However the game is left, it is not lost when there is a file for it."""
        if self.unsaved and self.paths:
            self._save("")
        elif self.unsaved:
            self.write("the game was not saved")

    def completions(self) -> list[str]:
        """What a line may say."""
        words = [said for _, said in self._menu()]
        whys = [f"why not {said}" for said in words]
        return [*words, *(name for name in COMMANDS), *whys]

    # -- the table ------------------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self.write(self.screen.wrapped(text))

    def _carry_out(self, action: int) -> None:
        """Play an action, and say to every person what it hears of it and what came of it."""
        session = self.session
        mover, before = session.seat, session.views()
        heard = {listener: describe_move(session.env, action, listener) for listener in session.people or [0]}
        session.play(action)
        self.unsaved = True
        for listener, words in heard.items():
            name = "you" if listener == mover and session.people else player_name(mover, session.seats)
            came = outcome(session.env, before, mover, action, listener)
            lines = [f"{name}: {words}", *(f"  {self._addressed(line, listener)}" for line in came)]
            if len(session.people) > 1:
                self._heard[listener] += lines
            else:
                for line in lines:
                    self._say(line)

    def _addressed(self, line: str, listener: int) -> str:
        """Who plays is "you"; who only looks on is nobody."""
        return addressed(line, listener) if self.session.people else line

    def _hand_over(self) -> None:
        """With several people at one keyboard: nobody sees the eyes of another."""
        seat = self.session.seat
        if seat == self._at_keyboard:
            return
        self.clear()
        self.read(f"seat {seat}, press Enter when only you look ")
        self._at_keyboard = seat

    def _show(self) -> None:
        seat = self.session.seat
        self._say_heard(seat)
        moves = self._menu()
        usual = menu.listed(moves, self._columns())
        drawing = self._draw([self.session.views()[seat]], len(usual) + 1)
        self._list(moves, self.screen.room_below(drawing))

    def _say_heard(self, seat: int) -> None:
        for line in self._heard.get(seat, []):
            self._say(line)
        if seat in self._heard:
            self._heard[seat].clear()

    def _draw(self, views: Sequence[object], lines_below: int) -> str:
        drawing = self.screen.drawn(self.session.game, views, lines_below)
        self.write(drawing)
        return drawing

    def _list(self, moves: list[menu.Move], most: int = sys.maxsize) -> None:
        for line in menu.listed(moves, self._columns(), most):
            self.write(line)

    def _columns(self) -> int:
        return self.screen.size()[0]

    def _menu(self) -> list[menu.Move]:
        return menu.numbered([self.session.env.describe(action) for action in self.session.legal()])

    def _say_result(self) -> None:
        """To all: the whole table, as it lies before who is at the keyboard."""
        session, seat = self.session, max(self._at_keyboard, 0)
        self._say_heard(seat)
        lines = standings(session.env, session.seats)
        views = session.views()
        self._draw([*views[seat:], *views[:seat]], len(lines))
        for line in lines:
            self._say(line)

    # -- a line of input ------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """One decision of a person, and whatever is asked before it."""
        self._hand_over()
        self._show()
        seat, moves = self.session.seat, len(self.session.actions)
        while not self.left and len(self.session.actions) == moves:
            self._obey(self.read(f"player {seat} > ").strip())

    def _obey(self, line: str) -> None:
        first, _, rest = line.partition(" ")
        name = ALIASES.get(first.lower(), first.lower())
        if name in COMMANDS:
            getattr(self, f"_{name}")(rest.strip())
        else:
            self._move(line)

    def _move(self, line: str) -> None:
        """A move by its number in the menu or in words; what is none, or illegal, changes nothing."""
        legal = self.session.legal()
        if not line and len(legal) == 1:
            self._carry_out(legal[0])
        elif not line:
            self._say("say a move, by its number or in words; 'moves' lists them, 'help' says what else can be typed")
        elif self._in_menu(line):
            self._carry_out(legal[int(line) - 1])
        elif line.isdecimal():
            self._say(f"there is no move {line}; the legal moves are 1 to {len(legal)}")
        else:
            self._move_in_words(line)

    def _in_menu(self, line: str) -> bool:
        return line.isdecimal() and 1 <= int(line) <= len(self.session.legal())

    def _move_in_words(self, line: str) -> None:
        try:
            action = self._parsed(line)
        except ValueError as error:
            command = nearest(line.split()[0].lower(), COMMANDS)
            self._say(f"not understood{command}" if command else f"{error}\n{menu.meant(self._menu(), line)}")
            return
        reason = self.session.env.why_illegal(action)
        if reason is None:
            self._carry_out(action)
        else:
            self._say(f"not now: {reason}")

    def _parsed(self, words: str) -> int:
        """The action that words name, legal or not; ValueError if none."""
        env = self.session.env
        return env.game.parse(env.view(env.agent_selection), words)

    # -- commands: one method each, by its name -------------------------------------------------------------------

    def _moves(self, words: str) -> None:
        moves = self._menu()
        if words == "all":
            self.write("\n".join(menu.one_by_one(moves, self._columns())))
            return
        found = menu.filtered(moves, words)
        if not found:
            self._say(f"no legal move says {words!r}; 'moves' lists all {len(moves)}")
            return
        self._list(found)

    def _why(self, words: str) -> None:
        asked = words.removeprefix("not").strip()
        if not asked:
            self._say("say which move: why not MOVE")
            return
        env = self.session.env
        try:
            reason = None if self._in_menu(asked) else env.why_illegal(self._parsed(asked))
        except ValueError as error:
            reason = str(error)
        self._say(reason or "nothing forbids it: it is legal")

    def _hint(self, name: str) -> None:
        adviser = name or self.session.adviser()
        try:
            if not self.session.has_adviser(adviser):
                self._say(f"asking {adviser} for the first time; it may have to be compiled ...")
            action = self.session.hint(adviser)
        except ValueError as error:
            self._say(str(error))
            return
        number = 1 + self.session.legal().index(action)
        self._say(f"{adviser} would take {number}: {self.session.env.describe(action)}")

    def _undo(self, _: str) -> None:
        taken_back = self.session.undo()
        if not taken_back:
            self._say("there is nothing to take back: no person has decided yet")
            return
        self.unsaved = True
        for heard in self._heard.values():
            heard.clear()
        self._say(f"taken back: {taken_back} move{'s'[: taken_back > 1]}")

    def _table(self, _: str) -> None:
        self._show()

    def _rules(self, _: str) -> None:
        self._say(self.session.game.rules.rstrip() or f"{self.session.game.title} brings no rules for people")

    def _save(self, name: str) -> None:
        """Save here too from now on; a file of somebody else is not written over."""
        path = os.path.expanduser(name)
        if not (path or self.paths):
            self._say("say a file: save FILE")
        elif path not in self.paths and path and os.path.exists(path):
            self._say(f"{path} exists and was left alone; say another name")
        else:
            added = [path] if path and path not in self.paths else []
            written = [each for each in [*self.paths, *added] if self._written(each)]
            self.paths += [each for each in added if each in written]
            self.unsaved = self.unsaved and not written

    def _written(self, path: str) -> bool:
        """Whether the game could be written there; said in either case."""
        try:
            replay.save(path, self.session.replay())
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            reason = error.strerror if isinstance(error, OSError) else error
            self._say(f"{path} could not be written: {reason}")
            return False
        self._say(f"saved: {path}")
        return True

    def _help(self, _: str) -> None:
        width = max(len(command.usage) for command in COMMANDS.values())
        self._say("a move is said in words, or by its number in the list of moves; else:")
        for command in COMMANDS.values():
            self._say(f"  {command.usage:{width}}  {command.meaning}")

    def _quit(self, _: str) -> None:
        self.left = True

    def _offer_to_save(self) -> None:
        """Ask for a file unless there is one already, until it is written or not wanted."""
        while self.unsaved and not self.paths:
            name = self.read("save the game as (Enter: do not save) ").strip()
            if not name:
                return
            self._save(name)
