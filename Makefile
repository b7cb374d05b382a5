# Ticketgate. `make run` serves a demo, `make test` runs the tests. Only Go and make must be installed.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
TOOLS   := .tools/bin

# The same flags for all commands, so that they share compiled packages. Only the race detector needs cgo.
export CGO_ENABLED := 0
export GOFLAGS := $(GOFLAGS) -trimpath -buildvcs=false

# Runs the command after it with a private PostgreSQL.
WITH_DATABASE := go run ./db/dbtest/run --

# Hand-written Go: graph/graphgen formats its own output.
SOURCES = find . \( -path './.*' -o -path ./graph/generated -o -path ./data -o -name node_modules \) -prune -o -name '*.go' -print

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: dashboard ## compile bin/ticketgate, with the dashboard if Node is installed
	@# Without debug information, a quarter of the file. Stack traces and profiles keep their names.
	@started=$$(date +%s); \
	go build -ldflags '-s -w -X ticketgate/cmd/ticketgate/program.Version=$(VERSION)' -o bin/ticketgate ./cmd/ticketgate && \
	echo "built bin/ticketgate in $$(( $$(date +%s) - started )) s"

# The dashboard is rebuilt when its sources change. Without Node, the program serves only its API, and says so.
PAGE         = dashboard/dist/index.html
PAGE_SOURCES = $(shell find dashboard/src dashboard/*.* graph/schema docs -type f ! -name '*.generated.ts' ! -name '*.go' ! -name '*.test.ts' ! -name '*.png') docs/verify-signature/verify.go rest/openapi.yaml rest/openapi_schemas.yaml

.PHONY: dashboard
dashboard: ## build the dashboard into dashboard/dist if its sources have changed
	@if .tools/node-suits; then $(MAKE) -s $(PAGE); \
	else echo "notice: the dashboard is not built, because Node 20.19 or newer with npm is not installed; only the API is served" >&2; fi

$(PAGE): dashboard/node_modules/.package-lock.json $(PAGE_SOURCES)
	@echo "building the dashboard" >&2
	@npm --prefix dashboard run --silent build

dashboard/node_modules/.package-lock.json: dashboard/package-lock.json
	@echo "installing the packages of the dashboard" >&2
	@npm --prefix dashboard ci --silent --no-audit --no-fund
	@touch $@

.PHONY: run
run: build ## serve a demo on http://127.0.0.1:8080, with a private PostgreSQL under ./data unless TICKETGATE_DATABASE_URL is set
	@[ -n "$$TICKETGATE_DATABASE_URL" ] || .tools/prerequisites postgresql
	@exec env TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true bin/ticketgate serve --demo

.PHONY: test
test: ## run all tests, with the race detector if gcc is installed
	@.tools/prerequisites postgresql gcc nodejs chromium-headless-shell pgbouncer haproxy
	@$(MAKE) --no-print-directory dashboard
	@command -v gcc >/dev/null || echo "notice: gcc is not installed, so the tests run without the race detector" >&2
	@.tools/failures-last $(WITH_DATABASE) $(MAKE) --no-print-directory -j2 test-go test-programs

# Without debug information, linking takes a third less time.
GO_TEST = go test -vet=off -ldflags=-s -parallel 4

# netgo: with cgo, the C library would resolve names. atexit_sleep_ms=0: each test binary would otherwise sleep a second at its end.
GO_RACE = $(shell command -v gcc >/dev/null && echo env CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 $(GO_TEST) -race -tags netgo || echo $(GO_TEST))

# These tests start the built program, or read its sources. The race detector would cover only the test. In the other folders
# of cmd/systemtest, tests run the program within their own process, where it is covered.
OF_PROCESSES = ./cmd/systemtest/commands ./cmd/systemtest/layers

.PHONY: test-go
test-go:
	@$(GO_RACE) -timeout 30m $$(go list ./... | grep -vxF "$$(go list $(OF_PROCESSES))")

.PHONY: test-programs
test-programs:
	@failed=0; ! .tools/node-suits || npm --prefix dashboard test --silent || failed=1; \
	$(MAKE) --no-print-directory test-dashboard || failed=1; \
	$(GO_TEST) -timeout 30m $(OF_PROCESSES) || failed=1; exit $$failed

# Each case of the browser suite has a time limit. The whole suite has none, because a busy machine takes long.
.PHONY: test-dashboard
test-dashboard: ## run only the browser suite; `make test` includes it
	@$(if $(TICKETGATE_TEST_SUPERUSER_URL),,$(WITH_DATABASE)) $(GO_TEST) -timeout 0 ./cmd/systemtest/dashboard

.PHONY: screenshots
screenshots: build ## show each page of the dashboard in light and dark, wide and narrow: pictures in FOLDER (data/screenshots)
	@.tools/prerequisites postgresql nodejs chromium-headless-shell
	@.tools/screenshots $(FOLDER)

.PHONY: check
check: check-format check-lint check-generated check-modules check-dashboard check-openapi check-graphql check-prose ## formatting, vet, linters, generated code, modules, the dashboard, both APIs, the prose

.PHONY: check-format
check-format: $(TOOLS)/gofumpt
	@difference=$$($(SOURCES) | xargs $< -d) && [ -z "$$difference" ] || { echo "$$difference"; echo "not formatted: gofumpt -w"; exit 1; }

# The linters include the analyzers of go vet, but skip generated code.
.PHONY: check-lint
check-lint: $(TOOLS)/golangci-lint
	$< config verify
	$< run ./...
	go vet ./graph/generated/...

.PHONY: check-generated
check-generated:
	.tools/generated-current

.PHONY: check-modules
check-modules:
	go mod tidy -diff
	go mod verify
	@go list -m -f '{{if not (or .Main .Indirect)}}{{.Path}}{{end}}' all | while read -r module; do \
		grep -qF "| \`$$module\` |" docs/dependencies.md || { echo "docs/dependencies.md has no row for $$module"; exit 1; }; done

# Types are generated from the schema, and everything is checked against them: a page can't request unknown fields.
.PHONY: check-dashboard
check-dashboard:
	@if .tools/node-suits; then $(MAKE) -s dashboard/node_modules/.package-lock.json && npm --prefix dashboard run --silent check; \
	else echo "notice: the dashboard is not checked, because Node 20.19 or newer with npm is not installed" >&2; [ -z "$$CI" ]; fi

# The linters are installed once. Linting needs no network.
.PHONY: check-openapi
check-openapi:
	@if .tools/node-suits; then $(MAKE) -s .tools/openapi/node_modules/.package-lock.json && .tools/openapi/check; \
	else echo "notice: the OpenAPI document is not checked, because Node 20.19 or newer with npm is not installed" >&2; [ -z "$$CI" ]; fi

.tools/openapi/node_modules/.package-lock.json: .tools/openapi/package-lock.json
	@echo "installing the linters of the OpenAPI document" >&2
	@npm --prefix .tools/openapi ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# The checkers are installed once. They need a running server, but no network.
.PHONY: check-graphql
check-graphql:
	@if .tools/node-suits && .tools/prerequisites postgresql; then $(MAKE) -s .tools/graphql/node_modules/.package-lock.json && .tools/graphql/check; \
	else echo "notice: the GraphQL server is not checked, because Node 20.19 or newer with npm, or PostgreSQL, is not installed" >&2; [ -z "$$CI" ]; fi

.tools/graphql/node_modules/.package-lock.json: .tools/graphql/package-lock.json
	@echo "installing the checkers of the GraphQL server" >&2
	@npm --prefix .tools/graphql ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

.PHONY: generate
generate: ## generate graph/generated, new resolvers and the schemas of the OpenAPI document from graph/schema
	go run ./graph/graphgen
	go run ./rest/openapigen

.PHONY: bench
bench: ## measure the hot paths, with pgbench as a baseline
	@.tools/prerequisites postgresql
	go run ./bench

# Long tests are in files with the build tag `full`. Each is a separate part. A part that passed is not run again for the same
# version, so an interrupted check-full continues where it stopped.
FULL  = .full/$(VERSION)
PARTS = $(shell .tools/full-parts)

.PHONY: check-full
check-full: ## run the long tests, each at most 20 minutes; continues where it stopped
	@.tools/prerequisites postgresql nodejs nginx haproxy caddy pgbouncer patroni etcd iproute2
	@$(MAKE) --no-print-directory full-parts

.PHONY: full-parts
full-parts: $(PARTS:%=$(FULL)/%.passed)

$(FULL)/%.passed:
	$(WITH_DATABASE) go test -tags netgo,full -count=1 -timeout 20m -run '^$(*F)$$' ./$(*D)
	@mkdir -p $(@D) && touch $@

# bench-full has five parts: the benchmarks of bench, for longer; those that bench leaves out; a listener next to hanging ones;
# loading 10 million entries into .bench, where they stay; and the benchmarks on that data. An interrupted bench-full continues
# where it stopped. A complete one starts over.
REPORTS = $(FULL)/bench.txt $(FULL)/bench-more.txt $(FULL)/bench-hanging.txt $(FULL)/bench-large.txt

BENCH_MORE = traces,lookup-small,lookup-flat,deliveries,backlog,hanging,retention,nodes-2,nodes-4,nodes-4-create

.PHONY: bench-full
bench-full: ## run all benchmarks, in parts of at most 20 minutes; continues where it stopped
	@.tools/prerequisites postgresql nodejs chromium haproxy
	@$(MAKE) --no-print-directory $(REPORTS)
	@cat $(REPORTS) && rm $(REPORTS)

$(FULL)/bench.txt:
	@mkdir -p $(@D)
	go run ./bench -duration 3s >$@ || { cat $@; exit 1; }

# Run the reports one after the other, even with make -j.
$(FULL)/bench-more.txt: | $(FULL)/bench.txt
	go run ./bench -duration 5s -only $(BENCH_MORE) >$@ || { cat $@; exit 1; }

$(FULL)/bench-hanging.txt: | $(FULL)/bench-more.txt
	go run ./bench -full -only hanging-full >$@ || { cat $@; exit 1; }

$(FULL)/bench-large.txt: | $(FULL)/bench-hanging.txt
	go run ./bench -load
	go run ./bench -full >$@ || { cat $@; exit 1; }

.PHONY: bench-clean
bench-clean: ## remove the large database of bench-full in .bench
	rm -rf "$$(readlink -f .bench/postgres)" .bench

# Vale parses comments with C code, so it needs gcc. The dashboard's texts are read with the dashboard's own parser, whose packages
# check-dashboard installs: two installations at once would break each other.
.PHONY: check-prose
check-prose: check-dashboard ## check the wording of docs, comments, pages, schema descriptions and Go strings
	@if .tools/node-suits && .tools/prerequisites gcc && command -v gcc >/dev/null; then \
		$(MAKE) -s $(TOOLS)/vale && .tools/vale/check; \
	else echo "notice: the prose is not checked: that needs gcc and Node 20.19 or newer with npm" >&2; [ -z "$$CI" ]; fi

# The linters have their own module (.tools/go.mod), and are built once.
$(TOOLS)/golangci-lint: .tools/go.mod .tools/go.sum
	go -C .tools build -o bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(TOOLS)/gofumpt: .tools/go.mod .tools/go.sum
	go -C .tools build -o bin/gofumpt mvdan.cc/gofumpt

$(TOOLS)/vale: .tools/go.mod .tools/go.sum
	CGO_ENABLED=1 go -C .tools build -ldflags '-s -w' -o bin/vale github.com/vale-cli/vale/v3/cmd/vale
