"""Lumen: taking tricks with cards whose values only the others see; 3 to 5 players."""

from importlib.resources import files

from lanterns_env.engine.game import Game
from lanterns_env.games.lumen import (
    belief,
    components,
    draw_compact,
    draw_svg,
    draw_text,
    observation,
    outcome,
    rules,
    search_keys,
    sound,
    text,
)

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
    fields=observation.FIELDS,
    deal=rules.deal,
    legal=rules.legal,
    play=rules.play,
    observe=observation.observe,
    score=rules.score,
    redeal=belief.redeal,
    describe=text.describe,
    parse=text.parse,
    why_illegal=text.why_illegal,
    draw=draw_text.draw,
    rules=files(__name__).joinpath("rules.txt").read_text(encoding="utf-8"),
    actions=text.ACTIONS,
    picture=draw_svg.picture,
    no_planes="a hand of cards has no places whose neighbours mean anything",
    revealed_key=search_keys.revealed_key,
    sound=sound.sound,
    describe_to=text.describe_to,
    describe_outcome=outcome.describe_outcome,
    draw_compact=draw_compact.draw_compact,
    chapter=text.chapter,
    compile_seconds={
        "the engine": 20,
        "plain search": 9,
        "search with heuristics": 48,
        "expert": 20,
        "greedy": 13,
        "features": 22,
    },
    belief=belief.belief,
    belief_shape=(components.HAND, components.MAX_VALUE),
)
