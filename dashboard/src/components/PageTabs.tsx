import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";

interface Tab {
  /** The name in the address, which leaves out the first tab. */
  name: string;
  label: string;
  panel: ReactNode;
}

interface Props {
  /** The tabs. A tab that the user may not see is false. */
  tabs: (Tab | false | null | undefined)[];
  /** Whether hidden tabs keep their state. */
  keepMounted?: boolean;
}

/** The tabs of a page. The address names the open one. */
export function PageTabs({ tabs, keepMounted = false }: Props) {
  const [search, setSearch] = useSearchParams();
  const shown = tabs.filter((tab) => tab !== false && tab !== null && tab !== undefined);
  const first = shown[0]?.name;
  return (
    <Tabs
      value={search.get("tab") ?? first}
      onChange={(tab) => setSearch(tab === first ? {} : { tab: tab ?? "" })}
      keepMounted={keepMounted}
    >
      <Tabs.List mb="lg">
        {shown.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ name, panel }) => (
        <Tabs.Panel key={name} value={name}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
