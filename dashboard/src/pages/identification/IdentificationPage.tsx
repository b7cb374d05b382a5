import { Group, PasswordInput, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Store } from "lucide-react";
import { useQuery } from "urql";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { Editor } from "../../components/Editor";
import { EmptyState } from "../../components/EmptyState";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { SaveButton } from "../../components/SaveButton";
import { showFailure, useAction } from "../../components/useAction";
import { useEdit } from "../../components/useEdit";
import { useNow } from "../../components/useNow";
import { hidden } from "../../lib/conflict";
import type { Failure } from "../../lib/failure";
import { useMay, useSession } from "../../session/session";
import { Identification } from "./Identification";
import {
  CheckoutSettingsDocument,
  type CheckoutSettingsFragment,
  UpdateCheckoutSettingsDocument,
} from "./identification.generated";
import { Refusals } from "./Refusals";
import { TrySiren } from "./TrySiren";

type Settings = CheckoutSettingsFragment;

export default function IdentificationPage() {
  const { seller } = useSession();
  const mayChange = useMay("ADMIN");
  const [{ data, error }, again] = useQuery({
    query: CheckoutSettingsDocument,
    variables: { id: seller?._id ?? "" },
    pause: !seller,
  });
  if (!seller) {
    return (
      <Page title="Checkout">
        <EmptyState
          icon={Store}
          title="No seller"
          text="You are not a member of any seller yet. Ask an administrator."
        />
      </Page>
    );
  }
  return (
    <Page
      title="Checkout"
      text={
        mayChange
          ? "What buyers are asked for, which shops may sell, and where invoices go."
          : "What buyers are asked for, and which shops may sell. Administrators change it; you can look at it."
      }
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ seller: settings }) => (
          <Stack gap="lg">
            {mayChange ? <Module of={settings} /> : <ShownSettings of={settings} />}
            <Identification siren={settings.siren} country={settings.country} groups={settings.identificationConfig} />
            <Panel maw={760} title="Try a SIREN" text="Why a number that a buyer reads to you is refused.">
              <TrySiren />
            </Panel>
            <Panel
              maw={760}
              title="Turned away"
              text="Buyers whose details were refused in the last 30 days, in checkouts and purchase intents."
            >
              <Refusals />
            </Panel>
            {mayChange && <Editor of={settings}>{(opened) => <Origins of={opened} />}</Editor>}
            {mayChange && <Editor of={settings}>{(opened) => <InvoicingTarget of={opened} />}</Editor>}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function ShownSettings({ of: settings }: { of: Settings }) {
  return (
    <Facts
      facts={[
        ["Company identification", settings.siren ? "on" : "off"],
        ["Shops", settings.checkoutOrigins.join(", ") || "none: no page may make checkouts"],
      ]}
    />
  );
}

/** The module's switch; it takes effect at once, and can be taken back at once. */
function Module({ of: settings }: { of: Settings }) {
  const { refresh } = useSession();
  const [update, busy] = useAction(UpdateCheckoutSettingsDocument, {
    done: settings.siren ? "The module was switched off" : "The module was switched on",
  });
  async function set(siren: boolean) {
    if (await update({ input: { siren } })) refresh();
  }
  return (
    <Panel
      maw={760}
      title="Company identification (SIREN)"
      text="Companies show the number under which they are registered in France."
    >
      <Switch
        label={settings.siren ? "On" : "Off"}
        description="Off, nothing is asked, and a number that is sent all the same is not kept."
        checked={settings.siren}
        disabled={busy}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </Panel>
  );
}

/** Loads the settings as they are now. */
function useSettingsNow({ _id: id }: Settings) {
  const load = useNow(CheckoutSettingsDocument);
  return async () => (await load({ id }))?.seller;
}

const originValues = ({ checkoutOrigins }: Settings) => ({ checkoutOrigins });

function Origins({ of: settings }: { of: Settings }) {
  const form = useForm({ initialValues: originValues(settings) });
  const onFailure = (failure: Failure) => {
    const first = failure.fields.find(({ path }) => path.startsWith("checkoutOrigins"));
    if (first)
      form.setFieldError(
        "checkoutOrigins",
        `${form.values.checkoutOrigins[placeOf(first.path)] ?? ""} ${first.message}`,
      );
    else showFailure(failure);
  };
  const { save, busy, dialog } = useEdit(UpdateCheckoutSettingsDocument, {
    of: settings,
    form,
    values: originValues,
    fields: { checkoutOrigins: "Origins" },
    variables: (values, over) => ({ input: { ...values, expectedUpdatedAt: over.updatedAt } }),
    load: useSettingsNow(settings),
    onFailure,
    done: "The shops were changed",
  });
  return (
    <Panel maw={760} title="Shops" text="Pages of these origins may make checkouts. Without any, no page may.">
      <form onSubmit={form.onSubmit(save)}>
        <Stack>
          <TagsInput
            label="Origins"
            description="At most 50, each with Enter. There are no wildcards."
            placeholder="https://shop.example.com"
            maxTags={50}
            acceptValueOnBlur
            clearable={false}
            {...form.getInputProps("checkoutOrigins")}
          />
          <Group justify="flex-end">
            <SaveButton busy={busy} changed={form.isDirty()} label="Save shops" />
          </Group>
        </Stack>
      </form>
      {dialog}
    </Panel>
  );
}

/** The place that a path such as `checkoutOrigins[2]` or `checkoutOrigins.2` names. */
function placeOf(path: string): number {
  return Number(/\d+/.exec(path)?.[0] ?? -1);
}

const targetValues = ({ invoicing }: Settings) => ({ url: invoicing?.url ?? "", hmacKey: "" });

function InvoicingTarget({ of: settings }: { of: Settings }) {
  const form = useForm({
    initialValues: targetValues(settings),
    validate: { url: (url) => (/^https?:\/\//i.test(url.trim()) ? null : "Begin with https:// or http://") },
  });
  const onFailure = (failure: Failure) => {
    const fields = failure.fields.map(({ path, message }) => ({ path: path.replace(/^invoicing\./, ""), message }));
    for (const { path, message } of fields)
      form.setFieldError(path, message.charAt(0).toUpperCase() + message.slice(1));
    if (fields.length === 0 || fields.some(({ path }) => !(path in form.values))) showFailure(failure);
  };
  const { save, busy, dialog } = useEdit(UpdateCheckoutSettingsDocument, {
    of: settings,
    form,
    values: targetValues,
    fields: { url: "URL", hmacKey: { label: "Signing key", show: hidden } },
    variables: ({ url, hmacKey }, over) => ({
      input: {
        invoicing: { url: url.trim(), ...(hmacKey ? { hmacKey } : {}) },
        expectedUpdatedAt: over.updatedAt,
      },
    }),
    load: useSettingsNow(settings),
    onFailure,
    done: "The target was changed",
  });
  const [stop] = useAction(UpdateCheckoutSettingsDocument, { done: "Invoices are not handed over any more" });
  const { signed } = settings.invoicing ?? { signed: false };
  return (
    <>
      <Panel maw={760} title="Invoices" text="Each new invoice is sent to this address by POST.">
        <form onSubmit={form.onSubmit(save)}>
          <Stack>
            <TextInput label="URL" type="url" required {...form.getInputProps("url")} />
            <PasswordInput
              label="Signing key"
              description={
                signed
                  ? "There is one, and it is never shown. Empty: it stays as it is."
                  : "There is none: calls are not signed."
              }
              autoComplete="off"
              visibilityToggleButtonProps={{ "aria-label": "Show the signing key" }}
              {...form.getInputProps("hmacKey")}
            />
            <Group justify="flex-end">
              <SaveButton busy={busy} changed={form.isDirty()} label="Save target" />
            </Group>
          </Stack>
        </form>
        {dialog}
      </Panel>
      {settings.invoicing && (
        <DangerZone>
          <DangerAction
            title="Stop handing invoices over"
            text="The address and its signing key are forgotten. Invoices are still made."
            button="Stop"
            onConfirm={() => stop({ input: { invoicing: null } })}
          />
        </DangerZone>
      )}
    </>
  );
}
