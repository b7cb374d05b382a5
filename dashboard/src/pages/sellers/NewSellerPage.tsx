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
      title="Create a seller"
      text="A seller is who sells tickets. Its events, keys and webhooks are its own, and seen by its members only."
    >
      {first ? (
        <NewSellerForm organizations={[first, ...others]} />
      ) : (
        <EmptyState
          icon={Lock}
          title="Not for your role"
          text="Sellers are created by the administrators of an organization, and you are not one."
        />
      )}
    </Page>
  );
}

function NewSellerForm({ organizations }: { organizations: [Organization, ...Organization[]] }) {
  const { switchSeller } = useSession();
  const [organizationId, setOrganizationId] = useState(organizations[0]._id);
  const form = useForm<SellerValues>({ initialValues: { name: "", country: "", webhooks: true, siren: false } });
  const [create, busy] = useAction(CreateSellerDocument, { form, done: "The seller was created" });
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
            description="Its administrators are administrators of the seller, too."
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
