"""Training by self-play: PPO in one file (ppo.py), imitation before it (bc.py), and what runs need around them."""
