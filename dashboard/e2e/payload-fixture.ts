import { graphql, join, newSeller, publish } from "./browser";
import { payloads } from "./payloads";
import { setting } from "./settings";

type Shop = Awaited<ReturnType<typeof newSeller>>;

const [first = ""] = payloads;

/** All payloads as one text, and as names and values of an object. */
export const everything = payloads.join("\n");
const meta = Object.fromEntries(payloads.map((text) => [`${text} `, text]));

/** External IDs can hold any character, up to 64. */
const ids = payloads.map((text) => text.slice(0, 64).trim());

/** Returns the first payload and those after the given position, as many as a name can hold, for records with their own page. */
export function several(place: number): string {
  return payloads
    .slice(place)
    .reduce((text, next) => (text.length + next.length < 200 ? `${text} ${next}` : text), first);
}

/** Personal data with payloads. */
const person = (text: string) => ({
  email: "a|b`c{{d}}'@example.com",
  lastname: text,
  company: text,
  street: text,
  line2: text,
  postal: text,
  city: text,
  state: text,
  country: "DE",
});

/** Runs a mutation for each row, 25 per document. Returns the IDs of the created records. */
async function each(token: string, call: string, types: Record<string, string>, rows: Record<string, unknown>[]) {
  const made: string[] = [];
  for (let from = 0; from < rows.length; from += 25) {
    const part = rows.slice(from, from + 25);
    const declared = part.flatMap((_, at) => Object.entries(types).map(([name, type]) => `$${name}${at}: ${type}`));
    const calls = part.map((_, at) => `r${at}: ${call.replaceAll(/\$\w+/g, (name) => `${name}${at}`)}`);
    const variables = part.flatMap((row, at) => Object.entries(row).map(([name, value]) => [`${name}${at}`, value]));
    const data = await graphql<Record<string, { _id: string }>>(
      token,
      `mutation(${declared.join(", ")}) { ${calls.join(" ")} }`,
      Object.fromEntries(variables),
    );
    made.push(...part.map((_, at) => data[`r${at}`]?._id ?? ""));
  }
  return made;
}

/** Creates a record for each payload; the first one contains several (see `several`). Returns their IDs. */
function make(token: string, kind: string, place: number, input: (text: string, at: number) => unknown) {
  const rows = payloads.map((text, at) => ({ input: input(at === 0 ? several(place) : text, at) }));
  return each(token, `create${kind}(input: $input) { _id }`, { input: `Create${kind}Input!` }, rows);
}

/** Creates a seller with a payload in every field. Its administrator also has a seller for each name. */
export async function fill(listenerUrl: string) {
  const seller = await newSeller(first);
  const [developed, catalogRecords] = await Promise.all([developers(seller, listenerUrl), createCatalog(seller)]);
  const [sold, bought, gate] = await Promise.all([
    sales(seller, catalogRecords),
    checkouts(seller, catalogRecords),
    scanTickets(seller, catalogRecords),
    people(seller),
  ]);
  const made: Record<string, string | undefined> = { ...developed, ...sold, ...bought, ...gate };
  return { seller, made };
}

async function people({ sellerId, organizationId, adminEmail, session }: Shop) {
  const system = setting("TICKETGATE_SYSTEM_TOKEN");
  const sellers = await each(
    system,
    "createSeller(input: $input) { _id }",
    { input: "CreateSellerInput!" },
    payloads.slice(1).map((name) => ({ input: { organizationId, name, country: "FR" } })),
  );
  for (const sellerId of sellers) await join({ sellerId, email: adminEmail, role: "ADMIN" }, { session });
  for (const [at, name] of payloads.slice(1).entries()) {
    const email = `colleague-${at}-${sellerId}@example.com`;
    await join({ sellerId, email, role: "VIEWER" }, { name, password: several(41) });
  }
}

type Catalog = Awaited<ReturnType<typeof createCatalog>>;

async function createCatalog({ apiKey }: Shop) {
  const [events, customers] = await Promise.all([
    make(apiKey, "Event", 1, (name, at) => {
      return { _id: ids[at], name, start: "2030-05-01T18:00:00Z", skipAddressInfo: true, meta };
    }),
    make(apiKey, "Customer", 6, (text, at) => {
      return { ...person(text), _id: ids[at], firstname: text, phone: text.slice(0, 60), meta };
    }),
  ]);
  const [types, zones] = await Promise.all([
    make(apiKey, "TicketType", 1, (name) => ({ eventId: events[0], name, price: 5, meta })),
    make(apiKey, "ScanZone", 1, (name) => ({ name, eventId: events[0], meta })),
  ]);
  return { events, customers, types, zones };
}

