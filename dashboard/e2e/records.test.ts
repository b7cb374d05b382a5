import { expect, it } from "vitest";
import { graphql, newSeller, openAs, withBrowser } from "./browser";

withBrowser();

// DASH-22
it("a record with an unusual ID is opened and saved under its own ID", async () => {
  const own = await newSeller("Odd ids");
  const ids = ["a/b", "a%2Fb", "a%252Fb", "a%2fb", "%2F"];
  for (const id of ids)
    await graphql(
      own.apiKey,
      `mutation($event: CreateEventInput!, $customer: CreateCustomerInput!) {
        createEvent(input: $event) { _id }
        createCustomer(input: $customer) { _id }
      }`,
      {
        event: { _id: id, name: `Event ${id}`, start: "2030-11-30T19:00:00Z", timeZone: "Europe/Berlin" },
        customer: { _id: id, firstname: "Customer", lastname: id },
      },
    );
  const page = await openAs(own, "/events");
  const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  for (const id of ids)
    for (const [list, name] of [
      ["/events", `Event ${id}`],
      ["/customers", `Customer ${id}`],
    ] as const) {
      await page.goto(list);
      await page.getByRole("link", { name, exact: true }).click();
      await heading(name).waitFor();
      await page.goto(`${list}/${encodeURIComponent(id)}`);
      await heading(name).waitFor();
    }

  await page.goto(`/events/${encodeURIComponent("a%2Fb")}?tab=settings`);
  await page.getByLabel("Name").fill("Renamed");
  await page.getByRole("button", { name: "Save" }).click();
  await heading("Renamed").waitFor();
  const { events } = await graphql<{ events: { nodes: { _id: string; name: string }[] } }>(
    own.apiKey,
    "{ events { nodes { _id name } } }",
    {},
  );
  expect(events.nodes.filter(({ name }) => name === "Renamed").map(({ _id }) => _id)).toEqual(["a%2Fb"]);
  expect(page.troubles).toEqual([]);
});

// DASH-26
it("an event accepts current zone names and keeps its own as an option", async () => {
  const own = await newSeller("Zones");
  const { createEvent } = await graphql<{ createEvent: { _id: string } }>(
    own.apiKey,
    "mutation($input: CreateEventInput!) { createEvent(input: $input) { _id } }",
    { input: { name: "Mela", start: "2030-11-30T19:00:00Z", timeZone: "US/Pacific" } },
  );
  const page = await openAs(own, `/events/${createEvent._id}?tab=settings`);
  const zone = page.getByRole("combobox", { name: "Time zone" });
  for (const name of ["Europe/Kyiv", "Asia/Kolkata", "US/Pacific", "Asia/Kathmandu"]) {
    await zone.fill(name);
    await page.getByRole("option", { name, exact: true }).click();
    expect(await zone.inputValue()).toBe(name);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("definition").filter({ hasText: "Asia/Kathmandu" }).waitFor();
  expect(page.troubles).toEqual([]);
});
