import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { CopyValue } from "../../components/CopyValue";
import { address } from "../../lib/address";
import { personName } from "./sales";

interface EventLinkProps {
  id: string;
  /** The loaded event. */
  event: { name: string } | null;
}

/** Links to an event by name. An unknown event is shown by ID, because imported records may refer to any. */
export function EventLink({ id, event }: EventLinkProps) {
  if (!event) return <CopyValue value={id} label="Copy event ID" />;
  return (
    <Anchor component={Link} to={address("/events", id)} size="sm">
      {event.name}
    </Anchor>
  );
}

interface CustomerLinkProps {
  id: string | null | undefined;
  /** The loaded customer. */
  customer: Parameters<typeof personName>[0] | null | undefined;
}

/** Links to a customer by name. An unknown customer is shown by ID. */
export function CustomerLink({ id, customer }: CustomerLinkProps) {
  if (!id) return "None";
  if (!customer) return <CopyValue value={id} label="Copy customer ID" />;
  return (
    <Anchor component={Link} to={address("/customers", id)} size="sm">
      {personName(customer) ?? id}
    </Anchor>
  );
}
