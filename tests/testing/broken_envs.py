"""The duel with one defect each.  ``broken`` keeps every one with the checks that must name it, and no others."""

import random
import secrets

import numpy as np
from gymnasium.spaces import Discrete

from tests.testing.duel import CARDS, NOBODY, Duel, GuardedDuel, cards

BROKEN = {}


def broken(*checks):
    def keep(env):
        BROKEN[env] = set(checks)
        return env

    return keep


# -- seeds ----------------------------------------------------------------------------------------------------


@broken("reset_again")
class SeedTakenOnce(Duel):
    """Only the first seed counts."""

    def reset(self, seed=None, options=None):
        super().reset(None if getattr(self, "seeded", False) else seed)
        self.seeded = True


@broken("reset_again")
class DealtFromWhatIsLeft(Duel):
    """The deck is shuffled as the last game left it."""

    def deal(self, order):
        self.deck = getattr(self, "deck", np.arange(CARDS))[order]
        super().deal(self.deck)


@broken("different_seeds")
class SeedIgnored(Duel):
    def reset(self, seed=None, options=None):
        super().reset(0)


@broken("same_seed")
class DealtByTheOperatingSystem(Duel):
    def deal(self, order):
        turned = secrets.randbelow(10**6)
        super().deal(np.random.default_rng(turned).permutation(CARDS))


@broken("global_random")
class GlobalNumpy(Duel):
    def deal(self, order):
        super().deal(np.random.permutation(CARDS))  # noqa: NPY002


@broken("global_random")
class GlobalSeeded(Duel):
    """Deals the same for the same seed, but takes the seed of everybody else away."""

    def reset(self, seed=None, options=None):
        random.seed(seed)
        super().reset(seed)


@broken("global_random")
class GlobalPeeked(Duel):
    """Takes the state of the global generator for a seed, and does not move it."""

    def deal(self, order):
        super().deal(np.random.default_rng(random.getstate()[1][:9]).permutation(CARDS))


# -- observing, and what is handed out ------------------------------------------------------------------------------


@broken("observing")
class ObserveDraws(Duel):
    """Who looks at the table before it is played to changes the cards that lie aside and on to hands."""

    def observe(self, agent):
        other = self.hands[self.other(agent)]
        if not self.played:
            self.hands[agent].append(self.hands[agent].pop(0))
            other[0] = (set(range(CARDS)) - set(self.hands[agent] + other)).pop()
        return super().observe(agent)


@broken("observing")
class ObserveIsNoisy(Duel):
    """The game is the same, the answer never is."""

    def observe(self, agent):
        answer = super().observe(agent)
        self.looks = getattr(self, "looks", 0) + 1
        answer["observation"][-1] = self.looks % 2
        return answer


@broken("observing")
class RenderPlays(Duel):
    def render(self):
        self.table = max(self.table - 1, NOBODY)
        return super().render()


@broken("observing")
class StateShuffles(Duel):
    def state(self):
        self.hands["bob"].sort(key=lambda card: (card * 5) % 7)
        self.rewards["bob"] += 1
        return super().state()


@broken("observing")
class LastPays(Duel):
    def last(self, observe=True):
        answer = super().last(observe)
        self._cumulative_rewards[self.agent_selection] = 0.0
        return answer


@broken("handed_out")
class MaskIsItsOwn(Duel):
    """Actions are judged by the very array that was handed out."""

    def reset(self, seed=None, options=None):
        self.shown = {}
        super().reset(seed)

    def mask(self, agent):
        self.shown[agent] = super().mask(agent)
        return self.shown[agent]

    def check(self, agent, action):
        mask = self.shown.get(agent)
        if action not in self.legal(agent) or (mask is not None and not mask[action]):
            raise ValueError("masked")

    def step(self, action):
        super().step(action)
        self.shown = {}


@broken("handed_out")
class ObservationIsItsOwn(Duel):
    """One array for good, written anew by every step."""

    def reset(self, seed=None, options=None):
        self.board = np.zeros(3 * CARDS, np.int8)
        super().reset(seed)

    def tell(self):
        self.board[2 * CARDS :] = cards(self.played)

    def observe(self, agent):
        if self.terminations[agent]:
            return super().observe(agent)
        board = self.board
        if agent == self.agent_selection:
            board[: 2 * CARDS] = self.numbers(agent)[: 2 * CARDS]
            return {"observation": board, "action_mask": self.mask(agent)}
        return super().observe(agent)


