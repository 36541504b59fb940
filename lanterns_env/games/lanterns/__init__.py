"""Lanterns: laying tiles, collecting lanterns, dedicating them for honor; 2 to 4 players."""

from importlib.resources import files

from lanterns_env.engine.game import Game
from lanterns_env.games.lanterns import (
    components,
    draw_compact,
    draw_svg,
    draw_text,
    observation,
    outcome,
    planes,
    rules,
    search_keys,
    sound,
    text,
    variants,
)

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
    fields=observation.FIELDS,
    deal=rules.deal,
    legal=rules.legal,
    play=rules.play,
    observe=observation.observe,
    score=rules.score,
    redeal=rules.redeal,
    describe=text.describe,
    parse=text.parse,
    why_illegal=text.why_illegal,
    draw=draw_text.draw,
    rules=files(__name__).joinpath("rules.txt").read_text(encoding="utf-8"),
    actions=text.ACTIONS,
    picture=draw_svg.picture,
    planes=planes.PLANES,
    action_key=search_keys.action_key,
    sound=sound.sound,
    describe_to=text.describe_to,
    describe_outcome=outcome.describe_outcome,
    draw_compact=draw_compact.draw_compact,
    chapter=text.chapter,
    presets=variants.PRESETS,
    why_unplayable=variants.why_unplayable,
    deal_cards=rules.deal_cards,
    deals=variants.deals,
    compile_seconds={"the engine": 27, "plain search": 13, "search with heuristics": 25, "expert": 20, "greedy": 3},
)
