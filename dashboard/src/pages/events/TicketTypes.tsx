import { Button, Group, Stack, Text } from "@mantine/core";
import { Plus, Tag } from "lucide-react";
import { useMemo, useState } from "react";
import type { Column } from "../../components/DataTable";
import { List } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { StatusPill } from "../../components/StatusPill";
import { useMay } from "../../session/session";
import { money } from "../sales/sales";
import type { TicketType } from "./events";
import { TicketTypesDocument } from "./events.generated";
import { TicketTypeDialog } from "./TicketTypeDialog";

const ticketTypesOf = (eventId: string) =>
  defineList({
    document: TicketTypesDocument,
    rows: (data) => data.ticketTypes,
    types: ["TicketType"],
    variables: (page) => ({ ...page, filter: { eventId } }),
  });

/** The ticket types of an event. */
export function TicketTypes({ eventId }: { eventId: string }) {
  const list = useMemo(() => ticketTypesOf(eventId), [eventId]);
  const mayChange = useMay("MANAGER");
  const [opened, setOpened] = useState<TicketType | "new">();
  const shownColumns = useMemo(() => columns(mayChange ? setOpened : undefined), [mayChange]);
  const create = mayChange && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setOpened("new")}>
      Add ticket type
    </Button>
  );
  return (
    <Stack>
      <List
        list={list}
        label="Ticket types"
        columns={shownColumns}
        above={({ rows }) => rows && rows.length > 0 && <Group justify="flex-end">{create}</Group>}
        empty={{
          icon: Tag,
          title: "No ticket types yet",
          text: "Add a ticket type to sell tickets for this event.",
          action: () => create,
        }}
      >
        {({ refresh }) =>
          opened && (
            <TicketTypeDialog
              eventId={eventId}
              of={opened === "new" ? undefined : opened}
              onClose={() => setOpened(undefined)}
              onStale={refresh}
            />
          )
        }
      </List>
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
            header: "Actions",
            cell: (type: TicketType) => (
              <Button variant="default" size="xs" aria-label={`Edit ${type.name}`} onClick={() => edit(type)}>
                Edit
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
    <StatusPill tone="good" label="On sale" explanation="Buyers can buy this ticket type." />
  ) : (
    <StatusPill
      tone="idle"
      label="Off sale"
      explanation="Buyers can't buy this ticket type. Sold tickets stay valid."
    />
  );
}
