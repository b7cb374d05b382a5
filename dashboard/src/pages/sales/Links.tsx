import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { CopyValue } from "../../components/CopyValue";
import { address } from "../../lib/address";
import { personName } from "./sales";

interface EventLinkProps {
  id: string;
  /** What the page has read of it. */
  event: { name: string } | null;
}

/** An event by its name; by its id if it is not known here: what was imported may name any. */
export function EventLink({ id, event }: EventLinkProps) {
  if (!event) return <CopyValue value={id} label="Copy the event's id" />;
  return (
    <Anchor component={Link} to={address("/events", id)} size="sm">
      {event.name}
    </Anchor>
  );
}

interface CustomerLinkProps {
  id: string | null | undefined;
  /** What the page has read of it. */
  customer: Parameters<typeof personName>[0] | null | undefined;
}

/** A customer by name; by id if it is not known here. */
export function CustomerLink({ id, customer }: CustomerLinkProps) {
  if (!id) return "none";
  if (!customer) return <CopyValue value={id} label="Copy the customer's id" />;
  return (
    <Anchor component={Link} to={address("/customers", id)} size="sm">
      {personName(customer) ?? id}
    </Anchor>
  );
}
