import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { graphql, join, listen, newPage, newSeller, openAs, publish, signIn, withBrowser } from "./browser";

withBrowser();

/** Returns the names of a seller's access lists. */
async function listsOf({ apiKey }: { apiKey: string }) {
  const { accessLists } = await graphql<{ accessLists: { nodes: { name: string }[] } }>(
    apiKey,
    "{ accessLists { nodes { name } } }",
    {},
  );
  return accessLists.nodes.map(({ name }) => name);
}

it("a tab restarts when another user signs in, and writes nothing in their name", async () => {
  const [one, other] = [await newSeller("Tab one"), await newSeller("Tab two")];
  const page = await newPage();
  await page.goto("/lists/new");
  await signIn(page, one.adminEmail, one.adminPassword);
  await page.getByLabel(/^Name/).fill("Half a list");

  const beside = await page.context().newPage();
  await beside.goto("/");
  await beside.getByRole("button", { name: "Account and appearance" }).click();
  await beside.getByRole("menuitem", { name: "Sign out" }).click();
  await beside.getByText("You're signed out.").waitFor();
  await page.bringToFront();
  await page.getByRole("dialog", { name: "Sign in" }).getByText("Your session has ended.").waitFor();
  expect(await page.getByLabel(/^Name/).inputValue()).toBe("Half a list");
  await beside.bringToFront();
  await signIn(beside, other.adminEmail, other.adminPassword);
  await beside.getByRole("navigation", { name: "Pages" }).waitFor();

  await page.bringToFront();
  await page.getByText("Tab two, DE").waitFor();
  await page.goto("/lists");
  await page.getByText("No access lists yet").waitFor();
  expect(await listsOf(other)).toEqual([]);
  expect(page.troubles).toEqual([]);
});

it("the reason for signing out is shown even if pending requests fail", async () => {
  const seller = await newSeller("Leaving");
  for (const [how, told] of [
    ["Sign out", "You're signed out."],
    ["Sign out everywhere", "All your sessions have ended."],
  ] as const) {
    const page = await newPage();
    await page.goto("/");
    await signIn(page, seller.adminEmail, seller.adminPassword);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.goto("/account"); // has not loaded the sign-in page
    const beside = await page.context().newPage();
    await beside.goto("/lists/new");
    await beside.getByLabel(/^Name/).fill("Half a list");
    await page.bringToFront();
    // The sign-in page loads slowly, and a request of the previous page finishes in the meantime.
    const answered = page.waitForResponse(async (answer) => (await answer.text()).includes("UNAUTHENTICATED"));
    await page.route(/\/LoginPage-.*\.js$/, async (route) => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await answered;
      await route.continue();
    });
    if (how === "Sign out") {
      await page.getByRole("button", { name: "Account and appearance" }).click();
      await page.getByRole("menuitem", { name: how }).click();
    } else {
      await page.getByRole("button", { name: how }).click();
      await page.getByRole("dialog").getByRole("button", { name: how }).click();
    }
    await page.getByText(told).waitFor();
    await answered;
    await beside.getByRole("dialog", { name: "Sign in" }).getByText("Your session has ended.").waitFor();
    expect(page.troubles).toEqual([]);
  }
});

it("a request names the seller on the page, even if another user has signed in", async () => {
  const [one, other] = [await newSeller("Shown"), await newSeller("Unseen")];
  const page = await newPage();
  await page.goto("/lists/new");
  await signIn(page, one.adminEmail, one.adminPassword);
  await page.getByLabel(/^Name/).fill("Whose?");
  // The cookie is replaced outside the dashboard, so no tab is notified.
  const answer = await page.context().request.post("/graphql", {
    data: {
      query: "mutation($input: LoginInput!) { login(input: $input) { token } }",
      variables: { input: { email: other.adminEmail, password: other.adminPassword, cookie: true } },
    },
  });
  expect(answer.status()).toBe(200);
  await page.getByRole("button", { name: "Create list" }).click();
  await page.getByText("Something went wrong").waitFor();
  expect(await listsOf(one)).toEqual([]);
  expect(await listsOf(other)).toEqual([]);
});

