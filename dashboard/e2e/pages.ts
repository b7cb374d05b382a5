import { expect } from "vitest";
import { goOn, type Member, type Opened, openAs } from "./browser";

/** A page by address and heading. `opens` are the buttons to press first, to see a dialog. */
export interface ListedPage {
  path: string;
  heading: string | RegExp;
  opens?: string[];
}

/**
 * The pages that axe checks and that `make screenshots` shows. Placeholders such as `{webhook}` are records that
 * page-records.ts creates.
 */
export const pages: ListedPage[] = [
  { path: "/", heading: "Overview" },
  { path: "/transactions", heading: "Transactions" },
  { path: "/transactions/{transaction}", heading: /^Transaction T-/ },
  { path: "/transactions/{transaction}?tab=history", heading: /^Transaction T-/ },
  { path: "/transactions/{transaction}?tab=json", heading: /^Transaction T-/ },
  { path: "/transactions/{transaction}?tab=deliveries", heading: /^Transaction T-/ },
  { path: "/tickets", heading: "Tickets" },
  { path: "/tickets/{ticket}", heading: "Front row" },
  { path: "/customers", heading: "Customers" },
  { path: "/customers/{customer}", heading: "Grace Hopper" },
  { path: "/checkouts", heading: "Checkouts" },
  { path: "/checkouts/{checkout}", heading: /^Checkout by/ },
  { path: "/invoices", heading: "Invoices" },
  { path: "/invoices/{invoice}", heading: /^Invoice \d+$/ },
  { path: "/events", heading: "Events" },
  { path: "/events/new", heading: "Create event" },
  { path: "/events/{event}", heading: /^Long night/ },
  { path: "/events/{event}?tab=settings", heading: /^Long night/ },
  { path: "/scans", heading: "Scan log" },
  { path: "/simulator", heading: "Simulator" },
  { path: "/devices", heading: "Devices" },
  { path: "/devices/{device}", heading: "Gate 1" },
  { path: "/devices/{device}", heading: "Gate 1", opens: ["Pair device", "Create pairing code"] },
  { path: "/scan-groups", heading: "Scan groups" },
  { path: "/scan-groups/{group}", heading: "Main entrance" },
  { path: "/scan-groups/{group}?tab=json", heading: "Main entrance" },
  { path: "/scan-groups/new", heading: "Create scan group" },
  { path: "/devices/new", heading: "Create device" },
  { path: "/keys", heading: "API keys" },
  { path: "/keys/new", heading: "Create key" },
  { path: "/keys/{key}", heading: "Seeded" },
  { path: "/webhooks", heading: "Webhooks" },
  { path: "/webhooks/new", heading: "Create webhook" },
  { path: "/webhooks/{webhook}", heading: /^Listener/ },
  { path: "/webhooks/{webhook}?tab=statistics", heading: /^Listener/ },
  { path: "/webhooks/{webhook}?tab=verification", heading: /^Listener/ },
  { path: "/webhooks/{webhook}?tab=settings", heading: /^Listener/ },
  { path: "/deliveries", heading: "Deliveries" },
  { path: "/deliveries/{delivery}", heading: "campaign.created" },
  { path: "/playground", heading: "Playground" },
  { path: "/docs", heading: "Reference" },
  { path: "/docs/api", heading: "REST API" },
  { path: "/docs/api/createWebhook", heading: "Create a webhook" },
  { path: "/docs/events", heading: "Webhook events" },
  { path: "/docs/permissions", heading: "Permissions" },
  { path: "/docs/guides/verify-signature", heading: "Verify a signature" },
  { path: "/docs/guides/operations", heading: /^(Operations|Operating)/ },
  { path: "/lists", heading: "Access lists" },
  { path: "/lists/new", heading: "Create list" },
  { path: "/lists/{list}", heading: "Season cards" },
  { path: "/lists/{list}?tab=import", heading: "Season cards" },
  { path: "/lists/{list}?tab=try", heading: "Season cards" },
  { path: "/lists/{list}?tab=settings", heading: "Season cards" },
  { path: "/lists/{list}?tab=settings", heading: "Season cards", opens: ["Delete list"] },
  { path: "/checkout", heading: "Checkout settings" },
  { path: "/audit", heading: "Audit log" },
  { path: "/sellers/new", heading: "Create seller" },
  { path: "/settings", heading: "Settings" },
  { path: "/account", heading: "Your account" },
  { path: "/nowhere", heading: "Page not found" },
];

/** Shows a page to a seller's administrator and waits until it has loaded. Uses an open browser page if there is one. */
export async function show(
  seller: Member,
  { path, heading, opens = [] }: ListedPage,
  ids: Record<string, string>,
  open?: Opened,
): Promise<Opened> {
  const address = path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? name);
  if (open) await goOn(open, address);
  const page = open ?? (await openAs(seller, address));
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  for (const name of opens) await page.getByRole("button", { name, exact: true }).click();
  if (opens.length > 0) await page.waitForLoadState("networkidle"); // the dialog may load an image
  return page;
}

/** Waits until transitions of colors and sizes have finished. During a transition, contrast can be too low. */
export async function settled(page: Opened) {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
