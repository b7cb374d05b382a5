import { Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

export interface SellerValues {
  name: string;
  country: string;
  webhooks: boolean;
  siren: boolean;
}

/** Returns the API input for the form values. */
export function sellerInput({ name, country, ...features }: SellerValues) {
  return { name: name.trim(), country: country.trim().toUpperCase(), ...features };
}

/** The fields of a seller. All of them can be changed later. */
export function SellerFields({ form }: { form: UseFormReturnType<SellerValues> }) {
  return (
    <>
      <TextInput label="Name" required {...form.getInputProps("name")} />
      <TextInput
        label="Country"
        description="Two-letter country code, such as FR"
        required
        maxLength={2}
        styles={{ wrapper: { width: 140 } }}
        {...form.getInputProps("country")}
      />
      <Switch
        label="Webhooks"
        description="Developers can create webhooks, which send events to endpoints."
        {...form.getInputProps("webhooks", { type: "checkbox" })}
      />
      <Switch
        label="Company identification (SIREN)"
        description="Companies in France must enter their SIREN at checkout."
        {...form.getInputProps("siren", { type: "checkbox" })}
      />
    </>
  );
}
