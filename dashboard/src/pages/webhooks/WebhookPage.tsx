import { Stack } from "@mantine/core";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { DangerZone } from "../../components/DangerZone";
import { DeleteRecord } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { RelativeTime } from "../../components/RelativeTime";
import { SaveButton } from "../../components/SaveButton";
import { useRecordEdit } from "../../components/useEdit";
import { useRecordId } from "../../lib/address";
import { Deliveries } from "./Deliveries";
import { FirstDelivery } from "./FirstDelivery";
import { SendTestEvent } from "./SendTestEvent";
import { Statistics } from "./Statistics";
import { Verification } from "./Verification";
import { useWebhookForm, WebhookForm, webhookFields, webhookInput, webhookValues } from "./WebhookForm";
import { WebhookStatus } from "./WebhookStatus";
import { subscribed, type Webhook } from "./webhooks";
import { DeleteWebhookDocument, UpdateWebhookDocument, WebhookDocument, type WebhookQuery } from "./webhooks.generated";

export default function WebhookPage() {
  const id = useRecordId();
  const [{ data, error }, again] = useQuery({ query: WebhookDocument, variables: { id } });
  const webhook = data?.webhook;
  return (
    <Page
      title={webhook?.name ?? "Webhook"}
      parents={[{ to: "/webhooks", label: "Webhooks" }]}
      status={webhook && <WebhookStatus of={webhook} />}
      actions={webhook && <SendTestEvent of={webhook} variant="default" />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {(loaded) => (
          <Stack gap="lg">
            <WebhookFacts of={loaded.webhook} />
            <PageTabs
              tabs={[
                {
                  name: "deliveries",
                  label: "Deliveries",
                  panel: <Deliveries webhookId={id} first={<FirstDelivery of={loaded.webhook} />} />,
                },
                { name: "statistics", label: "Statistics", panel: <Statistics webhookId={id} /> },
                { name: "verification", label: "Verification", panel: <Verification of={loaded.webhook} /> },
                {
                  name: "settings",
                  label: "Settings",
                  panel: (
                    <Editor of={loaded.webhook}>
                      {(webhook) => <ChangeWebhook webhook={webhook} eventTypes={loaded.eventTypes} />}
                    </Editor>
                  ),
                },
              ]}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function WebhookFacts({ of: webhook }: { of: Webhook }) {
  return (
    <Facts
      facts={[
        ["URL", <CopyValue key="url" value={webhook.url} label="Copy URL" />],
        ["ID", <CopyValue key="id" value={webhook._id} label="Copy ID" />],
        ["Events", subscribed(webhook.events).join(", ") || "None – nothing is delivered"],
        ["Signed", webhook.hmacKey ? "Yes" : "No – receivers can't verify the sender"],
        ["Created", <RelativeTime key="created" at={webhook.createdAt} />],
        ["Updated", <RelativeTime key="changed" at={webhook.updatedAt} />],
      ]}
    />
  );
}

function ChangeWebhook({ webhook, eventTypes }: WebhookQuery) {
  const form = useWebhookForm(webhook);
  const { save, busy, dialog } = useRecordEdit(UpdateWebhookDocument, {
    of: webhook,
    form,
    values: webhookValues,
    fields: webhookFields,
    input: webhookInput,
    query: WebhookDocument,
    found: ({ webhook: current }) => current,
    done: "Webhook saved",
  });
  return (
    <Stack gap="lg">
      <WebhookForm form={form} kinds={eventTypes} onSubmit={save}>
        <SaveButton busy={busy} changed={form.isDirty()} />
      </WebhookForm>
      {dialog}
      <DangerZone>
        <DeleteRecord
          noun="webhook"
          of={webhook}
          text="Pending deliveries are canceled. This can't be undone."
          document={DeleteWebhookDocument}
          after="/webhooks"
        />
      </DangerZone>
    </Stack>
  );
}
