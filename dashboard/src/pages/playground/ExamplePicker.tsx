import { useEditorContext } from "@graphiql/react";
import { Select } from "@mantine/core";
import { flushSync } from "react-dom";
import { type Example, examples } from "./examples";

const all = examples.flatMap(({ examples }) => examples);

/** Documents to begin with. One that was not changed makes room for the next; what was typed keeps its tab. */
export function ExamplePicker() {
  const editors = useEditorContext({ nonNull: true });
  // They come after the page: what is chosen before would be lost.
  const ready = Boolean(editors.queryEditor && editors.variableEditor && editors.responseEditor);
  function open({ query, variables }: Example) {
    const now = editors.queryEditor?.getValue() ?? "";
    // The new tab has to be there before it is written into.
    if (now.trim() && !all.some((example) => example.query === now)) flushSync(editors.addTab);
    editors.queryEditor?.setValue(query);
    editors.variableEditor?.setValue(variables);
    editors.responseEditor?.setValue("");
  }
  return (
    <Select
      aria-label="Examples"
      placeholder="Examples"
      disabled={!ready}
      searchable
      nothingFoundMessage="No example is called that"
      data={examples.map(({ area, examples }) => ({
        group: area,
        items: examples.map(({ name, title }) => ({ value: name, label: title })),
      }))}
      value={null}
      onChange={(chosen) => {
        const example = all.find(({ name }) => name === chosen);
        if (example) open(example);
      }}
      size="xs"
      w={{ base: 150, sm: 280 }}
      maxDropdownHeight={420}
      comboboxProps={{ width: 360, position: "bottom-end" }}
    />
  );
}
