"""Lanterns: a placement is scored by what touches what.

With 66 slots, 3 tiles and 4 sides there are 792 placements.  Each is a slot (what touches it) and a turned tile (its
side towards each direction); the score is a sum of products of the two, weighed by what the rest of the view makes
of a lantern of each colour, to oneself and to each other player.  Slots, tiles and colours are interchangeable: all
slots share their weights, so do all tiles and all colours.
"""

from collections.abc import Mapping
from typing import ClassVar, cast

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor, nn
    from torch.nn.functional import linear, relu

from lanterns_agents.networks.base import (
    Network,
    Views,
    at_least_table,
    lookup,
    one_hot_table,
    scale_output_layer,
    trunk,
)
from lanterns_env.engine.game import Game
from lanterns_env.games.lanterns.components import MAX_PLAYERS, MAX_STACK, NUM_COLOURS, NUM_TILES, TRIPLES
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.rules import NUM_ACTIONS, PER_SLOT, PLACE, PLACES

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
NUM_FLAGS = PHASES + MAX_PLAYERS * SIDES + (MAX_PLAYERS + 1) * NUM_COLOURS * STEPS + MAX_PLAYERS * STEPS * NUM_COLOURS
COLOUR_SEEN = MAX_PLAYERS * STEPS + STEPS  # of a colour: everybody's lanterns, the supply
# What is said of every colour: worth of a match, of one with a platform, of facing it for each player; then for the
# actions: four of it, a pair of it, returned, given, taken.
MATCH, WITH_PLATFORM, FACING, FOUR, PAIR, RETURN, GIVE, TAKE = 0, 1, 2, 6, 7, 8, 9, 10
NUM_SAID = TAKE + 1
SLOTS_SUMMED = 1 / 16  # about how many are open


