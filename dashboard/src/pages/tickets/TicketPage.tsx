import { Anchor, Stack } from "@mantine/core";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { RelativeTime } from "../../components/RelativeTime";
import { address, useRecordId } from "../../lib/address";
import { useMay } from "../../session/session";
import { Buyer } from "../sales/Buyer";
import { CustomerLink, EventLink } from "../sales/Links";
import { Masked } from "../sales/Masked";
import { RawJson } from "../sales/RawJson";
import { Section } from "../sales/Section";
import { money } from "../sales/sales";
import { DeliveriesOf } from "../webhooks/DeliveriesOf";
import { TicketPill } from "./TicketStatus";
import { placeOf, type Ticket, ticketKinds, ticketOrigins } from "./tickets";
import { TicketDocument } from "./tickets.generated";

export default function TicketPage() {
  const id = useRecordId();
  const developer = useMay("DEVELOPER");
  const [{ data, error }, again] = useQuery({ query: TicketDocument, variables: { id } });
  return (
    <Page
      title={data?.ticket.ticketName ?? "Ticket"}
      parents={[{ to: "/tickets", label: "Tickets" }]}
      status={data && <TicketPill status={data.ticket.status} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ ticket }) => (
          <PageTabs
            tabs={[
              {
                name: "ticket",
                label: "Ticket",
                panel: (
                  <Stack gap="xl">
                    <TicketFacts of={ticket} />
                    <Section title="Holder">
                      <Buyer of={ticket} />
                    </Section>
                  </Stack>
                ),
              },
              developer && { name: "deliveries", label: "Deliveries", panel: <DeliveriesOf objectId={id} /> },
              {
                name: "json",
                label: "JSON",
                panel: <RawJson value={ticket} edges={["event", "customer"]} secrets={["barcode", "secret"]} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function TicketFacts({ of: ticket }: { of: Ticket }) {
  const { transactionId, type, origin } = ticket;
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={ticket._id} label="Copy ID" />],
        ["Barcode", <Masked key="barcode" value={ticket.barcode} name="barcode" />],
        ["Secret", <Masked key="secret" value={ticket.secret} name="secret" />],
        ["Event", <EventLink key="event" id={ticket.eventId} event={ticket.event} />],
        ["Ticket type", <CopyValue key="type" value={ticket.ticketTypeId} label="Copy ticket type ID" />],
        [
          "Transaction",
          transactionId ? (
            <Anchor key="sale" component={Link} to={address("/transactions", transactionId)} size="sm">
              {transactionId}
            </Anchor>
          ) : (
            "None"
          ),
        ],
        ["Customer", <CustomerLink key="customer" id={ticket.customerId} customer={ticket.customer} />],
        ["Price", money(ticket.realPrice, ticket.currency)],
        ["Seat", placeOf(ticket) ?? "None"],
        ["Category", ticket.categoryName || "None"],
        ["Kind", type ? ticketKinds[type] : "Unknown"],
        ["Origin", origin ? ticketOrigins[origin] : "Unknown"],
        ["Timeslot start", ticket.slotStartTime || "None"],
        ["Expires", <RelativeTime key="expires" at={ticket.expiresAt} />],
        ["Add-ons", ticket.addOns?.map((addOn) => addOn.name || addOn.productId).join(", ") || "None"],
        ["Created", <RelativeTime key="created" at={ticket.createdAt} />],
        ["Updated", <RelativeTime key="changed" at={ticket.updatedAt} />],
      ]}
    />
  );
}
