import { useMay, useSession } from "../../app/session";
import { Page } from "../../components/Page";
import { NoSeller } from "../sellers/NoSeller";
import { Checklist } from "./Checklist";
import { Figures } from "./Figures";

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
