import { beforeAll, expect, it } from "vitest";
import { graphql, openAs, sellerNumber, withBrowser } from "./browser";

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

it("a key with a long name leaves short columns their room, and says who made it", async () => {
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
