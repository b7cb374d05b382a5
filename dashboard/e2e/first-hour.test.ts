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

/** A server without any data. */
const empty: { url: string; admin: Login; guest: Login } = JSON.parse(setting("TICKETGATE_EMPTY"));
const fiveMinutes = 5 * 60_000;

withBrowser();

/** Opens the server's root, the only address that is typed. Everything else is reached by links. */
async function arrive({ email, password }: Login) {
  const page = await newPage({ baseURL: empty.url });
  await page.goto("/");
  await page.getByText("ticketgate user create EMAIL").waitFor();
  await signIn(page, email, password);
  await page.getByRole("heading", { level: 2, name: "No seller yet" }).waitFor();
  return page;
}

const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });

it("a user without memberships sees whom to ask on every seller page", async () => {
  const page = await arrive(empty.guest);
  const command = `ticketgate user create ${empty.guest.email} --new-organization NAME`;
  await page.getByText(command).waitFor();
  expect(await violations(page, "light")).toEqual([]);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.getByText(command).waitFor();
  expect(await link(page, "Create seller").count()).toBe(0);
  expect(page.troubles).toEqual([]);
});

it("the pages lead from an empty server to the first signed webhook", { timeout: fiveMinutes }, async () => {
  const listener = await listen({ status: 200, body: "" });
  try {
    const page = await arrive(empty.admin);
    await createSeller(page);
    await createKey(page);
    const key = await createWebhook(page, listener.url);
    await sendTestEvent(page);

    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await deliveries.getByText("Delivered", { exact: true }).last().waitFor();
    const [call, ...more] = listener.calls;
    if (!call) throw new Error("the page shows a delivery that was not received");
    expect(more).toEqual([]);
    const { body, headers } = call;
    const signature = createHmac("sha256", key).update(body).digest("hex");
    expect(headers["x-service-signature"]).toBe(signature);
    expect(JSON.parse(body.toString())).toMatchObject({
      type: "event.created",
      test: true,
      data: { event: {} },
    });

    await deliveries.getByRole("link", { name: "event.created" }).click();
    await page.getByText(body.toString(), { exact: true }).waitFor();
    await link(page, "Verify signature").click();
    await page.getByRole("heading", { level: 2, name: "Verify a signature" }).waitFor();
    await page.getByLabel("Body").fill(body.toString());
    await page.getByLabel(/^Signature/).fill(signature);
    await page.getByRole("button", { name: "Check signature" }).click();
    await page.getByText("Signature matches").waitFor();
    expect(page.troubles).toEqual([]);
  } finally {
    listener.close();
  }
});

async function createSeller(page: Page) {
  await link(page, "Create seller").click();
  await page.getByRole("heading", { level: 1, name: "Create seller" }).waitFor();
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
  await dialog.getByLabel("I've saved this secret").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { level: 1, name: "Shop backend" }).waitFor();
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("listitem").filter({ hasText: "Create an API key" }).getByLabel("Done").waitFor();
}

/** Creates a webhook with only a name and URL, and follows the hints on its page. Returns the signing key. */
async function createWebhook(page: Page, url: string): Promise<string> {
  await link(page, "Create a webhook").click();
  await page.getByText("No webhooks yet").waitFor();
  await link(page, "Create webhook").last().click();
  await page.getByLabel(/^Name/).fill("Till");
  await page.getByLabel(/^URL/).fill(url);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("No events selected").waitFor();
  await page.getByText("Requests aren't signed").waitFor();
  await link(page, "Edit settings").click();
  await page.getByRole("button", { name: "Generate key" }).click();
  await page.getByLabel("Search events").fill("event.created");
  await page.getByRole("checkbox", { name: "event.created" }).check();
  const key = await page.getByLabel(/^Signing key/).inputValue();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Webhook saved").waitFor();
  await page.getByRole("tab", { name: "Deliveries" }).click();
  const command = `ticketgate listen --listen ${new URL(url).host} --hmac-key=${key}`;
  await page.getByText(command, { exact: true }).waitFor();
  return key;
}

/** Sends a test event from the webhook's page, and returns from the delivery to that page. */
async function sendTestEvent(page: Page) {
  await page.getByRole("button", { name: "Send test event" }).last().click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "event.created" }).waitFor();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Till" }).click();
  await page.getByRole("heading", { level: 1, name: "Till" }).waitFor();
}
