import { Button, Container } from "@mantine/core";
import { TriangleAlert, WifiOff } from "lucide-react";
import { useState } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { EmptyState } from "../components/EmptyState";
import { pageFailure } from "./pageFailure";

/** A mistake of ours, or a page that could not be fetched: without a connection, or because a newer version was installed. */
export function RouteError() {
  const error = useRouteError();
  const [online] = useState(navigator.onLine); // as it was then
  if (error instanceof Error) reportError(error);
  const { title, text } = pageFailure(error, online);
  return (
    <Container size="sm" py="xl">
      <EmptyState
        icon={online ? TriangleAlert : WifiOff}
        title={title}
        text={isRouteErrorResponse(error) ? error.statusText : text}
      >
        <Button onClick={() => window.location.reload()}>Try again</Button>
      </EmptyState>
    </Container>
  );
}
