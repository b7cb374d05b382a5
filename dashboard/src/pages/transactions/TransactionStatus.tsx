import { StatusPill } from "../../components/StatusPill";
import { paymentStates, transactionStates } from "./transactions";
import type { PaymentStatus, TransactionStatus } from "./transactions.generated";

export function TransactionPill({ status }: { status: TransactionStatus }) {
  return <StatusPill {...transactionStates[status]} />;
}

export function PaymentPill({ status }: { status: PaymentStatus | null | undefined }) {
  return status ? <StatusPill {...paymentStates[status]} /> : "–";
}
