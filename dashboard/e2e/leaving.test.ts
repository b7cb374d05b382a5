import { afterAll, beforeAll, expect, it } from "vitest";
import { graphql, listen, newSeller, openAs, withBrowser } from "./browser";

withBrowser();

let listener: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  listener = await listen({ status: 200, body: "" });
});
afterAll(() => listener.close());

it("every way out of a form with unsaved changes asks first", async () => {
  const page = await openAs(await newSeller("Unsaved"), "/webhooks");
  await page.getByRole("link", { name: "Create webhook" }).first().click();
  const name = page.getByLabel(/^Name/);
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await name.fill("Half a webhook");
  for (const wayOut of [
    () => page.getByRole("link", { name: "Devices" }).click(),
    () => page.goBack(),
    async () => {
      await page.getByRole("button", { name: "Account and appearance" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    },
  ]) {
    await wayOut();
    await question.getByText("You have unsaved changes.").waitFor();
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Half a webhook");
  }
  const asked = page.waitForEvent("dialog");
  await page.reload();
  expect((await asked).type()).toBe("beforeunload");

  await page.getByLabel(/^Name/).fill("Another half");
  await page.getByRole("link", { name: "Devices" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("leaving a saved or untouched form doesn't ask", async () => {
  const page = await openAs(await newSeller("Saved"), "/webhooks/new");
  await page.getByRole("link", { name: "Devices" }).click();
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  await page.goBack();
  await page.getByLabel(/^Name/).fill("Whole");
  await page.getByLabel(/^URL/).fill(listener.url);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("heading", { level: 1, name: "Whole" }).waitFor();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel(/^Name/).fill("Whole by now");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Whole by now" }).waitFor();
  await page.getByRole("link", { name: "Devices" }).click();
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("a reload asks before a secret that is shown once is lost", async () => {
  const page = await openAs(await newSeller("Secret"), "/keys/new");
  await page.getByLabel(/^Name/).fill("Kept");
  await page.getByRole("button", { name: "Create key" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^key_[0-9a-f]{96}$/)
    .waitFor();
  const asked = page.waitForEvent("dialog");
  await page.reload();
  expect((await asked).type()).toBe("beforeunload");
  expect(page.troubles).toEqual([]);
});

it("closing a dialog asks only about the dialog, and leaving still asks about the form", async () => {
  const page = await openAs(await newSeller("Below"), "/settings");
  const name = page.getByRole("textbox", { name: /^Name/ }).first();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const dialog = page.getByRole("dialog", { name: "Invite member" });
  await name.fill("Below by now");
  await page.getByRole("button", { name: "Invite member" }).click();
  await dialog.getByLabel("Email").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await question.count()).toBe(0);

  await page.getByRole("button", { name: "Invite member" }).click();
  await dialog.getByLabel("Email").fill("half@");
  await page.keyboard.press("Escape");
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Email").inputValue()).toBe("half@");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Leave" }).click();
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Devices" }).click();
  await question.getByRole("button", { name: "Stay" }).click();
  expect(await name.inputValue()).toBe("Below by now");
  expect(page.troubles).toEqual([]);
});

it("leaving asks before pasted rows are lost", async () => {
  const seller = await newSeller("Pasted");
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateAccessListInput!) { createAccessList(input: $input) { _id } }",
    { input: { name: "Cards", type: "static" } },
  );
  const page = await openAs(seller, `/lists/${createAccessList._id}?tab=import`);
  await page.getByLabel("Or paste rows").fill("code;firstname\nA1;Ada");
  await page.getByRole("tab", { name: "Entries" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByText("Your rows haven't been imported.").waitFor();
  await question.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: /^Commit/ }).waitFor();
  await page.getByRole("tab", { name: "Entries" }).click();
  await page.getByText("No entries yet").waitFor();
  expect(page.troubles).toEqual([]);
});

it("a user whose session ends during work signs in and continues", async () => {
  const seller = await newSeller("Interrupted");
  const page = await openAs(seller, "/webhooks/new");
  await page.getByLabel(/^Name/).fill("Interrupted");
  await page.getByLabel(/^URL/).fill(listener.url);
  await graphql(seller.session, "mutation { logoutEverywhere }", {});
  await page.getByRole("button", { name: "Create webhook" }).click();
  const door = page.getByRole("dialog", { name: "Sign in" });
  await door.getByText("Your session has ended.").waitFor();
  expect(await door.getByLabel("Email").inputValue()).toBe(seller.adminEmail);
  await door.getByLabel(/^Password/).fill(seller.adminPassword);
  await door.getByRole("button", { name: "Sign in", exact: true }).click();
  await door.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("heading", { level: 1, name: "Interrupted" }).waitFor();
  expect(page.troubles).toEqual([]);
});
