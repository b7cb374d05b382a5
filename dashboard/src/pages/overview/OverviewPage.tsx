import type { Asks } from "../../app/early";
import { useMay, useSession } from "../../app/session";
import { Page } from "../../components/Page";
import { since } from "../scans/scans";
import { NoSeller } from "../sellers/NoSeller";
import { Checklist, gateFilled } from "./Checklist";
import { Figures, scansSince } from "./Figures";

export const asks: Asks = () => [gateFilled, scansSince(since(undefined) ?? "")];

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
