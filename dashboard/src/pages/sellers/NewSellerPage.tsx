import { Group, Paper, Select, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Lock } from "lucide-react";
import { useState } from "react";
import { CreateButtons } from "../../components/CreateButtons";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { useAction } from "../../components/useAction";
import { type Organization, useAdministered, useSession } from "../../session/session";
import { SellerFields, type SellerValues, sellerInput } from "./SellerFields";
import { CreateSellerDocument } from "./sellers.generated";

export default function NewSellerPage() {
  const [first, ...others] = useAdministered();
  return (
    <Page
      title="Create seller"
      text="A seller is an account that sells tickets. Only its members can see its events, keys and webhooks."
    >
      {first ? (
        <NewSellerForm organizations={[first, ...others]} />
      ) : (
        <EmptyState
          icon={Lock}
          title="You don't have access to this page"
          text="Only administrators of an organization can create sellers."
        />
      )}
    </Page>
  );
}

function NewSellerForm({ organizations }: { organizations: [Organization, ...Organization[]] }) {
  const { switchSeller } = useSession();
  const [organizationId, setOrganizationId] = useState(organizations[0]._id);
  const form = useForm<SellerValues>({ initialValues: { name: "", country: "", webhooks: true, siren: false } });
  const [create, busy] = useAction(CreateSellerDocument, { form, done: "Seller created" });
  async function submit(values: SellerValues) {
    const made = await create({ input: { organizationId, ...sellerInput(values) } });
    if (made) switchSeller(made.createSeller._id);
  }
  return (
    <Paper withBorder p="lg" maw={760}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <Select
            label="Organization"
            description="Administrators of the organization also administer the seller."
            data={organizations.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={organizationId}
            onChange={(id) => id && setOrganizationId(id)}
            allowDeselect={false}
          />
          <SellerFields form={form} />
          <Group justify="flex-end">
            <CreateButtons back="/" busy={busy}>
              Create seller
            </CreateButtons>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
