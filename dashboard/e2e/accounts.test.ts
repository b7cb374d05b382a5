import { beforeAll, expect, it } from "vitest";
import { graphql, invite, join, linkOnce, newPage, newSeller, openAs, signIn, withBrowser } from "./browser";

type Seller = Awaited<ReturnType<typeof newSeller>>;

let one: Seller;
let two: Seller;

withBrowser();

beforeAll(async () => {
  [one, two] = await Promise.all([newSeller("Accounts one"), newSeller("Accounts two")]);
});

const password = "the first good password";
const another = "another good password";

/** Returns the names of the sellers and organizations that a user is a member of. */
async function placesOf(email: string, password: string): Promise<(string | undefined)[]> {
  const { login } = await graphql<{ login: { token: string } }>(
    "",
    "mutation($input: LoginInput!) { login(input: $input) { token } }",
    { input: { email, password } },
  );
  const { me } = await graphql<{ me: { memberships: Record<"seller" | "organization", { name: string } | null>[] } }>(
    login.token,
    "{ me { memberships { seller { name } organization { name } } } }",
    {},
  );
  return me.memberships.map(({ seller, organization }) => (seller ?? organization)?.name).sort();
}

it("a user joins with an existing account after choosing a password unknown to the first inviter", async () => {
  const email = `known-${one.sellerId}@example.com`;
  await join({ sellerId: one.sellerId, email, role: "VIEWER", by: one.session }, { name: "Known", password });
  const code = await invite({ sellerId: two.sellerId, email, role: "MANAGER", by: two.session });
  const page = await newPage();
  await page.goto(`/invitation#${code}`);
  await page.getByText(`${email} has been invited with the role Manager.`).waitFor();
  await page.getByText("I have an account", { exact: true }).click();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const button = page.getByRole("button", { name: `Join as ${email}` });
  await button.click();
  await page.getByText("Choose a new password").waitFor();
  await page.getByLabel(/^New password/).fill(another);
  await button.click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  expect(await placesOf(email, another)).toEqual(["Accounts one", "Accounts two"]);
  expect(page.troubles).toEqual([]);
});

it("a member keeps the session after leaving an organization and loses it with the last membership", async () => {
  const email = `leaving-${one.sellerId}@example.com`;
  await join({ organizationId: one.organizationId, email, role: "VIEWER" }, { name: "Leaving", password });
  const page = await openAs({ adminEmail: email, adminPassword: password }, "/account");
  const { login } = await graphql<{ login: { token: string } }>(
    "",
    "mutation($input: LoginInput!) { login(input: $input) { token } }",
    { input: { email, password } },
  );
  await join({ sellerId: two.sellerId, email, role: "VIEWER" }, { session: login.token });
  await page.reload();
  const leave = async (name: string) => {
    await page.getByRole("button", { name: `Leave ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave", exact: true }).click();
  };
  // The page's seller is gone, so the page restarts with the other one and keeps the message.
  const restarted = page.waitForEvent("load");
  await leave("Accounts one");
  await restarted;
  await page.getByText("You left Accounts one").waitFor();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await placesOf(email, password)).toEqual(["Accounts two"]);
  await page.goto("/account");
  expect(await page.getByRole("button", { name: "Leave Accounts one" }).count()).toBe(0);
  const left = page.getByText("You left Accounts two").waitFor();
  await leave("Accounts two");
  await left;
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("an administrator of the organization creates a reset link that works once", async () => {
  const [owner, email] = [`owner-${one.sellerId}@example.com`, `lost-${one.sellerId}@example.com`];
  await join({ organizationId: one.organizationId, email: owner, role: "ADMIN" }, { name: "Owner", password });
  await join({ sellerId: one.sellerId, email, role: "VIEWER", by: one.session }, { name: "Lost", password });
  const button = "Create a reset link for Lost";

  const seller = await openAs(one, "/settings");
  await seller.getByRole("button", { name: "Remove Lost" }).waitFor();
  expect(await seller.getByRole("button", { name: button }).count()).toBe(0);

  const page = await openAs({ adminEmail: owner, adminPassword: password }, "/settings");
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create link" }).click();
  await page.getByRole("dialog", { name: "Send this link to Lost" }).waitFor();
  const link = await linkOnce(page);

  const guest = await newPage();
  const choose = async (chosen: string) => {
    await guest.getByLabel(/^New password/).fill(chosen);
    await guest.getByRole("button", { name: "Change password" }).click();
  };
  await guest.goto(link);
  await guest.getByRole("heading", { name: "Choose a new password" }).waitFor();
  expect(guest.url()).not.toContain("#");
  await choose("short");
  await guest.locator("input[data-invalid=true]").waitFor();
  await choose(another);
  await guest.getByRole("heading", { name: "Password changed" }).waitFor();
  await guest.getByRole("link", { name: "Sign in" }).click();
  await signIn(guest, email, another);
  await guest.getByRole("navigation", { name: "Pages" }).waitFor();
  await guest.goto("about:blank");
  await guest.goto(link);
  await choose(another);
  await guest.getByRole("heading", { name: "This link doesn't work" }).waitFor();
  expect([...seller.troubles, ...page.troubles, ...guest.troubles]).toEqual([]);
});
