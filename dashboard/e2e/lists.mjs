// Opens lists of many rows and prints how long each took, in milliseconds, for bench/pages.go.
import process from "node:process";
import { chromium } from "playwright-core";

const { TICKETGATE_URL, TICKETGATE_CHROMIUM, TICKETGATE_EMAIL, TICKETGATE_PASSWORD, TICKETGATE_LIST } = process.env;

/** Where each list is, what its table is called, and a filter that other rows fit. */
const lists = [
  { name: "entries", path: `/lists/${TICKETGATE_LIST}`, label: "Entries", filter: ["Code, exactly", "CARD-77777"] },
  { name: "deliveries", path: "/deliveries", label: "Deliveries", filter: ["State", "Failed"] },
  { name: "scans", path: "/scans", label: "Scans", filter: ["Result", "Declined"] },
];

/** Waits in the page until the table has rows, others than those that are given, and they are painted. */
async function painted(page, label, before) {
  await page.waitForFunction(
    ([label, before]) => {
      const table = document.querySelector(`table[aria-label="${label}"]:not([aria-busy=true])`);
      const row = table?.querySelector("tbody tr")?.textContent;
      if (!row || row === before) return false;
      // Two frames on, what is in the document now has been painted.
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

/** When the browser painted anything: a text or a picture. It tells a moment later. */
async function firstPainted(page) {
  const told = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  return told.jsonValue();
}

/** From the request for the rows with the filter, since a text waits a moment for its next letter, to the rows. */
async function filter(page, { label, filter: [name, value] }) {
  const row = await page.locator(`table[aria-label="${label}"] tbody tr`).first().textContent();
  const box = page.getByLabel(name, { exact: true }).first();
  // What was asked for earlier, such as how many rows there are, may still be answered meanwhile.
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
  await page.getByLabel("E-mail").fill(TICKETGATE_EMAIL);
  await page.getByLabel(/^Password/).fill(TICKETGATE_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const storageState = await first.storageState();
  await first.close();
  const took = [];
  for (const list of lists) {
    // A context of its own has nothing in its cache.
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
