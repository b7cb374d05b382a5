import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { violations } from "./axe";
import { listen, newPage, signIn, withBrowser } from "./browser";
import { setting } from "./settings";

interface Login {
  email: string;
  password: string;
}

/** A server on which nobody has done anything yet. */
const empty: { url: string; admin: Login; guest: Login } = JSON.parse(setting("TICKETGATE_EMPTY"));
const fiveMinutes = 5 * 60_000;

withBrowser();

/** Opens the server's address, the only one that is typed in: everything after it is found on the pages. */
async function arrive({ email, password }: Login) {
  const page = await newPage({ baseURL: empty.url });
  await page.goto("/");
  await page.getByText("ticketgate user create E-MAIL").waitFor();
  await signIn(page, email, password);
  await page.getByRole("heading", { level: 2, name: "No seller yet" }).waitFor();
  return page;
}

const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });

it("whoever is a member of nothing is told whom to ask, on every page of a seller", async () => {
  const page = await arrive(empty.guest);
  const command = `ticketgate user create ${empty.guest.email} --new-organization NAME`;
  await page.getByText(command).waitFor();
  expect(await violations(page, "light")).toEqual([]);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.getByText(command).waitFor();
  expect(await link(page, "Create a seller").count()).toBe(0);
  expect(page.troubles).toEqual([]);
});

it("from nothing to the first signed webhook, by what the pages say", { timeout: fiveMinutes }, async () => {
  const listener = await listen({ status: 200, body: "" });
  try {
    const page = await arrive(empty.admin);
    await createSeller(page);
    await createKey(page);
    const key = await createWebhook(page, listener.url);
    await createEvent(page);

    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await deliveries.getByText("Delivered", { exact: true }).last().waitFor();
    const [call, ...more] = listener.calls;
    if (!call) throw new Error("the page shows a delivery that did not come");
    expect(more).toEqual([]);
    const { body, headers } = call;
    const signature = createHmac("sha256", key).update(body).digest("hex");
    expect(headers["x-service-signature"]).toBe(signature);
    expect(JSON.parse(body.toString())).toMatchObject({
      type: "event.created",
      data: { event: { name: "Opening night" } },
    });

    await deliveries.getByRole("link", { name: "event.created" }).click();
    await page.getByText(body.toString(), { exact: true }).waitFor();
    await link(page, "Verify the signature").click();
    await page.getByRole("heading", { level: 2, name: "Verify a signature" }).waitFor();
    await page.getByLabel("Body").fill(body.toString());
    await page.getByLabel(/^Signature/).fill(signature);
    await page.getByRole("button", { name: "Check the signature" }).click();
    await page.getByText("It matches").waitFor();
    expect(page.troubles).toEqual([]);
  } finally {
    listener.close();
  }
});

async function createSeller(page: Page) {
  await link(page, "Create a seller").click();
  await page.getByRole("heading", { level: 1, name: "Create a seller" }).waitFor();
  expect(await violations(page, "light")).toEqual([]);
  await page.getByLabel(/^Name/).fill("Odeon");
  await page.getByLabel(/^Country/).fill("xx");
  await page.getByRole("button", { name: "Create seller" }).click();
  await page.getByText("Must be an ISO 3166-1 alpha-2 country code").waitFor();
  await page.getByLabel(/^Country/).fill("de");
  await page.getByRole("button", { name: "Create seller" }).click();
  await page.getByText("Odeon, DE").waitFor();
}

async function createKey(page: Page) {
  await link(page, "Create an API key").click();
  await page.getByText("No API keys yet").waitFor();
  await link(page, "Create key").last().click();
  await page.getByLabel(/^Name/).fill("Shop backend");
  await page.getByRole("radio", { name: "Full access" }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("region", { name: "Try it" }).getByText(`curl ${empty.url}/api/keys/info`).waitFor();
  await dialog.getByLabel("I have kept the secret").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { level: 1, name: "Shop backend" }).waitFor();
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("listitem").filter({ hasText: "Create an API key" }).getByLabel("Done").waitFor();
}

/** Begins with a name and an address alone, as the form lets one do, and mends what the webhook's page then says; returns the key that signs. */
async function createWebhook(page: Page, url: string): Promise<string> {
  await link(page, "Create a webhook").click();
  await page.getByText("No webhooks yet").waitFor();
  await link(page, "Create webhook").last().click();
  await page.getByLabel(/^Name/).fill("Till");
  await page.getByLabel(/^URL/).fill(url);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("It is subscribed to nothing").waitFor();
  await page.getByText("Its calls are not signed").waitFor();
  await link(page, "Change it in the settings").click();
  await page.getByRole("button", { name: "Generate" }).click();
  await page.getByLabel("Search events").fill("event.created");
  await page.getByRole("checkbox", { name: "event.created" }).check();
  const key = await page.getByLabel(/^Signing key/).inputValue();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("The webhook was changed").waitFor();
  await page.getByRole("tab", { name: "Deliveries" }).click();
  const command = `ticketgate listen --listen ${new URL(url).host} --hmac-key=${key}`;
  await page.getByText(command, { exact: true }).waitFor();
  return key;
}

/** Back on the webhook's page afterwards, which shows the delivery by itself. */
async function createEvent(page: Page) {
  await link(page, "Create an event to see one").click();
  await page.getByRole("heading", { level: 1, name: "Create an event" }).waitFor();
  await page.getByLabel(/^Name/).fill("Opening night");
  await page.getByLabel(/^Start/).fill("2027-05-15T20:00");
  await page.getByRole("button", { name: "Create event" }).click();
  await page.getByRole("heading", { level: 1, name: "Till" }).waitFor();
}
