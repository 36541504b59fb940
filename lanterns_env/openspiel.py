"""The games as OpenSpiel's: importing this module registers ``python_lanterns`` and the others with pyspiel.

Needs open_spiel; nothing else imports this module.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import pyspiel  # type: ignore[import-not-found]

from lanterns_env.engine.batch import Batch, check_reward
from lanterns_env.engine.game import PRESET, Game, Option
from lanterns_env.games import GAMES
from lanterns_env.games.deals import Deals, deals_of

EVERY_DEAL = 0  # for the parameter "deals"; a larger number is a sample of so many
MOST_LISTED = 100_000  # deals of one chance node
SEED_BYTES, BYTE = 8, 256  # where there are more, a deal is drawn byte by byte of its seed
WORD = -1  # a value in words of an option whose other values are numbers ("drawn")
UTILITY_BOUND = 10.0  # for "margin"; as many margin scales for "points"
DECISIONS_A_TURN = 21  # Lighthouse: four steps, a tower by each about which four are asked, a stone for the harbour
MAX_TURNS = 500  # of games that have no such option
MEMORY_BYTES = 16
SAMPLER_STEPS = 2**53  # OpenSpiel's samplers give fractions; from them comes the seed of a redealt world


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its parameters: players, reward, deals, preset and the game's options.  Subclassed for every game.

    Chance comes first, in one node or several.  A variant whose deals can be listed has one, of all deals with their
    exact weights.  A sample of N deals is one, of the seeds 0 to N - 1.  All else is drawn byte by byte of the seed.
    """

    game: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self.game
        given = {**parameters(game), **(params or {})}
        self.players = game.check_players(given["players"])
        self.reward = check_reward(given["reward"])
        self.options = game.check_options(self.players, chosen_options(game, given))
        sample = given["deals"]
        if sample < EVERY_DEAL:
            raise ValueError(f"deals must be a number of deals, or {EVERY_DEAL} for every deal; not {sample}")
        self.listed = listed_deals(game, self.players, self.options) if sample == EVERY_DEAL else None
        self.chance_nodes = SEED_BYTES if self.listed is None and sample == EVERY_DEAL else 1
        self.chances = np.full(sample or BYTE, 1 / (sample or BYTE)) if self.listed is None else self.listed.weights
        super().__init__(game_type(game, self.reward), self._info(), params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def deal(self, drawn: tuple[int, ...]) -> Batch:
        """The game of a deal: its number in the list, or the digits of its seed."""
        seed = reduce(lambda higher, digit: higher * len(self.chances) + digit, drawn, 0)
        batch = Batch(self.game, 1, self.players, seeds=[seed], autoreset=False, reward=self.reward, **self.options)
        if self.listed is not None:
            batch._deal_orders(self.listed.orders[seed : seed + 1])
        return batch

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.chance_nodes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer | None":
        """What one player sees; there is no observer for its public or private part alone."""
        if params:
            raise ValueError(f"observers take no parameters; got {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.game, kind.perfect_recall)

    def _info(self) -> Any:
        low, high = {
            "outcome": (-1 / (self.players - 1), 1.0),
            "margin": (-UTILITY_BOUND, UTILITY_BOUND),
            "points": (-UTILITY_BOUND * self.game.margin_scale, UTILITY_BOUND * self.game.margin_scale),
        }[self.reward]
        return pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=len(self.chances),
            num_players=self.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if self.reward == "outcome" else None,
            max_game_length=DECISIONS_A_TURN * self.options.get("max_turns", MAX_TURNS),
        )


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game from its deal on: chance nodes pick the deal, all else is decided by the players.

    Every player has a memory: a digest of all that it has seen and done.  With what it sees now it makes
    the information state, so that states which a player could ever tell apart have different ones.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._drawn: tuple[int, ...] = ()  # by the chance nodes so far
        self._batch: Batch | None = None
        self._memory = (b"",) * game.players
        self._rewards = (0.0,) * game.players
        self._returns = (0.0,) * game.players

    def current_player(self) -> int:
        if self._batch is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self._batch.dones[0] else self._batch.current_players[0])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.get_game().chances.tolist()))

    def is_terminal(self) -> bool:
        return self._batch is not None and bool(self._batch.dones[0])

    def returns(self) -> list[float]:
        return list(self._returns)

    def rewards(self) -> list[float]:
        return list(self._rewards)

    def seen(self, player: int) -> NDArray[np.int8]:
        """The view of a player as plain numbers; zeros before the deal."""
        if self._batch is None:
            return np.zeros(self.get_game().game.view.itemsize, np.int8)
        view: NDArray[np.int8] = self._batch.observe([0], player)[0]
        return view

    def remembered(self, player: int) -> bytes:
        """The digest of all that a player has seen and done."""
        return self._memory[player]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """The same game with all that a player cannot know dealt anew; what the others remember begins now."""
        other: SpielState = self.clone()
        if self._batch is not None:
            other._batch = self._batch.worlds([0], [player], [int(sampler() * SAMPLER_STEPS)])
            other._memory = (b"",) * len(self._memory)
            other._remember(-1, -1)
            other._memory = (*other._memory[:player], self._memory[player], *other._memory[player + 1 :])
        return other

    def __str__(self) -> str:
        """The whole table."""
        if self._batch is None:
            return f"before the deal {self._drawn}"
        game, seats = self._batch.game, len(self._memory)
        views = self._batch.observe(np.zeros(seats, int), np.arange(seats)).reshape(-1).view(game.view)
        return game.draw(views)

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(self._dealt().action_masks[0])]

    def _apply_action(self, action: int) -> None:
        if self._batch is None:
            self._draw(action)
            return
        mover = self.current_player()
        self._batch.step([action])
        self._rewards = self._fallen(self._batch)
        self._returns = tuple(map(sum, zip(self._returns, self._rewards, strict=True)))
        self._remember(mover, action)

    def _draw(self, outcome: int) -> None:
        """Chance picks the deal, or the next byte of its seed."""
        self._drawn = (*self._drawn, outcome)
        if len(self._drawn) == self.get_game().chance_nodes:
            self._batch = self.get_game().deal(self._drawn)
            self._remember(-1, -1)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"byte {action}" if self.get_game().chance_nodes > 1 else f"deal {action}"
        if self._batch is None:
            return f"action {action}"
        return self._batch.game.describe(self._batch.views[0], action)

    def _fallen(self, batch: Batch) -> tuple[float, ...]:
        """The rewards of the last step; outcomes in double precision, for OpenSpiel adds them up to exactly zero."""
        if self.get_game().reward != "outcome" or not batch.dones[0]:
            return tuple(batch.rewards[0].tolist())
        share = batch.scores()[1][0].astype(np.float64)
        return tuple(((len(share) * share / share.sum() - 1) / (len(share) - 1)).tolist())

    def _remember(self, mover: int, action: int) -> None:
        """Every player takes in what it sees, the mover also what it did."""
        seats = len(self._memory)
        views = self._dealt().observe(np.zeros(seats, int), np.arange(seats))
        deeds = (action if seat == mover else -1 for seat in range(seats))
        parts = zip(self._memory, deeds, views, strict=True)
        self._memory = tuple(digest(memory, deed, view) for memory, deed, view in parts)

    def _dealt(self) -> Batch:
        if self._batch is None:
            raise ValueError("the game has not been dealt")
        return self._batch


