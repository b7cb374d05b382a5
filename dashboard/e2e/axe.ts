import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds that keeps people from using the page, as `rule: element`. In the dark only the contrast is another. */
export async function violations(page: Page, scheme: "light" | "dark"): Promise<string[]> {
  // Injected as the debugger does, which the page's policy does not see.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const rules = scheme === "dark" ? { runOnly: ["color-contrast"] } : {};
  const found = await page.evaluate(
    (rules) => (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ["violations"], ...rules }),
    rules,
  );
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`));
}
