import { NavLink, Select, Stack, Text } from "@mantine/core";
import { Search } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import classes from "./docs.module.css";
import { guides, handbook } from "./guides";

interface Place {
  to: string;
  label: string;
}

const inGuides = ({ slug, label }: { slug: string; label: string }): Place => ({ to: `/docs/guides/${slug}`, label });

/** The parts of the reference, in the order of the navigation. */
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
  { section: "In detail", places: handbook.map(inGuides) },
];

interface Props {
  /** What stands below the current part: the groups of the API. */
  within?: { to: string; label: string; places: Place[] }[];
  children: ReactNode;
}

/** A page of the reference beside the way to all others; on a phone the way is one field above it. */
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

/** A group of operations; those of the one that is read are listed. */
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

/** Goes to any part by its name. */
function Finder({ within }: Required<Pick<Props, "within">>) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const groups = [...sections, ...within.map(({ label, places }) => ({ section: `REST: ${label}`, places }))];
  return (
    <Select
      aria-label="Find in the reference"
      placeholder="Find in the reference"
      leftSection={<Search size={16} aria-hidden />}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="Nothing is called that"
      data={groups.map(({ section, places }) => ({
        group: section,
        items: places.map(({ to, label }) => ({ value: to, label })),
      }))}
      value={null}
      onChange={(to) => {
        setTyped("");
        if (to) void navigate(to);
      }}
      maxDropdownHeight={420}
    />
  );
}
