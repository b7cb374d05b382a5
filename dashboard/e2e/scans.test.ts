import decodeQR from "qr/decode.js";
import { expect, it } from "vitest";
import { graphql, openAs, sellerNumber, url, withBrowser } from "./browser";

const seller = sellerNumber(0);

withBrowser();

it("a device is created, its scan is in the log, and the simulator explains the result", async () => {
  const page = await openAs(seller, "/devices/new");
  await page.getByLabel(/^Name/).fill("Side door");
  await page.getByRole("button", { name: "Create device" }).click();
  const dialog = page.getByRole("dialog");
  const token = (await dialog.getByText(/^dev_[0-9a-f]{96}$/).textContent()) ?? "";
  await dialog.getByLabel("I've saved this secret").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { level: 1, name: "Side door" }).waitFor();
  expect(await page.content()).not.toContain(token);
  expect(await deviceOf(token)).toBe("Side door");

  const id = new URL(page.url()).pathname.split("/").pop();
  await graphql(seller.apiKey, "mutation($input: ScanTicketInput!) { scanTicket(input: $input) { access } }", {
    input: { barcode: "nobody-has-this", deviceId: id },
  });
  await page.getByRole("link", { name: "View scan log" }).click();
  await page.getByRole("button", { name: /ago$/ }).click();
  const scan = page.getByRole("dialog");
  await scan.getByText("Declined", { exact: true }).waitFor();
  await scan.getByText("nobody-has-this", { exact: true }).waitFor();
  await scan.getByRole("link", { name: "Simulate scan" }).click();

  await page.getByRole("heading", { level: 1, name: "Simulator" }).waitFor();
  await page.getByText(/^Declined: /).waitFor();
  await expect.poll(() => page.getByRole("img", { name: "Failed" }).count()).toBeGreaterThan(0);

  // Small screens have no column for the number of scans, but still link to them.
  await page.setViewportSize({ width: 375, height: 850 });
  await page.goto("/devices");
  await page.locator(`a[href="/scans?device=${id}"]`).filter({ visible: true }).click();
  await page.getByRole("heading", { level: 1, name: "Scan log" }).waitFor();
  expect(page.troubles).toEqual([]);
});

/** Returns the name of the device with a token; undefined if the token is rejected. */
async function deviceOf(token: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", token },
    body: JSON.stringify({ query: "{ thisAccessUser { name } }" }),
  });
  const { data } = (await answer.json()) as { data?: { thisAccessUser: { name: string } } | null };
  return data?.thisAccessUser.name;
}

it("pairing a device again invalidates its token", async () => {
  const { createAccessUser } = await graphql<{ createAccessUser: { _id: string; token: string } }>(
    seller.apiKey,
    "mutation($input: CreateAccessUserInput!) { createAccessUser(input: $input) { _id token } }",
    { input: { name: "Handheld" } },
  );
  expect(await deviceOf(createAccessUser.token)).toBe("Handheld");
  const page = await openAs(seller, `/devices/${createAccessUser._id}`);
  await page.getByRole("button", { name: "Pair device" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create pairing code" }).click();
  await dialog.getByText(/won't be able to see it again/).waitFor();
  const code = await dialog.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent();
  const picture = dialog.getByRole("img", { name: "Pairing code as a QR code" });
  await picture.waitFor();
  expect(readQr(await picture.innerHTML())).toBe(`ticketgate-pair:${code}`);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByText("Not paired", { exact: true }).waitFor();
  expect(await deviceOf(createAccessUser.token)).toBeUndefined();
  expect(page.troubles).toEqual([]);
});

/** Decodes a QR code whose modules are drawn as `M<x> <y>h1v1h-1z`, with a quiet zone of four modules. */
function readQr(svg: string): string {
  const modules = [...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const width = Math.max(...modules.flat()) + 1 + 4;
  const scale = 4;
  const size = width * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [x, y] of modules)
    for (let dy = 0; dy < scale; dy++)
      for (let dx = 0; dx < scale; dx++) {
        const at = 4 * ((y * scale + dy) * size + x * scale + dx);
        data.fill(0, at, at + 3);
      }
  return decodeQR({ width: size, height: size, data });
}

it("a scan group is created with an event and a color and stored accordingly", async () => {
  const name = `Late show ${Date.now()}`;
  const { createEvent } = await graphql<{ createEvent: { _id: string } }>(
    seller.apiKey,
    "mutation($input: CreateEventInput!) { createEvent(input: $input) { _id } }",
    { input: { name, start: "2030-05-01T19:00:00Z" } },
  );
  const page = await openAs(seller, "/scan-groups/new");
  await page.getByLabel(/^Name/).fill("Balcony");
  await page.getByRole("combobox", { name: "Add event" }).click();
  await page.getByRole("option", { name }).click();
  await page.getByLabel("Limit to event time").click();
  await page.getByLabel("Hours before event start").fill("2");
  await page.getByLabel(/^Check-out/).click();
  await page.getByRole("combobox", { name: "Scanned before" }).click();
  await page.getByRole("option", { name: "orange" }).click();
  // The preview shows the selected color in words, and the admission times.
  await page.getByRole("radio", { name: "Scanned before: orange" }).check();
  const preview = page.getByRole("region", { name: "Device preview" });
  await preview.getByText("Checked in at 19:42").waitFor();
  await preview.getByText("Balcony", { exact: true }).waitFor();
  await preview.getByText(/^From .*2030.* until .*2030/).waitFor();
  await page.getByRole("button", { name: "Create scan group" }).click();
  await page.getByRole("heading", { level: 1, name: "Balcony" }).waitFor();

  await page.getByRole("tab", { name: "JSON" }).click();
  const stored = JSON.parse((await page.locator("pre").textContent()) ?? "");
  expect(stored.scanConfig.events).toEqual([
    { eventId: createEvent._id, allowAllTicketTypes: true, eventTimeSettings: { active: true, beforeHours: 2 } },
  ]);
  expect(stored.scanConfig.scanTypes).toEqual({ checkin: true, checkout: true });
  expect(stored.deviceSettings.colorSettings).toEqual({ success: "green", declined: "red", repeated: "orange" });
  expect(page.troubles).toEqual([]);
});
