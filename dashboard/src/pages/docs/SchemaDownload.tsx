import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { useState } from "react";
import { useClient } from "urql";
import { showFailure } from "../../components/useAction";
import { failureOf } from "../../lib/failure";

/** Downloads the GraphQL schema as SDL, from the running server. */
export function SchemaDownload() {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  async function download() {
    setBusy(true);
    const { introspection, printed } = await import("./sdl");
    const { data, error } = await client.query(introspection, {}, { requestPolicy: "network-only" });
    setBusy(false);
    if (error) showFailure(failureOf(error));
    else save("ticketgate.graphql", printed(data));
  }
  return (
    <Button variant="default" loading={busy} onClick={download} leftSection={<Download size={16} aria-hidden />}>
      Download GraphQL schema
    </Button>
  );
}

function save(name: string, text: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
