"""Networks in torch, their files, and exported ones."""
