/** A document of the repository's folder docs that has a page here. */
export interface Guide {
  slug: string;
  label: string;
  /** What one has at the end, in half a sentence. */
  text: string;
}

/** What leads through one task from beginning to end. */
export const guides: Guide[] = [
  {
    slug: "first-webhook",
    label: "The first webhook",
    text: "From nothing to a signed call that was retried",
  },
  { slug: "verify-signature", label: "Verify a signature", text: "In Go, TypeScript, Python, PHP, Java and Ruby" },
  {
    slug: "fill-an-access-list",
    label: "Fill an access list",
    text: "Wrist bands and cards from a file, checked and undone",
  },
  { slug: "set-up-a-gate", label: "Set up a gate", text: "A scan group, a device, and the first scan" },
  { slug: "siren-in-the-checkout", label: "SIREN in the checkout", text: "Companies in France show their number" },
  {
    slug: "many-processes",
    label: "Many processes, one database",
    text: "More of them for more load, and for deploying without a pause",
  },
];

/** How each area behaves, in detail. */
export const handbook: Guide[] = [
  { slug: "webhooks", label: "Webhooks", text: "What arrives, what counts, when it is tried again" },
  { slug: "access-lists", label: "Access lists", text: "Entries, imports, and lists that are asked elsewhere" },
  { slug: "gate", label: "At the gate", text: "Devices, lookups, scans and uploads" },
  { slug: "catalogue", label: "Catalogue", text: "Events, ticket types, scan zones, customers" },
  { slug: "checkout", label: "Checkouts", text: "From a cart to a transaction" },
  { slug: "identification", label: "Identification", text: "What a seller asks of its buyers" },
  { slug: "purchase-intents", label: "Purchase intents", text: "Orders that a seller approves or rejects" },
  { slug: "invoices", label: "Invoices", text: "Their numbers, and handing them over" },
  { slug: "errors", label: "Errors", text: "Codes, statuses, and headers that both APIs read" },
  { slug: "graphql", label: "Errors of GraphQL", text: "Where their paths begin, and which stand together" },
  { slug: "accounts", label: "Accounts", text: "Invitations, roles, lost passwords and failed logins" },
  { slug: "credentials", label: "Credentials", text: "From when a change of a key holds, and why" },
  { slug: "operations", label: "Operations", text: "Settings, roles, stopping, secrets, limits" },
];

/** The repository's documents, each fetched when it is opened. They are what there is to read: pages add no text of their own. */
const files = import.meta.glob<string>(
  [
    "../../../../docs/*.md",
    "../../../../docs/*/*.md",
    // These are for builders, who have the repository; the events have a page of another kind.
    "!../../../../docs/{dashboard,dependencies,performance,proven}.md",
    "!../../../../docs/internals/*.md",
    "!../../../../docs/events.md",
  ],
  { query: "?raw", import: "default" },
);

/** The programs of the guide on signatures, by language, as they stand in the repository. */
const programs = import.meta.glob<string>("../../../../docs/verify-signature/*.{go,ts,py,php,java,rb}", {
  query: "?raw",
  import: "default",
});

/** A document's slug: its name, or that of the folder whose README it is. */
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

/** The Markdown of a document; undefined where there is none of that name. */
export function loadDocument(slug: string): Promise<string> | undefined {
  return bySlug.get(slug)?.();
}

/** The languages of the programs, in the order in which the guide lists them. */
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

/** Documents that are pages of another kind here. */
const elsewhere: Record<string, string> = { events: "/docs/events", permissions: "/docs/permissions" };

/** Where a link of a document leads here; undefined when it is to a file that has no page. */
export function addressOf(link: string): string | undefined {
  if (link.startsWith("/")) return link;
  const [file = "", anchor] = link.split("#");
  const slug = slugOfFile(file);
  const known = file.endsWith(".md") && [...guides, ...handbook].some((guide) => guide.slug === slug);
  const page = elsewhere[slug] ?? (known ? `/docs/guides/${slug}` : undefined);
  if (page) return anchor ? `${page}#${anchor}` : page;
  return languages.some(([, program]) => program === file) ? `#${slugOf(file)}` : undefined;
}

/** The anchor of a heading, as code hosts make it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** A document's title and the text under it. */
export function parted(document: string): { title: string; text: string } {
  const [, title = "", text = document] = /^# (.+)\n([\s\S]*)$/.exec(document) ?? [];
  return { title, text };
}
