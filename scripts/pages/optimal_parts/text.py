"""The words of the page "How far from optimal"; its tables are made by optimal.py."""

HEAD = """# How far from optimal

<!-- written by scripts/pages/optimal.py -->

A win share says who beats whom. It does not say who could beat an agent: somebody who knows how it plays, and plays
against just that. On small variants of the games this is computed exactly. In the full games it can only be searched
for.

## What the numbers mean

* **Outcome.** All figures here are in the default reward, `(n * share - 1) / (n - 1)`. With two players a win is 1 and
  a loss -1, with three a win is 1 and a loss -0.5. So payoffs range over 2 with two players, over 1.5 with three. In
  self-play the outcomes of all seats add up to 0, however well or badly they play: a learning curve of rewards shows
  nothing.
* **Best response.** All seats but one play as the agent does. The policy that earns most in the free seat is a best
  response. It knows how the agent plays, but sees no more of what is hidden than anybody in that seat. On a small
  variant it is found by going through every deal and every sequence of actions.
* **Gain of a seat.** What a best response earns there, less what the agent itself earns there. It is never negative.
  With two players a gain of 0.2 means: whoever knows the agent wins 10 games in 100 more than the agent itself would.
* **NashConv.** The gains of all seats added up. At 0 nobody can gain by playing otherwise: a Nash equilibrium. With two
  players nobody beats an equilibrium on average, and half of NashConv is what OpenSpiel calls exploitability. With
  three or more it promises less: it is about *one* seat that deviates, not about two that do.
* **Memory.** With perfect recall a best response remembers every view it has had, after each move of anybody. A network
  that is given the present view alone may be able to gain less. Both stand side by side where the tool that trains
  such networks is checked.
* **Lower bound.** In the full games nobody can compute a best response. `lanterns exploit` trains one. What it gains
  can be gained, so the true figure is at least as high. Little found is no proof that an agent is safe: a better
  exploiter may find more.
"""

VARIANTS = """## The variants

The same rules with fewer pieces: the presets `tiny` and `small` (`--option preset=tiny`), and some that are smaller
still, so that slow agents and many runs can be measured. A history is a node of the game tree: a deal and the actions
so far. An information set is all that the player to move cannot tell apart, with perfect recall.
"""

AGENTS = """## Agents

NashConv and the gain by seat where every seat is played by the same agent; 0 is optimal. Agents that draw random
numbers are measured with several seeds, each with one fixed draw for every information set: the mean comes first, then
the lowest and the highest.

* `random` plays every legal action with the same chance.
* "drawn" behind a name: the agent's actions are drawn by the probabilities that it gives. Without it, it plays as in
  matches, its best action always.
* `champion` was trained on the full game. A variant is out of its field.
* `ppo` was trained on the variant itself, for as many decisions as the settings file `tiny_*` of the game says.
* `solved` is the policy that `lanterns solve` ends with. With three players nothing promises that it comes near 0.
"""

SEARCH = """## Search

More simulations make search stronger. Do they make it harder to exploit? Here `search:N` makes N simulations a
decision, in worlds redealt from what the player knows.
"""

PPO = """## PPO over training

Self-play PPO on the variants, measured at growing numbers of decisions, for some weights of the entropy, `ent_coef`,
and of the [magnet](guides/ppo.md#different-from-cleanrl), `magnet_coef`. All other settings are those of the settings
file `tiny_*` of the game. The figure shows the policy whose actions are drawn by their probabilities: the mean of the
seeds, upright lines from the lowest to the highest. The table has the end of each run.
"""

CALIBRATED = """## Calibration

Is what `lanterns exploit` finds all there is? On the variants this can be checked. All figures are gains of one
deviating seat, the mean over the seats, against copies of the victim:

* "perfect recall": exact, of a best response that remembers every view;
* "own decisions": exact, of one that remembers what it saw whenever it was to move, as an agent in a match may;
* "view alone": of one that sees nothing but the present view, as a learner does. The best such policy is hard to
  compute; two numbers mean that it lies between them;
* "found": of the network that `lanterns exploit` trained, computed exactly on the same tree.
"""

FULL = """## Champions of the full games

Nothing is exact here: a network is trained against frozen copies of the champion. The gain is its win share less the
fair share, in matches on fresh deals from every seat, so it is a **lower bound** of what can be gained. In brackets
95 % intervals over deals.
"""

REPEAT = """## Measure it yourself

Every figure is kept with its command in `docs/results/optimal`. From a clone, the first line measures what is missing;
it can be stopped, and goes on where it stopped. The second writes this page.

```console
python scripts/bench/calibrate.py --minutes 10
make pages
```
"""
