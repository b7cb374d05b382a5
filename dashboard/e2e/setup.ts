import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { setting } from "./settings";

declare module "vitest" {
  interface ProvidedContext {
    browsers: string[];
  }
}

/** Starts a browser for each worker, because pages of one browser share its clipboard. A browser for each file would be slow. */
export default async function setup(project: TestProject) {
  const servers = await Promise.all(
    Array.from({ length: Number(project.config.maxWorkers) }, () =>
      chromium.launchServer({
        executablePath: setting("TICKETGATE_CHROMIUM"),
        args: [
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-sync",
        ],
      }),
    ),
  );
  project.provide(
    "browsers",
    servers.map((server) => server.wsEndpoint()),
  );
  return () => Promise.all(servers.map((server) => server.close())).then(() => {});
}
