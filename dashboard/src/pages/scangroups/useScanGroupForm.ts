import { useForm } from "@mantine/form";
import { type GroupValues, groupValues, type ScanGroup } from "./scangroups";

/** The editor's values; those of a new scan group when there is none. */
export function useScanGroupForm(group?: ScanGroup) {
  return useForm<GroupValues>({
    initialValues: groupValues(group),
    validate: { name: (name) => (name.trim() ? null : "Give the scan group a name") },
  });
}

export type GroupForm = ReturnType<typeof useScanGroupForm>;
