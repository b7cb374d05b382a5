import { Text } from "@mantine/core";
import { ShieldCheck } from "lucide-react";
import { useQuery } from "urql";
import { Lines, Quiet } from "../../components/cells";
import { type Column, DataTable } from "../../components/DataTable";
import { RelativeTime } from "../../components/RelativeTime";
import {
  type IdentificationRefusalReason,
  IdentificationRefusalsDocument,
  type IdentificationRefusalsQuery,
} from "./identification.generated";

type Row = IdentificationRefusalsQuery["identificationRefusals"][number];

/** What each reason is called, and what to do about it. */
const reasons: Record<IdentificationRefusalReason, [title: string, text: string]> = {
  MISSING_DOCUMENT: ["No number was given", "A company has to show its SIREN before it can go on."],
  ADDRESS: ["The address was not complete", "Street, postal code, city and country are asked for together."],
  CHECKSUM: ["The check digit does not fit", "Mostly a mistyped digit."],
  LENGTH: ["Not nine digits", "Often a SIRET of 14 digits: its first nine are the SIREN."],
  CHARACTERS: ["Something else than digits", "Often a VAT number: its last nine digits are the SIREN."],
  SPACES: ["Spaces between the digits", "A shop can remove them before it sends the number."],
  MALFORMED: ["Not sent as the API asks for", "A mistake of the shop: no list of documents, or an unknown type."],
};

const columns: Column<Row>[] = [
  {
    header: "Reason",
    cell: ({ reason }) => (
      <Lines>
        <Text size="sm" fw={550}>
          {reasons[reason][0]}
        </Text>
        <Quiet>{reasons[reason][1]}</Quiet>
      </Lines>
    ),
  },
  { header: "Times", cell: ({ count }) => count.toLocaleString(), align: "right", width: 90 },
  { header: "Last", cell: ({ lastAt }) => <RelativeTime at={lastAt} />, width: 150, visibleFrom: "xs" },
];

const context = { additionalTypenames: ["Checkout", "PurchaseIntent"] };

/** How often buyers were turned away in the last 30 days, by reason. */
export function Refusals() {
  const [{ data, error }, again] = useQuery({
    query: IdentificationRefusalsDocument,
    context,
    requestPolicy: "cache-and-network",
  });
  return (
    <DataTable
      label="Refusals of the last 30 days"
      columns={columns}
      rows={data?.identificationRefusals}
      rowKey={({ reason }) => reason}
      error={error}
      onRetry={again}
      empty={{
        icon: ShieldCheck,
        title: "Nobody was turned away",
        text: "Whoever is refused for a number or an address is counted here, for 30 days.",
      }}
    />
  );
}
