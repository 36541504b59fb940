"""The weights of expert play of Lanterns: what they mean, and the ranges in which they are tuned."""

BOUNDS: dict[str, tuple[float, float]] = {
    "near_four": (0.01, 0.6),  # how much chance each missing lantern costs, of the three kinds of sets
    "near_pairs": (0.01, 0.6),
    "near_seven": (0.01, 0.6),
    "late": (0.0, 2.0),  # and how much more of it, when few dedications are left
    "scarce": (0.0, 3.0),  # a missing lantern counts so much more, when its stack is used up
    "second": (0.0, 1.0),  # weight of the set after the next
    "flexible": (0.0, 0.6),  # weight of the sets that are not the best
    "lantern": (0.0, 1.0),  # what any lantern is worth beside the sets
    "enough": (4.0, 16.0),  # the lanterns that count so
    "favor": (0.0, 2.0),  # what a favor is worth
    "glut": (0.0, 2.0),  # and how quickly further ones are worth less
    "wild": (0.0, 1.0),  # how much of a missing lantern an exchange stands for
    "race": (0.0, 1.0),  # how much of a token's fall is feared, when others are near its set
    "others": (0.0, 1.5),  # weight of what another player gets
    "leader": (-1.0, 3.0),  # more of it for those who lead
    "follow": (0.0, 1.0),  # weight of what the rest of the hand could gain next
    "deny": (0.0, 1.0),  # weight of the best cell, taken from the others
    "give": (-0.5, 1.0),  # weight of the edges that are laid open for them
    "platform_open": (-0.5, 1.0),  # cost of a platform's open edge
    "platform_closed": (-0.5, 1.0),  # cost of a platform's edge that is covered without a match
    "platform_spent": (-1.0, 2.0),  # cost of laying a platform of the hand
}
NAMES = tuple(BOUNDS)
(
    NEAR_FOUR,
    NEAR_PAIRS,
    NEAR_SEVEN,
    LATE,
    SCARCE,
    SECOND,
    FLEXIBLE,
    LANTERN,
    ENOUGH,
    FAVOR,
    GLUT,
    WILD,
    RACE,
    OTHER,
    LEADER,
    FOLLOW,
    DENY,
    GIVE,
    PLATFORM_OPEN,
    PLATFORM_CLOSED,
    PLATFORM_SPENT,
) = range(len(BOUNDS))
NUM_WEIGHTS = len(BOUNDS)
