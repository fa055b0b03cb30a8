# Two commands: `make chat` and `make test`. Each sets up what it needs in .venv first, and only once.
# Without make:  python3 tools/setup.py && .venv/bin/empathic chat
#                python3 tools/setup.py --tests && .venv/bin/python -m pytest

PYTHON ?= python3
CHAT ?=
TEST ?=

.PHONY: chat test check docs clean

chat:
	@$(PYTHON) tools/setup.py
	@.venv/bin/empathic chat $(CHAT)

test:
	@$(PYTHON) tools/setup.py --tests
	@.venv/bin/python -m pytest --numprocesses auto $(TEST)

check:
	@$(PYTHON) tools/setup.py --tests
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python tools/cli_reference.py --check

docs:
	@$(PYTHON) tools/setup.py --tests
	.venv/bin/sphinx-build --fail-on-warning --keep-going --quiet -b html docs docs/_build/html

clean:
	rm -rf .venv .ci-venv .setup.lock build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
