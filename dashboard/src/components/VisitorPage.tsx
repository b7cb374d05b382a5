import { Center, Paper, Stack } from "@mantine/core";
import { type ReactNode, useEffect, useMemo } from "react";
import { Provider } from "urql";
import { newClient } from "../session/client";
import { Logo } from "./Logo";

interface Props {
  /** The title of the document. */
  title: string;
  width?: number;
  children: ReactNode;
}

/** A page for users without a session: a card under the logo, with its own client. */
export function VisitorPage({ title, width = 400, children }: Props) {
  const client = useMemo(() => newClient(), []);
  useEffect(() => {
    document.title = `${title} · Ticketgate`;
  }, [title]);
  return (
    <Provider value={client}>
      <Center component="main" mih="100dvh" p="md">
        <Stack w="100%" maw={width} gap="lg">
          <Center>
            <Logo size="lg" />
          </Center>
          <Paper withBorder p="xl" shadow="sm" radius="lg">
            {children}
          </Paper>
        </Stack>
      </Center>
    </Provider>
  );
}
