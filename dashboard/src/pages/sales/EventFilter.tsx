import { useQuery } from "urql";
import { SelectFilter } from "../../components/Filters";
import { EventChoicesDocument } from "./sales.generated";

/** A choice among the first hundred events; any other can be in the address, and is shown by its id. */
export function EventFilter({ value, onChange }: { value: string | undefined; onChange: (id: string | null) => void }) {
  const [{ data }] = useQuery({ query: EventChoicesDocument, variables: { first: 100 } });
  const options = data?.events.nodes.map((event) => ({ value: event._id, label: event.name })) ?? [];
  if (value && !options.some((option) => option.value === value)) options.push({ value, label: value });
  return <SelectFilter label="Event" any="Any event" searchable options={options} value={value} onChange={onChange} />;
}
