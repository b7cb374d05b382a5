// Package dashboard serves the web dashboard, which is an ordinary client of /graphql.
//
// Vite builds it into dist/, which is embedded at compile time. Each page is a separate chunk. pages.json lists the files of
// each address, and index.html is served with links to the files of its address. Without a build, the package serves a
// landing page, so that the program compiles and serves its API on a machine without Node.
package dashboard
