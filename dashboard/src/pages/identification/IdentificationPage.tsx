import { Group, PasswordInput, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "urql";
import { DangerAction, DangerZone } from "../../components/DangerZone";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { SaveButton } from "../../components/SaveButton";
import { showFailure, useAction } from "../../components/useAction";
import { useEdit } from "../../components/useEdit";
import { useNow } from "../../components/useNow";
import { hidden } from "../../lib/conflict";
import { type Failure, sentence } from "../../lib/failure";
import { urlError } from "../../lib/validation";
import { useMay, useSession } from "../../session/session";
import { NoSeller } from "../sellers/NoSeller";
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
      <Page title="Checkout settings">
        <NoSeller />
      </Page>
    );
  }
  return (
    <Page
      title="Checkout settings"
      text={
        mayChange
          ? "Required buyer details, allowed shops, and where invoices are sent."
          : "Required buyer details and allowed shops. Only administrators can change them."
      }
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ seller: settings }) => (
          <Stack gap="lg">
            {mayChange ? <Module of={settings} /> : <ShownSettings of={settings} />}
            <Identification siren={settings.siren} country={settings.country} groups={settings.identificationConfig} />
            <Panel maw={760} title="Check a SIREN" text="Find out why a buyer's SIREN is rejected.">
              <TrySiren />
            </Panel>
            <Panel
              maw={760}
              title="Rejected buyers"
              text="Rejections in checkouts and purchase intents over the last 30 days."
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
        ["Company identification", settings.siren ? "On" : "Off"],
        ["Shops", settings.checkoutOrigins.join(", ") || "None – websites can't start checkouts"],
      ]}
    />
  );
}

/** The switch of the module. Changes apply immediately. */
function Module({ of: settings }: { of: Settings }) {
  const { refresh } = useSession();
  const [update, busy] = useAction(UpdateCheckoutSettingsDocument, {
    done: settings.siren ? "Company identification turned off" : "Company identification turned on",
  });
  async function set(siren: boolean) {
    if (await update({ input: { siren } })) refresh();
  }
  return (
    <Panel
      maw={760}
      title="Company identification (SIREN)"
      text="Companies in France must enter their SIREN at checkout."
    >
      <Switch
        label={settings.siren ? "On" : "Off"}
        description="When off, buyers aren't asked, and any number sent is discarded."
        checked={settings.siren}
        disabled={busy}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </Panel>
  );
}

/** Loads the current settings. */
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
    done: "Shops saved",
  });
  return (
    <Panel maw={760} title="Shops" text="Websites allowed to start checkouts. If empty, none can.">
      <form onSubmit={form.onSubmit(save)}>
        <Stack>
          <TagsInput
            label="Origins"
            description="Up to 50. Press Enter after each. Wildcards aren't supported."
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

/** Returns the index in a path such as `checkoutOrigins[2]` or `checkoutOrigins.2`. */
function placeOf(path: string): number {
  return Number(/\d+/.exec(path)?.[0] ?? -1);
}

const targetValues = ({ invoicing }: Settings) => ({ url: invoicing?.url ?? "", hmacKey: "" });

function InvoicingTarget({ of: settings }: { of: Settings }) {
  const form = useForm({
    initialValues: targetValues(settings),
    validate: { url: urlError },
  });
  const onFailure = (failure: Failure) => {
    const fields = failure.fields.map(({ path, message }) => ({ path: path.replace(/^invoicing\./, ""), message }));
    for (const { path, message } of fields) form.setFieldError(path, sentence(message));
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
    done: "Invoice endpoint saved",
  });
  const [stop] = useAction(UpdateCheckoutSettingsDocument, { done: "Invoice sending stopped" });
  const { signed } = settings.invoicing ?? { signed: false };
  return (
    <>
      <Panel maw={760} title="Invoices" text="Each new invoice is sent to this endpoint as a POST request.">
        <form onSubmit={form.onSubmit(save)}>
          <Stack>
            <TextInput label="URL" type="url" required {...form.getInputProps("url")} />
            <PasswordInput
              label="Signing key"
              description={
                signed
                  ? "A key is set and can't be shown. Leave empty to keep it."
                  : "No key is set. Requests are unsigned."
              }
              autoComplete="off"
              visibilityToggleButtonProps={{ "aria-label": "Show signing key" }}
              {...form.getInputProps("hmacKey")}
            />
            <Group justify="flex-end">
              <SaveButton busy={busy} changed={form.isDirty()} label="Save" />
            </Group>
          </Stack>
        </form>
        {dialog}
      </Panel>
      {settings.invoicing && (
        <DangerZone>
          <DangerAction
            title="Stop sending invoices"
            text="The URL and its signing key are deleted. Invoices are still issued."
            button="Stop sending invoices"
            onConfirm={() => stop({ input: { invoicing: null } })}
          />
        </DangerZone>
      )}
    </>
  );
}
