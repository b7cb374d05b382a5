import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

// The minified build, half the size of the package's export. It is loaded into every page.
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns the serious violations as `rule: element`. In dark mode only the contrast differs, so only that is checked. */
export async function violations(page: Page, scheme: "light" | "dark"): Promise<string[]> {
  // Injected like by a debugger, which the Content-Security-Policy doesn't apply to.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const rules = scheme === "dark" ? { runOnly: ["color-contrast"] } : {};
  const found = await page.evaluate(
    (rules) => (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ["violations"], ...rules }),
    rules,
  );
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`));
}
