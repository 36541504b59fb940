"""Recorded games are played again, line by line the same: compiled or not, on any machine."""

from tests import playthroughs


def test_a_recorded_game_goes_the_same(name, num_players):
    text = playthroughs.path(name, num_players).read_text()
    actions = playthroughs.actions_of(text)
    assert len(actions) > 20
    assert list(playthroughs.record(name, num_players, actions)) == text.splitlines()
    assert text.splitlines()[-1].startswith("over True")