class GameNetwork(Network):
    typical_range: ClassVar[Mapping[str, float]] = {"honor": 20.0, "favors": 5.0, "lanterns": 4.0, "supply": 4.0}

    def __init__(self, game: Game, hidden_size: int = 256, entity_size: int = 32) -> None:
        super().__init__(game, hidden_size, entity_size)
        self.slot = nn.Linear(TOUCHES, entity_size, bias=False)  # so that a closed slot amounts to nothing
        self.tile = nn.Linear(FACES + 1, entity_size)
        self.trunk = trunk(NUM_SCALED + NUM_FLAGS + 2 * entity_size, hidden_size)
        self.policy = scale_output_layer(nn.Linear(hidden_size, NUM_ACTIONS - NUM_SLOTS * PER_SLOT))
        self.value = scale_output_layer(nn.Linear(hidden_size, game.max_players))
        self.colour = nn.Linear(COLOUR_SEEN, entity_size)
        self.colour_context = nn.Linear(hidden_size, entity_size)
        self.colour_says = scale_output_layer(nn.Linear(entity_size, NUM_SAID))
        self.any_match = scale_output_layer(nn.Linear(hidden_size, 2))  # of any match, and with a platform
        self.match_more = scale_output_layer(nn.Linear(entity_size, 2 * NUM_COLOURS))  # by tile
        self.slot_context = nn.Linear(hidden_size, 2 * entity_size)
        self.tile_context = nn.Linear(hidden_size, entity_size)
        self.tile_worth = scale_output_layer(nn.Linear(entity_size, 1))
        self.meeting = scale_output_layer(nn.Linear(entity_size, entity_size))
        rotation = [[(side + towards) % SIDES for towards in range(SIDES)] for side in range(SIDES)]
        self.register_buffer("rotation", torch.tensor(rotation).flatten(), persistent=False)
        pairs = torch.zeros(len(TRIPLES), NUM_COLOURS).scatter_(1, torch.tensor(TRIPLES).long(), 1.0)
        self.register_buffer("pairs", pairs, persistent=False)  # which colours three pairs are of
        exchanges = [(give, take) for give in range(NUM_COLOURS) for take in range(NUM_COLOURS) if give != take]
        self.register_buffer("exchanges", torch.tensor(exchanges).T.contiguous(), persistent=False)
        tables = {
            "of_touch": one_hot_table(1, 2 * NUM_COLOURS),
            "of_side": one_hot_table(1, NUM_COLOURS),
            "of_phase": one_hot_table(0, PHASES - 1),
            "of_chair": one_hot_table(1, SIDES),  # -1: no such player
            "of_colours": at_least_table(NUM_COLOURS),
            "of_count": at_least_table(MAX_STACK)[:, :STEPS],
        }
        self.register_buffer("slot_number", torch.arange(1, NUM_SLOTS + 1), persistent=False)
        for name, table in tables.items():
            self.register_buffer(name, table, persistent=False)

    rotation: Tensor
    pairs: Tensor
    slot_number: Tensor
    exchanges: Tensor
    of_touch: Tensor
    of_side: Tensor
    of_phase: Tensor
    of_chair: Tensor
    of_colours: Tensor
    of_count: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        faces, slots = self.see_slots(view)
        turned, platforms, tiles = self.see_tiles(view)
        seen = [slots.sum(1) * SLOTS_SUMMED, relu(tiles).mean(1)]
        trunk_out = self.trunk(torch.cat([*self.scaled(view, *SCALED), *self.flags(view), *seen], 1))
        says = self.evaluate_colours(view, trunk_out)
        placing = (view["phase"].squeeze(1) == PLACE).nonzero().squeeze(1)  # the others need no look at placements
        seen_there = [view["side"], trunk_out, says, faces, slots, turned, platforms, tiles]
        places = self.score_places(*(each.index_select(0, placing) for each in seen_there))
        unused = places.new_zeros(places.shape[0], NUM_SLOTS * PER_SLOT - places.shape[1])
        every = places.new_zeros(trunk_out.shape[0], NUM_SLOTS * PER_SLOT)
        every = every.index_copy(0, placing, torch.cat([places, unused], 1))
        others = self.score_others(trunk_out, says)
        logits = torch.cat([others[:, :PLACES], every, others[:, PLACES:]], 1)
        return logits, self.value(trunk_out)

    def flags(self, view: Views) -> list[Tensor]:
        """Step of the turn, who sits where, whether there are 1 .. 4 lanterns of a colour, and of how many colours."""
        flags = [lookup(view["phase"], self.of_phase), lookup(view["side"] + 1, self.of_chair)]
        flags += [lookup(view["lanterns"], self.of_count), lookup(view["supply"], self.of_count)]
        reached = flags[2]  # [N, 4, 7, 4]
        flags += [lookup(reached[..., count].sum(2), self.of_colours) for count in range(STEPS)]
        return [flag.flatten(1) for flag in flags]

    def evaluate_colours(self, view: Views, trunk_out: Tensor) -> Tensor:
        """What lanterns of each colour are worth, to whom and for what: [N, 7, 11]."""
        lanterns = lookup(view["lanterns"].transpose(1, 2), self.of_count).flatten(2)
        supply = lookup(view["supply"], self.of_count)
        seen = self.colour(torch.cat([lanterns, supply], 2))
        said: Tensor = self.colour_says(relu(seen + self.colour_context(trunk_out).unsqueeze(1)))
        return said

    def score_others(self, trunk_out: Tensor, says: Tensor) -> Tensor:
        """Exchanges, dedications, returns, skip: [N, 93]."""
        give, take = (says[:, :, kind].index_select(1, self.exchanges[end]) for end, kind in ((0, GIVE), (1, TAKE)))
        pairs = says[:, :, PAIR] @ self.pairs.T
        none = torch.zeros_like(pairs[:, :1])
        by_colour = torch.cat([give + take, says[:, :, FOUR], pairs, none, says[:, :, RETURN], none], 1)
        scores: Tensor = self.policy(trunk_out) + by_colour
        return scores

    def see_slots(self, view: Views) -> tuple[Tensor, Tensor]:
        """The slots in use: what touches them, as flags [N, S, 56], and what that amounts to [N, S, entity_size]."""
        used = self.slots_in_use(view["slot_open"])
        touch = view["touch"][:, :used] + NUM_COLOURS * view["touch_platform"][:, :used]
        faces = lookup(touch, self.of_touch).flatten(2)
        return faces, relu(self.slot(faces))

    def slots_in_use(self, slot_open: Tensor) -> int:
        """Slots are filled from the lowest: only so many need a look."""
        used = cast(int, (slot_open.any(0) * self.slot_number).amax(0).clamp(min=1).item())  # int() cannot be exported
        torch._check(used <= NUM_SLOTS)  # type: ignore[no-untyped-call]  # the exporter cannot know
        return used

    def see_tiles(self, view: Views) -> tuple[Tensor, Tensor, Tensor]:
        """The tiles in hand in all 4 turns: flags [N, 12, 28], platforms [N, 12, 1], what that amounts to."""
        sides = view["hand_sides"].index_select(2, self.rotation)
        turned = lookup(sides, self.of_side).reshape(-1, PER_SLOT, FACES)
        platforms = view["hand_platform"].float().repeat_interleave(SIDES, 1).unsqueeze(-1)
        of_faces, of_platform = self.tile.weight[:, :FACES], self.tile.weight[:, FACES]
        return turned, platforms, linear(turned, of_faces, self.tile.bias) + platforms * of_platform

    def score_places(
        self,
        side: Tensor,
        trunk_out: Tensor,
        says: Tensor,
        faces: Tensor,
        slots: Tensor,
        turned: Tensor,
        platforms: Tensor,
        tiles: Tensor,
    ) -> Tensor:
        """Of the slots in use: [N, S * 12]."""
        sides = turned.reshape(-1, PER_SLOT, SIDES, NUM_COLOURS)
        both = sides.repeat(1, 1, 1, 2)  # [N, 12, 4, 14]
        tile_part = relu(tiles + self.tile_context(trunk_out).unsqueeze(1))
        worth = torch.cat([says[:, :, MATCH], says[:, :, WITH_PLATFORM]], 1).unsqueeze(1) + self.match_more(tile_part)
        meeting, alone = self.slot_context(trunk_out).unsqueeze(1).chunk(2, 2)
        keys = self.meeting(tile_part) * meeting + alone
        scores: Tensor = faces @ (both * worth.unsqueeze(2)).flatten(2).transpose(1, 2) + slots @ keys.transpose(1, 2)
        matched = (faces @ both.flatten(2).transpose(1, 2)).clamp(max=1)
        any_match = self.any_match(trunk_out)
        gain = any_match[:, :1] + any_match[:, 1:] * platforms.squeeze(2)
        # What each player faces is worth by where it sits: [N, 4 sides, 7].
        facing = lookup(side + 1, self.of_chair).transpose(1, 2) @ says[:, :, FACING:FOUR].transpose(1, 2)
        alike = self.tile_worth(tile_part).squeeze(2) + (turned @ facing.flatten(1).unsqueeze(2)).squeeze(2)
        scores = scores + matched * gain.unsqueeze(1) + alike.unsqueeze(1)
        return scores.flatten(1)
