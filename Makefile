# Ticketgate. `make run` serves a demo, `make test` tests it; Go and make are all that must be there beforehand.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
TOOLS   := .tools/bin

# One way to compile, so that what is compiled for one command serves the others; only the race detector needs cgo.
export CGO_ENABLED := 0
export GOFLAGS := $(GOFLAGS) -trimpath -buildvcs=false

# One private PostgreSQL for everything that the command after it does.
WITH_DATABASE := go run ./db/dbtest/run --

# Hand-written Go: graph/graphgen formats its own output.
SOURCES = find . \( -path './.*' -o -path ./graph/generated -o -path ./data -o -name node_modules \) -prune -o -name '*.go' -print

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: dashboard ## compile bin/ticketgate, with the dashboard where Node is found
	@# Without what only a debugger reads, which is a quarter of the file; traces of panics and profiles keep their names.
	@started=$$(date +%s); \
	go build -ldflags '-s -w -X ticketgate/cmd/ticketgate/program.Version=$(VERSION)' -o bin/ticketgate ./cmd/ticketgate && \
	echo "built bin/ticketgate in $$(( $$(date +%s) - started )) s"

# The page is built once for its sources. Without Node the program serves its API all the same, and says so.
PAGE         = dashboard/dist/index.html
PAGE_SOURCES = $(shell find dashboard/src dashboard/*.* graph/schema docs -type f ! -name '*.generated.ts' ! -name '*.go' ! -name '*.test.ts') docs/verify-signature/verify.go rest/openapi.yaml rest/openapi_schemas.yaml

.PHONY: dashboard
dashboard: ## build the dashboard into dashboard/dist, when its sources have changed
	@if .tools/node-suits; then $(MAKE) -s $(PAGE); \
	else echo "notice: the dashboard is not built, as there is no Node 20.19 or newer with npm; the API is served without it" >&2; fi

$(PAGE): dashboard/node_modules/.package-lock.json $(PAGE_SOURCES)
	@echo "building the dashboard" >&2
	@npm --prefix dashboard run --silent build

dashboard/node_modules/.package-lock.json: dashboard/package-lock.json
	@echo "installing what the dashboard is made of" >&2
	@npm --prefix dashboard ci --silent --no-audit --no-fund
	@touch $@

.PHONY: run
run: build ## serve a demo on http://127.0.0.1:8080, with a private PostgreSQL under ./data unless TICKETGATE_DATABASE_URL is set
	@[ -n "$$TICKETGATE_DATABASE_URL" ] || .tools/prerequisites postgresql
	@exec env TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true bin/ticketgate serve --demo

.PHONY: test
test: ## run all tests, with the race detector where gcc is found
	@.tools/prerequisites postgresql gcc nodejs chromium-headless-shell
	@$(MAKE) --no-print-directory dashboard
	@command -v gcc >/dev/null || echo "notice: no gcc, so the tests run without the race detector" >&2
	@.tools/failures-last $(WITH_DATABASE) $(MAKE) --no-print-directory -j2 test-go test-programs

# Without what only a debugger reads, linking takes a third less time.
GO_TEST = go test -vet=off -ldflags=-s -parallel 4

# With cgo, names would be looked up by the C library. The race detector would have each test binary sleep a second at its end.
GO_RACE = $(shell command -v gcc >/dev/null && echo env CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 $(GO_TEST) -race -tags netgo || echo $(GO_TEST))

# These tests start the program as it was built, or read its sources. The race detector would watch only the test; it watches
# the program where tests run it within their own process, which those of the other folders of cmd/systemtest do.
OF_PROCESSES = ./cmd/systemtest/commands ./cmd/systemtest/layers

.PHONY: test-go
test-go:
	@$(GO_RACE) -timeout 30m $$(go list ./... | grep -vxF "$$(go list $(OF_PROCESSES))")

.PHONY: test-programs
test-programs:
	@failed=0; ! .tools/node-suits || npm --prefix dashboard test --silent || failed=1; \
	$(MAKE) --no-print-directory test-dashboard || failed=1; \
	$(GO_TEST) -timeout 30m $(OF_PROCESSES) || failed=1; exit $$failed

# Each case of the browser suite has a limit of its own. The whole has none, as a busy machine takes long.
.PHONY: test-dashboard
test-dashboard: ## run the browser suite alone; `make test` runs it as well
	@$(if $(TICKETGATE_TEST_SUPERUSER_URL),,$(WITH_DATABASE)) $(GO_TEST) -timeout 0 ./cmd/systemtest/dashboard

.PHONY: check
check: check-format check-lint check-generated check-modules check-dashboard check-openapi check-graphql ## formatting, vet, linters, generated code, modules, the dashboard, both APIs

.PHONY: check-format
check-format: $(TOOLS)/gofumpt
	@difference=$$($(SOURCES) | xargs $< -d) && [ -z "$$difference" ] || { echo "$$difference"; echo "not formatted: gofumpt -w"; exit 1; }

# The analyzers of go vet are among the linters, which pass over generated code.
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

# Types are written from the schema, then everything is checked against them: a page can't ask for what is not there.
.PHONY: check-dashboard
check-dashboard:
	@if .tools/node-suits; then $(MAKE) -s dashboard/node_modules/.package-lock.json && npm --prefix dashboard run --silent check; \
	else echo "notice: the dashboard is not checked, as there is no Node 20.19 or newer with npm" >&2; [ -z "$$CI" ]; fi

# The linters are installed once; linting needs no network.
.PHONY: check-openapi
check-openapi:
	@if .tools/node-suits; then $(MAKE) -s .tools/openapi/node_modules/.package-lock.json && .tools/openapi/check; \
	else echo "notice: the OpenAPI document is not checked, as there is no Node 20.19 or newer with npm" >&2; [ -z "$$CI" ]; fi

.tools/openapi/node_modules/.package-lock.json: .tools/openapi/package-lock.json
	@echo "installing the linters of the OpenAPI document" >&2
	@npm --prefix .tools/openapi ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# The checkers are installed once; they need a server, and no network.
.PHONY: check-graphql
check-graphql:
	@if .tools/node-suits && .tools/prerequisites postgresql; then $(MAKE) -s .tools/graphql/node_modules/.package-lock.json && .tools/graphql/check; \
	else echo "notice: the GraphQL server is not checked, as there is no Node 20.19 or newer with npm, or no PostgreSQL" >&2; [ -z "$$CI" ]; fi

.tools/graphql/node_modules/.package-lock.json: .tools/graphql/package-lock.json
	@echo "installing the checkers of the GraphQL server" >&2
	@npm --prefix .tools/graphql ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

.PHONY: generate
generate: ## write graph/generated, the new resolvers and the schemas of the OpenAPI document from graph/schema
	go run ./graph/graphgen
	go run ./rest/openapigen

.PHONY: bench
bench: ## measure the hot paths beside pgbench
	@.tools/prerequisites postgresql
	go run ./bench

# A long test is one in a file with the build tag `full`. Each is a part of its own; one that passed is not run again
# for the same version, so an interrupted check-full goes on where it stopped.
FULL  = .full/$(VERSION)
PARTS = $(shell .tools/full-parts)

.PHONY: check-full
check-full: ## run the long tests, each at most 20 minutes; goes on where it stopped
	@.tools/prerequisites postgresql nodejs nginx haproxy caddy pgbouncer patroni etcd
	@$(MAKE) --no-print-directory full-parts

.PHONY: full-parts
full-parts: $(PARTS:%=$(FULL)/%.passed)

$(FULL)/%.passed:
	$(WITH_DATABASE) go test -tags netgo,full -count=1 -timeout 20m -run '^$(*F)$$' ./$(*D)
	@mkdir -p $(@D) && touch $@

# bench-full has five parts: what bench measures, for longer; what bench leaves out; a listener beside others that hang; loading
# 10 million entries into .bench, where they stay; what is measured among them. An interrupted bench-full goes on where it stopped, a complete one measures anew.
REPORTS = $(FULL)/bench.txt $(FULL)/bench-more.txt $(FULL)/bench-hanging.txt $(FULL)/bench-large.txt

BENCH_MORE = traces,lookup-small,lookup-flat,deliveries,backlog,hanging,retention

.PHONY: bench-full
bench-full: ## measure everything that docs state, in parts of at most 20 minutes; goes on where it stopped
	@.tools/prerequisites postgresql nodejs chromium
	@$(MAKE) --no-print-directory $(REPORTS)
	@cat $(REPORTS) && rm $(REPORTS)

$(FULL)/bench.txt:
	@mkdir -p $(@D)
	go run ./bench -duration 3s >$@ || { cat $@; exit 1; }

# One after the other and never beside it, also with make -j.
$(FULL)/bench-more.txt: | $(FULL)/bench.txt
	go run ./bench -duration 5s -only $(BENCH_MORE) >$@ || { cat $@; exit 1; }

$(FULL)/bench-hanging.txt: | $(FULL)/bench-more.txt
	go run ./bench -full -only hanging-full >$@ || { cat $@; exit 1; }

$(FULL)/bench-large.txt: | $(FULL)/bench-hanging.txt
	go run ./bench -load
	go run ./bench -full >$@ || { cat $@; exit 1; }

.PHONY: bench-clean
bench-clean: ## remove the large database that bench-full keeps in .bench
	rm -rf "$$(readlink -f .bench/postgres)" .bench

# The linters' module is not the product's (.tools/go.mod), and they are built once.
$(TOOLS)/golangci-lint: .tools/go.mod .tools/go.sum
	go -C .tools build -o bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(TOOLS)/gofumpt: .tools/go.mod .tools/go.sum
	go -C .tools build -o bin/gofumpt mvdan.cc/gofumpt
