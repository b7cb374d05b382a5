import { expect, it } from "vitest";
import { graphql, openAs, sellerNumber, withBrowser } from "./browser";

const seller = sellerNumber(3);

withBrowser();

const createEntry =
  "mutation($listId: ID!, $input: AccessListEntryInput!) { createAccessListEntry(listId: $listId, input: $input) { _id } }";

/** Returns the codes of a list with their holders' first names, from the API. */
async function codesOf(listId: string) {
  const { accessListEntries } = await graphql<{
    accessListEntries: { nodes: { externalCode: string; firstname: string | null }[] };
  }>(seller.apiKey, "query($listId: ID!) { accessListEntries(listId: $listId) { nodes { externalCode firstname } } }", {
    listId,
  });
  return accessListEntries.nodes.map(({ externalCode, firstname }) => [externalCode, firstname]);
}

it("a list is created, and an entry is added, edited, found, tested and deleted", async () => {
  const page = await openAs(seller, "/lists");
  await page.getByRole("link", { name: "Create list" }).click();
  await page.getByLabel(/^Name/).fill("Members");
  await page.getByRole("button", { name: "Create list" }).click();
  await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
  const listId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.getByText("No entries yet").waitFor();
  await page.getByRole("button", { name: "Add entry" }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel(/^Code/).fill("AbC 1");
  await drawer.getByLabel(/^First name/).fill("Ada");
  for (const wrong of ['{"seat"', "[1]"]) {
    await drawer.getByLabel(/^Meta/).fill(wrong);
    await drawer.getByRole("button", { name: "Add entry" }).click();
    await drawer.getByText("Enter a JSON object or leave empty").waitFor();
  }
  await drawer.getByLabel(/^Meta/).fill('{"seat": 7}');
  await drawer.getByRole("button", { name: "Add entry" }).click();
  await page.getByRole("button", { name: "AbC 1" }).waitFor();
  expect(await codesOf(listId)).toEqual([["AbC 1", "Ada"]]);

  await page.getByRole("button", { name: "AbC 1" }).click();
  await drawer.getByLabel(/^First name/).fill("Grace");
  await drawer.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("cell", { name: "Grace" }).waitFor();

  await page.getByLabel("Exact code").fill("abc 1");
  await page.getByText("No records match these filters.").waitFor();
  await page.getByRole("tab", { name: "Test a code" }).click();
  await page.getByRole("textbox", { name: "Code", exact: true }).fill("abc 1");
  await page.getByRole("combobox", { name: /^Event/ }).click();
  await page.getByRole("option").first().click();
  await page.getByRole("button", { name: "Test code" }).click();
  await page.getByText("No access list contains this code, but one code differs only by case").waitFor();

  await page.getByRole("tab", { name: "Entries" }).click();
  await page.getByRole("button", { name: "AbC 1" }).click();
  await drawer.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete entry" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("No entries yet").waitFor();
  expect(await codesOf(listId)).toEqual([]);
  expect(page.troubles).toEqual([]);
});

it("the import of a file is previewed with errors by line, corrected, committed and undone", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Season cards 2027" }) { _id } }',
    {},
  );
  const listId = createAccessList._id;
  await graphql(seller.apiKey, createEntry, { listId, input: { externalCode: "8804000032363FC4", firstname: "Ada" } });
  const page = await openAs(seller, `/lists/${listId}?tab=import`);
  const file = (...rows: string[]) => ({
    name: "cards.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["\ufeffKarte;First name", "", "c43f3632;Grace", ...rows].join("\r\n")),
  });
  await page.locator("input[type=file]").setInputFiles(file("not a card;Alan"));
  await page.getByText("Select the column that contains the code.").waitFor();
  await page.getByRole("combobox", { name: "Karte" }).click();
  await page.getByRole("option", { name: "Code", exact: true }).click();
  await page.getByRole("combobox", { name: "Code format" }).click();
  await page.getByRole("option", { name: /^Card UID of 4 bytes/ }).click();
  await page.getByRole("button", { name: "Preview" }).click();

  const bad = page.getByRole("table", { name: "Invalid rows" });
  await bad.getByRole("row", { name: /^4 .*not a card UID of four bytes/ }).waitFor();
  await page.getByRole("table", { name: "Conflicts" }).getByRole("row", { name: /^3 / }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Commit import" }).isDisabled()).toBe(true);
  expect(await codesOf(listId)).toEqual([["8804000032363FC4", "Ada"]]);

  await page.getByRole("button", { name: "Cancel import" }).click();
  await page.getByText("Canceled", { exact: true }).waitFor();
  await page.locator("input[type=file]").setInputFiles(file("01020304;Alan"));
  await page.getByRole("combobox", { name: "Karte" }).click();
  await page.getByRole("option", { name: "Code", exact: true }).click();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByLabel("Update existing entries").check();
  await page.getByRole("button", { name: "Commit import" }).click();
  await page.getByText("Added 1, updated 1 and removed 0 entries.").waitFor();
  expect(await codesOf(listId)).toEqual([
    ["8804000032363FC4", "Grace"],
    ["8804000004030201", "Alan"],
  ]);

  await page.getByRole("button", { name: "Undo import" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
  await page.getByText("The undo removed 1 and restored 1 entries.").waitFor();
  expect(await codesOf(listId)).toEqual([["8804000032363FC4", "Ada"]]);
  expect(page.troubles).toEqual([]);
});

it("pasted rows are parsed while the user types and sent as last parsed", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Pasted cards" }) { _id } }',
    {},
  );
  const listId = createAccessList._id;
  const page = await openAs(seller, `/lists/${listId}?tab=import`);
  const rows = page.getByLabel("Or paste rows");
  const heading = page.getByLabel("First line contains column names");
  await rows.fill('A1\n"A2');
  await page.getByText("Line 2: a record has more than 65536 bytes, or a quotation mark is never closed").waitFor();
  expect(await page.getByRole("button", { name: "Preview" }).isDisabled()).toBe(true);
  await rows.fill("code;Vorname;;Sitz\nA1;Ada;;7\nA2;Ben;;8\n");
  await page.getByText("2 rows", { exact: true }).waitFor();
  expect(await heading.isChecked()).toBe(true);
  await heading.uncheck();
  await page.getByText("Select the column that contains the code.").waitFor();
  await page.getByRole("combobox", { name: "Column 1, such as code" }).waitFor();
  await heading.check();
  await page.getByRole("combobox", { name: "Vorname" }).click();
  await page.getByRole("option", { name: "First name" }).click();
  await page.getByRole("combobox", { name: "Sitz" }).click();
  await page.getByRole("option", { name: "Code" }).click();
  await page.getByText("Two columns are assigned to “Code”. Skip one of them.").waitFor();
  await page.getByRole("combobox", { name: "Sitz" }).click();
  await page.getByRole("option", { name: "Skip column" }).click();
  await page.getByText("2 rows", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Commit import" }).click();
  await page.getByText("Added 2, updated 0 and removed 0 entries.").waitFor();
  expect(await codesOf(listId)).toEqual([
    ["A1", "Ada"],
    ["A2", "Ben"],
  ]);

  // The latest text is sent, even if the button is pressed before it was parsed.
  await page.goto(`/lists/${listId}?tab=import`);
  await rows.fill("A3\nA4");
  await page.getByText("2 rows", { exact: true }).waitFor();
  await rows.fill("firstname,code\nCleo,A3");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Commit import" }).click();
  await page.getByText("Added 1, updated 0 and removed 0 entries.").waitFor();
  expect((await codesOf(listId)).at(-1)).toEqual(["A3", "Cleo"]);
  expect(page.troubles).toEqual([]);
});

it("a long file is sent in parts as one import and can be canceled", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Jahresabonnements" }) { _id } }',
    {},
  );
  const page = await openAs(seller, `/lists/${createAccessList._id}?tab=import`);
  const rows = Array.from(
    { length: 2501 },
    (_, at) => `abo${at + 2};${at === 2400 ? "nobody" : "a@example.com"};${"x".repeat(100)}`,
  );
  const file = {
    name: "abos.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["code;email;meta.note", ...rows].join("\n")),
  };
  const held: (() => void)[] = [];
  let holds = true;
  await page.route("/graphql", async (route) => {
    const further = route.request().postData()?.includes("mutation ContinueImport");
    if (holds && further) await new Promise<void>((goOn) => held.push(goOn));
    await route.continue();
  });
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText(/^abos\.csv, /).waitFor();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText(/^163,840 of 3\d\d,\d{3} characters\./).waitFor();
  await page.getByRole("button", { name: "Cancel import" }).click();
  await expect.poll(() => held.length).toBe(1);
  holds = false;
  held[0]?.();
  await page.getByRole("table", { name: "Imports" }).getByText("Canceled", { exact: true }).waitFor();

  await page.getByText(/^abos\.csv, /).waitFor();
  await page.getByRole("button", { name: "Preview" }).click();
  const bad = page.getByRole("table", { name: "Invalid rows" });
  await bad
    .getByRole("row", { name: "2402 abo2402 email must be an email address such as name@example.com" })
    .waitFor();
  await page.getByLabel("Skip 1 invalid row").check();
  await page.getByRole("button", { name: "Commit import" }).click();
  await page.getByText("Added 2,500, updated 0 and removed 0 entries.").waitFor();
  expect(page.troubles).toEqual([]);
});

