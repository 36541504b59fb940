PYTHON ?= python3
BIN := .venv/bin
export OMP_WAIT_POLICY := passive
EXTRAS := dev
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo install test check benchmark playthroughs integrations clean

demo: install  ## bots play a game, then the measured speed
	$(BIN)/python scripts/demo.py

install: .venv/installed  ## everything that tests and commands need, into .venv

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[$(EXTRAS)]"
	$(BIN)/python -c "import lanterns_env; lanterns_env.warm_up()"
	touch $@

test: install  ## compiled, with the compiler off, and with bounds checks
	$(BIN)/python -m pytest -n 2
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.numba_cache $(BIN)/python -m pytest -n 2 -m "not slow_to_compile"

check: install  ## style, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

benchmark: install  ## speed of the engine beside PettingZoo's own games
	$(BIN)/python scripts/benchmark.py

playthroughs: install  ## write the recorded games in tests/playthroughs anew
	$(BIN)/python -m tests.playthroughs

integrations:  ## train with RLlib, TorchRL and Tianshou, each in an environment of its own
	$(PYTHON) integrations/run.py

clean:
	rm -rf .venv .numba_cache build dist *.egg-info
