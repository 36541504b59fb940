"""Two ways to the same numbers: OpenSpiel walks the games state by state, our solver its compiled tree."""

import pytest

pyspiel = pytest.importorskip("pyspiel")

from lanterns_env.openspiel import register  # noqa: E402
from tests.solve.poker import KUHN_GAME, KUHN_STACK, LEDUC_GAME, LEDUC_STACK  # noqa: E402
from tests.solve.recorded import Recorded  # noqa: E402

for game in (KUHN_GAME, LEDUC_GAME):
    register(game)

POKER = {  # OpenSpiel's own, our game, players, and how many chips an outcome of 1 stands for
    "kuhn": ("kuhn_poker(players=2)", KUHN_GAME, 2, KUHN_STACK),
    "kuhn for three": ("kuhn_poker(players=3)", KUHN_GAME, 3, 2 * KUHN_STACK),
    "leduc": ("leduc_poker(suit_isomorphism=true)", LEDUC_GAME, 2, LEDUC_STACK),
}
SINGLE = 1e-6  # shares of the bridge are in single precision: a third is not exact


def histories_alike(ours, theirs, unseen, stack, pairs):
    """How many decisions there are from here on: all by the same player, with the same actions, and the same ends.

    The information states of both sides go into ``pairs``.  Where the other side draws a card, it is the unseen one.
    """
    if theirs.is_chance_node():
        theirs = theirs.child(int(unseen[0]))
    assert theirs.current_player() == ours.current_player()
    assert theirs.legal_actions() == ours.legal_actions()
    if theirs.is_terminal():
        assert theirs.returns() == pytest.approx([stack * outcome for outcome in ours.returns()], abs=SINGLE)
        return 0
    pairs.add((theirs.information_state_string(), ours.information_state_string()))
    rest = (histories_alike(ours.child(a), theirs.child(a), unseen, stack, pairs) for a in ours.legal_actions())
    return 1 + sum(rest)


@pytest.mark.parametrize("table", POKER)
def test_poker_is_openspiels_own(table):
    own, game, players, stack = POKER[table]
    theirs = Recorded(pyspiel.load_game(own)).root
    ours = Recorded(pyspiel.load_game(f"python_{game.name}(players={players})")).root
    pairs = set()
    decisions = 0
    for number, order in enumerate(game.deals(players, {}).orders):
        dealt = theirs
        for card in order[:players]:
            dealt = dealt.child(int(card))
        decisions += histories_alike(ours.child(number), dealt, order[players:], stack, pairs)
    assert {"kuhn": 6 * 4, "kuhn for three": 24 * 12, "leduc": 24 * (6 + 5 * 6)}[table] == decisions
    assert {"kuhn": 12, "kuhn for three": 48, "leduc": 288}[table] == len(pairs)
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
