import { beforeAll, expect, it } from "vitest";
import { violations } from "./axe";
import { graphql, newPage, newSeller, openAs, signIn, withBrowser } from "./browser";

let seller: Awaited<ReturnType<typeof newSeller>>;

withBrowser();

beforeAll(async () => {
  seller = await newSeller("Conflicts");
});

type Opened = Awaited<ReturnType<typeof newPage>>;

const question = (page: Opened) => page.getByRole("dialog", { name: "This record has changed" });

/** Returns the rows of the dialog: field, own value, current value. */
async function rowsOf(page: Opened): Promise<string[][]> {
  const table = question(page).getByRole("table", { name: "Changed fields" });
  await table.waitFor();
  const rows = await table.locator("tbody tr").all();
  return Promise.all(rows.map((row) => row.locator("th, td").allTextContents()));
}

it("the second of two sessions that edit an event sees the other change and keeps or discards its own", async () => {
  const { createEvent } = await graphql<{ createEvent: { _id: string } }>(
    seller.apiKey,
    'mutation { createEvent(input: { name: "Gala", start: "2030-05-01T18:00:00Z" }) { _id } }',
    {},
  );
  const path = `/events/${createEvent._id}?tab=settings`;
  const one = await openAs(seller, path);
  const two = await newPage();
  await two.goto(path);
  await signIn(two, seller.adminEmail, seller.adminPassword);
  const [oneName, twoName] = [one.getByLabel(/^Name/), two.getByLabel(/^Name/)];
  await oneName.fill("Gala of one");
  await twoName.fill("Gala of two");
  await two.getByLabel("Address optional").check();
  await two.getByRole("button", { name: "Save changes" }).click();
  await two.getByRole("heading", { level: 1, name: "Gala of two" }).waitFor();

  await one.getByRole("button", { name: "Save changes" }).click();
  expect(await rowsOf(one)).toEqual([
    ["Name", "Gala of one", "Gala of two"],
    ["Address optional", "Not edited", "On"],
  ]);
  expect(await violations(one, "light")).toEqual([]);
  await one.keyboard.press("Escape");
  await question(one).waitFor({ state: "detached" });
  expect(await oneName.inputValue()).toBe("Gala of one");
  await one.getByRole("button", { name: "Save changes" }).click();
  await question(one).getByRole("button", { name: "Keep my changes" }).click();
  await one.getByText("Event saved").waitFor();
  const { event } = await graphql<{ event: unknown }>(
    seller.apiKey,
    "query($id: ID!) { event(id: $id) { name skipAddressInfo } }",
    { id: createEvent._id },
  );
  expect(event).toEqual({ name: "Gala of one", skipAddressInfo: true });

  await twoName.fill("Gala of two again");
  await two.getByRole("button", { name: "Save changes" }).click();
  expect(await rowsOf(two)).toEqual([["Name", "Gala of two again", "Gala of one"]]);
  await question(two).getByRole("button", { name: "Discard my changes" }).click();
  await expect.poll(() => two.getByLabel(/^Name/).inputValue()).toBe("Gala of one");
  expect(await two.getByRole("button", { name: "Save changes" }).isDisabled()).toBe(true);
  expect([...one.troubles, ...two.troubles]).toEqual([]);
});

it("an entry that changed while its drawer was open is shown with current values", async () => {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessList(input: { name: "Members" }) { _id } }',
    {},
  );
  const listId = createAccessList._id;
  const { createAccessListEntry } = await graphql<{ createAccessListEntry: { _id: string } }>(
    seller.apiKey,
    `mutation($listId: ID!) {
      createAccessListEntry(listId: $listId, input: { externalCode: "CARD-1", firstname: "Ada" }) { _id }
    }`,
    { listId },
  );
  const page = await openAs(seller, `/lists/${listId}`);
  await page.getByRole("button", { name: "CARD-1" }).click();
  const drawer = page.getByRole("dialog", { name: "Entry" });
  await drawer.getByLabel("Last name").fill("Lovelace");
  await graphql(
    seller.apiKey,
    `mutation($listId: ID!, $id: ID!) {
      updateAccessListEntry(listId: $listId, id: $id, input: { externalCode: "CARD-1", firstname: "Grace", lastname: "Hopper" }) { _id }
    }`,
    { listId, id: createAccessListEntry._id },
  );
  await drawer.getByRole("button", { name: "Save changes" }).click();
  expect(await rowsOf(page)).toEqual([
    ["First name", "Not edited", "Grace"],
    ["Last name", "Lovelace", "Hopper"],
  ]);
  await question(page).getByRole("button", { name: "Discard my changes" }).click();
  await expect.poll(() => drawer.getByLabel("Last name").inputValue()).toBe("Hopper");
  expect(await drawer.getByLabel("First name").inputValue()).toBe("Grace");
  await drawer.getByLabel("Last name").fill("Murray");
  await drawer.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("cell", { name: "Grace Murray" }).waitFor();
  expect(page.troubles).toEqual([]);
});

