import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useQuery } from "urql";
import { address } from "../../app/address";
import { CopyValue } from "../../components/CopyValue";
import { personName } from "./sales";
import { CustomerNameDocument, EventNameDocument } from "./sales.generated";

/** An event by its name; by its id while it is not known here: what was imported may name any. */
export function EventLink({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: EventNameDocument, variables: { id } });
  if (!data) return <CopyValue value={id} label="Copy the event's id" />;
  return (
    <Anchor component={Link} to={address("/events", id)} size="sm">
      {data.event.name}
    </Anchor>
  );
}

/** A customer by name; by id while it is not known here. */
export function CustomerLink({ id }: { id: string | null | undefined }) {
  const [{ data }] = useQuery({ query: CustomerNameDocument, variables: { id: id ?? "" }, pause: !id });
  if (!id) return "none";
  if (!data) return <CopyValue value={id} label="Copy the customer's id" />;
  return (
    <Anchor component={Link} to={address("/customers", id)} size="sm">
      {personName(data.customer) ?? id}
    </Anchor>
  );
}
