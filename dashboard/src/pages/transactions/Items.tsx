import { type Item, ItemTable } from "../sales/ItemTable";
import type { Transaction } from "./transactions";

/** The tickets and products of a transaction. */
export function Items({ of: transaction }: { of: Transaction }) {
  return <ItemTable items={itemsOf(transaction)} currency={transaction.currency} />;
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
