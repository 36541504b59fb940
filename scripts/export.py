"""A trained network as one ONNX file, as ``lanterns export`` makes it: lanterns_agents/training/export.py.

python scripts/export.py runs/lanterns_2p_quick
"""

from lanterns_agents.training.commands import as_command
from lanterns_agents.training.export import main

if __name__ == "__main__":
    as_command("export", main)
