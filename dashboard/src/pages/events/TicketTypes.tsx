import { Button, Group, Stack, Text } from "@mantine/core";
import { Plus, Tag } from "lucide-react";
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { StatusPill } from "../../components/StatusPill";
import { useFilters } from "../../components/useFilters";
import { useMay } from "../../session/session";
import { money } from "../sales/sales";
import type { TicketType } from "./events";
import { TicketTypesDocument } from "./events.generated";
import { TicketTypeDialog } from "./TicketTypeDialog";

const context = { additionalTypenames: ["TicketType"] };

/** What tickets there are for an event, and what they cost. */
export function TicketTypes({ eventId }: { eventId: string }) {
  const filters = useFilters();
  const mayChange = useMay("MANAGER");
  const [opened, setOpened] = useState<TicketType | "new">();
  const [{ data, error }, again] = useQuery({
    query: TicketTypesDocument,
    variables: { first: 50, after: filters.after, filter: { eventId } },
    context,
  });
  const shownColumns = useMemo(() => columns(mayChange ? setOpened : undefined), [mayChange]);
  const create = mayChange && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setOpened("new")}>
      Add ticket type
    </Button>
  );
  return (
    <Stack>
      {data && data.ticketTypes.nodes.length > 0 && <Group justify="flex-end">{create}</Group>}
      <DataTable
        label="Ticket types"
        columns={shownColumns}
        rows={data?.ticketTypes.nodes}
        rowKey={(type) => type._id}
        error={error}
        onRetry={again}
        paging={{ ...filters, next: nextPage(data?.ticketTypes.pageInfo) }}
        empty={{
          icon: Tag,
          title: "No ticket types yet",
          text: "A ticket type is a kind of ticket with its price. Without one, nothing can be sold.",
          action: create,
        }}
      />
      {opened && (
        <TicketTypeDialog
          eventId={eventId}
          of={opened === "new" ? undefined : opened}
          onClose={() => setOpened(undefined)}
          onStale={() => again({ requestPolicy: "network-only" })}
        />
      )}
    </Stack>
  );
}

function columns(edit: ((type: TicketType) => void) | undefined): Column<TicketType>[] {
  return [
    {
      header: "Name",
      cell: (type) => (
        <Text size="sm" fw={550}>
          {type.name}
        </Text>
      ),
    },
    { header: "Price", cell: (type) => money(type.price, type.currency), align: "right" },
    {
      header: "Tax",
      cell: (type) => (type.taxRate === null || type.taxRate === undefined ? "–" : `${type.taxRate} %`),
      align: "right",
      visibleFrom: "sm",
    },
    { header: "Status", cell: (type) => <TypeStatus active={type.active} />, visibleFrom: "xs" },
    ...(edit
      ? [
          {
            header: "Change",
            cell: (type: TicketType) => (
              <Button variant="default" size="xs" aria-label={`Change ${type.name}`} onClick={() => edit(type)}>
                Change
              </Button>
            ),
            align: "right" as const,
            width: 110,
          },
        ]
      : []),
  ];
}

function TypeStatus({ active }: { active: boolean }) {
  return active ? (
    <StatusPill tone="good" label="On sale" explanation="It can be bought." />
  ) : (
    <StatusPill tone="idle" label="Off sale" explanation="It can't be bought. What has been sold stays valid." />
  );
}
