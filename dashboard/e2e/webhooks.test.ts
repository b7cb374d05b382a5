import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { graphql, listen, openAs, publish, sellerNumber, withBrowser } from "./browser";

const seller = sellerNumber(0);

withBrowser();

it("deliveries appear live, are filtered and retried together, and are part of the statistics", async () => {
  const name = `Live till ${Date.now()}`;
  const answer = { status: 503, body: "closed" };
  const listener = await listen(answer);
  try {
    const { createWebhook } = await graphql<{ createWebhook: { _id: string } }>(
      seller.apiKey,
      "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }",
      { input: { name, url: listener.url, events: { "fund.created": true }, hmacKey: "the key" } },
    );
    const page = await openAs(seller, "/webhooks");
    const row = page.getByRole("row", { name });
    await row.getByText("No attempts").last().waitFor(); // the first one is for small screens
    await row.getByRole("link", { name }).click();
    await page.getByText("No deliveries yet").waitFor();
    await page.getByLabel("Live", { exact: true }).click();
    for (const id of ["fund-1", "fund-2", "fund-3"])
      await publish(seller.sellerId, "fund.created", { fund: { _id: id } });
    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await expect.poll(() => deliveries.getByText("HTTP 503").count()).toBe(3);

    await page.getByLabel("Object ID").fill("fund-2");
    await expect.poll(() => deliveries.getByRole("link", { name: "fund.created" }).count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("object")).toBe("fund-2");
    await page.getByLabel("Object ID").fill("");
    await expect.poll(() => deliveries.getByRole("link", { name: "fund.created" }).count()).toBe(3);

    answer.status = 204;
    await deliveries
      .getByRole("checkbox", { name: /^Select fund/ })
      .nth(0)
      .check();
    await deliveries
      .getByRole("checkbox", { name: /^Select fund/ })
      .nth(1)
      .check();
    await page.getByText("2 selected", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Retry selected" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry 2 deliveries" }).click();
    await expect.poll(() => deliveries.getByText("HTTP 204").count()).toBe(2);

    await page.getByRole("tab", { name: "Statistics" }).click();
    const figures = page.getByRole("region", { name: "Summary" });
    await figures.getByText("5", { exact: true }).waitFor();
    await figures.getByText("100 %", { exact: true }).waitFor();
    await page.getByText("1 hour", { exact: true }).click();
    await figures.getByText("5", { exact: true }).waitFor();
    await page.getByRole("table", { name: "By outcome" }).getByRole("link", { name: "HTTP 204" }).click();
    await expect.poll(() => deliveries.getByRole("link", { name: "fund.created" }).count()).toBe(2);
    expect(new URL(page.url()).search).toBe("?outcome=204");

    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await row.getByText("5", { exact: true }).waitFor();
    await row.getByText("100 %", { exact: true }).waitFor();
    expect(createWebhook._id).toMatch(/^[0-9a-f]{24}$/);
    expect(page.troubles).toEqual([]);
  } finally {
    listener.close();
  }
});

it("a signature is checked with the reason for a mismatch, and programs are shown", async () => {
  const { createWebhook } = await graphql<{ createWebhook: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }",
    { input: { name: "Signed till", url: "https://example.com/hook", hmacKey: "the key" } },
  );
  const page = await openAs(seller, `/webhooks/${createWebhook._id}?tab=verification`);
  const body = '{"id":"1","data":{}}';
  const right = createHmac("sha256", "the key").update(body).digest("hex");
  await page.getByLabel("Body").fill(`${body}\n`);
  await page.getByLabel(/^Signature/).fill(right);
  await page.getByRole("button", { name: "Check signature" }).click();
  await page.getByText("Signature doesn't match").waitFor();
  await page
    .getByText(/line break|newline/i)
    .first()
    .waitFor();
  await page.getByLabel("Body").fill(body);
  await page.getByRole("button", { name: "Check signature" }).click();
  await page.getByText("Signature matches").waitFor();

  for (const [language, words] of [
    ["Go", "hmac.Equal"],
    ["TypeScript", "timingSafeEqual"],
    ["Python", "compare_digest"],
    ["PHP", "hash_equals"],
    ["Java", "isEqual"],
    ["Ruby", "OpenSSL"],
  ] as const) {
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: language, exact: true }).click();
    await page.getByRole("region", { name: language, exact: true }).getByText(words).waitFor();
  }
  expect(page.troubles).toEqual([]);
});

it("a test event with edited data reaches only its webhook, and errors name the field", async () => {
  const listener = await listen({ status: 200, body: "" });
  try {
    const { createWebhook } = await graphql<{ createWebhook: { _id: string } }>(
      seller.apiKey,
      "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }",
      { input: { name: "Tested till", url: listener.url, events: { "ticket.created": true }, hmacKey: "the key" } },
    );
    const page = await openAs(seller, `/webhooks/${createWebhook._id}`);
    await page.getByRole("button", { name: "Send test event" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Send test event" });
    await dialog.getByRole("combobox", { name: "Event type" }).click();
    await page.getByRole("option", { name: "fund.created" }).click();
    await dialog.getByLabel("Data").fill("{");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByText("Data must be valid JSON.").waitFor();
    await dialog.getByLabel("Data").fill("{}");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByText("data.fund is required.").waitFor();
    await dialog.getByLabel("Data").fill('{"fund": {"_id": "fund-9"}}');
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "fund.created" }).waitFor();
    await page.getByText("Delivered", { exact: true }).first().waitFor();
    const [call, ...more] = listener.calls;
    expect(more).toEqual([]);
    expect(JSON.parse(call?.body.toString() ?? "")).toMatchObject({ test: true, data: { fund: { _id: "fund-9" } } });
    expect(page.troubles).toEqual([]);
  } finally {
    listener.close();
  }
});
