import { useEditorContext } from "@graphiql/react";
import { Select } from "@mantine/core";
import { flushSync } from "react-dom";
import { type Example, examples } from "./examples";

const all = examples.flatMap(({ examples }) => examples);

/** Selects an example. An unedited example is replaced by the next one; edited documents keep their tab. */
export function ExamplePicker() {
  const editors = useEditorContext({ nonNull: true });
  // Tabs are restored after the first render. An example selected earlier would be lost.
  const ready = Boolean(editors.queryEditor && editors.variableEditor && editors.responseEditor);
  function open({ query, variables }: Example) {
    const now = editors.queryEditor?.getValue() ?? "";
    // Wait for the new tab before writing to it.
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
      nothingFoundMessage="No examples match"
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
