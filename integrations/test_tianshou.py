"""Tianshou's DQN on one seat, as its page shows."""

import torch

from tests.bridges import pages


def test_the_page_trains_with_legal_actions_alone(taken):
    torch.set_num_threads(1)
    result = pages.run("tianshou.md")["result"]
    assert result.train_step == 1600
    assert result.update_step == 20
    assert len(taken) >= result.train_step + result.test_step
    assert all(taken)
