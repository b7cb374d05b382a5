import { Button, Menu, ScrollArea, Text } from "@mantine/core";
import { Check, ChevronsUpDown, Store } from "lucide-react";
import { useSession } from "../session/session";
import classes from "./Frame.module.css";

/** The seller that the pages act on, with a menu if there are several. */
export function SellerSwitch() {
  const { seller, sellers, switchSeller } = useSession();
  if (!seller) return <Text c="dimmed">No seller</Text>;
  if (sellers.length < 2) {
    return (
      <Text fw={550} truncate>
        {seller.name}
      </Text>
    );
  }
  return (
    <Menu width={300} position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          px="sm"
          className={classes.seller}
          leftSection={<Store size={16} aria-hidden />}
          rightSection={<ChevronsUpDown size={14} aria-hidden />}
          aria-label={`Seller: ${seller.name}. Switch seller`}
        >
          <span className={classes.sellerName}>{seller.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Switch seller</Menu.Label>
        <ScrollArea.Autosize mah={360}>
          {sellers.map(({ _id, name, country }) => (
            <Menu.Item
              key={_id}
              onClick={() => _id !== seller._id && switchSeller(_id)}
              rightSection={_id === seller._id ? <Check size={16} aria-label="Current" /> : undefined}
            >
              {name}
              <Text size="xs" c="dimmed">
                {country}
              </Text>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
