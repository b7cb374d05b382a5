// Package systemtest runs the program as it was built: it starts processes, gives them settings, calls them and receives their
// webhooks. Package apitest below it runs the program within the test instead, and calls both APIs. The tests stand in a
// package for each area:
//
//   - apis: what holds for every operation: both APIs give the same, tenants are apart, lists are paged, bodies are refused.
//   - edges: what leads from an object to others in GraphQL.
//   - gate, sales, webhooks: what these areas promise, through the whole program, also when processes die.
//   - operations: limits, metrics, traces, proxies, shutdown, secrets.
//   - splitting: several clusters, and a seller that is moved from one to another.
//   - commands: what can be typed, and the programs in the documentation.
//   - dashboard: the pages, in a browser.
//   - layers: which package may import which, how long files are, and that the documentation names tests that exist.
package systemtest
