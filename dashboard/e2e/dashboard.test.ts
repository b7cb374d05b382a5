import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { graphql, linkOnce, listen, newPage, openAs, publish, sellerNumber, signIn, withBrowser } from "./browser";

const seller = sellerNumber(0);
const other = sellerNumber(2);

withBrowser();

describe("signing in", () => {
  it("shows the same error for a wrong password and an unknown email", async () => {
    const page = await newPage();
    await page.goto("/login");
    await signIn(page, other.viewerEmail, "not the password");
    await page.getByRole("alert").getByText("The email address or password is incorrect").waitFor();
    await signIn(page, "nobody@example.com", "not the password");
    await page.getByRole("alert").getByText("The email address or password is incorrect").waitFor();
    expect(page.troubles).toEqual([]);
  });

  it("shows how long an account is locked and disables the form", async () => {
    const page = await newPage();
    await page.goto("/login");
    await signIn(page, "locked@example.com", "1");
    for (let attempt = 2; attempt <= 6; attempt++) {
      await page.getByRole("button", { name: "Sign in", disabled: false }).waitFor();
      const answered = page.waitForResponse("**/graphql");
      await signIn(page, "locked@example.com", `${attempt}`);
      await answered;
    }
    await page
      .getByRole("alert")
      .getByText(/Try again in (1 min|\d+ s)/)
      .waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Sign in" }).isDisabled()).toBe(true);
  });

  it("shows the message of an unavailable server and allows an immediate retry", async () => {
    const page = await newPage();
    await page.goto("/login");
    const away = { code: "UNAVAILABLE", retryAfter: 60, requestId: "req-1" };
    await page.route("**/graphql", (route) =>
      route.fulfill({ status: 503, json: { errors: [{ message: "The database is away", extensions: away }] } }),
    );
    await signIn(page, other.adminEmail, other.adminPassword);
    const told = page.getByRole("alert");
    await told.getByText("The database is away").waitFor();
    await told.getByText("Request req-1").waitFor();
    expect(await told.textContent()).not.toContain("failed sign-in attempts");
    expect(await page.getByRole("button", { name: "Sign in" }).isDisabled()).toBe(false);
  });

  it("leads to the requested page and supports the back button", async () => {
    const page = await openAs(seller, "/keys?q=Seed");
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    expect(await page.getByLabel("Search by name or hint").inputValue()).toBe("Seed");
    await page.getByRole("link", { name: "Seeded" }).click();
    await page.getByRole("heading", { level: 1, name: "Seeded" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=Seed");
    expect(page.troubles).toEqual([]);
  });

  it("never leads to another host", async () => {
    const page = await newPage();
    await page.goto("/login?next=//example.com/");
    await signIn(page, seller.adminEmail, seller.adminPassword);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
  });

  it("is required after the session was ended elsewhere and leads back", async () => {
    const page = await openAs(other, "/settings");
    const { login } = await graphql<{ login: { token: string } }>(
      "",
      "mutation($input: LoginInput!) { login(input: $input) { token } }",
      {
        input: { email: other.adminEmail, password: other.adminPassword },
      },
    );
    // The session ends between the click and the query of the next page, so that no earlier request notices.
    let ended: Promise<unknown> | undefined;
    await page.route("**/graphql", async (route) => {
      if (route.request().postDataJSON().operationName === "Keys") {
        ended ??= graphql(login.token, "mutation { logoutEverywhere }", {});
        await ended;
      }
      await route.continue();
    });
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText("Your session has ended because").waitFor();
    await signIn(page, other.adminEmail, other.adminPassword);
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  });

  it("hides pages that a viewer's role can't open", async () => {
    const page = await newPage();
    await page.goto("/webhooks");
    await signIn(page, seller.viewerEmail, seller.viewerPassword);
    await page.getByText("This page requires the role Developer. Your role is Viewer").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
    expect(page.troubles).toEqual([]);
  });
});

it("a page that can't be loaded offline says so and loads when the connection is back", async () => {
  const page = await openAs(seller, "/keys");
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  await page.context().setOffline(true);
  try {
    await page.getByRole("link", { name: "Invoices" }).click();
    await page.getByRole("heading", { name: "No connection" }).waitFor();
  } finally {
    await page.context().setOffline(false);
  }
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Invoices" }).waitFor();
});

it("index.html links all files of a page", async () => {
  const page = await openAs(seller, "/keys");
  // Two typical pages, and pages that no other test opens by address.
  for (const path of [
    ...["/scans", "/lists/new", "/checkouts", "/invoices", "/events/new", "/sellers/new"],
    ...["/scan-groups", "/deliveries/gone"],
  ]) {
    const html = await (await page.goto(path))?.text();
    await page.getByRole("heading", { level: 1 }).waitFor();
    const files = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
    );
    expect(files.filter((name) => /\.(js|css)$/.test(name) && !html?.includes(`"${name}"`))).toEqual([]);
  }
  expect(page.troubles).toEqual([]);
});

it("statuses and times have tooltips on hover and focus that Esc closes", async () => {
  const page = await openAs(seller, "/keys");
  const pill = page.getByRole("main").getByRole("note").first();
  const told = page.getByRole("tooltip");
  await pill.hover();
  await told.waitFor();
  await page.keyboard.press("Escape");
  await told.waitFor({ state: "detached" });
  await page.locator("main time").first().hover();
  await told.getByText(/\d{4}.*\d\d:\d\d:\d\d/).waitFor();
  await page.getByRole("heading", { level: 1 }).hover();
  await told.waitFor({ state: "detached" });
  await pill.focus();
  await told.waitFor();
  await pill.blur();
  await told.waitFor({ state: "detached" });
  expect(page.troubles).toEqual([]);
});

it("an API key is created, its secret is shown only once, and it works", async () => {
  const page = await openAs(seller, "/keys");
  await page.getByRole("link", { name: "Create key" }).click();
  await page.getByLabel(/^Name/).fill("Shop backend");
  const nothing = page.getByText("No permissions selected");
  await nothing.waitFor();
  await page.getByLabel("Search resources").fill("webhooks");
  await page.getByLabel("webhooks:list").check();
  await nothing.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Create key" }).click();

  const dialog = page.getByRole("dialog");
  const secret = (await dialog.getByText(/^key_[0-9a-f]{96}$/).textContent()) ?? "";
  await page.keyboard.press("Escape");
  await dialog.getByText("You won't see this secret again").waitFor();
  await dialog.getByLabel("I've saved this secret").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { level: 1, name: "Shop backend" }).waitFor();
  expect(await page.content()).not.toContain(secret);

  const { apiKeyInfo } = await graphql<{ apiKeyInfo: unknown }>(secret, "{ apiKeyInfo { name permissions } }", {});
  expect(apiKeyInfo).toEqual({ name: "Shop backend", permissions: ["webhooks:list"] });

  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Shop backend");
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText("This key is disabled").waitFor();
  expect(page.troubles).toEqual([]);
});

