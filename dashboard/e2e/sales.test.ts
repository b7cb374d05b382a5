import { expect, it } from "vitest";
import { graphql, listen, newSeller, openAs, sellerNumber, withBrowser } from "./browser";
import { sell } from "./sales";

const seller = sellerNumber(3);

withBrowser();

it("a transaction is found, tells its story, and shows what is secret only when asked", async () => {
  const sold = await sell(seller);
  const page = await openAs(
    seller,
    "/transactions?status=COMPLETE&payment=POS_RECEIVED&from=2026-11-01&until=2026-11-01",
  );
  await page.getByLabel("Name, e-mail, number or id").fill(sold.tid);
  await page.waitForURL(`**/*q=${sold.tid}*`);
  await page.getByRole("row").filter({ hasText: sold.tid }).getByRole("link", { name: "Grace Hopper" }).click();

  await page.getByRole("heading", { level: 1, name: `Transaction ${sold.tid}` }).waitFor();
  await page.getByText("732829320", { exact: true }).waitFor();
  await page.getByRole("cell", { name: "€49.50" }).waitFor();
  expect(await page.content()).not.toContain(sold.secret);
  await page.getByRole("button", { name: "Show the secret" }).click();
  await page.getByText(sold.secret, { exact: true }).waitFor();

  await page.getByRole("tab", { name: "History" }).click();
  await page.getByText("Comes later").waitFor();
  await expect
    .poll(() => page.locator(".mantine-Timeline-itemTitle").allTextContents())
    .toEqual(["The sale was begun at a point of sale", "The payment on site was received", "Called"]);

  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByText('"realPrice": 99').waitFor();
  expect(await page.content()).not.toContain(sold.secret);
  await page.getByRole("button", { name: "Show secret" }).click();
  await page.getByText(`"secret": "${sold.secret}"`).waitFor();

  await page.getByRole("tab", { name: "Sale" }).click();
  await page.getByRole("link", { name: "Front row" }).click();
  await page.getByRole("heading", { level: 1, name: "Front row" }).waitFor();
  expect(await page.content()).not.toContain(sold.barcode);
  await page.getByRole("button", { name: "Show the barcode" }).click();
  await page.getByText(sold.barcode, { exact: true }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("an event is created with the time at its place, and a ticket type for it", async () => {
  const page = await openAs(seller, "/events");
  await page.getByRole("link", { name: "Create event" }).first().click();
  await page.getByLabel(/^Name/).fill("Spring gala");
  await page.getByRole("combobox", { name: "Time zone" }).fill("Tokyo");
  await page.getByRole("option", { name: "Asia/Tokyo" }).click();
  await page.getByRole("button", { name: "Create event" }).click();
  await page.getByText("Say when the event starts").waitFor();
  await page.getByRole("button", { name: /^Start/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^15 / }).click();
  await page.getByRole("dialog").getByRole("spinbutton").first().fill("20");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create event" }).click();

  await page.getByRole("heading", { level: 1, name: "Spring gala" }).waitFor();
  await page.getByText("Asia/Tokyo", { exact: true }).waitFor();
  await page.getByText(/15.*(8:00|20:00)/).waitFor();
  await page.getByRole("button", { name: "Add ticket type" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Name/).fill("Balcony");
  await dialog.getByLabel(/^Price/).fill("12.345");
  await dialog.getByRole("button", { name: "Add ticket type" }).click();
  await dialog.locator("input[aria-invalid=true]").waitFor();
  await dialog.getByLabel(/^Price/).fill("12.5");
  await dialog.getByRole("button", { name: "Add ticket type" }).click();
  await page.getByRole("cell", { name: "€12.50" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("a checkout leads to its transaction, and that to its invoice", async () => {
  const sold = await sell(seller);
  const page = await openAs(seller, `/checkouts/${sold.checkout}`);
  await page.getByRole("heading", { level: 1, name: "Checkout of Grace Hopper" }).waitFor();
  await page.getByText("€148.50").first().waitFor();
  await page
    .getByRole("definition")
    .filter({ hasText: /^[0-9a-f]{24}$/ })
    .getByRole("link")
    .click();
  await page.getByRole("link", { name: /^Invoice \d+$/ }).click();
  await page.getByRole("heading", { level: 1, name: /^Invoice \d+$/ }).waitFor();
  await page.getByText("Kept here", { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("cell", { name: "€148.50" }).count()).toBe(1);
  expect(new URL(page.url()).pathname).toBe(`/invoices/${sold.invoice}`);
  expect(page.troubles).toEqual([]);
});

it("what was delivered of a transaction, its ticket, customer and event is on their pages", async () => {
  const seller = await newSeller("Concert house");
  const listener = await listen({ status: 200, body: "" });
  await graphql(seller.apiKey, "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }", {
    input: {
      name: "Accounts",
      url: listener.url,
      events: Object.fromEntries(
        ["transaction.complete", "ticket.created", "customer.created", "event.created"].map((type) => [type, true]),
      ),
    },
  });
  const sold = await sell(seller);
  const page = await openAs(seller, `/transactions/${sold.transaction}?tab=deliveries`);
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await deliveries.getByRole("link", { name: "transaction.complete" }).waitFor();
  for (const [path, type] of [
    [`/tickets/${sold.ticket}`, "ticket.created"],
    [`/customers/${sold.customer}`, "customer.created"],
    [`/events/${sold.event}`, "event.created"],
  ]) {
    await page.goto(`${path}?tab=deliveries`);
    await deliveries.getByRole("link").first().waitFor();
    expect(await deliveries.getByRole("link").allTextContents()).toEqual([type]);
  }
  expect(page.troubles).toEqual([]);
  listener.close();
});
