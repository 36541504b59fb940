"""Lighthouse Architects: racing stones around the islands, stacking them into ordered towers; 2 to 4 players."""

from lanterns_env.engine.game import Game
from lanterns_env.games.lighthouse import components, drawing, encoding, foresight, hidden, picture, rules, sound, words

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
    fields=encoding.FIELDS,
    deal=rules.deal,
    legal=rules.legal,
    play=rules.play,
    observe=encoding.observe,
    score=rules.score,
    redeal=hidden.redeal,
    describe=words.describe,
    parse=words.parse,
    why_illegal=words.why_illegal,
    draw=drawing.draw,
    actions=words.BLOCKS,
    picture=picture.picture,
    shows=foresight.shows,
    evaluate=foresight.evaluate,
    rollout=foresight.rollout,
    sound=sound.sound,
    tell=words.tell,
)
