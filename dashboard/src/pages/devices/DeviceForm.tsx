import { Fieldset, Group, MultiSelect, Paper, Radio, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { nameOf, useEventChoices, useScanGroupChoices, withChosen } from "../../components/choices";
import { ExpiryInput } from "../../components/ExpiryInput";
import { exactTime } from "../../components/RelativeTime";
import { type Fields, shown } from "../../lib/conflict";
import { nameError } from "../../lib/validation";
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

/** The fields of the form, with names instead of IDs. */
export function useDeviceFields(): Fields<DeviceValues> {
  const events = useEventChoices();
  const groups = useScanGroupChoices();
  return {
    name: "Name",
    scanGroupId: { label: "Scan group", show: (id) => (id ? nameOf(groups, id) : "–") },
    accessAllEvents: {
      label: "Event access",
      show: (which) => (which === "all" ? "All events" : "Selected events"),
    },
    events: { label: "Selected events", show: (ids) => shown(ids.map((id) => nameOf(events, id))) },
    accessMode: {
      label: "Ticket holder data",
      show: (mode) => (mode === "full" ? "All data" : "Restricted"),
    },
    expires: { label: "Expires", show: (at) => (at ? exactTime(at) : "Never") },
  };
}

/** Returns the form values of a device; the defaults if there is none. */
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
    validate: { name: nameError },
  });
}

/** Returns the API input for the form values. */
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
  /** The buttons of the form. */
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
              description="The location, such as “Main gate, left”"
              required
              {...form.getInputProps("name")}
            />
            <Select
              label="Scan group"
              description="Determines which tickets the device admits. A device without a scan group can't scan."
              placeholder="None"
              data={groups}
              searchable
              clearable
              clearButtonProps={{ "aria-label": "Clear scan group" }}
              nothingFoundMessage="No scan groups match"
              {...form.getInputProps("scanGroupId")}
            />
            <Radio.Group label="Event access" {...form.getInputProps("accessAllEvents")}>
              <Stack gap="sm" mt="xs">
                <Radio value="all" label="All events" description="Includes events created later." />
                <Radio value="some" label="Selected events" />
              </Stack>
            </Radio.Group>
            {form.values.accessAllEvents === "some" && (
              <MultiSelect
                label="Events"
                placeholder={form.values.events.length > 0 ? "" : "No events selected"}
                data={events}
                searchable
                nothingFoundMessage="No events match"
                {...form.getInputProps("events")}
              />
            )}
            <Radio.Group label="Ticket holder data" {...form.getInputProps("accessMode")}>
              <Stack gap="sm" mt="xs">
                <Radio value="full" label="All data" />
                <Radio value="restricted" label="Restricted" description="Hides email, phone and street." />
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
