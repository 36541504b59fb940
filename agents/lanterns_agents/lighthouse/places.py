"""Where an order of Lighthouse Architects may be, as networks are told: every order is in one of these places."""

OWN, PUBLIC, LAID_BY_VIEWER, LAID_BY_NEXT, LAID_BY_OTHERS, UNKNOWN, BURIED, HELD = range(8)
NUM_WHERE = 8  # how many they are
CERTAIN = (PUBLIC, LAID_BY_VIEWER, HELD)  # what the next player could lay if it were finished; UNKNOWN: perhaps
