/** A document in docs/ that has a page. */
export interface Guide {
  slug: string;
  label: string;
  /** A short summary. */
  text: string;
}

/** Guides, each for one task from start to end. */
export const guides: Guide[] = [
  { slug: "quickstart", label: "Quickstart", text: "Start the server, create a key, send a request" },
  { slug: "concepts", label: "Concepts", text: "Seller, event, gate, webhook and other terms" },
  { slug: "first-webhook", label: "First webhook", text: "Receive a signed webhook and see a retry" },
  { slug: "verify-signature", label: "Verify a signature", text: "In Go, TypeScript, Python, PHP, Java and Ruby" },
  { slug: "fill-an-access-list", label: "Fill an access list", text: "Import cards and wristbands from a file" },
  { slug: "set-up-a-gate", label: "Set up a gate", text: "A scan group, a device and the first scan" },
  { slug: "siren-in-the-checkout", label: "SIREN at checkout", text: "Require a SIREN from companies in France" },
  { slug: "many-processes", label: "Many processes", text: "Serve more requests and update without downtime" },
];

/** Pages that cover one area completely. */
export const handbook: Guide[] = [
  { slug: "webhooks", label: "Webhooks", text: "Requests, retries, delivery statuses" },
  { slug: "gate", label: "Gate", text: "Devices, scans, lookups, offline uploads" },
  { slug: "access-lists", label: "Access lists", text: "Entries, imports, remote lists" },
  { slug: "catalog", label: "Catalog", text: "Events, ticket types, scan zones, customers" },
  { slug: "checkout", label: "Checkout", text: "From an order to a transaction" },
  { slug: "identification", label: "Identification", text: "Buyer documents and checkout settings" },
  { slug: "purchase-intents", label: "Purchase intents", text: "Orders that a seller approves" },
  { slug: "invoices", label: "Invoices", text: "Numbers, cancellations, sending" },
  { slug: "rest", label: "REST rules", text: "Headers, values and responses" },
  { slug: "graphql", label: "GraphQL", text: "Objects, cost, deprecations" },
  { slug: "errors", label: "Errors", text: "Codes, statuses, concurrent changes" },
  { slug: "limits", label: "Limits", text: "Rates, sizes, counts, timeouts, 429" },
  { slug: "paging", label: "Paging and filtering", text: "Pages, order, time spans" },
  { slug: "idempotency", label: "Idempotency", text: "Retry requests safely" },
  { slug: "changelog", label: "Changelog and versioning", text: "How the APIs change" },
  { slug: "credentials", label: "Credentials", text: "Keys, tokens, rotation" },
  { slug: "accounts", label: "Accounts", text: "Invitations, roles, failed sign-ins" },
  { slug: "security", label: "Security", text: "How data is protected" },
  { slug: "operations", label: "Operations", text: "Settings, deployment, backups, metrics" },
  { slug: "scaling", label: "Scaling", text: "PgBouncer and many machines" },
  { slug: "splitting", label: "Splitting by seller", text: "Several databases behind one address" },
];

/** The documents of the repository, loaded on demand. */
const files = import.meta.glob<string>(
  [
    "../../../../docs/*.md",
    "../../../../docs/*/*.md",
    // Documents for maintainers are excluded. Events have their own page.
    "!../../../../docs/{dashboard,dependencies,performance}.md",
    "!../../../../docs/internals/*.md",
    "!../../../../docs/events.md",
  ],
  { query: "?raw", import: "default" },
);

/** The programs of the guide on signatures. */
const programs = import.meta.glob<string>("../../../../docs/verify-signature/*.{go,ts,py,php,java,rb}", {
  query: "?raw",
  import: "default",
});

/** Returns a document's slug: its file name, or the name of its folder for a README. */
function slugOfFile(path: string): string {
  return (
    path
      .replace(/\/README\.md$/, "")
      .replace(/\.md$/, "")
      .split("/")
      .at(-1) ?? ""
  );
}

const bySlug = new Map(Object.entries(files).map(([path, load]) => [slugOfFile(path), load]));

/** Returns the Markdown of a document; undefined for an unknown slug. */
export function loadDocument(slug: string): Promise<string> | undefined {
  return bySlug.get(slug)?.();
}

const events = import.meta.glob<string>("../../../../docs/events.md", { query: "?raw", import: "default" });

/** Returns the introduction of the events page. Samples come from the server. */
export async function loadEventsIntroduction(): Promise<string> {
  const text = (await events["../../../../docs/events.md"]?.()) ?? "";
  return parted(text.slice(0, text.search(/^## `\w+\.\w+`/m))).text;
}

/** The languages of the programs, in the order of the guide. */
const languages: [language: string, file: string][] = [
  ["Go", "verify.go"],
  ["TypeScript", "verify.ts"],
  ["Python", "verify.py"],
  ["PHP", "verify.php"],
  ["Java", "Verify.java"],
  ["Ruby", "verify.rb"],
];

export interface Program {
  language: string;
  file: string;
  text: string;
}

export function loadPrograms(): Promise<Program[]> {
  const loaded = languages.map(async ([language, file]) => {
    const text = await programs[`../../../../docs/verify-signature/${file}`]?.();
    return { language, file, text: text?.trimEnd() ?? "" };
  });
  return Promise.all(loaded);
}

/** Documents with a special page. */
const elsewhere: Record<string, string> = { events: "/docs/events", permissions: "/docs/permissions" };

/** Returns the address of the page that a link refers to; undefined for a file without a page. */
export function addressOf(link: string): string | undefined {
  if (link.startsWith("/")) return link;
  const [file = "", anchor] = link.split("#");
  const slug = slugOfFile(file);
  const known = file.endsWith(".md") && [...guides, ...handbook].some((guide) => guide.slug === slug);
  const page = elsewhere[slug] ?? (known ? `/docs/guides/${slug}` : undefined);
  if (page) return anchor ? `${page}#${anchor}` : page;
  return languages.some(([, program]) => program === file) ? `#${slugOf(file)}` : undefined;
}

/** Returns the anchor of a heading, in the format of code hosts. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Splits a document into its title and text. */
export function parted(document: string): { title: string; text: string } {
  const [, title = "", text = document] = /^# (.+)\n([\s\S]*)$/.exec(document) ?? [];
  return { title, text };
}
