import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vitest/config";

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

// GraphiQL's style sheet brings two fonts along as data, which the page's policy forbids; ours do as well.
const withoutFonts: Plugin = {
  name: "without-fonts",
  enforce: "pre",
  transform: (code, id) =>
    /graphiql\/dist\/style\.css/.test(id) ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, "") : undefined,
};

export default defineConfig({
  plugins: [react(), withoutFonts, precompress],
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
    },
  },
  // The reference shows the documents of the folder docs beside this one.
  server: {
    fs: { allow: [".."] },
    proxy: { "^/(graphql|api)": process.env.TICKETGATE_URL ?? "http://127.0.0.1:8080" },
  },
  test: {
    projects: [
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each file has a browser and a seller of its own.
          maxWorkers: 2,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
