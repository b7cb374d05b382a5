import { useEffect, useRef, useState } from "react";
import { useAction } from "../../components/useAction";
import { partsOf } from "./imports";
import { CancelImportDocument, ContinueImportDocument, PreviewImportDocument } from "./imports.generated";

/** The progress of an import, in characters. */
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
 * Returns a function that sends the text of an import part by part. It returns the ID of the staged import, or undefined
 * after a failure, which has been shown, or a stop, which cancels the import. Leaving the page stops it.
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
