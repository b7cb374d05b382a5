import { Button, type ButtonProps, Group, JsonInput, Modal, Select, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Send } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useQuery } from "urql";
import { Loaded } from "../../components/Loaded";
import { showFailure, useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import type { Failure } from "../../lib/failure";
import { subscribed, type Webhook } from "./webhooks";
import { EventSamplesDocument, type EventSamplesQuery, SendTestEventDocument } from "./webhooks.generated";

interface Props extends ButtonProps {
  of: Webhook;
}

/** A button that sends a test event to a webhook, after its type and data have been chosen. */
export function SendTestEvent({ of: webhook, ...look }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        leftSection={<Send size={16} aria-hidden />}
        disabled={!webhook.enabled}
        onClick={() => setOpened(true)}
        {...look}
      >
        Send test event
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Send test event" size="lg" centered>
        <Samples of={webhook} onClose={() => setOpened(false)} />
      </Modal>
    </>
  );
}

/** Loads the samples of all event types when the dialog opens. */
function Samples({ of: webhook, onClose }: { of: Webhook; onClose: () => void }) {
  const [{ data, error }, again] = useQuery({ query: EventSamplesDocument });
  return (
    <Loaded data={data} error={error} onRetry={again}>
      {({ eventTypes }) => <TestEventForm of={webhook} kinds={eventTypes} onClose={onClose} />}
    </Loaded>
  );
}

interface FormProps {
  of: Webhook;
  kinds: EventSamplesQuery["eventTypes"];
  onClose: () => void;
}

function TestEventForm({ of: webhook, kinds, onClose }: FormProps) {
  const navigate = useNavigate();
  const selected = subscribed(webhook.events);
  const others = kinds.map(({ type }) => type).filter((type) => !selected.includes(type));
  const sampleOf = (type: string) => JSON.stringify(kinds.find((kind) => kind.type === type)?.sample ?? {}, null, 2);
  const first = selected[0] ?? "event.created";
  const form = useForm({
    initialValues: { type: first, data: sampleOf(first) },
    validate: { data: (data) => (isJson(data) ? null : invalidData) },
  });
  const [send, busy] = useAction(SendTestEventDocument, { done: "Test event sent", onFailure: explain });
  function explain(failure: Failure) {
    const ofData = failure.fields.filter(({ path }) => path !== "type");
    if (ofData.length === 0) return showFailure(failure);
    form.setFieldError("data", ofData.map(({ path, message }) => `${path} ${message}.`).join(" "));
  }
  async function submit({ type, data }: typeof form.values) {
    const sent = await send({ id: webhook._id, input: { type, data: JSON.parse(data) } });
    if (!sent) return;
    onClose();
    await navigate(address("/deliveries", sent.sendTestEvent.id));
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text size="sm">
          The event is signed, delivered and retried like any other. Its body contains "test": true.
        </Text>
        <Select
          label="Event type"
          searchable
          allowDeselect={false}
          nothingFoundMessage="No events match"
          data={[
            { group: "Selected by this webhook", items: selected },
            { group: "Other events", items: others },
          ].filter(({ items }) => items.length > 0)}
          value={form.values.type}
          onChange={(type) => type && form.setValues({ type, data: sampleOf(type) })}
        />
        <JsonInput
          label="Data"
          description="A sample that you can edit"
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          validationError={invalidData}
          {...form.getInputProps("data")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const invalidData = "Data must be valid JSON.";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
