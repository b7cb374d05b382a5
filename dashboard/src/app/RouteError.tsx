import { Button, Container } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { EmptyState } from "../components/EmptyState";

/** A mistake of ours, or a page that could not be fetched because a newer version was installed meanwhile. */
export function RouteError() {
  const error = useRouteError();
  if (error instanceof Error) reportError(error);
  const text = isRouteErrorResponse(error)
    ? error.statusText
    : "The page may have changed on the server since you opened it.";
  return (
    <Container size="sm" py="xl">
      <EmptyState icon={TriangleAlert} title="This page could not be shown" text={text}>
        <Button onClick={() => window.location.reload()}>Load it again</Button>
      </EmptyState>
    </Container>
  );
}
