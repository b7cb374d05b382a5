import { Button } from "@mantine/core";
import { MapPinOff } from "lucide-react";
import { Link } from "react-router";
import { EmptyState } from "../components/EmptyState";
import { Page } from "../components/Page";

export default function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <EmptyState icon={MapPinOff} title="There is no page at this address" text="It may have been mistyped.">
        <Button component={Link} to="/">
          To the overview
        </Button>
      </EmptyState>
    </Page>
  );
}