/** Imports transactions and tickets like another service. */
async function sales({ apiKey, sellerId }: Shop, { events, customers, types }: Catalog) {
  const shared = (text: string, at: number) => {
    const references = { sellerId, eventId: events[at], customerId: customers[at], ticketTypeId: types[at] };
    return {
      ...person(text),
      ...references,
      _id: ids[at],
      secret: text,
      extraFields: meta,
      currency: "EUR",
      realPrice: 5,
    };
  };
  const transactions = payloads.map((text, at) => {
    const { ticketTypeId, ...rest } = shared(text, at);
    return {
      ...rest,
      prename: text,
      tid: text,
      status: "COMPLETE",
      coupons: payloads,
      vouchers: payloads,
      tickets: [{ amount: 1, price: 5, ticketTypeId, name: text, taxRate: 19 }],
      createdAt: "2031-01-01T00:00:00Z",
      historyEntries: [{ _id: "h", date: "2031-01-01T10:00:00Z", type: "pos.created", risk: "NEUTRAL", data: meta }],
      history: payloads.map((message, n) => ({ _id: `n${n}`, title: message, message, risk: "DANGER" })),
    };
  });
  const tickets = payloads.map((text, at) => {
    const names = { ticketName: text, name: text, firstname: text, seat: text, barcode: text };
    return { ...shared(text, at), ...names, transactionId: ids[at], customMessage: everything, status: "VALID" };
  });
  await graphql(
    apiKey,
    `mutation($transactions: ImportTransactionsInput!, $tickets: ImportTicketsInput!) {
      importTransactions(input: $transactions) { created }
      importTickets(input: $tickets) { created }
    }`,
    { transactions: { transactions }, tickets: { tickets } },
  );
  return { event: events[0], customer: customers[0], transaction: ids[0], ticket: ids[0] };
}

/** Creates completed checkouts, which have invoices. */
async function checkouts({ apiKey, sellerId }: Shop, { events, types }: Catalog) {
  const made = await make("", "Checkout", 0, (_, at) => {
    return { sellerId, eventId: events[0], items: [{ ticketTypeId: types[at], amount: 1 }] };
  });
  await each(
    apiKey,
    "submitCheckoutDetails(id: $id, input: $input) { _id }",
    { id: "ID!", input: "CheckoutDetailsInput!" },
    payloads.map((text, at) => ({ id: made[at], input: { ...person(text), prename: text, phone: text.slice(0, 60) } })),
  );
  await each(
    apiKey,
    "completeCheckout(id: $id) { _id }",
    { id: "ID!" },
    made.map((id) => ({ id })),
  );
  const { invoices } = await graphql<{ invoices: { nodes: { _id: string }[] } }>(
    apiKey,
    "{ invoices(first: 1) { nodes { _id } } }",
    {},
  );
  return { checkout: made[0], invoice: invoices.nodes[0]?._id };
}

async function scanTickets({ apiKey }: Shop, { events, customers, zones }: Catalog) {
  const groups = await make(apiKey, "ScanGroup", 11, (name, at) => {
    return { name, scanConfig: { mode: "default", scanZoneId: zones[at], events: [{ eventId: events[0] }] } };
  });
  const devices = await make(apiKey, "AccessUser", 16, (name, at) => {
    return { name, accessAllEvents: true, deviceSettings: { scanGroupId: groups[at] } };
  });
  await each(
    apiKey,
    "scanTicket(input: $input) { access }",
    { input: "ScanTicketInput!" },
    payloads.map((barcode, at) => ({ input: { barcode, deviceId: devices[at], eventId: events[at] } })),
  );
  const [remote] = await make(apiKey, "AccessList", 21, (name) => {
    return { name, http: { url: `https://example.com/?q=${encodeURIComponent(name)}`, hmacKey: name } };
  });
  return { group: groups[0], device: devices[0], remote, ...(await filledList(apiKey, customers)) };
}

/** Creates a list filled by an import, and another import in which every row needs attention. */
async function filledList(apiKey: string, customers: string[]) {
  const { createAccessList } = await graphql<{ createAccessList: { _id: string } }>(
    apiKey,
    "mutation($input: CreateAccessListInput!) { createAccessList(input: $input) { _id } }",
    { input: { name: several(26) } },
  );
  const listId = createAccessList._id;
  const stage = async (firstname: (text: string) => string) => {
    const rows = payloads.map((text, at) => {
      return { externalCode: text, firstname: firstname(text), lastname: text, customerId: customers[at], meta };
    });
    const { previewEntryImport } = await graphql<{ previewEntryImport: { _id: string } }>(
      apiKey,
      "mutation($input: PreviewEntryImportInput!) { previewEntryImport(input: $input) { _id } }",
      { input: { listId, rows } },
    );
    return previewEntryImport._id;
  };
  const id = await stage((text) => text);
  await graphql(apiKey, "mutation($listId: ID!, $id: ID!) { commitEntryImport(listId: $listId, id: $id) { state } }", {
    listId,
    id,
  });
  return { list: listId, import: await stage(() => "Another") };
}

async function developers({ apiKey, session, sellerId }: Shop, listenerUrl: string) {
  const keys = await make(session, "ApiKey", 31, (name) => ({ name, permissions: ["webhooks:list"] }));
  const hooks = await make(apiKey, "Webhook", 36, (name, at) => ({
    name,
    url: at === 0 ? listenerUrl : `https://example.com/?q=${encodeURIComponent(name)}`,
    hmacKey: name,
    events: at === 0 ? { "campaign.created": true } : {},
  }));
  await graphql(session, "mutation($input: UpdateSellerInput!) { updateSeller(input: $input) { _id } }", {
    input: { meta },
  });
  await publish(sellerId, "campaign.created", { campaign: { _id: first, meta } });
  const { webhookDeliveries } = await graphql<{ webhookDeliveries: { nodes: { id: string }[] } }>(
    session,
    "{ webhookDeliveries { nodes { id } } }",
    {},
  );
  return { key: keys[0], webhook: hooks[0], delivery: webhookDeliveries.nodes[0]?.id };
}
