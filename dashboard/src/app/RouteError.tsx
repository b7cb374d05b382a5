import { Button, Container } from "@mantine/core";
import { TriangleAlert, WifiOff } from "lucide-react";
import { useState } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { EmptyState } from "../components/EmptyState";
import { pageFailure } from "./pageFailure";

/** Shown if a page fails to render or to load, for example when offline or after a new version was deployed. */
export function RouteError() {
  const error = useRouteError();
  const [online] = useState(navigator.onLine); // when the error occurred
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
