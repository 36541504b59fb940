"""Lanterns: laying tiles, collecting lanterns, dedicating them for honor; 2 to 4 players."""

from lanterns_env.engine.game import Game
from lanterns_env.games.lanterns import components, drawing, encoding, foresight, picture, rules, sound, words

GAME = Game(
    name="lanterns",
    title="Lanterns",
    version=0,
    players=range(2, components.MAX_PLAYERS + 1),
    default_players=4,
    num_actions=rules.NUM_ACTIONS,
    margin_scale=20.0,  # about the spread of final honor
    options=rules.OPTIONS,
    state=rules.STATE,
    fields=encoding.FIELDS,
    deal=rules.deal,
    legal=rules.legal,
    play=rules.play,
    observe=encoding.observe,
    score=rules.score,
    redeal=rules.redeal,
    describe=words.describe,
    parse=words.parse,
    why_illegal=words.why_illegal,
    draw=drawing.draw,
    actions=words.BLOCKS,
    picture=picture.picture,
    edge=foresight.edge,
    evaluate=foresight.evaluate,
    weigh=foresight.weigh,
    sound=sound.sound,
    tell=words.tell,
)
