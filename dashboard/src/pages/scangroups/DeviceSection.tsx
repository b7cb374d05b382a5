import { ColorSwatch, Group, Select, SimpleGrid, Switch, Text } from "@mantine/core";
import { Panel } from "../../components/Panel";
import { colors, revealSeconds, seconds, syncSeconds } from "./scangroups";
import type { GroupForm } from "./useScanGroupForm";

const settable = [
  { name: "repeated", label: "Scanned before" },
  { name: "highlighted", label: "Highlighted" },
  { name: "actionRequired", label: "Something to do" },
] as const;

/** How the devices show and tell what they have scanned. */
export function DeviceSection({ form }: { form: GroupForm }) {
  return (
    <Panel title="Device" text="How the devices show a result. An approved scan is always green, a declined one red.">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {settable.map(({ name, label }) => (
          <ColorSelect key={name} label={label} {...form.getInputProps(name)} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="A result is shown for"
          placeholder="The device's own"
          data={revealSeconds.map(choice)}
          clearable
          clearButtonProps={{ "aria-label": "Clear how long a result is shown" }}
          {...form.getInputProps("revealSeconds")}
        />
        <Select
          label="Tickets are fetched every"
          placeholder="The device's own"
          data={syncSeconds.map(choice)}
          clearable
          clearButtonProps={{ "aria-label": "Clear how often tickets are fetched" }}
          {...form.getInputProps("syncSeconds")}
        />
      </SimpleGrid>
      <Switch label="Sound" {...form.getInputProps("sound", { type: "checkbox" })} />
      <Switch label="Vibration" {...form.getInputProps("haptic", { type: "checkbox" })} />
    </Panel>
  );
}

function choice(count: number) {
  return { value: `${count}`, label: seconds(count) };
}

interface ColorProps {
  label: string;
  value?: string | null;
  onChange?: (value: string | null) => void;
  error?: React.ReactNode;
}

function ColorSelect({ label, value, onChange, error }: ColorProps) {
  return (
    <Select
      label={label}
      placeholder="The device's own"
      data={colors}
      value={value ?? null}
      onChange={onChange}
      error={error}
      clearable
      clearButtonProps={{ "aria-label": `Clear the colour: ${label}` }}
      leftSection={value ? <ColorSwatch color={`var(--mantine-color-${value}-6)`} size={14} aria-hidden /> : undefined}
      renderOption={({ option }) => (
        <Group gap="xs">
          <ColorSwatch color={`var(--mantine-color-${option.value}-6)`} size={14} aria-hidden />
          <Text size="sm">{option.label}</Text>
        </Group>
      )}
    />
  );
}