it("a webhook is created, and a delivery appears with its attempts and is retried", async () => {
  const answer = { status: 500, body: '<img src=x onerror="alert(1)">' };
  const listener = await listen(answer);
  try {
    const page = await openAs(seller, "/webhooks/new");
    await page.getByLabel(/^Name/).fill("Till");
    await page.getByLabel(/^URL/).fill(listener.url);
    await page.getByRole("button", { name: "Generate key" }).click();
    const nothing = page.getByText("No events selected");
    await nothing.waitFor();
    await page.getByLabel("Search events").fill("campaign.created");
    await page.getByLabel("campaign.created").check();
    await nothing.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("heading", { level: 1, name: "Till" }).waitFor();
    await page.getByText("No deliveries yet").waitFor();

    await page.getByLabel("Live", { exact: true }).click();
    await publish(seller.sellerId, "campaign.created", { campaign: { note: "<script>alert(1)</script>" } });
    await page.getByRole("link", { name: "campaign.created" }).click();
    await page.getByText("Attempt 1").waitFor();
    await page.getByText("HTTP 500").first().waitFor();
    expect(await page.getByText(answer.body).first().textContent()).toBe(answer.body);
    await expect.poll(() => page.getByText("<script>alert(1)</script>").count()).toBe(1);

    answer.status = 204;
    answer.body = "";
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("HTTP 204").waitFor();
    await page.getByText("Manual", { exact: true }).waitFor();
    await page.getByText("Delivered", { exact: true }).first().waitFor();
    expect(page.troubles).toEqual([]);
  } finally {
    listener.close();
  }
});

