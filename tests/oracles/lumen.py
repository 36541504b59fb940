"""Slow, literal reference implementation of Lumen, written from the rules alone to be compared with the engine.

Nothing is cached: legal actions, the winner of a trick, the starter of a round and beliefs are worked out anew, so a
test may edit any attribute between two calls.
"""

from itertools import combinations, product

Card = tuple[int, int]  # (colour, value)
Bid = tuple[int, int]  # (tip stones, extra stones)

YELLOW, RED, GREEN, BLUE, PURPLE = COLOURS = range(5)
TRUMP = YELLOW  # LU-03

HIGHEST_VALUE = {3: 8, 4: 10, 5: 12}  # LU-02
ROUNDS = 4  # LU-06
HAND_SIZE = 10
TIP_STONES = 15  # LU-A1

# Section 5: first action number of each group.
BID_WITH_EXTRA = 11
PLAY_SLOT = 22


def full_deck(colours: int, highest_value: int) -> set[Card]:
    return {(colour, value) for colour in COLOURS[:colours] for value in range(1, highest_value + 1)}


def bid_of(action: int) -> Bid:
    return (action - BID_WITH_EXTRA, 1) if action >= BID_WITH_EXTRA else (action, 0)


def trick_winner(table: list[tuple[int, Card]]) -> int:  # LU-35
    led_colour = table[0][1][0]
    trumps = [(card[1], seat) for seat, card in table if card[0] == TRUMP]
    followers = [(card[1], seat) for seat, card in table if card[0] == led_colour]
    return max(trumps or followers)[1]


def round_score(number: int, bid: Bid, won: int) -> int:
    """Points of one seat for round `number` (1..4)."""
    tips, extra = bid
    if extra == 0 and won == tips:  # LU-40
        return 10 * number
    if extra == 1 and won in (tips, tips + 1):  # LU-41
        return 5 * number
    return -5 * abs(won - tips)  # LU-43


