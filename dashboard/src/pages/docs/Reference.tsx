import { NavLink, Select, Stack, Text } from "@mantine/core";
import { Search } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import classes from "./docs.module.css";
import { guides, handbook } from "./guides";
import { find, type Index, type SearchEntry } from "./search";

interface Place {
  to: string;
  label: string;
}

const inGuides = ({ slug, label }: { slug: string; label: string }): Place => ({ to: `/docs/guides/${slug}`, label });

/** The sections of the reference, in the order of the navigation. */
const sections: { section: string; places: Place[] }[] = [
  {
    section: "Reference",
    places: [
      { to: "/docs", label: "Overview" },
      { to: "/docs/api", label: "REST API" },
      { to: "/docs/events", label: "Webhook events" },
      { to: "/docs/permissions", label: "Permissions" },
    ],
  },
  { section: "Guides", places: guides.map(inGuides) },
  { section: "Documentation", places: handbook.map(inGuides) },
];

interface Props {
  /** The operation groups of the API. */
  within?: { to: string; label: string; places: Place[] }[];
  children: ReactNode;
}

/** The layout of a reference page. The navigation is a sidebar, or a select on small screens. */
export function Reference({ within = [], children }: Props) {
  return (
    <div className={classes.layout}>
      <nav className={classes.side} aria-label="Reference">
        <Finder within={within} />
        <div className={classes.sections}>
          {sections.map(({ section, places }) => (
            <div key={section}>
              <Text size="xs" fw={600} c="dimmed" px="xs" pb={2}>
                {section}
              </Text>
              {places.map((place) => (
                <Fragment key={place.to}>
                  <Entry place={place} />
                  {place.to === "/docs/api" && within.map((group) => <Group key={group.to} group={group} />)}
                </Fragment>
              ))}
            </div>
          ))}
        </div>
      </nav>
      <Stack gap="lg" className={classes.content}>
        {children}
      </Stack>
    </div>
  );
}

function Entry({ place: { to, label }, level = 0 }: { place: Place; level?: number }) {
  const { pathname } = useLocation();
  const here = pathname === to;
  return (
    <NavLink
      component={Link}
      to={to}
      label={label}
      active={here}
      aria-current={here ? "page" : undefined}
      className={classes.entry}
      data-level={level}
    />
  );
}

/** An operation group. The group of the current operation is expanded. */
function Group({ group }: { group: { to: string; label: string; places: Place[] } }) {
  const { pathname } = useLocation();
  const open = group.places.some(({ to }) => to === pathname);
  return (
    <>
      <Entry place={group} level={1} />
      {open && group.places.map((place) => <Entry key={place.to} place={place} level={2} />)}
    </>
  );
}

/** The search of the documentation. Without a query, it lists all pages. */
function Finder({ within }: Required<Pick<Props, "within">>) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [index, setIndex] = useState<Index>();
  const load = () => void import("virtual:search-index").then((loaded) => setIndex(loaded.default));
  const found = typed.trim() && index ? find(index, typed) : undefined;
  const groups = [...sections, ...within.map(({ label, places }) => ({ section: `REST: ${label}`, places }))];
  // Several results can have the same address, so the value of a result is its index.
  const data = found
    ? found.map(({ title }, number) => ({ value: String(number), label: title }))
    : groups.map(({ section, places }) => ({
        group: section,
        items: places.map(({ to, label }) => ({ value: to, label })),
      }));
  return (
    <Select
      aria-label="Search the documentation"
      placeholder="Search docs"
      leftSection={<Search size={16} aria-hidden />}
      rightSection={<span />} // an arrow would cut off the placeholder
      rightSectionWidth={8}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={load}
      nothingFoundMessage={index ? "No results" : "Loading…"}
      data={data}
      filter={found && (({ options }) => options)}
      selectFirstOptionOnChange
      renderOption={({ option }) => {
        const entry = found?.[Number(option.value)];
        return entry ? <Result entry={entry} /> : option.label;
      }}
      value={null}
      onChange={(value) => {
        const to = found ? found[Number(value)]?.to : value;
        setTyped("");
        if (to) void navigate(to);
      }}
      maxDropdownHeight={420}
      comboboxProps={{ width: "max(100%, 340px)", position: "bottom-start" }}
    />
  );
}

function Result({ entry: { title, kind, text } }: { entry: SearchEntry }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {title}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {text ? `${kind} · ${text}` : kind}
      </Text>
    </div>
  );
}