it("a form keeps its changes and saves without a question if another field of the record changes", async () => {
  const { createAccessUser } = await graphql<{ createAccessUser: { _id: string } }>(
    seller.apiKey,
    'mutation { createAccessUser(input: { name: "Gate 1" }) { _id } }',
    {},
  );
  const page = await openAs(seller, `/devices/${createAccessUser._id}`);
  await page.getByLabel(/^Name/).fill("Gate 2");
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText("This device is disabled.").waitFor();
  expect(await page.getByLabel(/^Name/).inputValue()).toBe("Gate 2");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Gate 2" }).waitFor();
  const { accessUser } = await graphql<{ accessUser: unknown }>(
    seller.apiKey,
    "query($id: ID!) { accessUser(id: $id) { name active } }",
    { id: createAccessUser._id },
  );
  expect(accessUser).toEqual({ name: "Gate 2", active: false });
  expect(page.troubles).toEqual([]);
});

interface Contest {
  path: string;
  /** The button that opens the form's dialog, if any. */
  button?: string;
  field: string | RegExp;
  label: string;
  mine: string;
  theirs: string;
  /** The mutation that sets another value. */
  change: string;
  save: string;
  /** The query that reads the value. */
  read: string;
}

/** Edits a field of a record while another change sets it, and keeps the edited value. */
async function contest({ path, button, field, label, mine, theirs, change, save, read }: Contest) {
  const page = await openAs(seller, path);
  if (button) await page.getByRole("button", { name: button }).click();
  const input = page
    .getByRole(button ? "dialog" : "main")
    .getByLabel(field)
    .first();
  await input.fill(mine);
  await graphql(seller.session, `mutation { ${change} { _id } }`, {});
  await page.getByRole("button", { name: save, exact: true }).click();
  expect(await rowsOf(page)).toEqual([[label, mine, theirs]]);
  await question(page).getByRole("button", { name: "Keep my changes" }).click();
  await question(page).waitFor({ state: "detached" });
  await page.getByText(/^[A-Z][\w ]+ saved$/).waitFor();
  expect(JSON.stringify(await graphql(seller.session, `{ ${read} }`, {}))).toContain(JSON.stringify(mine));
  expect(page.troubles).toEqual([]);
}

it("keys, access lists and ticket types handle conflicts like events", async () => {
  const made = await graphql<Record<"createAccessList" | "createApiKey" | "createEvent", { _id: string }>>(
    seller.session,
    `mutation {
      createAccessList(input: { name: "List" }) { _id }
      createApiKey(input: { name: "Key", permissions: [] }) { _id }
      createEvent(input: { name: "Fair", start: "2030-05-01T18:00:00Z" }) { _id }
    }`,
    {},
  );
  const [list, key, event] = [made.createAccessList._id, made.createApiKey._id, made.createEvent._id];
  const { createTicketType } = await graphql<{ createTicketType: { _id: string } }>(
    seller.session,
    "mutation($input: CreateTicketTypeInput!) { createTicketType(input: $input) { _id } }",
    { input: { eventId: event, name: "Seat", price: 10 } },
  );
  const type = createTicketType._id;
  const name = { field: /^Name/, label: "Name", save: "Save changes" };
  await contest({
    ...name,
    path: `/lists/${list}?tab=settings`,
    mine: "My list",
    theirs: "Their list",
    change: `updateAccessList(id: "${list}", input: { name: "Their list" })`,
    read: `accessList(id: "${list}") { name }`,
  });
  await contest({
    ...name,
    path: `/keys/${key}`,
    mine: "My key",
    theirs: "Their key",
    change: `updateApiKey(id: "${key}", input: { name: "Their key" })`,
    read: `apiKey(id: "${key}") { name }`,
  });
  await contest({
    ...name,
    path: `/events/${event}`,
    button: "Edit Seat",
    mine: "My seat",
    theirs: "Their seat",
    change: `updateTicketType(id: "${type}", input: { name: "Their seat" })`,
    read: `ticketType(id: "${type}") { name }`,
  });
});

it("the settings of the seller and its checkout handle conflicts too", async () => {
  const own = { read: `seller(id: "${seller.sellerId}") { name invoicing { url } }` };
  await contest({
    ...own,
    path: "/checkout",
    field: /^URL/,
    label: "URL",
    mine: "https://example.com/mine",
    theirs: "https://example.com/theirs",
    change: 'updateSeller(input: { invoicing: { url: "https://example.com/theirs" } })',
    save: "Save",
  });
  await contest({
    ...own,
    path: "/settings",
    field: /^Name/,
    label: "Name",
    mine: "Mine",
    theirs: "Theirs",
    change: 'updateSeller(input: { name: "Theirs" })',
    save: "Save changes",
  });
});
