import { useNavigate } from "react-router";
import { useQuery } from "urql";
import { CreateButtons } from "../../components/CreateButtons";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { useWebhookForm, WebhookForm, type WebhookValues, webhookInput } from "./WebhookForm";
import { CreateWebhookDocument, EventTypesDocument } from "./webhooks.generated";

export default function NewWebhookPage() {
  const navigate = useNavigate();
  const [{ data, error }, again] = useQuery({ query: EventTypesDocument });
  const form = useWebhookForm();
  const [create, busy] = useAction(CreateWebhookDocument, { form, done: "Webhook created" });
  async function submit(values: WebhookValues) {
    const made = await create({ input: webhookInput(values) });
    if (made) await navigate(address("/webhooks", made.createWebhook._id), { replace: true });
  }
  return (
    <Page title="Create webhook" parents={[{ to: "/webhooks", label: "Webhooks" }]}>
      <Loaded data={data} error={error} onRetry={again}>
        {({ eventTypes }) => (
          <WebhookForm form={form} kinds={eventTypes} onSubmit={submit}>
            <CreateButtons back="/webhooks" busy={busy}>
              Create webhook
            </CreateButtons>
          </WebhookForm>
        )}
      </Loaded>
    </Page>
  );
}
