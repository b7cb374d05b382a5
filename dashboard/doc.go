// Package dashboard serves the web page. The page is a client of /graphql like any other and has no door of its own.
//
// Vite builds the page into dist/, which is embedded when the program is compiled. What each address shows is a file of its
// own; pages.json lists the addresses with their files, and the page is served with links to those of its address. Without a
// build there is the landing page, so that the program compiles and serves its API on a machine without Node.
package dashboard