it("entries are counted, and selected or matching entries are deleted together", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Abendkasse" }) { _id } }',
    {},
  );
  const listId = createAccessList._id;
  for (const [code, email] of [
    ["A1", "ada@example.com"],
    ["A2", "ada@example.com"],
    ["B1", "grace@example.com"],
    ["B2", "alan@example.com"],
  ]) {
    await graphql(seller.apiKey, createEntry, { listId, input: { externalCode: code, email } });
  }
  const page = await openAs(seller, "/lists?name=Abendkasse");
  await page
    .getByRole("row", { name: /Abendkasse/ })
    .getByRole("cell", { name: "4", exact: true })
    .waitFor();
  await page.getByRole("link", { name: "Abendkasse" }).click();

  await page.getByLabel("Select B1").check();
  await page.getByLabel("Select B2").check();
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Delete selected" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2 entries" }).click();
  await page.getByText("Entries deleted").waitFor();
  await expect
    .poll(() => codesOf(listId))
    .toEqual([
      ["A1", null],
      ["A2", null],
    ]);

  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button", { name: "Delete all matches" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 entries match.").waitFor();
  // An entry that was added in the meantime isn't deleted without a new confirmation.
  await graphql(seller.apiKey, createEntry, { listId, input: { externalCode: "A3", email: "ada@example.com" } });
  await dialog.getByRole("button", { name: "Delete 2 entries" }).click();
  await page.getByText("The filter now matches 3 entries, not 2. Reload and confirm again").waitFor();
  await dialog.getByRole("button", { name: "Delete 3 entries" }).click();
  await page.getByText("No records match these filters.").waitFor();
  expect(await codesOf(listId)).toEqual([]);
  expect(page.troubles).toEqual([]);
});
