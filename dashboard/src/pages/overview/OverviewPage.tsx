import { Store } from "lucide-react";
import { useMay, useSession } from "../../app/session";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { Checklist } from "./Checklist";
import { Figures } from "./Figures";

export default function OverviewPage() {
  const { seller } = useSession();
  const developer = useMay("DEVELOPER");
  if (!seller) {
    return (
      <Page title="Overview">
        <EmptyState
          icon={Store}
          title="No seller yet"
          text="You are not a member of any seller. Ask an administrator to add you."
        />
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
