"""TorchRL's PPO on one seat, and its wrapper around the whole table, as its page shows."""

import torch

from tests.bridges import pages


def test_the_page_trains_with_legal_actions_alone(taken, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.set_num_threads(1)
    names = pages.run("torchrl.md")
    assert names["frames"] == 1024
    assert all(torch.isfinite(term).all() for term in names["terms"].values())
    assert all(state["step"] == 16 for state in names["optimizer"].state.values())
    game = names["game"]
    assert game["next", "done"][-1].all()
    assert sum(int(game[player, "mask"].sum()) for player in names["table"].group_map) == len(game)
    assert sum(float(game["next", player, "reward"].sum()) for player in names["table"].group_map) == 0
    assert len(taken) >= 1024 + len(game)
    assert all(taken)
    assert names["row"].games == 40
