"""Train a network to decide as an agent does, as ``lanterns pretrain`` does: lanterns_agents/training/bc.py.

python scripts/pretrain_bc.py configs/lumen_3p_bc.toml
python scripts/train_ppo.py configs/lumen_3p.toml
"""

from lanterns_agents.training.bc import main
from lanterns_agents.training.commands import as_command

if __name__ == "__main__":
    as_command("pretrain_bc", main)
