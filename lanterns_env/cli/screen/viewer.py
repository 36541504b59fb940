"""A replay seen from any player's eyes: forward and back at the terminal, or as a list of moves."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lanterns_env.cli.screen.messages import describe_move, outcome, player_name, standings
from lanterns_env.cli.terminal import Screen, columns
from lanterns_env.games import GAMES
from lanterns_env.replay import Replay
from lanterns_env.support.files import printable

if TYPE_CHECKING:
    from lanterns_env.envs.aec import GameEnv

KEYS = {
    "Enter, n [K]": "on by a move, by K moves",
    "p, b [K]": "back by a move, by K moves",
    "g K": "to after K moves",
    "t": "the turns or tricks of the game, and where they begin",
    "t N": "to the beginning of number N of these",
    "s SEAT": "through the eyes of a seat; 's all': the whole table",
    "m": "the moves so far",
    "q": "leave",
}
HELP = "\n".join(f"  {key:{max(map(len, KEYS))}}  {meaning}" for key, meaning in KEYS.items())
ALL = "all"
LINES_BELOW = 1  # a drawing: the prompt


class Viewer:
    """A game and a place in it.  Reading and writing are handed in."""

    def __init__(
        self,
        replay: Replay,
        write: Callable[[str], None],
        seat: int | None = None,
        at: int = 0,
        screen: Screen | None = None,
    ) -> None:
        self.replay, self.write, self.screen = replay, write, screen or Screen()
        self.seat = seat  # whose eyes, None: the whole table
        self.at = at  # moves played
        self.goto(at)

    def goto(self, moves: int) -> None:
        """ValueError if there is no such position."""
        self.env = self.replay.env(moves)
        self.at = moves

    def browse(self, read: Callable[[str], str]) -> None:
        """Step through the game until it is left."""
        self.show()
        line = ""
        while line not in ("q", "quit"):
            try:
                line = read(f"after {self.at} of {len(self.replay)} moves, ? for help > ").strip().lower()
            except EOFError:
                self.write("")
                return
            try:
                self._obey(*(line or "n").split())
            except (ValueError, TypeError) as error:
                self._say(str(error) if isinstance(error, ValueError) else HELP)

    def show(self) -> None:
        """The move that led here, what came of it, and the table, or the result."""
        if self.at:
            lines = self._lines(self.replay.env(self.at - 1), self.at - 1)
            self._say("\n".join([f"move {self.at}: {lines[0]}", *lines[1:]]))
        self.write(self.screen.drawn(self.env.game, self._views(), LINES_BELOW))
        if self.at == len(self.replay):
            self.list_result()

    def list_moves(self, moves: int | None = None) -> None:
        """Moves in words, numbered."""
        count = len(self.replay) if moves is None else moves
        wide = len(str(len(self.replay)))
        for number, env in zip(range(count), self.replay.positions(), strict=False):
            self._say(f"{number + 1:{wide}}  {self._words(env, number)}")

    def list_turns(self) -> None:
        """Where the turns or tricks of the game begin."""
        turns = self._turns()
        items = [f"{number:4}  after {at}: {words}" for number, (at, words) in enumerate(turns, 1)]
        self.write("\n".join(columns(items, self.screen.size()[0])))
        self._say("'t N' goes to the beginning of number N")

    def list_result(self) -> None:
        end = self.replay.env()
        over = any(end.terminations.values()) or any(end.truncations.values())
        unfinished = [f"the game is not over after {len(self.replay)} moves"]
        for line in standings(end, self.replay.agents) if over else unfinished:
            self._say(line)

    def _say(self, text: str) -> None:
        self.write(self.screen.wrapped(text))

    def _views(self) -> list[object]:
        agents = self.env.possible_agents
        return [self.env.view(agent) for agent in (agents if self.seat is None else [agents[self.seat]])]

    def _turns(self) -> list[tuple[int, str]]:
        """After how many moves each turn or trick begins; in a game that names none, each change of the mover."""
        found: list[tuple[int, str]] = []
        for at, env in zip(range(len(self.replay)), self.replay.positions(), strict=False):
            name = env.game.chapter
            words = name(env.view(env.possible_agents[0])) if name else env.agent_selection.replace("_", " ")
            if not found or found[-1][1] != words:
                found.append((at, words))
        return found

    def _lines(self, env: "GameEnv", number: int) -> list[str]:
        """A move and what came of it, from the position before it, which becomes the one after it."""
        words, before = self._words(env, number), [env.view(agent) for agent in env.possible_agents]
        mover, action = env.possible_agents.index(env.agent_selection), self.replay.actions[number]
        env.step(action)
        return [words, *(f"  {line}" for line in outcome(env, before, mover, action, self.seat or 0))]

    def _words(self, env: "GameEnv", number: int) -> str:
        """A move, from the position before it, as the viewer hears it; who sees the whole table hears it as seat 0."""
        seat = env.possible_agents.index(env.agent_selection)
        action = self.replay.actions[number]
        return f"{player_name(seat, self.replay.agents)}: {describe_move(env, action, self.seat or 0)}"

    def _obey(self, command: str, value: str = "") -> None:
        if command in ("n", "next"):
            self._go(self.at + _count(value or "1"))
        elif command in ("p", "b", "back"):
            self._go(self.at - _count(value or "1"))
        elif command in ("g", "go"):
            self._go(_count(value))
        elif command in ("s", "seat"):
            self.seat = seat_number(value, self.replay)
            self.show()
        elif command in ("m", "moves"):
            self.list_moves(self.at)
        elif command in ("t", "turns"):
            self._go_to_turn(_count(value)) if value else self.list_turns()
        elif command not in ("q", "quit"):
            self._say(HELP)

    def _go_to_turn(self, number: int) -> None:
        turns = self._turns()
        if not 1 <= number <= len(turns):
            raise ValueError(f"there is no number {number}; 't' lists 1 to {len(turns)}")
        self.goto(turns[number - 1][0])
        self.show()

    def _go(self, moves: int) -> None:
        """To a position, or to the nearest there is."""
        reached = min(max(moves, 0), len(self.replay))
        if reached == self.at:
            self._say("this is the end of the game" if moves > 0 else "this is the start of the game")
            return
        self.goto(reached)
        self.show()


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"say how many moves: a number, not {text!r}")
    return int(text)


def seat_number(text: str, replay: Replay) -> int | None:
    """A seat of the game, None for all."""
    if text == ALL:
        return None
    if not text.isdecimal() or int(text) >= replay.players:
        raise ValueError(f"there is no seat {text!r}; there are 0 to {replay.players - 1}, and {ALL}")
    return int(text)


def heading(replay: Replay) -> str:
    """A game in a line, whatever the file says of it."""
    game = GAMES.get(replay.game)
    usual = {name: option.default for name, option in game.options.items()} if game else {}
    options = [f"{name}={value}" for name, value in replay.options.items() if (name, value) not in usual.items()]
    agents = f" ({', '.join(replay.agents)})" if replay.agents else ""
    variant = f", {', '.join(options)}" if options else ""
    title = f"{game.title if game else f'unknown game {replay.game!r}'}, {replay.players} players{agents}{variant}"
    return printable(f"{title}, seed {replay.seed}, {len(replay)} moves")
