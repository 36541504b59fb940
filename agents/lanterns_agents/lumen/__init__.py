"""All that is known of playing Lumen."""
