"""All that is known of playing Lighthouse Architects."""
