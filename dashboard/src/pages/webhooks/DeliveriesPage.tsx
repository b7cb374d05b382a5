import { Page } from "../../components/Page";
import { Deliveries, deliveriesOf } from "./Deliveries";

export const { asks } = deliveriesOf();

export default function DeliveriesPage() {
  return (
    <Page
      title="Deliveries"
      text="All events sent to webhooks, newest first."
      parents={[{ to: "/webhooks", label: "Webhooks" }]}
    >
      <Deliveries />
    </Page>
  );
}
