import { beforeAll, expect, it } from "vitest";
import { graphql, newSeller, openAs, url, withBrowser } from "./browser";

let seller: Awaited<ReturnType<typeof newSeller>>;

withBrowser();

beforeAll(async () => {
  seller = await newSeller("Door");
});

/** Creates an event with a ticket, a scan group without events, and a device in that group. */
async function makeGate() {
  const made = await graphql<Record<"createEvent" | "createScanGroup", { _id: string }>>(
    seller.apiKey,
    `mutation {
      createEvent(input: { name: "Late show", start: "2030-05-01T19:00:00Z" }) { _id }
      createScanGroup(input: { name: "Balcony", scanConfig: { mode: default } }) { _id }
    }`,
    {},
  );
  const [event, group] = [made.createEvent._id, made.createScanGroup._id];
  const { createTicketType } = await graphql<{ createTicketType: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateTicketTypeInput!) { createTicketType(input: $input) { _id } }",
    { input: { eventId: event, name: "Seat", price: 10 } },
  );
  const { createAccessUser } = await graphql<{ createAccessUser: { _id: string; token: string } }>(
    seller.apiKey,
    `mutation($device: CreateAccessUserInput!, $tickets: ImportTicketsInput!) {
      createAccessUser(input: $device) { _id token }
      importTickets(input: $tickets) { created }
    }`,
    {
      device: { name: "Gate 7", accessAllEvents: true, deviceSettings: { scanGroupId: group } },
      tickets: { tickets: [ticket(event, createTicketType._id)] },
    },
  );
  return { event, group, device: createAccessUser._id, token: createAccessUser.token };
}

function ticket(eventId: string, ticketTypeId: string) {
  const of = { sellerId: seller.sellerId, eventId, ticketTypeId };
  return { ...of, _id: `ticket-${eventId}`, ticketName: "Seat", status: "VALID", secret: "s", barcode: `B-${eventId}` };
}

/** Returns the device of a token; undefined if the token is rejected. */
async function selfOf(token: string) {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", token },
    body: JSON.stringify({ query: "{ thisAccessUser { name accessAllEvents events } }" }),
  });
  const { data } = (await answer.json()) as { data?: { thisAccessUser: unknown } | null };
  return data?.thisAccessUser;
}

it("a device is edited, disabled, enabled, given a new token, and deleted", async () => {
  const { event, group, device, token } = await makeGate();
  const page = await openAs(seller, `/devices/${device}`);
  await page.getByRole("heading", { level: 1, name: "Gate 7" }).waitFor();
  await page.getByRole("link", { name: "Balcony" }).waitFor();
  expect(await page.getByRole("link", { name: "Balcony" }).getAttribute("href")).toBe(`/scan-groups/${group}`);
  await page.getByLabel(/^Name/).fill("Gate 8");
  await page.getByLabel("Selected events").check();
  await page.getByRole("combobox", { name: "Events" }).click();
  await page.getByRole("option", { name: "Late show" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Gate 8" }).waitFor();
  expect(await selfOf(token)).toEqual({ name: "Gate 8", accessAllEvents: false, events: [event] });

  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText("This device is disabled.").waitFor();
  expect(await selfOf(token)).toBeUndefined();
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByText("This device is disabled.").waitFor({ state: "hidden" });
  expect(await selfOf(token)).toMatchObject({ name: "Gate 8" });

  await page.getByRole("button", { name: "Renew token" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Renew token" }).click();
  const secret = page.getByRole("dialog", { name: "New device token" });
  const renewed = (await secret.getByText(/^dev_[0-9a-f]{96}$/).textContent()) ?? "";
  await secret.getByLabel("I've saved this secret").check();
  await secret.getByRole("button", { name: "Done" }).click();
  expect(await selfOf(token)).toBeUndefined();
  expect(await selfOf(renewed)).toMatchObject({ name: "Gate 8" });

  await page.getByRole("button", { name: "Delete" }).click();
  const sure = page.getByRole("dialog", { name: "Delete device" });
  await sure.getByRole("textbox").fill("Gate 7");
  await expect.poll(() => sure.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
  await sure.getByRole("textbox").fill("Gate 8");
  await sure.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  expect(await selfOf(renewed)).toBeUndefined();
  expect(page.troubles).toEqual([]);
});

it("a scan group admits tickets once it has their event and can't be deleted while a device uses it", async () => {
  const { event, group, device } = await makeGate();
  const page = await openAs(seller, `/simulator?device=${device}&code=B-${event}`);
  await page.getByText(/^Declined: /).waitFor();
  await page.goto(`/scan-groups/${group}`);
  await page.getByText("No events yet. Every scan is declined.").waitFor();
  await page.getByLabel(/^Name/).fill("Upper balcony");
  await page.getByRole("combobox", { name: "Add event" }).click();
  await page
    .getByRole("option", { name: /^Late show/ })
    .last()
    .click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Upper balcony" }).waitFor();
  await page.goto(`/simulator?device=${device}&code=B-${event}`);
  await page.getByText(/^Approved$/).waitFor();

  await page.goto(`/scan-groups/${group}`);
  const remove = page.getByRole("button", { name: "Delete" });
  const sure = page.getByRole("dialog", { name: "Delete scan group" });
  await remove.click();
  await sure.getByRole("textbox").fill("Upper balcony");
  await sure.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alert").first().waitFor();
  await graphql(seller.apiKey, "mutation($id: ID!) { deleteAccessUser(id: $id) { _id } }", { id: device });
  await page.goto(`/scan-groups/${group}`);
  await remove.click();
  await sure.getByRole("textbox").fill("Upper balcony");
  await sure.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Scan groups" }).waitFor();
  const { scanGroups } = await graphql<{ scanGroups: unknown }>(seller.apiKey, "{ scanGroups { nodes { _id } } }", {});
  expect(JSON.stringify(scanGroups)).not.toContain(group);
  expect(page.troubles).toEqual([]);
});
