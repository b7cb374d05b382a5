import { expect, it } from "vitest";
import { graphql, newPage, openAs, sellerNumber, signIn, url, withBrowser } from "./browser";

const seller = sellerNumber(1);

withBrowser();

it("the search finds a key by name and an entry by code, with the keyboard", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateAccessListInput!) { createAccessList(input: $input) { _id } }",
    { input: { name: "Balcony", type: "static" } },
  );
  await graphql(
    seller.apiKey,
    "mutation($listId: ID!, $input: AccessListEntryInput!) { createAccessListEntry(listId: $listId, input: $input) { _id } }",
    { listId: createAccessList._id, input: { externalCode: "BALCONY-7", firstname: "Grace" } },
  );
  const page = await openAs(seller, "/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("/");
  const box = page.getByRole("combobox", { name: "Search query" });
  await box.waitFor();
  await box.pressSequentially("BALCONY-7");
  await page.getByRole("option", { name: /BALCONY-7/ }).waitFor();
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "hidden" });

  await page.keyboard.press("Control+k");
  await box.pressSequentially("balcony");
  await page.getByRole("option", { name: /Balcony/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Balcony" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("the search uses the labels of the pages and counts characters like the server", async () => {
  const page = await openAs(seller, "/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Search query" });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes("query Search")) asked.push(request.postData() ?? "");
  });
  await box.fill("🎪");
  await page.getByText("Type at least two characters").waitFor();
  // Longer than the search's debounce, on the same clock, so a pending search has started however busy the machine is.
  await page.evaluate(() => new Promise((over) => setTimeout(over, 400)));
  expect(asked).toEqual([]);
  expect(await page.getByRole("dialog").getByRole("alert").count()).toBe(0);
  await box.fill("balcony");
  await page.getByRole("option", { name: /Balcony\s*Static\s*Access list/ }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("a failed search shows the error and no progress", async () => {
  const page = await openAs(seller, "/");
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes("query Search")) return route.fallback();
    const errors = [{ message: "refused", extensions: { code: "INVALID_REQUEST" } }];
    await route.fulfill({ json: { data: null, errors } });
  });
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search query" }).fill("balcony");
  await page.getByRole("dialog").getByRole("alert").getByText("refused").waitFor();
  expect(await page.getByText("Searching…").count()).toBe(0);
});

it("the search finds only records that the user may list", async () => {
  const page = await newPage();
  await page.goto("/");
  await signIn(page, seller.viewerEmail, seller.viewerPassword);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search query" }).pressSequentially("Seeded");
  await page.getByText("No results").waitFor();
  expect(page.troubles).toEqual([]);
});

it("a rejected request of a key is shown with a button to add the permission", async () => {
  const { login } = await graphql<{ login: { token: string } }>(
    "",
    "mutation($input: LoginInput!) { login(input: $input) { token } }",
    { input: { email: seller.adminEmail, password: seller.adminPassword } },
  );
  const { createApiKey } = await graphql<{ createApiKey: { _id: string; key: string } }>(
    login.token,
    "mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { _id key } }",
    { input: { name: "Turnstile" } },
  );
  const call = async () =>
    (await fetch(`${url}/api/access-lists`, { headers: { authorization: `Bearer ${createApiKey.key}` } })).status;
  expect(await call()).toBe(403);

  const page = await openAs(seller, `/keys/${createApiKey._id}`);
  const add = page.getByRole("button", { name: "Add accessLists:list" });
  await page.getByRole("heading", { level: 2, name: "Usage" }).waitFor();
  for (let tries = 0; tries < 20 && (await add.count()) === 0; tries++) {
    await page.reload(); // requests are counted every few seconds
    await page.getByRole("heading", { level: 2, name: "Usage" }).waitFor();
    await page
      .getByText(/No requests in the last 30 days|Rejected for a missing permission/)
      .first()
      .waitFor();
  }
  await page.getByText("403: 1").waitFor();
  await add.click();
  await page.getByText("Permission added").waitFor();
  expect(await call()).toBe(200);
  expect(page.troubles).toEqual([]);
});

it("numbers on the overview link to the lists that they count", async () => {
  await graphql(seller.apiKey, "mutation($input: ScanTicketInput!) { scanTicket(input: $input) { access } }", {
    input: { barcode: "nobody-has-this-either", deviceId: await anyDevice() },
  });
  const since = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  const { scans } = await graphql<{ scans: { totalCount: number } }>(
    seller.apiKey,
    "query($from: DateTime!) { scans(filter: { timeFrom: $from, scanResult: declined }) { totalCount } }",
    { from: since },
  );
  const page = await openAs(seller, "/");
  await page.getByRole("link", { name: new RegExp(`^Declined scans, last 24 h ${scans.totalCount}$`) }).click();
  await page.getByRole("heading", { level: 1, name: "Scan log" }).waitFor();
  expect(new URL(page.url()).search).toBe("?result=declined");
  await page.getByText("nobody-has-this-either").first().waitFor();
  await page.goBack();
  await page.getByRole("link", { name: /^Keys unused for 90 days 0$/ }).click();
  await page.getByText("No records match these filters").waitFor();
  expect(page.troubles).toEqual([]);
});

async function anyDevice(): Promise<string> {
  const { accessUsers } = await graphql<{ accessUsers: { nodes: { _id: string }[] } }>(
    seller.apiKey,
    "{ accessUsers(first: 1) { nodes { _id } } }",
    {},
  );
  return accessUsers.nodes[0]?._id ?? "";
}
