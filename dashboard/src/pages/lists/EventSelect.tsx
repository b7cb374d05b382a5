import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useQuery } from "urql";
import { EventChoicesDocument, type EventChoicesQuery } from "../../components/choices.generated";
import { shownDay } from "../../lib/days";

type Props = Pick<
  SelectProps,
  "label" | "aria-label" | "placeholder" | "value" | "onChange" | "required" | "className"
>;

/** A searchable select of one of the seller's events. */
export function EventSelect({ value, ...props }: Props) {
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text, 250);
  const [{ data }] = useQuery({ query: EventChoicesDocument, variables: { filter: { name: asked || undefined } } });
  const [chosen, setChosen] = useState<Option>();
  const found = (data?.events.nodes ?? []).map(optionOf);
  // The selected event stays an option, so that its label survives the next search.
  const missing = value && !found.some((option) => option.value === value);
  const options = missing ? [chosen?.value === value ? chosen : { value, label: value }, ...found] : found;
  return (
    <Select
      {...props}
      data={options as Option[]}
      value={value ?? null}
      onChange={(next, option) => {
        setChosen(found.find((one) => one.value === next));
        setText("");
        props.onChange?.(next, option);
      }}
      searchable
      onSearchChange={(next) => setText(options.some((option) => option?.label === next) ? "" : next)}
      filter={({ options: all }) => all}
      nothingFoundMessage={data ? "No events match" : "Loading…"}
      clearable
      clearButtonProps={{ "aria-label": "Clear event" }}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
    />
  );
}

interface Option {
  value: string;
  label: string;
}

function optionOf({ _id, name, start }: EventChoicesQuery["events"]["nodes"][number]): Option {
  return { value: _id, label: `${name} · ${shownDay(start)}` };
}
