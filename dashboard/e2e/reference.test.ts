import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { choicesOf, type Description, kindOf, type Schema } from "../src/pages/docs/openapi";
import { newPage, openAs, sellerNumber, url, withBrowser } from "./browser";

const seller = sellerNumber(2);

withBrowser();

/** Records the page's requests to other hosts. */
function strangers(page: Page): string[] {
  const found: string[] = [];
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== url) found.push(request.url());
  });
  return found;
}

describe("the reference", () => {
  it("opens at an address with a malformed anchor", async () => {
    const page = await newPage();
    for (const anchor of ["#%zz", "#%", "#%E0%A4%A"]) {
      await page.goto(`/docs/api${anchor}`);
      await page.getByRole("link", { name: /GET \/api\/webhooks List webhooks/ }).waitFor();
      await page.getByRole("heading", { level: 1, name: "REST API" }).waitFor();
    }
    expect(page.troubles).toEqual([]);
  });

  it("shows the callers of an operation and calls it, without a session", async () => {
    const page = await newPage();
    const elsewhere = strangers(page);
    await page.goto("/docs");
    await page.getByRole("link", { name: /^REST API Every operation/ }).click();
    await page.getByRole("heading", { level: 1, name: "REST API" }).waitFor();
    await page.getByRole("link", { name: /GET \/api\/webhooks List webhooks/ }).click();
    await page.getByRole("heading", { level: 1, name: "List webhooks" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/docs/api/webhooks");
    const callers = page.getByRole("region", { name: "Permissions" });
    await callers.getByText("webhooks:list").waitFor();
    await callers.getByText("DEVELOPER").waitFor();

    const form = page.getByRole("form", { name: "Try it" });
    await form.getByLabel("Credential").fill(`key_${"0".repeat(96)}`);
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("401", { exact: true }).waitFor();
    await form.getByRole("region", { name: "Response" }).getByText('"code": "UNAUTHENTICATED"').waitFor();

    await form.getByLabel("Credential").fill(seller.apiKey);
    await form.getByLabel("top").fill("3");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("200", { exact: true }).waitFor();
    await form.getByRole("region", { name: "Response" }).getByText('"total":').waitFor();
    const curl = await form.getByRole("region", { name: "curl" }).textContent();
    expect(curl).toContain("/api/webhooks?top=3'");
    expect(curl).not.toContain(seller.apiKey);

    await page.reload();
    await page.getByRole("heading", { level: 1, name: "List webhooks" }).waitFor();
    expect(await form.getByLabel("Credential").inputValue()).toBe("");
    expect(elsewhere).toEqual([]);
    expect(page.troubles).toEqual([]);
  });

  it("sends no dot segment as a value and makes curl send it unchanged", async () => {
    const page = await newPage();
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "DELETE") calls.push(request.url());
    });
    await page.goto("/docs/api/deleteAccessListEntry");
    const form = page.getByRole("form", { name: "Try it" });
    await form.getByLabel("listId").fill("list");
    const send = form.getByRole("button", { name: "Send" });
    const id = form.getByRole("textbox", { name: "id", exact: true });
    for (const step of [".", ".."]) {
      await id.fill(step);
      await form.getByText("Browsers can't send this value in a path. Use the curl command below.").waitFor();
      expect(await send.isDisabled()).toBe(true);
      await id.press("Enter");
      const curl = await form.getByRole("region", { name: "curl" }).textContent();
      expect(curl).toContain(`curl --path-as-is -X DELETE '${url}/api/access-lists/list/entries/${step}'`);
    }
    await id.fill("...");
    await send.click();
    await form.getByText("401", { exact: true }).waitFor();
    expect(calls).toEqual([`${url}/api/access-lists/list/entries/...`]);
    expect(page.troubles).toEqual([]);
  });

  it("sends a selected file or pasted text", async () => {
    const made = await fetch(`${url}/api/access-lists`, {
      method: "POST",
      headers: { authorization: `Bearer ${seller.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "For the reference" }),
    });
    const { _id: list } = (await made.json()) as { _id: string };
    const page = await newPage();
    await page.goto("/docs/api/previewEntryImport");
    const form = page.getByRole("form", { name: "Try it" });
    await form.getByLabel("Credential").fill(seller.apiKey);
    await form.getByLabel("listId").fill(list);
    const curl = form.getByRole("region", { name: "curl" });
    await curl.getByText("--data-binary @FILE").waitFor();
    await form.getByLabel("Body").fill("externalCode\nA\nB\n");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByRole("region", { name: "Response" }).getByText('"new": 2,').waitFor();

    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      form.getByRole("button", { name: "File", exact: true }).click(),
    ]);
    const file = Buffer.from("externalCode\nA\nB\nC\n");
    await chooser.setFiles({ name: "three.csv", mimeType: "text/csv", buffer: file });
    await curl.getByText("--data-binary '@three.csv'").waitFor();
    expect(await form.getByLabel("Body").count()).toBe(0);
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByRole("region", { name: "Response" }).getByText('"new": 3,').waitFor();
    await form.getByRole("button", { name: "Remove file" }).click();
    await form.getByLabel("Body").waitFor();
    expect(page.troubles).toEqual([]);
  });

  it("shows error responses and the fields of a body", async () => {
    const page = await newPage();
    await page.goto("/docs/api/createWebhook");
    await page.getByRole("button", { name: /^403/ }).click();
    await page.getByText("MISSING_PERMISSION", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Body" }).getByText("hmacKey", { exact: true }).waitFor();
    expect(page.troubles).toEqual([]);
  });

  it("lists the values of every enumeration", async () => {
    const answer = await fetch(`${url}/api/openapi.json`);
    const document = (await answer.json()) as Description;
    const bare: string[] = [];
    const look = (node: unknown, at: string) => {
      if (!node || typeof node !== "object") return;
      const schema = node as Schema;
      if (kindOf(document, schema).includes("one of") && choicesOf(document, schema).length < 2) bare.push(at);
      for (const [name, inside] of Object.entries(node)) look(inside, `${at}/${name}`);
    };
    look(document, "");
    expect(bare).toEqual([]);

    const page = await newPage();
    await page.goto("/docs/api/createAccessList");
    const body = page.getByRole("region", { name: "Body" });
    await body.getByText("null or one of static, remote", { exact: true }).waitFor();
    expect(page.troubles).toEqual([]);
  });

  it("has the signature programs in six languages and links between documents", async () => {
    const page = await newPage();
    await page.goto("/docs/guides/verify-signature");
    await page.getByRole("heading", { level: 1, name: "Verify a signature" }).waitFor();
    for (const language of ["Go", "TypeScript", "Python", "PHP", "Java", "Ruby"]) {
      await page.getByRole("heading", { level: 2, name: language }).waitFor();
    }
    await page.getByText("hmac.compare_digest").waitFor();
    await page.goto("/docs/guides/fill-an-access-list");
    await page.getByRole("link", { name: "Access lists and imports" }).click();
    await page.getByRole("heading", { level: 1, name: "Access lists and imports" }).waitFor();
    expect(page.troubles).toEqual([]);
  });

  it("searches pages, operations, fields and error codes", async () => {
    const page = await newPage();
    await page.goto("/docs");
    const box = page.getByPlaceholder("Search docs");
    for (const [query, path, title] of [
      ["429", "/docs/guides/limits", "Limits"],
      ["rotate", "/docs/guides/credentials", "Credentials"],
      ["pagination", "/docs/guides/paging", "Paging and filtering"],
      ["POST /api/webhooks", "/docs/api/createWebhook", "Create a webhook"],
    ] as const) {
      await box.fill(query);
      await page.getByRole("option").first().click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    }
    await box.fill("zzzzqqq");
    await page.getByText("No results").waitFor();
    expect(page.troubles).toEqual([]);
  });

  it("has all event types with samples and the table of permissions", async () => {
    const page = await newPage();
    await page.goto("/docs/events#transaction.complete");
    const kind = page.locator('[id="transaction.complete"]');
    await kind.getByText("Sample data").click();
    await kind.getByText('"status": "COMPLETE"').waitFor();
    await page.getByRole("link", { name: "Permissions", exact: true }).click();
    const row = page.getByRole("row", { name: /^createWebhook / });
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual([...["createWebhook", "webhooks:create", "DEVELOPER", "–", "–", "–", "yes", "–"]]);
    expect(page.troubles).toEqual([]);
  });

  it("downloads the OpenAPI document and the GraphQL schema", async () => {
    const page = await openAs(seller, "/");
    await page.getByRole("link", { name: "Reference", exact: true }).click();
    const [openapi] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download OpenAPI document" }).click(),
    ]);
    expect(openapi.suggestedFilename()).toBe("ticketgate-openapi.json");
    const [schema] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download GraphQL schema" }).click(),
    ]);
    expect(await text(schema)).toMatch(/createWebhook\(\s*("""[^"]*"""\s*)?input: CreateWebhookInput!\s*\): Webhook!/);
    expect(page.troubles).toEqual([]);
  });
});

async function text(download: { createReadStream(): Promise<NodeJS.ReadableStream> }): Promise<string> {
  let all = "";
  for await (const part of await download.createReadStream()) all += part;
  return all;
}

it("the overview loads less than 500 kB and nothing of the playground or the reference", async () => {
  const page = await openAs(seller, "/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const files = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => {
      const { name, encodedBodySize } = entry as PerformanceResourceTiming;
      return { name, size: encodedBodySize };
    }),
  );
  const code = files.filter(({ name }) => /\.(js|css)$/.test(name));
  expect(code.length).toBeGreaterThan(2);
  expect(code.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(500_000);
  expect(code.filter(({ name }) => /playground|markdown|ApiPage/i.test(name))).toEqual([]);
});
