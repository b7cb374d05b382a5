import { AppShell, Badge, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { Hint } from "../components/Hint";
import { Logo } from "../components/Logo";
import { includesRole, roleWord, useProduction, useSession } from "../session/session";
import classes from "./Frame.module.css";
import { LeaveGuard } from "./LeaveGuard";
import { type NavigationEntry, navigation } from "./pages";
import { SearchBox } from "./SearchBox";
import { SellerSwitch } from "./SellerSwitch";
import { UserMenu } from "./UserMenu";

/** The layout around every page: header, navigation and content. */
export function Frame() {
  const [opened, { toggle, close }] = useDisclosure();
  const { seller } = useSession();
  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: "md", collapsed: { mobile: !opened } }}
      padding={{ base: "md", md: "xl" }}
    >
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <SellerSwitch />
          </Group>
          <Group gap="xs" wrap="nowrap" className={classes.whoAndWhere}>
            {seller && <SearchBox />}
            <div className={classes.pills}>
              <ModePill />
              <RoleBadge />
            </div>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Pages">
        <Group h={56} px="md" justify="space-between" wrap="nowrap" className={classes.brand}>
          <Link to="/" className={classes.home} onClick={close} aria-label="Ticketgate: overview">
            <Logo />
          </Link>
          <Burger opened={opened} onClick={close} hiddenFrom="md" size="sm" aria-label="Close navigation" />
        </Group>
        <div className={classes.scroll}>
          <Navigation onGo={close} />
        </div>
      </AppShell.Navbar>
      <LeaveGuard />
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          <Suspense>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation({ onGo }: { onGo: () => void }) {
  const { role } = useSession();
  return navigation.map(({ section, entries }) => {
    const shown = entries.filter((entry) => includesRole(role, entry.role));
    if (shown.length === 0) return null;
    return (
      <div key={section} className={classes.section}>
        {section && (
          <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
            {section}
          </Text>
        )}
        {shown.map((entry) => (
          <Entry key={entry.path} entry={entry} onGo={onGo} />
        ))}
      </div>
    );
  });
}

function Entry({ entry: { path, label, icon: Icon }, onGo }: { entry: NavigationEntry; onGo: () => void }) {
  const { pathname } = useLocation();
  const active = pathname === path || (path !== "/" && pathname.startsWith(`${path}/`));
  return (
    <Link
      to={path}
      onClick={onGo}
      className={classes.entry}
      data-active={active || undefined}
      aria-current={pathname === path ? "page" : undefined}
    >
      <Icon size={18} aria-hidden />
      {label}
    </Link>
  );
}

function ModePill() {
  const production = useProduction();
  const text = production ? "This is a production server." : "This is a development server. Use test data only.";
  return (
    <Hint label={text}>
      <Badge
        variant="default"
        className={production ? classes.prod : classes.dev}
        tabIndex={0}
        role="note"
        aria-label={text}
      >
        {production ? "PROD" : "DEV"}
      </Badge>
    </Hint>
  );
}

function RoleBadge() {
  const { role } = useSession();
  if (!role) return null;
  return (
    <Badge variant="default" tt="none" className={classes.role}>
      {roleWord(role)}
    </Badge>
  );
}
