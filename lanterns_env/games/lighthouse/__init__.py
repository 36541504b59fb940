"""Lighthouse Architects: racing stones around the islands, stacking them into ordered towers; 2 to 4 players."""

from lanterns_env.engine.game import Game
from lanterns_env.games.lighthouse import (
    components,
    draw_svg,
    draw_text,
    hidden,
    observation,
    planes,
    rules,
    search_keys,
    sound,
    text,
)

GAME = Game(
    name="lighthouse",
    title="Lighthouse Architects",
    version=0,
    players=range(2, components.MAX_PLAYERS + 1),
    default_players=2,
    num_actions=rules.NUM_ACTIONS,
    margin_scale=3.0,  # about the spread of the final margin, in orders
    options=rules.OPTIONS,
    state=rules.STATE,
    fields=observation.FIELDS,
    deal=rules.deal,
    legal=rules.legal,
    play=rules.play,
    observe=observation.observe,
    score=rules.score,
    redeal=hidden.redeal,
    describe=text.describe,
    parse=text.parse,
    why_illegal=text.why_illegal,
    draw=draw_text.draw,
    actions=text.ACTIONS,
    picture=draw_svg.picture,
    planes=planes.PLANES,
    revealed_key=search_keys.revealed_key,
    sound=sound.sound,
    describe_to=text.describe_to,
)
