import { Button, Group, Modal, NumberInput, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type RefObject, useRef } from "react";
import { DangerZone } from "../../components/DangerZone";
import { DeleteAction } from "../../components/DeleteAction";
import { Editor } from "../../components/Editor";
import { useAction } from "../../components/useAction";
import { useRecordEdit } from "../../components/useEdit";
import { changedOf } from "../../lib/changed";
import { type Fields, shown } from "../../lib/conflict";
import { nameError } from "../../lib/validation";
import { leaving } from "../../session/unsaved";
import type { TicketType } from "./events";
import {
  CreateTicketTypeDocument,
  type Currency,
  DeleteTicketTypeDocument,
  TicketTypeDocument,
  UpdateTicketTypeDocument,
} from "./events.generated";

interface Props {
  eventId: string;
  /** The ticket type to edit; undefined to create one. */
  of?: TicketType | undefined;
  onClose: () => void;
  /** Called if the ticket type has changed on the server. */
  onStale: () => void;
}

/** The form of a ticket type. */
export function TicketTypeDialog({ of: type, onClose, ...props }: Props) {
  const changed = useRef(() => false);
  const form = { ...props, changed, onClose };
  return (
    <Modal
      opened
      onClose={() => leaving(onClose, changed.current())}
      title={type ? "Edit ticket type" : "Add ticket type"}
      centered
    >
      {type ? (
        <Stack gap="lg">
          <Editor of={type}>{(opened) => <TypeForm of={opened} {...form} />}</Editor>
          <DeleteType of={type} onDone={onClose} />
        </Stack>
      ) : (
        <TypeForm {...form} />
      )}
    </Modal>
  );
}

function DeleteType({ of: type, onDone }: { of: TicketType; onDone: () => void }) {
  return (
    <DangerZone>
      <DeleteAction
        title="Delete ticket type"
        text="This can't be undone. A ticket type can't be deleted while tickets or scan groups use it."
        document={DeleteTicketTypeDocument}
        variables={{ id: type._id }}
        done="Ticket type deleted"
        after={onDone}
      />
    </DangerZone>
  );
}

interface TypeValues {
  name: string;
  price: number | "";
  currency: Currency;
  taxRate: number | "";
  active: boolean;
}

function typeValues(type?: TicketType): TypeValues {
  return {
    name: type?.name ?? "",
    price: type?.price ?? "",
    currency: type?.currency ?? "EUR",
    taxRate: type?.taxRate ?? "",
    active: type?.active ?? true,
  };
}

const typeFields: Fields<TypeValues> = {
  name: "Name",
  price: "Price",
  currency: "Currency",
  taxRate: { label: "Tax rate", show: (rate) => (rate === "" ? shown(rate) : `${rate} %`) },
  active: "On sale",
};

function typeInput({ name, price, currency, taxRate, active }: TypeValues) {
  return { name: name.trim(), price: Number(price), currency, taxRate: taxRate === "" ? null : taxRate, active };
}

interface FormProps extends Props {
  /** Set to a function that reports whether the form has changes. */
  changed: RefObject<() => boolean>;
}

function TypeForm({ eventId, of: type, changed, onClose, onStale }: FormProps) {
  const form = useForm<TypeValues>({
    initialValues: typeValues(type),
    validate: {
      name: nameError,
      price: (price) => (price === "" ? "Enter a price, or 0 for free tickets" : null),
    },
  });
  changed.current = form.isDirty;
  const [create, creating] = useAction(CreateTicketTypeDocument, { form, done: "Ticket type added" });
  const { save, busy, dialog } = useRecordEdit(UpdateTicketTypeDocument, {
    of: type,
    form,
    values: typeValues,
    fields: typeFields,
    input: (values, over) => changedOf<object>(typeInput(values), over),
    query: TicketTypeDocument,
    found: ({ ticketType }) => ticketType,
    onStale,
    done: "Ticket type saved",
    onSaved: onClose,
  });
  async function submit(values: TypeValues) {
    if (type) await save();
    else if (await create({ input: { ...typeInput(values), eventId } })) onClose();
  }
  return (
    <>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
          <Group grow preventGrowOverflow={false} align="flex-start">
            <NumberInput
              label="Price"
              description="Per ticket, including tax"
              min={0}
              required
              hideControls
              {...form.getInputProps("price")}
            />
            <Select
              label="Currency"
              description="ISO 4217 code"
              data={currencies}
              searchable
              allowDeselect={false}
              {...form.getInputProps("currency")}
            />
          </Group>
          <NumberInput
            label="Tax rate"
            description="In percent. Leave empty if no tax applies."
            min={0}
            max={100}
            decimalScale={4}
            hideControls
            {...form.getInputProps("taxRate")}
          />
          <Switch
            label="On sale"
            description="Buyers can buy this ticket type."
            {...form.getInputProps("active", { type: "checkbox" })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating || busy}>
              {type ? "Save changes" : "Add ticket type"}
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </>
  );
}

// A record, so that a currency of the schema that is missing here is a type error.
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
