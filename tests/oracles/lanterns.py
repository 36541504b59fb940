"""Slow, literal reference implementation of Lanterns, written from the rules alone to be compared with the engine.

Nothing is cached: colours, matches and legal actions are worked out anew from the lake and the hands, so a test may
edit any attribute and then call `pass_over_steps`. The only bookkeeping is the slot list, which depends on history.
"""

from itertools import combinations, permutations

Cell = tuple[int, int]

COLOURS = ["orange", "green", "purple", "white", "blue", "red", "black"]

# LA-02: by tile id (0 is the start tile) the printed sides N, E, S, W; a star marks a platform.
PRINTED_TILES = [
    "blue red white black",
    "green blue black orange",
    "white black orange black",
    "green green green red",
    "orange purple orange orange",
    "red black green purple",
    "red green blue purple",
    "white green orange green *",
    "red green black red",
    "white blue black blue *",
    "green red orange white",
    "blue purple white red",
    "red green green red *",
    "black purple blue blue",
    "white white red green",
    "orange purple white white *",
    "purple purple red green *",
    "green blue orange blue",
    "blue red black green",
    "blue black white green",
    "red black black purple *",
    "red black red orange *",
    "purple blue purple green *",
    "orange blue white orange *",
    "blue red white black",
    "blue white green purple",
    "orange blue orange blue *",
    "black white black white *",
    "purple black white orange",
    "red orange purple white",
    "purple purple black purple",
    "orange black purple red",
    "blue white orange red",
    "blue purple black orange",
    "red white black orange",
    "white green purple blue",
]
SIDES = [[COLOURS.index(word) for word in printed.split()[:4]] for printed in PRINTED_TILES]
PLATFORM = [printed.endswith("*") for printed in PRINTED_TILES]

# The neighbour cell towards each chair, in chair 0's frame: 0 below, then clockwise left, above, right.
TOWARDS_CHAIR = [(0, -1), (-1, 0), (0, 1), (1, 0)]
CHAIRS = {2: [0, 2], 3: [0, 1, 2, 3], 4: [0, 1, 2, 3]}  # LA-01; with 3 players the empty chair is taken out

PILE_SIZE = {2: 16, 3: 18, 4: 20}  # LA-04
STACK_SIZE = {2: 5, 3: 7, 4: 8}  # LA-05
TOKENS = {  # LA-07: four of a kind, three pairs, seven different; top first
    2: [[8, 7, 6, 5, 5, 4], [9, 8, 7, 6, 5, 5], [10, 9, 8, 7, 6, 5]],
    3: [[8, 7, 6, 6, 5, 5, 5, 4], [9, 8, 7, 7, 6, 6, 5, 5], [10, 9, 8, 8, 7, 7, 6, 5]],
    4: [[8, 7, 7, 6, 6, 5, 5, 5, 4], [9, 8, 8, 7, 7, 6, 6, 5, 5], [10, 9, 9, 8, 8, 7, 7, 6, 5]],
}
GENERIC_TOKEN = 4  # LA-12
HAND_LIMIT = 12  # LA-13
EXCHANGE_PRICE = 2  # LA-10
SLOTS = 66

# Section 6: first action number of each group.
DEDICATE_FOUR = 42
DEDICATE_PAIRS = 49
DEDICATE_SEVEN = 84
DISCARD = 85
PLACE = 92
SKIP = 884
TRIPLES = list(combinations(range(7), 3))

PHASES = ["exchange", "dedicate", "discard", "place"]


def exchange_action(given: int, taken: int) -> int:
    return 6 * given + taken - (1 if taken > given else 0)


EXCHANGES = {exchange_action(given, taken): (given, taken) for given, taken in permutations(range(7), 2)}


def place_action(slot: int, position: int, side: int) -> int:
    return PLACE + 12 * slot + 4 * position + side


def dedication(action: int) -> tuple[int, list[int]]:
    """The type of a dedication action (0 four of a kind, 1 three pairs, 2 seven different) and its cards by colour."""
    if action == DEDICATE_SEVEN:
        return 2, [1] * 7
    if action >= DEDICATE_PAIRS:
        triple = TRIPLES[action - DEDICATE_PAIRS]
        return 1, [2 if colour in triple else 0 for colour in range(7)]
    return 0, [4 if colour == action - DEDICATE_FOUR else 0 for colour in range(7)]


