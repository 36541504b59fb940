"""Lanterns: a placement is scored by what touches what.

With 66 slots, 3 tiles and 4 sides there are 792 placements.  Each is a slot (what touches it) and a turned tile (its
side towards each direction); the score is a sum of products of the two, weighed by what the rest of the view makes
of a lantern of each colour.  Slots and tiles are interchangeable: all share their weights.
"""

from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from lanterns_agents.network import Network, Views, at_least_table, looked_up, one_hot_table, quiet, trunk
from lanterns_env.game import Game
from lanterns_env.games.lanterns.components import MAX_PLAYERS, MAX_STACK, NUM_COLOURS, NUM_TILES
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.rules import NUM_ACTIONS, PER_SLOT, PLACES

SIDES = 4
FACES = SIDES * NUM_COLOURS  # flags of a turned tile: a colour towards each direction
TOUCHES = 2 * FACES  # flags of a slot: a colour, or a colour with a platform, in each direction
STEPS = 4  # lanterns of a colour that make a difference: 1, 2, 3, 4
PHASES = 4
SCALED = (
    *("num_players", "turn", "final_round", "pile", "hand_size", "honor", "favors", "lanterns", "supply"),
    *("tokens_left", "token_value", "unseen"),
)
NUM_SCALED = 4 + 3 * MAX_PLAYERS + (MAX_PLAYERS + 1) * NUM_COLOURS + 6 + NUM_TILES
NUM_FLAGS = PHASES + MAX_PLAYERS * SIDES + MAX_PLAYERS * NUM_COLOURS * STEPS + NUM_COLOURS * STEPS
SLOTS_SUMMED = 1 / 16  # about how many are open


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"honor": 20.0, "favors": 5.0, "lanterns": 4.0, "supply": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 32) -> None:
        super().__init__(game, hidden, item)
        self.slot = nn.Linear(TOUCHES, item, bias=False)  # so that a closed slot amounts to nothing
        self.tile = nn.Linear(FACES + 1, item)
        self.trunk = trunk(NUM_SCALED + NUM_FLAGS + 2 * item, hidden)
        self.policy = quiet(nn.Linear(hidden, NUM_ACTIONS - NUM_SLOTS * PER_SLOT))
        self.value = quiet(nn.Linear(hidden, 1))
        # What the view makes of a match of each colour, and of one with a platform; of any match, also of a platform.
        self.match_worth = quiet(nn.Linear(hidden, 2 * NUM_COLOURS + 2))
        self.slot_context = nn.Linear(hidden, 2 * item)
        self.tile_context = nn.Linear(hidden, item)
        self.tile_worth = quiet(nn.Linear(item, 1))
        self.meeting = quiet(nn.Linear(item, item))
        rotation = [[(side + towards) % SIDES for towards in range(SIDES)] for side in range(SIDES)]
        self.register_buffer("rotation", torch.tensor(rotation).flatten(), persistent=False)
        tables = {
            "of_touch": one_hot_table(1, 2 * NUM_COLOURS),
            "of_side": one_hot_table(1, NUM_COLOURS),
            "of_phase": one_hot_table(0, PHASES - 1),
            "of_chair": one_hot_table(1, SIDES),
            "of_count": at_least_table(MAX_STACK)[:, :STEPS],
        }
        for name, table in tables.items():
            self.register_buffer(name, table, persistent=False)

    rotation: Tensor
    of_touch: Tensor
    of_side: Tensor
    of_phase: Tensor
    of_chair: Tensor
    of_count: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        faces, slots = self.see_slots(view)
        turned, platforms, tiles = self.see_tiles(view)
        seen = [slots.sum(1) * SLOTS_SUMMED, relu(tiles).mean(1)]
        known = self.trunk(torch.cat([*self.scaled(view, *SCALED), *self.flags(view), *seen], 1))
        places = self.score_places(known, faces, slots, turned, platforms, tiles)
        others = self.policy(known)
        unused = places.new_zeros(places.shape[0], NUM_SLOTS * PER_SLOT - places.shape[1])
        logits = torch.cat([others[:, :PLACES], places, unused, others[:, PLACES:]], 1)
        return logits, self.value(known).squeeze(1)

    def flags(self, view: Views) -> list[Tensor]:
        """What is no quantity: the step of the turn, who sits where, whether there are enough lanterns."""
        flags = [looked_up(view["phase"], self.of_phase), looked_up(view["side"] + 1, self.of_chair)]
        flags += [looked_up(view["lanterns"], self.of_count), looked_up(view["supply"], self.of_count)]
        return [flag.flatten(1) for flag in flags]

    def see_slots(self, view: Views) -> tuple[Tensor, Tensor]:
        """The slots in use: what touches them, as flags [N, S, 56], and what that amounts to [N, S, item]."""
        used = self.slots_in_use(view["slot_open"])
        touch = view["touch"][:, :used] + NUM_COLOURS * view["touch_platform"][:, :used]
        faces = looked_up(touch, self.of_touch).flatten(2)
        return faces, relu(self.slot(faces))

    def slots_in_use(self, slot_open: Tensor) -> int:
        """Slots are filled from the lowest: only so many need a look.  An exported network looks at all."""
        if torch.compiler.is_exporting():
            return NUM_SLOTS
        in_use = slot_open.any(0).nonzero()
        return int(in_use[-1]) + 1 if len(in_use) else 1

    def see_tiles(self, view: Views) -> tuple[Tensor, Tensor, Tensor]:
        """The tiles in hand in all 4 turns: flags [N, 12, 28], platforms [N, 12, 1], what that amounts to."""
        sides = looked_up(view["hand_sides"], self.of_side)
        turned = sides.index_select(2, self.rotation).reshape(-1, PER_SLOT, FACES)
        platforms = view["hand_platform"].float().repeat_interleave(SIDES, 1).unsqueeze(-1)
        return turned, platforms, self.tile(torch.cat([turned, platforms], 2))

    def score_places(
        self, known: Tensor, faces: Tensor, slots: Tensor, turned: Tensor, platforms: Tensor, tiles: Tensor
    ) -> Tensor:
        """Of the slots in use: [N, S * 12]."""
        plain, platform, any_match = self.match_worth(known).split([NUM_COLOURS, NUM_COLOURS, 2], 1)
        both = turned.reshape(-1, PER_SLOT, SIDES, NUM_COLOURS).repeat(1, 1, 1, 2)  # [N, 12, 4, 14]
        weights = torch.cat([plain, platform], 1)[:, None, None]
        meeting, alone = self.slot_context(known).unsqueeze(1).chunk(2, 2)
        tile_part = relu(tiles + self.tile_context(known).unsqueeze(1))
        keys = self.meeting(tile_part) * meeting + alone
        scores: Tensor = faces @ (both * weights).flatten(2).transpose(1, 2) + slots @ keys.transpose(1, 2)
        matched = (faces @ both.flatten(2).transpose(1, 2)).clamp(max=1)
        gain = any_match[:, :1] + any_match[:, 1:] * platforms.squeeze(2)
        scores = scores + matched * gain.unsqueeze(1) + self.tile_worth(tile_part).transpose(1, 2)
        return scores.flatten(1)
