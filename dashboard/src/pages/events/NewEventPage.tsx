import { useNavigate } from "react-router";
import { CreateButtons } from "../../components/CreateButtons";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { address } from "../../lib/address";
import { EventForm, type EventValues, eventInput, useEventForm } from "./EventForm";
import { CreateEventDocument } from "./events.generated";

export default function NewEventPage() {
  const navigate = useNavigate();
  const form = useEventForm();
  const [create, busy] = useAction(CreateEventDocument, { form, done: "Event created" });
  async function submit(values: EventValues) {
    const made = await create({ input: { ...eventInput(values), type: values.type } });
    if (made) await navigate(address("/events", made.createEvent._id), { replace: true });
  }
  return (
    <Page title="Create event" parents={[{ to: "/events", label: "Events" }]}>
      <EventForm form={form} onSubmit={submit}>
        <CreateButtons back="/events" busy={busy}>
          Create event
        </CreateButtons>
      </EventForm>
    </Page>
  );
}
