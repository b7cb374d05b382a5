import { useForm } from "@mantine/form";
import { type GroupValues, groupValues, type ScanGroup } from "./scangroups";

/** Returns the form of a scan group; with defaults if there is none. */
export function useScanGroupForm(group?: ScanGroup) {
  return useForm<GroupValues>({
    initialValues: groupValues(group),
    validate: { name: (name) => (name.trim() ? null : "Enter a name") },
  });
}

export type GroupForm = ReturnType<typeof useScanGroupForm>;
