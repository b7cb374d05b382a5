import { Page } from "../../components/Page";
import { Deliveries } from "./Deliveries";

export default function DeliveriesPage() {
  return (
    <Page
      title="Deliveries"
      text="Every event on its way to every webhook, newest first."
      parents={[{ to: "/webhooks", label: "Webhooks" }]}
    >
      <Deliveries />
    </Page>
  );
}