it("saving a form doesn't revert a change made elsewhere", async () => {
  const seller = await newSeller("Beside");
  const { createWebhook, createScanGroup } = await graphql<
    Record<"createWebhook" | "createScanGroup", { _id: string }>
  >(
    seller.apiKey,
    `mutation($webhook: CreateWebhookInput!, $group: CreateScanGroupInput!) {
      createWebhook(input: $webhook) { _id }
      createScanGroup(input: $group) { _id }
    }`,
    {
      webhook: { name: "Till", url: "http://127.0.0.1:9900/hook", enabled: true, hmacKey: "old", events: {} },
      group: { name: "Door", scanConfig: { mode: "default" } },
    },
  );
  const page = await openAs(seller, `/webhooks/${createWebhook._id}?tab=settings`);
  await page.getByLabel(/^Name/).fill("Till 2");
  await graphql(
    seller.apiKey,
    "mutation($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { _id } }",
    {
      id: createWebhook._id,
      input: { name: "Till", url: "http://127.0.0.1:9900/other", enabled: false, hmacKey: "new" },
    },
  );
  const keep = page.getByRole("dialog").getByRole("button", { name: "Keep my changes" });
  await page.getByRole("button", { name: "Save changes" }).click();
  await keep.click();
  await page.getByText("Webhook saved").waitFor();

  await page.goto(`/scan-groups/${createScanGroup._id}`);
  await page.getByLabel(/^Name/).fill("Side door");
  await graphql(
    seller.apiKey,
    "mutation($id: ID!, $input: UpdateScanGroupInput!) { updateScanGroup(id: $id, input: $input) { _id } }",
    {
      id: createScanGroup._id,
      input: { name: "Door", scanConfig: { mode: "default", checkTimeslots: true } },
    },
  );
  await page.getByRole("button", { name: "Save changes" }).click();
  await keep.click();
  await page.getByText("Scan group saved").waitFor();

  const saved = await graphql(
    seller.apiKey,
    `query($webhook: ID!, $group: ID!) {
      webhook(id: $webhook) { name url enabled hmacKey }
      scanGroup(id: $group) { name scanConfig { checkTimeslots } }
    }`,
    { webhook: createWebhook._id, group: createScanGroup._id },
  );
  expect(saved).toEqual({
    webhook: { name: "Till 2", url: "http://127.0.0.1:9900/other", enabled: false, hmacKey: "new" },
    scanGroup: { name: "Side door", scanConfig: { checkTimeslots: true } },
  });
  expect(page.troubles).toEqual([]);
});

it("pressing Enter twice creates one record", async () => {
  const seller = await newSeller("Twice");
  const page = await openAs(seller, "/scan-groups/new");
  const name = page.getByLabel(/^Name/);
  await name.fill("Once");
  await Promise.all([1, 2, 3, 4].map(() => page.keyboard.press("Enter"))); // before the server can respond to the first
  await page.getByRole("heading", { level: 1, name: "Once" }).waitFor();
  const { scanGroups } = await graphql<{ scanGroups: { totalCount: number } }>(
    seller.apiKey,
    "{ scanGroups { totalCount } }",
    {},
  );
  expect(scanGroups.totalCount).toBe(1);
});

it("offline, data stays on screen, the user stays signed in, and a live list catches up", async () => {
  const seller = await newSeller("Offline");
  const listener = await listen({ status: 200, body: "" });
  try {
    await graphql(seller.apiKey, "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }", {
      input: { name: "Till", url: listener.url, enabled: true, events: { "campaign.created": true } },
    });
    await publish(seller.sellerId, "campaign.created", { campaign: {} });
    const page = await openAs(seller, "/deliveries?live=1");
    const rows = page.getByRole("table", { name: "Deliveries" }).getByRole("link", { name: "campaign.created" });
    await rows.first().waitFor();

    const context = page.context();
    await context.setOffline(true);
    await page.getByRole("button", { name: "Account and appearance" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("You are still signed in").waitFor();
    await page.keyboard.press("Escape");
    await publish(seller.sellerId, "campaign.created", { campaign: {} });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // as if the tab became visible
    await page.getByText("The data on this page may be out of date.").waitFor();
    expect(await rows.count()).toBe(1);

    await context.setOffline(false);
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText("The data on this page may be out of date.").waitFor({ state: "hidden" });
  } finally {
    listener.close();
  }
});

it("a tab keeps its seller on reload and passes it to tabs opened from it", async () => {
  const [first, second] = [await newSeller("First of two"), await newSeller("Second of two")];
  await join({ sellerId: second.sellerId, email: first.adminEmail, role: "ADMIN" }, { session: first.session });
  const acting = (page: Page, name: string) => page.getByRole("button", { name: `Seller: ${name}. Switch seller` });
  const page = await openAs(first, "/");
  await acting(page, "First of two").waitFor();
  const beside = await page.context().newPage();
  await beside.goto("/");
  await acting(beside, "First of two").click();
  await beside.getByRole("menuitem", { name: /^Second of two/ }).click();
  await acting(beside, "Second of two").waitFor();

  await page.bringToFront();
  await page.reload();
  await acting(page, "First of two").waitFor();
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Events", exact: true }).click({ modifiers: ["ControlOrMeta"] });
  await acting(await opened, "First of two").waitFor();

  // A returning user keeps the seller. The next user requests no data of a previous user's seller.
  await beside.context().clearCookies();
  await beside.goto("/webhooks");
  await signIn(beside, first.adminEmail, first.adminPassword);
  await acting(beside, "Second of two").waitFor();
  const refused: string[] = [];
  beside.on("response", (answer) => answer.status() === 404 && refused.push(answer.url()));
  await beside.getByRole("button", { name: "Account and appearance" }).click();
  await beside.getByRole("menuitem", { name: "Sign out" }).click();
  await beside.getByText("You're signed out.").waitFor();
  const stranger = await newSeller("Of a stranger");
  await signIn(beside, stranger.adminEmail, stranger.adminPassword);
  await beside.getByText("Of a stranger, DE").waitFor();
  await beside.waitForLoadState("networkidle");
  expect(refused).toEqual([]);
});
