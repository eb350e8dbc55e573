# The two commands of the README are `make run` and `make test`.

VENV := .venv
BIN := $(VENV)/bin
# A test of a window waits more than it works: three at a time keep two cores busy. ARGS="-n 0" runs one after
# the other.
SIDE_BY_SIDE := -n 3 --dist worksteal

# The tests start the program hundreds of times; compiled once, it starts in two thirds of the time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run app test test-pythons quick format clean screenshots demo catalogues bench torture docs test-app
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

# The program for those who have no Python: a folder in dist, and on Linux an archive and a package of it.
app: $(VENV)/.ready-app
	$(BIN)/python packaging/build.py

# The packaged program, built and unpacked where nothing of this folder helps it, driven by real mouse and keys.
test-app: app $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	@PYTEST=$(BIN)/pytest sh scripts/test-app.sh $(SIDE_BY_SIDE) $(ARGS)

# Everything but the real windows.
quick: $(VENV)/.ready-dev
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not window" $(ARGS)

# The same and some windows on every Python from 3.11 on that is here, each with an environment of its own.
test-pythons:
	@sh scripts/test-pythons.sh $(ARGS)

format: $(VENV)/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

screenshots: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	NEGOPLATFORM_SCREENSHOTS=docs/images $(BIN)/pytest tests/window/test_screens.py

# The moving picture of the README: a short negotiation, played in the real window.
demo: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	$(BIN)/python -m scripts.demo

# The guides and the reference as a site, in build/site; a warning is an error. (--quiet would overlook warnings.)
docs: $(VENV)/.ready-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "Open build/site/index.html."

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

$(VENV)/.ready-app: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[app]'
	@touch $@ $(VENV)/.ready-run

$(VENV)/.ready-fuzz: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[dev,fuzz]'
	@touch $@ $(VENV)/.ready-dev $(VENV)/.ready-run

clean:
	rm -rf $(VENV) $(VENV)-3.* build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
