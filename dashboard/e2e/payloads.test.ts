import { afterAll, beforeAll, expect, it } from "vitest";
import { goOn, listen, newPage, type Opened, openAs, signIn, withBrowser } from "./browser";
import { everything, fill, several } from "./payload-fixture";
import { payloads } from "./payloads";

withBrowser();

const first = "<script>alert(1)</script>";
const formula = "@SUM(1+1)*cmd|' /C calc'!A0";

let listener: Awaited<ReturnType<typeof listen>>;
let world: Awaited<ReturnType<typeof fill>>;

beforeAll(async () => {
  listener = await listen({ status: 500, body: everything });
  world = await fill(listener.url);
});
afterAll(() => listener.close());

/**
 * The pages that show user input: all payloads, in one row each or in an object. Pages that show only short texts such as names
 * have a number, the position of their first payload (payload-fixture.ts). Consecutive entries are different pages.
 */
const pages: [path: string, place?: number][] = [
  ["/events"],
  ["/events/{event}"],
  ["/customers"],
  ["/customers/{customer}", 6],
  ["/transactions"],
  ["/transactions/{transaction}?tab=history"],
  ["/tickets"],
  ["/transactions/{transaction}?tab=json"],
  ["/tickets/{ticket}", 0],
  ["/transactions/{transaction}"],
  ["/checkouts"],
  ["/checkouts/{checkout}", 0],
  ["/invoices"],
  ["/invoices/{invoice}", 0],
  ["/scans?period=all"],
  ["/scan-groups"],
  ["/scan-groups/{group}"],
  ["/devices"],
  ["/devices/{device}"],
  ["/lists"],
  ["/lists/{remote}?tab=settings", 21],
  ["/keys"],
  ["/lists/{list}"],
  ["/keys/{key}", 31],
  ["/lists/{list}?tab=import&import={import}"],
  ["/webhooks"],
  ["/webhooks/{webhook}?tab=settings", 36],
  ["/deliveries/{delivery}"],
  ["/settings"],
];

/** Elements that only a payload could create. */
const foreign = [
  "base, embed, iframe, marquee, math, object, video, form[action], meta[http-equiv=refresh], template, xss-element",
  "[onload], [onerror], [onfocus], [ontoggle], [onbegin], [onstart], [onanimationstart], [srcdoc]",
  "[href^='javascript:' i], [src^='javascript:' i], [href^='data:' i], [href^='//evil' i], [src*='evil.example']",
].join(", ");

/** Returns the payloads that the page doesn't show as text, in an input, or in JSON. */
async function missing(page: Opened, expected: readonly string[]): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea")].map(({ value }) => value);
    return [document.body.textContent, ...fields].join("\n");
  });
  return expected.filter((text) => !shown.includes(text) && !shown.includes(JSON.stringify(text).slice(1, -1)));
}

/** Returns the payloads that neither the page nor its dropdowns show. */
async function missingInChoices(page: Opened, expected: readonly string[]): Promise<string[]> {
  let left = await missing(page, expected);
  for (const field of await page.locator("main input[aria-haspopup=listbox]:visible").all()) {
    if (left.length === 0) break;
    await field.click();
    await page.getByRole("listbox").waitFor();
    left = await missing(page, left);
    await page.keyboard.press("Escape");
  }
  return left;
}

/** Waits until the payloads are shown, all or from a position on, and checks that none has run. */
async function shown(page: Opened, what: string, place?: number, sought = missing) {
  const expected = place === undefined ? payloads : payloads.filter((text) => several(place).includes(text));
  await expect.poll(() => sought(page, expected), { message: what }).toEqual([]);
  expect(await page.locator(foreign).evaluateAll((found) => found.map(({ outerHTML }) => outerHTML))).toEqual([]);
  expect(page.troubles, what).toEqual([]);
}

const addressOf = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(world.made[name] ?? name));

it("50 payloads in every field are shown as text and never run", async () => {
  const page = await openAs(world.seller, "/");
  for (const [path, place] of pages) {
    await goOn(page, addressOf(path));
    await shown(page, path, place, missingInChoices);
  }
});

it("payloads never run in menus, dialogs and responses", async () => {
  const page = await openAs(world.seller, "/audit?action=updateSeller");
  await page.getByRole("button", { name: "Update seller" }).first().click();
  await shown(page, "a change in the audit log");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Seller:/ }).click();
  await shown(page, "the menu of sellers");
  await page.keyboard.press("Escape");

  await goOn(page, addressOf("/lists/{list}"));
  await page.getByRole("button", { name: first, exact: true }).click();
  await shown(page, "an entry");
  await page.keyboard.press("Escape");
  for (const text of [first, formula]) {
    await page.keyboard.press("Control+K");
    await page.getByLabel("Search query").fill(text);
    await page.getByRole("option").filter({ hasText: text }).first().waitFor();
    await page.keyboard.press("Escape");
  }
  await goOn(page, addressOf(`/simulator?device={device}&code=${encodeURIComponent(formula)}`));
  await page.getByRole("status").filter({ hasText: formula }).waitFor();
  await shown(page, "the simulator", undefined, missingInChoices);
});

it("IDs that break out of an address lead to their page, and script URLs lead nowhere", async () => {
  const page = await newPage();
  await page.goto("/login?next=javascript:alert(1)");
  await signIn(page, world.seller.adminEmail, world.seller.adminPassword);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  for (const [list, text] of [
    ["/events", "<ScRiPt/x>alert(1)</ScRiPt>"],
    ["/customers", "<xss-element tabindex=1 onfocus=alert(1) id=x autofocus>#x"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text
    ["/transactions", "${alert(1)}#{alert(1)}<%= alert(1) %>"],
    ["/tickets", "javascript:alert(1)"],
  ] as const) {
    await goOn(page, list === "/tickets" ? `/tickets?event=${encodeURIComponent(text)}` : list);
    await page.locator(`a[href="${list}/${encodeURIComponent(text)}"]`).click();
    await page.locator("h1").filter({ hasText: text }).waitFor();
  }
  const query = new URLSearchParams({ q: first, after: first, status: first, event: first });
  for (const path of ["/transactions", "/tickets", `/no${encodeURIComponent(first)}where`]) {
    await page.goto(`${path}?${query}`);
    await page.locator("h1").waitFor();
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  }
  expect(await page.locator(foreign).count()).toBe(0);
  expect(page.troubles).toEqual([]);

  // The check above would have detected a violation.
  await page.evaluate((text) => {
    document.body.innerHTML = text;
  }, "<img src=x onerror=alert(1)>");
  await expect.poll(() => page.troubles.join()).toContain("policy script-src-attr: inline");
  expect(await page.locator(foreign).count()).toBe(1);
});
