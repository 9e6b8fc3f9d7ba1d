# Goodturn. `make run` tries it out, `make test` proves it; the rest is for developing.
SHELL := bash
export SQLX_OFFLINE := true
# What the set-up of the tests installs.
export PATH := $(CURDIR)/.tools/bin:$(PATH)
target := $(or $(CARGO_TARGET_DIR),target)
goodturn := $(target)/debug/goodturn

# A build that fails after it wrote index.html must not count as done.
.DELETE_ON_ERROR:
.PHONY: help run build web test test-all quick release bench bench-web pictures soak sqlx proto fmt audit clean
help: ## What there is
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 16

run: web build ## Starts local mode on 127.0.0.1:8080 (GOODTURN_LISTEN changes it) with demo members; Ctrl-C stops it
	@GOODTURN_DEMO=$${GOODTURN_DEMO:-true} exec $(goodturn) serve

build: ## The program, for developing
	@cargo build --locked --bin goodturn

web: web/dist/index.html ## The web app, when something of it changed

# Folders are listed too: their times change when a file is deleted.
web/dist/index.html: web/node_modules/.package-lock.json web/index.html web/vite.config.ts web/tsconfig.json $(shell find web/src web/public web/scripts)
	cd web && npm run build
	@touch $@

# npm writes this file itself, at the end of an installation.
web/node_modules/.package-lock.json: web/package-lock.json web/package.json
	cd web && npm ci
	@touch $@

test: ## Every check that must pass before a change lands; installs what it needs (19 minutes on two cores)
	@scripts/test.sh

test-all: ## The same, and the pseudo-language, all SQL tests on each Postgres, and known vulnerabilities
	@scripts/test.sh --all

quick: web/node_modules/.package-lock.json ## Formats, types, lints and unit tests: no database, no browser
	@scripts/quick.sh

release: web ## target/release/goodturn and web/dist, for deploying
	cargo build --locked --release --bin goodturn

bench: web/node_modules/.package-lock.json ## What calls cost, on a release build: beside the commit before, a bare service and pgbench
	@scripts/bench.sh

bench-web: web build ## The first load of the web app on a slow network; writes web/RESULTS.md
	@scripts/with-demo.sh node web/scripts/bench.mjs

pictures: web build ## The pictures of README.md, anew: screens of the demo data, in docs/
	@scripts/with-demo.sh node web/scripts/pictures.mjs

soak: web/node_modules/.package-lock.json ## What must survive what, at full numbers: within 20 minutes, on a release build
	@scripts/soak.sh

sqlx: web/node_modules/.package-lock.json ## Writes .sqlx anew, after a query or a migration changed
	@scripts/sqlx.sh

proto: web/node_modules/.package-lock.json ## Writes the browser's types anew, after the contract changed
	cd web && npm run gen

fmt: web/node_modules/.package-lock.json ## Formats everything
	cargo fmt
	cd web && npm run fix
	web/node_modules/.bin/buf format proto --write

audit: ## Licences, sources and bans of the crates, and known holes in npm's packages
	@scripts/audit.sh

clean: ## Removes what was built; keeps .data
	rm -rf target web/dist web/node_modules tests/clients/node_modules .tools
