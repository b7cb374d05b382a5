import { Text } from "@mantine/core";
import { ShoppingCart } from "lucide-react";
import { type Column, DataTable } from "../../components/DataTable";
import { money } from "./sales";

export interface Item {
  key: string;
  name: string;
  kind: string;
  amount: number;
  /** The unit price. */
  price: number;
  total?: number;
  taxRate?: number | null;
}

/** The items of a sale. Totals are shown as the API returns them and never calculated. */
export function ItemTable({ items, currency }: { items: Item[]; currency: string | null | undefined }) {
  const totals = items.some((item) => item.total !== undefined);
  const columns: Column<Item>[] = [
    { header: "Item", cell: (item) => <Named of={item} /> },
    { header: "Quantity", cell: (item) => item.amount, align: "right", width: 90 },
    { header: "Unit price", cell: (item) => money(item.price, currency), align: "right" },
    {
      header: "Tax",
      cell: (item) => (item.taxRate === null || item.taxRate === undefined ? "–" : `${item.taxRate} %`),
      align: "right",
      visibleFrom: "sm",
      width: 90,
    },
  ];
  if (totals) {
    columns.push({
      header: "Total",
      cell: (item) => money(item.total, currency),
      align: "right",
      visibleFrom: "sm",
    });
  }
  return (
    <DataTable
      label="Items"
      columns={columns}
      rows={items}
      rowKey={(item) => item.key}
      onRetry={() => undefined}
      empty={{ icon: ShoppingCart, title: "No items", text: "This sale has no tickets or products." }}
    />
  );
}

function Named({ of: { name, kind } }: { of: Item }) {
  return (
    <>
      <Text size="sm" fw={550}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {kind}
      </Text>
    </>
  );
}
