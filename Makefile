PYTHON ?= python3
BIN := .venv/bin
EXTRAS := dev
CHECKED := NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.numba_cache
BOUNDED := tests/contract tests/lanterns tests/lumen tests/lighthouse tests/attacks/test_moves.py
PYTEST := pytest -n 2 --dist worksteal
export OMP_WAIT_POLICY := passive
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo install test test-all check docs dist wheel attack benchmark ladder champions panel leaderboard pages notebooks playthroughs publisher integrations clean

demo: install  ## train for two minutes, see how strong that is; a game, and the measured speed
	$(BIN)/python scripts/demo.py

install: .venv/installed  ## everything that tests and commands need, into .venv

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[$(EXTRAS)]"
	$(BIN)/lanterns warmup
	touch $@

test: install  ## every rule, contract and interface, and a learning run: some minutes
	$(BIN)/python -m $(PYTEST) -m "not slow and not slow_to_compile"

test-all: test  ## and what is slow, everything with the compiler off, and with bounds checks
	$(BIN)/python -m $(PYTEST) -m "slow or slow_to_compile"
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m $(PYTEST) -m "not slow"
	$(CHECKED) $(BIN)/lanterns warmup
	$(CHECKED) $(BIN)/python -m $(PYTEST) -m "not slow and not slow_to_compile" $(BOUNDED)

attack: install  ## the attacks of the test suite at full size: an hour or two
	LANTERNS_ATTACK=full $(BIN)/python -m $(PYTEST) tests/attacks tests/search/test_everywhere.py
	$(CHECKED) LANTERNS_ATTACK=full $(BIN)/python -m $(PYTEST) tests/attacks/test_moves.py

check: install docs  ## style, types, documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: install  ## the site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

dist: install  ## the wheel and the source archive, in dist
	rm -rf dist
	$(BIN)/python -m build

wheel: install  ## install the wheel into an empty environment, and play from there
	$(BIN)/python -m pytest tests/test_wheel.py

benchmark: install  ## all that is measured of speed; README, the page on speed and the figures anew: ten minutes, idle
	$(BIN)/python scripts/bench/speed.py

ladder: install  ## play the matches of docs/results.md that are missing, and write the page
	$(BIN)/python scripts/pages/results.py

champions: install  ## play the matches of docs/champions.md that are missing, and write the page
	$(BIN)/python scripts/pages/champions.py

panel: install  ## let the members of the panel of `lanterns score` meet, and write how strong they are: half an hour
	$(BIN)/python scripts/panel.py

leaderboard: install  ## write docs/leaderboard.md from docs/results/scores
	$(BIN)/python scripts/pages/leaderboard.py

pages: install  ## write the generated pages and figures anew, from code and results
	for page in games networks settings readme figures optimal; do $(BIN)/python scripts/pages/$$page.py || exit 1; done

notebooks: install  ## run the notebooks in docs/notebooks, and write their pages
	$(BIN)/python scripts/pages/notebooks.py

playthroughs: install  ## write the recorded games in tests/playthroughs anew
	$(BIN)/python -m tests.playthroughs

publisher: install  ## write the addresses in publish.toml into every file that names one
	$(BIN)/python scripts/publisher.py

integrations:  ## train with RLlib, TorchRL and Tianshou, each in an environment of its own
	$(PYTHON) integrations/run.py

clean:
	rm -rf .venv .venv-integrations .numba_cache build dist *.egg-info
