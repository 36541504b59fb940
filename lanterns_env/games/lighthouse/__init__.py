"""Lighthouse Architects: racing stones around the islands, stacking them into ordered towers; 2 to 4 players."""

from importlib.resources import files

from lanterns_env.engine.game import Game
from lanterns_env.games.lighthouse import (
    components,
    draw_compact,
    draw_svg,
    draw_text,
    hidden,
    observation,
    outcome,
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
    rules=files(__name__).joinpath("rules.txt").read_text(encoding="utf-8"),
    actions=text.ACTIONS,
    picture=draw_svg.picture,
    planes=planes.PLANES,
    revealed_key=search_keys.revealed_key,
    sound=sound.sound,
    describe_to=text.describe_to,
    describe_outcome=outcome.describe_outcome,
    draw_compact=draw_compact.draw_compact,
    chapter=text.chapter,
    compile_seconds={
        "the engine": 42,
        "plain search": 13,
        "search with heuristics": 60,
        "expert": 16,
        "greedy": 15,
        "features": 26,
    },
)
