import { afterAll, beforeAll, expect, it } from "vitest";
import { violations } from "./axe";
import { newPage, type Opened, openAs, sellerNumber, staying, withBrowser } from "./browser";
import { createRecords } from "./page-records";
import { pages, settled, show } from "./pages";

const seller = sellerNumber(1);
let made: Awaited<ReturnType<typeof createRecords>>;

withBrowser();

beforeAll(async () => {
  made = await createRecords(seller);
});
afterAll(() => made.close());

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
  let [page] = staying as Set<Opened>;
  staying.clear(); // kept again after success
  page = await show(seller, shown, made.ids, page);
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
  await page.getByText("No records match these filters.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Seeded" }).waitFor();
  expect(page.troubles).toEqual([]);
});
