import { Button, Input, Paper, SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import "@mantine/dates/styles.css";
import { useForm } from "@mantine/form";
import dayjs from "dayjs";
import { useDeviceChoices, useEventChoices, useScanGroupChoices, withChosen } from "../../components/choices";
import { realInstant } from "../../lib/days";
import type { Question } from "./simulation";

interface Values {
  by: "code" | "ticket";
  scanned: string;
  under: "device" | "group";
  device: string | null;
  group: string | null;
  event: string | null;
  direction: string;
  /** An instant, or null for now. */
  time: string | null;
}

interface Props {
  asked: Question;
  busy: boolean;
  onAsk: (question: Record<keyof Question, string | null>) => void;
  /** The same once more. */
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
      scanned: (scanned) => (scanned.trim() ? null : "Say which ticket"),
      device: (device, { under }) => (under === "group" || device ? null : "Choose a device"),
      group: (group, { under }) => (under === "device" || group ? null : "Choose a scan group"),
    },
  });
}

/** Whom to judge, and by whose rules. */
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
            Simulate
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
        aria-label="What is scanned"
        data={[
          { value: "code", label: "Code" },
          { value: "ticket", label: "Ticket id" },
        ]}
        {...form.getInputProps("by")}
      />
      <TextInput
        label={byCode ? "Code" : "Ticket id"}
        description={byCode ? "A ticket's barcode, or the code of an access list's entry" : undefined}
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
        aria-label="Whose rules hold"
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
        nothingFoundMessage={ofDevice ? "No device is called this" : "No scan group is called this"}
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
            { value: "IN", label: "In" },
            { value: "OUT", label: "Out" },
          ]}
          {...form.getInputProps("direction")}
        />
      </Input.Wrapper>
      <Select
        label="Event"
        placeholder="The ticket's own"
        data={events}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Clear the event" }}
        nothingFoundMessage="No event is called this"
        {...form.getInputProps("event")}
      />
      <DateTimePicker
        label="Time"
        placeholder="Now"
        valueFormat="D MMM YYYY, HH:mm"
        clearable
        clearButtonProps={{ "aria-label": "Clear the time" }}
        value={form.values.time ? new Date(form.values.time) : null}
        onChange={(next) => form.setFieldValue("time", next ? dayjs(next).toISOString() : null)}
      />
    </>
  );
}
