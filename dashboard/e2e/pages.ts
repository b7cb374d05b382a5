/**
 * The pages that axe looks at, each by its address and its heading: one row a page. `{webhook}` and the like are made
 * beforehand (accessibility.test.ts).
 */
export const pages: { path: string; heading: string | RegExp }[] = [
  { path: "/", heading: "Overview" },
  { path: "/scans", heading: "Scan log" },
  { path: "/simulator", heading: "Simulator" },
  { path: "/devices", heading: "Devices" },
  { path: "/devices/new", heading: "Create a device" },
  { path: "/keys", heading: "API keys" },
  { path: "/keys/new", heading: "Create a key" },
  { path: "/keys/{key}", heading: "Seeded" },
  { path: "/webhooks", heading: "Webhooks" },
  { path: "/webhooks/new", heading: "Create a webhook" },
  { path: "/webhooks/{webhook}", heading: /^Listener/ },
  { path: "/webhooks/{webhook}?tab=settings", heading: /^Listener/ },
  { path: "/deliveries/{delivery}", heading: "campaign.created" },
  { path: "/lists", heading: "Access lists" },
  { path: "/lists/new", heading: "Create an access list" },
  { path: "/lists/{list}", heading: "Season cards" },
  { path: "/lists/{list}?tab=try", heading: "Season cards" },
  { path: "/lists/{list}?tab=settings", heading: "Season cards" },
  { path: "/audit", heading: "Audit log" },
  { path: "/settings", heading: "Settings" },
  { path: "/account", heading: "Sessions and password" },
  { path: "/nowhere", heading: "Nothing here" },
];
