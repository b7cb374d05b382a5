import { graphql } from "./browser";

/** A sale with names so long that they wrap. */
export interface Sold {
  event: string;
  customer: string;
  transaction: string;
  ticket: string;
  checkout: string;
  invoice: string;
  tid: string;
  secret: string;
  barcode: string;
}

interface Shop {
  apiKey: string;
  sellerId: string;
}

/** Creates an event and a customer, and imports a transaction with its ticket, like another service. */
export async function sell({ apiKey, sellerId }: Shop): Promise<Sold> {
  const mark = Math.random().toString(36).slice(2, 10);
  const { createEvent, createCustomer } = await graphql<{
    createEvent: { _id: string };
    createCustomer: { _id: string };
  }>(
    apiKey,
    `mutation($event: CreateEventInput!, $customer: CreateCustomerInput!) {
      createEvent(input: $event) { _id }
      createCustomer(input: $customer) { _id }
    }`,
    {
      event: {
        name: "Long night of the Straßenbahnbetriebsgenossenschaftsorchester",
        start: "2027-05-01T18:00:00Z",
        timeZone: "Europe/Paris",
      },
      customer: { firstname: "Grace", lastname: "Hopper", email: `grace-${mark}@example.com` },
    },
  );
  const { createTicketType } = await graphql<{ createTicketType: { _id: string } }>(
    apiKey,
    "mutation($input: CreateTicketTypeInput!) { createTicketType(input: $input) { _id } }",
    { input: { eventId: createEvent._id, name: "Front row", price: 49.5, currency: "EUR", taxRate: 5.5 } },
  );
  const bought = await buy({ apiKey, sellerId }, createEvent._id, createTicketType._id);
  const sold = {
    ...bought,
    event: createEvent._id,
    customer: createCustomer._id,
    transaction: `transaction-${mark}`,
    ticket: `ticket-${mark}`,
    tid: `T-${mark}`,
    secret: `secret-of-${mark}`,
    barcode: `BARCODE${mark.toUpperCase()}`,
  };
  await handIn({ apiKey, sellerId }, sold, createTicketType._id);
  return sold;
}

const buyer = {
  prename: "Grace",
  lastname: "Hopper",
  company: "Société de Navigation Électronique et Mathématique Appliquée",
  email: "grace@example.com",
  street: "1 rue de la Paix",
  postal: "75002",
  city: "Paris",
  country: "FR",
};

/** Completes a checkout, which issues an invoice. */
async function buy({ apiKey, sellerId }: Shop, eventId: string, ticketTypeId: string) {
  const { createCheckout } = await graphql<{ createCheckout: { _id: string } }>(
    "",
    "mutation($input: CreateCheckoutInput!) { createCheckout(input: $input) { _id } }",
    { input: { sellerId, eventId, items: [{ ticketTypeId, amount: 3 }] } },
  );
  const { _id: checkout } = createCheckout;
  const { completeCheckout } = await graphql<{ completeCheckout: { transactionId: string } }>(
    apiKey,
    `mutation($id: ID!, $input: CheckoutDetailsInput!) {
      submitCheckoutDetails(id: $id, input: $input) { _id }
      completeCheckout(id: $id) { transactionId }
    }`,
    { id: checkout, input: { ...buyer, country: "DE" } },
  );
  const { invoices } = await graphql<{ invoices: { nodes: { _id: string }[] } }>(
    apiKey,
    "query($id: ID!) { invoices(filter: { transactionId: $id }) { nodes { _id } } }",
    { id: completeCheckout.transactionId },
  );
  return { checkout, invoice: invoices.nodes[0]?._id ?? "" };
}

async function handIn({ apiKey, sellerId }: Shop, sold: Sold, ticketTypeId: string) {
  const shared = { sellerId, eventId: sold.event, customerId: sold.customer, currency: "EUR", secret: sold.secret };
  const transaction = {
    ...shared,
    ...buyer,
    _id: sold.transaction,
    tid: sold.tid,
    realPrice: 99,
    status: "COMPLETE",
    paymentStatus: "POS-RECEIVED",
    paymentMethod: "local",
    origin: "pos",
    coupons: ["SPRING"],
    identification: [{ type: "france_siren", identifier: "732829320" }],
    tickets: [{ amount: 2, price: 49.5, ticketTypeId, name: "Front row", taxRate: 5.5 }],
    createdAt: "2026-11-01T10:00:00Z",
    historyEntries: [
      { _id: "h1", date: "2026-11-01T10:00:00Z", type: "pos.created", risk: "NEUTRAL" },
      { _id: "h2", date: "2026-11-01T10:01:00Z", type: "payment.localReceived", risk: "GOOD", data: { till: "3" } },
    ],
    history: [{ _id: "n1", date: "2026-11-02T10:00:00Z", title: "Called", message: "Comes later", risk: "DANGER" }],
  };
  const ticket = {
    ...shared,
    _id: sold.ticket,
    transactionId: sold.transaction,
    ticketTypeId,
    ticketName: "Front row",
    firstname: buyer.prename,
    lastname: buyer.lastname,
    barcode: sold.barcode,
    realPrice: 49.5,
    status: "VALID",
    seat: "A 12",
  };
  await graphql(
    apiKey,
    `mutation($transactions: ImportTransactionsInput!, $tickets: ImportTicketsInput!) {
      importTransactions(input: $transactions) { created }
      importTickets(input: $tickets) { created }
    }`,
    { transactions: { transactions: [transaction] }, tickets: { tickets: [ticket] } },
  );
}
