import { Page } from "../../components/Page";
import type { Asks } from "../../session/early";
import { useMay, useSession } from "../../session/session";
import { since } from "../scans/scans";
import { NoSeller } from "../sellers/NoSeller";
import { Checklist, gateFilled, keysThere, webhooksThere } from "./Checklist";
import { deliveriesSince, Figures, scansSince } from "./Figures";

/** The sections that require the role Developer are hidden from other users. */
export const asks: Asks = () => {
  const start = since(undefined) ?? "";
  return [gateFilled, keysThere, webhooksThere, scansSince(start), deliveriesSince(start)];
};

export default function OverviewPage() {
  const { seller } = useSession();
  const developer = useMay("DEVELOPER");
  if (!seller) {
    return (
      <Page title="Overview">
        <NoSeller />
      </Page>
    );
  }
  return (
    <Page title="Overview" text={`${seller.name}, ${seller.country}`}>
      <Checklist developer={developer} webhooks={seller.webhooks} />
      <Figures developer={developer} webhooks={seller.webhooks} />
    </Page>
  );
}
