import { Button } from "@mantine/core";
import { MapPinOff } from "lucide-react";
import { Link } from "react-router";
import { EmptyState } from "../components/EmptyState";
import { Page } from "../components/Page";

export default function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState icon={MapPinOff} title="This page doesn't exist" text="Check the address for typos.">
        <Button component={Link} to="/">
          Go to overview
        </Button>
      </EmptyState>
    </Page>
  );
}
