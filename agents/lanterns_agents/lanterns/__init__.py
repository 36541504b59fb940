"""All that is known of playing Lanterns."""