@broken("last", "no_leak")
class LastLooksThroughOtherEyes(Duel):
    def last(self, observe=True):
        _, *rest = super().last(observe)
        return (self.observe(self.other(self.agent_selection)) if observe else None, *rest)


# -- copies -----------------------------------------------------------------------------------------------------


@broken("deepcopy")
class DeepcopyIsNotBegun(Duel):
    """A new environment without a game."""

    def __deepcopy__(self, memo):
        return type(self)()


@broken("deepcopy")
class DeepcopyForgetsTheTable(GuardedDuel):
    def __deepcopy__(self, memo):
        twin = self.twin()
        twin.table = NOBODY
        return twin


@broken("pickle")
class PickleStartsAnew(Duel):
    def __deepcopy__(self, memo):
        return self.twin()

    def __reduce__(self):
        return type(self), ()


@broken("clone")
class CloneSharesHands(Duel):
    def clone(self):
        twin = self.twin()
        twin.hands = self.hands
        return twin


@broken("saved_state")
class SavedWithoutRewards(Duel):
    def set_state(self, state):
        kept = self._cumulative_rewards
        super().set_state(state)
        self._cumulative_rewards = kept


@broken("saved_state")
class SavedWithoutHiddenThings(Duel):
    """Nobody sees the curse before a trick is compared."""

    def reset(self, seed=None, options=None):
        super().reset(seed)
        self.curse = int(self.rng.integers(2))

    def compare(self, agent, action):
        super().compare(agent, action)
        if self.curse:
            self.rewards = {name: -reward for name, reward in self.rewards.items()}

    def set_state(self, state):
        kept = self.curse
        super().set_state(state)
        self.curse = kept


@broken("deepcopy", "pickle")
class NoCopiesAtAll(GuardedDuel):
    def __getstate__(self):
        raise TypeError("a window cannot be copied")


# -- masks ------------------------------------------------------------------------------------------------------


@broken("legality")
class MaskAllowsTooMuch(Duel):
    """Cards already played look free."""

    def mask(self, agent):
        return super().mask(agent) | cards(self.played if agent == self.agent_selection else [])


@broken("legality")
class MaskAllowsWhatIsIgnored(Duel):
    """An illegal action is not carried out, and nobody is said."""

    def mask(self, agent):
        return super().mask(agent) | cards(self.played if agent == self.agent_selection else [])

    def step(self, action):
        if action is None or action in self.legal(self.agent_selection):
            super().step(action)
        else:
            self._cumulative_rewards[self.agent_selection] = 0.0
            self._clear_rewards()


@broken("legality")
class MaskForbidsTooMuch(Duel):
    """The highest card may not lead, says the mask alone."""

    def mask(self, agent):
        legal = self.legal(agent)
        return cards(sorted(legal)[:-1] if len(legal) > 1 and self.table == NOBODY else legal)


@broken("legality")
class RefusalCostsTheTurn(Duel):
    def check(self, agent, action):
        if action not in self.legal(agent):
            self.agent_selection = self.other(agent)
            raise ValueError("illegal")


@broken("legality")
class RefusalForgetsLate(Duel):
    """What a refused action breaks cannot be seen until the trick is compared."""

    def reset(self, seed=None, options=None):
        self.wronged = False
        super().reset(seed)

    def check(self, agent, action):
        self.wronged = self.wronged or action not in self.legal(agent)
        super().check(agent, action)

    def compare(self, agent, action):
        super().compare(agent, action)
        if self.wronged:
            self.rewards = {name: -reward for name, reward in self.rewards.items()}


@broken("legality")
class OffenderIsNotPunished(GuardedDuel):
    def end(self):
        if any(self.hands.values()):
            self.rewards = {name: -reward for name, reward in self.rewards.items()}
        super().end()


@broken("mover_can_act")
class MaskRunsEmpty(Duel):
    """With one card left the mask is empty."""

    def mask(self, agent):
        return cards([]) if len(self.hands[agent]) == 1 else super().mask(agent)


@broken("idle_masks")
class IdleMayAct(Duel):
    def mask(self, agent):
        return cards(self.hands[agent])


@broken("masks_agree")
class MasksDisagree(Duel):
    def tell(self):
        for name in self.agents:
            self.infos[name] = {"action_mask": cards(self.legal(name)[:1])}


# -- observations -------------------------------------------------------------------------------------------------


@broken("same_space")
class SpaceIsNew(Duel):
    def action_space(self, agent):
        return Discrete(CARDS)


