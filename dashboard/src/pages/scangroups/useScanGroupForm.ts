import { useForm } from "@mantine/form";
import { nameError } from "../../lib/validation";
import { type GroupValues, groupValues, type ScanGroup } from "./scangroups";

/** Returns the form of a scan group; with defaults if there is none. */
export function useScanGroupForm(group?: ScanGroup) {
  return useForm<GroupValues>({
    initialValues: groupValues(group),
    validate: { name: nameError },
  });
}

export type GroupForm = ReturnType<typeof useScanGroupForm>;
