SHELL := bash

# The two commands to know: `make run` and `make test`. Both do their own set-up.
.PHONY: run test lint bench setup clean web e2e

# Where `make run` keeps its workspace; an empty folder becomes the sample shop.
DIR ?= workspace
LISTEN ?= 127.0.0.1:8100

run: setup web ## Build all and serve the sample shop on http://127.0.0.1:8100
	cargo build --release --locked -p toolcrib-cli
	./target/release/toolcrib serve --dir $(DIR) --listen $(LISTEN)

test: setup web ## Everything that CI tests
	cd web && npm test
	cargo build --locked -p toolcrib-cli -p toolcrib-testkit
	cd web && TOOLCRIB_BIN=$(CURDIR)/target/debug/toolcrib SCRIPTED_MODEL_BIN=$(CURDIR)/target/debug/scripted-model npm run e2e
	cargo test --locked --doc -p toolcrib --all-features
	trap 'scripts/test-databases stop target/test-databases' EXIT; \
	TOOLCRIB_TEST_MAIN=postgres cargo nextest run --locked --workspace -E 'package(toolcrib-testkit)' && \
	cargo nextest run --locked --workspace

lint: setup web ## Format, lints, licences, docs
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	for feature in "" anthropic gemini http macros openai testing wire; do \
		cargo clippy --locked --quiet -p toolcrib --lib --no-default-features --features "$$feature" -- -D warnings || exit 1; \
	done
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --quiet
	RUSTDOCFLAGS="-D warnings" cargo doc --locked -p toolcrib --all-features --no-deps --quiet
	scripts/deny
	cd web && npm run lint

bench: setup web ## Measure what the product promises, and print a table
	cargo build --release --locked -p toolcrib-cli -p toolcrib-benches
	./target/release/toolcrib-benches

web: web/dist/index.html ## The web app, built

web/dist/index.html: web/node_modules/.package-lock.json web/index.html web/package.json $(shell find web/src web/public -type f 2>/dev/null)
	cd web && npm run build
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

setup: ## What the machine needs; quick when nothing is missing
	@scripts/setup

clean: ## Drop what was built; workspaces stay
	scripts/test-databases stop target/test-databases
	cargo clean
	rm -rf web/dist web/node_modules
