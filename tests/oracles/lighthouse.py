"""Slow, literal reference implementation of Lighthouse, written from the rules alone to be compared with the engine.

Nothing is cached: steps, the harbour duty and the fate of a tower are worked out anew from stones and cards, so a test
may edit any attribute and then call `settle`. A board is harbour, islands and the stones of a full one; every stack is
a string from bottom to top.
"""

from itertools import pairwise, product

Board = tuple[str | None, tuple[str, ...], int]
World = tuple[Board, bool]  # a board and whether the next tower is demolished

COLOURS = "RWB"
STONES = 6  # LH-03
ISLANDS = 8  # LH-02
FULL = 4  # LH-14
POINTS = 4  # LH-10
PRIVATE = 3  # LH-05


def all_cards(height: int, colours: str) -> list[str]:  # LH-04, LH-82..84
    return ["".join(card) for card in product(colours, repeat=height) if all(a != b for a, b in pairwise(card))]


# Section 5: first action number of each group; actions 0..8 are steps from the harbour and the islands.
HARBOUR = 0
STOP = 9
PLACE = 10
CLAIM = 13
DECLINE = 14


def step_of(board: Board, source: int) -> tuple[int, int] | None:
    """Cost and destination index (from 0) of the step from source 0 (harbour) or an island, or None if never possible.

    Points are not looked at here.
    """
    harbour, islands, full = board
    stack = harbour if source == HARBOUR else islands[source - 1]
    if not stack:  # LH-11
        return None
    cost = 1
    destination = source % len(islands)  # the island after number `source`, counted from 0; LH-15
    while len(islands[destination]) == full:  # LH-12
        cost += 1
        destination = (destination + 1) % len(islands)
    if islands[destination].endswith(stack[-1]):  # LH-13
        return None
    return cost, destination


def possible(board: Board, source: int, points: int) -> bool:  # LH-13
    step = step_of(board, source)
    return step is not None and step[0] <= points


def after_step(board: Board, source: int) -> Board:
    """The board once the stone has landed, with a finished tower still on it."""
    harbour, islands = board[0], list(board[1])
    _, destination = step_of(board, source)
    if source == HARBOUR:
        stone, harbour = harbour, None
    else:
        stone = islands[source - 1][-1]
        islands[source - 1] = islands[source - 1][:-1]
    islands[destination] += stone
    return harbour, tuple(islands), board[2]


def without(board: Board, island: int) -> Board:
    harbour, islands, full = board
    return harbour, tuple("" if index == island else stack for index, stack in enumerate(islands)), full


def worlds_after(world: World, source: int) -> list[World]:
    """What a step may lead to by public knowledge (1.6): a finished tower may stand or fall."""
    board, demolish_next = world
    _, destination = step_of(board, source)
    landed = after_step(board, source)
    if len(landed[1][destination]) < board[2]:
        return [(landed, demolish_next)]
    fallen = without(landed, destination)
    if demolish_next:  # LH-51, LH-53: the flag takes this tower and is gone for another one
        return [(fallen, False)]
    return [(landed, False), (fallen, False)]


def keeps_duty(world: World, source: int, points: int) -> bool:
    """Whether the duty can be discharged with the points left after a step, whatever becomes of a tower (LH-23)."""
    cost, _ = step_of(world[0], source)
    return all(feasible(next_world, points - cost) for next_world in worlds_after(world, source))


def feasible(world: World, points: int) -> bool:  # 1.6
    board = world[0]
    if possible(board, HARBOUR, points):
        return True
    return any(
        possible(board, source, points - 1) and keeps_duty(world, source, points)
        for source in range(1, len(board[1]) + 1)
    )


