import { useEffect, useRef, useState } from "react";
import { useAction } from "../../components/useAction";
import { partsOf } from "./imports";
import { CancelImportDocument, ContinueImportDocument, PreviewImportDocument } from "./imports.generated";

/** How far the text of an import has come, in characters. */
export interface Sending {
  sent: number;
  total: number;
}

interface Sent {
  listId: string;
  mode: string;
  preset: string;
  trimCodes: boolean;
  keepSuspicious: boolean;
  columns: (string | null)[];
  /** Whether the first record only names the columns. */
  heading: boolean;
  text: string;
}

/**
 * Sends the text of one import, part by part. The promise gives the id of the staged import; nothing, when it could not be
 * staged, which has then been shown, or when it was stopped: then the import is given up. Whoever leaves stops it.
 */
export function useSendRows() {
  const [begin] = useAction(PreviewImportDocument);
  const [goOn] = useAction(ContinueImportDocument);
  const [cancel] = useAction(CancelImportDocument);
  const [sending, setSending] = useState<Sending>();
  const stopped = useRef(false);
  useEffect(() => {
    stopped.current = false;
    return () => {
      stopped.current = true;
    };
  }, []);

  async function sendParts({ text, listId, ...how }: Sent): Promise<string | undefined> {
    let id: string | undefined;
    let sent = 0;
    for (const [after, part] of partsOf(text).entries()) {
      setSending({ sent, total: text.length });
      sent += part.length;
      const input = { text: part, more: sent < text.length };
      const answer = id
        ? (await goOn({ listId, id, input: { ...input, after } }))?.continueEntryImport
        : (await begin({ input: { listId, ...how, ...input } }))?.previewEntryImport;
      id ??= answer?._id;
      if (!stopped.current && answer) continue;
      if (id) await cancel({ listId, id });
      return undefined;
    }
    return id;
  }
  async function send(all: Sent) {
    stopped.current = false;
    const id = await sendParts(all);
    setSending(undefined);
    return id;
  }
  const stop = () => {
    stopped.current = true;
  };
  return { send, sending, stop };
}
