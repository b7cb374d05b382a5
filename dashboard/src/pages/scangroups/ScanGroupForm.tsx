import { Fieldset, Group, MultiSelect, Radio, Select, Stack, Switch, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useEventChoices, useZoneChoices, withChosen, withSeries } from "../../components/choices";
import { Panel } from "../../components/Panel";
import { DevicePreview } from "./DevicePreview";
import { DeviceSection } from "./DeviceSection";
import { EventsSection } from "./EventsSection";
import classes from "./preview.module.css";
import type { GroupValues } from "./scangroups";
import type { GroupForm } from "./useScanGroupForm";

interface Props {
  form: GroupForm;
  onSubmit: (values: GroupValues) => Promise<void>;
  disabled?: boolean;
  /** The buttons. */
  children: ReactNode;
}

export function ScanGroupForm({ form, onSubmit, disabled, children }: Props) {
  return (
    <div className={classes.editor}>
      <form onSubmit={form.onSubmit(onSubmit)} className={classes.form}>
        <Fieldset variant="unstyled" disabled={disabled} miw={0} m={0}>
          <Stack gap="lg">
            <Panel title="General">
              <TextInput label="Name" description="Such as “Main entrance”" required {...form.getInputProps("name")} />
              <Switch
                label="Lock the configuration"
                description="Whoever holds the device can't change what it scans."
                {...form.getInputProps("locked", { type: "checkbox" })}
              />
            </Panel>
            <EventsSection form={form} />
            <ScanSection form={form} />
            <TapAndGoSection form={form} />
            <DeviceSection form={form} />
            <Group justify="flex-end">{children}</Group>
          </Stack>
        </Fieldset>
      </form>
      <DevicePreview form={form} />
    </div>
  );
}

function ScanSection({ form }: { form: GroupForm }) {
  const { checkin, checkout, scanZoneId } = form.values;
  const zones = withChosen(useZoneChoices(), [scanZoneId]);
  return (
    <Panel title="Scans" text="At least one direction is on.">
      <Switch
        label="Check-in"
        description="People are let in."
        disabled={checkin && !checkout}
        {...form.getInputProps("checkin", { type: "checkbox" })}
      />
      <Switch
        label="Check-out"
        description="People are counted as they leave."
        disabled={checkout && !checkin}
        {...form.getInputProps("checkout", { type: "checkbox" })}
      />
      <Switch
        label="Check in again after a check-out"
        description="Otherwise a ticket is checked in once, even if it was checked out."
        {...form.getInputProps("multiCheckin", { type: "checkbox" })}
      />
      <Switch
        label="Check timeslots"
        description="A ticket passes only around the time of its slot; how long before and after is set per event."
        {...form.getInputProps("checkTimeslots", { type: "checkbox" })}
      />
      <Select
        label="Zone"
        description="Tickets are counted per zone: one that is inside another zone may still enter this one."
        placeholder="No zone"
        data={zones}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Clear the zone" }}
        nothingFoundMessage="No zone is called this"
        {...form.getInputProps("scanZoneId")}
      />
    </Panel>
  );
}

function TapAndGoSection({ form }: { form: GroupForm }) {
  const { tapAndGo, tapEvents, tapEventIds } = form.values;
  const events = withChosen(useEventChoices(withSeries), tapEventIds);
  return (
    <Panel title="Tap and go" text="A code of an access list is exchanged for a ticket at the device.">
      <Switch label="Tap and go" {...form.getInputProps("tapAndGo", { type: "checkbox" })} />
      {tapAndGo && (
        <Radio.Group label="Events" {...form.getInputProps("tapEvents")}>
          <Stack gap="sm" mt="xs">
            <Radio value="all" label="Every event" />
            <Radio value="some" label="Chosen events" />
          </Stack>
        </Radio.Group>
      )}
      {tapAndGo && tapEvents === "some" && (
        <MultiSelect
          label="Events for tap and go"
          placeholder={tapEventIds.length > 0 ? "" : "None: nothing is exchanged"}
          data={events}
          searchable
          nothingFoundMessage="No event is called this"
          {...form.getInputProps("tapEventIds")}
        />
      )}
    </Panel>
  );
}