class Lumen:
    """One game with the perfect-information state; `unseen` and `consistent_hands` tell what a seat cannot know.

    Arguments
        num_players: 3, 4 or 5.
        deals: deals[r - 1][seat] are the 10 cards that the seat holds (already passed) in round r, in any order, as
            (colour, value) with colours Y=0, R=1, G=2, B=3, P=4 and values from 1.
        first_dark_plus: h0, who deals the first round; in the k-th round the dark plus is at seat h0 + k (LU-09).
        bead_limit: whether all bids of a round share the tip stones (LU-A1, reading ii).
        variant: colours, top_value, hand, rounds and beads of smaller games (LU-A18..22). Where not all rounds are
            played, they are the last ones; the deals of the others are not looked at.

    Attributes
        round 1..4, trick 1..10 (1 during the bids), phase "bid" or "play", player: the seat to act, over.
        dark_plus: D(r). starter: S(r), bids first and leads trick 1.
        leader: who leads the current trick (the starter during the bids).
        bids[seat]: None or (tip stones, extra stone). tricks_won[seat]: in this round.
        totals[seat]: after the finished rounds. last_scores[seat]: of the last finished round, 0 in round 1.
        fans[seat]: the 10 cards of this round sorted by (colour, value). hands[seat]: the same with None where played.
        table: (seat, card) of the current trick in order of play; emptied as soon as the trick is complete.

    Actions: 0..10 bid without, 11..21 bid with the extra stone, 22..31 play slot 0..9 of the own hand.

    Once the game is over `legal` is empty, round is 4, trick 10, phase "play", bids and tricks_won are still those of
    round 4 (in every other round they are cleared at once), and player and leader are the winner of the last trick.
    """

    def __init__(
        self,
        num_players: int,
        deals: list[list[list[Card]]],
        first_dark_plus: int = 0,
        bead_limit: bool = False,
        **variant: int,
    ):
        assert num_players in HIGHEST_VALUE
        assert len(deals) == ROUNDS
        self.hand_size = variant.get("hand", HAND_SIZE)
        self.tip_stones = variant.get("beads", TIP_STONES)
        self.first_round = ROUNDS - variant.get("rounds", ROUNDS) + 1
        self.num_players = num_players
        self.deals = deals
        self.first_dark_plus = first_dark_plus
        self.bead_limit = bead_limit
        self.deck = full_deck(variant.get("colours", 5), variant.get("top_value", 0) or HIGHEST_VALUE[num_players])
        self.totals = [0] * num_players
        self.last_scores = [0] * num_players
        self.over = False
        self._start_round(self.first_round)

    # Rounds

    def _start_round(self, number: int) -> None:
        deal = self.deals[number - 1]
        dealt = [card for fan in deal for card in fan]
        assert [len(fan) for fan in deal] == [self.hand_size] * self.num_players
        assert len(set(dealt)) == len(dealt)
        assert set(dealt) <= self.deck

        self.round = number
        self.trick = 1
        self.phase = "bid"
        self.fans: list[list[Card]] = [sorted(fan) for fan in deal]  # LU-08, LU-11
        self.hands: list[list[Card | None]] = [list(fan) for fan in self.fans]
        self.bids: list[Bid | None] = [None] * self.num_players
        self.tricks_won = [0] * self.num_players
        self.table: list[tuple[int, Card]] = []
        self.dark_plus = (self.first_dark_plus + number - self.first_round + 1) % self.num_players  # LU-09
        self.starter = self.starter_of_round()
        self.leader = self.starter
        self.player = self.starter

    def starter_of_round(self) -> int:
        """S(r) of the current round, from the totals before it."""
        if self.num_players == 3 and self.round == ROUNDS:  # LU-50, LU-51
            tied = [seat for seat in range(3) if self.totals[seat] == max(self.totals)]
            return self._first_from_dark_plus(tied)
        return self.dark_plus  # LU-20

    def _first_from_dark_plus(self, seats: list[int]) -> int:
        seat = self.dark_plus
        while seat not in seats:
            seat = (seat + 1) % self.num_players
        return seat

    def _end_round(self) -> None:
        self.last_scores = [
            round_score(self.round, self.bids[seat], self.tricks_won[seat]) for seat in range(self.num_players)
        ]
        self.totals = [total + score for total, score in zip(self.totals, self.last_scores, strict=True)]
        if self.round == ROUNDS:
            self.over = True
        else:
            self._start_round(self.round + 1)

    # Actions

    def legal(self) -> list[int]:
        """Sorted action numbers of `player`."""
        if self.over:
            return []
        return self._legal_bids() if self.phase == "bid" else self._legal_cards()

    def _legal_bids(self) -> list[int]:  # LU-21, LU-22
        most = self.hand_size
        if self.bead_limit:
            most = min(most, self.tip_stones - sum(bid[0] for bid in self.bids if bid is not None))
        return [action for action in range(PLAY_SLOT) if bid_of(action)[0] <= most]

    def _legal_cards(self) -> list[int]:
        hand = self.hands[self.player]
        held = [slot for slot in range(self.hand_size) if hand[slot] is not None]
        if self.table:  # LU-32
            led_colour = self.table[0][1][0]
            held = [slot for slot in held if hand[slot][0] == led_colour] or held
        return [PLAY_SLOT + slot for slot in held]

    def play(self, action: int) -> None:
        """Carry out a legal action of `player` and everything that follows from it."""
        assert action in self.legal()
        if self.phase == "bid":
            self._bid(bid_of(action))
        else:
            self._play_card(action - PLAY_SLOT)

    def _bid(self, bid: Bid) -> None:
        self.bids[self.player] = bid
        self.player = (self.player + 1) % self.num_players
        if None not in self.bids:
            self.phase = "play"
            self.player = self.leader  # LU-30

    def _play_card(self, slot: int) -> None:
        self.table.append((self.player, self.hands[self.player][slot]))
        self.hands[self.player][slot] = None
        self.player = (self.player + 1) % self.num_players
        if len(self.table) == self.num_players:
            self._end_trick()

    def _end_trick(self) -> None:
        winner = trick_winner(self.table)
        self.tricks_won[winner] += 1
        self.table = []
        self.leader = winner
        self.player = winner
        if self.trick == self.hand_size:
            self._end_round()
        else:
            self.trick += 1

    # Information

    def unseen(self, seat: int) -> set[Card]:
        """The cards of this round whose place `seat` cannot know: its own unplayed ones and the undealt (LU-70..72)."""
        seen = {card for other in range(self.num_players) if other != seat for card in self.fans[other]}
        seen |= {card for card, left in zip(self.fans[seat], self.hands[seat], strict=True) if left is None}
        return self.deck - seen

    def consistent_hands(self, seat: int) -> list[list[Card]]:
        """Every fan of 10 cards that `seat` may hold for all it has seen, its played cards included (LU-74)."""
        hidden = self.unseen(seat)
        fan, hand = self.fans[seat], self.hands[seat]
        groups = []
        for colour in COLOURS:
            slots = [slot for slot in range(self.hand_size) if fan[slot][0] == colour]
            played = {slot: fan[slot] for slot in slots if hand[slot] is None}
            candidates = sorted([card for card in hidden if card[0] == colour] + list(played.values()))
            groups.append(
                [
                    cards
                    for cards in combinations(candidates, len(slots))
                    if all(cards[slots.index(slot)] == card for slot, card in played.items())
                ]
            )
        return [[card for group in choice for card in group] for choice in product(*groups)]

    # Scoring

    def winner(self) -> int:  # LU-60..62
        ranks = [(self.totals[seat], self.last_scores[seat]) for seat in range(self.num_players)]
        return self._first_from_dark_plus([seat for seat in range(self.num_players) if ranks[seat] == max(ranks)])

    def result(self) -> tuple[list[int], list[float]]:
        """The totals, and 1.0 for the only winner and 0.0 for the others."""
        return list(self.totals), [float(seat == self.winner()) for seat in range(self.num_players)]
