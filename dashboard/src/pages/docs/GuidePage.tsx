import { Skeleton } from "@mantine/core";
import { BookX } from "lucide-react";
import { useEffect, useState } from "react";
import { useParams } from "react-router";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { loadDocument, parted } from "./guides";
import { Markdown } from "./Markdown";
import { Programs } from "./Programs";
import { Reference } from "./Reference";
import { useAnchor } from "./useAnchor";

/** A page of the documentation. */
export default function GuidePage() {
  const { guide = "" } = useParams();
  return <DocumentPage key={guide} slug={guide} />;
}

export function DocumentPage({ slug }: { slug: string }) {
  const [text, setText] = useState<string>();
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const found = loadDocument(slug);
    if (!found) setMissing(true);
    else void found.then(setText, () => setMissing(true));
  }, [slug]);
  useAnchor(text);
  if (missing) {
    return (
      <Reference>
        <Page title="Page not found">
          <EmptyState icon={BookX} title="This page doesn't exist" text="Select a page from the list." />
        </Page>
      </Reference>
    );
  }
  const document = parted(text ?? "");
  return (
    <Reference>
      <Page title={document.title || "Guide"}>
        {text ? <Markdown text={document.text} /> : <Skeleton height={480} aria-busy />}
        {text && slug === "verify-signature" && <Programs />}
      </Page>
    </Reference>
  );
}
