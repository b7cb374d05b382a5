import { ColorSwatch, Group, Select, SimpleGrid, Switch, Text } from "@mantine/core";
import { Panel } from "../../components/Panel";
import { colors, revealSeconds, seconds, syncSeconds } from "./scangroups";
import type { GroupForm } from "./useScanGroupForm";

const settable = [
  { name: "repeated", label: "Scanned before" },
  { name: "highlighted", label: "Highlighted" },
  { name: "actionRequired", label: "Action required" },
] as const;

/** How devices signal scan results. */
export function DeviceSection({ form }: { form: GroupForm }) {
  return (
    <Panel
      title="Device"
      text="How devices show scan results. Approved scans are always green, and declined scans are always red. You can select the colors of other results."
    >
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {settable.map(({ name, label }) => (
          <ColorSelect key={name} label={label} {...form.getInputProps(name)} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Result duration"
          placeholder="Device default"
          data={revealSeconds.map(choice)}
          clearable
          clearButtonProps={{ "aria-label": "Clear result duration" }}
          {...form.getInputProps("revealSeconds")}
        />
        <Select
          label="Sync interval"
          placeholder="Device default"
          data={syncSeconds.map(choice)}
          clearable
          clearButtonProps={{ "aria-label": "Clear sync interval" }}
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
      placeholder="Device default"
      data={colors}
      value={value ?? null}
      onChange={onChange}
      error={error}
      clearable
      clearButtonProps={{ "aria-label": `Clear color: ${label}` }}
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
