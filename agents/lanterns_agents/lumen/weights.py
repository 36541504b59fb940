"""The weights of expert play of Lumen: what they mean, and the ranges in which they are tuned."""

BOUNDS: dict[str, tuple[float, float]] = {
    "trump_top": (0.6, 1.0),  # the strength of the highest trump ...
    "trump_fall": (0.5, 1.0),  # ... and what is left of it for every higher one
    "plain_top": (0.2, 1.0),
    "plain_fall": (0.3, 1.0),
    "ruff_fall": (0.3, 1.0),  # what is left of a plain card's strength for every player that may trump it
    "eager": (-1.0, 1.0),  # bend of the chance that one who needs tricks beats a card ...
    "shy": (-1.0, 1.0),  # ... and of one who does not
    "ruff_eager": (0.0, 1.0),  # chance that one who needs tricks trumps
    "ruff_shy": (0.0, 1.0),
    "doubt_now": (-1.0, 1.0),  # price of a trick that may go either way
    "doubt_later": (-1.0, 1.0),  # worth of playing a card that may go either way
    "extra_aim": (0.0, 1.0),  # tricks aimed at beyond the bid with an extra stone
    "haste": (-1.0, 1.0),  # worth of a trick now rather than later to one who needs it ...
    "dread": (-1.0, 1.0),  # ... and price of one to whom it is too many
    "whim": (0.0, 1.0),  # how much others stray from all this
    "heed": (0.0, 2.0),  # how much others' bids say about the own hand
    "bid_shift": (-0.7, 0.7),  # what others bid beyond the tricks that they can expect
    "bid_whim": (0.0, 1.5),
    "last_spread": (1.0, 30.0),  # points by which a game is still open in the last round ...
    "spread": (1.0, 30.0),  # ... and more for every round to come
}
NAMES = tuple(BOUNDS)
NUM_STYLE = 15  # the first of them: how players in a world play
(
    TRUMP_TOP,
    TRUMP_FALL,
    PLAIN_TOP,
    PLAIN_FALL,
    RUFF_FALL,
    EAGER,
    SHY,
    RUFF_EAGER,
    RUFF_SHY,
    DOUBT_NOW,
    DOUBT_LATER,
    EXTRA_AIM,
    HASTE,
    DREAD,
    WHIM,
) = range(NUM_STYLE)
HEED, BID_SHIFT, BID_WHIM, LAST_SPREAD, SPREAD = range(NUM_STYLE, len(NAMES))
