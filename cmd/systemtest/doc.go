// Package systemtest runs the built program: it starts processes, configures them, calls them and receives their webhooks.
// Its subpackage apitest runs the program within the test instead, and calls both APIs. Each area has a package of tests:
//
// - apis: what holds for every operation, such as equal results in both APIs, separate tenants, paged lists and refused
// bodies.
// - edges: fields in GraphQL that lead from an object to others.
// - gate, sales, webhooks: the guarantees of these areas through the whole program, even when processes die.
// - operations: limits, metrics, traces, proxies, shutdown, secrets.
// - splitting: several clusters, and moving a seller between them.
// - commands: the command line, and the programs in the documentation.
// - dashboard: the pages, in a browser.
// - layers: which packages may import which, how long files are, and that tests named in the documentation exist.
package systemtest
