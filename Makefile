# Main targets: `make run` starts the program, `make test` runs the whole suite.

VENV := .venv
BIN := $(VENV)/bin
# Window tests mostly wait, so four at a time keep two cores busy. ARGS="-n 0" runs the tests one at a time.
SIDE_BY_SIDE := -n 4 --dist worksteal

# The tests start the program hundreds of times. With compiled modules it starts in two thirds of the time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run app test test-pythons quick format clean screenshots demo catalogues studies bench torture docs test-app
.PHONY: windows-env test-windows app-windows test-app-windows torture-windows
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

# Build the program that needs no Python: a folder in dist, and on Linux also an archive and a package.
app: $(VENV)/.ready-app
	$(BIN)/python packaging/build.py

# Test the packaged program: built, unpacked where it cannot use this folder, and operated with real mouse and keys.
test-app: app $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	@PYTEST=$(BIN)/pytest sh scripts/test-app.sh $(SIDE_BY_SIDE) $(ARGS)

# Bring up Wine with a Python for Windows and the packages of this project in build/windows.
windows-env: $(VENV)/.ready-windows
	@sh scripts/need-wine.sh
	$(BIN)/python -m scripts.windows_env

# Run thirteen folders of the suite with Python for Windows under Wine, then the tests of the program's window there.
test-windows: windows-env
	@sh scripts/need-x-tools.sh
	$(BIN)/python -m scripts.test_windows $(ARGS)
	NEGOPLATFORM_WINDOWS_PYTHON=build/windows/python/python.exe $(BIN)/pytest tests/windows -n 2 --dist worksteal

# Build the program for Windows by that Python, and its installer: dist/windows.
app-windows: windows-env
	@sh scripts/need-wine.sh makensis
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 1700000000) $(BIN)/python -m scripts.windows_env run \
		-X utf8 packaging/build.py --dist dist/windows --work build/windows/app
	$(BIN)/python packaging/windows_installer.py dist/windows/NegoPlatform

# Test that program under Wine: installed by its installer, operated with real mouse and keys, and uninstalled.
test-app-windows: app-windows
	@sh scripts/need-x-tools.sh
	NEGOPLATFORM_SETUP=$$(ls -t dist/windows/*-setup.exe | head -n 1) $(BIN)/pytest tests/packaged $(SIDE_BY_SIDE) $(ARGS)

# Run all tests except those with real windows.
quick: $(VENV)/.ready-dev
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not window" $(ARGS)

# Run the same tests, and some with windows, on each installed Python from 3.11 on, each in its own virtual environment.
test-pythons:
	@sh scripts/test-pythons.sh $(ARGS)

format: $(VENV)/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

screenshots: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	NEGOPLATFORM_SCREENSHOTS=docs/images $(BIN)/pytest tests/window/test_screens.py

# Regenerate the animation of the README: a short negotiation in the real window.
demo: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	$(BIN)/python -m scripts.demo

# Build the guides and the reference as a site in build/site. A warning is an error. (--quiet would hide warnings.)
docs: $(VENV)/.ready-dev
	$(BIN)/properdocs build --config-file mkdocs.yml --strict
	@echo "Open build/site/index.html. Its search needs a server: $(BIN)/python -m http.server --directory build/site"

# Run this after changing texts of the window: collect them for translation, and compile the translations.
catalogues: $(VENV)/.ready-dev
	$(BIN)/python scripts/catalogues.py

# Freeze the shipped studies again: after a change in the folder studies, of a game, an agent or an instrument that they
# use, or of the program's version.
studies: $(VENV)/.ready-dev
	$(BIN)/python -m scripts.freeze_studies

# Run the benchmarks: offers per second against a plain loop, the frontier against brute force, the log against a plain
# write, a card against a plain area, the transcript against a plain text field, the window against its goals, all pairs.
bench: $(VENV)/.ready-dev
	@sh scripts/need-x-tools.sh
	$(BIN)/python benchmarks/offers.py
	$(BIN)/python benchmarks/frontier.py
	$(BIN)/python benchmarks/log_writes.py
	$(BIN)/python -m benchmarks.bidders
	$(BIN)/python -m benchmarks.market
	$(BIN)/python -m benchmarks.isolated
	$(BIN)/python -m benchmarks.tournament
	$(BIN)/python -m benchmarks.redraw
	$(BIN)/python -m benchmarks.transcript
	$(BIN)/python -m benchmarks.window
	$(BIN)/python benchmarks/all_pairs.py

# Test every promise of docs/reliability.md in long runs: kills, power failures, full disks, misbehaving agents in a
# real window; and all combinations of which make test runs a sample. The table is written to torture.md.
torture: $(VENV)/.ready-fuzz
	@sh scripts/need-x-tools.sh
	$(BIN)/python -m tests.torture --out torture.md $(ARGS)

# Try the same with Python for Windows under Wine: 300 kills of sessions, visits, programs at once, full disks.
torture-windows: windows-env
	$(BIN)/python -m tests.torture.windows $(ARGS)

$(VENV)/.ready-run: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) .
	@touch $@

$(VENV)/.ready-dev: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[dev]'
	@touch $@ $(VENV)/.ready-run

$(VENV)/.ready-app: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[app]'
	@touch $@ $(VENV)/.ready-run

$(VENV)/.ready-windows: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[dev,windows]'
	@touch $@ $(VENV)/.ready-dev $(VENV)/.ready-run

$(VENV)/.ready-fuzz: pyproject.toml scripts/make-venv.sh
	@sh scripts/make-venv.sh $(VENV) '.[dev,fuzz]'
	@touch $@ $(VENV)/.ready-dev $(VENV)/.ready-run

clean:
	rm -rf $(VENV) $(VENV)-3.* build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
