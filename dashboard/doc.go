// Package dashboard serves the web dashboard, which is an ordinary client of /graphql.
//
// Vite builds the dashboard into dist/, which is embedded at compile time. Each page is a separate chunk. pages.json
// lists the files that each address needs, and index.html is served with links to those. Without a build, the package
// serves a landing page, so that the program compiles and serves its API on a machine without Node.
package dashboard
