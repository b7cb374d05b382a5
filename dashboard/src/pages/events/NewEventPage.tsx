import { useNavigate, useSearchParams } from "react-router";
import { CreateButtons } from "../../components/CreateButtons";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { EventForm, type EventValues, eventInput, useEventForm } from "./EventForm";
import { CreateEventDocument } from "./events.generated";

export default function NewEventPage() {
  const navigate = useNavigate();
  // A user who came from a webhook's page returns there to see the delivery.
  const webhook = useSearchParams()[0].get("webhook");
  const back = webhook && address("/webhooks", webhook);
  const form = useEventForm();
  const [create, busy] = useAction(CreateEventDocument, { form, done: "Event created" });
  async function submit(values: EventValues) {
    const made = await create({ input: { ...eventInput(values), type: values.type } });
    if (made) await navigate(back ?? address("/events", made.createEvent._id), { replace: true });
  }
  return (
    <Page
      title="Create event"
      text={back && "Create any event to test the webhook. You then return to the webhook, which shows the delivery."}
      parents={[{ to: "/events", label: "Events" }]}
    >
      <EventForm form={form} onSubmit={submit}>
        <CreateButtons back={back ?? "/events"} busy={busy}>
          Create event
        </CreateButtons>
      </EventForm>
    </Page>
  );
}
