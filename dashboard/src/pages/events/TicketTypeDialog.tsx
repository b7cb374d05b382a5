import { Button, Group, Modal, NumberInput, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { leaving } from "../../app/unsaved";
import { changedOf } from "../../components/changed";
import { useAction } from "../../components/useAction";
import type { TicketType } from "./events";
import { CreateTicketTypeDocument, type Currency, UpdateTicketTypeDocument } from "./events.generated";

interface Props {
  eventId: string;
  /** What is changed; a new one when absent. */
  of?: TicketType | undefined;
  onClose: () => void;
}

/** The form of a ticket type, new or not. */
export function TicketTypeDialog({ eventId, of: type, onClose }: Props) {
  const form = useForm({
    initialValues: {
      name: type?.name ?? "",
      price: type?.price ?? ("" as number | ""),
      currency: type?.currency ?? ("EUR" as Currency),
      taxRate: type?.taxRate ?? ("" as number | ""),
      active: type?.active ?? true,
    },
    validate: {
      name: (name) => (name.trim() ? null : "Give the ticket type a name"),
      price: (price) => (price === "" ? "Say what one ticket costs; 0 when it is free" : null),
    },
  });
  const [create, creating] = useAction(CreateTicketTypeDocument, { form, done: "The ticket type was added" });
  const [update, updating] = useAction(UpdateTicketTypeDocument, { form, done: "The ticket type was changed" });
  async function submit({ name, price, currency, taxRate, active }: typeof form.values) {
    const input = {
      name: name.trim(),
      price: Number(price),
      currency,
      taxRate: taxRate === "" ? null : taxRate,
      active,
    };
    const saved = type
      ? await update({ id: type._id, input: changedOf<object>(input, type) })
      : await create({ input: { ...input, eventId } });
    if (saved) onClose();
  }
  return (
    <Modal
      opened
      onClose={() => leaving(onClose, form.isDirty())}
      title={type ? "Change the ticket type" : "Add a ticket type"}
      centered
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
          <Group grow preventGrowOverflow={false} align="flex-start">
            <NumberInput
              label="Price"
              description="Of one ticket, tax included"
              min={0}
              required
              hideControls
              {...form.getInputProps("price")}
            />
            <Select
              label="Currency"
              description="Its ISO 4217 code"
              data={currencies}
              searchable
              allowDeselect={false}
              {...form.getInputProps("currency")}
            />
          </Group>
          <NumberInput
            label="Tax rate"
            description="In percent; empty when it is not taxed"
            min={0}
            max={100}
            decimalScale={4}
            hideControls
            {...form.getInputProps("taxRate")}
          />
          <Switch
            label="On sale"
            description="It can be bought"
            {...form.getInputProps("active", { type: "checkbox" })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating || updating}>
              {type ? "Save changes" : "Add ticket type"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

// A record, so that a currency that the schema has and this list lacks does not compile.
const currencies = Object.keys({
  EUR: true,
  USD: true,
  GBP: true,
  AUD: true,
  CHF: true,
  THB: true,
  ILS: true,
  COP: true,
  MXN: true,
  DKK: true,
  NOK: true,
  SEK: true,
  QAR: true,
  CAD: true,
  ISK: true,
  GTQ: true,
  INR: true,
  DOP: true,
  SGD: true,
  PLN: true,
  SAR: true,
  TTD: true,
  ZAR: true,
  KYD: true,
  HKD: true,
  CZK: true,
  KRW: true,
  JPY: true,
  NZD: true,
  AED: true,
  MAD: true,
  TWD: true,
  BRL: true,
  BWP: true,
  NAD: true,
  KES: true,
  SCR: true,
  TRY: true,
  SZL: true,
  LSL: true,
  TZS: true,
  UGX: true,
  ZMW: true,
  ZWG: true,
  GHS: true,
  NGN: true,
  SLE: true,
  LRD: true,
  XOF: true,
  XAF: true,
  GEL: true,
  IDR: true,
  ARS: true,
  CRC: true,
  HUF: true,
  EGP: true,
  MYR: true,
  VND: true,
  PHP: true,
  MWK: true,
} satisfies Record<Currency, true>);
