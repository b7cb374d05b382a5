import { Button } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { EventForm, type EventValues, eventInput, useEventForm } from "./EventForm";
import { CreateEventDocument } from "./events.generated";

export default function NewEventPage() {
  const navigate = useNavigate();
  const form = useEventForm();
  const [create, busy] = useAction(CreateEventDocument, { form, done: "The event was created" });
  async function submit(values: EventValues) {
    const made = await create({ input: { ...eventInput(values), type: values.type } });
    if (made) await navigate(`/events/${made.createEvent._id}`, { replace: true });
  }
  return (
    <Page title="Create an event" parents={[{ to: "/events", label: "Events" }]}>
      <EventForm form={form} isNew onSubmit={submit}>
        <Button component={Link} to="/events" variant="default">
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Create event
        </Button>
      </EventForm>
    </Page>
  );
}