it("a rejected URL is reported at its field", async () => {
  const page = await openAs(seller, "/webhooks/new");
  await page.getByLabel(/^Name/).fill("Nowhere");
  await page.getByLabel(/^URL/).fill("https://user:secret@example.com/");
  await page.getByRole("button", { name: "Create webhook" }).click();
  const field = page.getByLabel(/^URL/);
  await page.locator("input[type=url][aria-invalid=true]").waitFor();
  expect(await field.getAttribute("aria-describedby")).toContain("error");
});

it("a member is invited, joins with a new account, and appears in the audit log", async () => {
  const page = await openAs(other, "/settings");
  const email = `grace-${Date.now()}@example.com`;
  await page.getByRole("button", { name: "Invite member" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Email/).fill(email);
  await dialog.getByRole("button", { name: "Invite member" }).click();
  const first = await linkOnce(page);
  await page.getByRole("button", { name: `Resend invitation to ${email}` }).click();
  const link = await linkOnce(page);
  const guest = await newPage();
  await guest.goto(first);
  await guest.getByRole("heading", { name: "This link doesn't work" }).waitFor();
  await guest.goto("about:blank");
  await guest.goto(link);
  await guest.getByText(`${email} has been invited with the role Viewer.`).waitFor();
  expect(guest.url()).not.toContain("#");
  await guest.getByLabel("Name").fill("Grace Hopper");
  await guest.getByLabel(/^Password/).fill("a password that Grace chose");
  await guest.getByRole("button", { name: "Create account and join" }).click();
  await guest.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.reload();
  await page.getByText("Grace Hopper", { exact: true }).waitFor();
  expect(await page.getByText(email).count()).toBe(1);
  await onPhoneChangedAndRemoved(page, "Grace Hopper");
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("link", { name: other.adminEmail }).first().waitFor();
  await page.getByRole("button", { name: "Add member", exact: true }).first().click();
  const change = page.getByRole("dialog", { name: "Add member" });
  await change.getByText("addMember", { exact: true }).waitFor();
  await change.getByRole("link", { name: other.adminEmail }).waitFor();
  await change.getByText("After", { exact: true }).waitFor();
  expect(page.troubles).toEqual([]);
});

/** Changes a member's role and removes the member, with confirmations, on a small screen. */
async function onPhoneChangedAndRemoved(page: Page, name: string) {
  const screen = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 375, height: 850 });
  const role = page.getByRole("combobox", { name: `Role of ${name}` });
  const choose = async () => {
    await role.click();
    await page.getByRole("option", { name: "Admin" }).click();
    return page.getByRole("dialog", { name: `Make ${name} an Admin?` });
  };
  await (await choose()).getByRole("button", { name: "Cancel" }).click();
  expect(await role.inputValue()).toBe("Viewer");
  await (await choose()).getByRole("button", { name: "Change role" }).click();
  await page.getByText(`${name}'s role changed`).waitFor();
  await expect.poll(() => role.inputValue()).toBe("Admin");
  await page.getByRole("button", { name: `Remove ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await role.waitFor({ state: "detached" });
  await page.setViewportSize(screen);
}
