import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

// Half as long as what the package exports, and read into every page.
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds that keeps people from using the page, as `rule: element`. In the dark only the contrast is another. */
export async function violations(page: Page, scheme: "light" | "dark"): Promise<string[]> {
  // Injected as the debugger does, which the page's policy does not see.
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
