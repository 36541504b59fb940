"""What the cards of Lumen may be worth, for a network: tricks that a hand can expect, chances to take this one.

Colours are yellow (trump) first.  Players: the viewer first in lists of all, else the others in turn order.
"""

import torch
from torch import Tensor

from lanterns_agents.network import Views
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE, NUM_COLOURS, TRUMP

OTHERS = MAX_PLAYERS - 1
FALLS = ((0.85, 0.7), (0.35, 0.6))  # two views of what is left of a card's strength for each higher one: trump, plain
RUFFED = (0.55, 0.8)  # and for every player that may trump it
BASES = len(RUFFED)
RUFF_EAGER, RUFF_SHY = 0.7, 0.4  # how likely one who needs tricks trumps, and one who does not
OF_SLOT = 2 + 4 * BASES  # chances to win the trick, at once and whatever is trumped; strength, surplus, what is off
OF_PLAYERS = 2 * BASES * MAX_PLAYERS  # tricks expected and surplus of each player

FALL = torch.tensor(FALLS).T[:, [TRUMP, *[1 - TRUMP] * (NUM_COLOURS - 1)]].log()  # [bases, colours]
RUFF = torch.tensor(RUFFED).log()


def strengths(view: Views, colour: Tensor, chances: Tensor, trick: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Of every slot [N, 10, OF_SLOT] and of every player [N, OF_PLAYERS].

    ``colour`` [N, 10, 5], ``chances`` of the values [N, 10, 12], ``trick`` the best of its colour there [N, 10, 1].
    """
    hands = view["hands"].float()  # [N, 4, 5, 12]
    up_to = hands.cumsum(3)
    count = up_to[..., -1]  # [N, 4, 5]
    void = (count == 0).float()
    ruffs = void * (count[:, :, TRUMP : TRUMP + 1] > 0)
    needed = view["bid"].float() - view["tricks"].float() + 0.5 * (1 - view["has_bid"].float())  # [N, 5]
    win = chances_to_win(view, up_to, count, void, ruffs, (needed[:, 1:] > 0).float())  # [N, 2, 5, 12]
    beats = (colour @ win.transpose(1, 2).flatten(2)).reshape(-1, HAND, 2, MAX_VALUE)
    wins = (beats * (chances * (values > trick)).unsqueeze(2)).sum(3)
    own = colour.transpose(1, 2) @ chances  # [N, 5, 12]: cards of the viewer that may be expected
    mine, expected = expectations(hands, own, ruffs)
    strength = (colour @ mine.transpose(1, 2).flatten(2)).reshape(-1, HAND, BASES, MAX_VALUE)
    strength = (strength * chances.unsqueeze(2)).sum(3)  # [N, 10, bases]
    expected = torch.cat([strength.sum(1).unsqueeze(1), expected], 1)  # [N, 5, bases]
    left = view["held"].float().sum(1).view(-1, 1, 1)
    surplus = expected * left / (expected.sum(1, keepdim=True) + 1e-3) - needed.unsqueeze(2)
    own_surplus = surplus[:, :1].expand(-1, HAND, -1)
    off = own_surplus + wins[:, :, 1:] - strength
    return (
        torch.cat([wins, strength, own_surplus, off, off.square()], 2),
        torch.cat([expected.flatten(1), surplus.flatten(1)], 1) / 4,
    )


def chances_to_win(view: Views, up_to: Tensor, count: Tensor, void: Tensor, ruffs: Tensor, eager: Tensor) -> Tensor:
    """That a card of each colour and value takes this trick, if it beats what lies there: [N, 2, 5, 12].

    First as the others' cards allow it at worst, then if they choose among theirs by chance.
    """
    led = view["led"].float()
    leads = 1 - led.sum(1, keepdim=True)  # [N, 1]
    follows = torch.maximum(led, leads)  # [N, 5]: of the led colour, or leading
    trumped = view["trick_colour"][:, :, TRUMP].amax(1, keepdim=True).float()  # [N, 1]
    trump = torch.zeros(NUM_COLOURS)
    trump[TRUMP] = 1
    able = torch.maximum(follows * (1 - trumped), trump.expand_as(follows))
    void_led = (void * led.unsqueeze(1)).sum(2, keepdim=True)  # [N, 4, 1]
    to_play = (view["trick_value"][:, 1:] == 0).float().unsqueeze(2)
    answers = to_play * torch.maximum(follows.unsqueeze(1), trump * void_led)
    higher = count.unsqueeze(3) - up_to
    share = higher / count.clamp(min=1).unsqueeze(3)
    lures = eager * RUFF_EAGER + (1 - eager) * RUFF_SHY
    by_chance = answers.unsqueeze(3) * (share + (ruffs * lures.unsqueeze(2)).unsqueeze(3))
    at_worst = answers.unsqueeze(3) * torch.maximum((higher > 0).float(), ruffs.unsqueeze(3))
    stays = 1 - torch.stack([at_worst, by_chance], 1)  # [N, 2, 4 others, 5, 12]
    stay = able.view(-1, 1, NUM_COLOURS, 1)
    for other in range(OTHERS):
        stay = stay * stays[:, :, other]
    return stay


def expectations(hands: Tensor, own: Tensor, ruffs: Tensor) -> tuple[Tensor, Tensor]:
    """The viewer's tricks by a card of each colour and value [N, bases, 5, 12]; of each other hand [N, 4, bases]."""
    in_all = hands.sum(1) + own
    above = in_all.flip(2).cumsum(2).flip(2) - in_all
    above_of_each = hands.flip(3).cumsum(3).flip(3) - hands
    above_own = own.flip(2).cumsum(2).flip(2) - own
    higher_mine = (above - above_own).unsqueeze(1)  # [N, 1, 5, 12]
    higher = (above.unsqueeze(1) - above_of_each).unsqueeze(2)  # [N, 4 others, 1, 5, 12]
    ruffed = ruffs.sum(1)[:, None, :, None] * RUFF.view(1, -1, 1, 1)  # [N, bases, 5, 1]
    fall = FALL.view(1, BASES, NUM_COLOURS, 1)
    mine = (higher_mine * fall + ruffed).exp()
    theirs = (higher * fall + ruffed.unsqueeze(1)).exp()
    return mine, (theirs * hands.unsqueeze(2)).sum((3, 4))
