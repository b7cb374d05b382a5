import { join } from "node:path";
import { expect, it } from "vitest";
import { pages as routes } from "../src/app/pages";
import { newPage, type Opened, sellerNumber, withBrowser } from "./browser";
import { fillEvening } from "./evening";
import { createRecords } from "./page-records";
import { type ListedPage, pages, settled, show } from "./pages";
import { setting } from "./settings";

// `make screenshots` runs this file. It shows each page in both color schemes and two widths.
const folder = setting("TICKETGATE_SCREENSHOTS");
const docs = join(import.meta.dirname, "../../docs");

const looks = [
  { width: 1440, scheme: "light" },
  { width: 1440, scheme: "dark" },
  { width: 390, scheme: "dark" },
  { width: 390, scheme: "light" },
] as const;

/** The height of the longest pictures. Pages of the documentation are longer. */
const highest = 4000;

withBrowser();

async function picture(page: Opened, name: string) {
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, "-").replaceAll(/^-|-$/g, "") || "overview"}.png`;
  for (const { width, scheme } of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const clip = { x: 0, y: 0, width, height: Math.min(height, highest) };
    await page.screenshot({ path: join(folder, `${scheme}-${width}`, file), fullPage: true, clip });
  }
}

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(path.replace(/\?.*/, ""));

it("every page of the dashboard is listed", () => {
  const missing = routes.filter((route) => route.path !== "*" && !pages.some(({ path }) => matches(route.path, path)));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

it.each([
  { path: "/login", heading: "Sign in" },
  { path: "/invitation#unknown", heading: "This link doesn't work" },
  { path: "/reset-password#unknown", heading: "Choose a new password" },
])("$path", async ({ path, heading }) => {
  const page = await newPage();
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await picture(page, path);
});

it("pages of a seller", { timeout: 20 * 60_000 }, async () => {
  const seller = sellerNumber(1);
  const records = await createRecords(seller);
  try {
    for (const listed of pages) {
      const page = await show(seller, listed, records.ids);
      await picture(page, [listed.path, ...(listed.opens ?? [])].join(" "));
      await page.close({ runBeforeUnload: false });
    }
  } finally {
    records.close();
  }
});

it("the pictures of the README", async () => {
  const seller = sellerNumber(0);
  await fillEvening(seller);
  const overview: ListedPage = { path: "/", heading: "Overview" };
  const page = await show(seller, overview, {});
  await page.getByText("% delivered").waitFor();
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await settled(page);
    await page.screenshot({ path: join(docs, `overview-${scheme}.png`) });
  }
});
