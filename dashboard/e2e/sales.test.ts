import { expect, it } from "vitest";
import { graphql, listen, newSeller, openAs, sellerNumber, withBrowser } from "./browser";
import { sell } from "./sales";

const seller = sellerNumber(3);

withBrowser();

it("a transaction is found, shows its history, and reveals secrets on demand", async () => {
  const sold = await sell(seller);
  const page = await openAs(
    seller,
    "/transactions?status=COMPLETE&payment=POS_RECEIVED&from=2026-11-01&until=2026-11-01",
  );
  await page.getByLabel("Name, email, number or ID").fill(sold.tid);
  await page.waitForURL(`**/*q=${sold.tid}*`);
  await page.getByRole("row").filter({ hasText: sold.tid }).getByRole("link", { name: "Grace Hopper" }).click();

  await page.getByRole("heading", { level: 1, name: `Transaction ${sold.tid}` }).waitFor();
  await page.getByText("732829320", { exact: true }).waitFor();
  await page.getByRole("cell", { name: "€49.50" }).waitFor();
  expect(await page.content()).not.toContain(sold.secret);
  await page.getByRole("button", { name: "Show secret" }).click();
  await page.getByText(sold.secret, { exact: true }).waitFor();

  await page.getByRole("tab", { name: "History" }).click();
  await page.getByText("Comes later").waitFor();
  await expect
    .poll(() => page.locator(".mantine-Timeline-itemTitle").allTextContents())
    .toEqual(["Sale started at a point of sale", "On-site payment received", "Called"]);

  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByText('"realPrice": 99').waitFor();
  expect(await page.content()).not.toContain(sold.secret);
  await page.getByRole("button", { name: "Show secret" }).click();
  await page.getByText(`"secret": "${sold.secret}"`).waitFor();

  await page.getByRole("tab", { name: "Sale" }).click();
  await page.getByRole("link", { name: "Front row" }).click();
  await page.getByRole("heading", { level: 1, name: "Front row" }).waitFor();
  expect(await page.content()).not.toContain(sold.barcode);
  await page.getByRole("button", { name: "Show barcode" }).click();
  await page.getByText(sold.barcode, { exact: true }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("an event is created in its own time zone, with a ticket type", async () => {
  const page = await openAs(seller, "/events");
  await page.getByRole("link", { name: "Create event" }).first().click();
  await page.getByLabel(/^Name/).fill("Spring gala");
  await page.getByRole("combobox", { name: "Time zone" }).fill("Tokyo");
  await page.getByRole("option", { name: "Asia/Tokyo" }).click();
  await page.getByRole("button", { name: "Create event" }).click();
  await page.getByText("Enter a start time").waitFor();
  await page.getByLabel(/^Start/).fill("2027-05-15T20:00");
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

  await page.getByRole("button", { name: "Edit Balcony" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  const sure = page.getByRole("dialog", { name: "Delete ticket type" });
  await sure.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No ticket types yet").waitFor();
  expect(page.troubles).toEqual([]);
});

it("renaming an event keeps its times, even in an hour that the clock shows twice", async () => {
  const { createEvent } = await graphql<{ createEvent: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateEventInput!) { createEvent(input: $input) { _id } }",
    {
      input: {
        name: "Night of two hours",
        start: "2026-11-01T05:45:00.123Z",
        end: "2026-11-01T06:30:00.999Z",
        timeZone: "America/New_York",
      },
    },
  );
  const page = await openAs(seller, `/events/${createEvent._id}?tab=settings`);
  await page.getByText(/this time occurs twice\. .*1:30.* is used/).waitFor();
  await page.getByLabel(/^Name/).fill("Night of three hours");
  const [call] = await Promise.all([
    page.waitForRequest((request) => request.postData()?.includes("updateEvent") ?? false),
    page.getByRole("button", { name: "Save changes" }).click(),
  ]);
  expect(call.postDataJSON().variables.input).toEqual({
    name: "Night of three hours",
    expectedUpdatedAt: expect.any(String),
  });
  await page.getByRole("heading", { level: 1, name: "Night of three hours" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("invalid days and unknown values are ignored, and rejected filters can be cleared", async () => {
  const page = await openAs(seller, "/tickets?from=garbage&until=2026-11-28");
  const days = page.getByRole("button", { name: "Created", exact: true });
  await days.getByText("– Nov 28, 2026").waitFor();
  await page.goto("/tickets?from=2026-02-30&until=2026-13-45");
  await days.getByText("Created").waitFor();
  await page.goto("/scans?period=99y&result=x");
  await page
    .getByRole("table", { name: "Scans" })
    .or(page.getByText("No scans in the last 24 hours"))
    .first()
    .waitFor();
  await page.goto("/audit?from=0000-00-00&until=9999-99-99");
  await page.getByRole("table", { name: "Audit log" }).getByRole("button").first().waitFor();

  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Guests" }) { _id } }',
    {},
  );
  await page.goto(`/lists/${createAccessList._id}?without=nope`);
  await page.getByRole("alert").getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("No entries yet").waitFor();
  await page.goto("/tickets?transaction=nope");
  await page.getByText("No records match these filters.").waitFor();
  expect(page.troubles).toEqual([]);
});

it("records with dot segments as IDs have pages", async () => {
  for (const id of [".", "..", "~.."]) {
    await graphql(
      seller.apiKey,
      `mutation($event: CreateEventInput!, $customer: CreateCustomerInput!) {
        createEvent(input: $event) { _id }
        createCustomer(input: $customer) { _id }
      }`,
      {
        event: { _id: id, name: `Named ${id}`, start: "2031-05-01T18:00:00Z" },
        customer: { _id: id, firstname: `Named ${id}`, email: "steps@example.com" },
      },
    );
    for (const list of ["/events", "/customers"]) {
      const page = await openAs(seller, list);
      await page.getByRole("link", { name: `Named ${id}`, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: `Named ${id}`, exact: true }).waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: `Named ${id}`, exact: true }).waitFor();
      expect(page.troubles).toEqual([]);
    }
  }
});

it("a missing record leads to its list", async () => {
  const page = await openAs(seller, "/events/gone");
  const told = page.getByRole("alert").filter({ hasText: "Not found" });
  await told.getByRole("link", { name: "Events" }).click();
  await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("a checkout links to its transaction, which links to its invoice", async () => {
  const sold = await sell(seller);
  const page = await openAs(seller, `/checkouts/${sold.checkout}`);
  await page.getByRole("heading", { level: 1, name: "Checkout by Grace Hopper" }).waitFor();
  await page.getByText("€148.50").first().waitFor();
  await page
    .getByRole("definition")
    .filter({ hasText: /^[0-9a-f]{24}$/ })
    .getByRole("link")
    .click();
  await page.getByRole("link", { name: /^Invoice \d+$/ }).click();
  await page.getByRole("heading", { level: 1, name: /^Invoice \d+$/ }).waitFor();
  await page.getByText("Not sent", { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("cell", { name: "€148.50" }).count()).toBe(1);
  expect(new URL(page.url()).pathname).toBe(`/invoices/${sold.invoice}`);
  expect(page.troubles).toEqual([]);
});

it("a transaction, its ticket, customer and event show their deliveries", async () => {
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
