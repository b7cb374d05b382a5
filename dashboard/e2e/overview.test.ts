import { expect, it } from "vitest";
import { graphql, newPage, openAs, sellerNumber, signIn, url, withBrowser } from "./browser";

const seller = sellerNumber(1);

withBrowser();

it("the search finds a key by its name with the keyboard alone, and a code as the entry that has it", async () => {
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
  const box = page.getByRole("combobox", { name: "What to search" });
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

it("the search says things as their pages do, and counts characters as the server does", async () => {
  const page = await openAs(seller, "/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "What to search" });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes("query Search")) asked.push(request.postData() ?? "");
  });
  await box.fill("🎪");
  await page.getByText("Type at least two characters").waitFor();
  // Longer than the box waits for more letters, by the same clock: its time is over first, however busy the machine.
  await page.evaluate(() => new Promise((over) => setTimeout(over, 400)));
  expect(asked).toEqual([]);
  expect(await page.getByRole("dialog").getByRole("alert").count()).toBe(0);
  await box.fill("balcony");
  await page.getByRole("option", { name: /Balcony\s*Static\s*Access list/ }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("the search that is refused says so, and not that it goes on", async () => {
  const page = await openAs(seller, "/");
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes("query Search")) return route.fallback();
    const errors = [{ message: "refused", extensions: { code: "INVALID_REQUEST" } }];
    await route.fulfill({ json: { data: null, errors } });
  });
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "What to search" }).fill("balcony");
  await page.getByRole("dialog").getByRole("alert").getByText("refused").waitFor();
  expect(await page.getByText("Searching …").count()).toBe(0);
});

it("the search finds nothing that its user may not list", async () => {
  const page = await newPage();
  await page.goto("/");
  await signIn(page, seller.viewerEmail, seller.viewerPassword);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "What to search" }).pressSequentially("Seeded");
  await page.getByText("Nothing was found").waitFor();
  expect(page.troubles).toEqual([]);
});

it("a refused call of a key is told, and the permission added from there", async () => {
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
    await page.reload(); // calls are counted every few seconds
    await page.getByRole("heading", { level: 2, name: "Usage" }).waitFor();
    await page
      .getByText(/No calls in the last 30 days|Refused for a missing permission/)
      .first()
      .waitFor();
  }
  await page.getByText("403: 1").waitFor();
  await add.click();
  await page.getByText("Has it now").waitFor();
  expect(await call()).toBe(200);
  expect(page.troubles).toEqual([]);
});

it("numbers of the overview lead to the lists that they count", async () => {
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
  await page.getByRole("link", { name: new RegExp(`^Scans declined in 24 hours ${scans.totalCount}$`) }).click();
  await page.getByRole("heading", { level: 1, name: "Scan log" }).waitFor();
  expect(new URL(page.url()).search).toBe("?result=declined");
  await page.getByText("nobody-has-this-either").first().waitFor();
  await page.goBack();
  await page.getByRole("link", { name: /^Keys unused for 90 days 0$/ }).click();
  await page.getByText("Nothing fits these filters").waitFor();
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
