import { Text } from "@mantine/core";
import { ShoppingCart } from "lucide-react";
import { type Column, DataTable } from "../../components/DataTable";
import { money } from "../sales/sales";
import type { Transaction } from "./transactions";

interface Item {
  key: string;
  name: string;
  kind: string;
  amount: number;
  price: number;
  taxRate?: number | null;
}

/** The tickets and products that were sold. */
export function Items({ of: transaction }: { of: Transaction }) {
  const price = (item: Item) => money(item.price, transaction.currency);
  const columns: Column<Item>[] = [
    {
      header: "Item",
      cell: (item) => (
        <>
          <Text size="sm" fw={550}>
            {item.name}
          </Text>
          <Text size="xs" c="dimmed">
            {item.kind}
          </Text>
        </>
      ),
    },
    { header: "Amount", cell: (item) => item.amount, align: "right", width: 90 },
    { header: "Price of one", cell: price, align: "right" },
    {
      header: "Tax",
      cell: (item) => (item.taxRate === null || item.taxRate === undefined ? "–" : `${item.taxRate} %`),
      align: "right",
      visibleFrom: "sm",
      width: 90,
    },
  ];
  return (
    <DataTable
      label="Items"
      columns={columns}
      rows={itemsOf(transaction)}
      rowKey={(item) => item.key}
      onRetry={() => undefined}
      empty={{ icon: ShoppingCart, title: "No items", text: "This transaction names neither tickets nor products." }}
    />
  );
}

function itemsOf({ tickets, products }: Transaction): Item[] {
  return [
    ...(tickets ?? []).map((item, i) => ({
      ...item,
      key: `ticket ${i}`,
      kind: "Ticket",
      name: item.name || item.ticketTypeId,
    })),
    ...(products ?? []).map((item, i) => ({
      ...item,
      key: `product ${i}`,
      kind: "Product",
      name: item.name || item.productVariantId,
    })),
  ];
}
