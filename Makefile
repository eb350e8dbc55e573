# The two commands of the README are `make run` and `make test`.

VENV := .venv
BIN := $(VENV)/bin
# Alone, a test leaves cores idle. ARGS="-n 0" runs one test after the other.
SIDE_BY_SIDE := -n 2 --dist worksteal

.PHONY: run test quick format clean screenshots catalogues bench torture
.DEFAULT_GOAL := run

run: $(VENV)/.ready-run
	@$(BIN)/negoplatform $(ARGS)

test: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest $(SIDE_BY_SIDE) $(ARGS)

# Everything but the real windows.
quick: $(VENV)/.ready-dev
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not window" $(ARGS)

format: $(VENV)/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

screenshots: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	NEGOPLATFORM_SCREENSHOTS=docs/images $(BIN)/pytest tests/window/test_screens.py

# After a change of what the window says: collects its sentences, and compiles what is translated of them.
catalogues: $(VENV)/.ready-dev
	$(BIN)/python scripts/catalogues.py

# Offers per second beside a bare loop, the frontier beside brute force, the log beside a bare write, a card beside
# a plain area, the transcript beside a bare text field, the running window beside its goals, all pairs.
bench: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	$(BIN)/python benchmarks/offers.py
	$(BIN)/python benchmarks/frontier.py
	$(BIN)/python benchmarks/log_writes.py
	$(BIN)/python -m benchmarks.redraw
	$(BIN)/python -m benchmarks.transcript
	$(BIN)/python -m benchmarks.window
	$(BIN)/python benchmarks/all_pairs.py

# Every promise of docs/reliability.md, long: kills, power cuts, full disks, misbehaving agents in a real window.
# The table goes to torture.md.
torture: $(VENV)/.ready-fuzz
	@sh scripts/need-x-tools.sh
	$(BIN)/python -m tests.torture --out torture.md $(ARGS)

$(VENV)/.ready-run: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) .
	@touch $@

$(VENV)/.ready-dev: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[dev]'
	@touch $@ $(VENV)/.ready-run

$(VENV)/.ready-fuzz: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[dev,fuzz]'
	@touch $@ $(VENV)/.ready-dev $(VENV)/.ready-run

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
