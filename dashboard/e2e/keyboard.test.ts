import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { graphql, newPage, newSeller, openAs, withBrowser } from "./browser";

let seller: Awaited<ReturnType<typeof newSeller>>;

withBrowser();

beforeAll(async () => {
  seller = await newSeller("Keyboard");
});

/** Presses Tab until a target has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, target: Locator, key = "Tab") {
  for (let presses = 0; !(await hasFocus(target)); presses++) {
    if (presses === 100) throw new Error(`${target} can't be reached with ${key}`);
    await page.keyboard.press(key);
  }
  await expect.poll(() => target.evaluate(showsFocus), { message: `the focus of ${target} is seen` }).toBe(true);
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Reports whether an element, or one drawn around or instead of it, has an outline or a different border. */
function showsFocus(element: Element): boolean {
  const drawn = [element, element.nextElementSibling, element.parentElement].filter((one) => one !== null);
  const outlined = drawn.some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
  });
  if (outlined || !element.matches("input, textarea")) return outlined;
  return [element, element.parentElement].some((one) => {
    if (!one) return false;
    const without = one.cloneNode() as Element;
    one.after(without);
    const differs = getComputedStyle(without).borderColor !== getComputedStyle(one).borderColor;
    without.remove();
    return differs;
  });
}

/** Tabs to a control, and types into it or presses it. */
async function type(page: Page, target: Locator, text: string) {
  await tabTo(page, target);
  await page.keyboard.type(text);
}
async function press(page: Page, target: Locator, key = "Enter") {
  await target.waitFor();
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Checks that Tab never leaves a dialog, in either direction. */
async function staysWithin(page: Page, dialog: Locator) {
  await dialog.waitFor();
  const within = () => dialog.evaluate((element) => element.contains(document.activeElement));
  await expect.poll(within).toBe(true);
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press(key);
      expect(await within(), `${presses} times ${key}`).toBe(true);
    }
  }
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

it("sign in and find a key with the search", async () => {
  const page = await newPage();
  await page.goto("/login");
  await expect.poll(() => hasFocus(page.getByLabel("Email"))).toBe(true);
  await page.keyboard.type(seller.adminEmail);
  await type(page, page.getByLabel(/^Password/), seller.adminPassword);
  await page.keyboard.press("Enter");
  await heading(page, "Overview").waitFor();
  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog", { name: "Search everything" });
  await staysWithin(page, dialog);
  await type(page, page.getByRole("combobox", { name: "Search query" }), "Seed");
  await page.getByRole("option", { name: "Seeded" }).waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Seeded").waitFor();

  // A closed dialog returns the focus, and the first Tab on a page focuses the skip link.
  const disable = page.getByRole("button", { name: "Disable" });
  await press(page, disable);
  await staysWithin(page, page.getByRole("dialog", { name: /^Disable/ }));
  await page.keyboard.press("Escape");
  await expect.poll(() => hasFocus(disable)).toBe(true);
  await page.goto("/keys");
  await heading(page, "API keys").waitFor();
  await press(page, page.getByRole("link", { name: "Skip to content" }));
  await press(page, page.getByRole("link", { name: "Create key" }));
  await heading(page, "Create key").waitFor();
  expect(page.troubles).toEqual([]);
});

it("create an API key and copy its secret", async () => {
  const page = await openAs(seller, "/keys/new", { permissions: ["clipboard-read", "clipboard-write"] });
  await heading(page, "Create key").waitFor();
  await type(page, page.getByLabel(/^Name/), "Keyboard");
  await type(page, page.getByLabel("Search resources"), "webhooks");
  await press(page, page.getByLabel("webhooks:list"), "Space");
  await press(page, page.getByRole("button", { name: "Create key" }));
  const dialog = page.getByRole("dialog");
  await staysWithin(page, dialog);
  const secret = await dialog.getByText(/^key_[0-9a-f]{96}$/).textContent();
  await press(page, dialog.getByRole("button", { name: "Copy secret" }));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await press(page, dialog.getByLabel("I've saved this secret"), "Space");
  await press(page, dialog.getByRole("button", { name: "Done" }));
  await heading(page, "Keyboard").waitFor();
  expect(page.troubles).toEqual([]);
});

it("create a webhook", async () => {
  const page = await openAs(seller, "/webhooks/new");
  await heading(page, "Create webhook").waitFor();
  await type(page, page.getByLabel(/^Name/), "Till");
  await type(page, page.getByLabel(/^URL/), "https://example.com/hook");
  await type(page, page.getByLabel("Search events"), "campaign.created");
  await press(page, page.getByLabel("campaign.created"), "Space");
  await press(page, page.getByRole("button", { name: "Create webhook" }));
  await heading(page, "Till").waitFor();
  const { webhooks } = await graphql<{ webhooks: unknown }>(
    seller.apiKey,
    "{ webhooks { nodes { name url events } } }",
    {},
  );
  expect(webhooks).toMatchObject({ nodes: [{ name: "Till", events: { "campaign.created": true } }] });
  expect(page.troubles).toEqual([]);
});

it("add an entry to a list and get the focus back", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Members" }) { _id } }',
    {},
  );
  const page = await openAs(seller, `/lists/${createAccessList._id}`);
  await heading(page, "Members").waitFor();
  const add = page.getByRole("button", { name: "Add entry" }).first();
  await press(page, add);
  const drawer = page.getByRole("dialog", { name: "Add entry" });
  await staysWithin(page, drawer);
  await type(page, drawer.getByLabel(/^Code/), "CARD-1");
  await type(page, drawer.getByLabel(/^First name/), "Ada");
  await press(page, drawer.getByRole("button", { name: "Add entry" }));
  await page.getByRole("button", { name: "CARD-1" }).waitFor();
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(add)).toBe(true);
  expect(page.troubles).toEqual([]);
});

it("simulate a scan", async () => {
  const { createAccessUser } = await graphql<{ createAccessUser: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessUser(input: { name: "North gate" }) { _id } }',
    {},
  );
  const page = await openAs(seller, "/simulator");
  await heading(page, "Simulator").waitFor();
  await type(page, page.getByRole("textbox", { name: "Code" }), "nobody-has-this");
  await type(page, page.getByRole("combobox", { name: "Device" }), "North");
  await page.getByRole("option", { name: "North gate" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("button", { name: "Simulate scan", exact: true }));
  await page.getByText(/^Declined: /).waitFor();
  expect(new URL(page.url()).searchParams.get("device")).toBe(createAccessUser._id);
  expect(page.troubles).toEqual([]);
});
