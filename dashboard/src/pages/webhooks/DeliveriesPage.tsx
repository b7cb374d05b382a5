import { Page } from "../../components/Page";
import { filtersIn } from "../../components/useFilters";
import type { Asks } from "../../session/early";
import { Deliveries, deliveriesAt } from "./Deliveries";
import { filterNames } from "./deliveries";

export const asks: Asks = ({ search }) => [deliveriesAt(filtersIn(search, filterNames))];

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
