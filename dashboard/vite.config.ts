import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Rolldown } from "vite";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { searchIndex } from "./search-index.ts";

// Compresses text files after the build. The server serves them compressed. Uncompressed copies are removed, because the
// program embeds all files.
const precompress: Plugin = {
  name: "precompress",
  apply: "build",
  writeBundle: {
    order: "post",
    handler({ dir = "dist" }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const file = join(dir, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
        rmSync(file);
      }
    },
  },
};

/** Calendars are large and not on every page, so they get a chunk of their own, with the components that use them. */
const dates = /\/node_modules\/@mantine\/dates\/|\/src\/components\/(DayFilter|ExpiryInput)/;

/** Modules that many pages share, without those that only the playground and the reference need. */
const shared =
  /\/src\/|\/node_modules\/(react|react-dom|react-router|scheduler|urql|dayjs|lucide-react|@urql|@floating-ui|@mantine\/(core|form|hooks))\//;

// In a build, each Mantine component imports its own styles, so that a page loads only the styles of its components. The
// development server bundles Mantine into one file and uses its complete style sheet (main.tsx).
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

// Removes the fonts in GraphiQL's style sheet. They are data URLs, which the Content-Security-Policy forbids.
const withoutFonts: Plugin = {
  name: "without-fonts",
  enforce: "pre",
  transform: (code, id) =>
    /graphiql\/dist\/style\.css/.test(id) ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, "") : undefined,
};

// Writes pages.json: the files of each address, most specific addresses first. The server links them in index.html (embed.go),
// so that the browser loads them in parallel instead of discovering them one by one.
const pageFiles: Plugin = {
  name: "page-files",
  apply: "build",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const first = new Set(filesOf(chunks.find(({ isEntry }) => isEntry)));
    const pages = routes().map(({ path, module }) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.startsWith(`${module}.`));
      if (!chunk) this.error(`${module} has no chunk`);
      return { path, files: filesOf(chunk).filter((name) => !first.has(name)) };
    });
    this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(pages) });

    /** Returns the file names of a chunk, of its style sheets, and of its imports. */
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

/** Returns the address patterns of all pages and the modules that they load. */
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

/** Runs the accessibility test first. It takes a quarter of the suite's time and would otherwise finish long after the others. */
class WalkFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const walk = ({ moduleId }: TestSpecification) => Number(moduleId.endsWith("/accessibility.test.ts"));
    return (await super.sort(files)).sort((a, b) => walk(b) - walk(a));
  }
}

export default defineConfig({
  plugins: [react(), searchIndex, ownStyles, withoutFonts, pageFiles, precompress],
  // The server replaces this placeholder with a new nonce in each response (Content-Security-Policy).
  html: { cspNonce: "{{nonce}}" },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Ignores a directive of the React compiler, which isn't used here.
      onLog: (level, log, handle) => log.code === "MODULE_LEVEL_DIRECTIVE" || handle(level, log),
      // One chunk for shared modules. Browsers load forty small files more slowly.
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
  // The reference imports documents from ../docs.
  server: {
    fs: { allow: [".."] },
    proxy: { "^/(graphql|api)": process.env.TICKETGATE_URL ?? "http://127.0.0.1:8080" },
  },
  test: {
    sequence: { sequencer: WalkFirst },
    projects: [
      // Test files share modules, because only the session store has state (DASH-28), and its tests reset it.
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"], isolate: false, testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each worker has a browser and keeps its cache. Each file has its own seller.
          globalSetup: "e2e/setup.ts",
          isolate: false,
          maxWorkers: 2,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: "screenshots",
          include: ["e2e/screenshots.ts"],
          testTimeout: 180_000,
          globalSetup: "e2e/setup.ts",
          maxWorkers: 1,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
