import { expect, it } from "vitest";
import { graphql, openAs, sellerNumber, withBrowser } from "./browser";

const seller = sellerNumber(3);

withBrowser();

/** The codes of a list with their holders' first names, as the API has them. */
async function codesOf(listId: string) {
  const { accessListEntries } = await graphql<{
    accessListEntries: { nodes: { externalCode: string; firstname: string | null }[] };
  }>(seller.apiKey, "query($listId: ID!) { accessListEntries(listId: $listId) { nodes { externalCode firstname } } }", {
    listId,
  });
  return accessListEntries.nodes.map(({ externalCode, firstname }) => [externalCode, firstname]);
}

it("a list is made, an entry is added, changed, found, tried and deleted", async () => {
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
  await drawer.getByLabel(/^Meta/).fill("[1]");
  await drawer.getByRole("button", { name: "Add entry" }).click();
  await drawer.getByText("Give a JSON object, or nothing").waitFor();
  await drawer.getByLabel(/^Meta/).fill('{"seat": 7}');
  await drawer.getByRole("button", { name: "Add entry" }).click();
  await page.getByRole("button", { name: "AbC 1" }).waitFor();
  expect(await codesOf(listId)).toEqual([["AbC 1", "Ada"]]);

  await page.getByRole("button", { name: "AbC 1" }).click();
  await drawer.getByLabel(/^First name/).fill("Grace");
  await drawer.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("cell", { name: "Grace" }).waitFor();

  await page.getByLabel("Code, exactly").fill("abc 1");
  await page.getByText("Nothing fits these filters.").waitFor();
  await page.getByRole("tab", { name: "Try a code" }).click();
  await page.getByRole("textbox", { name: "Code", exact: true }).fill("abc 1");
  await page.getByRole("combobox", { name: /^Event/ }).click();
  await page.getByRole("option").first().click();
  await page.getByRole("button", { name: "Try the code" }).click();
  await page.getByText("No access list knows this code, but one that differs only by case").waitFor();

  await page.getByRole("tab", { name: "Entries" }).click();
  await page.getByRole("button", { name: "AbC 1" }).click();
  await drawer.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete this entry" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("No entries yet").waitFor();
  expect(await codesOf(listId)).toEqual([]);
  expect(page.troubles).toEqual([]);
});