class Lighthouse:
    """One game with all cards open.

    Arguments
        num_players: 2, 3 or 4.
        hands[seat]: `hand` cards like "WBRB" (bottom to top, colours R, W, B).
        stacks: the two public stacks, the last card of each is the visible top.
        start_player: who makes the opening.
        claims: "voluntary" (decision nodes) or "forced": the card is claimed at once and without a node (LH-A12).
        declined_tower: "stands" or "demolish": the fate of a tower whose card was kept in a hand (LH-A13).
        ender: "layer" or "builder": who ends the game with a claim (LH-66).
        max_turns: the game is cut when so many turns are finished (LH-67).
        asked: "holder" or "everyone": who is asked about a tower whose card nobody sees (LH-75).
        islands, tower, colours, stones, cards, hand, move_points: a smaller game (LH-81..86).

    Attributes
        turn_owner: whose turn it is. player: the seat to act; differs in phase "claim" only, of case c or where all are
            asked.
        phase: "place" (also the opening), "move" or "claim". points: left to spend, 0 in phase "place".
        duty: the harbour duty is outstanding (LH-22). built: a tower was finished in this turn (LH-20).
        demolish_next: LH-51. harbour: None or a letter. islands: all stacks, I1 first. supply: stones by letter.
        hands[seat]: set of cards. laid[seat]: list of cards in the order they came. stacks: as given.
        turns: finished turns including the opening; the turn in which a claim ends the game is not finished.
        claim: None, or in phase "claim" (index 0..7 of the island, card, case "a".."d", or "e" if everyone is asked).
        known_buried, known_held: what silence has said everybody under asked="everyone" (LH-79): cards below a top, and
            cards in the hand of somebody.
        over, truncated (cut by max_turns; then over as well), ender_seat: None unless a claim ended the game.

    To construct a position set the attributes and call `settle`: it raises the duty and lets points lapse. The supply
    has to be set too (`supply_for` works it out).

    Actions: 0 harbour step, 1..8 step from I1..I8, 9 stop, 10..12 place R, W, B, 13 claim, 14 decline.

    Once the game is over `legal` is empty and claim is None. After a claim everything else is as it was at that moment
    (phase stays "claim"; a tower that demolish_next would have taken stands and the flag stays set). After a cut phase
    is "place" or "move", player and turn_owner are the seat of the last turn, points is 0 and duty and built are False.
    """

    def __init__(
        self,
        num_players: int,
        hands: list[set[str]],
        stacks: list[list[str]],
        start_player: int = 0,
        claims: str = "voluntary",
        declined_tower: str = "stands",
        ender: str = "layer",
        max_turns: int = 500,
        asked: str = "holder",
        islands: int = ISLANDS,
        tower: int = FULL,
        colours: int = len(COLOURS),
        stones: int = STONES,
        cards: int = 0,
        hand: int = PRIVATE,
        move_points: int = POINTS,
    ):
        assert num_players in (2, 3, 4)
        assert [len(held) for held in hands] == [hand] * num_players
        assert len(stacks) == 2
        self.in_play = all_cards(tower, COLOURS[:colours])[: cards or None]  # LH-84
        assert sorted(card for place in [*hands, *stacks] for card in place) == sorted(self.in_play)
        assert claims in ("voluntary", "forced")
        assert declined_tower in ("stands", "demolish")
        assert ender in ("layer", "builder")
        assert asked in ("holder", "everyone")
        self.num_players = num_players
        self.claims = claims
        self.declined_tower = declined_tower
        self.ender = ender
        self.max_turns = max_turns
        self.asked = asked

        self.full = tower
        self.stones = stones
        self.move_points = move_points

        self.hands = [set(held) for held in hands]
        self.stacks = [list(stack) for stack in stacks]
        self.laid: list[list[str]] = [[] for _ in range(num_players)]
        self.islands = [""] * islands
        self.harbour: str | None = None
        self.supply = {colour: stones if colour in COLOURS[:colours] else 0 for colour in COLOURS}
        self.demolish_next = False

        self.turn_owner = self.player = start_player
        self.phase = "place"  # LH-09
        self.points = 0
        self.duty = False
        self.built = False
        self.claim: tuple[int, str, str] | None = None
        self.known_buried: set[str] = set()
        self.known_held: set[str] = set()
        self.turns = 0
        self.over = False
        self.truncated = False
        self.ender_seat: int | None = None

    def board(self) -> Board:
        return self.harbour, tuple(self.islands), self.full

    def supply_for(self) -> dict[str, int]:
        """The supply that goes with the stones on the board."""
        stones = (self.harbour or "") + "".join(self.islands)
        return {colour: self.stones - stones.count(colour) for colour in COLOURS}

    # Legal actions

    def legal(self) -> list[int]:
        """Sorted action numbers of `player`."""
        if self.over:
            return []
        if self.phase == "claim":
            _, card, case = self.claim
            return [CLAIM, DECLINE] if case in ("b", "d") or card in self.hands[self.player] else [DECLINE]  # LH-76
        if self.phase == "place":
            return [PLACE + index for index, colour in enumerate(COLOURS) if self.supply[colour] > 0]
        steps = self._steps()
        return steps + [STOP] if steps and self.built and not self._duty_now() else steps  # LH-20

    def _duty_now(self) -> bool:  # LH-22
        return self.duty or possible(self.board(), HARBOUR, self.points)

    def _steps(self) -> list[int]:
        board = self.board()
        steps = [source for source in range(len(self.islands) + 1) if possible(board, source, self.points)]
        if not self._duty_now():
            return steps
        world = (board, self.demolish_next)
        return [source for source in steps if source == HARBOUR or keeps_duty(world, source, self.points)]

    # Turns

    def play(self, action: int) -> None:
        """Carry out a legal action of `player` and everything that follows from it without a decision."""
        assert action in self.legal()
        if self.phase == "claim":
            self._decide(action == CLAIM)
        elif self.phase == "place":
            self._place(COLOURS[action - PLACE])
        elif action == STOP:
            self._end_movement()
        else:
            self._step(action)
        self.settle()

    def settle(self) -> None:
        """In phase "move": raise the harbour duty if it arises now, and end the movement if no step is legal."""
        while self.phase == "move" and not self.over:
            self.duty = self._duty_now()
            if self._steps():
                return
            assert not self.duty
            self._end_movement()  # LH-21

    def _start_turn(self, seat: int) -> None:
        self.turn_owner = self.player = seat
        self.phase = "move"
        self.points = self.move_points
        self.duty = False
        self.built = False

    def _end_movement(self) -> None:
        self.points = 0
        if self.harbour is None and any(self.supply.values()):  # LH-25, LH-26
            self.phase = "place"
        else:
            self._end_turn()

    def _place(self, colour: str) -> None:
        self.supply[colour] -= 1
        self.harbour = colour
        if not any(self.supply.values()):
            self._supply_is_empty()
        self._end_turn()

    def _supply_is_empty(self) -> None:
        towers = [island for island, stack in enumerate(self.islands) if len(stack) == self.full]
        for island in towers:  # LH-50
            self._demolish(island)
        if not towers:  # LH-51
            self.demolish_next = True

    def _end_turn(self) -> None:
        self.turns += 1
        self.duty = False
        self.built = False
        if self.turns >= self.max_turns:  # LH-67
            self.over = self.truncated = True
        else:
            self._start_turn((self.turn_owner + 1) % self.num_players)
            self.over = self.truncated = not self._steps()  # LH-87

    # Steps and towers

    def _step(self, source: int) -> None:
        cost, destination = step_of(self.board(), source)
        harbour, islands, _ = after_step(self.board(), source)
        self.harbour, self.islands = harbour, list(islands)
        self.points -= cost
        if source == HARBOUR:
            self.duty = False
        if len(self.islands[destination]) == self.full:  # LH-30
            self.built = True
            self._evaluate(destination)

    def _evaluate(self, island: int) -> None:
        card = self.islands[island]
        case = self._case(card)
        everyone = self._asks_everyone(card, case)
        if case in ("own", "out") or (case == "e" and not everyone):
            self._end_tower(island, demolished=case != "own")  # LH-36, LH-37, LH-84
            return
        self.phase = "claim"
        self.claim = (island, card, case)
        self.player = self._holder(card) if case == "c" and not everyone else self.turn_owner  # LH-34, LH-75
        if self.claims == "forced":
            self._decide(True)

    def _asks_everyone(self, card: str, case: str) -> bool:  # LH-75
        if self.asked == "holder" or self.claims == "forced":
            return False
        return case in ("a", "c", "e") and card not in self.known_buried

    def _holder(self, card: str) -> int | None:
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)

    def _case(self, card: str) -> str:
        """Which of the exclusive cases LH-32..37 applies to a tower of the turn owner, or "out" for none (LH-84)."""
        if card not in self.in_play:
            return "out"
        holder = self._holder(card)
        if holder is not None:
            return "a" if holder == self.turn_owner else "c"
        if any(stack and stack[-1] == card for stack in self.stacks):
            return "b"
        for seat, row in enumerate(self.laid):
            if card in row:
                return "own" if seat == self.turn_owner else "d"
        return "e"

    def _decide(self, claimed: bool) -> None:
        island, card, case = self.claim
        everyone = self._asks_everyone(card, case)
        last_asked = (self.turn_owner - 1) % self.num_players
        if everyone and not claimed and self.player != last_asked:
            self.player = (self.player + 1) % self.num_players
            return
        self.claim = None
        if claimed:
            self._take(card, case)
            self._check_end(case)
            if self.over:  # LH-63
                return
        self.phase = "move"
        self.player = self.turn_owner
        kept_in_hand = not claimed and case in ("a", "c")
        demolished = case == "e" or (kept_in_hand and self.declined_tower == "demolish")  # LH-37, LH-39, LH-A13
        if everyone and not claimed and self.declined_tower == "stands" and not self.demolish_next:  # LH-79
            (self.known_buried if case == "e" else self.known_held).add(card)
        self._end_tower(island, demolished)

    def _take(self, card: str, case: str) -> None:
        """Lay the card before `player`, who is the builder or in case c the holder."""
        if case in ("a", "c"):
            self.hands[self.player].remove(card)
        elif case == "b":
            next(stack for stack in self.stacks if stack and stack[-1] == card).pop()
        else:
            next(row for row in self.laid if card in row).remove(card)
        self.laid[self.player].append(card)
        self.known_held.discard(card)

    def _check_end(self, case: str) -> None:
        last_private = case in ("a", "c") and not self.hands[self.player]  # LH-60, LH-62
        last_public = case == "b" and not any(self.stacks)  # LH-61
        if last_private or last_public:
            self.over = True
            self.ender_seat = self.player if self.ender == "layer" else self.turn_owner  # LH-66

    def _end_tower(self, island: int, demolished: bool) -> None:
        if demolished or self.demolish_next:  # LH-51
            self._demolish(island)
        self.demolish_next = False

    def _demolish(self, island: int) -> None:
        for stone in self.islands[island]:
            self.supply[stone] += 1
        self.islands[island] = ""

    # Scoring

    def result(self) -> tuple[list[int], list[float]]:
        """Cards before every seat, and its share of the win: ties go to the ender, else they are shared (LH-64, 65)."""
        points = [len(row) for row in self.laid]
        winners = [seat for seat in range(self.num_players) if points[seat] == max(points)]
        if self.ender_seat in winners:
            winners = [self.ender_seat]
        return points, [1 / len(winners) if seat in winners else 0.0 for seat in range(self.num_players)]
