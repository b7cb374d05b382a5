import { Button, Input, Paper, SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import "@mantine/dates/styles.css";
import { useForm } from "@mantine/form";
import dayjs from "dayjs";
import { useDeviceChoices, useEventChoices, useScanGroupChoices, withChosen } from "../../components/choices";
import { realInstant, shownMinute } from "../../lib/days";
import type { Question } from "./simulation";

interface Values {
  by: "code" | "ticket";
  scanned: string;
  under: "device" | "group";
  device: string | null;
  group: string | null;
  event: string | null;
  direction: string;
  /** An ISO 8601 time, or null for now. */
  time: string | null;
}

interface Props {
  asked: Question;
  busy: boolean;
  onAsk: (question: Record<keyof Question, string | null>) => void;
  /** Runs the same simulation again. */
  onAgain: () => void;
}

function valuesOf({ code, ticket, device, group, event, direction, time }: Question): Values {
  return {
    by: ticket ? "ticket" : "code",
    scanned: ticket ?? code ?? "",
    under: group ? "group" : "device",
    device: device ?? null,
    group: group ?? null,
    event: event ?? null,
    direction: direction ?? "IN",
    time: realInstant(time) ?? null,
  };
}

function useQuestionForm(asked: Question) {
  return useForm<Values>({
    initialValues: valuesOf(asked),
    validate: {
      scanned: (scanned) => (scanned.trim() ? null : "Enter a code or ticket ID"),
      device: (device, { under }) => (under === "group" || device ? null : "Select a device"),
      group: (group, { under }) => (under === "device" || group ? null : "Select a scan group"),
    },
  });
}

/** The form of a simulation: the ticket, and the device or scan group whose rules apply. */
export function SimulatorForm({ asked, busy, onAsk, onAgain }: Props) {
  const form = useQuestionForm(asked);
  function submit({ by, scanned, under, device, group, event, direction, time }: Values) {
    if (!form.isDirty()) onAgain();
    form.resetDirty();
    onAsk({
      code: by === "code" ? scanned.trim() : null,
      ticket: by === "ticket" ? scanned.trim() : null,
      device: under === "device" ? device : null,
      group: under === "group" ? group : null,
      event,
      direction,
      time,
    });
  }
  return (
    <Paper withBorder p="lg">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <Scanned form={form} />
          <Rules form={form} />
          <Circumstances form={form} />
          <Button type="submit" loading={busy}>
            Simulate scan
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

interface PartProps {
  form: ReturnType<typeof useQuestionForm>;
}

function Scanned({ form }: PartProps) {
  const byCode = form.values.by === "code";
  return (
    <>
      <SegmentedControl
        aria-label="Scan input"
        data={[
          { value: "code", label: "Code" },
          { value: "ticket", label: "Ticket ID" },
        ]}
        {...form.getInputProps("by")}
      />
      <TextInput
        label={byCode ? "Code" : "Ticket ID"}
        description={byCode ? "A ticket's barcode or an access list code" : undefined}
        required
        autoComplete="off"
        {...form.getInputProps("scanned")}
      />
    </>
  );
}

function Rules({ form }: PartProps) {
  const devices = withChosen(useDeviceChoices(), [form.values.device]);
  const groups = withChosen(useScanGroupChoices(), [form.values.group]);
  const ofDevice = form.values.under === "device";
  return (
    <>
      <SegmentedControl
        aria-label="Rules of"
        data={[
          { value: "device", label: "Device" },
          { value: "group", label: "Scan group" },
        ]}
        {...form.getInputProps("under")}
      />
      <Select
        key={form.values.under}
        label={ofDevice ? "Device" : "Scan group"}
        data={ofDevice ? devices : groups}
        required
        searchable
        nothingFoundMessage={ofDevice ? "No devices match" : "No scan groups match"}
        {...form.getInputProps(form.values.under)}
      />
    </>
  );
}

function Circumstances({ form }: PartProps) {
  const events = withChosen(useEventChoices(), [form.values.event]);
  return (
    <>
      <Input.Wrapper label="Direction" labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label="Direction"
          data={[
            { value: "IN", label: "Check-in" },
            { value: "OUT", label: "Check-out" },
          ]}
          {...form.getInputProps("direction")}
        />
      </Input.Wrapper>
      <Select
        label="Event"
        placeholder="The ticket's event"
        data={events}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Clear event" }}
        nothingFoundMessage="No events match"
        {...form.getInputProps("event")}
      />
      <DateTimePicker
        label="Time"
        placeholder="Now"
        valueFormat={shownMinute}
        clearable
        clearButtonProps={{ "aria-label": "Clear time" }}
        value={form.values.time ? new Date(form.values.time) : null}
        onChange={(next) => form.setFieldValue("time", next ? dayjs(next).toISOString() : null)}
      />
    </>
  );
}
