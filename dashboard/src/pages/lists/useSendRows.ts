import { useEffect, useRef, useState } from "react";
import { useAction } from "../../components/useAction";
import type { ImportRecord } from "./csv";
import { partsOf } from "./imports";
import { CancelImportDocument, ContinueImportDocument, PreviewImportDocument } from "./imports.generated";

/** How far the rows of an import have come. */
export interface Sending {
  sent: number;
  total: number;
}

interface Rows {
  listId: string;
  mode: string;
  preset: string;
  trimCodes: boolean;
  keepSuspicious: boolean;
  columns: string[];
  records: ImportRecord[];
}

/**
 * Sends the rows of one import, part by part. The promise gives the id of the staged import; nothing, when it could not be
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

  async function sendParts({ columns, records, ...of }: Rows): Promise<string | undefined> {
    let id: string | undefined;
    let after = 0;
    for (const part of partsOf(records)) {
      setSending({ sent: after, total: records.length });
      const more = after + part.length < records.length;
      const input = { columns, records: part, more };
      const answer = id
        ? (await goOn({ listId: of.listId, id, input: { ...input, after } }))?.continueEntryImport
        : (await begin({ input: { ...of, ...input } }))?.previewEntryImport;
      id ??= answer?._id;
      after += part.length;
      if (!stopped.current && answer) continue;
      if (id) await cancel({ listId: of.listId, id });
      return undefined;
    }
    return id;
  }
  async function send(all: Rows) {
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
