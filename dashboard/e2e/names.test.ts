import type { Locator } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { graphql, newSeller, openAs, publish, sellerNumber, withBrowser } from "./browser";

const seller = sellerNumber(1);
const name = "n".repeat(200);
let id: string;

withBrowser();

beforeAll(async () => {
  const { login } = await graphql<{ login: { token: string } }>(
    "",
    "mutation($input: LoginInput!) { login(input: $input) { token } }",
    { input: { email: seller.adminEmail, password: seller.adminPassword } },
  );
  const { createApiKey } = await graphql<{ createApiKey: { _id: string } }>(
    login.token,
    "mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { _id } }",
    { input: { name, permissions: ["tickets:list"] } },
  );
  id = createApiKey._id;
});

it("a key with a long name doesn't squeeze short columns and shows its creator", async () => {
  const page = await openAs(seller, "/keys");
  await page.setViewportSize({ width: 1440, height: 900 });
  const row = page.getByRole("row").filter({ has: page.locator(`a[href="/keys/${id}"]`) });
  await row.getByText(seller.adminEmail).waitFor();
  const lines = await row.getByRole("cell", { name: "tickets:list" }).evaluate((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getClientRects().length;
  });
  expect(lines).toBe(1);
  await page.goto(new URL(`/keys/${id}`, page.url()).href);
  await page.getByRole("definition").filter({ hasText: seller.adminEmail }).waitFor();
});

/** Returns the words that are broken across lines. */
function brokenIn(shown: Locator) {
  return shown.first().evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      for (const { index, 0: word } of text.data.matchAll(/[^\s.]*\d\.\d+|[^\s.]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (range.getClientRects().length > 1) broken.push(word);
      }
    }
    return broken;
  });
}

it("types, amounts and times don't break next to long names on a narrow phone", async () => {
  const own = await newSeller("Narrow");
  const long = "Veranstaltungsteilnahmebestätigung".repeat(3);
  const { createEvent } = await graphql<{ createEvent: { _id: string } }>(
    own.apiKey,
    `mutation($event: CreateEventInput!, $webhook: CreateWebhookInput!) {
      createEvent(input: $event) { _id }
      createWebhook(input: $webhook) { _id }
    }`,
    {
      event: { name: long, start: "2030-11-30T19:00:00Z", timeZone: "Europe/Berlin" },
      webhook: { name: long, url: "https://example.com/hook", events: { "campaign.created": true } },
    },
  );
  await graphql(own.apiKey, "mutation($input: CreateTicketTypeInput!) { createTicketType(input: $input) { _id } }", {
    input: { eventId: createEvent._id, name: long, price: 25.5, currency: "EUR" },
  });
  await publish(own.sellerId, "campaign.created", { campaign: {} });

  const page = await openAs(own, "/deliveries", { viewport: { width: 320, height: 800 } });
  const type = page.getByRole("link", { name: "campaign.created" });
  await type.waitFor();
  expect(await brokenIn(type)).toEqual([]);
  await page.goto("/events");
  const start = page.getByRole("cell", { name: "Europe/Berlin" });
  await start.waitFor();
  expect(await brokenIn(start)).toEqual([]);
  expect((await start.boundingBox())?.height).toBeLessThan(140);
  await page.goto(`/events/${createEvent._id}`);
  const price = page.getByRole("cell", { name: "25.50" });
  await price.waitFor();
  expect(await brokenIn(price)).toEqual([]);
  expect(page.troubles).toEqual([]);
});
