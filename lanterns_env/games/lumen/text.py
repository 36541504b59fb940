"""Actions of Lumen as moves and as words, and why one is not allowed: all from the mover's view."""

import re
from typing import Any, NamedTuple

from lanterns_env.engine.game import ActionRange
from lanterns_env.engine.words import plain_words
from lanterns_env.games.lumen.components import COLOURS, NUM_COLOURS
from lanterns_env.games.lumen.rules import BID, BIDS, EXTRA_BIDS, NUM_ACTIONS, PLAYS

ACTIONS = (
    ActionRange(0, EXTRA_BIDS - 1, "bid 0..10 tip stones"),
    ActionRange(EXTRA_BIDS, PLAYS - 1, "bid 0..10 tip stones with the extra stone"),
    ActionRange(PLAYS, NUM_ACTIONS - 1, "play the card of slot 0..9"),
)


class Bid(NamedTuple):
    stones: int
    extra: int  # extra stones: 0 or 1


class PlayCard(NamedTuple):
    slot: int


Move = Bid | PlayCard


def move_of(action: int) -> Move:
    """An action number as a move."""
    if action < PLAYS:
        extra, stones = divmod(action, BIDS)
        return Bid(stones, extra)
    return PlayCard(action - PLAYS)


def action_of(move: Move) -> int:
    """A move as an action number."""
    match move:
        case Bid(stones, extra):
            return BIDS * extra + stones
        case PlayCard(slot):
            return PLAYS + slot


# -- to words -------------------------------------------------------------------------------------------------


def describe(view: Any, action: int) -> str:
    """An action in the words of the game, for the player whose view it is."""
    match move_of(action):
        case Bid(stones, extra):
            return f"bid {stones} with extra" if extra else f"bid {stones}"
        case PlayCard(slot):
            return f"play slot {slot} ({slot_name(view, slot)})"


def describe_to(views: Any, mover: int, listener: int, action: int) -> str:
    """A card that is played lies open: its value, which the next player has seen all the time."""
    match move_of(action):
        case PlayCard(slot):
            colour, value = card_in(views, mover, slot)
            return f"play {COLOURS[colour]} {value} (slot {slot})"
    return describe(views[mover], action)


def card_in(views: Any, mover: int, slot: int) -> tuple[int, int]:
    """Colour and value of a card of the mover, as the next player sees it."""
    colour = colour_in(views[mover], slot)
    values = views[(mover + 1) % len(views)].hands[len(views) - 2][colour].nonzero()[0]
    return colour, int(values[slots_of(views[mover], colour).index(slot)]) + 1


def slot_name(view: Any, slot: int) -> str:
    """Colour and rank of a card among those of its colour that are still held."""
    if not view.held[slot]:
        return "empty"
    colour = colour_in(view, slot)
    held = slots_of(view, colour)
    return f"{COLOURS[colour]}, {rank_name(held.index(slot) + 1, len(held))}"


def rank_name(rank: int, number: int) -> str:
    """Counted from the lowest."""
    if number == 1:
        return "only one"
    if rank == number:
        return "highest"
    return {1: "lowest", 2: "2nd lowest", 3: "3rd lowest"}.get(rank, f"{rank}th lowest")


def colour_in(view: Any, slot: int) -> int:
    """The colour of a slot, -1 if it is not known any more."""
    colours: list[int] = view.slot_colour[slot].tolist()
    return colours.index(1) if 1 in colours else -1


def hand_size(view: Any) -> int:
    """The cards dealt to each player in this round: in hand, in the trick, in tricks that are over."""
    return int(view.held.sum() + (view.trick_value[0] > 0) + view.tricks_done)


def slots_of(view: Any, colour: int) -> list[int]:
    """The slots that still hold a colour, the lowest card first."""
    return [slot for slot in range(hand_size(view)) if view.held[slot] and view.slot_colour[slot][colour]]


def led_in(view: Any) -> int:
    """The colour led in this trick, -1 before it is."""
    return next((colour for colour in range(NUM_COLOURS) if view.led[colour]), -1)


def chapter(view: Any) -> str:
    """The trick, or the bids of a round."""
    part = "bids" if view.phase == BID else f"trick {view.tricks_done + 1}"
    return f"round {view.round_number}, {part}"


# -- from words -----------------------------------------------------------------------------------------------

FILLERS = {"card", "from", "in", "of", "stone", "stones", "tip", "trick", "tricks"}
BID_WORDS = re.compile(r"bid (\d+)( extra| ?\+)?")
PLAY_WORDS = re.compile(r"play (?:slot )?(\d+)(?: (.+))?")


def parse(view: Any, words: str) -> int:
    """The action that words describe; ValueError says what was not understood."""
    text = plain_words(words, FILLERS)
    if found := BID_WORDS.fullmatch(text):
        return action_of(parsed_bid(view, int(found[1]), found[2] is not None))
    if found := PLAY_WORDS.fullmatch(text):
        return action_of(parsed_play(view, int(found[1]), found[2]))
    raise ValueError(f"not understood: {words!r}; say for instance 'bid 3', 'bid 3 with extra' or 'play slot 4'")


def parsed_bid(view: Any, stones: int, extra: bool) -> Bid:
    if stones > hand_size(view):
        raise ValueError(too_many_stones(view, stones))
    return Bid(stones, int(extra))


def too_many_stones(view: Any, stones: int) -> str:
    return f"LU-21: a bid is 0 to {hand_size(view)} tip stones, one for each trick; not {stones}"


def parsed_play(view: Any, slot: int, said: str | None) -> PlayCard:
    """What is said of the card, its colour or its full name, must be true."""
    if slot >= hand_size(view):
        raise ValueError(no_such_slot(view, slot))
    name = slot_name(view, slot)
    if said is not None and said not in (plain_words(name), plain_words(name.partition(",")[0])):
        raise ValueError(f"slot {slot} is not '{said}': it is '{name}'")
    return PlayCard(slot)


def no_such_slot(view: Any, slot: int) -> str:
    return f"LU-33: there is no slot {slot}; slots are 0 to {hand_size(view) - 1}"


# -- why not --------------------------------------------------------------------------------------------------


def why_illegal(view: Any, action: int) -> str | None:
    """The rule that forbids an action to the player whose view it is, None if it may be taken."""
    if view.over:
        return "LU-60: the game is over"
    match move_of(action):
        case Bid(stones):
            return why_no_bid(view, stones)
        case PlayCard(slot):
            return why_no_card(view, slot)


def why_no_bid(view: Any, stones: int) -> str | None:
    if view.phase != BID:
        mine = f"{view.bid[0]} with extra" if view.extra[0] else str(view.bid[0])
        return f"LU-22: all bids of this round are made and stand; yours is {mine}"
    if stones > hand_size(view):
        return too_many_stones(view, stones)
    if stones > view.bid_limit:
        return f"LU-A1: {view.bid_limit} tip stones are left, this bid takes {stones}"
    return None


def why_no_card(view: Any, slot: int) -> str | None:
    if view.phase == BID:
        missing = int(view.num_players - view.has_bid.sum())
        return f"LU-20: cards are played when everybody has bid; {missing} of {view.num_players} have not"
    if slot >= hand_size(view):
        return no_such_slot(view, slot)
    if not view.held[slot]:
        return f"LU-33: slot {slot} is empty, its card has been played"
    led, colour = led_in(view), colour_in(view, slot)
    if led >= 0 and colour != led and slots_of(view, led):
        held = len(slots_of(view, led))
        return f"LU-32: {COLOURS[led]} was led and you hold {held} of it; slot {slot} is {COLOURS[colour]}"
    return None