def facing(tile: int, turn: int, chair: int) -> int:
    """Colour a tile shows to a chair when its printed side `turn` faces chair 0."""
    return SIDES[tile][(turn + chair) % 4]


def neighbour(cell: Cell, chair: int) -> Cell:
    dx, dy = TOWARDS_CHAIR[chair]
    return cell[0] + dx, cell[1] + dy


class Lanterns:
    """One game. `turn` is the number of turns finished, i.e. the index of the current one (24 / 30 / 36 at the end).

    Once the game is over `legal` is empty, `player` is 0 (the seat that would follow) and `phase` is "exchange".
    """

    def __init__(
        self,
        num_players: int,
        order: list[int],
        empty_chair: int | None,
        hand: int = 3,
        pile: int | None = None,
        stack: int | None = None,
        cells: set[Cell] | None = None,  # LA-52: all that the lake has
    ):
        assert sorted(order) == list(range(min(order), min(order) + len(order)))
        assert pile is not None or len(order) == 35
        assert empty_chair in ([1, 2, 3] if num_players == 3 else [None])
        n = num_players
        self.num_players = n
        self.chairs = [chair for chair in CHAIRS[n] if chair != empty_chair]

        empty = [None] * (3 - hand)
        self.hands: list[list[int | None]] = [[*order[hand * seat :][:hand], *empty] for seat in range(n)]
        drawn = PILE_SIZE[n] if pile is None else pile
        self.pile = list(order[hand * n : hand * n + drawn])
        self.box = list(order[hand * n + drawn :])
        self.total_turns = hand * n + drawn + n  # LA-30, LA-31: one a tile, then one final turn each
        self.cells = cells

        self.lake: dict[Cell, tuple[int, int]] = {(0, 0): (0, SIDES[0].index(COLOURS.index("red")))}  # LA-03
        self.slots: list[Cell | None] = [None] * SLOTS
        self._give_slots((0, 0))

        self.supply = [STACK_SIZE[n] if stack is None else stack] * 7
        self.lanterns = [[0] * 7 for _ in range(n)]
        self.favors = [0] * n
        self.honor = [0] * n
        self.taken = [0, 0, 0]
        for seat in range(n):  # LA-06
            self._receive(seat, facing(*self.lake[0, 0], self.chairs[seat]))

        self.player = 0
        self.turn = 0
        self.phase = "exchange"
        self.over = False
        self.pass_over_steps()

    # Legal actions

    def legal(self) -> list[int]:
        """Sorted action numbers of the current step; empty if the step has nothing to choose."""
        if self.over:
            return []
        if self.phase == "exchange":
            return self._with_skip(self._exchanges())
        if self.phase == "dedicate":
            return self._with_skip(self._dedications())
        if self.phase == "discard":
            return self._discards()
        return self._placements()

    def _with_skip(self, actions: list[int]) -> list[int]:
        return actions + [SKIP] if actions else []

    def _exchanges(self) -> list[int]:  # LA-10, LA-A1
        if self.favors[self.player] < EXCHANGE_PRICE:
            return []
        own = self.lanterns[self.player]
        return sorted(
            action for action, (given, taken) in EXCHANGES.items() if own[given] > 0 and self.supply[taken] > 0
        )

    def _dedications(self) -> list[int]:  # LA-11
        own = self.lanterns[self.player]
        actions = []
        for action in range(DEDICATE_FOUR, DEDICATE_SEVEN + 1):
            _, cards = dedication(action)
            if all(own[colour] >= cards[colour] for colour in range(7)):
                actions.append(action)
        return actions

    def _discards(self) -> list[int]:  # LA-13, LA-A4, LA-A5
        own = self.lanterns[self.player]
        if self._no_tiles_left() or sum(own) <= HAND_LIMIT:
            return []
        return [DISCARD + colour for colour in range(7) if own[colour] > 0]

    def _placements(self) -> list[int]:  # LA-14
        return [
            place_action(slot, position, side)
            for slot, cell in enumerate(self.slots)
            if cell is not None
            for position, tile in enumerate(self.hands[self.player])
            if tile is not None
            for side in range(4)
        ]

    def _no_tiles_left(self) -> bool:  # LA-31: only final turns are left
        return all(tile is None for hand in self.hands for tile in hand)

    # Playing

    def play(self, action: int) -> None:
        """Carry out a legal action, then go on to the next step that has a choice, or to the end of the game."""
        if action == SKIP:
            self._end_step()
        elif action < DEDICATE_FOUR:
            self._exchange(*EXCHANGES[action])
            self._end_step()
        elif action < DISCARD:
            self._dedicate(*dedication(action))
            self._end_step()
        elif action < PLACE:  # the step goes on until the hand limit is kept
            self._return(self.player, action - DISCARD)
        else:
            slot, rest = divmod(action - PLACE, 12)
            position, side = divmod(rest, 4)
            self._place(slot, position, side)
            self._end_step()
        self.pass_over_steps()

    def pass_over_steps(self) -> None:  # LA-A7
        while not self.over and not self.legal():
            self._end_step()

    def _end_step(self) -> None:
        if self.phase != "place":
            self.phase = PHASES[PHASES.index(self.phase) + 1]
            return
        self.turn += 1
        self.player = (self.player + 1) % self.num_players
        self.phase = "exchange"
        self.over = self.turn == self.total_turns

    def _receive(self, seat: int, colour: int) -> None:
        if self.supply[colour] > 0:  # LA-24
            self.supply[colour] -= 1
            self.lanterns[seat][colour] += 1

    def _return(self, seat: int, colour: int) -> None:
        self.lanterns[seat][colour] -= 1
        self.supply[colour] += 1

    def _exchange(self, given: int, taken: int) -> None:  # LA-10
        self.favors[self.player] -= EXCHANGE_PRICE
        self._return(self.player, given)
        self._receive(self.player, taken)

    def _dedicate(self, kind: int, cards: list[int]) -> None:  # LA-11, LA-12
        for colour in range(7):
            for _ in range(cards[colour]):
                self._return(self.player, colour)
        tokens = TOKENS[self.num_players][kind]
        if self.taken[kind] < len(tokens):
            self.honor[self.player] += tokens[self.taken[kind]]
            self.taken[kind] += 1
        else:
            self.honor[self.player] += GENERIC_TOKEN

    def _place(self, slot: int, position: int, side: int) -> None:
        cell = self.slots[slot]
        tile = self.hands[self.player][position]
        # Seen from the mover's chair c, chair 0 is relative side -c: it sees the printed side s - c.
        self.lake[cell] = (tile, (side - self.chairs[self.player]) % 4)
        self._match_bonus(cell)
        self._orientation(cell)
        # LA-25; without a pile the position stays empty
        self.hands[self.player][position] = self.pile.pop(0) if self.pile else None
        self.slots[slot] = None
        if self._no_tiles_left():
            self.slots = [None] * SLOTS
        else:
            self._give_slots(cell)

    def _give_slots(self, cell: Cell) -> None:
        for chair in range(4):
            free = neighbour(cell, chair)
            inside = self.cells is None or free in self.cells
            if inside and free not in self.lake and free not in self.slots:
                self.slots[self.slots.index(None)] = free

    def _matches(self, cell: Cell) -> list[tuple[int, int]]:
        """Every matching side of the tile on a cell: the colour and the tile on the other side."""
        matches = []
        for chair in range(4):
            beside = neighbour(cell, chair)
            if beside in self.lake:
                colour = facing(*self.lake[cell], chair)
                if colour == facing(*self.lake[beside], (chair + 2) % 4):
                    matches.append((colour, self.lake[beside][0]))
        return matches

    def _match_bonus(self, cell: Cell) -> None:  # LA-20..22
        matches = self._matches(cell)
        for colour, other in matches:
            self._receive(self.player, colour)
            if PLATFORM[other]:
                self.favors[self.player] += 1
        if matches and PLATFORM[self.lake[cell][0]]:
            self.favors[self.player] += 1

    def _orientation(self, cell: Cell) -> None:  # LA-23
        for step in range(self.num_players):
            seat = (self.player + step) % self.num_players
            self._receive(seat, facing(*self.lake[cell], self.chairs[seat]))

    # Scoring

    def result(self) -> tuple[list[int], list[float]]:
        """Honor, and the share of the win of every seat: ties go to favors, then lanterns, then are shared (LA-32)."""
        ranks = [(self.honor[seat], self.favors[seat], sum(self.lanterns[seat])) for seat in range(self.num_players)]
        winners = ranks.count(max(ranks))
        return list(self.honor), [1 / winners if rank == max(ranks) else 0.0 for rank in ranks]
