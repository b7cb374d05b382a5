import { ActionIcon, Menu, SegmentedControl, Text, useMantineColorScheme } from "@mantine/core";
import { CircleUser, LogOut, MonitorSmartphone } from "lucide-react";
import { Link } from "react-router";
import { roleWord, useSession } from "../session/session";

/** The signed-in user, the color scheme and the sign-out button. */
export function UserMenu() {
  const { user, role, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu width={260} position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Account and appearance">
          <CircleUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={550} c="var(--mantine-color-text)" truncate>
            {user.name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
            {role && ` · ${roleWord(role)}`}
          </Text>
        </Menu.Label>
        <Menu.Item
          closeMenuOnClick
          component={Link}
          to="/account"
          leftSection={<MonitorSmartphone size={16} aria-hidden />}
        >
          Your account
        </Menu.Item>
        <Menu.Divider />
        <SegmentedControl
          fullWidth
          size="xs"
          m={4}
          aria-label="Appearance"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as "light" | "dark" | "auto")}
          data={[
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
            { value: "auto", label: "System" },
          ]}
        />
        <Menu.Divider />
        <Menu.Item closeMenuOnClick onClick={signOut} leftSection={<LogOut size={16} aria-hidden />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