class Observer:
    """A player's view for OpenSpiel's tensors, every field by its name in ``dict`` and divided by its bound.

    Information states and observations have the same tensor: the view.  The memory is in their strings alone.
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self.tensor = np.zeros(game.view.itemsize, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        first = 0
        for field in game.fields:
            self.dict[field.name] = self.tensor[first : first + field.size].reshape(field.shape or (1,))
            first += field.size
        self._bounds = np.maximum(np.abs(game.low.astype(np.float32)), game.high)
        self._perfect_recall = perfect_recall

    def set_from(self, state: SpielState, player: int) -> None:
        np.divide(state.seen(player), self._bounds, out=self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        """The bytes of the view, for an information state also the seat and the memory, in hexadecimal."""
        view = state.seen(player).tobytes().hex()
        return f"{player} {state.remembered(player).hex()} {view}" if self._perfect_recall else view


def digest(memory: bytes, deed: int, view: NDArray[np.int8]) -> bytes:
    news = memory + deed.to_bytes(4, "little", signed=True) + view.tobytes()
    return hashlib.blake2b(news, digest_size=MEMORY_BYTES).digest()


def parameters(game: Game) -> dict[str, Any]:
    """The parameters of a game with their defaults."""
    options = {name: coded(option, option.default) for name, option in game.options.items()}
    return {"players": game.default_players, "reward": "outcome", "deals": EVERY_DEAL, PRESET: "", **options}


def chosen_options(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the game takes them.  Beside a preset, one that has its default counts as not given.

    OpenSpiel fills in defaults before it makes a game: which were given cannot be known.
    """
    values = {name: decoded(option, given[name]) for name, option in game.options.items()}
    if not given[PRESET]:
        return values
    own = {name: value for name, value in values.items() if value != game.options[name].default}
    return {PRESET: given[PRESET], **own}


def listed_deals(game: Game, num_players: int, options: dict[str, Any]) -> Deals | None:
    """All deals of a table, if they are few enough for one chance node."""
    try:
        deals = deals_of(game, num_players, options)
    except ValueError:  # the game lists none, or there are too many
        return None
    return deals if len(deals.orders) <= MOST_LISTED else None


def coded(option: Option, value: Any) -> Any:
    """An option's value as a parameter: OpenSpiel wants all values of one type."""
    return WORD if mixed(option) and isinstance(value, str) else value


def decoded(option: Option, value: Any) -> Any:
    if mixed(option) and value == WORD:
        return next(word for word in option.values if isinstance(word, str))
    return value


def mixed(option: Option) -> bool:
    return {int, str} <= {type(value) for value in option.values}


def game_type(game: Game, reward: str = "outcome") -> Any:
    zero_sum, in_steps = reward == "outcome", reward == "points"
    utility, model = pyspiel.GameType.Utility, pyspiel.GameType.RewardModel
    return pyspiel.GameType(
        short_name=f"python_{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=model.REWARDS if in_steps else model.TERMINAL,
        max_num_players=game.max_players,
        min_num_players=min(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


def register(game: Game) -> None:
    """Make a game known to pyspiel, as ``python_`` and its name."""
    # A class, for pyspiel drops what makes its games after Python has ended; a class outlives that.
    pyspiel.register_game(game_type(game), type(f"Spiel{game.name.capitalize()}", (SpielGame,), {"game": game}))


for name in GAMES:
    register(GAMES[name])
