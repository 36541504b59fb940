"""Lumen: taking tricks with cards whose values only the others see; 3 to 5 players."""

from lanterns_env.engine.game import Game
from lanterns_env.games.lumen import belief, components, drawing, encoding, foresight, picture, rules, sound, words

GAME = Game(
    name="lumen",
    title="Lumen",
    version=0,
    players=range(components.MIN_PLAYERS, components.MAX_PLAYERS + 1),
    default_players=4,
    num_actions=rules.NUM_ACTIONS,
    margin_scale=50.0,  # about the spread of final points
    options=rules.OPTIONS,
    state=rules.STATE,
    fields=encoding.FIELDS,
    deal=rules.deal,
    legal=rules.legal,
    play=rules.play,
    observe=encoding.observe,
    score=rules.score,
    redeal=belief.redeal,
    describe=words.describe,
    parse=words.parse,
    why_illegal=words.why_illegal,
    draw=drawing.draw,
    actions=words.BLOCKS,
    picture=picture.picture,
    shows=foresight.shows,
    evaluate=foresight.evaluate,
    weigh=foresight.weigh,
    rollout=foresight.rollout,
    sound=sound.sound,
    tell=words.tell,
    belief=belief.belief,
    belief_shape=(components.HAND, components.MAX_VALUE),
)
