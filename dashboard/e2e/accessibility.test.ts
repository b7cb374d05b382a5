import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { violations } from "./axe";
import {
  goOn,
  graphql,
  listen,
  newPage,
  type Opened,
  openAs,
  publish,
  sellerNumber,
  staying,
  withBrowser,
} from "./browser";
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
  const { webhookDeliveries, keys } = await graphql<{
    webhookDeliveries: { nodes: { id: string }[] };
    keys: { nodes: { _id: string }[] };
  }>(login.token, "{ webhookDeliveries { nodes { id } } keys { nodes { _id } } }", {});
  const { accessLists, accessUsers, scanGroups } = await graphql<
    Record<"accessLists" | "accessUsers" | "scanGroups", { nodes: { _id: string }[] }>
  >(
    seller.apiKey,
    "{ accessLists(first: 1) { nodes { _id } } accessUsers(first: 1) { nodes { _id } } scanGroups(first: 1) { nodes { _id } } }",
    {},
  );
  made.list = accessLists.nodes[0]?._id ?? "";
  made.device = accessUsers.nodes[0]?._id ?? "";
  made.group = scanGroups.nodes[0]?._id ?? "";
  Object.assign(made, {
    webhook: createWebhook._id,
    delivery: webhookDeliveries.nodes[0]?.id,
    key: keys.nodes[0]?._id,
  });
  Object.assign(made, await sell(seller));
});
afterAll(() => listener.close());

/** If TICKETGATE_SCREENSHOTS is set, writes screenshots of all pages to that folder. */
async function picture(page: Opened, name: string) {
  const folder = process.env.TICKETGATE_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`) });
}

/** Waits until transitions of colors and sizes have finished. During a transition, contrast can be too low. */
async function settled(page: Opened) {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** The variants in which each page is checked: light and dark, narrow and wide. Resizing takes longest, so it changes least. */
const looks = [
  { width: 375, scheme: "light" },
  { width: 375, scheme: "dark" },
  { width: 1440, scheme: "dark" },
  { width: 1440, scheme: "light" },
] as const;

async function look(page: Opened, path: string) {
  for (const { width, scheme } of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 850 });
    await settled(page);
    const shown = `${path} in ${scheme}, ${width} pixels wide`;
    expect.soft(await violations(page, scheme), shown).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(wider, shown).toBeLessThanOrEqual(0);
    await picture(page, `${path}-${scheme}-${width}`);
  }
}

it("the sign-in page has no serious axe violations and no horizontal overflow", async () => {
  const page = await newPage();
  await page.goto("/login");
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await look(page, "/login");
  expect(page.troubles).toEqual([]);
});

// All cases share a browser page, because opening a new one each time took a third of the time. The order alternates between
// the two halves, so that consecutive cases are different pages.
const half = Math.ceil(pages.length / 2);
const cases = pages
  .slice(0, half)
  .flatMap((page, i) => [page, ...pages.slice(half + i, half + i + 1)])
  .map(({ opens = [], ...page }) => ({ ...page, opens, shown: [page.path, ...opens].join(", ") }));

it.each(cases)("no serious axe violations and no horizontal overflow: $shown", async (shown) => {
  const path = shown.path.replace(/\{(\w+)\}/, (_, name: string) => made[name] ?? name);
  let [page] = staying as Set<Opened>;
  staying.clear(); // kept again after success
  if (page) await goOn(page, path);
  else page = await openAs(seller, path);
  await page.getByRole("heading", { level: 1, name: shown.heading }).waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  for (const name of shown.opens) await page.getByRole("button", { name, exact: true }).click();
  if (shown.opens.length > 0) await page.waitForLoadState("networkidle"); // the dialog may load an image
  await look(page, shown.shown);
  expect(page.troubles).toEqual([]);
  if (shown.opens.length === 0) staying.add(page); // a dialog may ask before leaving
});

it("the navigation opens and closes on a phone and works with the keyboard", async () => {
  const page = await openAs(seller, "/", { viewport: { width: 375, height: 850 } });
  await page.getByRole("banner").getByText("Admin", { exact: true }).waitFor();
  const open = page.getByRole("button", { name: "Navigation", exact: true });
  await open.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "API keys" }).first().click();
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("no key is called this");
  await page.getByText("Nothing matches these filters.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Seeded" }).waitFor();
  expect(page.troubles).toEqual([]);
});
