import { Fieldset, Group, MultiSelect, Paper, Radio, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { nameOf, useEventChoices, useScanGroupChoices, withChosen } from "../../components/choices";
import { ExpiryInput } from "../../components/ExpiryInput";
import { exactTime } from "../../components/RelativeTime";
import { type Fields, shown } from "../../lib/conflict";
import type { Device } from "./devices";
import type { AccessMode } from "./devices.generated";

export interface DeviceValues {
  name: string;
  scanGroupId: string | null;
  accessAllEvents: string;
  events: string[];
  accessMode: AccessMode;
  expires: string | null;
}

/** The form's fields, with names in place of ids. */
export function useDeviceFields(): Fields<DeviceValues> {
  const events = useEventChoices();
  const groups = useScanGroupChoices();
  return {
    name: "Name",
    scanGroupId: { label: "Scan group", show: (id) => (id ? nameOf(groups, id) : "–") },
    accessAllEvents: {
      label: "Events it has access to",
      show: (which) => (which === "all" ? "All events" : "Chosen events"),
    },
    events: { label: "Chosen events", show: (ids) => shown(ids.map((id) => nameOf(events, id))) },
    accessMode: {
      label: "What it sees of ticket holders",
      show: (mode) => (mode === "full" ? "Everything" : "Restricted"),
    },
    expires: { label: "Expires", show: (at) => (at ? exactTime(at) : "Never") },
  };
}

/** The form's values; those of a new device when there is none. */
export function deviceValues(device?: Device): DeviceValues {
  return {
    name: device?.name ?? "",
    scanGroupId: device?.deviceSettings?.scanGroupId ?? null,
    accessAllEvents: !device || device.accessAllEvents ? "all" : "some",
    events: device?.events ?? [],
    accessMode: device?.deviceSettings?.accessMode ?? "full",
    expires: device?.expires ?? null,
  };
}

export function useDeviceForm(device?: Device) {
  return useForm<DeviceValues>({
    initialValues: deviceValues(device),
    validate: {
      name: (name) => (name.trim() ? null : "Give the device a name"),
    },
  });
}

/** What the API takes of the values. */
export function deviceInput({ name, accessAllEvents, events, expires, accessMode, scanGroupId }: DeviceValues) {
  const all = accessAllEvents === "all";
  return {
    name: name.trim(),
    accessAllEvents: all,
    events: all ? [] : events,
    expires,
    deviceSettings: { accessMode, scanGroupId },
  };
}

interface Props {
  form: ReturnType<typeof useDeviceForm>;
  onSubmit: (values: DeviceValues) => Promise<void>;
  disabled?: boolean;
  /** The buttons. */
  children: ReactNode;
}

export function DeviceForm({ form, onSubmit, disabled, children }: Props) {
  const events = withChosen(useEventChoices(), form.values.events);
  const groups = withChosen(useScanGroupChoices(), [form.values.scanGroupId]);
  return (
    <Paper withBorder p="lg" maw={760}>
      <form onSubmit={form.onSubmit(onSubmit)}>
        <Fieldset variant="unstyled" disabled={disabled} miw={0} m={0}>
          <Stack>
            <TextInput
              label="Name"
              description="Where it stands, such as “Main gate, left”"
              required
              {...form.getInputProps("name")}
            />
            <Select
              label="Scan group"
              description="Its rules decide who may pass. Without one, the device scans nothing."
              placeholder="None"
              data={groups}
              searchable
              clearable
              clearButtonProps={{ "aria-label": "Clear the scan group" }}
              nothingFoundMessage="No scan group is called this"
              {...form.getInputProps("scanGroupId")}
            />
            <Radio.Group label="Events it has access to" {...form.getInputProps("accessAllEvents")}>
              <Stack gap="sm" mt="xs">
                <Radio value="all" label="All events" description="Those to come as well." />
                <Radio value="some" label="Chosen events" />
              </Stack>
            </Radio.Group>
            {form.values.accessAllEvents === "some" && (
              <MultiSelect
                label="Chosen events"
                placeholder={form.values.events.length > 0 ? "" : "None: it has access to no event"}
                data={events}
                searchable
                nothingFoundMessage="No event is called this"
                {...form.getInputProps("events")}
              />
            )}
            <Radio.Group label="What it sees of ticket holders" {...form.getInputProps("accessMode")}>
              <Stack gap="sm" mt="xs">
                <Radio value="full" label="Everything" />
                <Radio value="restricted" label="Restricted" description="Without e-mail, phone and street." />
              </Stack>
            </Radio.Group>
            <ExpiryInput {...form.getInputProps("expires")} />
            <Group justify="flex-end">{children}</Group>
          </Stack>
        </Fieldset>
      </form>
    </Paper>
  );
}
