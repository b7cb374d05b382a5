import { Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

export interface SellerValues {
  name: string;
  country: string;
  webhooks: boolean;
  siren: boolean;
}

/** What the API takes of the values. */
export function sellerInput({ name, country, ...features }: SellerValues) {
  return { name: name.trim(), country: country.trim().toUpperCase(), ...features };
}

/** What is chosen for a seller, and can be changed later. */
export function SellerFields({ form }: { form: UseFormReturnType<SellerValues> }) {
  return (
    <>
      <TextInput label="Name" required {...form.getInputProps("name")} />
      <TextInput
        label="Country"
        description="Two letters, such as FR"
        required
        maxLength={2}
        w={140}
        {...form.getInputProps("country")}
      />
      <Switch
        label="Webhooks"
        description="Developers can create webhooks, and events are delivered to them."
        {...form.getInputProps("webhooks", { type: "checkbox" })}
      />
      <Switch
        label="Company identification (SIREN)"
        description="Whoever buys for a company in France must give its SIREN number."
        {...form.getInputProps("siren", { type: "checkbox" })}
      />
    </>
  );
}
