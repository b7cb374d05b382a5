import { Button } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { Link } from "react-router";
import { useMay, useSession } from "../../app/session";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";

export default function OverviewPage() {
  const { seller } = useSession();
  const mayManageKeys = useMay("DEVELOPER");
  return (
    <Page title="Overview">
      <EmptyState icon={KeyRound} title={seller?.name ?? "No seller"} text="Create an API key to begin with.">
        {mayManageKeys && (
          <Button component={Link} to="/keys">
            API keys
          </Button>
        )}
      </EmptyState>
    </Page>
  );
}
