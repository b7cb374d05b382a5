import { Button, Stack, Tabs } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { useEdit } from "../../components/useEdit";
import { useNow } from "../../components/useNow";
import { useRecordId } from "../../lib/address";
import { Deliveries } from "./Deliveries";
import { FirstDelivery } from "./FirstDelivery";
import { Statistics } from "./Statistics";
import { Verification } from "./Verification";
import { useWebhookForm, WebhookForm, webhookFields, webhookInput, webhookValues } from "./WebhookForm";
import { WebhookStatus } from "./WebhookStatus";
import { subscribed, type Webhook } from "./webhooks";
import { DeleteWebhookDocument, UpdateWebhookDocument, WebhookDocument, type WebhookQuery } from "./webhooks.generated";

export default function WebhookPage() {
  const id = useRecordId();
  const [search, setSearch] = useSearchParams();
  const [{ data, error }, again] = useQuery({ query: WebhookDocument, variables: { id } });
  const webhook = data?.webhook;
  return (
    <Page
      title={webhook?.name ?? "Webhook"}
      parents={[{ to: "/webhooks", label: "Webhooks" }]}
      status={webhook && <WebhookStatus of={webhook} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {(loaded) => (
          <Stack gap="lg">
            <WebhookFacts of={loaded.webhook} />
            <Tabs
              value={search.get("tab") ?? "deliveries"}
              onChange={(tab) => setSearch(tab === "deliveries" ? {} : { tab: tab ?? "" })}
              keepMounted={false}
            >
              <Tabs.List mb="lg">
                <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
                <Tabs.Tab value="statistics">Statistics</Tabs.Tab>
                <Tabs.Tab value="verification">Verification</Tabs.Tab>
                <Tabs.Tab value="settings">Settings</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="deliveries">
                <Deliveries webhookId={id} first={<FirstDelivery of={loaded.webhook} />} />
              </Tabs.Panel>
              <Tabs.Panel value="statistics">
                <Statistics webhookId={id} />
              </Tabs.Panel>
              <Tabs.Panel value="verification">
                <Verification of={loaded.webhook} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                <Editor of={loaded.webhook}>
                  {(webhook) => <ChangeWebhook webhook={webhook} eventTypes={loaded.eventTypes} />}
                </Editor>
              </Tabs.Panel>
            </Tabs>
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
        ["URL", <CopyValue key="url" value={webhook.url} label="Copy the URL" />],
        ["Id", <CopyValue key="id" value={webhook._id} label="Copy the id" />],
        ["Events", subscribed(webhook.events).join(", ") || "none: nothing is delivered"],
        ["Signed", webhook.hmacKey ? "yes" : "no: the listener can't tell who calls"],
        ["Created", <RelativeTime key="created" at={webhook.createdAt} />],
        ["Changed", <RelativeTime key="changed" at={webhook.updatedAt} />],
      ]}
    />
  );
}

function ChangeWebhook({ webhook, eventTypes }: WebhookQuery) {
  const navigate = useNavigate();
  const form = useWebhookForm(webhook);
  const load = useNow(WebhookDocument);
  const { save, busy, dialog } = useEdit(UpdateWebhookDocument, {
    of: webhook,
    form,
    values: webhookValues,
    fields: webhookFields,
    variables: (values, over) => ({
      id: over._id,
      input: { ...webhookInput(values), expectedUpdatedAt: over.updatedAt },
    }),
    load: async () => (await load({ id: webhook._id }))?.webhook,
    done: "The webhook was changed",
  });
  const [remove] = useAction(DeleteWebhookDocument, { done: "The webhook was deleted" });
  return (
    <Stack gap="lg">
      <WebhookForm form={form} kinds={eventTypes} onSubmit={save}>
        <Button type="submit" loading={busy} disabled={!form.isDirty()}>
          Save changes
        </Button>
      </WebhookForm>
      {dialog}
      <DangerZone>
        <DangerAction
          title="Delete this webhook"
          text="Deliveries that still wait are canceled. This can't be undone."
          button="Delete"
          typed={webhook.name}
          onConfirm={async () => {
            if (await remove({ id: webhook._id })) await navigate("/webhooks", { replace: true });
          }}
        />
      </DangerZone>
    </Stack>
  );
}
