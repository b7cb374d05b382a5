import { AppShell, Button, Group } from "@mantine/core";
import { Suspense } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { Logo } from "../components/Logo";
import classes from "./Frame.module.css";

/** The layout around pages that require no session. */
export function VisitorFrame() {
  const { pathname, search } = useLocation();
  return (
    <AppShell header={{ height: 56 }} padding={{ base: "md", md: "xl" }}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Link to="/docs" className={classes.home} aria-label="Ticketgate: reference">
            <Logo />
          </Link>
          <Button component={Link} to={`/login?${new URLSearchParams({ next: pathname + search })}`} variant="default">
            Sign in
          </Button>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          <Suspense>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
