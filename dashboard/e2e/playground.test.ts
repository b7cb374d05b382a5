import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { newPage, openAs, sellerNumber, signIn, withBrowser } from "./browser";

const seller = sellerNumber(2);

withBrowser();

const answered = (page: Page) => page.locator(".graphiql-response .CodeMirror-code");

/** Selects an example by title, runs it, and waits for a response that contains a text. An earlier response may still be shown. */
async function run(page: Page, title: string, text: string) {
  await page.getByRole("combobox", { name: "Examples" }).click();
  await page.getByRole("option", { name: title }).click();
  await page.getByRole("button", { name: /^Execute query/ }).click();
  await expect
    .poll(async () => (await answered(page).allTextContents()).join("").replaceAll(/\s+/g, " "))
    .toContain(text);
}

it("examples run as the user and with an API key that a reload discards", async () => {
  const page = await openAs(seller, "/playground");
  await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
  await run(page, "The signed-in user", '"type": "USER"');
  expect(await answered(page).textContent()).toContain(seller.adminEmail);

  await page.getByText("Run with an API key", { exact: true }).click();
  await page.getByPlaceholder("key_…").fill(seller.apiKey);
  await run(page, "The signed-in user", '"type": "API_KEY"');
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
    seller.apiKey,
  );

  await page.reload();
  await page.getByText("Run with an API key", { exact: true }).click();
  expect(await page.getByPlaceholder("key_…").inputValue()).toBe("");

  await page.setViewportSize({ width: 375, height: 850 });
  const [query, tools, variables, answer] = await Promise.all(
    [".graphiql-query-editor .CodeMirror", ".graphiql-toolbar", ".graphiql-editor-tool", ".graphiql-response"].map(
      async (part) => (await page.locator(part).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 },
    ),
  );
  expect(query?.width).toBeGreaterThan(280);
  expect(query?.height).toBeGreaterThan(200);
  const tops = [query, tools, variables, answer].map((part) => part?.y ?? 0);
  expect(tops).toEqual([...tops].sort((a, b) => a - b)); // stacked
  expect(answer?.height).toBeLessThan(100); // nothing was run yet
  expect(page.troubles).toEqual([]);
});

it("knows the schema: marks unknown fields and documents types", async () => {
  const page = await openAs(seller, "/playground");
  await run(page, "Number of records", '"data"');
  await page.getByRole("button", { name: /Documentation Explorer/ }).click();
  await page.getByText("All Schema Types").waitFor();
  await page.getByRole("textbox", { name: "Query" }).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("{ mee { _id } }", { delay: 5 });
  await page.locator(".CodeMirror-lint-mark-error").first().waitFor();
  expect(page.troubles).toEqual([]);
});

it("sends no query that a viewer's role can't run", async () => {
  const page = await newPage();
  await page.goto("/playground");
  await signIn(page, seller.viewerEmail, seller.viewerPassword);
  await run(page, "API keys and their permissions", '"code": "FORBIDDEN"');
  expect(page.troubles).toEqual([]);
});
