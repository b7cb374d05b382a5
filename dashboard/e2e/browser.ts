import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { setting } from "./settings";

export interface Seller {
  sellerId: string;
  name: string;
  webhooks: boolean;
  adminEmail: string;
  adminPassword: string;
  viewerEmail: string;
  viewerPassword: string;
  apiKey: string;
  eventId: string;
  ticketTypeId: string;
  deviceId: string;
}

export const url = setting("TICKETGATE_URL");
const sellers: Seller[] = JSON.parse(setting("TICKETGATE_WORLD")).sellers;

/** Returns a seller of the seeded data. Each test file uses its own. */
export function sellerNumber(index: number): Seller {
  const seller = sellers[index];
  if (!seller) throw new Error(`there is no seeded seller ${index}`);
  return seller;
}

/** A user's credentials. */
export type Member = Pick<Seller, "adminEmail" | "adminPassword">;

let browser: Browser;

/** The browser contexts of users who have signed in during this file. Reusing them keeps their caches. */
const signedIn = new Map<string, BrowserContext>();

/** Pages that the next test reuses (goOn). */
export const staying = new Set<Page>();

/** Connects to the worker's browser for the tests of a file. Closes each test's pages, which would keep sending requests. */
export function withBrowser() {
  beforeAll(async () => {
    browser = await chromium.connect(inject("browsers")[Number(process.env.VITEST_POOL_ID) - 1] ?? "");
  });
  afterEach(async () => {
    const kept = [...signedIn.values()];
    for (const context of browser.contexts()) {
      const left = context.pages().filter((page) => !staying.has(page));
      await (kept.includes(context) ? Promise.all(left.map((page) => page.close())) : context.close());
    }
  });
  afterAll(async () => {
    signedIn.clear();
    staying.clear();
    await browser.close(); // closes only this file's connection and its contexts
  });
}

/** Opens a page in a new context without a session. Script errors, policy violations and missing files fail the test. */
export async function newPage(options: BrowserContextOptions = {}) {
  return pageOf(await newContext(options));
}

export type Opened = Page & { troubles: string[] };

async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
      // biome-ignore lint/suspicious/noConsole: it is what a browser does, with more words
      console.error(`policy ${violatedDirective}: ${blockedURI} ${sample}`),
    );
  });
  return context;
}

async function pageOf(context: BrowserContext): Promise<Opened> {
  const page = Object.assign(await context.newPage(), { troubles: [] as string[] });
  page.on("pageerror", (error) => page.troubles.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) page.troubles.push(message.text());
  });
  page.on("dialog", (dialog) => {
    if (dialog.type() === "beforeunload") return void dialog.accept(); // forms with unsaved changes ask before leaving
    page.troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return page;
}

export async function signIn(page: Page, email: string, password: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens a page as a seller's administrator. Signs in if necessary. */
export async function openAs(seller: Member, path: string, options: BrowserContextOptions = {}) {
  const who = seller.adminEmail + JSON.stringify(options);
  const context = signedIn.get(who) ?? (await newContext(options));
  signedIn.set(who, context);
  const page = await pageOf(context);
  await page.goto(path);
  const navigation = page.getByRole("navigation", { name: "Pages" });
  const door = page.getByRole("heading", { level: 1, name: "Sign in" });
  await navigation.or(door).first().waitFor({ state: "attached" });
  if (await door.isVisible()) await signIn(page, seller.adminEmail, seller.adminPassword);
  await navigation.waitFor({ state: "attached" });
  return page;
}

/** Navigates like a link, without a reload, and waits for the new page. It must differ from the current page. */
export async function goOn(page: Page, path: string) {
  await page.evaluate((path) => {
    document.querySelector("h1")?.setAttribute("data-before", "");
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await page.locator("h1:not([data-before])").waitFor();
}

/** Sends a GraphQL request with a token. */
export async function graphql<Data>(token: string, query: string, variables: unknown): Promise<Data> {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await answer.json()) as { data: Data; errors?: unknown };
  expect(body.errors).toBeUndefined();
  return body.data;
}

interface Invitation {
  sellerId?: string;
  organizationId?: string;
  email: string;
  role: string;
  /** The inviter's session; the platform's token if omitted. */
  by?: string;
}

/** Invites an email address to a seller or an organization. Returns the code of the link. */
export async function invite({ by = setting("TICKETGATE_SYSTEM_TOKEN"), ...input }: Invitation): Promise<string> {
  const { addMember } = await graphql<{ addMember: { invitation: { link: string } } }>(
    by,
    "mutation($input: AddMemberInput!) { addMember(input: $input) { invitation { link } } }",
    { input },
  );
  return addMember.invitation.link.split("#")[1] ?? "";
}

/** Makes a user a member, with a new account or the account of a session. */
export async function join(
  invitation: Invitation,
  { session = "", ...chosen }: { session?: string; name?: string; password?: string },
) {
  const code = await invite(invitation);
  await graphql(
    session,
    "mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { user { _id } } }",
    { input: { code, ...chosen } },
  );
}

/** Returns the link that a dialog shows once, and closes the dialog. */
export async function linkOnce(page: Page): Promise<string> {
  await page.getByText("This link is shown only once.").waitFor();
  const link = (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
  await page.getByLabel("I've saved this link").check();
  await page.getByRole("button", { name: "Done" }).click();
  return link;
}

/** Creates a seller in its own organization, without rows of other tests. */
export async function newSeller(name: string) {
  const system = setting("TICKETGATE_SYSTEM_TOKEN");
  const { createOrganization } = await graphql<{ createOrganization: { _id: string } }>(
    system,
    "mutation($input: CreateOrganizationInput!) { createOrganization(input: $input) { _id } }",
    { input: { name } },
  );
  const organizationId = createOrganization._id;
  const { createSeller } = await graphql<{ createSeller: { _id: string } }>(
    system,
    "mutation($input: CreateSellerInput!) { createSeller(input: $input) { _id } }",
    { input: { organizationId, name, country: "DE", webhooks: true } },
  );
  const sellerId = createSeller._id;
  const adminEmail = `admin-${sellerId}@example.com`;
  const adminPassword = `the password of ${sellerId}`;
  await join({ sellerId, email: adminEmail, role: "ADMIN" }, { name, password: adminPassword });
  const { login } = await graphql<{ login: { token: string } }>(
    "",
    "mutation($input: LoginInput!) { login(input: $input) { token } }",
    { input: { email: adminEmail, password: adminPassword } },
  );
  const { createApiKey } = await graphql<{ createApiKey: { key: string } }>(
    login.token,
    "mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }",
    { input: { name: "Seeded", fullSellerAccess: true } },
  );
  return { sellerId, organizationId, adminEmail, adminPassword, session: login.token, apiKey: createApiKey.key };
}

/** Publishes an event like another service of the platform. */
export function publish(sellerId: string, type: string, data: unknown) {
  return graphql(
    setting("TICKETGATE_SYSTEM_TOKEN"),
    "mutation($input: PublishEventInput!) { publishEvent(input: $input) { id } }",
    {
      input: { sellerId, type, data },
    },
  );
}

/** A received request. */
interface Call {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Starts a webhook endpoint that returns a given response and records requests. */
export async function listen(answer: { status: number; body: string }) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    calls.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.statusCode = answer.status;
    response.end(answer.body);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, calls, close: () => server.close() };
}
