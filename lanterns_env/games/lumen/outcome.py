"""What came of a move of Lumen: who took the trick, and what the round has brought to all."""

from typing import Any

from lanterns_env.games.lumen.components import POINT_UNIT
from lanterns_env.games.lumen.draw_text import LETTERS, Card, seat_at, trick_winner
from lanterns_env.games.lumen.text import Bid, card_in, hand_size, move_of


def describe_outcome(before: Any, mover: int, action: int, listener: int, after: Any) -> list[str]:
    """After the last card of a trick: the trick and its winner; after the last trick: the scores of the round."""
    move, view = move_of(action), before[listener]
    n = int(view.num_players)
    cards = {} if isinstance(move, Bid) else cards_on_table(view)
    if isinstance(move, Bid) or len(cards) < n - 1:
        return []
    cards[mover] = card_in(before, mover, move.slot)
    leader = seat_at(view, view.leader.tolist().index(1))
    winner = trick_winner(cards, leader)
    order = sorted(cards, key=lambda seat: (seat - leader) % n)
    played = "  ".join(f"{seat}:{LETTERS[cards[seat][0]]}{cards[seat][1]}" for seat in order)
    lines = [f"trick {view.tricks_done + 1} goes to player {winner}:  {played}"]
    if view.tricks_done == hand_size(view) - 1:
        lines += [round_score(view, after[listener], seat, winner) for seat in range(n)]
    return lines


def cards_on_table(view: Any) -> dict[int, Card]:
    """The cards of the trick by seat."""
    steps = [step for step in range(view.num_players) if view.trick_value[step]]
    return {seat_at(view, step): (int(view.trick_colour[step].argmax()), int(view.trick_value[step])) for step in steps}


def round_score(view: Any, after: Any, seat: int, winner: int) -> str:
    """LU-40..43: "round 1: player 0 bid 3, won 3: +10"."""
    step = (seat - view.seat) % view.num_players
    won = view.tricks[step] + (seat == winner)
    extra = " with extra" if view.extra[step] else ""
    points = POINT_UNIT * int(after.last_score[step])
    return f"round {view.round_number}: player {seat} bid {view.bid[step]}{extra}, won {won}: {points:+}"
