"""Train a network by self-play PPO, as ``lanterns train`` does: lanterns_agents/training/ppo.py.

python scripts/train_ppo.py configs/lanterns_2p_quick.toml max_minutes=5
"""

from lanterns_agents.training.commands import as_command
from lanterns_agents.training.ppo import main

if __name__ == "__main__":
    as_command("train_ppo", main)