@broken("observations")
class OutOfBounds(Duel):
    def numbers(self, agent):
        return super().numbers(agent) * np.int8(1 + len(self.played) // 4)


@broken("observations")
class WrongType(Duel):
    def numbers(self, agent):
        return super().numbers(agent).astype(np.float32)


@broken("observations")
class WrongTypeOfMask(Duel):
    """Passes for bounds and keys, but no space can be sampled with it."""

    def mask(self, agent):
        return super().mask(agent).astype(np.int64)


@broken("observations")
class ForgottenKey(Duel):
    def observe(self, agent):
        return {**super().observe(agent), "turn": len(self.played)}


@broken("observations")
class IdleCannotLook(Duel):
    def observe(self, agent):
        if agent != self.agent_selection:
            raise KeyError(agent)
        return super().observe(agent)


# -- rewards and endings ------------------------------------------------------------------------------------------


@broken("rewards")
class RewardsPileUp(Duel):
    """An agent's step does not clear what was paid before."""

    def check(self, agent, action):
        super().check(agent, action)
        self.kept = self._cumulative_rewards[agent]

    def _accumulate_rewards(self):
        super()._accumulate_rewards()
        self._cumulative_rewards[self.names[0]] += self.kept


@broken("rewards")
class RewardsCrossed(Duel):
    """Each is paid what the other won."""

    def _accumulate_rewards(self):
        for name, reward in self.rewards.items():
            self._cumulative_rewards[self.other(name)] += reward


@broken("zero_sum")
class WinnerTakesTwo(Duel):
    def compare(self, agent, action):
        super().compare(agent, action)
        self.rewards = {name: reward * (2 if reward > 0 else 1) for name, reward in self.rewards.items()}


@broken("flags")
class SomeAreLeftBehind(Duel):
    """Only the winner's game ends."""

    def end(self):
        self.terminations[self.agent_selection] = True
        self._deads_step_first()


@broken("flags")
class EndedAndCut(Duel):
    def end(self):
        self.truncations = dict.fromkeys(self.agents, True)
        super().end()


@broken("flags")
class FlagsAreNumbers(Duel):
    def end(self):
        super().end()
        self.truncations = {name: np.bool_(False) for name in self.agents}


@broken("flags")
class RewardsForgetSomebody(Duel):
    """Nobody, rather, as long as nothing is paid."""

    def tell(self):
        if len(self.played) % 2:
            self.rewards = {}


@broken("leaving")
class NobodyLeaves(Duel):
    def _was_dead_step(self, action):
        self.agent_selection = self.other(self.agent_selection)


@broken("leaving")
class AllLeaveAtOnce(Duel):
    def _was_dead_step(self, action):
        for _ in self.names:
            super()._was_dead_step(None)


@broken("leaving")
class TheDeadAreNotTold(Duel):
    def last(self, observe=True):
        if self.terminations[self.agent_selection]:
            raise KeyError(self.agent_selection)
        return super().last(observe)


@broken("start")
class EndsBeforeItBegins(Duel):
    def reset(self, seed=None, options=None):
        super().reset(seed)
        self.end()


# -- hidden information -------------------------------------------------------------------------------------------


@broken("no_leak")
class ShowsTheOtherHand(Duel):
    def numbers(self, agent):
        numbers = super().numbers(agent)
        numbers[-CARDS:] |= cards(self.hands[self.other(agent)][:1])
        return numbers


@broken("no_leak")
class InfoTellsTooMuch(Duel):
    def tell(self):
        for name in self.agents:
            own, others = self.hands[name], self.hands[self.other(name)]
            self.infos[name] = {"leads": max(own, default=0) > max(others, default=0)}


@broken("no_leak")
class MaskTellsTooMuch(Duel):
    """A card that would lose is forbidden, and really so: from the mask the other hand can be read."""

    def legal(self, agent):
        hand = super().legal(agent)
        best = [card for card in hand if card > max(self.hands[self.other(agent)], default=0)]
        return best or hand


@broken("no_leak")
class DrawingShowsAll(Duel):
    def drawing_for(self, agent):
        return str(self.hands)


@broken("redeal")
class RedealDoesNothing(Duel):
    def sample_hidden(self, agent, seed):
        return self.clone()


@broken("redeal")
class RedealByChance(Duel):
    def sample_hidden(self, agent, seed):
        return super().sample_hidden(agent, secrets.randbelow(10**6))


@broken("redeal")
class RedealMovesTheGame(Duel):
    """The other's hand goes astray in the game itself."""

    def sample_hidden(self, agent, seed):
        world = super().sample_hidden(agent, seed)
        self.hands[self.other(agent)] = world.hands[self.other(agent)].copy()
        return world
