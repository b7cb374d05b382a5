import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Rolldown } from "vite";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { searchIndex } from "./search-index.ts";

// Text is compressed once, when all else has been written; the server hands it out as it is.
const precompress: Plugin = {
  name: "precompress",
  apply: "build",
  writeBundle: {
    order: "post",
    handler({ dir = "dist" }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const file = join(dir, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  },
};

/** Calendars: large, and not on every page. A file of their own, with what many pages have them in. */
const dates = /\/node_modules\/@mantine\/dates\/|\/src\/components\/(DayFilter|ExpiryInput)/;

/** What pages are made of, without what only the playground and the reference need. */
const shared =
  /\/src\/|\/node_modules\/(react|react-dom|react-router|scheduler|urql|dayjs|lucide-react|@urql|@floating-ui|@mantine\/(core|form|hooks))\//;

// In a build each component of the library brings its own styles along, so that a page has those of what it shows. While
// pages are being written the library is one file, and its sheet of all styles is used (main.tsx).
const ownStyles: Plugin = {
  name: "own-styles",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    const [, component] = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? [];
    if (component) return `import "@mantine/core/styles/${component}.css";\n${code}`;
    if (!id.endsWith("@mantine/core/styles.css")) return undefined;
    return ["baseline", "default-css-variables", "global"].map((name) => `@import "./styles/${name}.css";\n`).join("");
  },
};

// GraphiQL's style sheet brings two fonts along as data, which the page's policy forbids; ours do as well.
const withoutFonts: Plugin = {
  name: "without-fonts",
  enforce: "pre",
  transform: (code, id) =>
    /graphiql\/dist\/style\.css/.test(id) ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, "") : undefined,
};

// What each address shows is a file of its own. The page names it and what it imports from the start (embed.go), so that
// the browser fetches all of it at once, rather than the next when it has run the one before. Most exact addresses first.
const pageFiles: Plugin = {
  name: "page-files",
  apply: "build",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const first = new Set(filesOf(chunks.find(({ isEntry }) => isEntry)));
    const pages = routes().map(({ path, module }) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.startsWith(`${module}.`));
      if (!chunk) this.error(`no file was built of ${module}`);
      return { path, files: filesOf(chunk).filter((name) => !first.has(name)) };
    });
    this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(pages) });

    /** The names of a chunk, its style sheets, and those of all that it imports. */
    function filesOf(chunk: Rolldown.OutputChunk | undefined, seen = new Set<string>()): string[] {
      if (!chunk || seen.has(chunk.fileName)) return [...seen];
      seen.add(chunk.fileName);
      for (const name of chunk.viteMetadata?.importedCss ?? []) seen.add(name);
      for (const name of chunk.imports)
        filesOf(
          chunks.find(({ fileName }) => fileName === name),
          seen,
        );
      return [...seen];
    }
  },
};

/** The addresses of all pages as patterns, and the modules that they load. */
function routes() {
  return ["src/app/routes.tsx", "src/app/pages.ts"]
    .map((name) => join(import.meta.dirname, name))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/path: "(\/[^"]*)".*?import\("([^"]+)"\)/gs)].map(
        ([, path = "", module = ""]) => ({ path: path.replaceAll(/:\w+/g, "*"), module: join(file, "..", module) }),
      ),
    )
    .sort((a, b) => Number(a.path.includes("*")) - Number(b.path.includes("*")));
}

/** Starts the walk through all pages first. It takes a quarter of the suite's time: started late, it ends long after the others. */
class WalkFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const walk = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith("/accessibility.test.ts"));
    return (await super.sort(files)).sort((a, b) => walk(b) - walk(a));
  }
}

export default defineConfig({
  plugins: [react(), searchIndex, ownStyles, withoutFonts, pageFiles, precompress],
  // The server puts a nonce of its own in here at every answer (Content-Security-Policy).
  html: { cspNonce: "{{nonce}}" },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // A directive of the React compiler, which has nothing to compile here.
      onLog: (level, log, handle) => log.code === "MODULE_LEVEL_DIRECTIVE" || handle(level, log),
      // One file of what many pages use: forty small ones take a browser longer than all that is in them.
      output: {
        codeSplitting: {
          groups: [
            { name: "dates", test: dates, priority: 1, includeDependenciesRecursively: false },
            { name: "shared", test: shared, minShareCount: 8 },
          ],
        },
      },
    },
  },
  // The reference shows the documents of the folder docs beside this one.
  server: {
    fs: { allow: [".."] },
    proxy: { "^/(graphql|api)": process.env.TICKETGATE_URL ?? "http://127.0.0.1:8080" },
  },
  test: {
    sequence: { sequencer: WalkFirst },
    projects: [
      // No module keeps anything but the session store, which its tests empty (DASH-28): files share what they import.
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"], isolate: false, testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each worker has a browser and keeps what it has loaded; each file has a seller of its own.
          globalSetup: "e2e/setup.ts",
          isolate: false,
          maxWorkers: 2,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
