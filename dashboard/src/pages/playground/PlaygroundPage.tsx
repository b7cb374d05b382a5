import { useComputedColorScheme } from "@mantine/core";
import { GraphiQL } from "graphiql";
import "graphiql/style.css";
import "./graphiql.css";
import { useMemo, useRef, useState } from "react";
import { Page } from "../../components/Page";
import { useCredential } from "../../session/credentials";
import { useSession } from "../../session/session";
import { CallerPicker } from "./CallerPicker";
import { ExamplePicker } from "./ExamplePicker";
import { examples } from "./examples";
import { type Caller, newFetcher } from "./fetcher";
import classes from "./playground.module.css";
import { storageOf } from "./storage";
import { useLabels } from "./useLabels";

const [first] = examples.flatMap(({ examples }) => examples);

/** GraphiQL with this server's schema, run as the signed-in user or with an API key. */
export default function PlaygroundPage() {
  const { user, seller } = useSession();
  const colorScheme = useComputedColorScheme("light");
  const [asKey, setAsKey] = useState(false);
  const [key] = useCredential("apiKey");
  const frame = useRef<HTMLDivElement>(null);
  const caller = useRef<Caller>({ key: undefined, sellerId: undefined });
  caller.current = { key: asKey ? key.trim() : undefined, sellerId: seller?._id };
  const fetcher = useMemo(() => newFetcher(() => caller.current), []);
  const storage = useMemo(() => storageOf(user._id), [user._id]);
  useLabels(frame);

  return (
    <Page
      title="Playground"
      text="Explore the GraphQL API with autocomplete. Mutations change live data."
      actions={<CallerPicker asKey={asKey} onChange={setAsKey} />}
    >
      <div className={classes.frame} ref={frame}>
        <GraphiQL
          fetcher={fetcher}
          storage={storage}
          forcedTheme={colorScheme}
          defaultQuery={first?.query}
          defaultEditorToolsVisibility="variables"
          isHeadersEditorEnabled={false}
          shouldPersistHeaders={false}
        >
          <GraphiQL.Logo>
            <ExamplePicker />
          </GraphiQL.Logo>
        </GraphiQL>
      </div>
    </Page>
  );
}
