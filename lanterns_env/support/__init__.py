"""What all the rest stands on and no game knows of: files that are whole, extras, agents that fail."""
