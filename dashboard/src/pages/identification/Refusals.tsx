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

/** The label of each reason, and advice. */
const reasons: Record<IdentificationRefusalReason, [title: string, text: string]> = {
  MISSING_DOCUMENT: ["No number given", "A company must enter its SIREN to continue."],
  ADDRESS: ["Incomplete address", "Street, postal code, city and country are required together."],
  CHECKSUM: ["Wrong check digit", "Usually a mistyped digit."],
  LENGTH: ["Not nine digits", "Often a SIRET of 14 digits. Its first nine are the SIREN."],
  CHARACTERS: ["Non-digit characters", "Often a VAT number. Its last nine digits are the SIREN."],
  SPACES: ["Spaces between the digits", "The shop can remove them before it sends the number."],
  MALFORMED: ["Invalid request", "The shop sent no list of documents, or an unknown document type."],
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
  { header: "Count", cell: ({ count }) => count.toLocaleString(), align: "right", width: 90 },
  { header: "Latest", cell: ({ lastAt }) => <RelativeTime at={lastAt} />, width: 150, visibleFrom: "xs" },
];

const context = { additionalTypenames: ["Checkout", "PurchaseIntent"] };

/** The number of rejections in the last 30 days, by reason. */
export function Refusals() {
  const [{ data, error }, again] = useQuery({
    query: IdentificationRefusalsDocument,
    context,
    requestPolicy: "cache-and-network",
  });
  return (
    <DataTable
      label="Rejections, last 30 days"
      columns={columns}
      rows={data?.identificationRefusals}
      rowKey={({ reason }) => reason}
      error={error}
      onRetry={again}
      empty={{
        icon: ShieldCheck,
        title: "No rejections",
        text: "Rejected numbers and addresses are counted here for 30 days.",
      }}
    />
  );
}
