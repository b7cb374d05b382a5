// Opens lists with many rows and prints how long each took, in milliseconds, for bench/pages.go.
import process from "node:process";
import { chromium } from "playwright-core";

const { TICKETGATE_URL, TICKETGATE_CHROMIUM, TICKETGATE_EMAIL, TICKETGATE_PASSWORD, TICKETGATE_LIST } = process.env;

/** The address of each list, the name of its table, and a filter that shows other rows. */
const lists = [
  { name: "entries", path: `/lists/${TICKETGATE_LIST}`, label: "Entries", filter: ["Exact code", "CARD-77777"] },
  { name: "deliveries", path: "/deliveries", label: "Deliveries", filter: ["Status", "Failed"] },
  { name: "scans", path: "/scans", label: "Scans", filter: ["Result", "Declined"] },
];

/** Waits until the table shows rows other than the given ones, and they are painted. */
async function painted(page, label, before) {
  await page.waitForFunction(
    ([label, before]) => {
      const table = document.querySelector(`table[aria-label="${label}"]:not([aria-busy=true])`);
      const row = table?.querySelector("tbody tr")?.textContent;
      if (!row || row === before) return false;
      // After two frames, the current content of the document has been painted.
      globalThis.paintedAt ??= new Promise((told) =>
        requestAnimationFrame(() => requestAnimationFrame(() => told(performance.now()))),
      );
      return true;
    },
    [label, before],
    { timeout: 60_000 },
  );
  return page.evaluate(async () => {
    const at = await globalThis.paintedAt;
    globalThis.paintedAt = undefined;
    return at;
  });
}

/** Returns when the browser first painted text or an image. The entry appears with a delay. */
async function firstPainted(page) {
  const told = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  return told.jsonValue();
}

/** Measures from the filtered request, which is sent after a debounce, to the rows. */
async function filter(page, { label, filter: [name, value] }) {
  const row = await page.locator(`table[aria-label="${label}"] tbody tr`).first().textContent();
  const box = page.getByLabel(name, { exact: true }).first();
  // An earlier request, such as a count, may still finish in the meantime.
  const begun = await page.evaluate(() => performance.now());
  if ((await box.getAttribute("aria-haspopup")) === "listbox") {
    await box.click();
    await page.getByRole("option", { name: value, exact: true }).click();
  } else {
    await box.fill(value);
  }
  const at = await painted(page, label, row);
  const asked = await page.evaluate(
    (begun) =>
      performance
        .getEntriesByName(`${location.origin}/graphql`)
        .map(({ startTime }) => startTime)
        .find((startTime) => startTime >= begun),
    begun,
  );
  return at - asked;
}

const browser = await chromium.launch({ executablePath: TICKETGATE_CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const first = await browser.newContext({ baseURL: TICKETGATE_URL });
  const page = await first.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill(TICKETGATE_EMAIL);
  await page.getByLabel(/^Password/).fill(TICKETGATE_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const storageState = await first.storageState();
  await first.close();
  const took = [];
  for (const list of lists) {
    // A new context has an empty cache.
    const context = await browser.newContext({ baseURL: TICKETGATE_URL, storageState, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(list.path, { waitUntil: "commit" });
    const paint = await painted(page, list.label);
    took.push({ name: list.name, first: await firstPainted(page), paint, filter: await filter(page, list) });
    await context.close();
  }
  process.stdout.write(JSON.stringify(took));
} finally {
  await browser.close();
}
