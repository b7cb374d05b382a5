// Package dashboard serves the web page. The page is a client of /graphql like any other and has no door of its own.
package dashboard
