import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { graphql, newPage, newSeller, openAs, withBrowser } from "./browser";

let seller: Awaited<ReturnType<typeof newSeller>>;

withBrowser();

beforeAll(async () => {
  seller = await newSeller("Keyboard");
});

/** Presses Tab until the focus is there, and sees that it can be seen. */
async function tabTo(page: Page, target: Locator, key = "Tab") {
  for (let presses = 0; !(await hasFocus(target)); presses++) {
    if (presses === 100) throw new Error(`${target} is not reached with ${key}`);
    await page.keyboard.press(key);
  }
  await expect.poll(() => target.evaluate(showsFocus), { message: `the focus of ${target} is seen` }).toBe(true);
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Whether an element, or what is drawn around or in its stead, has an outline or, of a field, another border than usual. */
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

/** Goes to a control of the page or of the dialog, and types into it or presses it. */
async function type(page: Page, target: Locator, text: string) {
  await tabTo(page, target);
  await page.keyboard.type(text);
}
async function press(page: Page, target: Locator, key = "Enter") {
  await target.waitFor();
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Sees that no number of tabs in either direction leads out of a dialog. */
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

it("one signs in and finds a key by the search", async () => {
  const page = await newPage();
  await page.goto("/login");
  await expect.poll(() => hasFocus(page.getByLabel("E-mail"))).toBe(true);
  await page.keyboard.type(seller.adminEmail);
  await type(page, page.getByLabel(/^Password/), seller.adminPassword);
  await page.keyboard.press("Enter");
  await heading(page, "Overview").waitFor();
  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog", { name: "Search everything" });
  await staysWithin(page, dialog);
  await type(page, page.getByRole("combobox", { name: "What to search" }), "Seed");
  await page.getByRole("option", { name: "Seeded" }).waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Seeded").waitFor();

  // A dialog that is left gives the focus back, and the first tab of a page leads to its content.
  const off = page.getByRole("button", { name: "Switch off" });
  await press(page, off);
  await staysWithin(page, page.getByRole("dialog", { name: /off/ }));
  await page.keyboard.press("Escape");
  await expect.poll(() => hasFocus(off)).toBe(true);
  await page.goto("/keys");
  await heading(page, "API keys").waitFor();
  await press(page, page.getByRole("link", { name: "Skip to the content" }));
  await press(page, page.getByRole("link", { name: "Create key" }));
  await heading(page, "Create a key").waitFor();
  expect(page.troubles).toEqual([]);
});

it("an API key is created and its secret copied", async () => {
  const page = await openAs(seller, "/keys/new", { permissions: ["clipboard-read", "clipboard-write"] });
  await heading(page, "Create a key").waitFor();
  await type(page, page.getByLabel(/^Name/), "Keyboard");
  await type(page, page.getByLabel("Search resources"), "webhooks");
  await press(page, page.getByLabel("webhooks:list"), "Space");
  await press(page, page.getByRole("button", { name: "Create key" }));
  const dialog = page.getByRole("dialog");
  await staysWithin(page, dialog);
  const secret = await dialog.getByText(/^key_[0-9a-f]{96}$/).textContent();
  await press(page, dialog.getByRole("button", { name: "Copy the secret" }));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await press(page, dialog.getByLabel("I have kept the secret"), "Space");
  await press(page, dialog.getByRole("button", { name: "Done" }));
  await heading(page, "Keyboard").waitFor();
  expect(page.troubles).toEqual([]);
});

it("a webhook is created", async () => {
  const page = await openAs(seller, "/webhooks/new");
  await heading(page, "Create a webhook").waitFor();
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

it("an entry is added to a list, and the focus comes back to where it was", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Members" }) { _id } }',
    {},
  );
  const page = await openAs(seller, `/lists/${createAccessList._id}`);
  await heading(page, "Members").waitFor();
  const add = page.getByRole("button", { name: "Add entry" }).first();
  await press(page, add);
  const drawer = page.getByRole("dialog", { name: "Add an entry" });
  await staysWithin(page, drawer);
  await type(page, drawer.getByLabel(/^Code/), "CARD-1");
  await type(page, drawer.getByLabel(/^First name/), "Ada");
  await press(page, drawer.getByRole("button", { name: "Add entry" }));
  await page.getByRole("button", { name: "CARD-1" }).waitFor();
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(add)).toBe(true);
  expect(page.troubles).toEqual([]);
});

it("a scan is simulated", async () => {
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
  await press(page, page.getByRole("button", { name: "Simulate", exact: true }));
  await page.getByText(/^Access denied/).waitFor();
  expect(new URL(page.url()).searchParams.get("device")).toBe(createAccessUser._id);
  expect(page.troubles).toEqual([]);
});
