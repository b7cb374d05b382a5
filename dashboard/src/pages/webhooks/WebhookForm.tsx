import { Group, Paper, Stack, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { SigningKeyInput } from "../../components/SigningKeyInput";
import { type Fields, hidden } from "../../lib/conflict";
import { nameError, urlError } from "../../lib/validation";
import { useProduction } from "../../session/session";
import { EventPicker } from "./EventPicker";
import { subscribed, urlHint, type Webhook } from "./webhooks";
import type { EventTypesQuery } from "./webhooks.generated";

export interface WebhookValues {
  name: string;
  url: string;
  enabled: boolean;
  hmacKey: string;
  events: string[];
}

export const webhookFields: Fields<WebhookValues> = {
  name: "Name",
  url: "URL",
  enabled: "Enabled",
  hmacKey: { label: "Signing key", show: hidden },
  events: "Events",
};

/** Returns the form values of a webhook; the defaults if there is none. */
export function webhookValues(webhook?: Webhook): WebhookValues {
  return {
    name: webhook?.name ?? "",
    url: webhook?.url ?? "",
    enabled: webhook?.enabled ?? true,
    hmacKey: webhook?.hmacKey ?? "",
    events: webhook ? subscribed(webhook.events) : [],
  };
}

export function useWebhookForm(webhook?: Webhook) {
  return useForm<WebhookValues>({
    initialValues: webhookValues(webhook),
    validate: { name: nameError, url: urlError },
  });
}

/** Returns the API input for the form values. */
export function webhookInput({ events, ...values }: WebhookValues) {
  return {
    ...values,
    name: values.name.trim(),
    url: values.url.trim(),
    events: Object.fromEntries(events.map((type) => [type, true])),
  };
}

interface Props {
  form: ReturnType<typeof useWebhookForm>;
  kinds: EventTypesQuery["eventTypes"];
  onSubmit: (values: WebhookValues) => Promise<void>;
  /** The buttons of the form. */
  children: ReactNode;
}

export function WebhookForm({ form, kinds, onSubmit, children }: Props) {
  return (
    <Paper withBorder p="lg" maw={760}>
      <form onSubmit={form.onSubmit(onSubmit)}>
        <Stack>
          <TextInput label="Name" required {...form.getInputProps("name")} />
          <TextInput
            label="URL"
            description={urlHint(useProduction())}
            type="url"
            required
            {...form.getInputProps("url")}
          />
          <Switch
            label="Enabled"
            description="Events are delivered to this endpoint."
            {...form.getInputProps("enabled", { type: "checkbox" })}
          />
          <SigningKeyInput {...form.getInputProps("hmacKey")} />
          <EventPicker kinds={kinds} {...form.getInputProps("events")} />
          <Group justify="flex-end">{children}</Group>
        </Stack>
      </form>
    </Paper>
  );
}
