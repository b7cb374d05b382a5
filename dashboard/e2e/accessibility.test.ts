import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { graphql, listen, newPage, openAs, publish, sellerNumber, signIn, withBrowser } from "./browser";
import { pages } from "./pages";
import { sell } from "./sales";

const seller = sellerNumber(1);
const made: Record<string, string> = {};
let listener: Awaited<ReturnType<typeof listen>>;

withBrowser();

beforeAll(async () => {
  listener = await listen({ status: 500, body: "<b>down</b>" });
  const { createWebhook } = await graphql<{ createWebhook: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }",
    {
      input: {
        name: "Listener with a name so long that it has to be broken, Veranstaltungsteilnahmebestätigungsempfänger",
        url: listener.url,
        events: { "campaign.created": true },
      },
    },
  );
  await publish(seller.sellerId, "campaign.created", { campaign: {} });
  const { login } = await graphql<{ login: { token: string } }>(
    "",
    "mutation($input: LoginInput!) { login(input: $input) { token } }",
    {
      input: { email: seller.adminEmail, password: seller.adminPassword },
    },
  );
  const { webhookDeliveries, apiKeys } = await graphql<{
    webhookDeliveries: { nodes: { id: string }[] };
    apiKeys: { _id: string }[];
  }>(login.token, "{ webhookDeliveries { nodes { id } } apiKeys { _id } }", {});
  const { accessLists } = await graphql<{ accessLists: { nodes: { _id: string }[] } }>(
    seller.apiKey,
    "{ accessLists(first: 1) { nodes { _id } } }",
    {},
  );
  made.list = accessLists.nodes[0]?._id ?? "";
  Object.assign(made, { webhook: createWebhook._id, delivery: webhookDeliveries.nodes[0]?.id, key: apiKeys[0]?._id });
  Object.assign(made, await sell(seller));
});
afterAll(() => listener.close());

type Opened = Awaited<ReturnType<typeof newPage>>;

/** What axe finds that keeps people from using the page, as `rule: element`. */
async function violations(page: Opened): Promise<string[]> {
  // Injected as the debugger does, which the page's policy does not see.
  await page.evaluate(axe.source);
  const found = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ["violations"] }),
  );
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`));
}

/** With TICKETGATE_SCREENSHOTS set, pictures of all pages are left in that folder, to be looked at. */
async function picture(page: Opened, name: string) {
  const folder = process.env.TICKETGATE_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`) });
}

describe.each([
  ["light", 375],
  ["light", 1440],
  ["dark", 375],
  ["dark", 1440],
] as const)("in %s, %d pixels wide", (colorScheme, width) => {
  const options = { colorScheme, viewport: { width, height: 850 } };

  it("axe finds nothing serious, and nothing is wider than the window", async () => {
    const page = await newPage(options);
    await page.goto("/login");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(await violations(page), "/login").toEqual([]);
    await picture(page, `login-${colorScheme}-${width}`);
    await signIn(page, seller.adminEmail, seller.adminPassword);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    for (const { path, heading } of pages) {
      await page.goto(path.replace(/\{(\w+)\}/, (_, name: string) => made[name] ?? name));
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await expect.poll(() => page.locator("[aria-busy=true]").count(), { timeout: 60_000 }).toBe(0);
      expect.soft(await violations(page), path).toEqual([]);
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), path)
        .toBeLessThanOrEqual(0);
      await picture(page, `${path}-${colorScheme}-${width}`);
    }
    expect(page.troubles).toEqual([]);
  }, 240_000);
});

it("the navigation opens and closes on a phone, and can be used with the keyboard", async () => {
  const page = await openAs(seller, "/", { viewport: { width: 375, height: 850 } });
  const open = page.getByRole("button", { name: "Navigation", exact: true });
  await open.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "API keys" }).first().click();
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("no key is called this");
  await page.getByText("Nothing fits these filters.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Seeded" }).waitFor();
  expect(page.troubles).toEqual([]);
});
